/* once.c -- the search by keys: states found and measured at once, from the one goal that there is
 *
 * Only the moves out of a state are known, but most puzzles can be undone. If they can, all that is reached from the
 * goal is found in layers of equal distance; and if the boards to set out from are among it, these are all states. So
 * it is tried out, where there are so few keys that it costs little to have tried in vain, and looked at in the end:
 * does every move have one that takes it back (forward/edges.h), and is every board there? There each of several moves
 * to the same state is counted: where such moves alone are not taken back as often, it was in vain.
 *
 * Keys are bits, and the distances lie by the keys until all are found; then by their places, which are never greater.
 */
#include "inner.h"

#include <string.h>

/* All as it was, but that it has been tried. */
static void give_up(struct sparse *sparse)
{
    struct search_state *state = sparse->search.state;
    key_table_free(&sparse->table);
    key_bits_free(&sparse->bits);
    sparse->frontier.count = sparse->next.count = 0;
    for (unsigned t = 0; t < sparse->search.team.threads; t++)
        sparse->workers[t].pending = 0;
    sparse->kept = (struct kept){.tried = 1};
    state->depth = state->layer = state->reached = 0;
    sparse->search.states = 0;
}

/* The key of the goal, where it is one state. */
static bool find_goal(const struct puzzle *puzzle, uint64_t *key)
{
    return memchr(puzzle->goal, BOARD_OPEN, puzzle->board.places) == NULL &&
           puzzle->family->packed.pack(puzzle, puzzle->goal, key);
}

void sparse_begin_at_once(struct sparse *sparse)
{
    const struct puzzle *puzzle = sparse->search.puzzle;
    uint64_t key;
    if (sparse->kept.tried != 0 || !puzzle->forward || puzzle->max_cost > 1 || !sparse_has_few_keys(sparse) ||
        !find_goal(puzzle, &key))
        return;
    pdb_status status = sparse_reserve_table(sparse, 1, NULL);
    sparse->table.slots = sparse->bits.range;
    if (status == PDB_OK)
        status = sparse_widen(sparse, 1, NULL);
    if (status == PDB_OK)
        status = sparse_reserve_list(sparse, &sparse->frontier, 1, NULL);
    if (status != PDB_OK) {
        give_up(sparse);
        return;
    }
    key_bits_put(&sparse->bits, key);
    sparse->frontier.key[sparse->frontier.count++] = key;
    sparse->kept.keys = 1;
    sparse->kept.pass = AT_ONCE;
    if (sparse_is_directed(sparse))
        give_up(sparse);
}

/* Some key that was not found. */
static pdb_status miss(void *context, const uint64_t *key, size_t count, pdb_error *error)
{
    const struct key_bits *bits = context;
    (void)error;
    for (size_t i = 0; i < count; i++)
        if (!key_bits_has(bits, key[i]))
            return PDB_UNREACHABLE;
    return PDB_OK;
}

static bool has_boards(struct sparse *sparse)
{
    const struct puzzle *puzzle = sparse->search.puzzle;
    uint64_t key;
    for (size_t i = 0; i < puzzle->named_count; i++)
        if (puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &key) &&
            miss(&sparse->bits, &key, 1, NULL) != PDB_OK)
            return false;
    return puzzle->family->index.starts(puzzle, miss, &sparse->bits, NULL) == PDB_OK;
}

pdb_status sparse_end_at_once(struct sparse *sparse, pdb_status status, bool *done)
{
    const bool whole = status == PDB_OK && *done;
    if (status == PDB_INTERRUPTED || (status == PDB_OK && !*done))
        return status;
    if (whole && sparse->kept.sum == 0 && has_boards(sparse) && sparse_number(sparse, false, NULL) == PDB_OK) {
        sparse->table.slots = sparse->bits.range; /* they lie by the keys still */
        sparse->search.undoable = true;
        sparse->kept.pass = MEASURED;
        return PDB_OK;
    }
    give_up(sparse);
    *done = false;
    return PDB_OK;
}
