#include "http/response.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "wire/json.h"
#include "wire/limits.h"

void response_init(struct response *response, struct arena *arena)
{
	*response = (struct response){
		.status = 200,
		.body = BUF_INIT(WIRE_RESPONSE_MAX_BYTES),
		.arena = arena,
	};
}

void response_done(struct response *response)
{
	buf_done(&response->body);
}

void response_header(struct response *response, const char *name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *value = arena_vprintf(response->arena, format, args);
	va_end(args);
	for (char *c = value; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	size_t at = 0;
	while (at < response->header_count && strcasecmp(response->headers[at].name, name) != 0)
		at++;
	if (at == RESPONSE_HEADERS_MAX)
		die("response: more than %d headers", RESPONSE_HEADERS_MAX);
	if (at == response->header_count)
		response->header_count++;
	response->headers[at].name = name;
	response->headers[at].value = value;
}

void response_rewind(struct response *response, size_t header_count)
{
	buf_clear(&response->body);
	response->is_failed = false;
	response->header_count = header_count;
	response->content_type = NULL;
	response->status = 200;
}

void response_json(struct response *response, int status, struct json_object *tree)
{
	buf_clear(&response->body);
	json_print(&response->body, tree);
	json_free(tree);
	response_end_json(response, status);
}

void response_end_json(struct response *response, int status)
{
	/* Ends the body with a newline, for use in a terminal. */
	buf_puts(&response->body, "\n");
	response->is_failed = !buf_ok(&response->body);
	response->status = response->is_failed ? 500 : status;
	response->content_type = "application/json";
}

static const char *reason_of(int status)
{
	static const struct {
		int status;
		const char *reason;
	} reasons[] = {
		{ 200, "OK" },
		{ 201, "Created" },
		{ 204, "No Content" },
		{ 301, "Moved Permanently" },
		{ 303, "See Other" },
		{ 304, "Not Modified" },
		{ 308, "Permanent Redirect" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 408, "Request Timeout" },
		{ 409, "Conflict" },
		{ 412, "Precondition Failed" },
		{ 413, "Content Too Large" },
		{ 415, "Unsupported Media Type" },
		{ 422, "Unprocessable Content" },
		{ 429, "Too Many Requests" },
		{ 500, "Internal Server Error" },
		{ 503, "Service Unavailable" },
	};
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		if (reasons[i].status == status)
			return reasons[i].reason;
	return "Status";
}

/* Returns the body, or a constant body if the real body could not be printed. */
static struct str body_of(const struct response *response)
{
	if (response->is_failed)
		return STR("{\"message\":\"Server error.\",\"status\":500}");
	return (struct str){ response->body.data, response->body.len };
}

static void add_header(struct buf *head, const char *name, const char *value)
{
	buf_puts(head, name);
	buf_puts(head, ": ");
	buf_puts(head, value);
	buf_puts(head, "\r\n");
}

size_t response_send(const struct response *response, struct gateway *gateway, bool is_head)
{
	struct buf head = BUF_INIT(64 * 1024);
	buf_printf(&head, "Status: %d %s\r\n", response->status, reason_of(response->status));
	for (size_t i = 0; i < response->header_count; i++)
		add_header(&head, response->headers[i].name, response->headers[i].value);
	struct str body = body_of(response);
	if (response->content_type) {
		add_header(&head, "Content-Type", response->content_type);
		/* A response to HEAD has the length of the body for GET (RFC 9110 section 8.6). */
		buf_printf(&head, "Content-Length: %zu\r\n", body.len);
	}
	buf_puts(&head, "\r\n");
	static const char no_head[] = "Status: 500 Internal Server Error\r\n\r\n";
	bool is_whole = buf_ok(&head);
	bool is_sent = is_whole ? gateway->write(gateway, head.data, head.len)
				: gateway->write(gateway, no_head, sizeof(no_head) - 1);
	buf_done(&head);
	if (!is_whole)
		return 0;
	if (!is_sent || is_head || !response->content_type || body.len == 0)
		return 0;
	return gateway->write(gateway, body.data, body.len) ? body.len : 0;
}
