/* machine.c -- the automaton of redundant words
 *
 * States are the proper prefixes of the words, numbered as they are added: a trie. The automaton is in the state of the
 * longest suffix of what it has read that is such a prefix. Its transitions are worked out breadth first: where the
 * trie has no child, the state goes where its *fallback*, the longest proper suffix that is a prefix, goes. A
 * transition is MACHINE_NEVER where a word ends, or where the fallback's is: then a shorter word ends there.
 */
#include "machine.h"

#include <stdlib.h>

static const uint32_t NONE = UINT32_MAX - 1; /* while it is made: no child here */

static uint32_t add_state(struct machine *machine)
{
    for (unsigned o = 0; o < machine->operators; o++)
        machine->next[machine->states * machine->operators + o] = NONE;
    return machine->states++;
}

static void add_word(struct machine *machine, const struct machine_word *word)
{
    uint32_t state = MACHINE_START;
    for (unsigned i = 0; i < word->length; i++) {
        uint32_t *next = &machine->next[state * machine->operators + word->letter[i]];
        if (*next == MACHINE_NEVER)
            return; /* a prefix of it is a word */
        if (i + 1u == word->length)
            *next = MACHINE_NEVER;
        else if (*next == NONE)
            *next = add_state(machine);
        state = *next;
    }
}

/* Fills the transitions in that the trie has not. `queue` and `fallback` have room for all states. */
static void complete(struct machine *machine, uint32_t *queue, uint32_t *fallback)
{
    uint32_t tail = 0;
    /* From the start: without a child it stays there, and a child of one operator falls back to it. */
    for (unsigned o = 0; o < machine->operators; o++) {
        uint32_t *next = &machine->next[o];
        if (*next == NONE) {
            *next = MACHINE_START;
        } else if (*next != MACHINE_NEVER) {
            fallback[*next] = MACHINE_START;
            queue[tail++] = *next;
        }
    }
    /* From the others, shorter prefixes first: so the fallback's transitions are complete. */
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t state = queue[head];
        for (unsigned o = 0; o < machine->operators; o++) {
            uint32_t *next = &machine->next[state * machine->operators + o];
            const uint32_t shorter = machine_next(machine, fallback[state], o);
            if (*next == NONE || shorter == MACHINE_NEVER) {
                *next = shorter;
            } else if (*next != MACHINE_NEVER) {
                fallback[*next] = shorter;
                queue[tail++] = *next;
            }
        }
    }
}

pdb_status machine_create(unsigned operators, const struct machine_word *word, size_t words, struct machine **out,
                          pdb_error *error)
{
    size_t most = 1; /* states */
    for (size_t w = 0; w < words; w++)
        most += word[w].length - 1u;
    const size_t bytes = most * operators * sizeof(uint32_t);
    struct machine *machine = malloc(sizeof *machine + bytes);
    uint32_t *queue = malloc(2 * most * sizeof *queue);
    *out = NULL;
    if (machine == NULL || queue == NULL) {
        free(machine);
        free(queue);
        return error_no_memory(error, "the machine of redundant moves", bytes);
    }
    *machine = (struct machine){.operators = operators};
    add_state(machine);
    for (size_t w = 0; w < words; w++)
        add_word(machine, &word[w]);
    complete(machine, queue, queue + most);
    free(queue);
    struct machine *shrunk = realloc(machine, sizeof *machine + machine->states * operators * sizeof(uint32_t));
    *out = shrunk != NULL ? shrunk : machine;
    return PDB_OK;
}
