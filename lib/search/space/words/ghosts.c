/* ghosts.c -- planes shared out among ranks: who holds what, who asks whom, and what is shipped */
#include "ghosts.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAIL_ROOM_LEAST = 1 << 15, /* bytes of a batch: more than a group's planes have */
    MAIL_ROOM_MOST = 1 << 18,
    MAIL_SHARE = 64 /* all batches together take a share of what a rank's planes do, within these limits */
};

static uint32_t words_of(const struct layer_kernel *kernel, uint64_t group)
{
    return (kernel->states(kernel, group) + kernel->bits - 1) / kernel->bits;
}

/* -- who holds what -- */

/* With parts so many times as many as ranks, no rank has much more than another. */
enum { PARTS_ENOUGH = 8 };

/* As few digits as make parts enough, or at least one for each rank. */
static void cut(struct ghosts *ghosts)
{
    const struct layer_kernel *kernel = ghosts->kernel;
    const uint64_t enough = PARTS_ENOUGH * (uint64_t)ghosts->ranks->size;
    uint64_t groups;
    ghosts->slab_groups = kernel->run;
    ghosts->parts = kernel->groups / kernel->run;
    ghosts->blocks = 1;
    for (unsigned digits = 0; kernel->slab != NULL && (groups = kernel->slab(kernel, digits)) != 0; digits++) {
        const uint64_t parts = kernel->slab(kernel, 0) / groups;
        if (parts < ghosts->ranks->size)
            continue;
        ghosts->slab_groups = groups;
        ghosts->parts = parts;
        ghosts->blocks = kernel->groups / kernel->slab(kernel, 0);
        if (parts >= enough)
            return;
    }
}

/* -- ghosts -- */

struct asking {
    struct ghosts *ghosts;
    struct group_range range;
    uint64_t *source; /* of each thread */
};

enum { ASKING_GROUPS = 64 };

/* Marks the sources of some own groups that are other ranks': as among the ghosts. */
static void find_ghosts(void *context, unsigned thread, uint64_t share)
{
    const struct asking *asking = context;
    struct ghosts *ghosts = asking->ghosts;
    const struct layer_kernel *kernel = ghosts->kernel;
    uint64_t *source = asking->source + thread * (uint64_t)kernel->sources_max;
    const uint64_t first = asking->range.first + share * ASKING_GROUPS, left = asking->range.past - first,
                   past = first + (left < ASKING_GROUPS ? left : ASKING_GROUPS);
    for (uint64_t group = first; group < past; group++) {
        const size_t count = kernel->sources(kernel, group, source);
        for (size_t i = 0; i < count; i++)
            if (ghosts_owner(ghosts, source[i]) != ghosts->ranks->rank)
                __atomic_fetch_or(&ghosts->place[source[i] / 64].ghost, (uint64_t)1 << source[i] % 64,
                                  __ATOMIC_RELAXED);
    }
}

/* Where own groups lie, and the ghosts. */
static void number_words(struct ghosts *ghosts)
{
    for (uint64_t group = 0; group < ghosts->kernel->groups; group++) {
        struct ghosts_place *place = &ghosts->place[group / 64];
        const uint64_t words = words_of(ghosts->kernel, group), bit = (uint64_t)1 << group % 64;
        if (group % 64 == 0) {
            place->own_before = ghosts->own_words;
            place->ghost_before = ghosts->ghost_words;
        }
        if (ghosts_owner(ghosts, group) == ghosts->ranks->rank) {
            place->own |= bit;
            ghosts->own_words += words;
        } else if (place->ghost & bit) {
            ghosts->ghost_words += words;
        }
    }
}

static bool find_all_ghosts(struct ghosts *ghosts, unsigned threads)
{
    struct asking asking = {ghosts, {0}, calloc(threads, ghosts->kernel->sources_max * sizeof *asking.source)};
    for (uint64_t block = 0; block < ghosts->blocks && asking.source != NULL; block++) {
        asking.range = ghosts_own(ghosts, block);
        team_once(threads, team_shares(asking.range.past - asking.range.first, ASKING_GROUPS), find_ghosts, &asking);
    }
    free(asking.source);
    if (asking.source != NULL)
        number_words(ghosts);
    return asking.source != NULL;
}

/* -- who asks whom -- */

/* The ghosts of a rank's groups, group by group. */
static uint64_t fill_asks(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct ghosts *ghosts = context;
    uint64_t *group = &ghosts->taken[to], size = 0;
    for (; *group < ghosts->kernel->groups && size + sizeof *group <= room; ++*group)
        if (ghosts->place[*group / 64].ghost >> *group % 64 & 1 && ghosts_owner(ghosts, *group) == to) {
            memcpy(bytes + size, group, sizeof *group);
            size += sizeof *group;
        }
    *more |= *group < ghosts->kernel->groups;
    return size;
}

