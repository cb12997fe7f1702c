/* numbering_pieces.c -- tables of many chunks at once, which pay where many states are numbered */
#include "numbering_inner.h"

#include <stdlib.h>

enum { PIECE_CHUNKS = 4, FEW_ORDERS = 1 << 17 };

void pieces_lay_out(struct numbering *numbering)
{
    const unsigned half = (numbering->chunks + 1) / 2, top = half < PIECE_CHUNKS ? half : PIECE_CHUNKS,
                   left = numbering->chunks - top;
    numbering->top = top;
    numbering->low = numbering->chunks - (left < PIECE_CHUNKS ? left : PIECE_CHUNKS);
}

/* The beginning of some orders, up to chunk `end`: its digits, the content that is left, how many orders are less. */
struct beginning {
    uint64_t digits;
    unsigned content;
    int32_t before;
};

/* What goes through beginnings of all orders, in order. */
struct going {
    const struct numbering *numbering;
    unsigned end;
    void (*found)(void *context, const struct beginning *beginning);
    void *context;
};

/* Goes on from a beginning up to chunk `number`, of so many orders. */
static void go_on(const struct going *going, unsigned number, int32_t orders, const struct beginning *from)
{
    const struct numbering *numbering = going->numbering;
    if (number == going->end) {
        going->found(going->context, from);
        return;
    }
    const struct chunk *chunk = &numbering->chunk[number];
    const int32_t *row = row_of(numbering, number, from->content);
    for (unsigned value = 0; value <= chunk->mask; value++) {
        const int32_t more = (value + 1 < CHUNK ? row[value + 1] : orders) - row[value];
        const struct beginning next = {from->digits | (uint64_t)value << chunk->shift,
                                       from->content - chunk->content[value], from->before + row[value]};
        if (more > 0)
            go_on(going, number + 1, more, &next);
    }
}

/* -- what is noted on the way -- */

struct noting {
    const struct numbering *numbering;
    struct pieces *pieces;
    uint64_t *low;    /* the digits of the low piece, sorted by content and then by order */
    uint32_t *low_at; /* where those of each content begin */
    unsigned content; /* of which they are found */
};

static uint64_t value_of(const struct piece *piece, uint64_t digits)
{
    return digits >> piece->shift & piece->mask;
}

static void note_top(void *context, const struct beginning *top)
{
    const struct pieces *pieces = ((struct noting *)context)->pieces;
    const uint64_t value = value_of(&pieces->top, top->digits);
    pieces->top.before[value] = top->before;
    if (pieces->content != NULL)
        pieces->content[value] = (uint16_t)top->content;
}

static void note_low(void *context, const struct beginning *low)
{
    const struct noting *noting = context;
    const struct piece *piece = &noting->pieces->low;
    piece->before[value_of(piece, low->digits)] = low->before;
    noting->low[noting->low_at[noting->content] + (uint32_t)low->before] = low->digits;
}

static void note_digits(void *context, const struct beginning *all)
{
    const struct noting *noting = context;
    const uint64_t *low = noting->low + noting->low_at[all->content];
    uint64_t *digits = noting->pieces->digits + all->before;
    const int32_t orders = noting->numbering->low_orders[all->content];
    for (int32_t i = 0; i < orders; i++)
        digits[i] = all->digits | low[i];
}

static void note_all(struct noting *noting)
{
    const struct numbering *numbering = noting->numbering;
    const unsigned contents = numbering->stride[numbering->classes];
    struct going going = {numbering, numbering->chunks, note_low, noting};
    uint32_t at = 0;
    for (unsigned content = 0; content < contents; content++) {
        const struct beginning from = {0, content, 0};
        noting->low_at[content] = at;
        noting->content = content;
        if (numbering->low_orders[content] > 0)
            go_on(&going, numbering->low, numbering->low_orders[content], &from);
        at += (uint32_t)numbering->low_orders[content];
    }
    const struct beginning none = {0, contents - 1, 0};
    going.end = numbering->top;
    going.found = note_top;
    go_on(&going, 0, (int32_t)numbering->orders, &none);
    going.end = numbering->low;
    going.found = note_digits;
    if (noting->pieces->digits != NULL)
        go_on(&going, 0, (int32_t)numbering->orders, &none);
}

/* -- making -- */

/* A piece of the chunks from `first` to before `end`; its memory is zeros. */
static bool take_piece(const struct numbering *numbering, unsigned first, unsigned end, struct piece *piece)
{
    uint64_t field = 0;
    for (unsigned n = first; n < end; n++)
        field |= (uint64_t)numbering->chunk[n].mask << numbering->chunk[n].shift;
    piece->shift = field == 0 ? 0 : (uint8_t)__builtin_ctzll(field);
    piece->mask = (uint32_t)(field >> piece->shift);
    piece->before = calloc(piece->mask + (size_t)1, sizeof *piece->before);
    return piece->before != NULL;
}

struct pieces *pieces_make(const struct numbering *numbering)
{
    const size_t contents = numbering->stride[numbering->classes];
    struct pieces *pieces = calloc(1, sizeof *pieces);
    struct noting noting = {.numbering = numbering, .pieces = pieces};
    if (pieces == NULL || !take_piece(numbering, 0, numbering->top, &pieces->top) ||
        !take_piece(numbering, numbering->low, numbering->chunks, &pieces->low)) {
        pieces_free(pieces);
        return NULL;
    }
    const bool apart = numbering->top < numbering->low, few = numbering->orders <= FEW_ORDERS;
    pieces->content = apart ? calloc(pieces->top.mask + (size_t)1, sizeof *pieces->content) : NULL;
    pieces->digits = few ? malloc(numbering->orders * sizeof *pieces->digits) : NULL;
    noting.low = malloc((pieces->low.mask + (size_t)1) * sizeof *noting.low);
    noting.low_at = malloc(contents * sizeof *noting.low_at);
    const bool there = noting.low != NULL && noting.low_at != NULL && (!apart || pieces->content != NULL) &&
                       (!few || pieces->digits != NULL);
    if (there)
        note_all(&noting);
    free(noting.low);
    free(noting.low_at);
    if (!there) {
        pieces_free(pieces);
        return NULL;
    }
    return pieces;
}

void pieces_free(struct pieces *pieces)
{
    if (pieces == NULL)
        return;
    free(pieces->top.before);
    free(pieces->low.before);
    free(pieces->content);
    free(pieces->digits);
    free(pieces);
}
