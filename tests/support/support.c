/* support.c -- what several tests stand on */
#include "support.h"
#include "lib/search/space/keyed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the environment says, read once. */
static unsigned share_asked_for = 1;

static void __attribute__((constructor)) read_share(void)
{
    const char *text = getenv("PDB_TESTS_SHARE");
    const int number = text != NULL ? atoi(text) : 1;
    share_asked_for = number > 1 ? (unsigned)number : 1;
}

unsigned share(void)
{
    return share_asked_for;
}

bool is_shared(uint64_t states, uint64_t i)
{
    return states < 5000 || i % share_asked_for == 0;
}

unsigned share_of(unsigned sample)
{
    return (sample + share_asked_for - 1) / share_asked_for;
}

unsigned short_step(unsigned step)
{
    return share_asked_for == 1 ? 1 : step;
}

pdb_status try_definition(const char *yaml, pdb_puzzle **puzzle, pdb_error *error)
{
    struct definition *definition;
    pdb_status status = definition_parse("test.yaml", yaml, strlen(yaml), &definition, error);
    if (status != PDB_OK)
        return status;
    status = catalog_create(definition, puzzle, error);
    definition_free(definition);
    return status;
}

pdb_status try_puzzle(const char *yaml, struct puzzle **puzzle, pdb_error *error)
{
    pdb_puzzle *made;
    pdb_status status = try_definition(yaml, &made, error);
    if (status != PDB_OK)
        return status;
    *puzzle = made->moves;
    free(made);
    return PDB_OK;
}

pdb_puzzle *load_puzzle(const char *name_or_yaml)
{
    pdb_puzzle *puzzle = NULL;
    pdb_error error;
    const pdb_status status = strchr(name_or_yaml, '\n') != NULL ? try_definition(name_or_yaml, &puzzle, &error)
                                                                 : catalog_load(name_or_yaml, &puzzle, &error);
    cr_assert(status == PDB_OK, "%s\n%s", error.message, name_or_yaml);
    return puzzle;
}

struct puzzle *make_puzzle(const char *name_or_yaml)
{
    pdb_puzzle *made = load_puzzle(name_or_yaml);
    struct puzzle *moves = made->moves;
    free(made);
    return moves;
}

struct puzzle *built_in(const char *name)
{
    return make_puzzle(name);
}

struct items_puzzle *make_items(const char *name_or_yaml)
{
    pdb_puzzle *made = load_puzzle(name_or_yaml);
    struct items_puzzle *items = made->items;
    free(made);
    return items;
}

pdb_error refusal(const char *yaml, pdb_status expected)
{
    pdb_puzzle *puzzle = NULL;
    pdb_error error = {.message = ""};
    const pdb_status status = try_definition(yaml, &puzzle, &error);
    cr_expect(status == expected && error.status == expected, "status %d: %s\n%s", (int)status, error.message, yaml);
    catalog_free(puzzle);
    cr_expect(status != expected || try_definition(yaml, &puzzle, NULL) == expected); /* and with nobody to tell */
    return error;
}

uint64_t index_of(const struct puzzle *puzzle, const char *text)
{
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index = 0;
    pdb_error error;
    cr_assert(puzzle_parse(puzzle, text, position, &error) == PDB_OK, "%s", error.message);
    cr_assert(puzzle->family->position.rank(puzzle, position, &index), "%s", text);
    return index;
}

/* -- values -- */

static const uint8_t *byte_in_memory(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    const struct memory *memory = context;
    if (offset >= memory->size) {
        error_set(error, PDB_DAMAGED, "byte %llu of %llu", (unsigned long long)offset,
                  (unsigned long long)memory->size);
        return NULL;
    }
    *run = memory->size - offset;
    return memory->bytes + offset;
}

struct byte_source memory_source(const struct memory *memory)
{
    return (struct byte_source){byte_in_memory, memory};
}

struct retrograde_plan plan_of(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads)
{
    struct retrograde_plan plan;
    cr_assert(retrograde_plan(way, puzzle, threads, &plan, NULL) == PDB_OK);
    retrograde_plan_free(&plan);
    return plan;
}

struct retrograde_plan plan_within(uint64_t bytes, const struct puzzle *puzzle, unsigned threads)
{
    struct retrograde_plan plan;
    cr_assert(retrograde_plan_within(bytes, puzzle, threads, &plan, NULL) == PDB_OK);
    retrograde_plan_free(&plan);
    return plan;
}

pdb_status retrograde_of(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads,
                         struct retrograde **out, pdb_error *error)
{
    struct retrograde_plan plan;
    *out = NULL;
    pdb_status status = retrograde_plan(way, puzzle, threads, &plan, error);
    if (status == PDB_OK)
        status = retrograde_begin(&plan, out, error);
    retrograde_plan_free(&plan);
    return status;
}

