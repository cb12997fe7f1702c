/* cards.c -- boards as people share them, a line each, as puzzles: rush-hour:CELLS, peg:CELLS, tiles:NUMBERS
 *
 * What stands behind the colon is the board itself, or FILE#N for the N-th board of a file, where each has a line. Rows
 * have slashes between them, or follow one another where the board is as high as it is wide, or its size stands before
 * it (6x7:CELLS).
 *
 * A line may say what is known of its board, as those of Fogleman's list of Rush Hour boards do: "60 IBBxoo... 2332" is
 * a board at distance 60, one of 2332 that moves lead to. It is the same puzzle as without: what a line claims is for
 * whoever wants to check it (catalog_claims).
 */
#include "catalog.h"
#include "lib/board.h"
#include "lib/file.h"
#include "lib/text.h"
#include "sizes.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SIDE = BOARD_MAX_SIDE, LINES_MAX = 100000000, FILE_MAX_BYTES = 1 << 30 };

/* A board of the kinds whose cells are characters, row by row; and one of numbers. */
struct card {
    const char *word; /* as it was typed, for complaints */
    unsigned rows, columns;
    char cell[SIDE][SIDE + 1]; /* NUL-terminated rows, the longest as many as `columns` */
    unsigned number[BOARD_MAX_CELLS];
};

__attribute__((format(printf, 3, 4))) static pdb_status refuse(const struct card *card, pdb_error *error,
                                                               const char *format, ...)
{
    enum { SHOWN_MAX = 100 };
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const bool cut = strlen(card->word) > SHOWN_MAX;
    return error_set(error, PDB_UNKNOWN_PUZZLE, "%.*s%s: %s", SHOWN_MAX, card->word, cut ? "..." : "", message);
}

/* A picture in one line, under a key. */
static void write_rows(FILE *out, const char *key, const struct card *card)
{
    fprintf(out, "%s: \"", key);
    for (unsigned row = 0; row < card->rows; row++)
        fprintf(out, "%s%s", row > 0 ? "/" : "", card->cell[row]);
    fputs("\"\n", out);
}

/* Replaces the characters of `from` by those of `to`; false where one is in neither `from` nor a letter. */
static bool translate(struct card *card, const char *from, const char *to)
{
    for (unsigned row = 0; row < card->rows; row++)
        for (char *cell = card->cell[row]; *cell != '\0'; cell++) {
            const char *sign = strchr(from, *cell);
            if (sign == NULL && !isalpha((unsigned char)*cell))
                return false;
            if (sign != NULL)
                *cell = to[sign - from];
        }
    return true;
}

/* -- Rush Hour: every cell of a car has its letter -- */

/* The car whose first cell this is: a piece, and where it is the red one, the goal. */
static pdb_status write_car(FILE *out, const struct card *card, unsigned row, unsigned column, pdb_error *error)
{
    const char car = card->cell[row][column];
    unsigned cells = 0, width = 1, height = 1;
    while (card->cell[row][column + width] == car)
        width++;
    while (row + height < card->rows && card->cell[row + height][column] == car)
        height++;
    for (unsigned r = 0; r < card->rows; r++)
        for (const char *cell = card->cell[r]; *cell != '\0'; cell++)
            cells += *cell == car;
    if (cells < 2 || cells != (width > height ? width : height))
        return refuse(card, error, "'%c' is no car: a car has two or more cells in one line", car);
    fputs("  - ", out);
    for (unsigned i = 0; i < cells; i++)
        fprintf(out, "%s%c", i > 0 && height > 1 ? "/" : "", car);
    putc('\n', out);
    return PDB_OK;
}

static pdb_status write_cars(FILE *out, const struct card *card, pdb_error *error)
{
    bool seen[UCHAR_MAX + 1] = {['.'] = true, ['#'] = true};
    pdb_status status = PDB_OK;
    fputs("pieces:\n", out);
    for (unsigned row = 0; row < card->rows; row++)
        for (unsigned column = 0; status == PDB_OK && column < card->columns; column++) {
            bool *known = &seen[(unsigned char)card->cell[row][column]];
            status = *known ? PDB_OK : write_car(out, card, row, column, error);
            *known = true;
        }
    return status;
}

