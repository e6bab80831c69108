#include "http/body.h"

#include "wire/json_pairs.h"
#include "wire/limits.h"
#include "wire/mediatype.h"
#include "wire/multipart.h"
#include "wire/urlencoded.h"

/* The decoder for the type of the body. */
struct body {
	enum body_type type;
	struct multipart multipart;
	struct buf *bytes; /* of another type: keeps the whole body */
	size_t received;
	size_t expected_bytes; /* memory claimed so far */
};

static enum result body_start(struct body *body, const struct request *request,
			      struct pair_sink *sink, struct error *error)
{
	struct mediatype mediatype;
	mediatype_parse(str_from(request->content_type), &mediatype);
	body->type = mediatype.type;
	if (body->type == BODY_MALFORMED)
		return error_client(error, E_MALFORMED,
				    "The Content-Type must have exactly one boundary.");
	if (body->type == BODY_MULTIPART)
		multipart_init(&body->multipart, mediatype.boundary, sink);
	/* Another type does not matter if the body is empty. */
	return OK;
}

static enum result body_feed(struct body *body, struct str bytes, struct error *error)
{
	if (body->bytes) {
		buf_add(body->bytes, bytes.data, bytes.len);
		return buf_ok(body->bytes) ? OK : E_BUSY;
	}
	if (body->type == BODY_MULTIPART)
		return multipart_feed(&body->multipart, bytes, error);
	return error_client(error, E_UNSUPPORTED,
			    "The body must be application/x-www-form-urlencoded, "
			    "multipart/form-data or application/json.");
}

enum {
	PIECE_BYTES = 16384,
	/* Values of a form grow by doubling, and the arena may keep all former copies. */
	FORM_WEIGHT = 4,
};

/* Claims memory for the values of a form of that size. */
static bool claim_values(struct body *body, const struct request *request, size_t form_bytes)
{
	size_t needed = form_bytes * FORM_WEIGHT;
	if (needed <= WIRE_SMALL_BYTES || needed <= body->expected_bytes)
		return true;
	if (!arena_expect(request->arena, needed - body->expected_bytes))
		return false;
	body->expected_bytes = needed;
	return true;
}

/* Whether there is memory for the body, as far as its size is known. */
static bool has_room(struct body *body, const struct request *request)
{
	size_t length = request->content_length > 0 ? (size_t)request->content_length : 0;
	size_t more = body->received + PIECE_BYTES;
	if (!body->bytes)
		return claim_values(body, request,
				    body->received > length ? body->received : length);
	size_t needed = length > 0 ? length : 2 * more;
	return needed <= WIRE_SMALL_BYTES || more < body->bytes->size ||
	       buf_expect(body->bytes, needed);
}

static enum result too_large(int64_t max_bytes, struct error *error)
{
	return error_client(error, E_TOO_LARGE, "The body may have at most %lld bytes.",
			    (long long)max_bytes);
}

/* Without a length there is no body (RFC 3875 section 4.1.2), unless the web server passes a
 * chunked body on: then the body ends with the input. */
static bool has_body(const struct request *request, struct gateway *gateway)
{
	if (request->content_length >= 0)
		return request->content_length > 0;
	return gateway->is_framed || gateway->param(gateway, "HTTP_TRANSFER_ENCODING") != NULL;
}

/* Reads up to the end of the body. Without a length, the protocol marks the end. */
static enum result read_pieces(struct body *body, const struct request *request,
			       struct gateway *gateway, int64_t max_bytes, struct error *error)
{
	char piece[PIECE_BYTES];
	int64_t expected = request->content_length;
	if (expected > max_bytes)
		return too_large(max_bytes, error);
	for (;;) {
		if (!has_room(body, request))
			return E_BUSY;
		size_t wanted = sizeof(piece);
		/* The input of a CGI program may continue after the body: read only the expected
		 * length. */
		if (!gateway->is_framed && expected >= 0 &&
		    wanted > (size_t)expected - body->received)
			wanted = (size_t)expected - body->received;
		ssize_t len = wanted > 0 ? gateway->read(gateway, piece, wanted) : 0;
		if (len < 0)
			return error_client(error, E_MALFORMED, "The body is incomplete.");
		if (len == 0)
			break;
		body->received += (size_t)len;
		if (body->received > (size_t)max_bytes)
			return too_large(max_bytes, error);
		enum result result = body_feed(body, (struct str){ piece, (size_t)len }, error);
		if (result != OK)
			return result;
	}
	if (expected >= 0 && body->received != (size_t)expected)
		return error_client(error, E_MALFORMED,
				    "The body has %zu bytes, but its Content-Length is %lld.",
				    body->received, (long long)expected);
	return OK;
}

enum result body_read(const struct request *request, struct gateway *gateway,
		      struct pair_sink *sink, int64_t max_bytes, struct error *error)
{
	struct body body = { .type = BODY_NONE };
	if (!has_body(request, gateway))
		return OK;
	enum result result = body_start(&body, request, sink, error);
	if (body.type == BODY_JSON && max_bytes > WIRE_JSON_MAX_BYTES)
		max_bytes = WIRE_JSON_MAX_BYTES;
	struct buf bytes CLEANUP(buf_done) = BUF_INIT((size_t)max_bytes);
	if (body.type == BODY_JSON || body.type == BODY_URLENCODED)
		body.bytes = &bytes;
	if (result == OK)
		result = read_pieces(&body, request, gateway, max_bytes, error);
	/* An empty body is an empty form, whatever its Content-Type. */
	if (result != OK || body.received == 0)
		return result;
	if (body.type == BODY_MULTIPART)
		return multipart_finish(&body.multipart, error);
	struct str text = { bytes.data, bytes.len };
	if (body.type == BODY_JSON)
		return json_decode(text, request->arena, sink, error);
	return claim_values(&body, request, body.received) ? urlencoded_decode(text, sink, error)
							   : E_BUSY;
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

enum result body_read_bytes(const struct request *request, struct gateway *gateway,
			    struct buf *bytes, int64_t max_bytes, struct error *error)
{
	struct body body = { .type = BODY_OTHER, .bytes = bytes };
	return has_body(request, gateway) ? read_pieces(&body, request, gateway, max_bytes, error)
					  : OK;
}
