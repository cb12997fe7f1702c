/* fuzz_database.c -- any bytes as a database's file */
#include "bases.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[300], name[80];
    if (size == 0)
        return 0;
    const struct base *base = base_get(data[0] % base_count());
    snprintf(name, sizeof name, "%s.pdb", base->puzzle->name);
    scratch_path(name, path, sizeof path);
    write_file(path, data + 1, size - 1);
    exercise_store(path);
    exercise_solver(base->puzzle, scratch_directory());
    return 0;
}
