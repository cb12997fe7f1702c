/* text.c -- answers as text for people */
#include "answer.h"
#include "lib/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* "goat: 20 moves from the goal" */
static void put_heading(const struct session *session, const struct finding *finding, FILE *out)
{
    char text[TEXT_DISTANCE_MAX];
    fprintf(out, "%s: %s", pdb_puzzle_name(session->asked.puzzle), text_distance(&session->asked, finding, text));
}

/* More moves than these are put side by side. */
enum { MOVES_BELOW_EACH_OTHER = 24 };

enum { MOVE_LINE_MAX = 2 * DRAWN_MOVE_MAX + 64 + PDB_COUNT_MAX }; /* bytes: words, what pads them, and the rest */

/* "1 solution" */
static const char *plural_of(const char *count)
{
    return strcmp(count, "1") == 0 ? "" : "s";
}

/* Move number i: its words and how far it leads; a best one has a star. `width` is that of the longest. */
static void write_move(const struct session *session, const struct finding *finding, size_t i, unsigned width,
                       char line[MOVE_LINE_MAX])
{
    const struct drawing *drawing = &session->asked.drawing;
    const pdb_move *move = &finding->solution.moves.move[i];
    char text[DRAWN_MOVE_MAX], distance[16] = "   -", cost[24] = "", first[PDB_COUNT_MAX + 24] = "";
    draw_move_text(drawing, move, text);
    if (move->distance != PDB_NO_DISTANCE)
        snprintf(distance, sizeof distance, "%4u", move->distance);
    if (pdb_puzzle_max_cost(session->asked.puzzle) > 1)
        snprintf(cost, sizeof cost, "  (cost %u)", move->cost);
    if (finding->first != NULL && move->optimal)
        snprintf(first, sizeof first, "  %s solution%s", finding->first[i], plural_of(finding->first[i]));
    snprintf(line, MOVE_LINE_MAX, "%s%c %s%*s  %s%s%s%s", move->optimal ? draw_look(drawing, LOOK_BOLD) : "",
             move->optimal ? '*' : ' ', text, (int)(width - text_columns(text)), "", distance, cost, first,
             move->optimal ? draw_look(drawing, LOOK_PLAIN) : "");
}

static void put_moves(const struct session *session, const struct finding *finding, FILE *out)
{
    const pdb_moves *moves = &finding->solution.moves;
    unsigned width = 0;
    for (size_t i = 0; i < moves->count; i++) {
        char text[DRAWN_MOVE_MAX];
        draw_move_text(&session->asked.drawing, &moves->move[i], text);
        if (width < text_columns(text))
            width = text_columns(text);
    }
    const bool columns = moves->count > MOVES_BELOW_EACH_OTHER;
    char **texts = columns ? calloc(moves->count, sizeof *texts) : NULL, line[MOVE_LINE_MAX];
    char *room = columns ? calloc(moves->count, MOVE_LINE_MAX) : NULL;
    for (size_t i = 0; i < moves->count; i++) {
        write_move(session, finding, i, width, line);
        if (texts == NULL || room == NULL) /* one below the other needs no memory */
            fprintf(out, "  %s\n", line);
        else
            texts[i] = strcpy(room + i * MOVE_LINE_MAX, line);
    }
    if (texts != NULL && room != NULL) {
        fputs("  ", out);
        draw_columns(&session->asked.drawing, texts, moves->count, 2, out);
    }
    free(texts);
    free(room);
    if (moves->count == 0)
        fputs("  no move is possible\n", out);
}

static void put_path(const struct session *session, const struct finding *finding, FILE *out)
{
    struct captioned *pictures = calloc((size_t)finding->solution.steps + 1, sizeof *pictures);
    if (pictures != NULL) {
        caption_steps(&session->asked, finding, pictures);
        draw_boards(&session->asked.drawing, pictures, finding->solution.steps, out);
    } else { /* then the moves alone, which need no memory */
        for (uint32_t i = 0; i < finding->solution.steps; i++)
            fprintf(out, "  %u. %s\n", i + 1, finding->solution.path[i].text);
    }
    free(pictures);
}

/* Solutions in a list, a line each: the moves of it, or, where their order does not matter, the board. */
struct path_lines {
    const struct session *session;
    FILE *out;
    uint64_t number;    /* of those that were written */
    const char *before; /* in each line; NULL: its number */
};

