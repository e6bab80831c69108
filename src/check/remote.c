#include "check/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "check/remote_parts.h"
#include "http/form.h"
#include "wire/http_client.h"
#include "wire/json.h"
#include "wire/json_pairs.h"
#include "wire/json_read.h"

/* The centre limits the requests of a key, and each part of the list needs one request. So each
 * part delays the next reading of the list by this time. */
enum { PART_MS = 500 };
enum { TIMEOUT_S = 10, RESPONSE_MAX_BYTES = 32 << 20, ARENA_BYTES = 1 << 30 };

/* Returns the result for the status of a response. A success other than `wanted` means that the
 * server is not the centre. */
static enum result judge_status(int status, int wanted, struct error *error)
{
	if (status == 401)
		return error_log(error, E_UNAUTHENTICATED,
				 "the centre refuses the key, which is wrong, expired or revoked");
	if (status == 403)
		return error_log(error, E_FORBIDDEN,
				 "the centre refuses the key, which is not of a location");
	if (status == 400 || status == 413 || status == 422)
		return error_log(error, E_FAILED, "the centre refuses what was found");
	if (status != wanted && !(status == 304 && wanted == 200))
		return error_log(error, E_UNAVAILABLE, "the centre responds with %d", status);
	return OK;
}

/* Reading */

struct decoding {
	struct form form;
	enum result result;
	struct error error;
};

static void emit(void *context, const char *key, struct json_object *value)
{
	struct decoding *decoding = context;
	if (decoding->result == OK)
		decoding->result = json_emit(&decoding->form.sink, key, value, &decoding->error);
}

bool remote_decode(struct json_object *tree, struct fields fields, void *object,
		   struct arena *arena)
{
	struct decoding decoding = { .result = OK };
	struct field_set sent = FIELD_SET_NONE;
	struct violations violations;
	violations_init(&violations, arena);
	form_init(&decoding.form, fields, arena);
	json_each(tree, emit, &decoding);
	form_decode(&decoding.form, object, &sent, &violations);
	return decoding.result == OK && violations.count == 0;
}

static struct checked_monitor monitor_of(struct check_order *order)
{
	struct checked_monitor monitor = { .id = order->id,
					   .name = order->name ? order->name : "",
					   .is_paused = order->is_paused,
					   .settings = order->settings,
					   .state = order->finding.state,
					   .hour = order->hour,
					   .is_known = true };
	/* Clear the locations, so that only this checker's checks decide the state. The centre
	 * counts the votes. */
	monitor.settings.locations = NULL;
	monitor.settings.quorum = 0;
	snprintf(monitor.state.cause, sizeof(monitor.state.cause), "%s",
		 order->finding.cause ? order->finding.cause : "");
	return monitor;
}

enum result remote_take_part(struct watch *watch, struct str text, int64_t *next,
			     struct error *error)
{
	struct json_object *root = NULL;
	struct arena *arena = &watch->part.arena;
	enum result result = json_read_file(text, &root, error);
	struct json_object *data = json_member(root, "data");
	const char *after = json_text(json_member(root, "next"), arena);
	struct checked_monitor *rows =
		ARENA_ARRAY(arena, json_length(data), struct checked_monitor);
	struct checked_list page = { .rows = rows };
	*next = 0;
	if (result == OK && !json_is_list(data))
		result = error_log(error, E_UNAVAILABLE, "the centre sends no list");
	for (size_t i = 0; result == OK && i < json_length(data); i++) {
		struct check_order order = { 0 };
		if (!remote_decode(json_item(data, i), check_order_fields, &order, arena))
			result = error_log(error, E_UNAVAILABLE,
					   "the centre sends settings that this version does not "
					   "know");
		rows[page.count++] = monitor_of(&order);
	}
	if (result == OK && page.count > 0)
		watch_add_page(watch, &page);
	if (result == OK && after)
		(void)str_to_int64(str_from(after), next);
	json_free(root);
	return result;
}

/* Sets the difference from the centre's clock. Ignores changes up to EQUAL_MS, because the
 * responses give the time in whole seconds, with some delay. */
static void compare_clocks(struct remote *remote, int64_t date_s)
{
	enum { EQUAL_MS = 5000 };
	int64_t ahead_ms = date_s * 1000 - clock_ms(), moved_ms = ahead_ms - remote->ahead_ms;
	if (date_s > 0 && (moved_ms > EQUAL_MS || moved_ms < -EQUAL_MS))
		remote->ahead_ms = ahead_ms;
}

static enum result ask(struct remote *remote, struct watch *watch, int64_t after,
		       struct http_client_response *response)
{
	const struct config *config = remote->recorder->config;
	struct arena *arena = &watch->part.arena;
	struct error *error = &watch->part.error;
	const char *headers[] = { "Accept: application/json", remote->authorization, NULL, NULL };
	if (after == 0 && remote->etag[0] && remote->has_list)
		headers[2] = arena_printf(arena, "If-None-Match: %s", remote->etag);
	const struct http_client_request request = {
		.method = "GET",
		.url = arena_printf(arena, "%s/api/v1/checks?after=%lld", config->check_centre,
				    (long long)after),
		.headers = headers,
		.timeout_s = TIMEOUT_S,
		.response_max = RESPONSE_MAX_BYTES,
	};
	enum result result = http_client_send(remote->reader, &request, arena, response, error);
	if (result == OK)
		result = judge_status(response->status, 200, error);
	if (result == OK)
		compare_clocks(remote, response->date_s);
	return result;
}

