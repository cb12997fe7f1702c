/* table.c -- the tables of values as bytes: read, searched, held to be what they could be */
#include "express.h"

static uint64_t number_at(const uint8_t *bytes, uint64_t index)
{
    uint64_t number;
    memcpy(&number, bytes + index * sizeof number, sizeof number);
    return number;
}

struct express_table express_table(const struct express *express, const struct items *items)
{
    return (struct express_table){express, items->bytes, number_at(items->bytes, express->parts - 1)};
}

uint64_t express_begin(const struct express_table *table, unsigned part)
{
    return part == 0 ? 0 : number_at(table->bytes, part - 1);
}

uint64_t express_end(const struct express_table *table, unsigned part)
{
    return number_at(table->bytes, part);
}

static struct rational value_of(const struct express_table *table, uint64_t row)
{
    const uint64_t at = table->express->parts + row;
    return (struct rational){(int64_t)number_at(table->bytes, at), (int64_t)number_at(table->bytes, at + table->rows)};
}

struct express_row express_row(const struct express_table *table, uint64_t row)
{
    const uint64_t columns = table->express->parts + 2 * table->rows;
    return (struct express_row){value_of(table, row), number_at(table->bytes, columns + row),
                                table->bytes[(columns + table->rows) * sizeof(uint64_t) + row]};
}

uint64_t express_lower(const struct express_table *table, unsigned part, struct rational value)
{
    uint64_t low = express_begin(table, part), high = express_end(table, part);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (rational_compare(value_of(table, middle), value) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool express_find(const struct express_table *table, unsigned part, struct rational value, struct express_row *row)
{
    const uint64_t at = express_lower(table, part, value);
    if (at == express_end(table, part) || !rational_equal(value_of(table, at), value))
        return false;
    *row = express_row(table, at);
    return true;
}

/* -- what follows from the bytes -- */

static uint32_t distance_of(const void *context, uint64_t item)
{
    const struct express_table *table = context;
    const struct express *express = table->express;
    unsigned part = express_first(express);
    const uint64_t row = express_begin(table, part) + item;
    if (!express->fewest)
        return express_row(table, row).operators;
    while (row >= express_end(table, part)) /* there are a dozen at most: all digits are alike */
        part++;
    return express->part[part].length;
}

pdb_status express_figures(const struct express *express, struct items *items, pdb_error *error)
{
    const struct express_table table = express_table(express, items);
    items->count = table.rows - express_begin(&table, express_first(express));
    items->depths = UINT8_MAX + 1;
    return items_take_figures(items, distance_of, &table, error);
}

/* -- acceptance -- */

/* Do the tables fill the bytes, each with its values in order? */
static bool tables_fit(const struct express *express, const struct items *items)
{
    const uint64_t heads = express->parts * sizeof(uint64_t);
    if (items->size < heads)
        return false;
    const struct express_table table = express_table(express, items);
    if (table.rows != (items->size - heads) / EXPRESS_ROW_BYTES ||
        items->size - heads != table.rows * EXPRESS_ROW_BYTES)
        return false;
    for (unsigned part = 1; part < express->parts; part++)
        if (express_end(&table, part) < express_begin(&table, part))
            return false;
    return table.rows > express_begin(&table, express_first(express));
}

static bool rows_fit(const struct express_table *table, unsigned part)
{
    struct express_row last = {0};
    for (uint64_t row = express_begin(table, part); row < express_end(table, part); row++) {
        const struct express_row here = express_row(table, row);
        if (here.value.denominator < 1 || here.value.numerator == INT64_MIN || here.count == 0)
            return false;
        if (row > express_begin(table, part) && rational_compare(last.value, here.value) >= 0)
            return false;
        last = here;
    }
    return true;
}

pdb_status express_accept(const struct items_puzzle *puzzle, const struct items *items, pdb_error *error)
{
    const struct express *express = express_of(puzzle);
    bool fits = tables_fit(express, items);
    if (fits) {
        const struct express_table table = express_table(express, items);
        for (unsigned part = 0; fits && part < express->parts; part++)
            fits = rows_fit(&table, part);
    }
    if (!fits)
        return error_set(error, PDB_DAMAGED, "these are no tables of the values that %s makes", puzzle->name);
    struct items figures = {.bytes = items->bytes};
    pdb_status status = express_figures(express, &figures, error);
    if (status == PDB_OK && !items_same_figures(&figures, items))
        status = error_set(error, PDB_DAMAGED, "the figures about the values of %s are not those of its tables",
                           puzzle->name);
    figures.bytes = NULL;
    items_free(&figures);
    return status;
}
