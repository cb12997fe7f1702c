/* head.c -- what stands above the boards of a page: the title, the goal, what moves are and cost, what symbols mean */
#include "page.h"

#include <ctype.h>
#include <string.h>

enum {
    GOAL_WIDTH = 160, /* it is drawn in a box of this size */
    GOAL_HEIGHT = 88
};

/* -- what moves cost -- */

enum { PRICES = 24, PRICE_NAME = 48 };

/* Moves by their names, and what each costs, the cheapest first. */
struct prices {
    size_t count;
    struct {
        char name[PRICE_NAME];
        uint32_t cost;
    } of[PRICES];
};

/* False where there are too many, or one of that name costs something else. */
static bool note_price(struct prices *prices, const char *name, size_t length, uint32_t cost)
{
    size_t at = prices->count;
    for (size_t i = 0; i < prices->count; i++)
        if (strlen(prices->of[i].name) == length && strncmp(prices->of[i].name, name, length) == 0)
            return prices->of[i].cost == cost;
    if (at == PRICES || length >= PRICE_NAME)
        return false;
    for (; at > 0 && prices->of[at - 1].cost > cost; at--)
        prices->of[at] = prices->of[at - 1];
    prices->count++;
    snprintf(prices->of[at].name, PRICE_NAME, "%.*s", (int)length, name);
    prices->of[at].cost = cost;
    return true;
}

/* Notes all moves that can be made at a board, by their first word or by all of them. */
static bool note_moves(const struct sheet *sheet, const pdb_board *board, bool first_word, struct prices *prices)
{
    char text[DRAWN_MOVE_MAX];
    pdb_moves moves = {0};
    bool good = pdb_board_moves(sheet->asked->puzzle, board, &moves, NULL) == PDB_OK;
    for (size_t m = 0; m < moves.count && good; m++) {
        draw_move_text(&sheet->asked->drawing, &moves.move[m], text);
        good = note_price(prices, text, first_word ? strcspn(text, " ") : strlen(text), moves.move[m].cost);
    }
    pdb_moves_free(&moves);
    return good;
}

/* The same at all boards of the sheet, and on the way of their solutions. */
static bool note_all(const struct sheet *sheet, bool first_word, struct prices *prices)
{
    bool good = true;
    *prices = (struct prices){0};
    for (size_t i = 0; i < sheet->count && good; i++) {
        const struct finding *finding = &sheet->findings[i];
        good = note_moves(sheet, &finding->board, first_word, prices);
        for (uint32_t step = 0; step < finding->solution.steps && good; step++)
            good = note_moves(sheet, &finding->solution.path[step].board, first_word, prices);
    }
    return good && prices->count > 0;
}

static uint32_t dearest(const struct prices *prices)
{
    uint32_t cost = 0;
    for (size_t i = 0; i < prices->count; i++)
        cost = prices->of[i].cost > cost ? prices->of[i].cost : cost;
    return cost;
}

/* Each by its name, if that is short, their first words, or all of them, tell, and none that is dearer is left out;
 * else that solutions say it. */
static void write_costs(const struct sheet *sheet, char text[TEXT_HEADING_MAX])
{
    struct prices prices;
    size_t length = 0;
    bool good = (note_all(sheet, true, &prices) || note_all(sheet, false, &prices)) &&
                dearest(&prices) == pdb_puzzle_max_cost(sheet->asked->puzzle);
    for (size_t i = 0; i < prices.count && good; i++) {
        const int more = snprintf(text + length, TEXT_HEADING_MAX - length, "%s%s %u",
                                  i == 0 ? "What moves cost here: " : ", ", prices.of[i].name, prices.of[i].cost);
        length += more > 0 ? (size_t)more : 0;
        good = length + 1 < TEXT_HEADING_MAX;
    }
    if (good)
        strcpy(text + length, ".");
    else
        snprintf(text, TEXT_HEADING_MAX, "A move costs %u at most; what each costs stands with the solutions.",
                 pdb_puzzle_max_cost(sheet->asked->puzzle));
}

void head_begin(struct sheet *sheet)
{
    const pdb_puzzle *puzzle = sheet->asked->puzzle;
    if (!sheet->slots && pdb_board_parse(puzzle, "goal", &sheet->goal_board, NULL) == PDB_OK)
        sheet->goal = GOAL_BOARD;
    else if (!sheet->slots && svg_grid_read_goal(sheet->grid))
        sheet->goal = GOAL_WITH_OPEN_CELLS;
    if (pdb_puzzle_max_cost(puzzle) > 1)
        write_costs(sheet, sheet->costs);
}

/* -- the goal -- */

/* Draws the goal. */
static void put_goal(struct sheet *sheet, struct svg *svg, int x, int y, double scale)
{
    if (sheet->goal == GOAL_BOARD) {
        page_put_board(sheet, svg, &sheet->goal_board, x, y, scale);
        return;
    }
    svg_group(svg, "transform=\"translate(%d %d) scale(%.3f)\"", x, y, scale);
    svg_goal_draw(sheet->grid, svg, 0, 0);
    svg_group_end(svg);
}

static const char *goal_caption(const struct sheet *sheet)
{
    return sheet->goal == GOAL_BOARD ? "The goal" : "The goal (dashed: anything)";
}

/* What a goal of this width takes of a line, with what stands above it. */
static int goal_width(const struct sheet *sheet, int shown)
{
    const int caption = svg_text_width(goal_caption(sheet), faint_style.size);
    return sheet->goal == GOAL_IN_WORDS ? 0 : (caption > shown ? caption : shown) + GAP;
}

