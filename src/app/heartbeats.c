#include "app/handlers.h"

#include <string.h>

#include "access/signed_id.h"
#include "app/operation.h"
#include "app/rate.h"
#include "publish/page/pages_reader.h"
#include "service/check_signals.h"

/* The limit per address is this many times the limit per monitor, because many systems may send
 * heartbeats from one address. */
enum { SYSTEMS_OF_ADDRESS = 20 };

/* Reads the segment of the path after the token: "start", "fail" or an exit status. `text` is NULL
 * if the path has no such segment. Returns false for any other text. */
static bool read_report(const char *text, struct check_signal *signal)
{
	enum { STATUS_MAX = 255 };
	signal->kind = !text			    ? SIGNAL_HEARTBEAT
		       : strcmp(text, "start") == 0 ? SIGNAL_START
		       : strcmp(text, "fail") == 0  ? SIGNAL_FAIL
						    : SIGNAL_EXIT;
	return signal->kind != SIGNAL_EXIT || (str_to_int64(str_from(text), &signal->value) &&
					       signal->value >= 0 && signal->value <= STATUS_MAX);
}

/* Reads the monitor's id from the token. E_NOT_FOUND: this installation did not make the token.
 * E_RATE_LIMITED: the client has sent too many wrong tokens. */
static enum result read_token(struct exchange *exchange, int64_t *monitor_id)
{
	struct pages_reader reader CLEANUP(pages_reader_close) = PAGES_READER_CLOSED;
	struct signing_key key;
	bool has_key = false;
	enum result result =
		pages_reader_open(&reader, exchange->config->pages_dir, &exchange->error);
	if (result == OK && reader.root_fd >= 0)
		result = signing_key_read(reader.root_fd, &key, &has_key, &exchange->error);
	if (result != OK ||
	    (has_key && signed_id_read(&key, SIGNED_HEARTBEAT, str_from(exchange->match.params[0]),
				       monitor_id)))
		return result;
	return rate_allows(exchange, exchange->config->wrong_keys_per_minute,
			   rate_wrong_keys(exchange))
		       ? E_NOT_FOUND
		       : E_RATE_LIMITED;
}

static bool is_too_often(struct exchange *exchange)
{
	int64_t per_minute = exchange->config->requests_per_minute;
	const char *token =
		arena_printf(&exchange->arena, "heartbeats %lld", (long long)exchange->monitor_id);
	const char *address =
		arena_printf(&exchange->arena, "heartbeats of %s", exchange->request.client);
	return !rate_allows(exchange, per_minute, token) ||
	       !rate_allows(exchange, per_minute * SYSTEMS_OF_ADDRESS, address);
}

enum result heartbeats_take(struct exchange *exchange)
{
	struct check_signal signal = { .at = exchange->now };
	if (!read_report(exchange->match.params[1], &signal))
		return E_NOT_FOUND;
	enum result result = read_token(exchange, &signal.monitor_id);
	if (result != OK)
		return result;
	exchange->monitor_id = signal.monitor_id;
	if (is_too_often(exchange))
		return E_RATE_LIMITED;
	result = service_take_heartbeat(&exchange->service, &signal);
	if (result != OK)
		return result;
	response_header(&exchange->response, "Cache-Control", "no-store");
	exchange->response.status = 200;
	exchange->response.content_type = "text/plain; charset=utf-8";
	buf_puts(&exchange->response.body, "OK\n");
	return OK;
}
