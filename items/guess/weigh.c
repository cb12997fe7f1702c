/* weigh.c -- the sizes of the classes that a question makes, and what is needed for them (strategy.h) */
#include "strategy.h"
#include "lib/clock.h"
#include "lib/memory/pages.h"

#include <stdlib.h>
#include <string.h>

/* -- the watch -- */

static const double look_every = 0.02; /* seconds */

void guess_watch_make(struct guess_watch *watch, items_observer *observe, void *context)
{
    *watch = (struct guess_watch){.observe = observe, .context = context, .due = clock_now() + look_every};
    pthread_mutex_init(&watch->lock, NULL);
}

void guess_watch_free(struct guess_watch *watch)
{
    pthread_mutex_destroy(&watch->lock);
}

void guess_watch_add(struct guess_watch *watch, double share)
{
    pthread_mutex_lock(&watch->lock);
    watch->done = watch->done + share < 1 ? watch->done + share : 1;
    pthread_mutex_unlock(&watch->lock);
}

void guess_watch_fail(struct guess_watch *watch)
{
    __atomic_store_n(&watch->no_memory, true, __ATOMIC_RELAXED);
    __atomic_store_n(&watch->stopped, true, __ATOMIC_RELAXED);
}

bool guess_watch_look(struct guess_watch *watch)
{
    if (watch->observe != NULL && pthread_mutex_trylock(&watch->lock) == 0) {
        if (clock_now() >= watch->due && !__atomic_load_n(&watch->stopped, __ATOMIC_RELAXED)) {
            if (!watch->observe(watch->context, watch->done))
                __atomic_store_n(&watch->stopped, true, __ATOMIC_RELAXED);
            watch->due = clock_now() + look_every;
        }
        pthread_mutex_unlock(&watch->lock);
    }
    return !__atomic_load_n(&watch->stopped, __ATOMIC_RELAXED);
}

/* -- the weigher -- */

/* log2 of a number by squaring, a bit at a time: the same on every machine. */
uint64_t guess_logarithm(uint32_t number)
{
    const unsigned whole = 31 - (unsigned)__builtin_clz(number);
    uint64_t fraction = (uint64_t)number << (31 - whole), log = whole; /* 2^31 <= fraction < 2^32 stands for 1 .. 2 */
    for (unsigned bit = 0; bit < GUESS_LOG_BITS; bit++) {
        fraction = fraction * fraction >> 31;
        log = log << 1 | fraction >> 32;
        fraction >>= fraction >> 32;
    }
    return log;
}

/* Logarithms of primes, and of all others the sums over their factors: products that are equal have equal sums, so that
 * rounding does not break a tie. */
static void take_logarithms(uint64_t *logarithm, uint32_t codes)
{
    logarithm[0] = logarithm[1] = 0;
    for (uint32_t n = 2; n <= codes; n++) {
        uint32_t factor = 2;
        while (factor * factor <= n && n % factor != 0)
            factor++;
        logarithm[n] = n % factor == 0 && factor < n ? logarithm[factor] + logarithm[n / factor] : guess_logarithm(n);
    }
}

enum { TABLE_ROWS = 16 /* filled together */ };

struct table {
    const struct guess_weigher *weigher;
    uint32_t *all; /* codes */
};

static void fill_rows(void *context, unsigned thread, uint64_t share)
{
    const struct table *table = context;
    const struct guess_weigher *weigher = table->weigher;
    const uint32_t codes = weigher->guess->codes, first = (uint32_t)share * TABLE_ROWS;
    (void)thread;
    for (uint32_t question = first; question < codes && question < first + TABLE_ROWS; question++)
        if (weigher->watch == NULL || guess_watch_look(weigher->watch))
            guess_answers(weigher->guess, question, table->all, codes, weigher->table + (size_t)question * codes);
}

static void fill_table(struct guess_weigher *weigher, unsigned threads)
{
    const uint32_t codes = weigher->guess->codes;
    struct table table = {weigher, malloc(codes * sizeof *table.all)};
    for (uint32_t code = 0; table.all != NULL && code < codes; code++)
        table.all[code] = code;
    if (table.all != NULL)
        team_once(threads, team_shares(codes, TABLE_ROWS), fill_rows, &table);
    else if (weigher->watch != NULL)
        guess_watch_fail(weigher->watch);
    free(table.all);
}

pdb_status guess_weigher_make(const struct guess *guess, uint64_t table, unsigned threads, struct guess_watch *watch,
                              struct guess_weigher *weigher, pdb_error *error)
{
    const uint64_t size = (uint64_t)guess->codes * guess->codes;
    *weigher = (struct guess_weigher){.guess = guess, .watch = watch};
    weigher->symbol = malloc((size_t)guess->codes * guess->length);
    weigher->logarithm = malloc(((size_t)guess->codes + 1) * sizeof *weigher->logarithm);
    if (weigher->symbol == NULL || weigher->logarithm == NULL)
        return error_no_memory(error, "the codes", (uint64_t)guess->codes * 32);
    for (uint32_t code = 0; code < guess->codes; code++)
        guess_symbols(guess, code, weigher->symbol + (size_t)code * guess->length);
    take_logarithms(weigher->logarithm, guess->codes);
    if (size <= table && size <= GUESS_MAX_TABLE && (weigher->table = pages_take(size)) != NULL)
        fill_table(weigher, threads);
    return PDB_OK;
}

