/* Reads a request's body, piece by piece, into a sink: most often a form. */
#ifndef HTTP_BODY_H
#define HTTP_BODY_H

#include "base/error.h"
#include "http/request.h"
#include "wire/json_items.h"
#include "wire/pairs.h"

/*
 * E_UNSUPPORTED: a body of a type that is not read here.
 * E_TOO_LARGE: more than `max_bytes`.
 * E_MALFORMED: it cannot be decoded, or is shorter or longer than its
 * Content-Length.
 * E_BUSY: it is large, and so is what other requests have in memory.
 * Nothing of what the sink was told may be used then.
 */
enum result body_read(const struct request *request, struct gateway *gateway,
		      struct pair_sink *sink, int64_t max_bytes, struct error *error) MUST_USE;

/*
 * The same for a JSON object with a long list, read item by item (wire/json_items.h).
 * `root` is what there is beside the list; the caller frees it with json_free().
 * E_MALFORMED also for no body at all.
 */
enum result body_read_items(const struct request *request, struct gateway *gateway,
			    struct json_visitor *visitor, int64_t max_bytes,
			    struct json_object **root, struct error *error) MUST_USE;

#endif
