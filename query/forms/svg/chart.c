/* chart.c -- the histogram as an SVG document: a bar for each distance, with axes, mean and median
 *
 * Where distances are more than the plot has units, each bar stands for 2, 5, 10, ... of them: costs go into the
 * hundred thousands. */
#include "query/forms/forms.h"
#include "svg.h"
#include "lib/text.h"

#include <string.h>

enum {
    PLOT_WIDTH = 700, /* at most: bars are whole units wide */
    PLOT_HEIGHT = 280,
    MOST_BAR = 56, /* the widest bar, with its gap */
    MARGIN = 16,
    HEADING = 15,
    SMALL = 11, /* the size of figures */
    TICK = 4,
    BELOW = 48,    /* what lies below the bars: the axis and its name */
    MEAN_ROW = 26, /* where the mean and the median have their names */
    FEW_BARS = 24  /* up to so many have their figures above them */
};

enum figures { FIGURES_UPRIGHT, FIGURES_TURNED, FIGURES_FEW };

struct chart {
    const struct asked *asked;
    pdb_info info;
    struct svg svg;
    uint32_t span; /* distances a bar */
    uint32_t bars;
    uint64_t most;        /* states of the highest bar */
    int left, top, width; /* of the plot, where the bars are */
    int bar;              /* a bar's width, with its gap */
    enum figures figures; /* above the bars */
};

/* To the nearest whole unit; lengths are not below 0. */
static int rounded(double length)
{
    return (int)(length + 0.5);
}

static int bottom_of(const struct chart *chart)
{
    return chart->top + PLOT_HEIGHT;
}

static double height_of(const struct chart *chart, uint64_t number)
{
    return (double)number / (double)chart->most * PLOT_HEIGHT;
}

/* The middle of a distance's bar; distances between two whole ones lie between their bars. */
static int middle_of(const struct chart *chart, double distance)
{
    return rounded(chart->left + (distance + 0.5) / chart->span * chart->bar);
}

/* The last distance of a bar. */
static uint32_t last_of(const struct chart *chart, uint32_t bar)
{
    return bar == chart->bars - 1 ? chart->info.max : (bar + 1) * chart->span - 1;
}

/* The states of a bar. */
static uint64_t states_of(const struct chart *chart, uint32_t bar)
{
    uint64_t states = 0;
    for (uint32_t d = bar * chart->span; d <= last_of(chart, bar); d++)
        states += chart->info.histogram[d];
    return states;
}

/* -- words -- */

/* What is counted: "states". */
static const char *counted(const struct asked *asked)
{
    if (pdb_puzzle_enumerated(asked->puzzle))
        return pdb_puzzle_items(asked->puzzle);
    return pdb_puzzle_unordered(asked->puzzle) ? "assignments" : "states";
}

/* What distances count: "moves from the goal". */
static void distance_words(const struct asked *asked, char *words, size_t size)
{
    if (pdb_puzzle_enumerated(asked->puzzle))
        snprintf(words, size, "%ss", pdb_puzzle_unit(asked->puzzle));
    else if (pdb_puzzle_max_cost(asked->puzzle) > 1)
        snprintf(words, size, "cost from the goal");
    else
        snprintf(words, size, "%s", pdb_puzzle_unordered(asked->puzzle) ? "slots empty" : "moves from the goal");
}

/* -- axes -- */

/* The distance between two ticks: 1, 2 or 5 times a power of ten, so that at most `most` fit into the range. */
static uint64_t tick_step(uint64_t range, unsigned most)
{
    static const unsigned factor[] = {1, 2, 5};
    for (uint64_t power = 1;; power *= 10)
        for (unsigned i = 0; i < 3; i++)
            if (range / (factor[i] * power) <= most)
                return factor[i] * power;
}

