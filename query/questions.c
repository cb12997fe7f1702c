/* questions.c -- answers about puzzles without moves: questions in place of boards, facts in place of moves */
#include "answer.h"
#include "lib/error.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

/* -- text -- */

enum { INDENT = 2, GAP = 2 };

/* A fact in one piece; lists are not meant. */
static void put_value(const pdb_fact *fact, FILE *out)
{
    char number[NUMBER_TEXT_MAX];
    if (fact->kind == PDB_KIND_MEAN)
        fprintf(out, "%.3f", fact->mean);
    else if (fact->kind == PDB_KIND_COUNT && strlen(fact->text) < 20)
        fputs(number_text(strtoull(fact->text, NULL, 10), number), out);
    else
        fputs(fact->text, out);
}

static void put_fact(const struct session *session, const pdb_fact *fact, unsigned width, FILE *out)
{
    fprintf(out, "%*s%s%*s", INDENT, "", fact->label, (int)(width + GAP - text_columns(fact->label)), "");
    if (fact->kind == PDB_KIND_TEXTS && fact->count > 0) {
        draw_columns(&session->asked.drawing, fact->texts, fact->count, INDENT + width + GAP, out);
        return;
    }
    if (fact->kind == PDB_KIND_TEXTS)
        putc('-', out);
    else
        put_value(fact, out);
    putc('\n', out);
}

/* "mastermind 9431: 9 questions" */
static void put_heading(const struct session *session, const char *question, uint32_t distance, FILE *out)
{
    fprintf(out, "%s %s: ", pdb_puzzle_name(session->asked.puzzle), question);
    if (distance == PDB_NO_DISTANCE)
        fputs("there is no answer", out);
    else
        fprintf(out, "%u %s%s", distance, pdb_puzzle_unit(session->asked.puzzle), plural(distance));
    fputs(strcmp(method_name(&session->asked), "db") == 0 ? "\n" : " (worked out: no database was used)\n", out);
}

/* One of several, with `gap` below another one. */
static void text_reply(const struct session *session, const char *question, const pdb_reply *reply, bool gap, FILE *out)
{
    unsigned width = 0;
    for (size_t i = 0; i < reply->count; i++)
        width = width < text_columns(reply->fact[i].label) ? text_columns(reply->fact[i].label) : width;
    fputs(gap ? "\n" : "", out);
    put_heading(session, question, reply->distance, out);
    if (reply->count > 0)
        putc('\n', out);
    for (size_t i = 0; i < reply->count; i++)
        put_fact(session, &reply->fact[i], width, out);
}

/* One line a question, for many. */
static void text_reply_line(const char *question, const pdb_reply *reply, FILE *out)
{
    fputs(question, out);
    if (reply->distance == PDB_NO_DISTANCE)
        fputs("\tnone", out);
    else
        fprintf(out, "\t%u", reply->distance);
    for (size_t i = 0; i < reply->count; i++) {
        const pdb_fact *fact = &reply->fact[i];
        fprintf(out, "\t%s: ", fact->label);
        for (size_t t = 0; fact->kind == PDB_KIND_TEXTS && t < fact->count; t++)
            fprintf(out, "%s%s", t > 0 ? ", " : "", fact->texts[t]);
        if (fact->kind != PDB_KIND_TEXTS)
            put_value(fact, out);
    }
    putc('\n', out);
}

/* -- questions -- */

static pdb_status ask(const struct session *session, const char *question, pdb_reply *reply, pdb_status *worst,
                      pdb_error *error)
{
    const pdb_status status = question_ask(&session->asked, question, reply, error);
    if (status == PDB_OK && reply->distance == PDB_NO_DISTANCE && *worst == PDB_OK)
        *worst = PDB_UNREACHABLE;
    return status;
}

pdb_status question_line(const struct session *session, char *question, FILE *out, pdb_status *worst, pdb_error *error)
{
    pdb_reply reply;
    size_t length = strlen(question += strspn(question, " \t\r"));
    while (length > 0 && strchr(" \t\r", question[length - 1]) != NULL)
        question[--length] = '\0';
    pdb_status status = ask(session, question, &reply, worst, error);
    if (status == PDB_OK && session->options->json)
        status = json_reply(&session->asked, question, &reply, out, error);
    else if (status == PDB_OK)
        text_reply_line(question, &reply, out);
    pdb_reply_free(&reply);
    return status;
}

/* Makes a text longer by a word, a space between them; false where memory is short. */
static bool append_word(char **text, const char *word)
{
    const size_t length = *text != NULL ? strlen(*text) + 1 : 0;
    char *longer = realloc(*text, length + strlen(word) + 1);
    if (longer == NULL)
        return false;
    if (length > 0)
        longer[length - 1] = ' ';
    strcpy(longer + length, word);
    *text = longer;
    return true;
}