/* The red car is X where there is one, as on the game's own cards, else A: its row, and how long it is. */
static pdb_status find_red(const struct card *card, char *red, unsigned *row, size_t *length, pdb_error *error)
{
    const char *cell = NULL;
    for (const char *name = "XA"; cell == NULL && *name != '\0'; name++)
        for (*row = 0; *row < card->rows && (cell = strchr(card->cell[*row], *red = *name)) == NULL;)
            ++*row;
    if (cell == NULL)
        return refuse(card, error, "there is no red car: it is X, or else A");
    *length = strspn(cell, (char[]){*red, '\0'});
    if (*length < 2)
        return refuse(card, error, "the red car, '%c', has to lie along the row that it leaves by", *red);
    if (strchr(card->cell[*row] + card->columns - *length, '#') != NULL)
        return refuse(card, error, "a wall stands where the red car has to come to");
    return PDB_OK;
}

static pdb_status write_rush_hour(FILE *out, struct card *card, pdb_error *error)
{
    char red = 'A';
    unsigned exit = 0;
    size_t length = 0;
    struct card goal;
    if (!translate(card, "o._-0x#", ".....##"))
        return refuse(card, error, "a cell is a car's letter, o or . where it is empty, x where a wall is");
    pdb_status status = find_red(card, &red, &exit, &length, error);
    if (status != PDB_OK)
        return status;
    fprintf(out, "title: drive the red car (%c) out at the right\nfamily: slide\nmetric: slide\naxis: length\n", red);
    fprintf(out, "colours: {%c: \"#d8232a\"}\nexit: {right: %u}\n", red, exit + 1);
    write_rows(out, "board", card);
    goal = *card;
    for (unsigned row = 0; row < card->rows; row++)
        for (char *cell = goal.cell[row]; *cell != '\0'; cell++)
            *cell = *cell == '#' ? '#' : '*';
    memset(goal.cell[exit] + card->columns - length, red, length);
    write_rows(out, "goal", &goal);
    status = write_cars(out, card, error);
    fputs("boards:\n", out);
    write_rows(out, "  start", card);
    return status;
}

/* -- peg solitaire: any one letter or sign for pegs -- */

/* Are the rows one cell long, two, three and so on? */
static bool is_triangle(const struct card *card)
{
    for (unsigned row = 0; row < card->rows; row++)
        if (strlen(card->cell[row]) != row + 1)
            return false;
    return card->rows > 1;
}

static pdb_status write_peg(FILE *out, struct card *card, pdb_error *error)
{
    char peg = '\0';
    for (unsigned row = 0; row < card->rows; row++)
        for (char *cell = card->cell[row]; *cell != '\0'; cell++) {
            if (strchr("._0#-", *cell) != NULL) {
                *cell = strchr("#-", *cell) != NULL ? '#' : '.';
                continue;
            }
            if (peg != '\0' && *cell != peg)
                return refuse(card, error, "'%c' and '%c': pegs have one sign, an empty hole is . and no hole #", peg,
                              *cell);
            peg = *cell;
            *cell = '1';
        }
    if (peg == '\0')
        return refuse(card, error, "there is no peg: any letter, 1 or * is one");
    fprintf(out, "title: one peg is left, anywhere\nfamily: peg\njumps: %s\npegs: 1\n",
            is_triangle(card) ? "triangular" : "orthogonal");
    struct card full = *card; /* a board for each start would be another puzzle */
    for (unsigned row = 0; row < card->rows; row++)
        for (char *cell = full.cell[row]; *cell != '\0'; cell++)
            if (*cell == '.')
                *cell = '1';
    write_rows(out, "board", &full);
    fputs("boards:\n", out);
    write_rows(out, "  start", card);
    return PDB_OK;
}

/* -- sliding tiles: their numbers in reading order -- */

static pdb_status write_tiles(FILE *out, struct card *card, pdb_error *error)
{
    (void)error;
    fputs("title: order numbered sliding tiles\n", out);
    sized_write_tiles(out, card->number, card->rows, card->columns);
    return PDB_OK;
}

/* -- from a text to a card -- */