/* -- texts -- */

/* A sentence begins with a capital and has a full stop. */
static void write_sentence(const char *words, char text[TEXT_HEADING_MAX])
{
    snprintf(text, TEXT_HEADING_MAX, "%.*s", text_fitting(words, 200), words);
    *text = (char)toupper((unsigned char)*text);
    if (*text != '\0' && strchr(".!?", text[strlen(text) - 1]) == NULL)
        strcat(text, ".");
}

/* Is a symbol that is drawn as a figure called by its letter in a move of a solution? Then that has to be told. */
static bool is_named(const struct sheet *sheet, int symbol)
{
    const struct drawing *drawing = &sheet->asked->drawing;
    const char *name = draw_symbol(drawing, symbol);
    const size_t length = strlen(name);
    char move[DRAWN_MOVE_MAX];
    for (size_t i = 0; i < sheet->count && length > 0; i++)
        for (uint32_t step = 0; step < sheet->findings[i].solution.steps; step++) {
            draw_move_text(drawing, &sheet->findings[i].solution.path[step], move);
            for (const char *word = move; *word != '\0'; word += strcspn(word, " "), word += strspn(word, " "))
                if (strcspn(word, " ") == length && strncmp(word, name, length) == 0)
                    return true;
        }
    return false;
}

/* What symbols mean, in a third of a page at most; what does not fit is counted. Returns its height. */
static int put_legend(const struct sheet *sheet, struct svg *svg, int top, int width)
{
    const pdb_puzzle *puzzle = sheet->asked->puzzle;
    const int end = top + sheet->paper->height / 3 - faint_style.line;
    char text[TEXT_HEADING_MAX], symbols[LEGEND_TEXT_MAX];
    unsigned left = 0;
    int y = top;
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(puzzle); symbol++) {
        const struct drawing *drawing = &sheet->asked->drawing;
        const char *legend = pdb_symbol_legend(puzzle, symbol);
        const int size = faint_style.line - 2;
        const bool figure = svg_legend_figure(drawing, NULL, symbol, 0, 0, size);
        const int indent = figure ? size + 6 : 0;
        draw_legend_symbols(drawing, symbol, symbols);
        const bool explained = *symbols != '\0', named = figure && is_named(sheet, symbol);
        if (!explained && (!named || *legend != '\0'))
            continue;
        if (!explained)
            snprintf(symbols, sizeof symbols, "%s", draw_symbol(drawing, symbol));
        else if (figure && !named)
            *symbols = '\0';
        snprintf(text, sizeof text, "%.*s%s%.*s", text_fitting(symbols, 150), symbols,
                 explained && *symbols != '\0' ? "  " : "", text_fitting(legend, 80), legend);
        left += left > 0 || y + page_put_lines(NULL, &faint_style, text, 0, 0, width - indent) > end;
        if (left == 0) {
            svg_legend_figure(drawing, svg, symbol, MARGIN, y, size);
            y += page_put_lines(svg, &faint_style, text, MARGIN + indent, y, width - indent);
        }
    }
    snprintf(text, sizeof text, "and %u more", left);
    return y - top + (left > 0 ? page_put_lines(svg, &faint_style, text, MARGIN, y, width) : 0);
}

int head_put(struct sheet *sheet, struct svg *svg, int top)
{
    const pdb_puzzle *puzzle = sheet->asked->puzzle;
    char text[TEXT_HEADING_MAX], goal[PDB_TEXT_MAX];
    const double down = (double)GOAL_HEIGHT / sheet->grid->height, across = (double)GOAL_WIDTH / sheet->grid->width,
                 scale = down < across ? down : across;
    const int shown = (int)(scale * sheet->grid->width), width = page_room(sheet) - goal_width(sheet, shown);
    int y = top;
    y += page_put_lines(svg, &title_style, pdb_puzzle_name(puzzle), MARGIN, y, width);
    write_sentence(pdb_puzzle_title(puzzle), text);
    pdb_puzzle_goal(puzzle, goal);
    if (*text == '\0' && sheet->goal == GOAL_IN_WORDS && !sheet->slots)
        snprintf(text, sizeof text, "The goal, with * for any cell: %.*s", text_fitting(goal, 180), goal);
    y += page_put_lines(svg, &words_style, text, MARGIN, y, width);
    const char *metric = pdb_puzzle_metric(puzzle);
    if (!sheet->slots && pdb_puzzle_max_cost(puzzle) == 1 && strcmp(metric, "one move") != 0) {
        snprintf(text, sizeof text, "What counts as one move: %.*s.", text_fitting(metric, 200), metric);
        y += page_put_lines(svg, &faint_style, text, MARGIN, y + 2, width) + 2;
    }
    y += page_put_lines(svg, &faint_style, sheet->costs, MARGIN, y + 2, width) + 2;
    y += put_legend(sheet, svg, y, width);
    if (sheet->goal != GOAL_IN_WORDS && svg != NULL) {
        const int x = sheet->paper->width - MARGIN - shown;
        svg_text(svg, x + shown, top + 9, SVG_END, faint_style.attributes, goal_caption(sheet));
        put_goal(sheet, svg, x, top + 16, scale);
    }
    if (sheet->goal != GOAL_IN_WORDS && y - top < 16 + (int)(scale * sheet->grid->height))
        y = top + 16 + (int)(scale * sheet->grid->height);
    return y - top + GAP;
}
