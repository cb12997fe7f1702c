/* solver.c -- the public interface to answers (pdb.h): distances from a database, or from a search made on the spot
 *
 * Either way there is a struct values (lib/search/values.h): distances, or residues of them, at some address. What
 * follows from them is the business of lib/search/distance.h.
 */
#include "directory.h"
#include "images.h"
#include "random.h"
#include "search/distance.h"
#include "search/explore.h"
#include "search/keyed.h"
#include "search/retrograde.h"
#include "store.h"
#include "text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* A puzzle of more states is not solved on the spot. */
static const uint64_t search_states_max = 100000000;

/* Nor one whose states, looked for by keys, take more than so many bytes. */
static const uint64_t search_memory_max = 1ull << 28;

/* The figures that come with the distances. */
struct figures {
    uint64_t reachable, hardest;
    size_t depths, hardest_kept;
    const uint64_t *histogram, *hardest_states;
};

struct pdb_solver {
    const pdb_puzzle *puzzle; /* as its states are numbered: the caller's, or `keyed` */
    pdb_puzzle *keyed;        /* made of the caller's where that has keys; NULL else */
    struct values values;
    struct figures figures;
    struct store *store; /* one of these two */
    struct retrograde *search;
};

/* -- opening -- */

static void hexadecimal(const uint8_t digest[DIGEST_BYTES], char text[2 * DIGEST_BYTES + 1])
{
    for (unsigned i = 0; i < DIGEST_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

static const uint8_t *byte_in_store(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    return store_at(context, offset, run, error);
}

static const uint8_t *byte_in_memory(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    (void)error;
    *run = 1;
    return (const uint8_t *)context + offset;
}

/* From now on the solver numbers states by this table, which it takes over. */
static pdb_status use_keys(struct pdb_solver *solver, struct keys *keys, pdb_error *error)
{
    pdb_status status = keyed_create(solver->puzzle, keys, &solver->keyed, error);
    if (status == PDB_OK)
        solver->puzzle = solver->values.puzzle = solver->keyed;
    return status;
}

/* Can a store hold this puzzle's distances, by its counts? */
static bool fits(const struct pdb_solver *solver, const struct store_header *header)
{
    const pdb_puzzle *puzzle = solver->puzzle;
    const uint64_t bytes = encoding_bytes(solver->values.encoding, header->states);
    if (!encoding_fits(solver->values.encoding, puzzle))
        return false;
    return puzzle->keyed ? header->data_bytes >= keyed_keys_offset(bytes)
                         : header->states == puzzle->states && header->data_bytes == bytes;
}

/* Opens the table of keys behind the distances. */
static pdb_status adopt_keys(struct pdb_solver *solver, const struct store_header *header, pdb_error *error)
{
    const uint64_t offset = keyed_keys_offset(encoding_bytes(solver->values.encoding, header->states));
    struct keys *keys;
    pdb_status status = keys_open(solver->values.source, offset, header->data_bytes - offset, header->states, &keys,
                                  error);
    return status != PDB_OK ? status : use_keys(solver, keys, error);
}

/* Does an open store belong to this puzzle, and can it be read? */
static pdb_status adopt_store(struct pdb_solver *solver, pdb_error *error)
{
    const pdb_puzzle *puzzle = solver->puzzle;
    const struct store_header *header = store_header(solver->store);
    const char *file = store_file(solver->store);
    if (strcmp(header->puzzle, puzzle->name) != 0)
        return error_set(error, PDB_DAMAGED,
                         "%s is the database of another puzzle, '%s': generate it again (pdb-gen --force %s)", file,
                         header->puzzle, puzzle->name);
    if (memcmp(header->definition, puzzle->digest, sizeof puzzle->digest) != 0)
        return error_set(error, PDB_DAMAGED,
                         "%s was made from another definition of %s: the definition has changed, generate it again "
                         "(pdb-gen, with the definition as it is now)",
                         file, puzzle->name);
    solver->values.source = (struct byte_source){byte_in_store, solver->store};
    if (!encoding_by_name(header->encoding, &solver->values.encoding) || !fits(solver, header))
        return error_set(error, PDB_DAMAGED, "%s does not fit the puzzle %s: generate it again (pdb-gen --force %s)",
                         file, puzzle->name, puzzle->name);
    solver->figures = (struct figures){.reachable = header->reachable,
                                       .depths = header->depths,
                                       .histogram = header->histogram,
                                       .hardest = header->hardest,
                                       .hardest_kept = header->hardest_kept,
                                       .hardest_states = header->hardest_states};
    return puzzle->keyed ? adopt_keys(solver, header, error) : PDB_OK;
}

static pdb_status open_store(struct pdb_solver *solver, const char *directory, pdb_error *error)
{
    char default_directory[PATH_MAX], path[PATH_MAX];
    pdb_status status = PDB_OK;
    if (directory == NULL) {
        status = directory_default(default_directory, sizeof default_directory, error);
        directory = default_directory;
    }
    if (status == PDB_OK)
        status = store_path(directory, solver->puzzle->name, path, sizeof path, error);
    if (status == PDB_OK)
        status = store_open(path, &solver->store, error);
    return status != PDB_OK ? status : adopt_store(solver, error);
}

static pdb_status run_search(struct pdb_solver *solver, unsigned threads, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (threads == 0)
        threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    if (solver->puzzle->keyed) {
        struct keys *keys;
        status = explore(solver->puzzle, threads, search_memory_max, NULL, NULL, &keys, error);
        if (status == PDB_OK)
            status = use_keys(solver, keys, error);
    }
    if (status == PDB_OK)
        status = retrograde_create(solver->puzzle, threads, &solver->search, error);
    bool done = false;
    while (status == PDB_OK && !done)
        status = retrograde_layer(solver->search, NULL, NULL, &done, error);
    if (status != PDB_OK)
        return status;
    struct retrograde_result result;
    retrograde_finish(solver->search, &result);
    solver->figures = (struct figures){.reachable = result.reachable,
                                       .depths = result.depths,
                                       .histogram = result.histogram,
                                       .hardest = result.histogram[result.depths - 1],
                                       .hardest_kept = result.hardest_kept,
                                       .hardest_states = result.hardest};
    solver->values.encoding = result.encoding;
    solver->values.source = (struct byte_source){byte_in_memory, result.bytes};
    return PDB_OK;
}

/* The database, else a search, as far as the method allows. */
static pdb_status open_distances(struct pdb_solver *solver, const pdb_options *options, pdb_error *error)
{
    pdb_error missing = {.status = PDB_NO_DATABASE, .message = ""};
    if (options->method != PDB_SEARCH) {
        pdb_status status = open_store(solver, options->directory, &missing);
        if (status == PDB_OK)
            return PDB_OK;
        if (status != PDB_NO_DATABASE || options->method == PDB_DATABASE)
            return error_set(error, status, "%s", missing.message);
    }
    const char *separator = *missing.message != '\0' ? "; " : "";
    if (solver->puzzle->keyed) {
        pdb_error cause;
        pdb_status status = run_search(solver, options->threads, &cause);
        if (status == PDB_TOO_LARGE)
            return error_set(error, PDB_NO_DATABASE, "%s%stoo much to search on the spot: %s", missing.message,
                             separator, cause.message);
        return status == PDB_OK ? PDB_OK : error_set(error, status, "%s", cause.message);
    }
    if (solver->puzzle->states <= search_states_max)
        return run_search(solver, options->threads, error);
    char states[NUMBER_TEXT_MAX];
    return error_set(error, PDB_NO_DATABASE, "%s%s%s states are too many to search on the spot", missing.message,
                     separator, number_text(solver->puzzle->states, states));
}

PUBLIC pdb_status pdb_solver_open(const pdb_puzzle *puzzle, const pdb_options *options, pdb_solver **solver,
                                  pdb_error *error)
{
    static const pdb_options defaults = {0};
    struct pdb_solver *made = calloc(1, sizeof *made);
    if (made == NULL)
        return error_no_memory(error, "the solver", sizeof *made);
    made->puzzle = made->values.puzzle = puzzle;
    pdb_status status = open_distances(made, options != NULL ? options : &defaults, error);
    if (status != PDB_OK) {
        pdb_solver_close(made);
        return status;
    }
    *solver = made;
    return PDB_OK;
}

PUBLIC void pdb_solver_close(pdb_solver *solver)
{
    if (solver == NULL)
        return;
    keyed_free(solver->keyed);
    if (solver->store != NULL)
        store_close(solver->store);
    retrograde_free(solver->search);
    free(solver);
}

PUBLIC void pdb_solver_info(const pdb_solver *solver, pdb_info *info)
{
    *info = (pdb_info){.method = PDB_SEARCH,
                       .encoding = encoding_name(solver->values.encoding),
                       .states = solver->puzzle->states,
                       .reachable = solver->figures.reachable,
                       .max = (uint32_t)(solver->figures.depths - 1),
                       .hardest = solver->figures.hardest,
                       .histogram = solver->figures.histogram};
    hexadecimal(solver->puzzle->digest, info->definition);
    if (solver->store == NULL)
        return;
    info->method = PDB_DATABASE;
    info->file = store_file(solver->store);
    info->file_bytes = store_file_bytes(solver->store);
    info->generator = store_header(solver->store)->generator;
    hexadecimal(store_header(solver->store)->content, info->content);
}

/* -- distances -- */

/* What an answer comes to: its own status, unless a look-up of keys met damage on the way, for then nothing that was
 * found means anything. */
static pdb_status sound(const pdb_solver *solver, pdb_status status, pdb_error *error)
{
    if (solver->keyed == NULL || !keys_failed(keyed_keys(solver->keyed)))
        return status;
    return error_set(error, PDB_DAMAGED, "%s is damaged (its table of keys): generate it again with `pdb-gen --force`",
                     store_file(solver->store));
}

/* Are a board's symbols those of the puzzle? Families rely on that. */
static pdb_status check_symbols(const pdb_solver *solver, const pdb_board *board, pdb_error *error)
{
    const struct board *shape = &solver->puzzle->board;
    for (unsigned place = 0; place < shape->places; place++)
        if (board->symbol[place] >= shape->symbols)
            return error_set(error, PDB_BAD_BOARD, "this is no board of %s: it has a symbol number %u",
                             solver->puzzle->name, board->symbol[place]);
    return PDB_OK;
}

PUBLIC pdb_status pdb_solver_covers(const pdb_solver *solver, const pdb_board *board, pdb_error *error)
{
    uint64_t index;
    if (check_symbols(solver, board, error) != PDB_OK)
        return PDB_BAD_BOARD;
    if (solver->keyed == NULL || !solver->puzzle->undoable ||
        solver->puzzle->family->rank(solver->puzzle, board->symbol, &index))
        return sound(solver, PDB_OK, error);
    error_set(error, PDB_BAD_BOARD,
              "no moves lead to this board from those that %s names (start): nothing is known of it; name it in a "
              "definition of your own",
              solver->puzzle->name);
    return sound(solver, PDB_BAD_BOARD, error);
}

enum { BATCH = 256 };

PUBLIC pdb_status pdb_solver_distance(const pdb_solver *solver, const pdb_board *board, size_t count,
                                      uint32_t *distance, pdb_error *error)
{
    const pdb_puzzle *puzzle = solver->puzzle;
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t batch = count - first < BATCH ? count - first : BATCH;
        uint64_t index[BATCH];
        uint32_t found[BATCH], *where[BATCH];
        size_t ranked = 0;
        for (size_t i = first; i < first + batch; i++) {
            if (check_symbols(solver, &board[i], error) != PDB_OK)
                return PDB_BAD_BOARD;
            distance[i] = PDB_NO_DISTANCE;
            where[ranked] = &distance[i];
            ranked += puzzle->family->rank(puzzle, board[i].symbol, &index[ranked]);
        }
        pdb_status status = distance_get(&solver->values, index, ranked, found, error);
        if (status != PDB_OK)
            return status;
        for (size_t i = 0; i < ranked; i++)
            *where[i] = found[i];
    }
    return sound(solver, PDB_OK, error);
}

/* Distances of the boards that up to BATCH moves out of a board at a known distance lead to: a look-up each. */
static pdb_status fill_batch(const pdb_solver *solver, uint32_t distance, pdb_move *move, size_t count,
                             pdb_error *error)
{
    const pdb_puzzle *puzzle = solver->puzzle;
    uint64_t index[BATCH];
    uint32_t found[BATCH], *where[BATCH];
    size_t ranked = 0;
    for (size_t i = 0; i < count; i++) {
        move[i].distance = PDB_NO_DISTANCE;
        where[ranked] = &move[i].distance;
        if (puzzle->family->rank(puzzle, move[i].board.symbol, &index[ranked]))
            ranked++;
        else if (puzzle->undoable)
            return error_set(error, PDB_DAMAGED, "a move leads out of the puzzle's states");
    }
    pdb_status status = distance_near(&solver->values, distance, index, ranked, found, error);
    for (size_t i = 0; status == PDB_OK && i < ranked; i++)
        *where[i] = found[i];
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        move[i].optimal = distance > 0 && move[i].distance == distance - 1;
    return status;
}

/* From a board that cannot reach the goal no move leads to one that can. */
static pdb_status fill_distances(const pdb_solver *solver, uint32_t distance, pdb_moves *moves, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; distance == PDB_NO_DISTANCE && i < moves->count; i++) {
        moves->move[i].distance = PDB_NO_DISTANCE;
        moves->move[i].optimal = false;
    }
    for (size_t first = 0; distance != PDB_NO_DISTANCE && status == PDB_OK && first < moves->count; first += BATCH) {
        const size_t left = moves->count - first;
        status = fill_batch(solver, distance, moves->move + first, left < BATCH ? left : BATCH, error);
    }
    return status;
}

