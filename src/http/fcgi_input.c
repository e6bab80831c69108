#include "http/fcgi_input.h"

#include <string.h>

#include "wire/limits.h"

enum role { FCGI_RESPONDER = 1 };
enum flags { FCGI_KEEP_CONN = 1 };
enum protocol_status {
	FCGI_REQUEST_COMPLETE,
	FCGI_CANT_MPX_CONN,
	FCGI_OVERLOADED,
	FCGI_UNKNOWN_ROLE
};

/* Bounds the unsent replies to unusual records, which web servers do not send. */
#define REPLY_MAX_BYTES 4096
/* The part of a body beyond the limit that is read and dropped, so that the connection can be
 * kept. */
#define REST_MAX_BYTES	((size_t)16 << 20)

void fcgi_input_init(struct fcgi_input *input, size_t body_max_bytes)
{
	*input = (struct fcgi_input){
		.body_max_bytes = body_max_bytes,
		.reply = BUF_INIT(REPLY_MAX_BYTES),
		.params = BUF_INIT(WIRE_PARAMS_MAX_BYTES),
		.request.variables = BUF_INIT(WIRE_PARAMS_MAX_BYTES),
		.request.body = BUF_INIT(body_max_bytes + 1),
	};
}

void fcgi_request_done(struct fcgi_request *request)
{
	buf_done(&request->variables);
	buf_done(&request->body);
}

void fcgi_input_done(struct fcgi_input *input)
{
	fcgi_request_done(&input->request);
	buf_done(&input->params);
	buf_done(&input->reply);
}

void fcgi_take(struct fcgi_input *input, struct fcgi_request *request)
{
	*request = input->request;
	input->request.variables = BUF_INIT(WIRE_PARAMS_MAX_BYTES);
	input->request.body = BUF_INIT(input->body_max_bytes + 1);
}

bool fcgi_is_unfinished(const struct fcgi_input *input)
{
	return input->phase != FCGI_BETWEEN || input->header_len > 0;
}

size_t fcgi_held_bytes(const struct fcgi_input *input)
{
	return input->params.size + input->request.variables.size + input->request.body.size;
}

void fcgi_put_header(unsigned char header[FCGI_HEADER_BYTES], enum fcgi_type type, uint16_t id,
		     size_t content_len)
{
	memcpy(header,
	       (const unsigned char[]){ FCGI_VERSION, (unsigned char)type, (unsigned char)(id >> 8),
					(unsigned char)id, (unsigned char)(content_len >> 8),
					(unsigned char)content_len, 0, 0 },
	       FCGI_HEADER_BYTES);
}

static void put_record(struct buf *out, enum fcgi_type type, uint16_t id, const void *content,
		       size_t len)
{
	unsigned char header[FCGI_HEADER_BYTES];
	fcgi_put_header(header, type, id, len);
	buf_add(out, header, sizeof(header));
	buf_add(out, content, len);
}

static void put_status(struct buf *out, uint16_t id, enum protocol_status status)
{
	const unsigned char content[8] = { 0, 0, 0, 0, (unsigned char)status };
	put_record(out, FCGI_END_REQUEST, id, content, sizeof(content));
}

void fcgi_put_end(struct buf *out, uint16_t id)
{
	put_record(out, FCGI_STDOUT, id, NULL, 0);
	put_status(out, id, FCGI_REQUEST_COMPLETE);
}

/* A length has one byte, or four bytes with the first bit set. */
static bool read_length(struct str *rest, size_t *len)
{
	const unsigned char *bytes = (const unsigned char *)rest->data;
	size_t size = rest->len > 0 && bytes[0] >= 0x80 ? 4 : 1;
	if (rest->len < size)
		return false;
	*len = size == 1 ? bytes[0]
			 : (size_t)(bytes[0] & 0x7f) << 24 | (size_t)bytes[1] << 16 |
				   (size_t)bytes[2] << 8 | bytes[3];
	*rest = str_skip(*rest, size);
	return true;
}

static bool take_text(struct str *rest, size_t len, struct buf *out)
{
	if (len > rest->len || memchr(rest->data, '\0', len))
		return false;
	buf_add(out, rest->data, len);
	buf_putc(out, '\0');
	*rest = str_skip(*rest, len);
	return true;
}