static void take_asks(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct ghosts *ghosts = context;
    struct asked_groups *asked = &ghosts->asked[from];
    const uint64_t count = size / sizeof *asked->group;
    uint64_t *grown = realloc(asked->group, (asked->count + count) * sizeof *grown);
    if (grown == NULL) {
        ghosts->short_of_memory = true;
        return;
    }
    asked->group = grown;
    memcpy(asked->group + asked->count, bytes, size);
    asked->count += count;
}

/* -- beginning and end -- */

static bool take_mail(struct ghosts *ghosts)
{
    const uint64_t size = ghosts->ranks->size, planes = ghosts->kernel->words * ghosts->planes * sizeof(uint64_t),
                   room = planes / size / MAIL_SHARE / (2 * size);
    return rank_mail_take(&ghosts->mail, ghosts->ranks,
                          room < MAIL_ROOM_LEAST  ? MAIL_ROOM_LEAST
                          : room > MAIL_ROOM_MOST ? MAIL_ROOM_MOST
                                                  : room / sizeof(uint64_t) * sizeof(uint64_t));
}

static struct ghosts *ghosts_new(const struct puzzle *puzzle, const struct layer_kernel *kernel, struct ranks *ranks)
{
    struct ghosts *ghosts = calloc(1, sizeof *ghosts);
    if (ghosts == NULL)
        return NULL;
    *ghosts = (struct ghosts){.ranks = ranks,
                              .kernel = kernel,
                              .planes = puzzle->coloured ? 2 : 3,
                              .asked = calloc(ranks->size, sizeof *ghosts->asked),
                              .taken = calloc(ranks->size, sizeof *ghosts->taken)};
    if (ghosts->asked == NULL || ghosts->taken == NULL || !take_mail(ghosts)) {
        ghosts_free(ghosts);
        return NULL;
    }
    return ghosts;
}

static uint64_t places_of(const struct layer_kernel *kernel)
{
    return kernel->groups / 64 + 1;
}

pdb_status ghosts_cut(const struct puzzle *puzzle, const struct layer_kernel *kernel, unsigned threads,
                      struct ranks *ranks, struct ghosts **out, pdb_error *error)
{
    struct ghosts *ghosts = ghosts_new(puzzle, kernel, ranks);
    pdb_status status = PDB_OK;
    if (ghosts != NULL) {
        cut(ghosts);
        ghosts->place = calloc(places_of(kernel), sizeof *ghosts->place);
    }
    if (ghosts == NULL || ghosts->place == NULL || !find_all_ghosts(ghosts, threads))
        status = error_no_memory(error, "the search", places_of(kernel) * sizeof *ghosts->place);
    status = ranks_agree(ranks, status, error);
    if (status == PDB_OK) {
        ranks_ship(ranks, &ghosts->mail, fill_asks, take_asks, ghosts);
        if (ghosts->short_of_memory)
            status = error_no_memory(error, "the search", ghosts->own_words);
        status = ranks_agree(ranks, status, error);
    }
    if (status != PDB_OK) {
        ghosts_free(ghosts);
        return status;
    }
    *out = ghosts;
    return PDB_OK;
}

pdb_status ghosts_begin_runs(const struct retrograde_plan *plan, struct ghosts **out, pdb_error *error)
{
    *out = ghosts_new(plan->puzzle, plan->kernel, plan->ranks);
    return ranks_agree(plan->ranks, *out != NULL ? PDB_OK : error_no_memory(error, "the search", sizeof **out), error);
}

void ghosts_take_runs(struct ghosts *ghosts, struct runs *runs)
{
    ghosts->runs = runs;
    ghosts->slab_groups = runs->slab_groups;
    ghosts->parts = runs->parts;
    ghosts->blocks = runs->slabs / runs->parts;
}

void ghosts_free(struct ghosts *ghosts)
{
    if (ghosts == NULL)
        return;
    for (unsigned rank = 0; rank < ghosts->ranks->size && ghosts->asked != NULL; rank++)
        free(ghosts->asked[rank].group);
    rank_mail_free(&ghosts->mail);
    free(ghosts->place);
    free(ghosts->asked);
    free(ghosts->taken);
    free(ghosts->ghost);
    free(ghosts->window);
    free(ghosts);
}

