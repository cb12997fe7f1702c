/* address.c -- from the address of a request to what is asked */
#include "address.h"
#include "common/arguments.h"

#include <stdlib.h>
#include <string.h>

/* -- the addresses that there are -- */

enum { HARDEST_MOST = 1000, HARDEST_DEFAULT = 100 };

/* What parameters an address takes. */
enum { TAKES_MOST = 1, TAKES_DISTANCE = 2, TAKES_LEVEL = 4 };

/* `{puzzle}` and `{board}` stand for one part each. openapi.json describes them; a test holds both together. */
static const struct route {
    const char *path;
    enum address_kind kind;
    pdb_topic topic;
    unsigned want, takes;
    bool picture, post;
} routes[] = {
    {"/api", ADDRESS_OPENAPI, 0, 0, 0, false, false},
    {"/api/puzzles", ADDRESS_PUZZLES, 0, 0, 0, false, false},
    {"/api/{puzzle}", ADDRESS_ANSWER, PDB_TOPIC_PUZZLE, 0, 0, false, false},
    {"/api/{puzzle}/boards", ADDRESS_ANSWER, PDB_TOPIC_BOARDS, 0, 0, false, true},
    {"/api/{puzzle}/hardest", ADDRESS_ANSWER, PDB_TOPIC_HARDEST, 0, TAKES_MOST, true, false},
    {"/api/{puzzle}/histogram", ADDRESS_ANSWER, PDB_TOPIC_HISTOGRAM, 0, 0, true, false},
    {"/api/{puzzle}/random", ADDRESS_ANSWER, PDB_TOPIC_RANDOM, 0, TAKES_DISTANCE, true, false},
    {"/api/{puzzle}/board/{board}", ADDRESS_ANSWER, PDB_TOPIC_BOARD, 0, 0, true, false},
    {"/api/{puzzle}/board/{board}/moves", ADDRESS_ANSWER, PDB_TOPIC_MOVES, 0, 0, true, false},
    {"/api/{puzzle}/board/{board}/hint", ADDRESS_ANSWER, PDB_TOPIC_HINT, 0, TAKES_LEVEL, false, false},
    {"/api/{puzzle}/board/{board}/path", ADDRESS_ANSWER, PDB_TOPIC_BOARD, PDB_WANT_PATH, 0, true, false},
    {"/api/{puzzle}/board/{board}/count", ADDRESS_ANSWER, PDB_TOPIC_BOARD, PDB_WANT_COUNT, 0, true, false},
};

/* -- texts -- */

/* How many bytes the character at `text` has; 0 where it is none. */
static size_t character(const unsigned char *text, size_t length)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t bytes = text[0] < 0x80                      ? 1
                         : text[0] >= 0xC2 && text[0] < 0xE0 ? 2
                         : text[0] >= 0xE0 && text[0] < 0xF0 ? 3
                         : text[0] >= 0xF0 && text[0] < 0xF5 ? 4
                                                             : 0;
    if (bytes == 0 || bytes > length || text[0] == '\0')
        return 0;
    unsigned code = bytes == 1 ? text[0] : text[0] & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3F);
    }
    return code >= least[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? bytes : 0;
}

bool text_is_utf8(const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t bytes; length > 0; at += bytes, length -= bytes)
        if ((bytes = character(at, length)) == 0)
            return false;
    return true;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* Decodes `length` bytes into `out`, which has room for one more. */
static unsigned decode(const char *text, size_t length, char *out, pdb_error *error)
{
    size_t made = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '%') {
            out[made++] = text[i];
            continue;
        }
        if (length - i < 3 || digit(text[i + 1]) < 0 || digit(text[i + 2]) < 0) {
            error_set(error, PDB_BAD_USAGE, "a %% in an address is followed by two hexadecimal digits");
            return 400;
        }
        out[made++] = (char)(digit(text[i + 1]) * 16 + digit(text[i + 2]));
        i += 2;
    }
    out[made] = '\0';
    if (text_is_utf8(out, made))
        return 200;
    error_set(error, PDB_BAD_USAGE, "an address is UTF-8, percent-encoded");
    return 400;
}

/* -- the path -- */

/* A run of bytes of the address. */
struct part {
    const char *text;
    size_t length;
};

static bool part_is(struct part part, const char *word)
{
    return strlen(word) == part.length && memcmp(part.text, word, part.length) == 0;
}

/* The next part of a path, behind a slash; false at its end. */
static bool next_part(const char **path, const char *end, struct part *part)
{
    if (*path == end || **path != '/')
        return false;
    const char *begin = *path + 1, *slash = memchr(begin, '/', (size_t)(end - begin));
    *path = slash != NULL ? slash : end;
    *part = (struct part){begin, (size_t)(*path - begin)};
    return true;
}

/* Does a path fit a route? Then *puzzle and *board are what stands for them. */
static bool fits(const struct route *route, const char *path, const char *end, struct part *puzzle, struct part *board)
{
    const char *pattern = route->path, *pattern_end = pattern + strlen(pattern);
    struct part is, wanted;
    while (next_part(&pattern, pattern_end, &wanted)) {
        if (!next_part(&path, end, &is) || is.length == 0)
            return false;
        if (part_is(wanted, "{puzzle}"))
            *puzzle = is;
        else if (part_is(wanted, "{board}"))
            *board = is;
        else if (wanted.length != is.length || memcmp(wanted.text, is.text, is.length) != 0)
            return false;
    }
    return path == end;
}

