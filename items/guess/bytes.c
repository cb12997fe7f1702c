/* bytes.c -- a tree of questions as bytes, and reading it (strategy.h) */
#include "strategy.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 4 };

static unsigned bytes_for(uint32_t number)
{
    unsigned bytes = 1;
    while (bytes < 4 && number >> 8 * bytes != 0)
        bytes++;
    return bytes;
}

static void put(uint8_t *bytes, uint32_t number, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

static uint32_t get(const uint8_t *bytes, unsigned count)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < count; i++)
        number |= (uint32_t)bytes[i] << 8 * i;
    return number;
}

static struct guess_reader widths(const struct guess *guess, uint32_t nodes)
{
    return (struct guess_reader){.guess = guess,
                                 .nodes = nodes,
                                 .question_bytes = bytes_for(guess->codes - 1),
                                 .child_bytes = bytes_for(nodes),
                                 .mask_bytes = (guess->answers - 1 + 7) / 8};
}

static size_t node_bytes(const struct guess_reader *reader)
{
    return reader->question_bytes + reader->child_bytes + reader->mask_bytes;
}

pdb_status guess_tree_write(const struct guess *guess, const struct guess_tree *tree, uint8_t **bytes, uint64_t *size,
                            pdb_error *error)
{
    const struct guess_reader as = widths(guess, (uint32_t)tree->nodes);
    *size = HEAD + tree->nodes * node_bytes(&as);
    *bytes = calloc(*size, 1);
    if (*bytes == NULL)
        return error_no_memory(error, "the tree of questions", *size);
    put(*bytes, as.nodes, HEAD);
    uint8_t *to = *bytes + HEAD;
    for (size_t n = 0; n < tree->nodes; n++, to += node_bytes(&as)) {
        const struct guess_node *node = &tree->node[n];
        const size_t end = n + 1 < tree->nodes ? node[1].child : tree->nodes;
        uint8_t *mask = to + as.question_bytes + as.child_bytes;
        put(to, node->question, as.question_bytes);
        put(to + as.question_bytes, node->child, as.child_bytes);
        for (size_t child = node->child; child < end; child++) {
            const unsigned a = guess_answer(guess, node->question, tree->codes[tree->node[child].begin]);
            mask[a / 8] |= (uint8_t)(1u << a % 8);
        }
    }
    return PDB_OK;
}

/* -- reading -- */

pdb_status guess_reader_make(const struct guess *guess, const uint8_t *bytes, uint64_t size,
                             struct guess_reader *reader, pdb_error *error)
{
    const uint32_t nodes = size >= HEAD ? get(bytes, HEAD) : 0;
    *reader = widths(guess, nodes);
    reader->bytes = bytes + HEAD;
    if (nodes == 0 || size != HEAD + (uint64_t)nodes * node_bytes(reader))
        return error_set(error, PDB_DAMAGED, "the tree of questions is not as long as it says");
    return PDB_OK;
}

static const uint8_t *node_at(const struct guess_reader *reader, uint32_t node)
{
    return reader->bytes + node * node_bytes(reader);
}

uint32_t guess_reader_question(const struct guess_reader *reader, uint32_t node)
{
    return get(node_at(reader, node), reader->question_bytes);
}

/* How many children a node has for answers below `answer`. */
static uint32_t children_below(const uint8_t *mask, unsigned answer)
{
    unsigned count = 0;
    for (unsigned i = 0; i < answer / 8; i++)
        count += (unsigned)__builtin_popcount(mask[i]);
    return answer % 8 == 0 ? count : count + (unsigned)__builtin_popcount(mask[answer / 8] & ((1u << answer % 8) - 1));
}

uint32_t guess_reader_child(const struct guess_reader *reader, uint32_t node, unsigned answer)
{
    const uint8_t *child = node_at(reader, node) + reader->question_bytes, *mask = child + reader->child_bytes;
    if (answer >= reader->guess->answers - 1 || (mask[answer / 8] >> answer % 8 & 1) == 0)
        return 0;
    return get(child, reader->child_bytes) + children_below(mask, answer);
}

uint32_t guess_reader_distance(const struct guess_reader *reader, uint32_t node, uint32_t code)
{
    for (uint32_t distance = 1;; distance++) {
        const uint32_t question = guess_reader_question(reader, node);
        if (question == code)
            return distance;
        node = guess_reader_child(reader, node, guess_answer(reader->guess, question, code));
        if (node == 0)
            return 0;
    }
}
