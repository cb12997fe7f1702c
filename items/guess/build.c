/* build.c -- makes the tree of a strategy, level by level, and has it as bytes (strategy.h)
 *
 * The sets of a level's nodes are disjoint, so they lie in one array of codes. Questions are chosen side by side; each
 * choice depends on its set alone, so the tree is the same for any number of threads.
 */
#include "strategy.h"
#include "lib/memory/array.h"

#include <stdlib.h>
#include <string.h>

/* -- choosing a question -- */

enum { SYMMETRY_FROM = 48 }; /* for smaller sets, looking for symmetries takes longer than it spares */

/* What the classes of a question are worth, less being better: the size of the largest, or the sum of n log n, which is
 * the least where the answer tells the most (Shannon's entropy). */
static uint64_t worth(const struct guess_weigher *weigher, const uint32_t *size)
{
    const struct guess *guess = weigher->guess;
    uint64_t sum = 0, largest = 0;
    for (unsigned a = 0; a < guess->answers; a++) {
        sum += size[a] * weigher->logarithm[size[a]];
        largest = size[a] > largest ? size[a] : largest;
    }
    return guess->strategy == GUESS_MINIMAX ? largest : sum;
}

struct choice {
    const struct guess_weigher *weigher;
    const struct guess_symmetry *symmetry; /* NULL: none is looked for */
    const uint32_t *set;
    size_t count;
    uint64_t worth;
    uint32_t question;
    size_t work; /* since the watch was looked at */
};

/* Takes a question if it is better; false: the work is to stop. */
static bool consider(struct choice *choice, uint32_t question)
{
    uint32_t size[GUESS_MAX_ANSWERS];
    if (choice->symmetry != NULL && guess_symmetry_leaves_out(choice->weigher, choice->symmetry, question))
        return true;
    guess_sizes(choice->weigher, question, choice->set, choice->count, size);
    const uint64_t found = worth(choice->weigher, size);
    if (found < choice->worth) {
        choice->worth = found;
        choice->question = question;
    }
    choice->work += choice->count;
    if (choice->work < 1 << 16)
        return true;
    choice->work = 0;
    return guess_watch_look(choice->weigher->watch);
}

/* The best question; of equals, one that may be the code itself, then the first in lexicographic order. */
static uint32_t choose_weighed(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t asked)
{
    const uint64_t perfect = weigher->guess->strategy == GUESS_MINIMAX ? 1 : 0; /* every code has its own answer */
    struct choice choice = {.weigher = weigher, .set = set, .count = count, .worth = UINT64_MAX, .question = set[0]};
    struct guess_symmetry symmetry = {.map = NULL};
    bool on = true;
    if (count >= SYMMETRY_FROM) {
        choice.symmetry = &symmetry;
        if (!guess_symmetry_make(weigher, set, count, asked, &symmetry)) {
            guess_watch_fail(weigher->watch);
            return set[0];
        }
    }
    for (size_t i = 0; on && i < count && choice.worth > perfect; i++)
        on = consider(&choice, set[i]);
    for (uint32_t q = 0; on && q < weigher->guess->codes && choice.worth > perfect && count < weigher->guess->codes;
         q++)
        on = consider(&choice, q);
    free(symmetry.map);
    return choice.question;
}

/* What growing a tree takes. */
struct grower {
    const struct guess_task *task;
    struct guess_watch watch;
    struct guess_weigher weigher;
    struct guess_mean *mean; /* NULL for other strategies */
    uint32_t asked;          /* of the level at hand, as for guess_symmetry_make */
    struct guess_tree *tree;
    struct team team;
    size_t level; /* the first node of the level at hand */
};

static uint32_t choose(struct grower *grower, const uint32_t *set, size_t count)
{
    if (count <= 2 || grower->task->guess->strategy == GUESS_FIRST)
        return set[0];
    struct team *team = grower->task->threads > 1 ? &grower->team : NULL;
    return grower->mean != NULL ? guess_mean_choose(grower->mean, set, count, grower->asked, team)
                                : choose_weighed(&grower->weigher, set, count, grower->asked);
}

/* -- the tree -- */

static bool add_node(struct guess_tree *tree, uint32_t begin, uint32_t count)
{
    struct guess_node *grown = array_grow(tree->node, tree->nodes, sizeof *grown);
    if (grown == NULL)
        return false;
    tree->node = grown;
    tree->node[tree->nodes++] = (struct guess_node){.begin = begin, .count = count};
    return true;
}

/* Divides a node's codes by the answers, and adds a child for each class. */
static bool branch(const struct guess *guess, struct guess_tree *tree, size_t number, uint32_t depth)
{
    struct guess_node *node = &tree->node[number];
    uint32_t *codes = tree->codes + node->begin, begin[GUESS_MAX_ANSWERS + 1];
    const uint32_t first = node->begin, count = node->count, smallest = codes[0];
    node->child = (uint32_t)tree->nodes;
    guess_divide(guess, node->question, codes, count, tree->spare, begin);
    for (unsigned a = 0; a + 1 < guess->answers; a++)
        if (begin[a + 1] - begin[a] == count) { /* a question that tells nothing: equal hashes of different sets */
            node->question = smallest;
            guess_divide(guess, smallest, codes, count, tree->spare, begin);
            break;
        }
    for (unsigned a = 0; a + 1 < guess->answers; a++)
        if (begin[a + 1] > begin[a] && !add_node(tree, first + begin[a], begin[a + 1] - begin[a]))
            return false;
    if (begin[guess->answers] > begin[guess->answers - 1])
        tree->depth[first + begin[guess->answers - 1]] = depth;
    return true;
}