PUBLIC pdb_status pdb_solver_moves(const pdb_solver *solver, const pdb_board *board, uint32_t distance,
                                   pdb_moves *moves, pdb_error *error)
{
    moves->count = 0;
    pdb_status status = check_symbols(solver, board, error);
    if (status == PDB_OK)
        status = solver->puzzle->family->moves(solver->puzzle, board->symbol, moves, error);
    if (status == PDB_OK)
        status = fill_distances(solver, distance, moves, error);
    return sound(solver, status, error);
}

PUBLIC pdb_status pdb_solver_path(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_move *path,
                                  pdb_error *error)
{
    pdb_moves moves = {0};
    pdb_status status = PDB_OK;
    for (uint32_t left = distance; status == PDB_OK && left > 0; left--) {
        status = pdb_solver_moves(solver, board, left, &moves, error);
        size_t best = 0;
        while (status == PDB_OK && best < moves.count && !moves.move[best].optimal)
            best++;
        if (status == PDB_OK && best == moves.count)
            status = error_set(error, PDB_DAMAGED, "no move leads nearer to the goal from a board at distance %u",
                               left);
        if (status != PDB_OK)
            break;
        path[distance - left] = moves.move[best];
        board = &path[distance - left].board;
    }
    pdb_moves_free(&moves);
    return status;
}