/* The route of a path: of a picture, without its ending. */
static const struct route *find_route(const char *path, const char *end, bool *picture, struct part *puzzle,
                                      struct part *board)
{
    static const char ending[] = ".svg";
    const size_t length = sizeof ending - 1;
    const bool ends = (size_t)(end - path) > length && memcmp(end - length, ending, length) == 0;
    for (int as_picture = ends; as_picture >= 0; as_picture--)
        for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
            const char *until = as_picture ? end - length : end;
            *picture = as_picture;
            if ((!as_picture || routes[i].picture) && fits(&routes[i], path, until, puzzle, board))
                return &routes[i];
        }
    return NULL;
}

/* -- parameters -- */

/* "25" or "25-30". */
static bool take_distance(const char *text, pdb_request *request, pdb_error *error)
{
    uint64_t least, utmost;
    if (!arguments_range("distance", text, PDB_NO_DISTANCE - 1, &least, &utmost, error))
        return false;
    request->least = (uint32_t)least;
    request->utmost = (uint32_t)utmost;
    return true;
}

/* One parameter, its value decoded. */
static unsigned take(const struct route *route, struct part name, char *value, struct address *address,
                     pdb_error *error)
{
    pdb_request *request = &address->request;
    uint64_t number = 1;
    bool good;
    if ((route->takes & TAKES_MOST) != 0 && part_is(name, "most"))
        good = arguments_number("most", value, 1, HARDEST_MOST, &request->most, error);
    else if ((route->takes & TAKES_DISTANCE) != 0 && part_is(name, "distance"))
        good = take_distance(value, request, error);
    else if ((route->takes & TAKES_DISTANCE) != 0 && part_is(name, "seed"))
        good = address->seeded = arguments_number("seed", value, 0, UINT64_MAX, &request->seed, error);
    else if ((route->takes & TAKES_LEVEL) != 0 && part_is(name, "level")) {
        good = arguments_number("level", value, 1, 3, &number, error);
        request->hint = (unsigned)number;
    } else {
        good = false;
        error_set(error, PDB_BAD_USAGE, "this address takes no parameter '%.*s'",
                  (int)(name.length < ADDRESS_PUZZLE_MAX ? name.length : ADDRESS_PUZZLE_MAX), name.text);
    }
    return good ? 200 : 400;
}

/* All parameters: "name=value", joined by "&". */
static unsigned take_all(const struct route *route, const char *text, struct address *address, pdb_error *error)
{
    char value[64];
    unsigned status = 200;
    while (status == 200 && *text != '\0') {
        const size_t length = strcspn(text, "&"), name = strcspn(text, "=&");
        const size_t begin = name < length ? name + 1 : length;
        if (length - begin >= sizeof value) {
            error_set(error, PDB_BAD_USAGE, "a parameter is too long");
            return 400;
        }
        status = decode(text + begin, length - begin, value, error);
        if (status == 200 && length > 0)
            status = take(route, (struct part){text, name}, value, address, error);
        text += length + (text[length] == '&');
    }
    return status;
}

/* -- the whole -- */

/* The address without what proxies put before it, "http://host"; NULL where no host is in that. */
static const char *without_host(const char *text)
{
    const size_t scheme = strncasecmp(text, "http://", 7) == 0 ? 7 : strncasecmp(text, "https://", 8) == 0 ? 8 : 0;
    if (scheme == 0)
        return text;
    const char *host = text + scheme, *path = host + strcspn(host, "/?#");
    return path == host ? NULL : *path == '/' ? path : "/";
}

/* What a route says of the request, before its parameters are looked at. */
static void begin_request(const struct route *route, bool picture, struct address *address)
{
    address->kind = route->kind;
    address->post = route->post;
    address->request = (pdb_request){.topic = route->topic,
                                     .svg = picture,
                                     .board = address->board,
                                     .want = route->want,
                                     .hint = 1,
                                     .most = HARDEST_DEFAULT,
                                     .utmost = PDB_NO_DISTANCE};
}

unsigned address_read(const char *text, struct address *address, pdb_error *error)
{
    text = without_host(text);
    if (text == NULL) {
        *address = (struct address){.kind = ADDRESS_PAGE};
        error_set(error, PDB_BAD_USAGE, "behind http:// there has to be a host");
        return 400;
    }
    const size_t length = strcspn(text, "?#");
    const char *end = text + length, *rest = *end == '?' ? end + 1 : end;
    struct part puzzle = {0}, board = {0};
    bool picture = false;
    unsigned status;
    *address = (struct address){.kind = ADDRESS_PAGE, .path = malloc(length + 1), .board = malloc(length + 1)};
    if (address->path == NULL || address->board == NULL) {
        error_set(error, PDB_NO_MEMORY, "not enough memory for an address");
        return 503;
    }
    if ((status = decode(text, length, address->path, error)) != 200)
        return status;
    address->below_api = strcmp(address->path, "/api") == 0 || strncmp(address->path, "/api/", 5) == 0;
    if (!address->below_api)
        return 200;
    const struct route *route = find_route(text, end, &picture, &puzzle, &board);
    if (route == NULL || puzzle.length >= sizeof address->puzzle) {
        error_set(error, PDB_BAD_USAGE, "there is nothing at this address: /api describes those there are");
        return 404;
    }
    begin_request(route, picture, address);
    if ((status = decode(puzzle.text, puzzle.length, address->puzzle, error)) != 200 ||
        (status = decode(board.text, board.length, address->board, error)) != 200)
        return status;
    return take_all(route, rest, address, error);
}

void address_free(struct address *address)
{
    free(address->path);
    free(address->board);
}
