/* reply.h -- what is sent back: a body with its headers */
#ifndef SERVE_REPLY_H
#define SERVE_REPLY_H

#include "pdb.h"

#include <microhttpd.h>

/* How long others may keep an answer. */
enum reply_keep {
    REPLY_CHECK, /* it may change: they ask each time whether it has, by its tag */
    REPLY_NOT    /* it is another one each time */
};

struct reply {
    unsigned status;  /* of HTTP; 0: none yet */
    const char *type; /* of the body */
    char *body;
    size_t length;
    bool borrowed; /* the body is not the reply's to be freed */
    /* the same, packed; NULL: not done beforehand */
    const void *packed;
    size_t packed_length;
    enum reply_keep keep;
    const char *allow; /* methods, of a 405 and of an answer to OPTIONS */
    bool programs;     /* below /api: pages of others may read it, and it is no page itself */
    bool retry;        /* what is wrong may pass */
};

/* {"error":"..."}. */
void reply_error(struct reply *reply, unsigned status, const char *message);

/* Queues it, or 304 where the client has it already; what `reply` held is given away. *bytes is how long the body that
 * is sent is. */
enum MHD_Result reply_send(struct reply *reply, struct MHD_Connection *connection, size_t *bytes);

/* Frees one that was not sent. */
void reply_free(struct reply *reply);

/* Packs bytes as gzip does; NULL where memory is short or they do not get fewer. The caller frees it. */
void *reply_pack(const void *bytes, size_t length, int level, size_t *packed_length);

#endif
