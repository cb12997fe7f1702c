/* reply.c -- what is sent back: a body with its headers */
#include "reply.h"

#define XXH_INLINE_ALL
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

enum { PACK_LEAST = 1024, TAG_MAX = 32 };

void reply_error(struct reply *reply, unsigned status, const char *message)
{
    reply_free(reply);
    json_t *object = json_pack("{ss}", "error", message);
    char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    reply->status = status;
    reply->type = "application/json";
    reply->keep = REPLY_NOT;
    reply->borrowed = text == NULL;
    reply->body = text;
    reply->length = text != NULL ? strlen(text) : 0;
    reply->packed = NULL;
}

void reply_free(struct reply *reply)
{
    if (!reply->borrowed)
        free(reply->body);
    reply->body = NULL;
}

void *reply_pack(const void *bytes, size_t length, int level, size_t *packed_length)
{
    enum { WINDOW_BITS = 15, GZIP = 16, MEMORY = 8 };
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)bytes, .avail_in = (uInt)length};
    if (length > UINT32_MAX ||
        deflateInit2(&stream, level, Z_DEFLATED, WINDOW_BITS + GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    char *packed = malloc(length);
    stream.next_out = (Bytef *)packed;
    stream.avail_out = packed != NULL ? (uInt)length : 0;
    const bool done = packed != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *packed_length = length - stream.avail_out;
    deflateEnd(&stream);
    if (done)
        return packed;
    free(packed);
    return NULL;
}

/* What a client says of codings, in thousandths; -1: nothing. */
struct weights {
    int gzip, others, plain;
};

/* The weight behind a coding's name, up to `end`: ";q=0.5". 0 where it is none. */
static int weight_at(const char *text, const char *end)
{
    int weight = 0, place = 1000;
    text += strspn(text, " \t");
    if (text >= end)
        return 1000;
    text += 1 + strspn(text + 1, " \t");
    if (strncasecmp(text, "q=", 2) != 0)
        return 0;
    for (text += 2; text < end && place > 0; text++)
        if (*text >= '0' && *text <= '9') {
            weight += (*text - '0') * place;
            place /= 10;
        } else if (*text != '.' || place != 100) {
            break;
        }
    return weight;
}

static enum MHD_Result take_coding(void *context, enum MHD_ValueKind kind, const char *header, const char *list)
{
    struct weights *weights = context;
    (void)kind;
    if (strcasecmp(header, MHD_HTTP_HEADER_ACCEPT_ENCODING) != 0 || list == NULL)
        return MHD_YES;
    for (const char *end; *list != '\0'; list = end + (*end != '\0')) {
        list += strspn(list, " \t");
        end = list + strcspn(list, ",");
        const size_t length = strcspn(list, ",; \t");
        const int weight = weight_at(list + length, end);
        if ((length == 4 && strncasecmp(list, "gzip", 4) == 0) || (length == 6 && strncasecmp(list, "x-gzip", 6) == 0))
            weights->gzip = weight;
        else if (length == 8 && strncasecmp(list, "identity", 8) == 0)
            weights->plain = weight;
        else if (length == 1 && *list == '*')
            weights->others = weight;
    }
    return MHD_YES;
}

/* Does a client take gzip, and like nothing better? `*` is what it does not name. */
static bool takes_gzip(struct MHD_Connection *connection)
{
    struct weights weights = {-1, -1, -1};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take_coding, &weights);
    const int gzip = weights.gzip >= 0 ? weights.gzip : weights.others;
    return gzip > 0 && gzip >= weights.plain;
}

/* Does the client have a body of this tag? */
static bool has_it(struct MHD_Connection *connection, const char *tag)
{
    const char *tags = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
    return tags != NULL && (strcmp(tags, "*") == 0 || strstr(tags, tag) != NULL);
}

static void add(struct MHD_Response *response, const char *name, const char *value)
{
    MHD_add_response_header(response, name, value);
}

/* A page may load what this server has, and nothing else; a picture or an answer that is looked at as a page, nothing
 * at all. */
static void add_headers(const struct reply *reply, struct MHD_Response *response)
{
    static const char page_policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                                      "connect-src 'self'; base-uri 'none'; form-action 'none'";
    static const char *const keep[] = {[REPLY_CHECK] = "no-cache", [REPLY_NOT] = "no-store"};
    add(response, MHD_HTTP_HEADER_CACHE_CONTROL, keep[reply->keep]);
    add(response, "Content-Security-Policy", reply->programs ? "default-src 'none'; sandbox" : page_policy);
    add(response, "X-Content-Type-Options", "nosniff");
    add(response, "Referrer-Policy", "no-referrer");
    if (reply->type != NULL)
        add(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->type);
    if (reply->programs) {
        add(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
        add(response, "Access-Control-Expose-Headers", "ETag, Retry-After");
    }
    if (reply->allow != NULL)
        add(response, MHD_HTTP_HEADER_ALLOW, reply->allow);
    if (reply->allow != NULL && reply->programs && reply->status == MHD_HTTP_NO_CONTENT) {
        add(response, "Access-Control-Allow-Methods", reply->allow);
        add(response, "Access-Control-Allow-Headers", "Content-Type");
        add(response, "Access-Control-Max-Age", "86400");
    }
    if (reply->retry)
        add(response, MHD_HTTP_HEADER_RETRY_AFTER, "2");
}

/* Puts a packed body in the place of the body. */
static void pack(struct reply *reply)
{
    void *packed;
    size_t length;
    if (reply->packed != NULL) {
        reply->body = (char *)(uintptr_t)reply->packed;
        reply->length = reply->packed_length;
    } else if ((packed = reply_pack(reply->body, reply->length, 1, &length)) != NULL) {
        reply_free(reply);
        reply->body = packed;
        reply->length = length;
        reply->borrowed = false;
        reply->packed = packed;
    }
}

enum MHD_Result reply_send(struct reply *reply, struct MHD_Connection *connection, size_t *bytes)
{
    char tag[TAG_MAX] = "";
    const bool tagged = reply->status == MHD_HTTP_OK && reply->keep != REPLY_NOT;
    const bool packs = reply->length >= PACK_LEAST, packed = packs && takes_gzip(connection);
    if (tagged) /* of the body as it is, and of its form: those are two bodies */
        snprintf(tag, sizeof tag, "\"%016llx%s\"", (unsigned long long)XXH3_64bits(reply->body, reply->length),
                 packed ? "-gz" : "");
    if (tagged && has_it(connection, tag)) {
        reply_free(reply);
        reply->status = MHD_HTTP_NOT_MODIFIED;
        reply->length = 0;
        reply->type = NULL;
    } else if (packed) {
        pack(reply);
    }
    *bytes = reply->length;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        reply->length, reply->body, reply->borrowed ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        reply_free(reply);
        return MHD_NO;
    }
    add_headers(reply, response);
    if (tagged)
        add(response, MHD_HTTP_HEADER_ETAG, tag);
    if (packs)
        add(response, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    if (packed && reply->packed != NULL && reply->status != MHD_HTTP_NOT_MODIFIED)
        add(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    reply->body = NULL; /* it is the response's now */
    const enum MHD_Result result = MHD_queue_response(connection, reply->status, response);
    MHD_destroy_response(response);
    return result;
}
