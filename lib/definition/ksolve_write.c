/* ksolve_write.c -- writes a puzzle in the format of KSolve as a definition of the family permute
 *
 * Places are called by a letter for each set and a number, b12, or by the number alone where there is one set: names
 * have to be short. Pieces are called so, too, after their numbers in `Solved`. A place of which the piece's turn does
 * not count has no twists.
 */
#include "ksolve.h"
#include "lib/memory/array.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW_PLACES = 24, /* in a row of the picture; */
    FULL_ROW = 16,   /* where all have to be full */
    MAX_TIMES = 256  /* that a move is looked at for another one's power: definitions have no more moves */
};

struct writer {
    const char *name; /* of the file */
    const struct ksolve *ksolve;
    FILE *out;
    struct ksolve_text *text;
    size_t room;
    bool no_memory;
    unsigned modulus[KSOLVE_PLACES]; /* 1 where turns do not count */
    pdb_error *error;
};

/* Ends a line, which stands for one of the file. */
static void end_line(struct writer *writer, size_t line)
{
    struct ksolve_text *text = writer->text;
    putc('\n', writer->out);
    if (array_reserve(&text->line, &writer->room, text->lines + 1, sizeof *text->line))
        text->line[text->lines++] = line;
    else
        writer->no_memory = true;
}

static char letter(unsigned set)
{
    return (char)(set < 26 ? 'a' + (int)set : 'A' + (int)(set - 26));
}

/* The name of a set's place or piece of this number, counted from 1. */
static void put_name(const struct writer *writer, unsigned set, unsigned number)
{
    if (writer->ksolve->sets > 1)
        putc(letter(set), writer->out);
    fprintf(writer->out, "%u", number);
}

static void put_place(const struct writer *writer, unsigned place)
{
    unsigned set = 0;
    while (place >= writer->ksolve->set[set].first + writer->ksolve->set[set].size)
        set++;
    put_name(writer, set, place - writer->ksolve->set[set].first + 1);
}

static void put_turn(const struct writer *writer, unsigned place, unsigned turn)
{
    if (writer->modulus[place] > 1 && turn != 0)
        fprintf(writer->out, "+%u", turn);
}

/* -- pictures -- */

/* A picture of the places, or of what stands on them: a set begins a row, if that leaves room for all. */
static void put_picture(struct writer *writer, const char *key, bool places)
{
    const struct ksolve *ksolve = writer->ksolve;
    unsigned width = 1, rows = 0, column = 0;
    for (unsigned s = 0; s < ksolve->sets; s++)
        if (ksolve->set[s].size > width)
            width = ksolve->set[s].size < ROW_PLACES ? ksolve->set[s].size : ROW_PLACES;
    for (unsigned s = 0; s < ksolve->sets; s++)
        rows += (ksolve->set[s].size + width - 1) / width;
    const bool full = rows * width > KSOLVE_PLACES;
    if (full)
        width = FULL_ROW;
    fprintf(writer->out, "%s: |", key);
    for (unsigned s = 0; s < ksolve->sets; s++)
        for (unsigned i = 0; i < ksolve->set[s].size; i++) {
            const unsigned place = ksolve->set[s].first + i;
            for (; column > 0 && column < width && i == 0 && !full; column++)
                fputs(" #", writer->out);
            if (column % width == 0)
                end_line(writer, ksolve->solved_line);
            fputs(column % width == 0 ? "  " : " ", writer->out);
            column = column % width + 1;
            put_name(writer, s, places ? i + 1 : ksolve->solved.piece[place]);
            if (!places)
                put_turn(writer, place, ksolve->solved.turn[place]);
        }
    for (; column < width; column++)
        fputs(" #", writer->out);
    end_line(writer, ksolve->solved_line);
}

/* The modulus of every place that turns. */
static void put_twists(struct writer *writer)
{
    const struct ksolve *ksolve = writer->ksolve;
    bool any = false, done[KSOLVE_PLACES] = {false};
    for (unsigned place = 0; place < ksolve->places; place++) {
        if (writer->modulus[place] == 1 || done[place])
            continue;
        if (!any) {
            fputs("twists:", writer->out);
            end_line(writer, ksolve->solved_line);
        }
        any = true;
        fprintf(writer->out, "  %u:", writer->modulus[place]);
        for (unsigned other = place; other < ksolve->places; other++)
            if (writer->modulus[other] == writer->modulus[place]) {
                putc(' ', writer->out);
                put_place(writer, other);
                done[other] = true;
            }
        end_line(writer, ksolve->solved_line);
    }
}