uint64_t ghosts_bytes(const struct ghosts *ghosts)
{
    uint64_t bytes = sizeof *ghosts + (ghosts->place == NULL ? 0 : places_of(ghosts->kernel) * sizeof *ghosts->place) +
                     pages_bytes(ghosts->ghost_words * sizeof *ghosts->ghost) +
                     rank_mail_bytes(ghosts->ranks, ghosts->mail.room);
    for (unsigned rank = 0; rank < ghosts->ranks->size; rank++)
        bytes += ghosts->asked[rank].count * sizeof *ghosts->asked->group + sizeof *ghosts->asked +
                 sizeof *ghosts->taken;
    return bytes;
}

bool ghosts_begin(struct ghosts *ghosts, const uint64_t *first)
{
    ghosts->first = first;
    ghosts->ghost = pages_take(ghosts->ghost_words * sizeof *ghosts->ghost + 1);
    return ghosts->ghost != NULL;
}

void ghosts_end_layers(struct ghosts *ghosts)
{
    free(ghosts->ghost);
    ghosts->ghost = NULL;
}

/* -- layers -- */

/* The asked groups of a rank that have news: the group's number and its words. */
static uint64_t fill_news(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct ghosts *ghosts = context;
    struct asked_groups *asked = &ghosts->asked[to];
    uint64_t size = 0;
    for (; asked->next < asked->count; asked->next++) {
        const uint64_t group = asked->group[asked->next], words = words_of(ghosts->kernel, group),
                       all = (1 + words) * sizeof(uint64_t);
        if (!ghosts->news[group])
            continue;
        if (size + all > room)
            break;
        memcpy(bytes + size, &group, sizeof group);
        memcpy(bytes + size + sizeof group, ghosts_plane(ghosts, ghosts->own, group, words, ghosts->last),
               words * sizeof(uint64_t));
        size += all;
    }
    *more |= asked->next < asked->count;
    return size;
}

static void take_news(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct ghosts *ghosts = context;
    (void)from;
    for (uint64_t at = 0; at < size;) {
        uint64_t group;
        memcpy(&group, bytes + at, sizeof group);
        const uint64_t all = words_of(ghosts->kernel, group) * sizeof(uint64_t);
        at += sizeof group;
        memcpy(ghosts->ghost + ghosts_ghost_word(ghosts, group), bytes + at, all);
        ghosts->news[group] = 1;
        at += all;
    }
}

void ghosts_ship(struct ghosts *ghosts, uint64_t *own, unsigned last, uint8_t *news)
{
    ghosts->own = own;
    ghosts->last = last;
    ghosts->news = news;
    for (unsigned rank = 0; rank < ghosts->ranks->size; rank++)
        ghosts->asked[rank].next = 0;
    ranks_ship(ghosts->ranks, &ghosts->mail, fill_news, take_news, ghosts);
}

/* -- planes of all ranks -- */

/* Where a group's planes begin among those of all groups, in bytes. */
static uint64_t begin_of(const struct ghosts *ghosts, uint64_t group)
{
    const uint64_t words = ghosts->first == NULL ? group * ghosts->kernel->words_max : ghosts->first[group];
    return words * ghosts->planes * sizeof(uint64_t);
}

/* The group that has this byte. */
static uint64_t group_at(const struct ghosts *ghosts, uint64_t byte)
{
    uint64_t low = 0, high = ghosts->kernel->groups;
    if (ghosts->first == NULL)
        return byte / begin_of(ghosts, 1);
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        *(begin_of(ghosts, middle) <= byte ? &low : &high) = middle;
    }
    return low;
}

/* How many bytes, at most so many, a rank has on end from the byte *at of what is moved on, or from the first behind it
 * that it has: *at. In runs a group's planes lie apart. */
static uint64_t next_piece(const struct ghosts *ghosts, unsigned owner, uint64_t *at, uint64_t most)
{
    for (uint64_t end; *at < ghosts->moved.past; *at = end) {
        const uint64_t group = group_at(ghosts, *at), begin = begin_of(ghosts, group),
                       bytes = (begin_of(ghosts, group + 1) - begin) / (ghosts->runs == NULL ? 1 : ghosts->planes),
                       behind = begin + (*at - begin + bytes) / bytes * bytes;
        end = behind < ghosts->moved.past ? behind : ghosts->moved.past;
        if (ghosts_owner(ghosts, group) == owner)
            return end - *at < most ? end - *at : most;
    }
    return 0;
}

