/* answer.c -- answers as SVG documents: boards, solutions and the hardest boards */
#include "query/answer.h"
#include "page.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

/* A stream that writes into a text, which is cut where it is too long. NULL, with the error set, without memory. */
static FILE *words_begin(char *text, size_t size, pdb_error *error)
{
    memset(text, 0, size);
    FILE *words = fmemopen(text, size - 1, "w");
    if (words == NULL)
        error_no_memory(error, "a picture's text", size);
    return words;
}

/* "20 moves from the goal", behind the puzzle's name if `named`. */
static pdb_status describe(const struct session *session, bool named, const struct finding *finding, char *text,
                           size_t size, pdb_error *error)
{
    FILE *words = words_begin(text, size, error);
    if (words == NULL)
        return PDB_NO_MEMORY;
    if (named)
        fprintf(words, "%s: ", pdb_puzzle_name(session->puzzle));
    text_distance(session, finding, words);
    if (session->options->count && finding->solution.distance != PDB_NO_DISTANCE &&
        !pdb_puzzle_unordered(session->puzzle))
        fprintf(words, "; %s shortest solution%s", finding->count, strcmp(finding->count, "1") == 0 ? "" : "s");
    fclose(words);
    return PDB_OK;
}

/* -- boards -- */

static pdb_status one_grid(const struct session *session, const struct finding *findings, size_t count, FILE *out,
                           pdb_error *error)
{
    struct svg_section section = {.count = count, .picture = calloc(count, sizeof *section.picture)};
    if (section.picture == NULL)
        return error_no_memory(error, "pictures", count * sizeof *section.picture);
    pdb_status status = PDB_OK;
    for (size_t i = 0; i < count; i++)
        section.picture[i].board = &findings[i].board;
    if (count == 1) {
        status = describe(session, true, &findings[0], section.heading, sizeof section.heading, error);
    } else {
        snprintf(section.heading, sizeof section.heading, "%s", pdb_puzzle_name(session->puzzle));
        for (size_t i = 0; status == PDB_OK && i < count; i++)
            status = describe(session, false, &findings[i], section.picture[i].caption,
                              sizeof section.picture[i].caption, error);
    }
    if (status == PDB_OK)
        status = svg_page(&session->drawing, &section, 1, out, error);
    free(section.picture);
    return status;
}

/* -- solutions -- */

/* Every step of a solution, the board itself being step 0. */
static void picture_steps(const struct session *session, const struct finding *finding, struct svg_section *section)
{
    snprintf(section->picture[0].caption, sizeof section->picture[0].caption, "0.");
    for (uint32_t i = 0; finding->solution.path != NULL && i < finding->solution.distance; i++) {
        struct svg_picture *picture = &section->picture[section->count++];
        char text[DRAWN_MOVE_MAX];
        draw_move_text(&session->drawing, &finding->solution.path[i], text);
        snprintf(picture->caption, sizeof picture->caption, "%u. %s", i + 1, text);
        picture->board = &finding->solution.path[i].board;
        picture->before = picture[-1].board;
    }
}

/* The board and what is left of it when it is solved, where the order of moves does not matter. */
static void picture_solution(const struct finding *finding, struct svg_section *section)
{
    const uint32_t distance = finding->solution.distance;
    if (finding->solution.path == NULL || distance == 0)
        return;
    section->picture[section->count++].board = &finding->solution.path[distance - 1].board;
    snprintf(section->picture[1].caption, sizeof section->picture[1].caption, "A solution");
}

static pdb_status picture_path(const struct session *session, const struct finding *finding,
                               struct svg_section *section, pdb_error *error)
{
    const size_t most = 1 + (finding->solution.path != NULL ? (size_t)finding->solution.distance : 0);
    section->picture = calloc(most, sizeof *section->picture);
    if (section->picture == NULL)
        return error_no_memory(error, "pictures", most * sizeof *section->picture);
    section->count = 1;
    section->picture[0].board = &finding->board;
    if (pdb_puzzle_unordered(session->puzzle))
        picture_solution(finding, section);
    else
        picture_steps(session, finding, section);
    return describe(session, true, finding, section->heading, sizeof section->heading, error);
}

static pdb_status all_paths(const struct session *session, const struct finding *findings, size_t count, FILE *out,
                            pdb_error *error)
{
    struct svg_section *sections = calloc(count, sizeof *sections);
    if (sections == NULL)
        return error_no_memory(error, "pictures", count * sizeof *sections);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = picture_path(session, &findings[i], &sections[i], error);
    if (status == PDB_OK)
        status = svg_page(&session->drawing, sections, count, out, error);
    for (size_t i = 0; i < count; i++)
        free(sections[i].picture);
    free(sections);
    return status;
}

pdb_status svg_findings(const struct session *session, const struct finding *findings, size_t count, FILE *out,
                        pdb_error *error)
{
    return (session->options->path ? all_paths : one_grid)(session, findings, count, out, error);
}

/* -- the puzzle as a whole -- */

pdb_status svg_hardest(const struct session *session, const pdb_board *boards, size_t count, FILE *out,
                       pdb_error *error)
{
    struct svg_section section = {.count = count, .picture = calloc(count, sizeof *section.picture)};
    FILE *words = words_begin(section.heading, sizeof section.heading, error);
    if (section.picture == NULL || words == NULL) {
        if (words != NULL)
            fclose(words);
        free(section.picture);
        return error_no_memory(error, "pictures", count * sizeof *section.picture);
    }
    text_hardest_heading(session, count, words);
    fclose(words);
    for (size_t i = 0; i < count; i++) {
        section.picture[i].board = &boards[i];
        if (count > 1)
            snprintf(section.picture[i].caption, sizeof section.picture[i].caption, "%zu.", i + 1);
    }
    pdb_status status = svg_page(&session->drawing, &section, 1, out, error);
    free(section.picture);
    return status;
}