static void put_vertical_axis(struct chart *chart)
{
    char number[NUMBER_TEXT_MAX], turn[64];
    const uint64_t step = tick_step(chart->most, 6);
    svg_group(&chart->svg, "class=\"y-axis\" font-size=\"%d\" text-anchor=\"end\" fill=\"#444444\"", SMALL);
    for (uint64_t tick = 0; tick <= chart->most; tick += step) {
        const int y = bottom_of(chart) - rounded(height_of(chart, tick));
        svg_element(&chart->svg, "path d=\"M%d %dh%d\" stroke=\"%s\"", chart->left - TICK, y, chart->width + TICK,
                    tick == 0 ? "#444444" : "#dde1e5");
        svg_text(&chart->svg, chart->left - TICK - 4, y + 4, SVG_START, "", number_text(tick, number));
    }
    svg_group_end(&chart->svg);
    const int x = MARGIN + HEADING - 4, y = chart->top + PLOT_HEIGHT / 2;
    snprintf(turn, sizeof turn, " transform=\"rotate(-90 %d %d)\"", x, y);
    svg_text(&chart->svg, x, y, SVG_MIDDLE, turn, counted(chart->asked));
}

static void put_horizontal_axis(struct chart *chart)
{
    char words[128];
    snprintf(words, sizeof words, "%u", chart->info.max);
    const int room = svg_text_width(words, SMALL) + 6;
    const uint64_t step = tick_step(chart->info.max, (unsigned)(chart->width / room));
    svg_group(&chart->svg, "class=\"x-axis\" font-size=\"%d\" text-anchor=\"middle\" fill=\"#444444\"", SMALL);
    for (uint64_t tick = 0; tick <= chart->info.max; tick += step) {
        const int x = middle_of(chart, (double)tick);
        snprintf(words, sizeof words, "%llu", (unsigned long long)tick);
        svg_element(&chart->svg, "path d=\"M%d %dv%d\" stroke=\"#444444\"", x, bottom_of(chart), TICK);
        svg_text(&chart->svg, x, bottom_of(chart) + TICK + SMALL + 1, SVG_START, "", words);
    }
    svg_group_end(&chart->svg);
    distance_words(chart->asked, words, sizeof words);
    if (chart->span > 1)
        snprintf(words + strlen(words), sizeof words - strlen(words), ", %u a bar", chart->span);
    svg_text(&chart->svg, chart->left + chart->width / 2, bottom_of(chart) + BELOW - 12, SVG_MIDDLE, "", words);
}

/* -- bars -- */

static void put_bars(struct chart *chart)
{
    char title[96], number[NUMBER_TEXT_MAX];
    const int gap = chart->bar >= 4 ? 1 + chart->bar / 10 : 0;
    svg_group(&chart->svg, "class=\"bars\" fill=\"#5b8fc4\"");
    for (uint32_t bar = 0; bar < chart->bars; bar++) {
        const uint32_t first = bar * chart->span, last = last_of(chart, bar);
        const uint64_t count = states_of(chart, bar);
        if (count == 0)
            continue;
        const double exact = height_of(chart, count), height = exact < 0.5 ? 0.5 : exact; /* it can be seen */
        if (first == last)
            snprintf(title, sizeof title, "%u: %s", first, number_text(count, number));
        else
            snprintf(title, sizeof title, "%u to %u: %s", first, last, number_text(count, number));
        svg_titled(&chart->svg, title, "rect x=\"%d\" y=\"%.2f\" width=\"%d\" height=\"%.2f\"",
                   chart->left + (int)bar * chart->bar + gap / 2, bottom_of(chart) - height, chart->bar - gap, height);
    }
    svg_group_end(&chart->svg);
}

/* How many states a bar stands for, above it: turned where bars are too narrow for that, and only above the last where
 * there are many. */
static void put_figures(struct chart *chart)
{
    char number[NUMBER_TEXT_MAX], turn[64] = "";
    svg_group(&chart->svg,
              "class=\"figures\" font-size=\"%d\"%s fill=\"#444444\""
              " stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"",
              SMALL, chart->figures == FIGURES_TURNED ? "" : " text-anchor=\"middle\"");
    for (uint32_t bar = 0; bar < chart->bars; bar++) {
        const uint64_t count = states_of(chart, bar);
        const double middle = bar * chart->span + (chart->span - 1) / 2.0;
        const int x = middle_of(chart, middle) + (chart->figures == FIGURES_TURNED ? 4 : 0);
        const int y = bottom_of(chart) - rounded(height_of(chart, count)) - 4;
        if (count == 0 || (chart->figures == FIGURES_FEW && bar < chart->bars - 1))
            continue;
        if (chart->figures == FIGURES_TURNED)
            snprintf(turn, sizeof turn, " transform=\"rotate(-90 %d %d)\"", x, y);
        svg_text(&chart->svg, x, y, SVG_START, turn, number_text(count, number));
    }
    svg_group_end(&chart->svg);
}