static bool put_path_line(void *context, const pdb_move *path, uint32_t steps)
{
    struct path_lines *lines = context;
    const struct session *session = lines->session;
    const bool slots = pdb_puzzle_unordered(session->asked.puzzle);
    char text[PDB_TEXT_MAX];
    lines->number++;
    if (lines->before != NULL)
        fputs(lines->before, lines->out);
    else
        fprintf(lines->out, "%5llu. ", (unsigned long long)lines->number);
    if (slots && steps > 0) {
        pdb_board_format(session->asked.puzzle, &path[steps - 1].board, text);
        fputs(text, lines->out);
    }
    for (uint32_t i = 0; !slots && i < steps; i++) {
        char move[DRAWN_MOVE_MAX];
        draw_move_text(&session->asked.drawing, &path[i], move);
        fprintf(lines->out, "%s%s", i > 0 ? ", " : "", lines->before == NULL ? move : path[i].text);
    }
    putc('\n', lines->out);
    return true;
}

static pdb_status put_paths(const struct session *session, const struct finding *finding, const char *gap, FILE *out,
                            pdb_error *error)
{
    struct path_lines lines = {.session = session, .out = out};
    char number[NUMBER_TEXT_MAX];
    if (finding->solution.distance == PDB_NO_DISTANCE || finding->solution.distance == 0)
        return PDB_OK;
    fprintf(out, "%s%s:\n\n", gap, pdb_puzzle_unordered(session->asked.puzzle) ? "Solutions" : "Shortest solutions");
    pdb_status status = paths_visit(&session->asked, finding, out, put_path_line, &lines, error);
    const bool all = lines.number < session->asked.paths;
    if (status == PDB_OK && !all && lines.number == 1)
        fputs("\nthe first solution\n", out);
    else if (status == PDB_OK)
        fprintf(out, "\n%s%s solution%s%s\n", all ? "" : "the first ", number_text(lines.number, number),
                plural(lines.number), all ? " in all" : "");
    return status;
}

/* What was counted, and a solution, where the order of moves does not matter. `gap` is put before the first of them. */
static void put_solutions(const struct session *session, const struct finding *finding, const char *gap, FILE *out)
{
    const uint32_t distance = finding->solution.distance;
    if (session->options->count) {
        fprintf(out, "%s%s solution%s\n", gap, finding->count, plural_of(finding->count));
        gap = "\n";
    }
    if (finding->solution.path == NULL || distance == 0)
        return;
    fprintf(out, "%sA solution:\n\n", gap);
    draw_board(&session->asked.drawing, &finding->solution.path[distance - 1].board, 4, out);
}

void text_found(const struct session *session, const struct finding *finding, FILE *out)
{
    const uint64_t nodes = finding->solution.nodes;
    char number[NUMBER_TEXT_MAX];
    pdb_info info;
    pdb_solver_info(session->asked.solver, &info);
    put_heading(session, finding, out);
    /* How it was found out, where that was not by a database; no nodes: the goal itself, or one that a proof is at hand
     * for. */
    if (info.search != NULL && nodes > 0)
        fprintf(out, " (searched%s%s: %s board%s looked at)", info.shape != NULL ? " with pattern databases " : "",
                info.shape != NULL ? info.shape : "", number_text(nodes, number), plural(nodes));
    else if (info.search == NULL && info.method == PDB_SEARCH)
        fputs(" (searched: no database was used)", out);
    fputs("\n\n", out);
    draw_board(&session->asked.drawing, &finding->board, 4, out);
    draw_legend(&session->asked.drawing, "\n", 4, out);
    putc('\n', out);
}

static pdb_status put_rest(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error)
{
    /* the other moves were not searched */
    const bool one_line = session->asked.searches && !session->asked.first &&
                          (session->options->path || session->asked.paths > 0);
    const bool listed = finding->solution.distance != PDB_NO_DISTANCE && !one_line;
    const char *gap = listed ? "\n" : "";
    if (listed)
        put_moves(session, finding, out);
    if (pdb_puzzle_unordered(session->asked.puzzle)) {
        put_solutions(session, finding, gap, out);
        gap = session->options->count ? "\n" : gap;
        return session->asked.paths > 0 ? put_paths(session, finding, gap, out, error) : PDB_OK;
    }
    if (session->options->count && finding->solution.distance != PDB_NO_DISTANCE)
        fprintf(out, "\n%s shortest solution%s\n", finding->count, plural_of(finding->count));
    if (finding->solution.path != NULL && finding->solution.steps > 0) {
        fprintf(out, "%sA shortest solution:\n\n", one_line ? "" : "\n");
        put_path(session, finding, out);
        char *typed[2];
        const pdb_status status = finding_typed(&session->asked, finding, typed, error);
        if (typed[0] != NULL)
            fprintf(out, "\nsolution: %s\n", typed[0]);
        if (typed[1] != NULL)
            fprintf(out, "scramble: %s\n", typed[1]);
        free(typed[0]);
        free(typed[1]);
        if (status != PDB_OK)
            return status;
    }
    gap = session->options->count ? "\n" : gap;
    return session->asked.paths > 0 ? put_paths(session, finding, gap, out, error) : PDB_OK;
}

