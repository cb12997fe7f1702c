/* sizes.c -- built-in puzzles of any size: boards and equations, and what all kinds of them share */
#include "sizes.h"
#include "lib/board.h"
#include "lib/definition/definition.h"
#include "lib/random.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* -- shared with the other kinds -- */

enum { MAX_DIGITS = 16 }; /* that anybody may mean as a number */

bool sized_number(const char **text, unsigned most, unsigned *number)
{
    const size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > MAX_DIGITS || (digits > 1 && **text == '0'))
        return false;
    *number = 0;
    for (size_t i = 0; i < digits && *number <= most; i++)
        *number = *number * 10 + (unsigned)((*text)[i] - '0');
    *text += digits;
    return true;
}

void sized_shorten(char *name)
{
    enum { DIGITS = 32, KEPT = PUZZLE_NAME_MAX - DIGITS - 1 };
    const size_t length = strlen(name);
    if (length <= PUZZLE_NAME_MAX)
        return;
    const XXH128_hash_t digest = XXH3_128bits(name, length);
    sprintf(name + KEPT, "-%016llx%016llx", (unsigned long long)digest.high64, (unsigned long long)digest.low64);
}

pdb_status sized_open(FILE **out, char **text, size_t *length, pdb_error *error)
{
    *text = NULL;
    *out = open_memstream(text, length);
    return *out != NULL ? PDB_OK : error_no_memory(error, "the definition", BUFSIZ);
}

pdb_status sized_close(FILE *out, char **text, pdb_error *error)
{
    const bool complete = !ferror(out);
    if (fclose(out) == 0 && complete)
        return PDB_OK;
    free(*text);
    *text = NULL;
    return error_no_memory(error, "the definition", BUFSIZ);
}

/* Writes the definition, all but its name and title. `around` is what a press turns over, where one does. */
typedef void template_writer(FILE *out, const char *around, unsigned rows, unsigned columns);

/* -- the templates -- */

/* A picture with the same character on every cell, as a block scalar's lines. */
static void write_cells(FILE *out, char cell, unsigned rows, unsigned columns, const char *indent)
{
    for (unsigned row = 0; row < rows; row++) {
        fputs(indent, out);
        for (unsigned column = 0; column < columns; column++)
            putc(cell, out);
        putc('\n', out);
    }
}

static void write_flip(FILE *out, const char *around, unsigned rows, unsigned columns)
{
    fprintf(out, "family: flip\naround: %s\nglyphs: {0: ○, 1: ●}\ncolours: {1: gold}\nboard: |\n", around);
    write_cells(out, '.', rows, columns, "  ");
    fputs("boards:\n  start: |\n", out);
    write_cells(out, '1', rows, columns, "    ");
}

static void write_numbers(FILE *out, const unsigned *number, unsigned rows, unsigned columns, const char *indent)
{
    for (unsigned row = 0; row < rows; row++) {
        fputs(indent, out);
        for (unsigned column = 0; column < columns; column++)
            fprintf(out, " %u", number[row * columns + column]);
        putc('\n', out);
    }
}

/* Moves the empty cell, the last one, so many steps, none of which takes back the one before: on boards of any size the
 * goal is near enough then for a search without a database. The same steps are taken each time. */
static void shuffle_tiles(unsigned *number, unsigned rows, unsigned columns)
{
    enum { STEPS = 60 };
    uint64_t draws = 1;
    unsigned row = rows - 1, column = columns - 1, last = 0;
    for (unsigned step = 0; step < STEPS && rows * columns > 1; step++) {
        const unsigned to[] = {row - 1, column - 1, column + 1, row + 1}; /* a step and its way back: 3 in all */
        unsigned ways[4], count = 0;
        for (unsigned way = 0; way < 4; way++)
            if (to[way] < (way % 3 == 0 ? rows : columns) && (step == 0 || way != 3 - last))
                ways[count++] = way;
        if (count == 0) /* the end of a board of one row */
            break;
        last = ways[random_below(&draws, count)];
        const unsigned from = row * columns + column;
        *(last % 3 == 0 ? &row : &column) = to[last];
        number[from] = number[row * columns + column];
        number[row * columns + column] = 0;
    }
}

/* Numbered tiles in order, the empty cell last. */
void sized_write_tiles(FILE *out, const unsigned *start, unsigned rows, unsigned columns)
{
    unsigned number[BOARD_MAX_CELLS];
    for (unsigned cell = 0; cell < rows * columns; cell++)
        number[cell] = (cell + 1) % (rows * columns);
    fputs("family: slide\ngoal: |\n", out);
    write_numbers(out, number, rows, columns, " ");
    if (start == NULL)
        shuffle_tiles(number, rows, columns);
    fputs("boards:\n  start: |\n", out);
    write_numbers(out, start != NULL ? start : number, rows, columns, "   ");
}

