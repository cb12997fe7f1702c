/* program.c -- a program is made, and run batch by batch */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LANES = 1024, USUAL_BYTES = 96 * 1024, SMALL_STACK = 16 * 1024 };

/* -- room -- */

/* Bytes a lane, and what is lost by aligning. */
enum { WORD_BYTES = 8 + 8, LANE_BYTES = 2 + 1 + 4, ALIGNED = 64, BUFFERS = 8 };

/* Words of a key. */
static size_t words_of(const struct program *program)
{
    return program->rules->layout.wide ? 2 : 1;
}

static uint64_t bytes_for(const struct program *program, const struct code *code, size_t lanes)
{
    const uint64_t moves = code == &program->successors ? program->moves : 0;
    return lanes * (words_of(program) * WORD_BYTES + LANE_BYTES + (uint64_t)code->bytes) +
           lanes / BATCH_WORD * moves * sizeof(uint64_t) + BUFFERS * ALIGNED;
}

/* How many states a batch has: many, so that an instruction is worth its while, but near. 0: none fits. */
static size_t lanes_for(const struct program *program, const struct code *code)
{
    size_t lanes = MOST_LANES;
    while (lanes > BATCH_WORD && bytes_for(program, code, lanes) > USUAL_BYTES)
        lanes /= 2;
    return bytes_for(program, code, lanes) <= PROGRAM_STACK - ALIGNED ? lanes : 0;
}

static void *take(uint8_t **from, size_t bytes)
{
    uint8_t *taken = *from;
    *from += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    return taken;
}

/* Lays the buffers of a batch of so many lanes out; keys that do not fill them are copied, with others behind them; and
 * wide ones are, each word to its own run. */
static void lay_out(struct batch *batch, uint8_t *room, const uint64_t *key)
{
    const size_t lanes = batch->lanes, words = words_of(batch->program);
    room += -(uintptr_t)room % ALIGNED;
    batch->rest = take(&room, words * lanes * sizeof *batch->rest);
    uint64_t *copy = take(&room, words * lanes * sizeof *copy);
    batch->listed = take(&room, lanes * sizeof *batch->listed);
    batch->place = take(&room, lanes * sizeof *batch->place);
    batch->few = take(&room, lanes);
    batch->column = take(&room, lanes * batch->code->bytes);
    batch->holds = (uint64_t *)(void *)room;
    memset(batch->few, 0, lanes);
    batch->key = key;
    if (batch->count == lanes && words == 1)
        return;
    if (words == 1)
        memcpy(copy, key, batch->count * sizeof *copy);
    for (size_t i = 0; words > 1 && i < batch->count; i++) {
        copy[i] = key[2 * i];
        copy[lanes + i] = key[2 * i + 1];
    }
    for (size_t w = 0; w < words; w++)
        memset(copy + w * lanes + batch->count, 0, (lanes - batch->count) * sizeof *copy);
    batch->key = copy;
}

/* The stack is touched as far as it is taken: single states need little. */
__attribute__((noinline)) static void run_small(struct batch *batch, const uint64_t *key)
{
    uint8_t room[SMALL_STACK];
    lay_out(batch, room, key);
    columns_run(batch);
}

__attribute__((noinline)) static void run_large(struct batch *batch, const uint64_t *key)
{
    uint8_t room[PROGRAM_STACK];
    lay_out(batch, room, key);
    columns_run(batch);
}

/* A batch of some of the keys that are left. */
static void run(struct batch *batch, const uint64_t *key, size_t left)
{
    batch->count = left < batch->code->lanes ? left : batch->code->lanes;
    batch->lanes = (batch->count + BATCH_WORD - 1) / BATCH_WORD * BATCH_WORD;
    if (bytes_for(batch->program, batch->code, batch->lanes) <= SMALL_STACK - ALIGNED)
        run_small(batch, key);
    else
        run_large(batch, key);
}

/* -- runs -- */

size_t program_numbered_successors(const struct program *program, const uint64_t *key, size_t count, uint64_t *next,
                                   uint32_t *cost, uint32_t *move, uint16_t *next_count)
{
    struct batch batch = {.program = program,
                          .code = &program->successors,
                          .next = next,
                          .cost = cost,
                          .move = move,
                          .next_count = next_count};
    const size_t words = words_of(program);
    memset(next_count, 0, count * sizeof *next_count);
    for (size_t done = 0; done < count; done += batch.count) {
        run(&batch, key + words * done, count - done);
        batch.next += words * batch.made;
        batch.next_count += batch.count;
        batch.cost = cost != NULL ? batch.cost + batch.made : NULL;
        batch.move = move != NULL ? batch.move + batch.made : NULL;
    }
    return (size_t)(batch.next - next) / words;
}

size_t program_successors(const struct program *program, const uint64_t *key, size_t count, uint64_t *next,
                          uint32_t *cost, uint16_t *next_count)
{
    return program_numbered_successors(program, key, count, next, cost, NULL, next_count);
}

void program_goals(const struct program *program, const uint64_t *key, size_t count, bool *goal)
{
    struct batch batch = {.program = program, .code = &program->goal, .goal = goal};
    const size_t words = words_of(program);
    for (size_t done = 0; done < count; done += batch.count) {
        run(&batch, key + words * done, count - done);
        batch.goal += batch.count;
    }
}

unsigned program_max_moves(const struct program *program)
{
    return (unsigned)program->moves;
}

/* -- made and freed -- */

static pdb_status make(struct program *program, struct values *values, pdb_error *error)
{
    if (program->rules->ground.moves > UINT16_MAX)
        return error_set(error, PDB_TOO_LARGE,
                         "there are %zu moves when all parameters are put in: at most %d can be done",
                         program->rules->ground.moves, UINT16_MAX);
    if (!values_make(program->rules, values) || !program_moves(program, values) || !program_share(program, values))
        return error_no_memory(error, "the program of the moves", sizeof *program);
    const uint32_t goal = value_holds(values, program->rules->ground.goal);
    if (values->short_of_memory || !program_schedule(program, values, NO_VALUE, &program->successors) ||
        !program_schedule(program, values, goal, &program->goal))
        return error_no_memory(error, "the program of the moves", sizeof *program);
    program->successors.lanes = lanes_for(program, &program->successors);
    program->goal.lanes = lanes_for(program, &program->goal);
    if (program->successors.lanes == 0 || program->goal.lanes == 0)
        return error_set(error, PDB_TOO_LARGE,
                         "the moves and the goal take too many values at once: let there be fewer moves (%zu now), or "
                         "let them have more in common",
                         program->moves);
    return PDB_OK;
}

pdb_status program_make(const struct rules *rules, bool portable, struct program **out, pdb_error *error)
{
    struct values values = {0};
    struct program *program = calloc(1, sizeof *program);
    *out = NULL;
    if (program == NULL)
        return error_no_memory(error, "the program of the moves", sizeof *program);
    program->rules = rules;
#ifdef __x86_64__
    program->avx2 = !portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#endif
    (void)portable;
    const pdb_status status = make(program, &values, error);
    values_free(&values);
    if (status == PDB_OK)
        *out = program;
    else
        program_free(program);
    return status;
}

static void free_code(struct code *code)
{
    free(code->instruction);
    free(code->unpacked);
    free(code->list);
}

void program_free(struct program *program)
{
    if (program == NULL)
        return;
    for (size_t t = 0; t < program->tables; t++)
        free(program->table[t].lane);
    free(program->table);
    free(program->move);
    free(program->term);
    free(program->indexed);
    free_code(&program->successors);
    free_code(&program->goal);
    free(program);
}