/* Decodes pairs in place: each NUL goes where a length was, so the text is not longer. */
static bool decode_params(struct fcgi_input *input)
{
	struct str rest = { input->params.data, input->params.len };
	struct buf *variables = &input->request.variables;
	while (rest.len > 0) {
		size_t name_len, value_len;
		if (!read_length(&rest, &name_len) || !read_length(&rest, &value_len) ||
		    !take_text(&rest, name_len, variables) ||
		    !take_text(&rest, value_len, variables))
			return false;
	}
	buf_done(&input->params);
	return buf_ok(variables);
}

const char *fcgi_variable(const struct fcgi_request *request, const char *name)
{
	const char *at = request->variables.data;
	const char *end = at ? at + request->variables.len : NULL;
	while (at != end) {
		const char *value = at + strlen(at) + 1;
		if (strcmp(at, name) == 0)
			return value;
		at = value + strlen(value) + 1;
	}
	return NULL;
}

static enum fcgi_state check_reply(const struct fcgi_input *input)
{
	return buf_ok(&input->reply) ? FCGI_WANTS_MORE : FCGI_IS_BROKEN;
}

/* Responds to a management record: no variable is supported (section 5.1), and no other type. */
static enum fcgi_state respond_to_management(struct fcgi_input *input, unsigned char type)
{
	const unsigned char unknown[8] = { type };
	if (type == FCGI_GET_VALUES)
		put_record(&input->reply, FCGI_GET_VALUES_RESULT, 0, NULL, 0);
	else
		put_record(&input->reply, FCGI_UNKNOWN_TYPE, 0, unknown, sizeof(unknown));
	return check_reply(input);
}

static uint16_t record_id(const struct fcgi_input *input)
{
	return (uint16_t)(input->header[2] << 8 | input->header[3]);
}

static enum fcgi_state begin_request(struct fcgi_input *input)
{
	uint16_t id = record_id(input);
	if (input->phase != FCGI_BETWEEN && id == input->request.id)
		return FCGI_IS_BROKEN;
	if (input->phase != FCGI_BETWEEN) {
		put_status(&input->reply, id, FCGI_CANT_MPX_CONN);
		return check_reply(input);
	}
	if (input->begin[0] != 0 || input->begin[1] != FCGI_RESPONDER) {
		put_status(&input->reply, id, FCGI_UNKNOWN_ROLE);
		return input->begin[2] & FCGI_KEEP_CONN ? check_reply(input) : FCGI_IS_BROKEN;
	}
	input->phase = FCGI_IN_PARAMS;
	input->request.id = id;
	input->request.is_kept = input->begin[2] & FCGI_KEEP_CONN;
	input->request.is_refused = false;
	input->rest_bytes = 0;
	return FCGI_WANTS_MORE;
}

/* Ends a request that the web server aborts; it expects no response. */
static enum fcgi_state abort_request(struct fcgi_input *input)
{
	bool has_response = input->phase == FCGI_IN_REST;
	input->phase = FCGI_BETWEEN;
	fcgi_request_done(&input->request);
	buf_done(&input->params);
	if (!has_response)
		put_status(&input->reply, input->request.id, FCGI_REQUEST_COMPLETE);
	return input->request.is_kept ? check_reply(input) : FCGI_IS_BROKEN;
}

/* Passes the request on; the rest of its body is dropped. */
static enum fcgi_state end_body(struct fcgi_input *input)
{
	input->phase = FCGI_IN_REST;
	return FCGI_HAS_REQUEST;
}

/* Reserves memory for a body of this size. A body without a length grows by doubling. */
static enum fcgi_state expect_body(struct fcgi_input *input, size_t len)
{
	struct buf *body = &input->request.body;
	if (len <= WIRE_SMALL_BYTES || len < body->size)
		return FCGI_WANTS_MORE;
	if (buf_expect(body, len > 2 * body->len ? len : 2 * body->len) &&
	    (!input->has_room || input->has_room(input, fcgi_held_bytes(input))))
		return FCGI_WANTS_MORE;
	buf_done(body);
	input->request.is_refused = true;
	return end_body(input);
}

static enum fcgi_state end_params(struct fcgi_input *input)
{
	int64_t len;
	input->phase = FCGI_IN_BODY;
	if (!decode_params(input))
		return FCGI_IS_BROKEN;
	const char *text = fcgi_variable(&input->request, "CONTENT_LENGTH");
	if (!str_to_int64(str_trim_ows(str_from(text)), &len) || len < 0)
		return FCGI_WANTS_MORE;
	if ((uint64_t)len > input->body_max_bytes)
		return end_body(input);
	return expect_body(input, (size_t)len);
}