static const struct card_kind {
    const char *name, *pattern, *title;
    pdb_status (*write)(FILE *out, struct card *card, pdb_error *error); /* all but the name */
    bool numbers, uneven; /* cells are numbers; rows may differ in length */
} kinds[] = {
    {"peg", "peg:CELLS", "one peg is left, anywhere", write_peg, false, true},
    {"rush-hour", "rush-hour:CELLS", "drive the red car (A) out at the right", write_rush_hour, false, false},
    {"tiles", "tiles:NUMBERS", "order numbered sliding tiles", write_tiles, true, false},
};

static const struct card_kind *find_kind(const char *word, const char **rest)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i].name);
        if (strncmp(word, kinds[i].name, length) == 0 && word[length] == ':') {
            *rest = word + length + 1;
            return &kinds[i];
        }
    }
    return NULL;
}

/* Takes the size off the text, where one stands before it: 6x7:. */
static pdb_status read_size(const char **text, struct card *card, pdb_error *error)
{
    const char *at = *text;
    unsigned rows, columns;
    if (!sized_number(&at, SIDE, &rows) || *at++ != 'x' || !sized_number(&at, SIDE, &columns) || *at++ != ':')
        return PDB_OK;
    if (rows == 0 || columns == 0)
        return refuse(card, error, "a board has 1 to %d rows and columns", SIDE);
    card->rows = rows;
    card->columns = columns;
    *text = at;
    return PDB_OK;
}

/* So many cells are the size that was given, or a square. */
static pdb_status fit_size(struct card *card, size_t cells, pdb_error *error)
{
    if (card->rows == 0)
        while ((size_t)card->rows * card->rows < cells && card->rows < SIDE)
            card->columns = ++card->rows;
    if (card->rows == 0 || card->columns == 0 || card->rows > SIDE || card->columns > SIDE || cells > BOARD_MAX_CELLS)
        return refuse(card, error, "a board has 1 to %d rows and columns and at most %d cells", SIDE, BOARD_MAX_CELLS);
    if ((size_t)card->rows * card->columns != cells)
        return refuse(card, error,
                      "%zu cells are no board of %ux%u: where it is no square, its size stands before it (6x7:), or "
                      "slashes between its rows",
                      cells, card->rows, card->columns);
    return PDB_OK;
}

static pdb_status read_split_rows(const char *text, bool uneven, struct card *card, pdb_error *error)
{
    const unsigned rows = card->rows, columns = card->columns;
    card->rows = card->columns = 0;
    for (size_t length; *text != '\0'; text += length + (text[length] == '/')) {
        length = strcspn(text, "/");
        if (length == 0 || length > SIDE || card->rows == SIDE || card->rows * card->columns > BOARD_MAX_CELLS)
            return refuse(card, error, "a board has 1 to %d rows and columns and at most %d cells", SIDE,
                          BOARD_MAX_CELLS);
        if (!uneven && card->rows > 0 && length != card->columns)
            return refuse(card, error, "row %u has %zu cells, those before it %u", card->rows + 1, length,
                          card->columns);
        memcpy(card->cell[card->rows], text, length);
        card->cell[card->rows++][length] = '\0';
        card->columns = length > card->columns ? (unsigned)length : card->columns;
    }
    if (rows > 0 && (card->rows != rows || card->columns != columns))
        return refuse(card, error, "the board is %ux%u, not %ux%u", card->rows, card->columns, rows, columns);
    return PDB_OK;
}

static pdb_status read_cells(const char *text, bool uneven, struct card *card, pdb_error *error)
{
    for (const char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at >= 0x80)
            return refuse(card, error, "a cell is one letter, digit or sign of ASCII, and '%.*s' is none",
                          (int)utf8_length(at), at);
    if (strchr(text, '/') != NULL)
        return read_split_rows(text, uneven, card, error);
    pdb_status status = fit_size(card, strlen(text), error);
    for (unsigned row = 0; status == PDB_OK && row < card->rows; row++, text += card->columns) {
        memcpy(card->cell[row], text, card->columns);
        card->cell[row][card->columns] = '\0';
    }
    return status;
}