static void choose_for(void *context, unsigned thread, uint64_t number)
{
    struct grower *grower = context;
    struct guess_node *node = &grower->tree->node[grower->level + number];
    (void)thread;
    if (guess_watch_look(&grower->watch))
        node->question = choose(grower, grower->tree->codes + node->begin, node->count);
}

/* Level after level: chooses the questions of its nodes, and divides their codes. */
static pdb_status grow(struct grower *grower)
{
    const struct guess_task *task = grower->task;
    struct guess_tree *tree = grower->tree;
    struct guess_watch *watch = &grower->watch;
    const double share = (grower->mean != NULL ? 1 - GUESS_MEAN_SHARE : 1) / (double)tree->count;
    if (!add_node(tree, 0, (uint32_t)tree->count))
        return PDB_NO_MEMORY;
    for (size_t begin = 0; begin < tree->nodes;) {
        const size_t first = begin, end = tree->nodes; /* the level's nodes; each guesses about one code */
        tree->depths++;
        grower->level = begin;
        team_run(&grower->team, end - begin, choose_for, grower);
        if (!guess_watch_look(watch))
            return watch->no_memory ? PDB_NO_MEMORY : PDB_INTERRUPTED;
        grower->asked = grower->asked == GUESS_NOTHING_ASKED ? tree->node[0].question : GUESS_ANY_HISTORY;
        for (; begin < end; begin++) {
            if (!branch(task->guess, tree, begin, (uint32_t)tree->depths))
                return PDB_NO_MEMORY;
            if (begin % 256 == 0 && !guess_watch_look(watch))
                return PDB_INTERRUPTED;
        }
        guess_watch_add(watch, share * (double)(end - first));
    }
    tree->depths++;
    return PDB_OK;
}

/* `set` is NULL for all codes. */
static pdb_status begin_tree(const uint32_t *set, size_t count, struct guess_tree *tree, pdb_error *error)
{
    *tree = (struct guess_tree){.count = count};
    tree->codes = malloc(count * sizeof *tree->codes);
    tree->spare = malloc(count * sizeof *tree->spare);
    tree->depth = malloc(count * sizeof *tree->depth);
    if (tree->codes == NULL || tree->spare == NULL || tree->depth == NULL)
        return error_no_memory(error, "the tree of questions", 3 * count * sizeof *tree->codes);
    for (size_t i = 0; i < count; i++)
        tree->codes[i] = set != NULL ? set[i] : (uint32_t)i;
    return PDB_OK;
}

static pdb_status no_memory(const struct guess_tree *tree, pdb_error *error)
{
    return error_no_memory(error, "the tree of questions", 2 * tree->nodes * sizeof *tree->node);
}

pdb_status guess_tree_make(const struct guess_task *task, struct guess_tree *tree, pdb_error *error)
{
    const struct guess *guess = task->guess;
    struct grower grower = {.task = task, .asked = task->asked, .tree = tree, .team = {.threads = task->threads}};
    pdb_status status = begin_tree(task->set, task->count, tree, error);
    guess_watch_make(&grower.watch, task->observe, task->context);
    if (status == PDB_OK && guess->strategy != GUESS_FIRST)
        status = guess_weigher_make(guess, task->table, task->threads, &grower.watch, &grower.weigher, error);
    if (status == PDB_OK && guess->strategy == GUESS_MEAN)
        status = guess_mean_make(&grower.weigher, task->width, task->memo_bits, &grower.mean, error);
    if (status == PDB_OK) {
        status = grow(&grower);
        if (status == PDB_NO_MEMORY)
            no_memory(tree, error);
        else if (status != PDB_OK)
            error_set(error, status, "interrupted");
    }
    team_end(&grower.team);
    guess_mean_free(grower.mean);
    guess_weigher_free(&grower.weigher);
    guess_watch_free(&grower.watch);
    return status;
}

/* Nodes are numbered as in the bytes. One that tells nothing gets another question, so every set is smaller than the
 * one above it, and none is empty: there is an end to it. */
pdb_status guess_tree_remake(const struct guess_reader *reader, struct guess_tree *tree, pdb_error *error)
{
    pdb_status status = begin_tree(NULL, reader->guess->codes, tree, error);
    if (status != PDB_OK)
        return status;
    bool room = add_node(tree, 0, (uint32_t)tree->count);
    for (size_t node = 0, level = 0; room && node < tree->nodes; node++) {
        const uint32_t question = node < reader->nodes ? guess_reader_question(reader, (uint32_t)node) : UINT32_MAX;
        if (question >= reader->guess->codes)
            return error_set(error, PDB_DAMAGED, "the tree of questions does not lead to all codes");
        if (node == level) {
            level = tree->nodes;
            tree->depths++;
        }
        tree->node[node].question = question;
        room = branch(reader->guess, tree, node, (uint32_t)tree->depths);
    }
    tree->depths++;
    return room ? PDB_OK : no_memory(tree, error);
}

void guess_tree_free(struct guess_tree *tree)
{
    free(tree->codes);
    free(tree->spare);
    free(tree->depth);
    free(tree->node);
    *tree = (struct guess_tree){0};
}

/* -- as bytes -- */

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