static enum fcgi_state end_stream(struct fcgi_input *input)
{
	if (input->header[1] == FCGI_PARAMS)
		return end_params(input);
	bool has_response = input->phase == FCGI_IN_REST;
	input->phase = FCGI_BETWEEN;
	return has_response ? FCGI_WANTS_MORE : FCGI_HAS_REQUEST;
}

/* Records of unknown requests are ignored (section 3.3). */
static bool is_current(const struct fcgi_input *input)
{
	return input->phase != FCGI_BETWEEN && record_id(input) == input->request.id;
}

static enum fcgi_state start_record(struct fcgi_input *input)
{
	unsigned char type = input->header[1];
	input->content_left = (size_t)input->header[4] << 8 | input->header[5];
	input->padding_left = input->header[6];
	if (input->header[0] != FCGI_VERSION)
		return FCGI_IS_BROKEN;
	if (record_id(input) == 0)
		return respond_to_management(input, type);
	if (type == FCGI_BEGIN_REQUEST) {
		input->begin_len = 0;
		return input->content_left == sizeof(input->begin) ? FCGI_WANTS_MORE
								   : FCGI_IS_BROKEN;
	}
	if (!is_current(input))
		return FCGI_WANTS_MORE;
	if (type == FCGI_ABORT_REQUEST)
		return abort_request(input);
	if (type != FCGI_PARAMS && type != FCGI_STDIN)
		return FCGI_WANTS_MORE;
	if ((type == FCGI_PARAMS) != (input->phase == FCGI_IN_PARAMS))
		return FCGI_IS_BROKEN;
	return input->content_left == 0 ? end_stream(input) : FCGI_WANTS_MORE;
}

static enum fcgi_state add_body(struct fcgi_input *input, struct str piece)
{
	struct buf *body = &input->request.body;
	if (input->phase == FCGI_IN_REST) {
		input->rest_bytes += piece.len;
		return input->rest_bytes > input->body_max_bytes + REST_MAX_BYTES ? FCGI_IS_BROKEN
										  : FCGI_WANTS_MORE;
	}
	size_t room = input->body_max_bytes + 1 - body->len;
	size_t len = piece.len < room ? piece.len : room;
	if (expect_body(input, body->len + len) == FCGI_HAS_REQUEST)
		return FCGI_HAS_REQUEST;
	buf_add(body, piece.data, len);
	if (!buf_ok(body))
		return FCGI_IS_BROKEN;
	return body->len <= input->body_max_bytes ? FCGI_WANTS_MORE : end_body(input);
}

static enum fcgi_state add_content(struct fcgi_input *input, struct str piece)
{
	unsigned char type = input->header[1];
	if (record_id(input) == 0)
		return FCGI_WANTS_MORE;
	if (type == FCGI_BEGIN_REQUEST) {
		memcpy(input->begin + input->begin_len, piece.data, piece.len);
		input->begin_len += piece.len;
		return input->begin_len == sizeof(input->begin) ? begin_request(input)
								: FCGI_WANTS_MORE;
	}
	if (is_current(input) && type == FCGI_STDIN)
		return add_body(input, piece);
	if (is_current(input) && type == FCGI_PARAMS)
		buf_add(&input->params, piece.data, piece.len);
	return buf_ok(&input->params) ? FCGI_WANTS_MORE : FCGI_IS_BROKEN;
}

static struct str take_piece(struct str *bytes, size_t max)
{
	struct str piece = { bytes->data, bytes->len < max ? bytes->len : max };
	*bytes = str_skip(*bytes, piece.len);
	return piece;
}

enum fcgi_state fcgi_feed(struct fcgi_input *input, struct str *bytes)
{
	enum fcgi_state state = FCGI_WANTS_MORE;
	while (state == FCGI_WANTS_MORE && bytes->len > 0) {
		struct str piece;
		if (input->header_len < FCGI_HEADER_BYTES) {
			piece = take_piece(bytes, FCGI_HEADER_BYTES - input->header_len);
			memcpy(input->header + input->header_len, piece.data, piece.len);
			input->header_len += piece.len;
			if (input->header_len == FCGI_HEADER_BYTES)
				state = start_record(input);
		} else if (input->content_left > 0) {
			piece = take_piece(bytes, input->content_left);
			input->content_left -= piece.len;
			state = add_content(input, piece);
		} else {
			piece = take_piece(bytes, input->padding_left);
			input->padding_left -= piece.len;
		}
		if (input->header_len == FCGI_HEADER_BYTES && input->content_left == 0 &&
		    input->padding_left == 0)
			input->header_len = 0;
	}
	return state;
}