/* Every number from 0 on, once; 0 is the empty cell. */
static pdb_status read_numbers(const char *text, struct card *card, pdb_error *error)
{
    size_t count = 0;
    bool seen[BOARD_MAX_CELLS] = {false};
    while (*(text += strspn(text, " ,/\t")) != '\0') {
        if (count == BOARD_MAX_CELLS || !sized_number(&text, BOARD_MAX_CELLS, &card->number[count++]) ||
            (*text != '\0' && strchr(" ,/\t", *text) == NULL))
            return refuse(card, error, "tiles are numbers with blanks between, at most %d: 8 1 3 4 0 2 7 6 5",
                          BOARD_MAX_CELLS);
    }
    pdb_status status = fit_size(card, count, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        if (card->number[i] >= count || seen[card->number[i]])
            return refuse(card, error, "the numbers are 0 (no tile) to %zu, each once: %u %s", count - 1,
                          card->number[i], card->number[i] >= count ? "is none of them" : "is there twice");
        seen[card->number[i]] = true;
    }
    return status;
}

/* -- lines: a board, and what is said of it -- */

/* The parts of a line between blanks; false where they are not MOVES CELLS or MOVES CELLS STATES. */
static bool split_claims(const char *line, const char **cells, size_t *length, uint64_t *distance, uint64_t *states)
{
    char *end;
    line += strspn(line, " \t");
    const size_t digits = strspn(line, "0123456789");
    if (digits == 0 || digits > 9 || (line[digits] != ' ' && line[digits] != '\t'))
        return false;
    *distance = strtoull(line, NULL, 10);
    *cells = line + digits + strspn(line + digits, " \t");
    *length = strcspn(*cells, " \t\r");
    if (*length == strspn(*cells, "0123456789") && *length != strspn(*cells, "01")) /* a figure; pegs are 0 and 1 */
        return false;
    const char *rest = *cells + *length + strspn(*cells + *length, " \t\r");
    *states = isdigit((unsigned char)*rest) ? strtoull(rest, &end, 10) : 0;
    rest = *states > 0 ? end : rest;
    return rest[strspn(rest, " \t\r")] == '\0';
}

bool catalog_claims(const char *word, uint64_t *distance, uint64_t *states)
{
    const char *text, *cells;
    size_t length;
    const struct card_kind *kind = find_kind(word, &text);
    return kind != NULL && !kind->numbers && split_claims(text, &cells, &length, distance, states);
}

/* The line of this number that is not blank, of a file that is there; the caller frees it. */
static pdb_status read_line(const char *path, unsigned number, char **line, pdb_error *error)
{
    struct file_text file;
    unsigned lines = 0;
    pdb_status status = file_read_text(path, "list of boards", FILE_MAX_BYTES, &file, error);
    if (status != PDB_OK)
        return status;
    const char *at = file.bytes, *end = file.bytes + file.length, *found = NULL;
    size_t length = 0;
    while (at < end && found == NULL) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        length = (size_t)((newline != NULL ? newline : end) - at);
        bool blank = true;
        for (size_t i = 0; i < length; i++)
            blank &= strchr(" \t\r", at[i]) != NULL;
        lines += !blank;
        found = !blank && lines == number ? at : NULL;
        at += length + 1;
    }
    if (found == NULL)
        status = error_set(error, PDB_UNKNOWN_PUZZLE, "%s: there is no board %u: it has %u", path, number, lines);
    else if ((*line = strndup(found, length)) == NULL)
        status = error_no_memory(error, "a line", length);
    free(file.bytes);
    return status;
}

/* FILE#N, where there is such a file: its line; else the text itself. The caller frees *line. */
static pdb_status find_line(const char *text, char **line, pdb_error *error)
{
    const char *hash = strrchr(text, '#'), *digits = hash == NULL ? NULL : hash + 1;
    char path[PATH_MAX];
    unsigned number;
    struct stat facts;
    *line = NULL;
    if (*text == '\0')
        return error_set(error, PDB_UNKNOWN_PUZZLE,
                         "there is no board behind the colon (`pdb-query rush-hour: -` takes many, a line each)");
    if (hash != NULL && (size_t)(hash - text) < sizeof path && sized_number(&digits, LINES_MAX, &number) &&
        *digits == '\0') {
        snprintf(path, sizeof path, "%.*s", (int)(hash - text), text);
        if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode))
            return read_line(path, number, line, error);
    }
    *line = strdup(text);
    return *line != NULL ? PDB_OK : error_no_memory(error, "a board", strlen(text));
}