PUBLIC pdb_status pdb_solver_count(const pdb_solver *solver, const pdb_board *board, uint32_t distance, char *text,
                                   pdb_error *error)
{
    uint64_t index;
    unsigned __int128 paths = 0;
    if (check_symbols(solver, board, error) != PDB_OK)
        return PDB_BAD_BOARD;
    if (distance != PDB_NO_DISTANCE && solver->puzzle->family->rank(solver->puzzle, board->symbol, &index)) {
        pdb_status status = distance_count_paths(&solver->values, index, distance, &paths, error);
        if (status != PDB_OK)
            return status;
    }
    char digits[PDB_COUNT_MAX], *end = digits + sizeof digits - 1;
    *end = '\0';
    do {
        *--end = (char)('0' + (int)(paths % 10));
        paths /= 10;
    } while (paths > 0);
    strcpy(text, end);
    return sound(solver, PDB_OK, error);
}

/* How many of the hardest boards are kept. */
static uint64_t hardest_boards_kept(const pdb_solver *solver)
{
    const struct figures *figures = &solver->figures;
    uint64_t boards = 0;
    for (size_t i = 0; i < figures->hardest_kept; i++)
        boards += images_weight(solver->puzzle, figures->hardest_states[i]);
    return boards;
}

/* The i-th, from 0, of the boards that the listed hardest states stand for; false past the last. */
static bool hardest_board(const pdb_solver *solver, uint64_t i, pdb_board *board)
{
    const pdb_puzzle *puzzle = solver->puzzle;
    uint8_t position[BOARD_MAX_CELLS];
    size_t state = 0;
    for (uint64_t weight; state < solver->figures.hardest_kept; state++, i -= weight)
        if (i < (weight = images_weight(puzzle, solver->figures.hardest_states[state])))
            break;
    if (state == solver->figures.hardest_kept)
        return false;
    memset(board, 0, sizeof *board);
    puzzle->family->unrank(puzzle, solver->figures.hardest_states[state], position);
    return images_nth(puzzle, position, i, board->symbol);
}

