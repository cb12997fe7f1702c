/* arguments.c -- what all programs do with command lines */
#include "arguments.h"
#include "lib/suggest.h"
#include "lib/team.h"

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

bool arguments_range(const char *option, const char *text, uint64_t max, uint64_t *least, uint64_t *utmost,
                     pdb_error *error)
{
    char first[24] = "";
    const size_t digits = strspn(text, "0123456789");
    const size_t between = strncmp(text + digits, "..", 2) == 0 ? 2 : text[digits] == '-' && digits > 0 ? 1 : 0;
    const bool two = between > 0 && digits < sizeof first; /* more digits are no number that anybody means */
    memcpy(first, text, two ? digits : 0);
    if (!arguments_number(option, two ? first : text, 0, max, least, error))
        return false;
    *utmost = *least;
    if (!two)
        return true;
    if (!arguments_number(option, text + digits + between, 0, max, utmost, error))
        return false;
    if (*utmost < *least)
        error_set(error, PDB_BAD_USAGE, "%s takes two numbers, the smaller one first, not '%s'", option, text);
    return *utmost >= *least;
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

bool arguments_threads(const char *text, unsigned *threads, pdb_error *error)
{
    uint64_t number = 0;
    const bool good = arguments_number("--threads", text, 1, THREADS_MAX, &number, error);
    *threads = (unsigned)number;
    return good;
}

/* -- what getopt_long wants to know -- */

enum { MAX_NAMES = 64, FIRST_LONG = 256 };

struct names {
    struct option option[MAX_NAMES + 1];
    char letters[3 * MAX_NAMES];
};

/* `val` is an option's letter, else FIRST_LONG and its place in the table. */
static void make_names(const struct arguments_program *program, struct names *names)
{
    static const struct option always[] = {{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}};
    int count = 0;
    char *letters = stpcpy(names->letters, "-:hV"); /* words are given in their order, as option 1 */
    for (const struct arguments_option *option = program->option; option->name != NULL; option++, count++) {
        const bool letter = option->id > 0 && option->id < FIRST_LONG;
        names->option[count] = (struct option){
            .name = option->name, .has_arg = option->argument, .val = letter ? option->id : FIRST_LONG + count};
        if (letter)
            letters += sprintf(letters, "%c%s", option->id, option->argument == required_argument ? ":" : "");
    }
    memcpy(&names->option[count], always, sizeof always);
    if (program->numbers)
        strcpy(letters, "0::1::2::3::4::5::6::7::8::9::");
}

/* Takes in what getopt_long found. */
static bool take(const struct arguments_program *program, int found, void *options, pdb_error *error)
{
    const struct arguments_option *option = program->option + (found >= FIRST_LONG ? found - FIRST_LONG : 0);
    while (found < FIRST_LONG && option->id != found)
        option++;
    if (option->flag == 0)
        return program->take(options, option->id, optarg, error);
    *(bool *)((char *)options + option->flag) = true;
    return true;
}

/* -- complaints -- */

/* Puts what getopt_long did not like (it returned `found`, '?' or ':') into *error: an unknown option with the nearest
 * known one, a missing argument, one too many. */
static void complain(const char *program, int found, char **argv, const struct option *long_options, pdb_error *error)
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
    bool known = false; /* getopt knew the option and disliked something else about it */
    for (size_t i = 0; long_options[i].name != NULL; i++)
        known |= long_options[i].val == optopt;
    if (optopt > 0 && optopt < 256 && !known) {
        error_set(error, PDB_BAD_USAGE, "there is no option -%c; %s --help lists them", optopt, program);
        return;
    }
    if (optopt != 0) {
        error_set(error, PDB_BAD_USAGE, "%.*s takes no argument", (int)strcspn(word, "="), word);
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *bare = name + strspn(name, "-"), *begun[2]; /* the first two names that begin with it */
    unsigned count = 0;
    for (size_t i = 0; i < MAX_NAMES && long_options[i].name != NULL; i++) {
        names[i] = long_options[i].name;
        if (*bare != '\0' && count < 2 && strncmp(names[i], bare, strlen(bare)) == 0)
            begun[count++] = names[i];
    }
    const char *nearest = suggest_nearest(bare, names);
    if (count > 1)
        error_set(error, PDB_BAD_USAGE, "%s may be --%s or --%s: write more of it", name, begun[0], begun[1]);
    else if (nearest != NULL)
        error_set(error, PDB_BAD_USAGE, "there is no option %s: did you mean --%s?", name, nearest);
    else
        error_set(error, PDB_BAD_USAGE, "there is no option %s; %s --help lists them", name, program);
}

/* -- the reader -- */

enum arguments_outcome arguments_read(const struct arguments_program *program, int argc, char **argv, void *options,
                                      int *words, pdb_error *error)
{
    struct names names = {0};
    make_names(program, &names);
    *words = 0;
    opterr = 0;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet */
    for (int found; (found = getopt_long(argc, argv, names.letters, names.option, NULL)) != -1;) {
        const bool word = found == 1 || (found >= '0' && found <= '9');
        if (word) { /* collected at the front of argv, in places that have been read */
            argv[++*words] = argv[optind - 1];
            continue;
        }
        if (found == 'h')
            fputs(program->help, stdout);
        if (found == 'V')
            printf("%s %s\n", program->name, program->version);
        if (found == 'h' || found == 'V')
            return ARGUMENTS_DONE;
        if (found == '?' || found == ':') {
            complain(program->name, found, argv, names.option, error);
            return ARGUMENTS_WRONG;
        }
        if (!take(program, found, options, error))
            return ARGUMENTS_WRONG;
    }
    while (optind < argc) /* behind -- */
        argv[++*words] = argv[optind++];
    return ARGUMENTS_READ;
}