static void write_tiles(FILE *out, const char *around, unsigned rows, unsigned columns)
{
    (void)around;
    sized_write_tiles(out, NULL, rows, columns);
}

/* A queen for each row; columns and both diagonals. */
static void write_queens(FILE *out, const char *around, unsigned rows, unsigned columns)
{
    (void)around;
    fputs("family: place\nmark: Q\nboard: |\n", out);
    write_cells(out, '.', 1, rows, "  ");
    fprintf(out, "values: 1-%u\ndifferent: [all, {slots: all, step: 1}, {slots: all, step: -1}]\n", columns);
}

static const struct template
{
    const char *name, *title;
    template_writer *write;
    const char *around;
    bool square; /* one number is its size */
}
templates[] = {
    {"8-flip", "a press turns over the neighbours of a cell, turn all off", write_flip, "8", false},
    {"lights-out", "a press turns over a cell and those beside it, turn all off", write_flip, "plus", false},
    {"queens", "queens that do not attack one another", write_queens, NULL, true},
    {"tiles", "order numbered sliding tiles", write_tiles, NULL, false},
};

/* -- names -- */

/* The template whose name the word is, alone or followed by "-" and a digit; *size is that digit, or the word's end.
 * NULL where there is none. */
static const struct template *find_template(const char *word, const char **size)
{
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        const size_t length = strlen(templates[i].name);
        if (strncmp(word, templates[i].name, length) != 0)
            continue;
        *size = word[length] == '-' ? word + length + 1 : word + length;
        if (word[length] == '\0' || (word[length] == '-' && isdigit((unsigned char)**size)))
            return &templates[i];
    }
    return NULL;
}

static pdb_status read_size(const char *word, const struct template *template, const char *size, unsigned *rows,
                            unsigned *columns, pdb_error *error)
{
    if (template->square && (!sized_number(&size, BOARD_MAX_SIDE, rows) || *size != '\0'))
        return error_set(error, PDB_UNKNOWN_PUZZLE, "unknown puzzle '%s': its size is one number, as in %s-8", word,
                         template->name);
    if (template->square && (*rows == 0 || *rows > BOARD_MAX_SIDE))
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: the size is 1 to %d", word, BOARD_MAX_SIDE);
    if (template->square) {
        *columns = *rows;
        return PDB_OK;
    }
    if (!sized_number(&size, BOARD_MAX_SIDE, rows) || *size++ != 'x' || !sized_number(&size, BOARD_MAX_SIDE, columns) ||
        *size != '\0')
        return error_set(error, PDB_UNKNOWN_PUZZLE, "unknown puzzle '%s': a size is written ROWSxCOLUMNS, as in %s-3x4",
                         word, template->name);
    if (*rows == 0 || *columns == 0 || *rows > BOARD_MAX_SIDE || *columns > BOARD_MAX_SIDE)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: rows and columns are 1 to %d", word, BOARD_MAX_SIDE);
    if (*rows * *columns > BOARD_MAX_CELLS)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: a board has at most %d cells, and this one would have %u",
                         word, BOARD_MAX_CELLS, *rows * *columns);
    return PDB_OK;
}

/* -- alphametics -- */

static const char alphametic[] = "alphametic", alphametic_title[] = "different letters are different digits";

/* Is the word an alphametic? Then *equation is its part behind the colon, and *base the number before it. */
static bool find_alphametic(const char *word, unsigned *base, const char **equation)
{
    const size_t length = strlen(alphametic);
    if (strncmp(word, alphametic, length) != 0)
        return false;
    *base = 10;
    *equation = word + length;
    if (**equation == '-' && (++*equation, !sized_number(equation, BOARD_MAX_SIDE, base)))
        return false;
    return *(*equation)++ == ':';
}

/* An equation in one form, however it was typed: the database is as good for all. As part of a name (`named`) it has
 * its signs in words. */
static void write_equation(FILE *out, const char *equation, bool named)
{
    for (; *equation != '\0'; equation++)
        if (named && strchr("+-=", *equation) != NULL)
            fputs(*equation == '+' ? "-plus-" : *equation == '-' ? "-minus-" : "-is-", out);
        else if (*equation != ' ')
            putc(toupper((unsigned char)*equation), out);
}

/* Do blanks alone stand between two letters? They are left out, and one word would come of two. */
static bool has_gap(const char *equation)
{
    for (const char *blank = equation; (blank = strchr(blank, ' ')) != NULL;) {
        const bool behind_letter = blank > equation && isalpha((unsigned char)blank[-1]);
        blank += strspn(blank, " ");
        if (behind_letter && isalpha((unsigned char)*blank))
            return true;
    }
    return false;
}

