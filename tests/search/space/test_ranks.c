/* test_ranks.c -- searches that are shared out among ranks find what one process finds
 *
 * The ranks are threads here, which come together at barriers and copy each other's batches.
 */
#include "lib/ranks/ranks.h"
#include "tests/support/support.h"

#include <pthread.h>
#include <string.h>

enum { RANKS_MOST = 5 };

/* -- ranks that are threads -- */

struct meeting {
    pthread_barrier_t barrier;
    const struct rank_mail *mail[RANKS_MOST];
    const uint64_t *number[RANKS_MOST];
};

static void exchange(struct ranks *ranks, struct rank_mail *mail)
{
    struct meeting *meeting = ranks->context;
    meeting->mail[ranks->rank] = mail;
    pthread_barrier_wait(&meeting->barrier);
    for (unsigned from = 0; from < ranks->size; from++) {
        const struct rank_mail *other = meeting->mail[from];
        mail->in_bytes[from] = other->out_bytes[ranks->rank];
        memcpy(mail->in + from * mail->room, other->out + ranks->rank * mail->room, mail->in_bytes[from]);
    }
    pthread_barrier_wait(&meeting->barrier);
}

static void sum(struct ranks *ranks, uint64_t *number, size_t count)
{
    struct meeting *meeting = ranks->context;
    uint64_t *sums = checked_memory(count, sizeof *sums);
    memset(sums, 0, count * sizeof *sums);
    meeting->number[ranks->rank] = number;
    pthread_barrier_wait(&meeting->barrier);
    for (unsigned from = 0; from < ranks->size; from++)
        for (size_t i = 0; i < count; i++)
            sums[i] += meeting->number[from][i];
    pthread_barrier_wait(&meeting->barrier);
    memcpy(number, sums, count * sizeof *sums);
    free(sums);
}

/* What one rank does and what came of it. */
struct member {
    struct ranks ranks;
    const struct solved *alone;
    const struct puzzle *puzzle;
    unsigned threads, stopping; /* the rank that stops the search; RANKS_MOST: none */
    pdb_status status;
    pdb_error error;
    uint64_t differences;
    uint64_t planned; /* bytes */
};

static void together(unsigned size, void *(*work)(void *), struct member *member)
{
    struct meeting meeting;
    pthread_t thread[RANKS_MOST];
    cr_assert(pthread_barrier_init(&meeting.barrier, NULL, size) == 0);
    for (unsigned rank = 0; rank < size; rank++) {
        member[rank].ranks = (struct ranks){
            .rank = rank, .size = size, .context = &meeting, .exchange = exchange, .sum = sum};
        cr_assert(pthread_create(&thread[rank], NULL, work, &member[rank]) == 0);
    }
    for (unsigned rank = 0; rank < size; rank++)
        pthread_join(thread[rank], NULL);
    pthread_barrier_destroy(&meeting.barrier);
}

/* -- what is made of the two functions -- */

static void *disagree(void *context)
{
    struct member *member = context;
    uint64_t told[2] = {member->ranks.rank + 7, member->ranks.rank};
    ranks_tell(&member->ranks, told, 2);
    member->differences = told[0] != 7 || told[1] != 0;
    member->differences += ranks_agree(&member->ranks, PDB_OK, &member->error) != PDB_OK;
    member->status = member->ranks.rank == 0 ? PDB_OK
                                             : error_set(&member->error, PDB_IO, "rank %u failed", member->ranks.rank);
    member->status = ranks_agree(&member->ranks, member->status, &member->error);
    return NULL;
}

Test(ranks, fail_with_one_voice)
{
    struct member member[RANKS_MOST] = {{.puzzle = NULL}};
    together(4, disagree, member);
    for (unsigned rank = 0; rank < 4; rank++) {
        EXPECT_NUMBER(member[rank].differences, 0);
        EXPECT_NUMBER(member[rank].status, PDB_IO);
        EXPECT_TEXT(member[rank].error.message, "rank 1 failed");
    }
    EXPECT_NUMBER(ranks_agree(NULL, PDB_IO, NULL), PDB_IO);
}