PUBLIC pdb_status pdb_solver_hardest(const pdb_solver *solver, uint64_t i, pdb_board *board, pdb_error *error)
{
    const uint64_t all = solver->figures.hardest;
    if (i >= all)
        return error_set(error, PDB_BAD_USAGE, "there are only %llu hardest boards", (unsigned long long)all);
    if (hardest_board(solver, i, board))
        return sound(solver, PDB_OK, error);
    return error_set(error, PDB_BAD_USAGE, "only the first %llu of the hardest boards are kept",
                     (unsigned long long)hardest_boards_kept(solver));
}

/* -- random boards -- */

/* Can a state be at this distance? False after a look-up; true where only its exact distance can tell. */
static pdb_status may_be_at(const pdb_solver *solver, uint64_t index, uint32_t wanted, bool *may, pdb_error *error)
{
    const unsigned modulus = encoding_modulus(solver->values.encoding);
    uint8_t residue;
    *may = true;
    if (modulus == 0)
        return PDB_OK;
    pdb_status status = values_get(&solver->values, &index, 1, &residue, error);
    *may = status == PDB_OK && residue != RESIDUE_NONE && (wanted == PDB_NO_DISTANCE || residue == wanted % modulus);
    return status;
}

/* Draws states until one is at the wanted distance. One that stands for fewer boards than another is taken that much
 * more rarely. After a hundred times as many draws as it takes in the mean, which no luck explains, the figures are
 * wrong. */
