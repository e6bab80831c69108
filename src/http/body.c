#include "http/body.h"

#include "wire/json.h"
#include "wire/limits.h"
#include "wire/mediatype.h"
#include "wire/multipart.h"
#include "wire/urlencoded.h"

/* The decoder for the type of the body. */
struct body {
	enum body_type type;
	struct urlencoded urlencoded;
	struct multipart multipart;
	struct json_decoder json;
	size_t expected_bytes;	  /* memory claimed so far */
	struct json_items *items; /* instead of `json` for an object with a long list */
	struct buf *bytes;	  /* instead of a decoder */
};

static enum result body_start(struct body *body, const struct request *request,
			      struct pair_sink *sink, struct error *error)
{
	struct mediatype mediatype;
	mediatype_parse(str_from(request->content_type), &mediatype);
	body->type = mediatype.type;
	switch (mediatype.type) {
	case BODY_URLENCODED:
		urlencoded_init(&body->urlencoded, sink);
		return OK;
	case BODY_MULTIPART:
		multipart_init(&body->multipart, mediatype.boundary, sink);
		return OK;
	case BODY_JSON:
		json_decoder_init(&body->json, sink);
		return OK;
	case BODY_MALFORMED:
		return error_client(error, E_MALFORMED,
				    "The Content-Type must have exactly one boundary.");
	case BODY_NONE:
	case BODY_OTHER:
		break;
	}
	/* The type does not matter if the body is empty. */
	return OK;
}

static enum result body_feed(struct body *body, struct str bytes, struct error *error)
{
	if (body->bytes) {
		buf_add(body->bytes, bytes.data, bytes.len);
		return buf_ok(body->bytes) ? OK : E_BUSY;
	}
	switch (body->type) {
	case BODY_URLENCODED:
		return urlencoded_feed(&body->urlencoded, bytes, error);
	case BODY_MULTIPART:
		return multipart_feed(&body->multipart, bytes, error);
	case BODY_JSON:
		return body->items ? json_items_feed(body->items, bytes, error)
				   : json_decoder_feed(&body->json, bytes, error);
	case BODY_MALFORMED:
	case BODY_NONE:
	case BODY_OTHER:
		break;
	}
	return error_client(error, E_UNSUPPORTED,
			    "The body must be application/x-www-form-urlencoded, "
			    "multipart/form-data or application/json.");
}

static enum result body_finish(struct body *body, bool is_empty, struct error *error)
{
	/* An empty body is an empty form, whatever its Content-Type. */
	if (is_empty)
		return OK;
	if (body->type == BODY_URLENCODED)
		return urlencoded_finish(&body->urlencoded, error);
	if (body->type == BODY_MULTIPART)
		return multipart_finish(&body->multipart, error);
	return json_decoder_finish(&body->json, error);
}

/* The memory that the input so far may take, where it exceeds the number of its bytes. */
static size_t weight_of(const struct body *body)
{
	if (body->type != BODY_JSON)
		return 0;
	return body->items ? json_items_weight(body->items) : json_decoder_weight(&body->json);
}

/* Values of a form grow by doubling, and the arena may keep all former copies. */
enum { FORM_WEIGHT = 4, JSON_TEXT_WEIGHT = 2 };

/* Whether there is memory for the body, as far as its size is known. */
static bool has_room(struct body *body, const struct request *request, int64_t received)
{
	bool is_json = body->type == BODY_JSON;
	/* The buffer claims its memory itself. */
	if (body->bytes)
		return true;
	int64_t bytes = received > request->content_length ? received : request->content_length;
	size_t needed =
		(size_t)(bytes > 0 ? bytes : 0) * (is_json ? JSON_TEXT_WEIGHT : FORM_WEIGHT);
	if (weight_of(body) > needed)
		needed = weight_of(body);
	if (needed <= WIRE_SMALL_BYTES || needed <= body->expected_bytes)
		return true;
	if (!arena_expect(request->arena, needed - body->expected_bytes))
		return false;
	body->expected_bytes = needed;
	return true;
}

