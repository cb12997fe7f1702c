/* address.h -- from the address of a request to what is asked
 *
 * An address may begin with a scheme and a host, which are passed over. The library underneath hands an address over
 * as it came. It is split first and decoded then, so that a slash that was written %2F stays within its part. Nothing
 * here touches a file: an address is looked up in a table, or it is none.
 */
#ifndef SERVE_ADDRESS_H
#define SERVE_ADDRESS_H

#include "pdb.h"

enum address_kind {
    ADDRESS_PAGE,    /* a file of the page: `path` */
    ADDRESS_OPENAPI, /* the description of the interface */
    ADDRESS_PUZZLES, /* the list of puzzles */
    ADDRESS_ANSWER   /* what pdb_answer answers about `puzzle` */
};

enum { ADDRESS_PUZZLE_MAX = 256 };

struct address {
    enum address_kind kind;
    bool below_api;                  /* programs ask, of other pages too */
    bool post;                       /* takes POST, and nothing else */
    bool seeded;                     /* a seed is given, where one is taken */
    char puzzle[ADDRESS_PUZZLE_MAX]; /* its name */
    char *path;                      /* decoded, of a page */
    char *board;                     /* decoded; where request.board points to */
    pdb_request request;
};

/* Takes an address to pieces. Returns 200; or the HTTP status of what is wrong with it, 400 or 404, with the words in
 * *error (503: no memory). Whatever it returns, the caller frees *address with address_free. */
unsigned address_read(const char *text, struct address *address, pdb_error *error);
void address_free(struct address *address);

/* Is it UTF-8 without a NUL? */
bool text_is_utf8(const char *text, size_t length);

#endif