/* Every rank has for every other as many bytes as both their numbers say, in batches of nine at most. */
struct parcels {
    unsigned rank;
    uint64_t left[RANKS_MOST], got[RANKS_MOST], wrong;
};

static uint64_t parcel_bytes(unsigned from, unsigned to)
{
    return 10u * from + 3u * to;
}

static uint64_t fill(void *context, unsigned to, uint8_t *bytes, uint64_t room)
{
    struct parcels *parcels = context;
    const uint64_t count = parcels->left[to] < room ? parcels->left[to] : room;
    memset(bytes, (int)(16 * parcels->rank + to), count);
    parcels->left[to] -= count;
    return count;
}

static void take(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct parcels *parcels = context;
    for (uint64_t i = 0; i < size; i++)
        parcels->wrong += bytes[i] != 16 * from + parcels->rank;
    parcels->got[from] += size;
}

static void *ship(void *context)
{
    struct member *member = context;
    struct parcels parcels = {.rank = member->ranks.rank};
    struct rank_mail mail;
    uint64_t sent = 0;
    if (!rank_mail_take(&mail, &member->ranks, 9))
        abort();
    for (unsigned to = 0; to < member->ranks.size; to++) {
        parcels.left[to] = parcel_bytes(parcels.rank, to);
        sent += to == parcels.rank ? 0 : parcels.left[to];
    }
    ranks_ship(&member->ranks, &mail, fill, take, &parcels);
    rank_mail_free(&mail);
    for (unsigned from = 0; from < member->ranks.size; from++)
        member->differences += from != parcels.rank && parcels.got[from] != parcel_bytes(from, parcels.rank);
    member->differences += parcels.wrong + (member->ranks.sent != sent);
    return NULL;
}

Test(ranks, ship_batches_that_have_room)
{
    struct member member[RANKS_MOST] = {{.puzzle = NULL}};
    together(RANKS_MOST, ship, member);
    for (unsigned rank = 0; rank < RANKS_MOST; rank++)
        EXPECT_NUMBER(member[rank].differences, 0);
}

/* -- searches -- */

static bool look(void *context, const struct retrograde_progress *progress)
{
    const struct member *member = context;
    (void)progress;
    return member->ranks.rank != member->stopping;
}

/* Holds an outcome against that of one process, as only rank 0 has it: all bytes in their order, and some out of it. */
static uint64_t compare(const struct retrograde_result *result, const struct solved *alone)
{
    const struct retrograde_result *expected = &alone->result;
    const uint64_t size = encoding_bytes(expected->encoding, expected->states);
    uint64_t differences = result->encoding != expected->encoding || result->states != expected->states ||
                           result->reachable != expected->reachable || result->depths != expected->depths ||
                           result->hardest_kept != expected->hardest_kept;
    if (differences > 0)
        return differences;
    differences += memcmp(result->histogram, expected->histogram, expected->depths * sizeof(uint64_t)) != 0;
    differences += memcmp(result->hardest, expected->hardest, expected->hardest_kept * sizeof(uint64_t)) != 0;
    for (uint64_t at = 0, run; at < size; at += run) {
        const uint8_t *bytes = result->source.at(result->source.context, at, &run, NULL);
        differences += memcmp(bytes, expected->bytes + at, run) != 0;
    }
    for (unsigned i = 0; i < 8; i++) {
        uint64_t run;
        const uint64_t at = (7 - i) * (size - 1) / 7;
        differences += *result->source.at(result->source.context, at, &run, NULL) != expected->bytes[at];
    }
    return differences;
}