pdb_status text_rest(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error)
{
    const bool moves = finding->solution.distance != PDB_NO_DISTANCE; /* without, the board comes last, and a gap */
    const pdb_status status = put_rest(session, finding, out, error);
    if (status == PDB_OK && session->options->bounds) {
        fputs(moves ? "\n" : "", out);
        text_bounds(session, &finding->bounds, out);
    }
    return status;
}

/* In a line: the bound that a search begins with. */
static void put_taken(const struct session *session, const struct finding *finding, FILE *out)
{
    const pdb_bounds *bounds = &finding->bounds;
    for (size_t i = 0; session->options->bounds && i < bounds->count; i++)
        if (bounds->bound[i].taken && bounds->bound[i].value != PDB_NO_DISTANCE)
            fprintf(out, "\tat least %u: %s", bounds->bound[i].value, bounds->bound[i].name);
        else if (bounds->bound[i].taken)
            fprintf(out, "\tnever: %s", bounds->bound[i].name);
}

pdb_status text_line(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error)
{
    const pdb_moves *moves = &finding->solution.moves;
    char board[PDB_TEXT_MAX], before[PDB_TEXT_MAX + 16];
    pdb_board_format(session->asked.puzzle, &finding->board, board);
    if (finding->unsolved || finding->solution.distance == PDB_NO_DISTANCE) {
        fprintf(out, "%s%s", board, finding->unsolved ? "" : "\tunreachable");
        put_taken(session, finding, out);
        putc('\n', out);
        return PDB_OK;
    }
    snprintf(before, sizeof before, "%s\t%u\t", board, finding->solution.distance);
    if (session->asked.paths > 0) {
        struct path_lines lines = {.session = session, .out = out, .before = before};
        return paths_visit(&session->asked, finding, out, put_path_line, &lines, error);
    }
    fputs(before, out);
    const char *separator = "";
    for (size_t i = 0; finding->solution.path == NULL && i < moves->count; i++)
        if (moves->move[i].optimal) {
            fprintf(out, "%s%s", separator, moves->move[i].text);
            if (finding->first != NULL)
                fprintf(out, " (%s)", finding->first[i]);
            separator = " | ";
        }
    for (uint32_t i = 0; finding->solution.path != NULL && i < finding->solution.steps; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", finding->solution.path[i].text);
    if (session->options->count)
        fprintf(out, "\t%s", finding->count);
    put_taken(session, finding, out);
    putc('\n', out);
    return PDB_OK;
}

void text_complaint(const char *line, const char *message, FILE *out)
{
    fprintf(out, "%s\terror\t%s\n", line, message);
}

/* Of a move's text only which piece it is: "8 (row 1, column 2)" of "8 (row 1, column 2) down". */
static void keep_piece(pdb_move *move)
{
    const size_t code = strlen(move->piece);
    const char *end = strncmp(move->text, move->piece, code) == 0 && strncmp(move->text + code, " (", 2) == 0
                          ? strchr(move->text + code, ')')
                          : NULL;
    if (end != NULL)
        move->text[end + 1 - move->text] = '\0';
    else
        strcpy(move->text, move->piece);
}

void text_hint(const struct session *session, const struct finding *finding, FILE *out)
{
    const pdb_move *best = finding_best(finding);
    char distance[TEXT_DISTANCE_MAX];
    fputs(text_distance(&session->asked, finding, distance), out);
    if (best != NULL && session->options->hint >= 2) {
        char text[DRAWN_MOVE_MAX];
        pdb_move piece = *best;
        if (session->options->hint == 2)
            keep_piece(&piece);
        draw_move_text(&session->asked.drawing, &piece, text);
        if (*text != '\0') /* rules move no piece */
            fprintf(out, "; %s %s", pdb_puzzle_unordered(session->asked.puzzle) ? "next" : "move", text);
    }
    putc('\n', out);
}

void text_random(const struct session *session, const struct finding *finding, const char *text, FILE *out)
{
    put_heading(session, finding, out);
    fputs("\n\n", out);
    draw_board(&session->asked.drawing, &finding->board, 4, out);
    fprintf(out, "\n%s\n", text);
}

void text_hardest(const struct session *session, const pdb_board *boards, size_t count, FILE *out)
{
    char heading[TEXT_HEADING_MAX];
    fprintf(out, "%s\n\n", text_hardest_heading(&session->asked, count, heading));
    struct captioned *pictures = calloc(count + 1, sizeof *pictures);
    if (pictures != NULL) {
        caption_boards(&session->asked, boards, count, pictures);
        draw_boards(&session->asked.drawing, pictures, count, out);
    }
    for (size_t i = 0; pictures == NULL && i < count; i++) { /* one below the other, which needs no memory */
        draw_board(&session->asked.drawing, &boards[i], 2, out);
        putc('\n', out);
    }
    free(pictures);
}

/* A bar of eighths of a column, or of # with --ascii; never empty for a number that is not. */
static void put_bar(const struct session *session, uint64_t number, uint64_t most, unsigned width, FILE *out)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (session->asked.drawing.ascii) {
        unsigned columns = (unsigned)((double)number / (double)most * width + 0.5);
        for (unsigned i = 0; i < columns + (columns == 0 && number > 0); i++)
            putc('#', out);
        return;
    }
    unsigned length = (unsigned)((double)number / (double)most * 8 * width + 0.5);
    length += length == 0 && number > 0;
    for (unsigned i = 0; i < length / 8; i++)
        fputs("█", out);
    fputs(eighths[length % 8], out);
}