static pdb_status draw(const pdb_solver *solver, uint32_t wanted, uint64_t *seed, uint64_t *index, uint32_t *distance,
                       pdb_error *error)
{
    uint8_t position[BOARD_MAX_CELLS];
    solver->puzzle->family->unrank(solver->puzzle, 0, position);
    const unsigned symmetries = images_symmetries(solver->puzzle, position);
    const struct figures *figures = &solver->figures;
    const uint64_t wanted_boards = wanted == PDB_NO_DISTANCE ? figures->reachable : figures->histogram[wanted];
    const double most = 100 * (1 + (double)solver->puzzle->states * symmetries / (double)wanted_boards);
    for (double draws = 0; draws < most; draws++) {
        bool may;
        *index = random_below(seed, solver->puzzle->states);
        pdb_status status = may_be_at(solver, *index, wanted, &may, error);
        if (status == PDB_OK && may)
            status = distance_get(&solver->values, index, 1, distance, error);
        if (status != PDB_OK)
            return status;
        if (!may || *distance == PDB_NO_DISTANCE || (wanted != PDB_NO_DISTANCE && *distance != wanted))
            continue;
        if (symmetries == 1 || random_below(seed, symmetries) < images_weight(solver->puzzle, *index))
            return PDB_OK;
    }
    return error_set(error, PDB_DAMAGED,
                     "%s: the distances do not agree with the histogram: generate the database again",
                     solver->puzzle->name);
}

/* Where distances are read and few boards are at the wanted one, reading them all beats drawing: takes one of those
 * boards by its number. */
static pdb_status pick(const pdb_solver *solver, uint32_t wanted, uint64_t *seed, uint64_t *index, pdb_error *error)
{
    const uint64_t states = solver->puzzle->states;
    uint64_t left = random_below(seed, solver->figures.histogram[wanted]), some[BATCH];
    uint32_t distance[BATCH];
    for (uint64_t first = 0; first < states; first += BATCH) {
        const size_t count = states - first < BATCH ? (size_t)(states - first) : BATCH;
        for (size_t i = 0; i < count; i++)
            some[i] = first + i;
        pdb_status status = distance_get(&solver->values, some, count, distance, error);
        if (status != PDB_OK)
            return status;
        for (size_t i = 0; i < count; i++) {
            const uint64_t weight = distance[i] == wanted ? images_weight(solver->puzzle, some[i]) : 0;
            *index = some[i];
            if (left < weight)
                return PDB_OK;
            left -= weight;
        }
    }
    return error_set(error, PDB_DAMAGED, "fewer boards are at distance %u than the histogram says", wanted);
}

/* Is a distance rare enough for that? */
static bool is_rare(const pdb_solver *solver, uint32_t wanted)
{
    return encoding_modulus(solver->values.encoding) == 0 && wanted != PDB_NO_DISTANCE &&
           solver->figures.histogram[wanted] < solver->puzzle->states / 4096;
}

PUBLIC pdb_status pdb_solver_random(const pdb_solver *solver, uint32_t distance_or_none, uint64_t seed,
                                    pdb_board *board, uint32_t *distance, pdb_error *error)
{
    const pdb_puzzle *puzzle = solver->puzzle;
    const struct figures *figures = &solver->figures;
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index;
    if (distance_or_none != PDB_NO_DISTANCE &&
        (distance_or_none >= figures->depths || figures->histogram[distance_or_none] == 0))
        return error_set(error, PDB_BAD_USAGE, "no board is at distance %u: the hardest are at %zu", distance_or_none,
                         figures->depths - 1);
    if (distance_or_none == figures->depths - 1 && hardest_boards_kept(solver) == figures->hardest) {
        *distance = distance_or_none;
        return pdb_solver_hardest(solver, random_below(&seed, figures->hardest), board, error);
    }
    *distance = distance_or_none;
    pdb_status status = is_rare(solver, distance_or_none)
                            ? pick(solver, distance_or_none, &seed, &index, error)
                            : draw(solver, distance_or_none, &seed, &index, distance, error);
    if (status != PDB_OK)
        return status;
    memset(board, 0, sizeof *board);
    puzzle->family->unrank(puzzle, index, position);
    images_nth(puzzle, position, random_below(&seed, images_weight(puzzle, index)), board->symbol);
    return sound(solver, PDB_OK, error);
}