/* -- moves -- */

/* A text as it stands in single quotes; and in them. */
static void put_text(const struct writer *writer, const char *text)
{
    for (; *text != '\0'; text++)
        fputs(*text == '\'' ? "''" : (char[]){*text, '\0'}, writer->out);
}

static void put_quoted(const struct writer *writer, const char *text)
{
    putc('\'', writer->out);
    put_text(writer, text);
    putc('\'', writer->out);
}

/* Does it change anything that counts? */
static bool does_something(const struct writer *writer, const struct ksolve_move *move)
{
    for (unsigned place = 0; place < writer->ksolve->places; place++)
        if (move->change.piece[place] != place || move->change.turn[place] % writer->modulus[place] != 0)
            return true;
    return false;
}

/* Do two moves change all that counts alike? */
static bool same_change(const struct writer *writer, const struct ksolve_state *a, const struct ksolve_state *b)
{
    for (unsigned place = 0; place < writer->ksolve->places; place++)
        if (a->piece[place] != b->piece[place] ||
            a->turn[place] % writer->modulus[place] != b->turn[place] % writer->modulus[place])
            return false;
    return true;
}

static bool is_written(const struct writer *writer, const struct ksolve_move *move)
{
    return !move->unseen && does_something(writer, move);
}

/* A move before this one, so many times, that does the same; NULL for none. All its powers are moves already. */
static const struct ksolve_move *find_power(const struct writer *writer, const struct ksolve_move *move,
                                            unsigned *times)
{
    const struct ksolve *ksolve = writer->ksolve;
    for (const struct ksolve_move *other = ksolve->move; other < move; other++) {
        struct ksolve_move power = *other;
        for (*times = 1; is_written(writer, other) && does_something(writer, &power) && *times < MAX_TIMES; ++*times) {
            if (same_change(writer, &power.change, &move->change))
                return other;
            ksolve_compose(ksolve, &power.change, &other->change);
        }
    }
    return NULL;
}

/* As cycles: a piece goes to the next place, and is turned as it arrives. */
static void put_move(struct writer *writer, const struct ksolve_move *move)
{
    const struct ksolve *ksolve = writer->ksolve;
    unsigned to[KSOLVE_PLACES];
    bool done[KSOLVE_PLACES] = {false};
    for (unsigned place = 0; place < ksolve->places; place++)
        to[move->change.piece[place]] = place;
    fputs("  ", writer->out);
    put_quoted(writer, move->name);
    fputs(": '", writer->out);
    for (unsigned first = 0; first < ksolve->places; first++) {
        if (done[first] || (to[first] == first && move->change.turn[first] % writer->modulus[first] == 0))
            continue;
        for (unsigned place = first; !done[place]; place = to[place]) {
            putc(place == first ? '(' : ' ', writer->out);
            put_place(writer, place);
            put_turn(writer, place, move->change.turn[place]);
            done[place] = true;
        }
        putc(')', writer->out);
    }
    putc('\'', writer->out);
    end_line(writer, move->line);
}

/* The moves, and behind them other names of theirs, as far as these can be typed and are no power's own. */
static void put_moves(struct writer *writer)
{
    const struct ksolve *ksolve = writer->ksolve;
    unsigned times;
    bool any = false;
    fputs("generators:", writer->out);
    end_line(writer, ksolve->solved_line);
    for (unsigned m = 0; m < ksolve->moves; m++)
        if (is_written(writer, &ksolve->move[m]) && find_power(writer, &ksolve->move[m], &times) == NULL)
            put_move(writer, &ksolve->move[m]);
    for (unsigned m = 0; m < ksolve->moves; m++) {
        const struct ksolve_move *move = &ksolve->move[m];
        const struct ksolve_move *same = is_written(writer, move) ? find_power(writer, move, &times) : NULL;
        if (same == NULL || strpbrk(move->name, ",:()[]'/") != NULL ||
            strncmp(move->name, same->name, strlen(same->name)) == 0)
            continue;
        if (!any) {
            fputs("sequences:", writer->out);
            end_line(writer, move->line);
        }
        any = true;
        fputs("  ", writer->out);
        put_quoted(writer, move->name);
        fputs(": '(", writer->out);
        put_text(writer, same->name);
        fprintf(writer->out, ")%u'", times);
        end_line(writer, move->line);
    }
}

