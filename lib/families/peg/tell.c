/* tell.c -- what the bound of a peg board is made of, for people, and the position classes of the board and its goals
 *
 * Bounds are least sums over several goals (bounds.c): each part is told as the least of all goals, and where the bound
 * is more than every part, as one goal is near by one count and another by another, so is the bound.
 */
#include "lib/search/board/bounds.h"
#include "peg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A set of holes as moves call them: "0 2 5". */
static void write_holes(const struct peg *peg, uint64_t holes, char *text)
{
    const char *separator = "";
    for (*text = '\0'; holes != 0; holes &= holes - 1, separator = " ")
        text += sprintf(text, "%s%s", separator, peg->name[__builtin_ctzll(holes)]);
}

static void write_class(const struct peg_bounds *known, unsigned class, char text[PEG_MAX_INVARIANTS + 1])
{
    for (unsigned i = 0; i < known->invariants; i++)
        text[i] = (char)('0' + (class >> i & 1));
    text[known->invariants] = '\0';
}

static pdb_status tell_classes(const struct peg *peg, uint64_t state, pdb_classes *classes, pdb_error *error)
{
    const struct peg_bounds *known = &peg->bounds;
    char holes[PEG_MAX_HOLES * sizeof *peg->name + 1], class[PEG_MAX_INVARIANTS + 1];
    pdb_status status = PDB_OK;
    for (unsigned i = 0; status == PDB_OK && i < known->invariants; i++) {
        write_holes(peg, known->invariant[i], holes);
        status = bounds_add_text(&classes->set, &classes->sets, holes, error);
    }
    for (unsigned c = 0; status == PDB_OK && c < 1u << known->invariants; c++) {
        write_class(known, c, class);
        if (known->classes >> c & 1)
            status = bounds_add_text(&classes->goal, &classes->goals, class, error);
    }
    write_class(known, peg_class(known, state), class);
    classes->board = strdup(class);
    classes->fits = known->classes >> peg_class(known, state) & 1;
    if (status == PDB_OK && classes->board == NULL)
        status = error_no_memory(error, "the classes", sizeof class);
    return status;
}

pdb_status peg_tell(const struct puzzle *puzzle, const uint8_t *position, pdb_bounds *bounds, pdb_error *error)
{
    static const char *const names[PEG_PARTS] = {
        [PEG_FILLED] = "holes to be filled, one a move",
        [PEG_EMPTIED] = "pegs that have to leave their holes, two a jump",
        [PEG_TAKEN] = "pegs to be taken off, one a jump",
        [PEG_SWEEPS] = "full regions, from each of which a sweep begins",
        [PEG_COUNTS] = "pegs are enough, and one of them can jump",
        [PEG_PAGODAS] = "pagoda sets",
    };
    const struct peg *peg = (const struct peg *)puzzle;
    uint64_t state = 0;
    uint16_t part[PEG_PARTS], greatest = 0;
    for (unsigned hole = 0; hole < peg->holes; hole++)
        state |= (uint64_t)(position[hole] != 0) << hole;
    peg_bound_parts(peg, state, part);
    pdb_status status = tell_classes(peg, state, &bounds->classes, error);
    if (status == PDB_OK)
        status = bounds_add(bounds, "position classes", bounds->classes.fits ? 0 : PDB_NO_DISTANCE, error);
    for (unsigned p = 0; status == PDB_OK && p < PEG_PARTS; p++) {
        const bool counts = p == PEG_SWEEPS ? peg->sweeps : !peg->sweeps || (p != PEG_EMPTIED && p != PEG_TAKEN);
        greatest = part[p] > greatest ? part[p] : greatest;
        if (counts)
            status = bounds_add(bounds, names[p], bound_value(part[p]), error);
    }
    const uint16_t bound = peg_bound(peg, state);
    if (status == PDB_OK && bound > greatest && bounds->classes.fits)
        status = bounds_add(bounds, "the nearest goal, by all of these", bound_value(bound), error);
    return status;
}
