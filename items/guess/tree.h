/* tree.h -- a strategy as a tree of questions: making one, and as bytes
 *
 * A *node* is a question, and has a child for every answer but "guessed" that some code gives. Nodes are numbered level
 * by level, the children of a node one behind the other in the order of their answers. As bytes (the encoding
 * "decision-tree"; numbers are little-endian):
 *
 *     u32                 how many nodes there are
 *     each node:          Q bytes, the question, as a code's number
 *                         C bytes, the number of its first child (of the next child of anyone where it has none)
 *                         M bytes, bit a % 8 of byte a / 8 for each answer number a (guess.h): is there a child?
 *
 * Q is the least number of bytes that hold codes - 1, C that hold the number of nodes, and M the least for answers - 1
 * bits. So the child for answer a is the first one plus the number of bits below a.
 */
#ifndef ITEMS_GUESS_TREE_H
#define ITEMS_GUESS_TREE_H

#include "weigh.h"

/* -- build.c -- */

struct guess_mean;

struct guess_node {
    uint32_t question;
    uint32_t begin, count; /* its codes: begin .. begin+count-1 of the array of codes */
    uint32_t child;        /* number of the first child; the next node's first child ends them */
};

/* A tree being made, or made. */
struct guess_tree {
    uint32_t *codes; /* the set; a node's codes stand together, and in each of its classes in their order */
    uint32_t *depth; /* of codes[i]: the questions until it is guessed */
    uint32_t *spare;
    size_t count;
    struct guess_node *node;
    size_t nodes, capacity;
    size_t depths; /* the greatest depth plus one */
};

struct guess_reader;

/* Makes the tree of the puzzle's strategy for a set of codes (ascending). `asked` as for guess_symmetry_make; `mean` is
 * for GUESS_MEAN, else NULL. Freed with guess_tree_free, whatever the status. Errors: PDB_NO_MEMORY,
 * PDB_INTERRUPTED. */
pdb_status guess_tree_make(const struct guess_weigher *weigher, struct guess_mean *mean, const uint32_t *set,
                           size_t count, uint32_t asked, unsigned threads, struct guess_tree *tree, pdb_error *error);
/* Makes the tree of all codes once more, with the questions that its bytes have: these are sound if it has the same bytes
 * then. Takes as long as the distances add up to, however the bytes were forged. Freed with guess_tree_free, whatever
 * the status. Errors: PDB_NO_MEMORY, PDB_DAMAGED (a question is no code, or there are too few). */
pdb_status guess_tree_remake(const struct guess_reader *reader, struct guess_tree *tree, pdb_error *error);
void guess_tree_free(struct guess_tree *tree);

/* -- bytes.c -- */

/* The tree of a puzzle as bytes, which the caller frees. */
pdb_status guess_tree_write(const struct guess *guess, const struct guess_tree *tree, uint8_t **bytes, uint64_t *size,
                            pdb_error *error);

/* Reads a tree. */
struct guess_reader {
    const struct guess *guess;
    const uint8_t *bytes;
    uint32_t nodes;
    unsigned question_bytes, child_bytes, mask_bytes;
};

/* Errors: PDB_DAMAGED (the length is impossible). */
pdb_status guess_reader_make(const struct guess *guess, const uint8_t *bytes, uint64_t size,
                             struct guess_reader *reader, pdb_error *error);

uint32_t guess_reader_question(const struct guess_reader *reader, uint32_t node);
/* The child for an answer; 0, which is nobody's child, where there is none. */
uint32_t guess_reader_child(const struct guess_reader *reader, uint32_t node, unsigned answer);

/* Questions from a node until a code is guessed; 0 where the tree does not lead to it. */
uint32_t guess_reader_distance(const struct guess_reader *reader, uint32_t node, uint32_t code);

#endif
