/* fuzz_request.c -- any bytes as a request to pdb-serve: an address, and behind the first newline a body
 *
 * What is asked is answered by pdb_answer, of a puzzle that is so small that it is solved in no time: by the same way
 * as the server goes, without a network.
 */
#include "fuzz.h"
#include "serve/address.h"

#include <stdlib.h>
#include <string.h>

static const char definition[] = "puzzle: tiny\nfamily: slide\ntitle: \"<b>&\"\ngoal: |\n  1 2\n  3 .\n"
                                 "boards: {start: 2.13}\n";

/* Both are made once, and live as long as the program. */
static const pdb_solver *tiny_solver(const pdb_puzzle **of)
{
    static pdb_puzzle *puzzle;
    static pdb_solver *solver;
    const pdb_options whole = {.directory = "/nonexistent", .threads = 1, .whole = true};
    if (solver == NULL) {
        demand(load_sample(definition, &puzzle, NULL) == PDB_OK, "the puzzle is made");
        demand(pdb_solver_open(puzzle, &whole, &solver, NULL) == PDB_OK, "and solved");
    }
    *of = puzzle;
    return solver;
}

/* An answer is one or more whole lines of UTF-8; or there are words for why there is none. */
static void answer(const struct address *address)
{
    const pdb_puzzle *puzzle;
    const pdb_solver *solver = tiny_solver(&puzzle);
    char *text;
    size_t length;
    pdb_error error = {.message = ""};
    if (pdb_answer(puzzle, solver, &address->request, &text, &length, &error) != PDB_OK) {
        demand(*error.message != '\0' && text_is_utf8(error.message, strlen(error.message)), "there are words for it");
        return;
    }
    demand(text_is_utf8(text, length), "an answer is UTF-8");
    demand(address->request.topic == PDB_TOPIC_BOARDS || (length > 0 && text[length - 1] == '\n'), "it has lines");
    demand(strstr(text, "<b>") == NULL || !address->request.svg, "what is a text stays one in a picture");
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct address address;
    pdb_error error = {.message = ""};
    demand(text != NULL, "no memory");
    memcpy(text, data, size);
    text[size] = '\0';
    char *body = memchr(text, '\n', size);
    if (body != NULL)
        *body++ = '\0';
    const unsigned status = address_read(text, &address, &error);
    demand(status == 200 || status == 400 || status == 404, "an address has one of three outcomes");
    demand((status == 200) == (*error.message == '\0'), "what is refused has words for it");
    demand(status != 200 || text_is_utf8(address.path, strlen(address.path)), "a path is UTF-8");
    if (status == 200 && address.kind == ADDRESS_ANSWER) {
        demand(text_is_utf8(address.puzzle, strlen(address.puzzle)), "a name is UTF-8");
        if (address.post)
            address.request.board = body != NULL && text_is_utf8(body, strlen(body)) ? body : "";
        address.request.bytes = 1 << 20;
        answer(&address);
    }
    address_free(&address);
    free(text);
    return 0;
}