/* -- turns that do not count -- */

/* Numbers the orbits: two places have one number where moves take pieces from one to the other. */
static void find_orbits(const struct ksolve *ksolve, unsigned orbit[KSOLVE_PLACES])
{
    bool changed = true;
    for (unsigned place = 0; place < ksolve->places; place++)
        orbit[place] = place;
    while (changed) {
        changed = false;
        for (unsigned m = 0; m < ksolve->moves; m++)
            for (unsigned place = 0; !ksolve->move[m].unseen && place < ksolve->places; place++) {
                unsigned *a = &orbit[place], *b = &orbit[ksolve->move[m].change.piece[place]];
                changed |= *a != *b;
                *a = *b = *a < *b ? *a : *b;
            }
    }
}

static pdb_status find_moduli(struct writer *writer)
{
    const struct ksolve *ksolve = writer->ksolve;
    unsigned orbit[KSOLVE_PLACES];
    find_orbits(ksolve, orbit);
    for (unsigned place = 0; place < ksolve->places; place++) {
        const bool any = ksolve->solved.turn[place] == KSOLVE_ANY_TURN;
        writer->modulus[place] = any ? 1 : ksolve->modulus[place];
        if (any != (ksolve->solved.turn[orbit[place]] == KSOLVE_ANY_TURN))
            return ksolve_refuse(writer->error, writer->name, ksolve->solved_line,
                                 "'?' of some pieces only, among others that come to the same places: turns count for "
                                 "all of them, or for none");
    }
    return PDB_OK;
}

/* -- the whole -- */

/* The puzzle is called after its file, without folder and ending. */
static void put_heading(struct writer *writer)
{
    const struct ksolve *ksolve = writer->ksolve;
    const char *slash = strrchr(writer->name, '/'), *stem = slash != NULL ? slash + 1 : writer->name;
    const char *dot = strrchr(stem, '.');
    const size_t length = dot != NULL ? (size_t)(dot - stem) : strlen(stem);
    char called[PUZZLE_NAME_MAX + 1];
    snprintf(called, sizeof called, "%.*s", length < PUZZLE_NAME_MAX ? (int)length : PUZZLE_NAME_MAX, stem);
    for (char *c = called; *c != '\0'; c++)
        if (!heading_allows((char[]){'a', *c, '\0'}))
            *c = '-';
    fprintf(writer->out, "puzzle: '%s%s'", heading_allows(called) ? "" : "p", called);
    end_line(writer, ksolve->name_line);
    fputs("title: ", writer->out);
    put_quoted(writer, *ksolve->name != '\0' ? ksolve->name : called);
    end_line(writer, ksolve->name_line);
    fputs("family: permute", writer->out);
    end_line(writer, 0);
    fputs("turns: all", writer->out);
    end_line(writer, 0);
}

pdb_status ksolve_write(const char *name, const struct ksolve *ksolve, struct ksolve_text *out, pdb_error *error)
{
    *out = (struct ksolve_text){0};
    struct writer writer = {.name = name, .ksolve = ksolve, .text = out, .error = error};
    pdb_status status = find_moduli(&writer);
    if (status != PDB_OK)
        return status;
    writer.out = open_memstream(&out->text, &out->length);
    if (writer.out == NULL)
        return error_no_memory(error, "a definition", 1);
    put_heading(&writer);
    put_picture(&writer, "places", true);
    put_twists(&writer);
    put_picture(&writer, "goal", false);
    put_moves(&writer);
    const bool failed = ferror(writer.out) != 0;
    if (fclose(writer.out) != 0 || failed || writer.no_memory)
        return error_no_memory(error, "a definition", out->length);
    return PDB_OK;
}