/* The words of the command line as questions: a run of words that are parts is one, every other word is one. Without
 * any it is "start". */
static pdb_status read_questions(const struct session *session, char **questions, size_t *count, pdb_error *error)
{
    const struct options *options = session->options;
    bool joins = false;
    bool enough = options->boards > 0 || append_word(&questions[(*count)++], "start");
    for (int i = 0; enough && i < options->boards; i++) {
        const bool part = pdb_question_is_part(session->asked.puzzle, options->board[i]);
        *count += !(part && joins);
        enough = append_word(&questions[*count - 1], options->board[i]);
        joins = part;
    }
    return enough ? PDB_OK : error_no_memory(error, "the questions", (uint64_t)options->boards);
}

/* All are asked before anything is written. */
static pdb_status answer_all(const struct session *session, char *const *questions, size_t count, pdb_status *worst,
                             pdb_error *error)
{
    pdb_reply *replies = calloc(count + 1, sizeof *replies);
    if (replies == NULL)
        return error_no_memory(error, "the replies", count * sizeof *replies);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = ask(session, questions[i], &replies[i], worst, error);
    for (size_t i = 0; i < count; i++) {
        if (status == PDB_OK && session->options->json)
            status = json_reply(&session->asked, questions[i], &replies[i], stdout, error);
        else if (status == PDB_OK)
            text_reply(session, questions[i], &replies[i], i > 0, stdout);
        pdb_reply_free(&replies[i]);
    }
    free(replies);
    return status;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

pdb_status questions_answer(const struct session *session, pdb_status *worst, pdb_error *error)
{
    const int words = session->options->boards;
    char **questions = calloc((size_t)words + 1, sizeof *questions), text[PDB_TEXT_MAX];
    size_t count = 0;
    if (questions == NULL)
        return error_no_memory(error, "the questions", (size_t)words * sizeof *questions);
    pdb_status status = read_questions(session, questions, &count, error);
    if (status == PDB_OK)
        status = answer_all(session, questions, count, worst, error);
    /* "start" was no question to this puzzle: one is needed, as for instance the hardest. */
    if (status == PDB_BAD_BOARD && words == 0 &&
        pdb_solver_hardest_item(session->asked.solver, 0, text, error) == PDB_OK)
        status = error_set(error, PDB_BAD_USAGE,
                           "%s has nothing to begin with: ask for one of its %s, as in 'pdb-query %s %s'",
                           pdb_puzzle_name(session->asked.puzzle), pdb_puzzle_items(session->asked.puzzle),
                           session->options->puzzle, text);
    free_texts(questions, count);
    return status;
}

/* -- items -- */

static void text_hardest_items(const struct session *session, char *const *texts, size_t count)
{
    pdb_info info;
    char number[NUMBER_TEXT_MAX], all[NUMBER_TEXT_MAX];
    pdb_solver_info(session->asked.solver, &info);
    printf("%s: %s of %s %s take%s %u %s%s, the most", pdb_puzzle_name(session->asked.puzzle),
           number_text(info.hardest, number), number_text(info.reachable, all), pdb_puzzle_items(session->asked.puzzle),
           info.hardest == 1 ? "s" : "", info.max, pdb_puzzle_unit(session->asked.puzzle), plural(info.max));
    if (count < info.hardest)
        printf("; the first %s", number_text(count, number));
    printf("\n\n%*s", INDENT, "");
    draw_columns(&session->asked.drawing, texts, count, INDENT, stdout);
}

pdb_status items_hardest(const struct session *session, pdb_status *worst, pdb_error *error)
{
    struct hardest hardest;
    pdb_status status = hardest_find(&session->asked, session->options->hardest, &hardest, error);
    if (status == PDB_OK && (session->options->path || session->options->count))
        status = answer_all(session, hardest.item, hardest.count, worst, error);
    else if (status == PDB_OK && session->options->json)
        status = json_hardest(&session->asked, &hardest, stdout, error);
    else if (status == PDB_OK)
        text_hardest_items(session, hardest.item, hardest.count);
    hardest_free(&hardest);
    return status;
}

pdb_status items_random(const struct session *session, uint64_t seed, pdb_error *error)
{
    char text[PDB_TEXT_MAX];
    uint32_t distance;
    pdb_status status = pdb_solver_random_item(session->asked.solver, session->options->distance, seed, text, &distance,
                                               error);
    if (status == PDB_OK && session->options->json)
        return json_random(&session->asked, text, distance, stdout, error);
    if (status == PDB_OK)
        put_heading(session, text, distance, stdout);
    return status;
}
