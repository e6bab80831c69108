#include "http/body.h"

#include "wire/json_pairs.h"
#include "wire/limits.h"
#include "wire/mediatype.h"
#include "wire/multipart.h"
#include "wire/urlencoded.h"

enum {
	PIECE_BYTES = 16384,
	/* A form is in memory twice: the received bytes, and the decoded values. */
	FORM_WEIGHT = 2,
};

/* Returns whether memory is available for the body; if its length is unknown, for its next pieces.
 * Always true for a small body. */
static bool has_room(struct buf *bytes, int64_t length)
{
	size_t more = bytes->len + PIECE_BYTES, needed = length >= 0 ? (size_t)length : 2 * more;
	return needed <= WIRE_SMALL_BYTES || more < bytes->size || buf_expect(bytes, needed);
}

static enum result too_large(int64_t max_bytes, struct error *error)
{
	return error_client(error, E_TOO_LARGE, "The body may have at most %lld bytes.",
			    (long long)max_bytes);
}

/* Returns whether the request has a body: its length is above 0 (RFC 3875 section 4.1.2), or
 * unknown, as for a chunked body. */
static bool has_body(const struct request *request, struct gateway *gateway)
{
	if (request->content_length >= 0)
		return request->content_length > 0;
	return gateway->is_framed || gateway->param(gateway, "HTTP_TRANSFER_ENCODING") != NULL;
}

/* Reads the whole body. If no length was sent, the protocol marks the end of the body. */
enum result body_read_bytes(const struct request *request, struct gateway *gateway,
			    struct buf *bytes, int64_t max_bytes, struct error *error)
{
	char piece[PIECE_BYTES];
	int64_t expected = request->content_length;
	if (!has_body(request, gateway))
		return OK;
	if (expected > max_bytes)
		return too_large(max_bytes, error);
	for (;;) {
		if (!has_room(bytes, expected))
			return E_BUSY;
		size_t wanted = sizeof(piece);
		/* The input of a CGI program may continue after the body: read only the expected
		 * length. */
		if (!gateway->is_framed && expected >= 0 && wanted > (size_t)expected - bytes->len)
			wanted = (size_t)expected - bytes->len;
		ssize_t len = wanted > 0 ? gateway->read(gateway, piece, wanted) : 0;
		if (len < 0)
			return error_client(error, E_MALFORMED, "The body is incomplete.");
		if (len == 0)
			break;
		if (bytes->len + (size_t)len > (size_t)max_bytes)
			return too_large(max_bytes, error);
		buf_add(bytes, piece, (size_t)len);
		if (!buf_ok(bytes))
			return E_BUSY;
	}
	if (expected >= 0 && bytes->len != (size_t)expected)
		return error_client(error, E_MALFORMED,
				    "The body has %zu bytes, but its Content-Length is %lld.",
				    bytes->len, (long long)expected);
	return OK;
}

static enum result decode_form(const struct mediatype *type, struct str text, struct arena *arena,
			       struct pair_sink *sink, struct error *error)
{
	size_t needed = text.len * FORM_WEIGHT;
	if (needed > WIRE_SMALL_BYTES && !arena_expect(arena, needed))
		return E_BUSY;
	return type->type == BODY_MULTIPART ? multipart_decode(text, type->boundary, sink, error)
					    : urlencoded_decode(text, sink, error);
}

enum result body_read(const struct request *request, struct gateway *gateway,
		      struct pair_sink *sink, int64_t max_bytes, struct error *error)
{
	struct buf bytes CLEANUP(buf_done) = BUF_INIT((size_t)max_bytes);
	struct mediatype type;
	if (!has_body(request, gateway))
		return OK;
	mediatype_parse(str_from(request->content_type), &type);
	if (type.type == BODY_MALFORMED)
		return error_client(error, E_MALFORMED,
				    "The Content-Type must have exactly one boundary.");
	if (type.type == BODY_JSON && max_bytes > WIRE_JSON_MAX_BYTES)
		max_bytes = WIRE_JSON_MAX_BYTES;
	enum result result = body_read_bytes(request, gateway, &bytes, max_bytes, error);
	/* An empty body is an empty form, whatever its Content-Type. */
	if (result != OK || bytes.len == 0)
		return result;
	struct str text = { bytes.data, bytes.len };
	if (type.type == BODY_JSON)
		return json_decode(text, request->arena, sink, error);
	if (type.type == BODY_MULTIPART || type.type == BODY_URLENCODED)
		return decode_form(&type, text, request->arena, sink, error);
	return error_client(error, E_UNSUPPORTED,
			    "The body must be application/x-www-form-urlencoded, "
			    "multipart/form-data or application/json.");
}

enum result body_read_items(const struct request *request, struct gateway *gateway,
			    struct json_visitor *visitor, int64_t max_bytes,
			    struct json_object **root, struct error *error)
{
	struct buf bytes CLEANUP(buf_done) = BUF_INIT((size_t)max_bytes);
	struct mediatype mediatype;
	*root = NULL;
	mediatype_parse(str_from(request->content_type), &mediatype);
	if (mediatype.type != BODY_JSON)
		return error_client(error, E_UNSUPPORTED, "The body must be application/json.");
	enum result result = body_read_bytes(request, gateway, &bytes, max_bytes, error);
	return result == OK ? json_read_items((struct str){ bytes.data, bytes.len }, request->arena,
					      visitor, root, error)
			    : result;
}