/* A broken line across the plot with its name on one side of it. */
static void put_mark(struct chart *chart, const char *name, double distance, enum svg_anchor anchor, const char *colour,
                     const char *dashes)
{
    char attributes[64];
    const int x = middle_of(chart, distance);
    snprintf(attributes, sizeof attributes, " font-size=\"%d\" fill=\"%s\"", SMALL, colour);
    svg_element(&chart->svg,
                "path class=\"mark\" d=\"M%d %dV%d\" stroke=\"%s\" stroke-width=\"1.5\" stroke-dasharray=\"%s\"", x,
                MARGIN + MEAN_ROW, bottom_of(chart), colour, dashes);
    svg_text(&chart->svg, x + (anchor == SVG_END ? -4 : 4), MARGIN + MEAN_ROW + SMALL, anchor, attributes, name);
}

/* -- the whole -- */

static void lay_out(struct chart *chart)
{
    char number[NUMBER_TEXT_MAX];
    chart->span = (uint32_t)tick_step(chart->info.max, PLOT_WIDTH - 1);
    chart->bars = chart->info.max / chart->span + 1;
    chart->most = 1;
    for (uint32_t bar = 0; bar < chart->bars; bar++) {
        const uint64_t states = states_of(chart, bar);
        chart->most = states > chart->most ? states : chart->most;
    }
    const int figure = svg_text_width(number_text(chart->most, number), SMALL);
    chart->bar = chart->bars > PLOT_WIDTH / MOST_BAR ? PLOT_WIDTH / (int)chart->bars : MOST_BAR;
    chart->width = chart->bar * (int)chart->bars;
    chart->figures = chart->bars > FEW_BARS ? FIGURES_FEW : figure <= chart->bar ? FIGURES_UPRIGHT : FIGURES_TURNED;
    chart->left = MARGIN + HEADING + figure + TICK + 8;
    chart->top = MARGIN + MEAN_ROW + SMALL + 8 + (chart->figures == FIGURES_TURNED ? figure + 6 : SMALL + 6);
}

void svg_histogram(const struct asked *asked, FILE *out)
{
    struct chart chart = {.asked = asked};
    char heading[256], number[NUMBER_TEXT_MAX], distances[96], mean_name[48], median_name[48];
    pdb_solver_info(asked->solver, &chart.info);
    const uint32_t median = median_distance(&chart.info);
    const double mean = mean_distance(&chart.info);
    snprintf(mean_name, sizeof mean_name, "mean %.2f", mean);
    snprintf(median_name, sizeof median_name, "median %u", median);
    const bool mean_left = mean <= median;
    lay_out(&chart);
    const int before = 4 + svg_text_width(mean_left ? mean_name : median_name, SMALL);
    const int over = MARGIN + before - middle_of(&chart, mean_left ? mean : median);
    chart.left += over > 0 ? over : 0;
    distance_words(asked, distances, sizeof distances);
    snprintf(heading, sizeof heading, "%s: %s %s by %s, at most %u", pdb_puzzle_name(asked->puzzle),
             number_text(chart.info.reachable, number), counted(asked), distances, chart.info.max);
    /* Wide enough for the bars, the heading, and the names of the marks at either side. */
    const int plot = chart.left + chart.width, text = MARGIN + svg_text_width(heading, HEADING);
    const int mark = middle_of(&chart, mean_left ? median : mean) + 4 +
                     svg_text_width(mean_left ? median_name : mean_name, SMALL);
    const int most = plot > text ? plot : text, width = (most > mark ? most : mark) + MARGIN;
    svg_begin(&chart.svg, out, width, bottom_of(&chart) + BELOW, heading);
    svg_text(&chart.svg, MARGIN, MARGIN + HEADING, SVG_START, " font-size=\"15\" font-weight=\"bold\"", heading);
    put_vertical_axis(&chart);
    put_bars(&chart);
    put_horizontal_axis(&chart);
    put_mark(&chart, mean_name, mean, mean_left ? SVG_END : SVG_START, "#b3261e", "5 3");
    put_mark(&chart, median_name, median, mean_left ? SVG_START : SVG_END, "#1b6e3c", "2 3");
    put_figures(&chart);
    svg_end(&chart.svg);
}
