/* options.c -- what the user of pdb-query typed */
#include "answer.h"
#include "version.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
static const char help[] =
    "Usage: pdb-query [options] PUZZLE [BOARD...]\n"
    "How far a board is from the puzzle's goal, and which moves are best.\n"
    "PUZZLE  a built-in name (pdb-gen --list) or a definition file\n"
    "BOARD   cells row by row; start (the default), goal, a named board; moves from\n"
    "        the goal (\"R U2 F'\"); or - for standard input, a board a line\n"
    "      --from=FILE          the boards of a file, a line each, as with -\n"
    "About a board:\n"
    "      --path[=N|all]       one whole shortest solution; a list of N, or of all\n"
    "      --count              how many shortest solutions there are\n"
    "      --first              with --count: how many of them begin with each move\n"
    "      --bounds             the lower bounds of a search; a peg board's class\n"
    "      --hint[=1|2|3]       1 (the default): how far; 2: which piece; 3: the move\n"
    "      --play               a game on the whole terminal, with hints and undo\n"
    "About all boards:\n"
    "      --hardest[=N]        the boards farthest from the goal, at most N (1000)\n"
    "      --histogram          how many states there are at each distance\n"
    "      --random[=A|A..B]    a random board, at that distance or one between\n"
    "      --number=N           so many different ones, graded, the easiest first,\n"
    "      --unique[=first]     with one shortest solution, or one best first move,\n"
    "      --distinct           none like another by a symmetry,\n"
    "      --fixed=CELLS        with these cells, `.` for any; so far --hardest, too;\n"
    "      --spread             as many of each distance, as far as there are\n"
    "      --seed=N             makes --random repeatable\n"
    "      --info               what the database says of itself\n"
    "Where answers come from:\n"
    "  -d, --db-dir=DIR         where databases are (default: ~/.local/share/pdb)\n"
    "      --method=METHOD      auto, db (only with a database), search (always anew)\n"
    "  -j, --threads=N          for a search (default: every core)\n"
    "How they are shown:\n"
    "      --json               as JSON objects, one a line\n"
    "      --svg                boards, a path or the histogram as an SVG picture\n"
    "      --sheet=FILE         boards to print, and solutions: .pdf or .svg; on\n"
    "      --paper=SIZE         a4 (the default) or letter,\n"
    "      --per-page=N         so many boards a page (6)\n"
    "      --ascii              boards drawn with letters and digits only, no colours\n"
    "      --numbers            the cells of every board with what moves call them\n"
    "      --color=WHEN         colours: auto (on a terminal), always or never\n"
    "      --progress           how far a search has got, also where no terminal is;\n"
    "      --no-progress        not on one either\n"
    "  -h, --help               this text\n"
    "  -V, --version            the version\n"
    "Exit codes: 0 answered; 1 no answer; 2 bad usage, board or definition; 3 too\n"
    "large, or I/O; 4 a damaged database; 130 interrupted. More: man pdb-query\n"
    "Examples:  pdb-query goat --path       pdb-query --json goat - <boards\n";
/* clang-format on */

/* From OPTION_ASK on: a question. */
enum {
    OPTION_SEED = 256,
    OPTION_PATH, /* from here to OPTION_FROM: a wish */
    OPTION_NUMBER,
    OPTION_UNIQUE,
    OPTION_FIXED,
    OPTION_FROM,
    OPTION_SHEET,
    OPTION_PAPER,
    OPTION_PER_PAGE,
    OPTION_METHOD,
    OPTION_COLOUR,
    OPTION_PROGRESS,
    OPTION_NO_PROGRESS,
    OPTION_ASK
};