static enum result too_large(int64_t max_bytes, struct error *error)
{
	return error_client(error, E_TOO_LARGE, "The body may have at most %lld bytes.",
			    (long long)max_bytes);
}

/* Reads up to the end of the body. Without a length, the protocol marks the end. */
static enum result read_pieces(struct body *body, const struct request *request,
			       struct gateway *gateway, int64_t max_bytes, int64_t *received,
			       struct error *error)
{
	char piece[16384];
	int64_t expected = request->content_length;
	*received = 0;
	for (;;) {
		if (!has_room(body, request, *received))
			return E_BUSY;
		size_t wanted = sizeof(piece);
		/* The input of a CGI program may continue after the body: read only the expected
		 * length. */
		if (!gateway->is_framed && expected >= 0 && (int64_t)wanted > expected - *received)
			wanted = (size_t)(expected - *received);
		ssize_t len = wanted > 0 ? gateway->read(gateway, piece, wanted) : 0;
		if (len < 0)
			return error_client(error, E_MALFORMED, "The body is incomplete.");
		if (len == 0)
			break;
		*received += len;
		if (*received > max_bytes)
			return too_large(max_bytes, error);
		enum result result = body_feed(body, (struct str){ piece, (size_t)len }, error);
		if (result != OK)
			return result;
	}
	if (expected >= 0 && *received != expected)
		return error_client(error, E_MALFORMED,
				    "The body has %lld bytes, but its Content-Length is %lld.",
				    (long long)*received, (long long)expected);
	return OK;
}

enum result body_read(const struct request *request, struct gateway *gateway,
		      struct pair_sink *sink, int64_t max_bytes, struct error *error)
{
	struct body body = { .type = BODY_NONE };
	int64_t received = 0;
	if (request->content_length > max_bytes)
		return too_large(max_bytes, error);
	/* Without a length there is no body (RFC 3875 section 4.1.2), unless the web server
	 * passes a chunked body on: then the body ends with the input. */
	bool is_chunked = gateway->param(gateway, "HTTP_TRANSFER_ENCODING") != NULL;
	if (request->content_length == 0 ||
	    (request->content_length < 0 && !gateway->is_framed && !is_chunked))
		return OK;
	enum result result = body_start(&body, request, sink, error);
	if (result == OK)
		result = read_pieces(&body, request, gateway, max_bytes, &received, error);
	if (result == OK)
		result = body_finish(&body, received == 0, error);
	if (body.type == BODY_JSON)
		json_decoder_done(&body.json);
	return result;
}

enum result body_read_items(const struct request *request, struct gateway *gateway,
			    struct json_visitor *visitor, int64_t max_bytes,
			    struct json_object **root, struct error *error)
{
	struct json_items items CLEANUP(json_items_done) = { 0 };
	struct body body = { .items = &items };
	struct mediatype mediatype;
	int64_t received = 0;
	*root = NULL;
	mediatype_parse(str_from(request->content_type), &mediatype);
	body.type = mediatype.type;
	if (body.type != BODY_JSON)
		return error_client(error, E_UNSUPPORTED, "The body must be application/json.");
	if (request->content_length > max_bytes)
		return too_large(max_bytes, error);
	json_items_init(&items, visitor);
	enum result result = read_pieces(&body, request, gateway, max_bytes, &received, error);
	return result == OK ? json_items_finish(&items, root, error) : result;
}

enum result body_read_bytes(const struct request *request, struct gateway *gateway,
			    struct buf *bytes, int64_t max_bytes, struct error *error)
{
	struct body body = { .type = BODY_OTHER, .bytes = bytes };
	int64_t received = 0;
	bool is_chunked = gateway->param(gateway, "HTTP_TRANSFER_ENCODING") != NULL;
	if (request->content_length > max_bytes)
		return too_large(max_bytes, error);
	if (request->content_length == 0 ||
	    (request->content_length < 0 && !gateway->is_framed && !is_chunked))
		return OK;
	if (request->content_length > 0 && !buf_expect(bytes, (size_t)request->content_length))
		return E_BUSY;
	return read_pieces(&body, request, gateway, max_bytes, &received, error);
}