void solve_by(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads, struct solved *solved)
{
    pdb_error error;
    *solved = (struct solved){0};
    cr_assert(retrograde_of(way, puzzle, threads, &solved->search, &error) == PDB_OK, "%s", error.message);
    for (bool done = false; !done;)
        cr_assert(retrograde_layer(solved->search, NULL, NULL, &done, &error) == PDB_OK, "%s", error.message);
    retrograde_finish(solved->search, &solved->result);
    solved->memory = (struct memory){solved->result.bytes, encoding_bytes(solved->result.encoding, puzzle->states)};
    solved->values = (struct values){
        .puzzle = puzzle, .encoding = solved->result.encoding, .source = memory_source(&solved->memory)};
}

void solve(const struct puzzle *puzzle, unsigned threads, struct solved *solved)
{
    solve_by(RETROGRADE_BEST, puzzle, threads, solved);
}

struct puzzle *solve_keys(const struct puzzle *base, unsigned threads, struct solved *solved)
{
    struct keys *keys;
    struct puzzle *space;
    pdb_error error;
    pdb_status status = PDB_OK;
    *solved = (struct solved){0};
    cr_assert(base->keyed);
    cr_assert(retrograde_of(RETROGRADE_BEST, base, threads, &solved->search, &error) == PDB_OK, "%s", error.message);
    for (bool done = false; status == PDB_OK && !done;)
        status = retrograde_layer(solved->search, NULL, NULL, &done, &error);
    if (status != PDB_OK) {
        cr_assert(status == PDB_UNREACHABLE && strstr(error.message, " that can be reached is a goal") != NULL, "%s",
                  error.message);
        solved_free(solved);
        return NULL;
    }
    retrograde_finish(solved->search, &solved->result);
    cr_assert(retrograde_keys(solved->search, &keys, &error) == PDB_OK, "%s", error.message);
    cr_assert(keyed_create(base, keys, &space, &error) == PDB_OK, "%s", error.message);
    space->undoable = encoding_modulus(solved->result.encoding) != 0; /* as the space module has it */
    space->forward = base->forward && !space->undoable;
    solved->memory = (struct memory){solved->result.bytes, encoding_bytes(solved->result.encoding, space->states)};
    solved->values = (struct values){
        .puzzle = space, .encoding = solved->result.encoding, .source = memory_source(&solved->memory)};
    return space;
}

struct puzzle *explored(const struct puzzle *base, unsigned threads)
{
    struct solved solved;
    struct puzzle *space = solve_keys(base, threads, &solved);
    if (space != NULL)
        solved_free(&solved);
    return space;
}

void solved_free(struct solved *solved)
{
    retrograde_free(solved->search);
}

/* -- small things -- */

const pdb_fact *find_fact(const pdb_reply *reply, const char *name)
{
    for (size_t i = 0; i < reply->count; i++)
        if (strcmp(reply->fact[i].name, name) == 0)
            return &reply->fact[i];
    return NULL;
}

const char *fact_text(const pdb_reply *reply, const char *name)
{
    const pdb_fact *found = find_fact(reply, name);
    return found == NULL || found->text == NULL ? "" : found->text;
}

uint64_t fact_number(const pdb_reply *reply, const char *name)
{
    return strtoull(fact_text(reply, name), NULL, 10);
}

/* Strict enough for what is tried here: it does not know of overlong forms of three and four bytes. */
bool is_utf8_line(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const unsigned following = *c < 0x80                 ? 0
                                   : *c >= 0xC2 && *c < 0xE0 ? 1
                                   : *c >= 0xE0 && *c < 0xF0 ? 2
                                   : *c >= 0xF0 && *c < 0xF5 ? 3
                                                             : 9;
        if (following == 9 || *c == '\n' || *c == '\r')
            return false;
        for (unsigned i = 1; i <= following; i++)
            if ((c[i] & 0xC0) != 0x80)
                return false;
        c += following + 1;
    }
    return true;
}

uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

uint64_t random_below(uint64_t *state, uint64_t below)
{
    return next_random(state) % below;
}

int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void *checked_memory(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    cr_assert(memory != NULL);
    return memory;
}

void make_directory(char path[200])
{
    const char *base = getenv("TMPDIR");
    snprintf(path, 200, "%.150s/pdb-test-XXXXXX", base != NULL ? base : "/tmp");
    cr_assert(mkdtemp(path) != NULL);
}

void remove_directory(const char *path)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    cr_expect(system(command) == 0);
}

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "%s", path);
}
