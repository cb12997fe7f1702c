/* rules.c -- built-in puzzles of the family `rules`: names with numbers, and the definitions written of them */
#include "lib/board.h"
#include "lib/definition/definition.h"
#include "lib/text.h"
#include "sizes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 26 /* as many as there are letters to name things by */ };

#define OPEN UINT32_MAX /* in a goal: any number */

/* What a name says behind the template's. */
struct numbers {
    unsigned count, number[NUMBERS_MAX];
    unsigned goal[NUMBERS_MAX]; /* as many, where the template has a goal */
};

typedef void rules_writer(FILE *out, const struct numbers *of);

/* -- the templates -- */

/* The first so many letters, which name things: [A, B, C]. */
static void write_letters(FILE *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s%c", i == 0 ? "[" : ", ", 'A' + (int)i);
    fputs("]\n", out);
}

static void write_numbers(FILE *out, const struct numbers *of)
{
    for (unsigned i = 0; i < of->count; i++)
        fprintf(out, "%s%u", i == 0 ? "[" : ", ", of->number[i]);
    fputs("]\n", out);
}

static unsigned greatest(const struct numbers *of)
{
    unsigned most = 0;
    for (unsigned i = 0; i < of->count; i++)
        most = of->number[i] > most ? of->number[i] : most;
    return most;
}

static void write_bridge(FILE *out, const struct numbers *of)
{
    fputs("sets:\n  side: [here, there]\n  who: ", out);
    write_letters(out, of->count);
    fputs("tables:\n  time[who]: ", out);
    write_numbers(out, of);
    fputs("state:\n  at[who]: side\n  torch: side\n"
          "moves:\n"
          "  - name: \"{a} crosses\"\n"
          "    for: {a: who}\n"
          "    if: at[a] == torch\n"
          "    do: at[a] = 1 - torch, torch = 1 - torch\n"
          "    cost: time[a]\n"
          "  - name: \"{a} and {b} cross\"\n"
          "    for: {a: who, b: who}\n"
          "    if: a < b and at[a] == torch and at[b] == torch\n"
          "    do: at[a] = 1 - torch, at[b] = 1 - torch, torch = 1 - torch\n"
          "    cost: max(time[a], time[b])\n"
          "goal: all(at[w] == there for w in who)\n",
          out);
}

static void write_rings(FILE *out, const struct numbers *of)
{
    fprintf(out,
            "sets:\n  ring: 1..%u\n"
            "state:\n  on[ring]: 0..1\n"
            "start:\n  on: 1\n"
            "moves:\n"
            "  - name: ring {i}\n"
            "    for: {i: ring}\n"
            "    if: all(on[j] == (1 if j == i - 1 else 0) for j in ring if j < i)\n"
            "    do: on[i] = 1 - on[i]\n"
            "goal: all(on[i] == 0 for i in ring)\n",
            of->number[0]);
}

static void write_frogs(FILE *out, const struct numbers *of)
{
    const unsigned frogs = of->number[0], toads = of->number[1];
    fprintf(out, "sets:\n  stone: 1..%u\n  thing: [frog, empty, toad]\nstate:\n  on[stone]: thing\n",
            frogs + toads + 1);
    fprintf(out, "start:\n  on[i]: frog if i <= %u else empty if i == %u else toad\n", frogs, frogs + 1);
    fputs("moves:\n"
          "  - name: frog from {i} by {n}\n"
          "    for: {i: stone, n: 1..2}\n"
          "    if: on[i] == frog and on[i + n] == empty\n"
          "    do: on[i] = empty, on[i + n] = frog\n"
          "  - name: toad from {i} by {n}\n"
          "    for: {i: stone, n: 1..2}\n"
          "    if: on[i] == toad and on[i - n] == empty\n"
          "    do: on[i] = empty, on[i - n] = toad\n",
          out);
    fprintf(out, "goal: all(on[i] == (toad if i <= %u else empty if i == %u else frog) for i in stone)\n", toads,
            toads + 1);
}

static void write_hanoi(FILE *out, const struct numbers *of)
{
    fprintf(out, "sets:\n  disk: 1..%u\n  peg: ", of->number[1]);
    write_letters(out, of->number[0]);
    fprintf(out,
            "state:\n  on[disk]: peg\n"
            "moves:\n"
            "  - name: disk {d} to {to}\n"
            "    for: {d: disk, to: peg}\n"
            "    if: on[d] != to and all(on[e] != on[d] and on[e] != to for e in disk if e < d)\n"
            "    do: on[d] = to\n"
            "goal: all(on[d] == %c for d in disk)\n",
            'A' + (int)of->number[0] - 1);
}

static void write_jugs(FILE *out, const struct numbers *of)
{
    const char *between = "goal: ";
    fputs("sets:\n  jug: ", out);
    write_letters(out, of->count);
    fputs("tables:\n  size[jug]: ", out);
    write_numbers(out, of);
    fprintf(out, "state:\n  water[jug]: 0..%u\nstart:\n  water[j]: %u if j == A else 0\n", greatest(of), of->number[0]);
    fputs("moves:\n"
          "  - name: pour {j} into {k}\n"
          "    for: {j: jug, k: jug}\n"
          "    let:\n"
          "      amount: min(water[j], size[k] - water[k])\n"
          "    if: j != k and amount > 0\n"
          "    do: water[j] = water[j] - amount, water[k] = water[k] + amount\n",
          out);
    for (unsigned i = 0; i < of->count; i++)
        if (of->goal[i] != OPEN) {
            fprintf(out, "%swater[%c] == %u", between, 'A' + (int)i, of->goal[i]);
            between = " and ";
        }
    putc('\n', out);
}

static void write_missionaries(FILE *out, const struct numbers *of)
{
    const unsigned each = of->number[0];
    fprintf(out, "state: {m: 0..%u, c: 0..%u, boat: 0..1} # on this side\nstart: {m: %u, c: %u, boat: 1}\n", each, each,
            each, each);
    fprintf(out, "keep: (m == 0 or m >= c) and (m == %u or m <= c)\nmoves:\n", each);
    static const char *const ways[] = {"over", "back"};
    for (int back = 0; back < 2; back++) {
        fprintf(out, "  - name: \"{a} m and {b} c %s\"\n    for: {a: 0..%u, b: 0..%u}\n", ways[back], of->number[1],
                of->number[1]);
        fprintf(out, "    if: boat == %d and 1 <= a + b <= %u\n", !back, of->number[1]);
        fprintf(out, "    do: m = m %c a, c = c %c b, boat = %d\n", back ? '+' : '-', back ? '+' : '-', back);
    }
    fputs("goal: m == 0 and c == 0\n", out);
}

/* -- how they look: where a picture has room for it -- */

/* What is between two sides: a row for each, and one between them. */
static const char river[] = "colours: {\"~\": lightskyblue";

static void draw_bridge(FILE *out, const struct numbers *of)
{
    fprintf(out, "draw:\n  for: {row: 0..2, i: 0..%u}\n  show:\n    '*': i == 0 and row == 2 * torch\n", of->count);
    for (unsigned i = 0; i < of->count; i++)
        fprintf(out, "    %c: i == %u and row == 2 * at[%c]\n", 'A' + (int)i, i + 1, 'A' + (int)i);
    fputs("    \"~\": row == 1\nlegend: {\"~\": the river, '*': the torch", out);
    for (unsigned i = 0; i < of->count; i++)
        fprintf(out, ", %c: takes %u", 'A' + (int)i, of->number[i]);
    fprintf(out, "}\n%s, '*': orangered}\nshapes: {\"~\": water, '*': torch}\n", river);
}

/* The bar, with a frame for its loop around the rings that are on it, and the others below it. */
static void draw_rings(FILE *out, const struct numbers *of)
{
    fputs("draw:\n  for: {row: 0..1, i: ring}\n  show:\n    o: on[i] == 1 - row\n    \"-\": row == 0\n"
          "legend: {o: a ring, \"-\": the bar}\ncolours: {o: goldenrod, \"-\": gray}\n"
          "shapes: {o: ring, \"-\": bar}\n",
          out);
    fprintf(out, "frames: [1 1-%u]\n", of->number[0]);
}

static void draw_frogs(FILE *out, const struct numbers *of)
{
    if (of->number[0] + of->number[1] < BOARD_MAX_SIDE)
        fputs("draw:\n  for: {i: stone}\n  show:\n    f: on[i] == frog\n    t: on[i] == toad\n"
              "legend: {f: a frog (it goes right), t: a toad (it goes left)}\ncolours: {f: limegreen, t: sienna}\n"
              "shapes: {f: frog, t: frog}\n",
              out);
}

/* Jugs as high as they are large, filled from below, each below its name and, where a digit says it, above how much is
 * in it. */
static void draw_jugs(FILE *out, const struct numbers *of)
{
    enum { HIGHEST = 24, HIGHEST_DIGIT = 9 };
    const unsigned high = greatest(of), told = high <= HIGHEST_DIGIT ? high : 0;
    if (high > HIGHEST)
        return;
    fprintf(out, "draw:\n  for: {row: 0..%u, j: jug}\n  show:\n", told > 0 ? high + 1 : high);
    for (unsigned i = 0; i < of->count; i++)
        fprintf(out, "    %c: row == %u - %u and j == %c\n", 'A' + (int)i, high, of->number[i], 'A' + (int)i);
    fprintf(out, "    \"~\": 1 <= row <= %u and water[j] > %u - row\n", high, high);
    fprintf(out, "    \"|\": 1 <= row <= %u and size[j] > %u - row\n", high, high);
    for (unsigned water = 1; water <= told; water++)
        fprintf(out, "    %u: row == %u and water[j] == %u\n", water, high + 1, water);
    fputs("legend: {\"~\": water, \"|\": glass", out);
    for (unsigned i = 0; i < of->count; i++)
        fprintf(out, ", %c: holds %u", 'A' + (int)i, of->number[i]);
    fputs("}\ncolours: {\"~\": deepskyblue, \"|\": gainsboro}\nshapes: {\"~\": water, \"|\": glass", out);
    for (unsigned i = 0; i < of->count; i++)
        fprintf(out, ", %c: label", 'A' + (int)i);
    for (unsigned water = 1; water <= told; water++)
        fprintf(out, ", %u: label", water);
    fputs("}\n", out);
}

/* A column for each peg; as many disks lie below one as are larger and on its peg. */
static void draw_hanoi(FILE *out, const struct numbers *of)
{
    enum { DISKS_DRAWN = 24 };
    if (of->number[1] > DISKS_DRAWN)
        return;
    fprintf(
        out,
        "draw:\n  for: {row: disk, p: peg}\n"
        "  show: min(d for d in disk if on[d] == p and count(on[e] == p for e in disk if e > d) == %u - row)\nbars:",
        of->number[1]);
    for (unsigned disk = 1; disk <= of->number[1]; disk++)
        fprintf(out, " %u", disk);
    putc('\n', out);
}

/* A row for each side: missionaries, cannibals, the boat. */
static void draw_missionaries(FILE *out, const struct numbers *of)
{
    const unsigned each = of->number[0];
    if (2 * each + 1 > BOARD_MAX_SIDE)
        return;
    fprintf(out, "draw:\n  for: {row: 0..2, i: 1..%u}\n  show:\n    \"~\": row == 1\n", 2 * each + 1);
    fprintf(out, "    m: i <= (%u - m if row == 2 else m)\n", each);
    fprintf(out, "    c: 1 <= i - %u and i - %u <= (%u - c if row == 2 else c)\n", each, each, each);
    fprintf(out, "    b: i == %u and boat != row / 2\n", 2 * each + 1);
    fprintf(out,
            "legend: {m: a missionary, c: a cannibal, b: the boat, \"~\": the river}\n%s, m: \"#3b4a6b\", "
            "c: orangered, b: saddlebrown}\nshapes: {\"~\": water, m: person, c: person, b: boat}\n",
            river);
}

/* The limits are those of what the language can take: values are symbols of a board, and letters name things. */
static const struct rules_template {
    const char *name, *pattern, *example, *title;
    rules_writer *write, *draw; /* draw: NULL where numbers say more than a picture */
    char between;               /* the numbers */
    bool goal;                  /* behind a colon there are as many again, which may be open */
    unsigned least, most;
    struct {
        const char *what;
        unsigned least, most;
    } limit[2]; /* of the first number; of those behind it, as the first where it is empty */
} templates[] = {
    {"bridge",
     "bridge-TIMES",
     "bridge-1-2-5-10",
     "all cross by night in the least time, two at once with one torch",
     write_bridge,
     draw_bridge,
     '-',
     false,
     2,
     NUMBERS_MAX,
     {{"a time", 1, 10000}}},
    {"chinese-rings",
     "chinese-rings-N",
     "chinese-rings-9",
     "take all rings off the bar",
     write_rings,
     draw_rings,
     '-',
     false,
     1,
     1,
     {{"the number of rings", 1, 62}}},
    {"frogs",
     "frogs-NxM",
     "frogs-3x3",
     "frogs and toads trade sides, and none goes back",
     write_frogs,
     draw_frogs,
     'x',
     false,
     2,
     2,
     {{"the number of frogs", 1, 50}, {"the number of toads", 1, 50}}},
    {"hanoi",
     "hanoi-PxD",
     "hanoi-4x8",
     "move the tower from the first peg to the last",
     write_hanoi,
     draw_hanoi,
     'x',
     false,
     2,
     2,
     {{"the number of pegs", 3, NUMBERS_MAX}, {"the number of disks", 1, 62}}},
    {"jugs",
     "jugs-SIZES:GOAL",
     "jugs-8-5-3:4-4-0",
     "pour from the full first jug until the contents are right",
     write_jugs,
     draw_jugs,
     '-',
     true,
     2,
     12,
     {{"a jug's size", 1, BOARD_MAX_SYMBOLS - 1}}},
    {"missionaries",
     "missionaries-N-M",
     "missionaries-3-2",
     "cross the river, and nowhere be fewer missionaries than cannibals",
     write_missionaries,
     draw_missionaries,
     '-',
     false,
     2,
     2,
     {{"the number of each", 1, 100}, {"the number of places in the boat", 1, 20}}},
};

static const size_t template_count = sizeof templates / sizeof *templates;

/* -- names -- */

/* The template whose name the word is, alone or followed by "-" and a digit; *rest is what follows. */
static const struct rules_template *find_template(const char *word, const char **rest)
{
    for (size_t i = 0; i < template_count; i++) {
        if (!text_begins(word, templates[i].name))
            continue;
        *rest = word + strlen(templates[i].name);
        if (**rest == '\0' || (**rest == '-' && isdigit((unsigned char)(*rest)[1]))) {
            *rest += **rest == '-';
            return &templates[i];
        }
    }
    return NULL;
}

/* Numbers with the template's sign between them; stars are open where they are allowed. */
static bool read_list(const struct rules_template *template, const char **text, bool open, unsigned *number,
                      unsigned *count)
{
    enum { MOST = 1000000 };
    *count = 0;
    do {
        if (*count == NUMBERS_MAX)
            return false;
        if (open && **text == '*')
            ++*text, number[*count] = OPEN;
        else if (!sized_number(text, MOST, &number[*count]))
            return false;
        ++*count;
    } while (**text == template->between && *(*text)++ != '\0');
    return true;
}

static pdb_status check_limits(const char *word, const struct rules_template *template, const struct numbers *numbers,
                               pdb_error *error)
{
    if (numbers->count < template->least || numbers->count > template->most)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: there are %u to %u numbers, as in %s", word, template->least,
                         template->most, template->example);
    for (unsigned i = 0; i < numbers->count; i++) {
        const size_t which = i > 0 && template->limit[1].what != NULL;
        const unsigned least = template->limit[which].least, most = template->limit[which].most;
        if (numbers->number[i] < least || numbers->number[i] > most)
            return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: %s is %u to %u", word, template->limit[which].what, least,
                             most);
    }
    return PDB_OK;
}