static pdb_status alphametic_name(const char *word, unsigned base, const char *equation, char **name, pdb_error *error)
{
    size_t length;
    *name = NULL;
    if (strspn(equation, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-= ") != strlen(equation) ||
        strchr(equation, '=') == NULL || has_gap(equation))
        return error_set(error, PDB_UNKNOWN_PUZZLE,
                         "unknown puzzle '%s': an equation has words of letters, + and -, and one =, as in "
                         "%s:SEND+MORE=MONEY",
                         word, alphametic);
    FILE *out;
    pdb_status status = sized_open(&out, name, &length, error);
    if (status != PDB_OK)
        return status;
    fputs(alphametic, out);
    if (base != 10)
        fprintf(out, "-%u", base);
    putc('-', out);
    write_equation(out, equation, true);
    status = sized_close(out, name, error);
    if (status == PDB_OK)
        sized_shorten(*name);
    return status;
}

/* -- all of them -- */

/* What a definition is written of: a template and its size, or an equation. */
struct wanted {
    const struct template *template;
    unsigned rows, columns, base;
    const char *name, *equation;
};

static pdb_status write_definition(const struct wanted *wanted, char **text, pdb_error *error)
{
    size_t length;
    FILE *out;
    pdb_status status = sized_open(&out, text, &length, error);
    if (status != PDB_OK)
        return status;
    fprintf(out, "puzzle: %s\ntitle: %s\n", wanted->name,
            wanted->template != NULL ? wanted->template->title : alphametic_title);
    if (wanted->template != NULL) {
        wanted->template->write(out, wanted->template->around, wanted->rows, wanted->columns);
    } else {
        fputs("family: place\nequation: ", out);
        write_equation(out, wanted->equation, false);
        fprintf(out, "\nbase: %u\n", wanted->base);
    }
    return sized_close(out, text, error);
}

/* The kinds that other files have. */
static const struct other_kind {
    bool (*is_sized)(const char *word);
    pdb_status (*text)(const char *word, char **text, pdb_error *error);
    bool (*pattern)(size_t i, const char **pattern, const char **title);
} others[] = {
    {rules_is_sized, rules_sized_text, rules_sized_pattern},
    {sokoban_is_sized, sokoban_sized_text, sokoban_sized_pattern},
    {cards_is_sized, cards_sized_text, cards_sized_pattern},
};
enum { OTHERS = sizeof others / sizeof *others };

static const struct other_kind *find_other(const char *word)
{
    for (size_t i = 0; i < OTHERS; i++)
        if (others[i].is_sized(word))
            return &others[i];
    return NULL;
}

static bool other_pattern(size_t i, const char **pattern, const char **title)
{
    for (size_t kind = 0; kind < OTHERS; kind++)
        for (size_t n = 0; others[kind].pattern(n, pattern, title); n++)
            if (i-- == 0)
                return true;
    return false;
}

bool catalog_sized_pattern(size_t i, char pattern[CATALOG_PATTERN_MAX], const char **title)
{
    const size_t count = sizeof templates / sizeof *templates;
    const char *other;
    if (i < count) {
        snprintf(pattern, CATALOG_PATTERN_MAX, "%s-%s", templates[i].name, templates[i].square ? "N" : "RxC");
        *title = templates[i].title;
    } else if (i == count) {
        snprintf(pattern, CATALOG_PATTERN_MAX, "%s:SUM", alphametic);
        *title = alphametic_title;
    } else if (other_pattern(i - count - 1, &other, title)) {
        snprintf(pattern, CATALOG_PATTERN_MAX, "%s", other);
    } else {
        return false;
    }
    return true;
}

bool catalog_is_sized(const char *word)
{
    const char *rest;
    unsigned base;
    return find_template(word, &rest) != NULL || find_alphametic(word, &base, &rest) || find_other(word) != NULL;
}

pdb_status catalog_sized_text(const char *word, char **text, pdb_error *error)
{
    const char *size;
    struct wanted wanted = {.template = find_template(word, &size), .name = word};
    char *name = NULL;
    pdb_status status = PDB_OK;
    *text = NULL;
    const struct other_kind *other = find_other(word);
    if (other != NULL)
        return other->text(word, text, error);
    if (wanted.template != NULL)
        status = read_size(word, wanted.template, size, &wanted.rows, &wanted.columns, error);
    else if (!find_alphametic(word, &wanted.base, &wanted.equation))
        return PDB_OK;
    else
        status = alphametic_name(word, wanted.base, wanted.equation, &name, error);
    if (name != NULL)
        wanted.name = name;
    if (status == PDB_OK)
        status = write_definition(&wanted, text, error);
    free(name);
    return status;
}
