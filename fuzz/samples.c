/* samples.c -- the puzzles that boards and questions are tried on */
#include "fuzz.h"

#include <string.h>

/* Names, and texts of definitions. */
static const char *const samples[] = {
    "goat",
    "knights",
    "klotski",
    "8-flip",
    "hoppers",
    "cube-2x2x2",
    "rush-hour",
    "guarini",
    "lights-out",
    "triangle-15",
    "english-33",
    "french-37",
    "pyraminx",
    "pancakes-8",
    "topspin-10",
    "diagonal-slide",
    "diagonal-21",
    "tiles-2x3",
    "15-puzzle",
    "24-puzzle",
    "klotski-slide",
    "tiles-8x8",
    "8-flip-7x9",
    "triangle-21",
    "cube-3x3x3",
    "tiles-2x4",
    "queens-6",
    "send-more",
    "mastermind",
    "four-fours",
    "cube-2x2x2-qtm",
    "queens-64",
    "puzzle: sudoku-6\nfamily: place\nboard: |\n  . . . . . .\n  . . . . . .\n  . . . . . .\n  . . . . . .\n"
    "  . . . . . .\n  . . . . . .\nvalues: 1-6\ndifferent: [rows, columns, boxes 2x3, diagonals]\n",
    "puzzle: holes\nfamily: place\nboard: |\n  . # .\n  . . .\nplaces: |\n  a # b\n  c d e\nvalues: 0 red 10 x\n"
    "different:\n  - a b c\n  - {slots: c d e, step: -1}\n",
    "puzzle: sums\nfamily: place\nequation: [AB + CB = DEF - AA, A + C = F]\nbase: 16\ndifferent: A B C\n",
    "puzzle: bulls\nfamily: guess\nsymbols: 12345\nlength: 3\nstrategy: entropy\n",
    "puzzle: pegs\nfamily: guess\nsymbols: red green blue \u00e9\nlength: 3\nrepeats: true\nstrategy: mean\n",
    "puzzle: sixes\nfamily: express\ndigits: 1 2 6\noperators: + - * / power root factorial negate join decimal\n",
    "puzzle: fewest\nfamily: express\ndigits: 4 4 4 4\noperators: + - / power join factorial\nuse: fewest\n",
    "puzzle: kept\nfamily: express\ndigits: 1 0 3 2\norder: kept\n",
};

enum { SAMPLES = sizeof samples / sizeof samples[0] };

pdb_status load_sample(const char *definition_text, pdb_puzzle **puzzle, pdb_error *error)
{
    struct definition *definition;
    if (strchr(definition_text, '\n') == NULL)
        return catalog_load(definition_text, puzzle, error);
    pdb_status status = definition_parse("sample.yaml", definition_text, strlen(definition_text), &definition, error);
    if (status != PDB_OK)
        return status;
    status = catalog_create(definition, puzzle, error);
    definition_free(definition);
    return status;
}

const pdb_puzzle *sample_puzzle(size_t number)
{
    static pdb_puzzle *made[SAMPLES];
    pdb_error error;
    if (number >= SAMPLES)
        return NULL;
    if (made[number] == NULL)
        demand(load_sample(samples[number], &made[number], &error) == PDB_OK, error.message);
    return made[number];
}
