/* test_alike.c -- boards that are like themselves: roots that symmetries take to one another are searched once */
#include "tests/support/family_search.h"
#include "tests/support/support.h"

#include "catalog/catalog.h"
#include "lib/families/permute/search/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct permute *permute_of(const struct puzzle *puzzle)
{
    return (const struct permute *)puzzle;
}

static struct permute_searcher *make_searcher(const struct puzzle *puzzle, unsigned threads, bool merges)
{
    struct searcher *searcher = NULL;
    pdb_error error;
    cr_assert(search_make(puzzle->family->single.searcher, puzzle, &(struct search_options){.threads = threads},
                          &searcher, &error) == PDB_OK,
              "%s", error.message);
    ((struct permute_searcher *)searcher)->merges = merges;
    return (struct permute_searcher *)searcher;
}

static unsigned symmetries_of(const struct puzzle *puzzle, const uint8_t *position)
{
    const struct permute_symmetries *all = permute_of(puzzle)->symmetries;
    uint8_t image[BOARD_MAX_CELLS];
    unsigned count = 0;
    for (unsigned s = 0; s < all->count; s++) {
        permute_symmetry_image(permute_of(puzzle), &all->symmetry[s], position, image);
        count += memcmp(image, position, puzzle->board.places) == 0;
    }
    return count;
}

/* Of `boards` states at most that a symmetry leaves as they are: the distances of the whole space, and the same paths
 * with roots merged and not, on one thread and on three. Returns how many they are. */
static unsigned compare(const char *name, unsigned boards)
{
    struct puzzle *puzzle = strchr(name, '\n') != NULL ? make_puzzle(name) : built_in(name);
    struct permute_searcher *searcher[] = {make_searcher(puzzle, 1, true), make_searcher(puzzle, 1, false),
                                           make_searcher(puzzle, 3, true), make_searcher(puzzle, 3, false)};
    uint8_t *distance = family_distances(puzzle), position[BOARD_MAX_CELLS];
    unsigned found = 0;
    for (uint64_t i = 0; i < puzzle->states && found < boards; i++) {
        struct search_answer answer[COUNT(searcher)];
        pdb_error error;
        puzzle->family->position.unrank(puzzle, i, position);
        if (distance[i] == FAMILY_SEARCH_NONE || symmetries_of(puzzle, position) == 1)
            continue;
        found++;
        for (unsigned s = 0; s < COUNT(searcher); s++) {
            cr_assert(search_solve(&searcher[s]->base, position, PDB_NO_DISTANCE, NULL, NULL, &answer[s], &error) ==
                      PDB_OK);
            cr_assert(answer[s].distance == distance[i], "%.30s: state %llu: %u moves, not %d", name,
                      (unsigned long long)i, answer[s].distance, distance[i]);
            cr_assert(memcmp(answer[s].path, answer[0].path, (distance[i] + (size_t)1) * puzzle->board.places) == 0);
        }
        for (unsigned s = 0; s < COUNT(searcher); s++)
            free(answer[s].path);
    }
    for (unsigned s = 0; s < COUNT(searcher); s++)
        search_free(&searcher[s]->base);
    free(distance);
    puzzle_free(puzzle);
    return found;
}

Test(permute_alike, small_spaces)
{
    cr_expect(compare("diagonal-slide", share_of(200)) > 10);
    cr_expect(compare("cube-2x2x2", share_of(100)) > 5);
    cr_expect(compare("puzzle: test\nfamily: permute\nplaces: 1 2 3 4 5 6 7\nturns: forward\ngenerators:\n"
                      "  a: (1 2 3)\n  b: (7 6 5)\n  c: (3 4 5)\n  d: (5 4 3)\n",
                      200 / short_step(4)) > 10);
    cr_expect(compare("puzzle: test\nfamily: permute\ngoal: a b c d a b c d\ngenerators:\n  on: 1 2 3 4 5 6 7 8\n"
                      "  spin: {reverse: 1 2}\n",
                      200 / short_step(4)) > 10);
}

enum { MOST = 11 };

static uint64_t nodes_of(const struct puzzle *puzzle, const uint8_t *position, bool merges)
{
    struct permute_searcher *searcher = make_searcher(puzzle, 1, merges);
    struct search_answer answer;
    pdb_error error;
    cr_assert(search_solve(&searcher->base, position, MOST, NULL, NULL, &answer, &error) == PDB_OK);
    cr_expect(answer.distance == PDB_NO_DISTANCE && answer.bound > MOST);
    search_free(&searcher->base);
    return answer.nodes;
}

/* All 48 symmetries leave the cube with all edges turned over as it is: of three levels, one board in 30 is left. */
Test(permute_alike, superflip)
{
    struct puzzle *cube = built_in("cube-3x3x3");
    uint8_t position[2][BOARD_MAX_CELLS];
    unsigned at = 0;
    static const char *const moves[] = {"U", "R2", "F",  "B",  "R", "B2", "R", "U2", "L",  "B2",
                                        "R", "U'", "D'", "R2", "F", "R'", "L", "B2", "U2", "F2"};
    memcpy(position[0], permute_of(cube)->board, cube->board.places);
    for (size_t i = 0; i < COUNT(moves); i++, at = 1 - at) {
        unsigned move = 0;
        while (strcmp(permute_of(cube)->move[move].text, moves[i]) != 0)
            cr_assert(++move < permute_of(cube)->moves, "no move %s", moves[i]);
        permute_apply(permute_of(cube), move, position[at], position[1 - at]);
    }
    EXPECT_NUMBER(symmetries_of(cube, position[at]), 48);
    const uint64_t merged = nodes_of(cube, position[at], true), all = nodes_of(cube, position[at], false);
    cr_expect(all > 20 * merged, "%llu and %llu", (unsigned long long)merged, (unsigned long long)all);
    puzzle_free(cube);
}