static enum result read_list(struct remote *remote, struct watch *watch)
{
	struct http_client_response response = { 0 };
	struct buf list CLEANUP(buf_done) = BUF_INIT(REMOTE_LIST_BYTES);
	char etag[sizeof(remote->etag)] = "";
	int64_t after = 0;
	watch->monitor_count = 0;
	do {
		int64_t next = 0;
		enum result result = ask(remote, watch, after, &response);
		if (result != OK || response.status == 304)
			return result;
		result = remote_take_part(watch, response.body, &next, &watch->part.error);
		if (result != OK)
			return result;
		if (after == 0 && response.etag && strlen(response.etag) < sizeof(etag))
			snprintf(etag, sizeof(etag), "%s", response.etag);
		buf_add(&list, response.body.data, response.body.len);
		buf_putc(&list, '\n');
		after = next > after ? next : 0;
	} while (after > 0);
	buf_clear(&remote->list);
	buf_add(&remote->list, list.data, list.len);
	memcpy(remote->etag, etag, sizeof(etag));
	watch->has_list = true;
	return OK;
}

enum result remote_read(struct remote *remote, struct watch *watch)
{
	int64_t now_ms = clock_ms();
	enum result result = OK;
	watch->monitor_count = 0;
	if (!watch->drops_lease && now_ms >= remote->read_at_ms) {
		result = read_list(remote, watch);
		bool is_refused = result == E_UNAUTHENTICATED || result == E_FORBIDDEN;
		remote->is_refused = is_refused || (remote->is_refused && result != OK);
		if (!remote->has_list && !remote->is_refused)
			remote_read_file(remote, watch, result != OK);
		remote->has_list = !remote->is_refused && (remote->has_list || watch->has_list);
		/* After a failure the backoff in part_start_in() delays the next reading. */
		if (result == OK)
			remote->read_at_ms = now_ms + REMOTE_LIST_MS +
					     watch->monitor_count * PART_MS / CHECK_ORDERS_MAX;
	}
	watch->has_answer = true;
	watch->lease = (struct check_lease){ .is_held = !remote->is_refused,
					     .now_ms = now_ms + remote->ahead_ms };
	watch->asked_ms = now_ms;
	return result;
}

/* Sending */

void remote_print(struct buf *out, const struct check_batch *batch)
{
	struct check_finding states[CHECK_FINDINGS_MAX];
	struct check_found_hour hours[CHECK_FINDINGS_MAX];
	const struct check_findings findings = {
		.states = { states, batch->count },
		.hours = { hours, batch->hour_count },
	};
	for (size_t i = 0; i < batch->count; i++)
		states[i] = (struct check_finding){
			.monitor_id = batch->records[i].monitor_id,
			.state = batch->records[i].state,
			.cause = batch->records[i].state.cause,
			.tls_expires_at = batch->records[i].tls_expires_at,
			.tls_issuer = batch->records[i].tls_issuer,
		};
	for (size_t i = 0; i < batch->hour_count; i++)
		hours[i] = (struct check_found_hour){ batch->hours[i].monitor_id,
						      batch->hours[i].hour };
	json_print_fields(out, check_findings_fields, &findings);
}

static size_t portion(size_t left)
{
	return left < CHECK_FINDINGS_MAX ? left : CHECK_FINDINGS_MAX;
}

/* Removes up to CHECK_FINDINGS_MAX states and hours from the batch, and returns them. */
static struct check_batch take_portion(struct check_batch *batch)
{
	const struct check_batch taken = { batch->records, portion(batch->count), batch->hours,
					   portion(batch->hour_count) };
	batch->records += taken.count;
	batch->count -= taken.count;
	batch->hours += taken.hour_count;
	batch->hour_count -= taken.hour_count;
	return taken;
}

enum result remote_store(struct remote *remote, const struct records *records, struct error *error)
{
	struct check_batch batch = { records->records, records->count, records->hours,
				     records->hour_count };
	enum result result = OK;
	while (result == OK && batch.count + batch.hour_count > 0) {
		struct arena arena CLEANUP(arena_done);
		struct buf body CLEANUP(buf_done) = BUF_INIT(RESPONSE_MAX_BYTES);
		struct http_client_response response = { 0 };
		const struct check_batch sent = take_portion(&batch);
		arena_init(&arena, ARENA_BYTES);
		remote_print(&body, &sent);
		const char *headers[] = { "Content-Type: application/json", remote->authorization,
					  NULL };
		const struct http_client_request request = {
			.method = "POST",
			.url = arena_printf(&arena, "%s/api/v1/checks",
					    remote->recorder->config->check_centre),
			.headers = headers,
			.body = { body.data, body.len },
			.timeout_s = TIMEOUT_S,
			.response_max = RESPONSE_MAX_BYTES,
		};
		result = http_client_send(remote->writer, &request, &arena, &response, error);
		if (result == OK)
			result = judge_status(response.status, 202, error);
	}
	return result;
}

enum result remote_open(struct remote **remote, struct recorder *recorder, struct error *error)
{
	const struct config *config = recorder->config;
	struct remote *opened = memory_needed(calloc(1, sizeof(*opened)));
	opened->recorder = recorder;
	opened->list = opened->kept = BUF_INIT(REMOTE_LIST_BYTES);
	arena_init(&opened->arena, ARENA_BYTES);
	arena_init(&opened->found, ARENA_BYTES);
	opened->authorization =
		arena_printf(&opened->arena, "Authorization: Bearer %s", config->check_centre_key);
	(void)mkdir(config->pages_dir, 0750);
	*remote = opened;
	enum result result = http_client_open(&opened->reader, config->check_ca_file, error);
	return result == OK ? http_client_open(&opened->writer, config->check_ca_file, error)
			    : result;
}

void remote_close(struct remote *remote)
{
	if (!remote)
		return;
	http_client_close(remote->reader);
	http_client_close(remote->writer);
	buf_done(&remote->list);
	buf_done(&remote->kept);
	arena_done(&remote->arena);
	arena_done(&remote->found);
	free(remote);
}
