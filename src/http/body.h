/* Reads a request's body into a sink, usually a form. */
#ifndef HTTP_BODY_H
#define HTTP_BODY_H

#include "base/buf.h"
#include "base/error.h"
#include "http/request.h"
#include "wire/json_items.h"
#include "wire/pairs.h"

/*
 * Reads the values in the body into the sink. E_UNSUPPORTED: an unsupported media type.
 * E_TOO_LARGE: more than `max_bytes`. E_MALFORMED: the body is invalid, or its size differs from
 * its Content-Length. E_BUSY: the body is large, and other requests use too much memory. After a
 * failure, do not use the values that the sink has received.
 */
enum result body_read(const struct request *request, struct gateway *gateway,
		      struct pair_sink *sink, int64_t max_bytes, struct error *error) MUST_USE;

/*
 * Reads a JSON object with a long list item by item (wire/json_items.h). Returns the same errors as
 * body_read(), and also E_MALFORMED for an empty body. Sets *root to the object without the list.
 * The caller frees *root with json_free().
 */
enum result body_read_items(const struct request *request, struct gateway *gateway,
			    struct json_visitor *visitor, int64_t max_bytes,
			    struct json_object **root, struct error *error) MUST_USE;

/* Reads the whole body, of any media type, into `bytes`. Returns E_MALFORMED, E_TOO_LARGE and
 * E_BUSY like body_read(). */
enum result body_read_bytes(const struct request *request, struct gateway *gateway,
			    struct buf *bytes, int64_t max_bytes, struct error *error) MUST_USE;

#endif