static void *search(void *context)
{
    struct member *member = context;
    struct retrograde_plan plan;
    struct retrograde *search = NULL;
    struct retrograde_result result;
    bool done = false;
    pdb_status status = retrograde_plan(RETROGRADE_BEST, member->puzzle, member->threads, &plan, &member->error);
    if (status == PDB_OK)
        status = retrograde_plan_ranks(&member->ranks, &plan, &member->error);
    member->planned = plan.memory;
    if (status == PDB_OK)
        status = retrograde_begin(&plan, &search, &member->error);
    while (status == PDB_OK && !done)
        status = retrograde_layer(search, look, member, &done, &member->error);
    if (status == PDB_OK) {
        retrograde_finish(search, &result);
        if (member->ranks.rank == 0)
            member->differences = compare(&result, member->alone);
        retrograde_serve(search);
    }
    retrograde_free(search);
    retrograde_plan_free(&plan);
    member->status = status;
    return NULL;
}

/* Boards of numbered tiles, with and without large pieces; walks, whose groups are of different sizes; permutations. */
static const char *const puzzles[] = {"8-puzzle", "tiles-2x5", "goat", "knights", "guarini", "pancakes-8", "pyraminx"};

static void find_the_same(const char *name, unsigned size, unsigned threads)
{
    struct puzzle *puzzle = built_in(name);
    struct solved alone;
    struct member member[RANKS_MOST];
    solve(puzzle, 1, &alone);
    for (unsigned rank = 0; rank < size; rank++)
        member[rank] = (struct member){.alone = &alone, .puzzle = puzzle, .threads = threads, .stopping = RANKS_MOST};
    together(size, search, member);
    for (unsigned rank = 0; rank < size; rank++) {
        cr_expect(member[rank].status == PDB_OK, "%s, rank %u of %u: %s", name, rank, size, member[rank].error.message);
        cr_expect(member[rank].differences == 0, "%s, %u ranks, %u threads: another outcome", name, size, threads);
    }
    solved_free(&alone);
    puzzle_free(puzzle);
}

Test(ranks, find_what_one_process_finds)
{
    for (size_t i = 0; i < COUNT(puzzles); i++)
        for (unsigned size = 2; size <= RANKS_MOST; size += size == 3 ? 2 : 1)
            find_the_same(puzzles[i], size, size == 3 ? 2 : 1);
}

Test(ranks, stop_together)
{
    struct puzzle *puzzle = built_in("tiles-2x5");
    struct member member[3];
    for (unsigned rank = 0; rank < 3; rank++)
        member[rank] = (struct member){.puzzle = puzzle, .threads = 1, .stopping = 2};
    together(3, search, member);
    for (unsigned rank = 0; rank < 3; rank++)
        EXPECT_NUMBER(member[rank].status, PDB_INTERRUPTED);
    puzzle_free(puzzle);
}

Test(ranks, are_refused_where_states_are_found_by_keys)
{
    struct puzzle *puzzle = built_in("klotski");
    struct member member[2];
    for (unsigned rank = 0; rank < 2; rank++)
        member[rank] = (struct member){.puzzle = puzzle, .threads = 1, .stopping = RANKS_MOST};
    together(2, search, member);
    for (unsigned rank = 0; rank < 2; rank++) {
        EXPECT_NUMBER(member[rank].status, PDB_TOO_LARGE);
        EXPECT_BEGIN(member[rank].error.message, "klotski: its states, found ");
    }
    puzzle_free(puzzle);
}

/* Each holds its share: of four ranks none needs much more than a quarter. */
Test(ranks, need_less_memory_each)
{
    struct puzzle *puzzle = built_in("tiles-3x4");
    const uint64_t alone = plan_of(RETROGRADE_BEST, puzzle, 1).memory;
    struct member member[4];
    for (unsigned rank = 0; rank < 4; rank++)
        member[rank] = (struct member){.puzzle = puzzle, .threads = 1, .stopping = 0};
    together(4, search, member);
    for (unsigned rank = 0; rank < 4; rank++)
        cr_expect((double)member[rank].planned <= 0.35 * (double)alone, "rank %u: %llu of %llu bytes", rank,
                  (unsigned long long)member[rank].planned, (unsigned long long)alone);
    puzzle_free(puzzle);
}
