/* test_arguments.c -- numbers, sizes and complaints of command lines */
#include "common/arguments.h"
#include "tests/support/support.h"

#include <string.h>

Test(arguments, numbers)
{
    static const struct {
        const char *text;
        uint64_t min, max, value;
    } good[] = {{"0", 0, 9, 0},
                {"9", 0, 9, 9},
                {"007", 0, 9, 7},
                {"18446744073709551615", 0, UINT64_MAX, UINT64_MAX},
                {"5", 5, 5, 5}};
    static const struct {
        const char *text;
        uint64_t min, max;
    } bad[] = {{"", 0, 9},
               {"10", 0, 9},
               {"-1", 0, 9},
               {"+1", 0, 9},
               {" 1", 0, 9},
               {"1 ", 0, 9},
               {"1x", 0, 9},
               {"0x1", 0, 9},
               {"1.0", 0, 9},
               {"0", 1, 9},
               {"18446744073709551616", 0, UINT64_MAX},
               {"99999999999999999999999", 0, UINT64_MAX},
               {"one", 0, 9}};
    pdb_error error;
    for (size_t i = 0; i < COUNT(good); i++) {
        uint64_t value = 77;
        cr_expect(arguments_number("--n", good[i].text, good[i].min, good[i].max, &value, &error) &&
                      value == good[i].value,
                  "'%s'", good[i].text);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint64_t value = 77;
        cr_expect(!arguments_number("--n", bad[i].text, bad[i].min, bad[i].max, &value, &error) &&
                      error.status == PDB_BAD_USAGE && value == 77,
                  "'%s'", bad[i].text);
    }
    uint64_t value;
    cr_assert(!arguments_number("--threads", "1025", 1, 1024, &value, &error));
    EXPECT_TEXT(error.message, "--threads takes a whole number from 1 to 1024, not '1025'");
}

Test(arguments, ranges)
{
    static const struct {
        const char *text;
        uint64_t least, utmost;
    } good[] = {{"7", 7, 7}, {"5-7", 5, 7}, {"5..7", 5, 7}, {"0-0", 0, 0}, {"0..100", 0, 100}};
    static const char *const bad[] = {"",
                                      "-",
                                      "..",
                                      "-5",
                                      "5-",
                                      "5..",
                                      "..7",
                                      "7-5",
                                      "7..5",
                                      "5-7-9",
                                      "5...7",
                                      "5.7",
                                      "5--7",
                                      "5 - 7",
                                      "5-101",
                                      "101-102",
                                      "00000000000000000000000000000000001-2"};
    pdb_error error;
    uint64_t least, utmost;
    for (size_t i = 0; i < COUNT(good); i++)
        cr_expect(arguments_range("--n", good[i].text, 100, &least, &utmost, &error) && least == good[i].least &&
                      utmost == good[i].utmost,
                  "'%s'", good[i].text);
    for (size_t i = 0; i < COUNT(bad); i++)
        cr_expect(!arguments_range("--n", bad[i], 100, &least, &utmost, &error) && error.status == PDB_BAD_USAGE,
                  "'%s'", bad[i]);
}

Test(arguments, sizes)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"1", 1},       {"512", 512},    {"1K", 1024},         {"1k", 1024},       {"1KB", 1024},
                {"1KiB", 1024}, {"2M", 2097152}, {"1.5G", 1610612736}, {"8G", 8589934592}, {"1T", 1099511627776},
                {".5K", 512},   {"100B", 100},   {"8GiB", 8589934592}, {"0.5M", 524288}};
    static const char *const bad[] = {"",      "0",   "G",        "-1",    "+1",  " 1",  "1X",       "1GG",
                                      "1GiBB", "1iB", "8388608T", "1e400", "nan", "inf", "infinity", ".",
                                      "1,5G",  "0.4", "1KKB",     "1Bi",   "GiB", "1i",  "K1"};
    pdb_error error;
    for (size_t i = 0; i < COUNT(good); i++) {
        uint64_t bytes = 0;
        cr_expect(arguments_size("--memory", good[i].text, &bytes, &error) && bytes == good[i].bytes, "'%s': %llu",
                  good[i].text, (unsigned long long)bytes);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint64_t bytes = 77;
        cr_expect(!arguments_size("--memory", bad[i], &bytes, &error) && error.status == PDB_BAD_USAGE && bytes == 77,
                  "'%s': %llu", bad[i], (unsigned long long)bytes);
    }
    uint64_t bytes;
    cr_assert(!arguments_size("--memory", "lots", &bytes, &error));
    EXPECT_TEXT(error.message, "--memory takes a size such as 512M or 8G, not 'lots'");
}

/* A space is no unit. */
Test(arguments, sizes_with_spaces)
{
    static const char *const bad[] = {"8 ", "512 B", "8 G", "1 iB", "8  "};
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint64_t bytes = 0;
        cr_expect(!arguments_size("--memory", bad[i], &bytes, NULL) || bytes < 1000000, "'%s': %llu bytes", bad[i],
                  (unsigned long long)bytes);
    }
}

/* -- complaints -- */

static bool take(void *options, int id, const char *argument, pdb_error *error)
{
    (void)options;
    (void)id;
    (void)argument;
    (void)error;
    return true;
}

static const struct arguments_option options[] = {
    {"threads", 'j', required_argument, 0}, {"memory", 'm', required_argument, 0}, {"force", 'f', no_argument, 0},
    {"json", 256, no_argument, 0},          {"quiet", 'q', no_argument, 0},        {0}};
static const struct arguments_program program = {.name = "pdb-x", .option = options, .take = take};

/* What the program says of a command line: the complaint about the first bad option. */
static void expect_complaint(const char *const *words, const char *message)
{
    char *argv[8], copies[8][40];
    int argc = 0, left;
    for (; words[argc] != NULL; argc++)
        argv[argc] = strcpy(copies[argc], words[argc]);
    argv[argc] = NULL;
    optind = 0; /* begins anew */
    pdb_error error = {.message = ""};
    EXPECT_NUMBER(arguments_read(&program, argc, argv, NULL, &left, &error), ARGUMENTS_WRONG);
    EXPECT_NUMBER(error.status, PDB_BAD_USAGE);
    EXPECT_TEXT(error.message, message);
}

#define COMPLAINT(message, ...) expect_complaint((const char *const[]){"pdb-x", __VA_ARGS__, NULL}, message)

Test(arguments, complaints)
{
    COMPLAINT("there is no option -x; pdb-x --help lists them", "-x");
    COMPLAINT("there is no option -x; pdb-x --help lists them", "goat", "-x", "goat");
    COMPLAINT("there is no option --thraeds: did you mean --threads?", "--thraeds");
    COMPLAINT("there is no option --colour; pdb-x --help lists them", "--colour");
    COMPLAINT("--threads needs an argument", "--threads");
    COMPLAINT("-j needs an argument", "-j");
    COMPLAINT("--json takes no argument", "--json=1");
    COMPLAINT("--force takes no argument", "--force=yes");
}

/* Several short options in one word: getopt has not yet gone past the word that has the bad one. */
Test(arguments, complaints_about_clusters)
{
    COMPLAINT("there is no option -x; pdb-x --help lists them", "-xq");
    COMPLAINT("there is no option -x; pdb-x --help lists them", "-qx");
    COMPLAINT("there is no option -x; pdb-x --help lists them", "--json", "-xq");
    COMPLAINT("there is no option -x; pdb-x --help lists them", "--threads=2", "-qxf", "goat");
}