/* A goal that fits the jugs, and what is poured. */
static pdb_status check_goal(const char *word, const struct numbers *numbers, unsigned goals, pdb_error *error)
{
    unsigned sum = 0, open = 0;
    if (goals != numbers->count)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: the goal has %u number%s for %u jugs", word, goals,
                         plural(goals), numbers->count);
    for (unsigned i = 0; i < goals; i++) {
        if (numbers->goal[i] != OPEN && numbers->goal[i] > numbers->number[i])
            return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: %u does not fit into a jug of %u", word, numbers->goal[i],
                             numbers->number[i]);
        open += numbers->goal[i] == OPEN;
        sum += numbers->goal[i] == OPEN ? 0 : numbers->goal[i];
    }
    if (open == goals)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: the goal leaves all jugs open", word);
    if (sum > numbers->number[0] || (open == 0 && sum < numbers->number[0]))
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: the goal has %u in all, and the first jug, full, has %u", word,
                         sum, numbers->number[0]);
    return PDB_OK;
}

static pdb_status read_numbers(const char *word, const struct rules_template *template, const char *rest,
                               struct numbers *numbers, pdb_error *error)
{
    unsigned goals = 0;
    bool good = read_list(template, &rest, false, numbers->number, &numbers->count);
    if (good && template->goal)
        good = *rest == ':' && (rest++, read_list(template, &rest, true, numbers->goal, &goals));
    if (template->least == template->most && numbers->count != template->most)
        good = false;
    if (!good || *rest != '\0')
        return error_set(error, PDB_UNKNOWN_PUZZLE, "unknown puzzle '%s': such a name is written %s, as in %s", word,
                         template->pattern, template->example);
    pdb_status status = check_limits(word, template, numbers, error);
    return status == PDB_OK && template->goal ? check_goal(word, numbers, goals, error) : status;
}