/* Cuts blanks at both ends off, and what a line claims. */
static char *cut(const struct card_kind *kind, char *line)
{
    const char *cells;
    size_t length;
    uint64_t distance, states;
    line += strspn(line, " \t");
    if (!kind->numbers && split_claims(line, &cells, &length, &distance, &states)) {
        line += cells - line;
        line[length] = '\0';
    }
    for (length = strlen(line); length > 0 && strchr(" \t\r", line[length - 1]) != NULL;)
        line[--length] = '\0';
    return line;
}

/* -- the definition -- */

/* Named after its cells, so that two boards never share a database; tiles after their size, as they do share one. */
static pdb_status write_name(FILE *out, const struct card_kind *kind, const struct card *card, pdb_error *error)
{
    char *name;
    size_t length;
    FILE *text;
    pdb_status status = sized_open(&text, &name, &length, error);
    if (status != PDB_OK)
        return status;
    fprintf(text, "%s-", kind->name);
    if (kind->numbers || (card->rows != card->columns && !kind->uneven))
        fprintf(text, "%ux%u%s", card->rows, card->columns, kind->numbers ? "" : "-");
    for (unsigned row = 0; !kind->numbers && row < card->rows; row++) {
        if (kind->uneven && row > 0)
            putc('-', text);
        for (const char *cell = card->cell[row]; *cell != '\0'; cell++)
            putc(isalnum((unsigned char)*cell) || *cell == '.' ? *cell : '_', text);
    }
    status = sized_close(text, &name, error);
    if (status != PDB_OK)
        return status;
    sized_shorten(name);
    fprintf(out, "puzzle: %s\n", name);
    free(name);
    return PDB_OK;
}

static pdb_status write_card(const struct card_kind *kind, struct card *card, char **text, pdb_error *error)
{
    FILE *body, *whole;
    char *keys = NULL;
    size_t length;
    pdb_status status = sized_open(&body, &keys, &length, error), closed;
    if (status != PDB_OK)
        return status;
    status = kind->write(body, card, error); /* puts cells into one form, which the name is of */
    closed = sized_close(body, &keys, status == PDB_OK ? error : NULL);
    status = status != PDB_OK ? status : closed;
    if (status == PDB_OK)
        status = sized_open(&whole, text, &length, error);
    if (status == PDB_OK) {
        status = write_name(whole, kind, card, error);
        fputs(keys, whole);
        closed = sized_close(whole, text, status == PDB_OK ? error : NULL);
        status = status != PDB_OK ? status : closed;
    }
    free(keys);
    return status;
}

/* -- for sizes.c -- */

bool cards_is_sized(const char *word)
{
    const char *rest;
    return find_kind(word, &rest) != NULL;
}

pdb_status cards_sized_text(const char *word, char **text, pdb_error *error)
{
    const char *rest = word;
    const struct card_kind *kind = find_kind(word, &rest);
    struct card *card = calloc(1, sizeof *card);
    char *line = NULL;
    pdb_status status = card == NULL ? error_no_memory(error, "a board", sizeof *card) : PDB_OK;
    if (status == PDB_OK)
        status = find_line(rest, &line, error);
    if (status == PDB_OK && line != NULL) {
        card->word = word;
        const char *cells = cut(kind, line);
        status = read_size(&cells, card, error);
        if (status == PDB_OK)
            status = kind->numbers ? read_numbers(cells, card, error) : read_cells(cells, kind->uneven, card, error);
    }
    if (status == PDB_OK)
        status = write_card(kind, card, text, error);
    free(line);
    free(card);
    return status;
}

bool cards_sized_pattern(size_t i, const char **pattern, const char **title)
{
    if (i >= sizeof kinds / sizeof *kinds)
        return false;
    *pattern = kinds[i].pattern;
    *title = kinds[i].title;
    return true;
}
