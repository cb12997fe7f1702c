/* reference.c -- what the other figures are to be seen beside: how fast this machine reads memory, and how fast a plain search over Goat is (a queue
 * and a hash table of whole boards: tests/oracle_slide.c). Prints a line for each figure: what | value */
#include "measure.h"
#include "oracle_slide.h"

enum { ROUNDS = 5 };
static const size_t words = (size_t)1 << 27; /* 1 GiB */

static int read_memory(void)
{
    uint64_t *memory = malloc(words * sizeof *memory), sum = 0;
    double least = 1e9;
    if (memory == NULL)
        return EXIT_FAILURE;
    for (size_t i = 0; i < words; i++)
        memory[i] = i;
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = now();
        for (size_t i = 0; i < words; i++)
            sum += memory[i];
        const double seconds = now() - begin;
        least = seconds < least ? seconds : least;
    }
    printf("reading 1 GiB of memory, one core, best of %d | %.1f GB/s%s\n", ROUNDS, (double)(words * sizeof *memory) / least / 1e9,
           sum == 0 ? "?" : "");
    free(memory);
    return EXIT_SUCCESS;
}

static int search_plainly(void)
{
    static const unsigned char goal[12] = {1, 8, 9, 10, 2, 5, 7, 0, 3, 8, 4, 6}, wide[2] = {9, 10};
    struct oracle_slide goat;
    oracle_begin(&goat, 3, 4, goal);
    for (unsigned char piece = 1; piece <= 8; piece++)
        oracle_add_unit(&goat, piece);
    oracle_add_block(&goat, 1, 2, wide);
    oracle_add_goal(&goat, goal);
    const double begin = now();
    struct oracle_table *table = oracle_solve(&goat);
    const double seconds = now() - begin;
    if (table == NULL || oracle_count(table) != 5443200 || oracle_max(table) != 52)
        return EXIT_FAILURE;
    printf("plain search over Goat, one core | %.2f s, %.1f million states/s\n", seconds, (double)oracle_count(table) / seconds / 1e6);
    oracle_free(table);
    return EXIT_SUCCESS;
}

int main(void)
{
    return read_memory() == EXIT_SUCCESS && search_plainly() == EXIT_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