/* A share of all, per cent: 100 for all of them only. */
static double share_of(uint64_t part, uint64_t all)
{
    const double share = 100 * (double)part / (double)all;
    return part < all && share > 99.9 ? 99.9 : share;
}

/* What the distances are of, and how far they go. */
static void put_histogram_heading(const struct session *session, const pdb_info *info, FILE *out)
{
    char number[NUMBER_TEXT_MAX], length[TEXT_LENGTH_MAX];
    fprintf(out, "%s: %s ", pdb_puzzle_name(session->asked.puzzle), number_text(info->reachable, number));
    if (pdb_puzzle_enumerated(session->asked.puzzle))
        fprintf(out, "%s, at most %u %s%s, %.3f in the mean\n", pdb_puzzle_items(session->asked.puzzle), info->max,
                pdb_puzzle_unit(session->asked.puzzle), plural(info->max), mean_distance(info));
    else if (pdb_puzzle_unordered(session->asked.puzzle))
        fprintf(out, "assignments that can be completed, at most %u slot%s empty, %.2f in the mean\n", info->max,
                plural(info->max), mean_distance(info));
    else if (info->max == 0)
        fprintf(out, "state%s, all at the goal already: no other board reaches it\n", plural(info->reachable));
    else
        fprintf(out, "states, at most %s from the goal, %.2f in the mean\n",
                text_length(&session->asked, info->max, length), mean_distance(info));
}

/* Distances below the greatest that no state has, in a row from this one on. */
static uint32_t empty_from(const pdb_info *info, uint32_t distance)
{
    uint32_t end = distance;
    while (end < info->max && info->histogram[end] == 0)
        end++;
    return end - distance;
}

void text_histogram(const struct session *session, FILE *out)
{
    enum { BAR_LEAST = 4, FEW_EMPTY = 2 };
    pdb_info info;
    char number[NUMBER_TEXT_MAX];
    uint64_t most = 0, within = 0, below = 0;
    pdb_solver_info(session->asked.solver, &info);
    const uint32_t median = median_distance(&info);
    for (uint32_t d = 0; d <= info.max; d++) {
        most = info.histogram[d] > most ? info.histogram[d] : most;
        below += d < median ? info.histogram[d] : 0;
    }
    put_histogram_heading(session, &info, out);
    fprintf(out, "the median is %u: %.1f %% are below it, %.1f %% above\n\n", median, share_of(below, info.reachable),
            share_of(info.reachable - below - info.histogram[median], info.reachable));
    const int column = (int)strlen(number_text(most, number));
    const unsigned before = (unsigned)column + 15;
    const unsigned width = session->asked.drawing.width > before + BAR_LEAST ? session->asked.drawing.width - before
                                                                             : BAR_LEAST;
    for (uint32_t d = 0; d <= info.max; d++) {
        const uint32_t empty = empty_from(&info, d);
        if (empty > FEW_EMPTY) { /* where moves cost much, most are */
            fputs("  ...\n", out);
            d += empty;
        }
        within += info.histogram[d];
        fprintf(out, "%5u %*s %5.1f %% %s", d, column, number_text(info.histogram[d], number),
                share_of(within, info.reachable),
                draw_look(&session->asked.drawing, d <= median ? LOOK_LOW_BAR : LOOK_HIGH_BAR));
        put_bar(session, info.histogram[d], most, width, out);
        fprintf(out, "%s\n", draw_look(&session->asked.drawing, LOOK_PLAIN));
    }
}

