/* ask.c -- answers to what is asked about codes
 *
 * A history that the strategy's own questions make leads down its tree. Any other leads to a set of codes, and the
 * strategy's tree for that set is made on the spot.
 */
#include "strategy.h"

#include <stdlib.h>

enum { FEW_CODES = 12, MANY_CODES = 1000, SPOT_WIDTH = 2, SPOT_MEMO_BITS = 16 };

/* -- a code -- */

static pdb_status ask_code(const struct guess_reader *reader, uint32_t code, unsigned want, struct reply_writer *writer)
{
    const struct guess *guess = reader->guess;
    char text[GUESS_TEXT_MAX];
    const uint32_t distance = writer->reply->distance = guess_reader_distance(reader, 0, code);
    uint32_t node = 0;
    guess_code_text(guess, code, text);
    reply_text(writer, "code", "code", text);
    if ((want & PDB_WANT_PATH) == 0)
        return writer->status;
    reply_list(writer, "questions", "questions");
    for (uint32_t i = 0; i < distance; i++) {
        const uint32_t question = guess_reader_question(reader, node);
        const struct guess_item item = {question, guess_answer(guess, question, code)};
        guess_item_text(guess, &item, text);
        reply_item(writer, text);
        node = guess_reader_child(reader, node, item.answer);
    }
    return writer->status;
}

/* -- a history -- */

/* The codes that agree with a history, ascending. */
struct left {
    uint32_t *codes;
    size_t count;
    size_t agreed; /* items of the history until none is left; all of them where some are */
    bool in_tree;  /* the strategy asked all this; then the next question is that of */
    uint32_t node;
    bool guessed; /* a question was the code */
};

static pdb_status find_left(const struct guess_reader *reader, const struct guess_history *history, struct left *left,
                            pdb_error *error)
{
    const struct guess *guess = reader->guess;
    *left = (struct left){.codes = malloc(guess->codes * sizeof *left->codes), .count = guess->codes, .in_tree = true};
    if (left->codes == NULL)
        return error_no_memory(error, "the codes", guess->codes * sizeof *left->codes);
    for (uint32_t code = 0; code < guess->codes; code++)
        left->codes[code] = code;
    for (size_t i = 0; i < history->count && left->count > 0; i++) {
        const struct guess_item *item = &history->item[i];
        size_t kept = 0;
        for (size_t c = 0; c < left->count; c++)
            if (guess_answer(guess, item->question, left->codes[c]) == item->answer)
                left->codes[kept++] = left->codes[c];
        left->count = kept;
        left->agreed += kept > 0;
        left->guessed |= item->answer == guess->answers - 1;
        left->in_tree = left->in_tree && item->question == guess_reader_question(reader, left->node);
        left->node = left->in_tree ? guess_reader_child(reader, left->node, item->answer) : 0;
        left->in_tree = left->in_tree && left->node != 0;
    }
    return PDB_OK;
}

/* What is to come. */
struct outlook {
    uint32_t next, most;
    uint64_t sum; /* of the questions over all codes left */
};

static pdb_status look_on_the_spot(const struct guess *guess, const struct left *left, struct outlook *outlook,
                                   pdb_error *error)
{
    const struct guess_task task = {.guess = guess,
                                    .set = left->codes,
                                    .count = left->count,
                                    .asked = GUESS_ANY_HISTORY,
                                    .width = SPOT_WIDTH,
                                    .memo_bits = SPOT_MEMO_BITS,
                                    .threads = 1};
    struct guess_tree tree;
    pdb_status status = guess_tree_make(&task, &tree, error);
    if (status == PDB_OK) {
        outlook->next = tree.node[0].question;
        outlook->most = (uint32_t)tree.depths - 1;
        for (size_t i = 0; i < tree.count; i++)
            outlook->sum += tree.depth[i];
    }
    guess_tree_free(&tree);
    return status;
}

static void list_codes(const struct guess *guess, const struct left *left, unsigned want, struct reply_writer *writer)
{
    const size_t most = (want & PDB_WANT_PATH) != 0 ? MANY_CODES : left->count <= FEW_CODES ? FEW_CODES : 0;
    char text[GUESS_TEXT_MAX];
    if (most == 0)
        return;
    reply_list(writer, "codes", "codes");
    for (size_t i = 0; i < left->count && i < most; i++) {
        guess_code_text(guess, left->codes[i], text);
        reply_item(writer, text);
    }
    if (left->count > most)
        reply_count(writer, "more", "codes not listed", left->count - most);
}

static pdb_status answer_left(const struct guess_reader *reader, const struct guess_history *history,
                              const struct left *left, unsigned want, struct reply_writer *writer)
{
    const struct guess *guess = reader->guess;
    struct outlook outlook = {0};
    char text[GUESS_TEXT_MAX];
    reply_count(writer, "left", "codes left", left->count);
    if (left->count == 0) {
        guess_item_text(guess, &history->item[left->agreed], text);
        reply_text(writer, "impossible", "the first answer that cannot be", text);
        return writer->status;
    }
    if (!left->guessed && left->in_tree)
        outlook.next = guess_reader_question(reader, left->node);
    for (size_t i = 0; !left->guessed && left->in_tree && i < left->count; i++) {
        const uint32_t distance = guess_reader_distance(reader, left->node, left->codes[i]);
        outlook.sum += distance;
        outlook.most = distance > outlook.most ? distance : outlook.most;
    }
    if (!left->guessed && !left->in_tree && writer->status == PDB_OK)
        writer->status = look_on_the_spot(guess, left, &outlook, writer->error);
    writer->reply->distance = outlook.most;
    if (!left->guessed) {
        guess_code_text(guess, outlook.next, text);
        reply_text(writer, "next", "next question", text);
    }
    reply_count(writer, "most", "more questions at most", outlook.most);
    reply_mean(writer, "mean", "more questions in the mean", (double)outlook.sum / (double)left->count);
    list_codes(guess, left, want, writer);
    return writer->status;
}

pdb_status guess_ask(const struct items_puzzle *puzzle, const struct items *items, const char *question, unsigned want,
                     pdb_reply *reply, pdb_error *error)
{
    struct reply_writer writer = {.reply = reply, .error = error};
    struct guess_reader reader;
    struct guess_history history = {0};
    struct left left = {0};
    pdb_status status = guess_reader_make(guess_of(puzzle), items->bytes, items->size, &reader, error);
    if (status == PDB_OK)
        status = guess_parse(guess_of(puzzle), question, &history, error);
    if (status == PDB_OK && history.is_code)
        status = ask_code(&reader, history.item[0].question, want, &writer);
    else if (status == PDB_OK) {
        status = find_left(&reader, &history, &left, error);
        if (status == PDB_OK)
            status = answer_left(&reader, &history, &left, want, &writer);
    }
    free(left.codes);
    free(history.item);
    return status;
}