static const struct arguments_option table[] = {
    {"path", OPTION_PATH, optional_argument, 0},
    {"count", 0, no_argument, offsetof(struct options, count)},
    {"first", 0, no_argument, offsetof(struct options, first)},
    {"bounds", 0, no_argument, offsetof(struct options, bounds)},
    {"hint", OPTION_ASK + ASK_HINT, optional_argument, 0},
    {"hardest", OPTION_ASK + ASK_HARDEST, optional_argument, 0},
    {"histogram", OPTION_ASK + ASK_HISTOGRAM, no_argument, 0},
    {"random", OPTION_ASK + ASK_RANDOM, optional_argument, 0},
    {"number", OPTION_NUMBER, required_argument, 0},
    {"unique", OPTION_UNIQUE, optional_argument, 0},
    {"distinct", 0, no_argument, offsetof(struct options, distinct)},
    {"spread", 0, no_argument, offsetof(struct options, spread)},
    {"fixed", OPTION_FIXED, required_argument, 0},
    {"seed", OPTION_SEED, required_argument, 0},
    {"info", OPTION_ASK + ASK_INFO, no_argument, 0},
    {"from", OPTION_FROM, required_argument, 0},
    {"play", OPTION_ASK + ASK_PLAY, no_argument, 0},
    {"method", OPTION_METHOD, required_argument, 0},
    {"json", 0, no_argument, offsetof(struct options, json)},
    {"svg", 0, no_argument, offsetof(struct options, svg)},
    {"sheet", OPTION_SHEET, required_argument, 0},
    {"paper", OPTION_PAPER, required_argument, 0},
    {"per-page", OPTION_PER_PAGE, required_argument, 0},
    {"ascii", 0, no_argument, offsetof(struct options, ascii)},
    {"numbers", 0, no_argument, offsetof(struct options, numbers)},
    {"color", OPTION_COLOUR, required_argument, 0},
    {"progress", OPTION_PROGRESS, no_argument, 0},
    {"no-progress", OPTION_NO_PROGRESS, no_argument, 0},
    {"threads", 'j', required_argument, 0},
    {"db-dir", 'd', required_argument, 0},
    {0},
};

/* Which of three words an argument is. */
static bool choose(const char *option, const char *argument, const char *const names[3], unsigned *choice,
                   pdb_error *error)
{
    for (*choice = 0; *choice < 3; ++*choice)
        if (strcmp(names[*choice], argument) == 0)
            return true;
    error_set(error, PDB_BAD_USAGE, "%s is %s, %s or %s, not '%s'", option, names[0], names[1], names[2], argument);
    return false;
}

/* How many solutions are listed; without an argument one is shown, which is no list. */
static bool take_path(struct options *options, const char *argument, pdb_error *error)
{
    options->paths = argument != NULL ? UINT64_MAX : 0;
    options->path = argument == NULL;
    return argument == NULL || strcmp(argument, "all") == 0 ||
           arguments_number("--path", argument, 1, UINT64_MAX - 1, &options->paths, error);
}

/* A distance, or two. */
static bool take_distances(struct options *options, const char *argument, pdb_error *error)
{
    uint64_t from = PDB_NO_DISTANCE, to = PDB_NO_DISTANCE;
    const bool good = argument == NULL || arguments_range("--random", argument, PDB_NO_DISTANCE - 1, &from, &to, error);
    options->distance = (uint32_t)from;
    options->farthest = (uint32_t)to;
    options->set |= argument != NULL && strpbrk(argument, ".-") != NULL;
    return good;
}

/* What is listed: solutions, a set of boards, or a file's. */
static bool take_wish(struct options *options, int id, const char *argument, pdb_error *error)
{
    if (id == OPTION_PATH)
        return take_path(options, argument, error);
    if (id == OPTION_FROM) {
        options->from = argument;
        return true;
    }
    options->set = true;
    if (id == OPTION_FIXED)
        options->fixed = argument;
    if (id == OPTION_UNIQUE)
        options->unique = argument != NULL ? UNIQUE_FIRST : UNIQUE_ALL;
    if (id == OPTION_UNIQUE && argument != NULL && strcmp(argument, "first") != 0) {
        error_set(error, PDB_BAD_USAGE, "--unique is alone, or --unique=first, not '%s'", argument);
        return false;
    }
    return id != OPTION_NUMBER || arguments_number("--number", argument, 1, UINT32_MAX, &options->number, error);
}

/* Which size of paper. */
static bool take_paper(struct options *options, const char *argument, pdb_error *error)
{
    for (unsigned size = 0; size < PAPER_SIZES; size++)
        if (strcasecmp(papers[size].name, argument) == 0) {
            options->sheet.paper = (enum paper_size)size;
            return true;
        }
    error_set(error, PDB_BAD_USAGE, "--paper is a4 or letter, not '%s'", argument);
    return false;
}

/* A sheet to print, or what one is to be. */
static bool take_sheet(struct options *options, int id, const char *argument, pdb_error *error)
{
    uint64_t boards = 0;
    options->paged |= id != OPTION_SHEET;
    if (id == OPTION_PAPER)
        return take_paper(options, argument, error);
    if (id == OPTION_SHEET) {
        options->sheet.file = argument;
        return paper_check(argument, error) == PDB_OK;
    }
    const bool good = arguments_number("--per-page", argument, 1, SHEET_BOARDS_MAX, &boards, error);
    options->sheet.boards = (unsigned)boards;
    return good;
}