/* How many states there are and how far they go; where that is not known, at most how many, and what answers. */
static void put_space(const struct session *session, const pdb_info *info, FILE *out)
{
    const bool enumerated = pdb_puzzle_enumerated(session->asked.puzzle), known = info->histogram != NULL;
    const double size = pdb_puzzle_size(session->asked.puzzle);
    char number[NUMBER_TEXT_MAX], length[TEXT_LENGTH_MAX];
    if (known && enumerated) {
        fprintf(out, "%-10s  %s\n", pdb_puzzle_items(session->asked.puzzle), number_text(info->reachable, number));
        fprintf(out, "greatest    %u %s%s", info->max, pdb_puzzle_unit(session->asked.puzzle), plural(info->max));
        fprintf(out, " (%s of them)\n", number_text(info->hardest, number));
        fprintf(out, "mean        %.3f\n", mean_distance(info));
        return;
    }
    if (known) {
        fprintf(out, "states      %s\n", number_text(info->reachable, number));
        fprintf(out, "numbers     %s in use\n", number_text(info->states, number));
        fprintf(out, "greatest    %s", text_length(&session->asked, info->max, length));
        fprintf(out, " (%s board%s)\n", number_text(info->hardest, number), plural(info->hardest));
        return;
    }
    if (size > 0)
        fprintf(out, "%-10s  %s %s\n", enumerated ? pdb_puzzle_items(session->asked.puzzle) : "states",
                info->states == 0 ? "about" : "at most", count_text(info->states, size, number));
    if (info->search != NULL)
        fprintf(out, "search      %s\n", info->search);
    if (info->patterns != NULL) {
        fprintf(out, "patterns    %s: %s\n", info->shape, info->patterns);
        fprintf(out, "entries     %s\n", number_text(info->entries, number));
    }
}

void text_info(const struct session *session, FILE *out)
{
    pdb_info info;
    char goal[PDB_TEXT_MAX], number[NUMBER_TEXT_MAX];
    asked_info(&session->asked, &info);
    pdb_puzzle_goal(session->asked.puzzle, goal);
    fprintf(out, "puzzle      %s\n", pdb_puzzle_name(session->asked.puzzle));
    if (*pdb_puzzle_title(session->asked.puzzle) != '\0')
        fprintf(out, "title       %s\n", pdb_puzzle_title(session->asked.puzzle));
    if (!pdb_puzzle_enumerated(session->asked.puzzle)) {
        const bool open = strspn(goal, "*,/ ") == strlen(goal); /* then a board says nothing of it */
        fprintf(out, "goal        %s\n", open ? "a condition (in the definition)" : goal);
        fprintf(out, "one move    %s\n", pdb_puzzle_metric(session->asked.puzzle));
    }
    put_space(session, &info, out);
    if (info.encoding != NULL)
        fprintf(out, "encoding    %s\n", info.encoding);
    if (*info.definition != '\0')
        fprintf(out, "definition  %s\n", info.definition);
    if (session->asked.solver == NULL) { /* which puzzles have no database, pdb-gen knows */
        const char *directory = session->options->solver.directory;
        fprintf(out, "database    none yet: pdb-gen %s%s%s%s makes one, or says why not\n",
                directory != NULL ? "-d " : "", directory != NULL ? directory : "", directory != NULL ? " " : "",
                session->options->puzzle);
    } else if (info.file == NULL) {
        fputs("database    not used: searched on the spot\n", out);
    } else {
        fprintf(out, "content     %s\n", info.content);
        fprintf(out, "generator   pdb %s\n", info.generator);
        char file[PATH_MAX];
        fprintf(out, "database    %s (%s bytes)\n", text_shown(info.file, file, sizeof file),
                number_text(info.file_bytes, number));
    }
}
