/* Sends requests to a mirror host. Each request names its origin. */
#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "base/lines.h"
#include "mirror/protocol.h"
#include "mirror/target/host.h"

enum { STEP_MS = 10000 /* between two steps of the origin; see mirror/origin_mark.h */ };

/* Returns the message of the JSON envelope, cut before the first character that cannot be
 * printed. */
static const char *message_of(struct arena *arena, struct str body)
{
	enum { MESSAGE_MAX = 200 };
	static const char key[] = "\"message\":\"";
	const char *text = arena_strndup(arena, body.len > 0 ? body.data : "", body.len);
	const char *found = strstr(text, key);
	if (!found)
		return "";
	found += strlen(key);
	size_t len = 0;
	while (len < MESSAGE_MAX && found[len] && found[len] != '"' && isprint((uint8_t)found[len]))
		len++;
	return arena_printf(arena, ": %.*s", (int)len, found);
}

bool host_begins_with(struct str body, const char *line)
{
	struct str first;
	return str_split(&body, '\n', &first) && str_eq(first, str_from(line));
}

static enum result refused(struct target *target, struct error *error)
{
	target->has_other_origin = true;
	return error_log(error, E_REFUSED,
			 ORIGIN_REFUSED_TEXT
			 " (%s): if this machine is to feed it, run "
			 "`daymarkctl mirror take-over --name %s`; else remove its line `mirror`",
			 target->mirror->url, target->mirror->name);
}

/* Records that nothing must be sent until a person takes over. If the file cannot be written, the
 * mirror refuses the next request again. */
static enum result end_refused(struct target *target, struct error *error)
{
	struct host *host = target->own;
	struct error ignored = { 0 };
	host->link.is_refused = true;
	if (origin_link_write(&host->dir, target->mirror->name, &host->link, &ignored) != OK)
		host->accepted = (struct origin_mark){ 0 };
	return refused(target, error);
}

/* Reads the identity again, because another process may have taken over since the last request. */
enum result host_read_origin(struct target *target, struct error *error)
{
	struct host *host = target->own;
	enum result result = origin_link_read(&host->dir, target->mirror->name, &host->link, error);
	target->has_other_origin = false;
	return result == OK && host->link.is_refused ? refused(target, error) : result;
}

/* Makes the next step if the mirror has accepted the last step. On a full disk the link keeps the
 * last step, and the next request repeats it. */
enum result host_make_step(struct target *target, struct error *error)
{
	struct host *host = target->own;
	bool is_first = host->link.mark.step == 0;
	if (!is_first && !origin_mark_is_same(&host->accepted, &host->link.mark))
		return OK;
	host->step_at_ms = clock_ms() + STEP_MS;
	enum result result = origin_link_step(&host->dir, target->mirror->name, &host->link, error);
	return is_first ? result : OK;
}

/* Returns advice for the statuses 404 and 405, which are not in the protocol; otherwise "". */
static const char *advice_on(int status)
{
	return status == 404 || status == 405
		       ? "; the host runs an older version of the program, or is no mirror: "
			 "upgrade the host"
		       : "";
}

static bool is_temporary(int status)
{
	return status >= 500 || status == 408 || status == 429;
}

enum result host_ask(struct target *target, const char *method, const char *path,
		     const struct buf *body, int accepted, size_t response_max,
		     struct http_client_response *response, struct error *error)
{
	struct host *host = target->own;
	char mark[ORIGIN_MARK_SIZE];
	origin_mark_print(&host->link.mark, mark);
	const char *const headers[] = {
		host->authorization, "Content-Type: application/octet-stream", "Expect:",
		arena_printf(&host->arena, PROTOCOL_ORIGIN ": %s%s", mark,
			     host->link.replaces_key ? " " PROTOCOL_REPLACES_KEY : ""),
		NULL
	};
	const struct http_client_request request = {
		.method = method,
		.url = arena_printf(&host->arena, "%s" PROTOCOL_PATH "%s", target->mirror->url,
				    path),
		.headers = headers,
		.body = { body && body->data ? body->data : "", body ? body->len : 0 },
		.timeout_s = TARGET_TIMEOUT_S,
		.response_max = response_max,
	};
	enum result result =
		http_client_send(host->client, &request, &host->arena, response, error);
	if (result == OK && response->status == 409 &&
	    host_begins_with(response->body, PROTOCOL_OTHER_ORIGIN))
		return end_refused(target, error);
	if (result == OK && (response->status < 300 || response->status == 409))
		host->accepted = host->link.mark;
	if (result != OK || response->status == (body ? 204 : 200) || response->status == accepted)
		return result;
	return error_log(error, is_temporary(response->status) ? E_UNAVAILABLE : E_REFUSED,
			 "%s %s" PROTOCOL_PATH "%s: status %d%s%s", method, target->mirror->url,
			 path, response->status, message_of(&host->arena, response->body),
			 advice_on(response->status));
}

enum result host_take_over(struct target *target, struct arena *arena, const char **key,
			   struct error *error)
{
	struct host *host = target->own;
	struct buf body CLEANUP(buf_done) = BUF_INIT(HOST_REPLY_MAX_BYTES);
	struct http_client_response response;
	*key = NULL;
	origin_link_renew(&host->link);
	buf_puts(&body, "take-over\n");
	enum result result = host_ask(target, "POST", "/origin", &body, 200, HOST_REPLY_MAX_BYTES,
				      &response, error);
	if (result == OK && !host_begins_with(response.body, "taken over"))
		result = error_log(error, E_REFUSED, "%s is no mirror", target->mirror->url);
	struct lines lines = lines_of(result == OK ? response.body : STR(""));
	for (struct str line; lines_next(&lines, &line);)
		if (line_key(&line, "secret"))
			*key = line_text(&line, arena);
	if (result == OK)
		result = origin_link_replace(&host->dir, target->mirror->name, &host->link, error);
	target->has_other_origin = false;
	arena_reset(&host->arena);
	return result;
}