static bool take_question(struct options *options, enum question question, pdb_error *error)
{
    const bool another = options->question != ASK_BOARDS && options->question != question;
    if (another)
        error_set(error, PDB_BAD_USAGE,
                  "one question at a time: --hint, --hardest, --histogram, --random, --info or --play");
    options->question = question;
    return !another;
}

/* An option that is no flag. */
static bool take(void *to, int id, const char *argument, pdb_error *error)
{
    static const char *const methods[] = {[PDB_AUTO] = "auto", [PDB_DATABASE] = "db", [PDB_SEARCH] = "search"};
    static const char *const wishes[] = {[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    struct options *options = to;
    uint64_t number = 1;
    unsigned choice = 0;
    bool good = true;
    if (id == OPTION_SHEET || id == OPTION_PAPER || id == OPTION_PER_PAGE)
        return take_sheet(options, id, argument, error);
    switch (id) {
    case OPTION_ASK + ASK_HINT:
        good = argument == NULL || arguments_number("--hint", argument, 1, 3, &number, error);
        options->hint = (unsigned)number;
        break;
    case OPTION_ASK + ASK_HARDEST:
        good = argument == NULL || arguments_number("--hardest", argument, 1, UINT32_MAX, &options->hardest, error);
        break;
    case OPTION_ASK + ASK_RANDOM:
        good = take_distances(options, argument, error);
        break;
    case OPTION_PATH ... OPTION_FROM:
        return take_wish(options, id, argument, error);
    case OPTION_SEED:
        options->seeded = true;
        return arguments_number("--seed", argument, 0, UINT64_MAX, &options->seed, error);
    case OPTION_METHOD:
        good = choose("--method", argument, methods, &choice, error);
        options->solver.method = (pdb_method)choice;
        return good;
    case OPTION_COLOUR:
        good = choose("--color", argument, wishes, &choice, error);
        options->colour = (enum colour_wish)choice;
        return good;
    case OPTION_PROGRESS:
    case OPTION_NO_PROGRESS:
        options->progress = id == OPTION_PROGRESS ? PROGRESS_ON : PROGRESS_OFF;
        return true;
    case 'j':
        return arguments_threads(argument, &options->solver.threads, error);
    case 'd':
        options->solver.directory = argument;
        return true;
    }
    return good && take_question(options, (enum question)(id - OPTION_ASK), error);
}

static bool many_lines(const struct options *options)
{
    return options->from != NULL || (options->boards == 1 && strcmp(options->board[0], "-") == 0);
}

/* What cannot be asked together with a sheet. */
static bool check_sheet(const struct options *options, pdb_error *error)
{
    if (options->sheet.file == NULL)
        error_set(error, PDB_BAD_USAGE, "--paper and --per-page go with --sheet=FILE");
    else if (options->svg || options->json)
        error_set(error, PDB_BAD_USAGE, "one form of the answer: --sheet, --svg or --json");
    else if (options->paths > 0)
        error_set(error, PDB_BAD_USAGE, "a sheet has one solution of each board: leave --path=N out");
    else if (options->question != ASK_BOARDS && !options->set)
        error_set(error, PDB_BAD_USAGE, "--sheet goes with boards, --random and --hardest");
    else if (many_lines(options))
        error_set(error, PDB_BAD_USAGE, "--sheet makes one sheet: give its boards on the command line, not by '-'");
    else
        return true;
    return false;
}

/* The option that asks this; not of ASK_BOARDS, which has none. */
static const char *question_name(enum question question)
{
    const struct arguments_option *option = table;
    while (option->id != OPTION_ASK + (int)question)
        option++;
    return option->name;
}

/* "--random 20" was meant as --random=20. */
static void refuse_boards(const struct options *options, pdb_error *error)
{
    const char *board = options->board[0], *name = question_name(options->question);
    uint64_t from, to;
    pdb_error none;
    if ((options->question == ASK_RANDOM && arguments_range("", board, PDB_NO_DISTANCE - 1, &from, &to, &none)) ||
        (options->question == ASK_HARDEST && arguments_number("", board, 1, UINT64_MAX, &to, &none)))
        error_set(error, PDB_BAD_USAGE, "--%s takes no board: did you mean --%s=%s?", name, name, board);
    else
        error_set(error, PDB_BAD_USAGE, "--hardest, --histogram, --random and --info take no board");
}

/* What cannot be asked together. */
static bool check(const struct options *options, pdb_error *error)
{
    const bool paths = options->path || options->paths > 0;
    if (options->puzzle == NULL)
        error_set(error, PDB_BAD_USAGE, "which puzzle? Try 'pdb-query goat', or 'pdb-gen --list' for their names");
    else if (options->boards > 0 && options->question != ASK_BOARDS && options->question != ASK_HINT &&
             options->question != ASK_PLAY)
        refuse_boards(options, error);
    else if (options->from != NULL &&
             (options->boards > 0 || (options->question != ASK_BOARDS && options->question != ASK_HINT)))
        error_set(error, PDB_BAD_USAGE, "--from takes the boards of a file: no other boards and questions with it");
    else if (options->first && !options->count)
        error_set(error, PDB_BAD_USAGE, "--first goes with --count: how many solutions begin with each move");
    else if (options->bounds && (options->svg || options->sheet.file != NULL))
        error_set(error, PDB_BAD_USAGE, "--bounds are figures, and --svg and --sheet are drawn: one of them at a time");
    else if (options->bounds && options->question != ASK_BOARDS && options->question != ASK_HARDEST && !options->set)
        error_set(error, PDB_BAD_USAGE, "--bounds does not go with --%s: it goes with boards, --hardest and --random",
                  question_name(options->question));
    else if ((paths || options->count) && options->question == ASK_HINT)
        error_set(error, PDB_BAD_USAGE, "--hint says less than --path and --count do: leave one of them out");
    else if ((paths || options->count) && options->question != ASK_BOARDS && options->question != ASK_HARDEST &&
             !options->set)
        error_set(error, PDB_BAD_USAGE,
                  "--path and --count do not go with --%s: they go with boards, --hardest and --random",
                  question_name(options->question));
    else if (options->set && options->question != ASK_RANDOM && options->question != ASK_HARDEST)
        error_set(error, PDB_BAD_USAGE, "--number, --unique, --distinct and --fixed go with --random or --hardest");
    else if (options->spread && (options->question != ASK_RANDOM || options->number == 0))
        error_set(error, PDB_BAD_USAGE, "--spread goes with a --number of --random");
    else if (options->seeded && options->question != ASK_RANDOM && options->question != ASK_PLAY)
        error_set(error, PDB_BAD_USAGE, "--seed goes with --random and --play");
    else if (options->sheet.file != NULL || options->paged)
        return check_sheet(options, error);
    else if (options->svg && options->json)
        error_set(error, PDB_BAD_USAGE, "one form of the answer: --svg or --json");
    else if (options->svg && (options->question == ASK_HINT || options->question == ASK_INFO))
        error_set(error, PDB_BAD_USAGE,
                  "--svg draws boards, --path, --hardest, --random and --histogram: %s has no picture",
                  options->question == ASK_HINT ? "--hint" : "--info");
    else if (options->svg && many_lines(options))
        error_set(error, PDB_BAD_USAGE, "--svg makes one picture: give its boards on the command line, not by '-'");
    else if ((options->json || options->svg) && options->question == ASK_PLAY)
        error_set(error, PDB_BAD_USAGE, "--play is for people, --json and --svg are not: one of them at a time");
    else
        return true;
    return false;
}

enum arguments_outcome query_options_read(int argc, char **argv, struct options *options, pdb_error *error)
{
    static const struct arguments_program program = {.name = "pdb-query",
                                                     .version = PDB_VERSION_AND_COMMIT,
                                                     .help = help,
                                                     .option = table,
                                                     .numbers = true,
                                                     .take = take};
    int words;
    *options = (struct options){.hardest = 1000, .distance = PDB_NO_DISTANCE, .sheet = {.boards = 6}};
    const enum arguments_outcome outcome = arguments_read(&program, argc, argv, options, &words, error);
    options->puzzle = words > 0 ? argv[1] : NULL;
    options->boards = words > 0 ? words - 1 : 0;
    options->board = argv + 2;
    const bool more = options->path || options->paths > 0 || options->count || options->bounds; /* of boards of a set */
    options->set |= options->distinct || (options->question == ASK_RANDOM && more) ||
                    (options->sheet.file != NULL &&
                     (options->question == ASK_RANDOM || options->question == ASK_HARDEST));
    const bool good = outcome != ARGUMENTS_READ || check(options, error);
    options->path |= options->sheet.file != NULL; /* whose solutions are on it */
    return good ? outcome : ARGUMENTS_WRONG;
}
