/* store_inner.h -- a store that is open: what opening and looking up (store_read.c) and the complete check
 * (store_verify.c) know of it */
#ifndef DB_STORE_INNER_H
#define DB_STORE_INNER_H

#include "store.h"
#include "page_checksum.h"
#include "store_header.h"

#include <lmdb.h>
#include <stdatomic.h>

/* Bits for the pages of an extent; the last one stands for none. */
enum { WORDS_PER_EXTENT = (EXTENT_PAGES + 63) / 64 };

struct store {
    const uint8_t **extents;    /* where each extent's payload begins */
    _Atomic uint64_t *checked;  /* WORDS_PER_EXTENT words an extent, a bit a page: its checksum was found right */
    _Atomic(uint8_t *) *chunks; /* of deflated data: each once it is inflated, NULL before; else no array */
    struct store_header header;
    uint64_t identity;
    uint64_t file_bytes;
    char *path;
    json_t *texts; /* the header's JSON, which owns its texts */
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi database;
};

/* What LMDB's number means, of the file. */
pdb_status store_lmdb_failed(const struct store *store, int code, pdb_error *error);

/* The payload of a small record, all of it checked. */
pdb_status store_record(const struct store *store, const char *key, uint64_t identity, const uint8_t **payload,
                        uint64_t *payload_bytes, pdb_error *error);

#endif
