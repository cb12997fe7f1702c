/* list.c -- lists of a layer's states: all of them, or enough of the lowest */
#include "inner.h"
#include "lib/numbers.h"

#include <stdlib.h>

/* Groups are in the order of the indices, their words need not be: whole groups are taken, then sorted. */
size_t layers_lowest(struct layers *layers, struct layer_list *list)
{
    const struct layer_kernel *kernel = layers->kernel;
    size_t count = 0;
    uint64_t group = UINT64_MAX;
    qsort(list->entry, list->entries, sizeof *list->entry, compare_numbers); /* by their words */
    for (size_t i = 0; i < list->entries; i++) {
        const struct layer_entry *entry = &list->entry[i];
        if (entry->word / LAYER_WORDS_MAX != group && count >= RETROGRADE_HARDEST_MAX)
            break;
        group = entry->word / LAYER_WORDS_MAX;
        for (uint64_t bits = entry->bits; bits != 0; bits &= bits - 1)
            layers->lowest[count++] = kernel->index(kernel, 64 * entry->word + (unsigned)__builtin_ctzll(bits));
    }
    sort_numbers(layers->lowest, count);
    return count < RETROGRADE_HARDEST_MAX ? count : RETROGRADE_HARDEST_MAX;
}

void layers_list(const struct layers *layers, struct layer_list *list, const uint64_t *index, size_t count)
{
    list->entries = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t address = layers->kernel->address(layers->kernel, index[i]);
        if (layers_own(layers, layer_group(address)))
            list->entry[list->entries++] = (struct layer_entry){address / 64, (uint64_t)1 << address % 64};
    }
    list->states = list->entries;
}

void layers_shorten(struct layers *layers, struct layer_list *list)
{
    const size_t count = layers_lowest(layers, list);
    layers_list(layers, list, layers->lowest, count);
    if (list == &layers->next && count == RETROGRADE_HARDEST_MAX)
        __atomic_store_n(&layers->listed_groups, /* of slabs, those that come later may be lower */
                         layer_group(layers->kernel->address(layers->kernel, layers->lowest[count - 1])) + 1,
                         __ATOMIC_RELAXED);
}
