/* arguments.c -- what both programs do with command lines */
#include "arguments.h"
#include "lib/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool arguments_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
                      pdb_error *error)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number < min || number > max) {
        error_set(error, PDB_BAD_USAGE, "%s takes a whole number from %llu to %llu, not '%s'", option,
                  (unsigned long long)min, (unsigned long long)max, text);
        return false;
    }
    *value = number;
    return true;
}

bool arguments_size(const char *option, const char *text, uint64_t *bytes, pdb_error *error)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    double size = strtod(text, &end);
    bool good = (size_t)(end - text) == strspn(text, "0123456789.") && errno == 0; /* strtod knows more than decimals */
    const char *unit = (*end & ~0x20) != '\0' ? strchr(units, *end & ~0x20) : NULL;
    if (good && unit != NULL) {
        for (const char *u = units; u <= unit; u++)
            size *= 1024;
        end++;
    }
    if (strcmp(end, "B") == 0 || (unit != NULL && strcmp(end, "iB") == 0))
        end += strlen(end);
    good = good && *end == '\0' && size >= 1 && size < 0x1p63;
    if (!good) {
        error_set(error, PDB_BAD_USAGE, "%s takes a size such as 512M or 8G, not '%s'", option, text);
        return false;
    }
    *bytes = (uint64_t)size;
    return true;
}

enum { MAX_NAMES = 64 };

/* Is it the value of an option, so that getopt knew the option and disliked something else about it? */
static bool is_known(int value, const struct option *long_options)
{
    for (size_t i = 0; long_options[i].name != NULL; i++)
        if (long_options[i].val == value)
            return true;
    return false;
}

/* How many names begin with the text; the first two of them. */
static unsigned count_begun(const char *text, const char *const *names, const char *begun[2])
{
    unsigned count = 0;
    for (; *text != '\0' && *names != NULL; names++) {
        if (strncmp(*names, text, strlen(text)) != 0)
            continue;
        if (count < 2)
            begun[count] = *names;
        count++;
    }
    return count;
}

void arguments_complain(const char *program, int found, char **argv, const struct option *long_options,
                        pdb_error *error)
{
    /* `word` is another one inside a cluster, -xyz */
    const char *word = argv[optind - 1], *names[MAX_NAMES + 1] = {NULL};
    if (found == ':' && word[1] == '-') {
        error_set(error, PDB_BAD_USAGE, "%s needs an argument", word);
        return;
    }
    if (found == ':') {
        error_set(error, PDB_BAD_USAGE, "-%c needs an argument", optopt);
        return;
    }
    if (optopt > 0 && optopt < 256 && !is_known(optopt, long_options)) {
        error_set(error, PDB_BAD_USAGE, "there is no option -%c; %s --help lists them", optopt, program);
        return;
    }
    if (optopt != 0) {
        error_set(error, PDB_BAD_USAGE, "%.*s takes no argument", (int)strcspn(word, "="), word);
        return;
    }
    for (size_t i = 0; i < MAX_NAMES && long_options[i].name != NULL; i++)
        names[i] = long_options[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *bare = name + strspn(name, "-"), *begun[2], *nearest = suggest_nearest(bare, names);
    if (count_begun(bare, names, begun) > 1)
        error_set(error, PDB_BAD_USAGE, "%s may be --%s or --%s: write more of it", name, begun[0], begun[1]);
    else if (nearest != NULL)
        error_set(error, PDB_BAD_USAGE, "there is no option %s: did you mean --%s?", name, nearest);
    else
        error_set(error, PDB_BAD_USAGE, "there is no option %s; %s --help lists them", name, program);
}