/* The word as a name, with its signs in words. */
static pdb_status make_name(const char *word, char **name, pdb_error *error)
{
    FILE *out;
    size_t length;
    pdb_status status = sized_open(&out, name, &length, error);
    if (status != PDB_OK)
        return status;
    for (; *word != '\0'; word++)
        if (*word == ':' || *word == '*')
            fputs(*word == ':' ? "-to-" : "any", out);
        else
            putc(*word, out);
    status = sized_close(out, name, error);
    if (status == PDB_OK)
        sized_shorten(*name);
    return status;
}

/* -- for sizes.c -- */

bool rules_is_sized(const char *word)
{
    const char *rest;
    return find_template(word, &rest) != NULL;
}

pdb_status rules_sized_text(const char *word, char **text, pdb_error *error)
{
    FILE *out;
    size_t length;
    char *name = NULL;
    const char *rest;
    struct numbers numbers = {0};
    const struct rules_template *template = find_template(word, &rest);
    pdb_status status = read_numbers(word, template, rest, &numbers, error);
    if (status == PDB_OK)
        status = make_name(word, &name, error);
    if (status == PDB_OK)
        status = sized_open(&out, text, &length, error);
    if (status == PDB_OK) {
        fprintf(out, "puzzle: %s\ntitle: %s\nfamily: rules\n", name, template->title);
        template->write(out, &numbers);
        if (template->draw != NULL)
            template->draw(out, &numbers);
        status = sized_close(out, text, error);
    }
    free(name);
    return status;
}

bool rules_sized_pattern(size_t i, const char **pattern, const char **title)
{
    if (i >= template_count)
        return false;
    *pattern = templates[i].pattern;
    *title = templates[i].title;
    return true;
}