/* Where a byte lies: among own planes; or, of another rank's, on rank 0. NULL where it cannot be read. */
static uint8_t *place_of(struct ghosts *ghosts, uint64_t at)
{
    const uint64_t group = group_at(ghosts, at), before = at - begin_of(ghosts, group);
    if (ghosts_owner(ghosts, group) != ghosts->ranks->rank)
        return ghosts->moved.bytes + (at - ghosts->moved.first);
    if (ghosts->runs == NULL)
        return (uint8_t *)ghosts_plane(ghosts, ghosts->own, group, 0, 0) + before;
    const uint64_t bytes = (begin_of(ghosts, group + 1) - begin_of(ghosts, group)) / ghosts->planes;
    if (ghosts->status == PDB_OK)
        ghosts->status = runs_hold(ghosts->runs, group / ghosts->slab_groups, NULL, &ghosts->error);
    if (ghosts->status != PDB_OK)
        return NULL;
    return (uint8_t *)runs_plane(ghosts->runs, group, (unsigned)(before / bytes)) + before % bytes;
}

/* What a rank gives in a batch: its own to rank 0, or rank 0 what is that rank's. */
static uint64_t fill_planes(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct ghosts *ghosts = context;
    const unsigned rank = ghosts->ranks->rank, owner = ghosts->moved.back ? to : rank;
    uint64_t *at = &ghosts->taken[owner], size = 0;
    if ((ghosts->moved.back ? rank : to) != 0)
        return 0;
    for (uint64_t piece; (piece = next_piece(ghosts, owner, at, room - size)) > 0; *at += piece, size += piece) {
        const uint8_t *place = place_of(ghosts, *at);
        if (place == NULL)
            return 0;
        memcpy(bytes + size, place, piece);
    }
    *more |= next_piece(ghosts, owner, at, 1) > 0;
    return size;
}

static void take_planes(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct ghosts *ghosts = context;
    const unsigned owner = ghosts->moved.back ? ghosts->ranks->rank : from;
    uint64_t *at = &ghosts->taken[owner], done = 0;
    for (uint64_t piece; (piece = next_piece(ghosts, owner, at, size - done)) > 0; *at += piece, done += piece)
        memcpy(place_of(ghosts, *at), bytes + done, piece);
}

/* Rank 0 tells all what is moved. */
static void tell(struct ghosts *ghosts, struct moved_bytes moved)
{
    uint64_t number[3] = {moved.first, moved.past, moved.back};
    ranks_tell(ghosts->ranks, number, 3);
    ghosts->moved = (struct moved_bytes){number[0], number[1], number[2] > 0, moved.bytes};
    for (unsigned rank = 0; rank < ghosts->ranks->size; rank++)
        ghosts->taken[rank] = number[0];
    ghosts->status = PDB_OK;
}

/* What can fail, ranks fail at together. */
static pdb_status agree(struct ghosts *ghosts, pdb_error *error)
{
    if (ghosts->runs == NULL)
        return PDB_OK;
    ghosts->status = ranks_agree(ghosts->ranks, ghosts->status, &ghosts->error);
    if (ghosts->status != PDB_OK && error != NULL)
        *error = ghosts->error;
    return ghosts->status;
}

pdb_status ghosts_move(struct ghosts *ghosts, uint64_t *own, struct moved_bytes moved, pdb_error *error)
{
    tell(ghosts, moved);
    ghosts->own = own;
    ranks_ship(ghosts->ranks, &ghosts->mail, fill_planes, take_planes, ghosts);
    uint64_t at = moved.first;
    for (uint64_t piece; (piece = next_piece(ghosts, 0, &at, UINT64_MAX)) > 0; at += piece) {
        uint8_t *place = place_of(ghosts, at), *bytes = moved.bytes + (at - moved.first);
        if (place == NULL)
            break;
        memcpy(moved.back ? place : bytes, moved.back ? bytes : place, piece);
    }
    return agree(ghosts, error);
}

void ghosts_serve(struct ghosts *ghosts, uint64_t *own)
{
    ghosts->own = own;
    while (tell(ghosts, (struct moved_bytes){.past = 0}), ghosts->moved.past > 0) {
        ranks_ship(ghosts->ranks, &ghosts->mail, fill_planes, take_planes, ghosts);
        agree(ghosts, NULL);
    }
}

/* -- the end -- */

pdb_status ghosts_gather(struct ghosts *ghosts, uint64_t *own, struct group_range range, pdb_error *error)
{
    const uint64_t first = begin_of(ghosts, range.first), past = begin_of(ghosts, range.past);
    ghosts->range = (struct group_range){0};
    if (past - first > ghosts->window_bytes) {
        free(ghosts->window);
        ghosts->window = malloc(past - first);
        ghosts->window_bytes = ghosts->window != NULL ? past - first : 0;
    }
    if (ghosts->window == NULL)
        return error_no_memory(error, "states of other ranks", past - first);
    const pdb_status status = ghosts_move(ghosts, own,
                                          (struct moved_bytes){first, past, false, (uint8_t *)ghosts->window}, error);
    ghosts->range = status == PDB_OK ? range : (struct group_range){0};
    return status;
}