void guess_weigher_free(struct guess_weigher *weigher)
{
    free(weigher->table);
    free(weigher->symbol);
    free(weigher->logarithm);
    *weigher = (struct guess_weigher){0};
}

/* -- sizes -- */

/* Two counters for each answer, so that equal answers in a row do not wait for each other. */
void guess_sizes(const struct guess_weigher *weigher, uint32_t question, const uint32_t *set, size_t count,
                 uint32_t *size)
{
    enum { BATCH = 256 };
    const unsigned answers = weigher->guess->answers;
    uint32_t odd[GUESS_MAX_ANSWERS];
    memset(size, 0, answers * sizeof *size);
    if (weigher->table != NULL) {
        const uint8_t *answer = weigher->table + (size_t)question * weigher->guess->codes;
        size_t i = 0;
        if (count >= 16) {
            memset(odd, 0, answers * sizeof *odd);
            for (; i + 1 < count; i += 2) {
                size[answer[set[i]]]++;
                odd[answer[set[i + 1]]]++;
            }
            for (unsigned a = 0; a < answers; a++)
                size[a] += odd[a];
        }
        for (; i < count; i++)
            size[answer[set[i]]]++;
        return;
    }
    for (size_t done = 0; done < count; done += BATCH) {
        uint8_t answer[BATCH];
        const size_t batch = count - done < BATCH ? count - done : BATCH;
        guess_answers(weigher->guess, question, set + done, batch, answer);
        for (size_t i = 0; i < batch; i++)
            size[answer[i]]++;
    }
}

/* -- classes of many questions at a time --
 *
 * The answer of question q to code c is that of c to q. So the answers of a row of questions to one code lie side by
 * side in the table, and classes are counted for a block of questions at once, a byte for each: the processor counts
 * for 16 or 32 questions with one instruction. */

typedef uint8_t lanes __attribute__((vector_size(32)));

enum { LANES = sizeof(lanes) };

/* The answers of the block's questions to each code: in the table, or worked out. */
struct rows {
    const uint8_t *row[GUESS_MAX_COUNTED];
    uint8_t answer[GUESS_MAX_COUNTED][GUESS_BLOCK];
};

typedef void counter(const struct rows *rows, size_t count, unsigned answers, struct guess_block *block);

static inline __attribute__((always_inline)) void take_size(const lanes *size, uint8_t *out, lanes *classes,
                                                            lanes *largest)
{
    const lanes more = (lanes)(*size > *largest);
    *largest = (*size & more) | (*largest & ~more);
    *classes -= (lanes)(*size != 0);
    memcpy(out, size, sizeof *size);
}

/* Four answers at a time, so that a row is read for four. There is room for some answers too many, which never come. */
static inline __attribute__((always_inline)) void count_block(const struct rows *rows, size_t count, unsigned answers,
                                                              struct guess_block *block)
{
    for (unsigned part = 0; part < GUESS_BLOCK; part += LANES) {
        lanes classes = {0}, largest = {0};
        for (unsigned a = 0; a < answers; a += 4) {
            const lanes same = (lanes){0} + (uint8_t)a;
            lanes first = {0}, second = {0}, third = {0}, fourth = {0};
            for (size_t i = 0; i < count; i++) {
                lanes answer;
                memcpy(&answer, rows->row[i] + part, sizeof answer);
                first -= (lanes)(answer == same); /* true is -1 */
                second -= (lanes)(answer == same + 1);
                third -= (lanes)(answer == same + 2);
                fourth -= (lanes)(answer == same + 3);
            }
            take_size(&first, block->size[a] + part, &classes, &largest);
            take_size(&second, block->size[a + 1] + part, &classes, &largest);
            take_size(&third, block->size[a + 2] + part, &classes, &largest);
            take_size(&fourth, block->size[a + 3] + part, &classes, &largest);
        }
        memcpy(block->classes + part, &classes, sizeof classes);
        memcpy(block->largest + part, &largest, sizeof largest);
    }
}

static void count_portable(const struct rows *rows, size_t count, unsigned answers, struct guess_block *block)
{
    count_block(rows, count, answers, block);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void count_avx2(const struct rows *rows, size_t count, unsigned answers,
                                                       struct guess_block *block)
{
    count_block(rows, count, answers, block);
}
#endif

static void count_with(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                       counter *counts, struct guess_block *block)
{
    const struct guess *guess = weigher->guess;
    const uint32_t questions = guess->codes - first < GUESS_BLOCK ? guess->codes - first : GUESS_BLOCK;
    const bool whole = weigher->table != NULL && questions == GUESS_BLOCK;
    struct rows rows;
    uint32_t question[GUESS_BLOCK];
    for (uint32_t i = 0; i < questions; i++)
        question[i] = first + i;
    for (size_t i = 0; i < count; i++) {
        rows.row[i] = whole ? weigher->table + (size_t)set[i] * guess->codes + first : rows.answer[i];
        if (!whole) {
            memset(rows.answer[i], 0, sizeof rows.answer[i]);
            guess_answers(guess, set[i], question, questions, rows.answer[i]);
        }
    }
    counts(&rows, count, guess->answers, block);
}

void guess_block_count_portable(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                                struct guess_block *block)
{
    count_with(weigher, set, count, first, count_portable, block);
}

void guess_block_count(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                       struct guess_block *block)
{
    counter *counts = count_portable;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        counts = count_avx2;
#endif
    count_with(weigher, set, count, first, counts, block);
}
