#include "app/handlers.h"

#include "access/signing_key.h"
#include "app/rate.h"
#include "http/auth.h"
#include "http/body.h"
#include "mirror/protocol.h"
#include "mirror/receive/incoming.h"
#include "mirror/receive/receive.h"
#include "mirror/receive/receive_origin.h"
#include "view/page.h"
#include "wire/json.h"

_Static_assert((int)PROTOCOL_FILE_MAX == (int)PAGE_FILE_MAX_BYTES, "mirrors take all files");
_Static_assert((int)PROTOCOL_KEY_MIN == (int)CONFIG_KEY_MIN, "one length of keys");
_Static_assert((int)PROTOCOL_BODY_MAX == (int)CONFIG_MIRROR_BODY, "one length of bodies");

/* Admits the origin by its key. Call it before the body is read, so that the body of an unknown
 * client uses no memory. */
static enum result admit(struct exchange *exchange)
{
	struct str text;
	if (auth_bearer_text(exchange->request.authorization, &text) &&
	    secret_is_equal(text, str_from(exchange->config->mirror_key)))
		return OK;
	return rate_refuse_key(exchange);
}

/* Responds 409. The first line of the body tells the origin why. */
static enum result refuse(struct exchange *exchange, const char *line)
{
	buf_clear(&exchange->response.body);
	buf_printf(&exchange->response.body, "%s\n", line);
	exchange->response.status = 409;
	exchange->response.content_type = "text/plain; charset=utf-8";
	return OK;
}

/* Responds to the origin. Changes E_FAILED to E_UNAVAILABLE, so that the origin tries again: most
 * such failures come from the disk. */
static enum result end(struct exchange *exchange, enum result result)
{
	if (result == OK)
		exchange->response.status = 204;
	if (result == E_FORBIDDEN)
		return refuse(exchange, PROTOCOL_OTHER_ORIGIN);
	if (result != E_FAILED)
		return result;
	return error_client(&exchange->error, E_UNAVAILABLE,
			    "The mirror cannot store this at the moment; its log has the reason.");
}

/* Like end(), but for E_PRECONDITION_FAILED sends the body, which lists the missing files. */
static enum result end_or_ask(struct exchange *exchange, enum result result)
{
	if (result == E_PRECONDITION_FAILED && buf_ok(&exchange->response.body)) {
		exchange->response.status = 409;
		exchange->response.content_type = "text/plain; charset=utf-8";
		return OK;
	}
	buf_clear(&exchange->response.body);
	return end(exchange, result);
}

static enum result open_receiver(struct exchange *exchange, struct receiver *receiver)
{
	receiver->site = exchange->site;
	receiver->arena = &exchange->arena;
	return receiver_open(receiver, exchange->config->pages_dir, &exchange->error);
}

/* Reads the header with the origin's id. Origins of older versions do not send it. */
static enum result read_origin(struct exchange *exchange, struct receiver *receiver)
{
	const char *text = exchange->gateway->param(exchange->gateway, "HTTP_X_DAYMARK_ORIGIN");
	struct str rest = str_from(text ? text : "");
	if (!text || origin_mark_take(&rest, &receiver->origin)) {
		receiver->replaces_key = str_eq(rest, STR(PROTOCOL_REPLACES_KEY));
		return OK;
	}
	return error_client(&exchange->error, E_INVALID, PROTOCOL_ORIGIN " is not valid.");
}

/* Admits the origin, reads the body, and opens the pages folder. `body` is NULL for a request
 * without a body. */
static enum result begin(struct exchange *exchange, struct buf *body, struct receiver *receiver)
{
	enum result result = admit(exchange);
	if (result == OK && body)
		result = body_read_bytes(&exchange->request, exchange->gateway, body,
					 PROTOCOL_BODY_MAX, &exchange->error);
	if (result == OK)
		result = read_origin(exchange, receiver);
	if (result == OK)
		result = open_receiver(exchange, receiver);
	return result;
}

static struct str text_of(const struct buf *body)
{
	return (struct str){ body->data ? body->data : "", body->len };
}

/* Lets another thread serve requests while this thread waits: requests that change pages run one at
 * a time. */
static void pause_thread(struct exchange *exchange)
{
	if (exchange->gateway->pause)
		exchange->gateway->pause(exchange->gateway);
}

static enum result end_list(struct exchange *exchange, enum result result)
{
	if (result == OK) {
		exchange->response.content_type = "text/plain; charset=utf-8";
		return OK;
	}
	buf_clear(&exchange->response.body);
	return end(exchange, result);
}

enum result mirror_host_list(struct exchange *exchange)
{
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	enum result result = begin(exchange, NULL, &receiver);
	if (result == OK) {
		pause_thread(exchange);
		result = receive_list(&receiver, &exchange->response.body, &exchange->error);
	}
	if (result == OK)
		result = receiver_expect_beats(&receiver, &exchange->error);
	return end_list(exchange, result);
}

enum result mirror_host_pages(struct exchange *exchange)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT(PROTOCOL_BODY_MAX + 1);
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	struct manifest manifest;
	enum result result = begin(exchange, &body, &receiver);
	if (result == OK)
		result = manifest_parse(text_of(&body), &exchange->arena, &manifest,
					&exchange->error);
	if (result != OK)
		return end(exchange, result);
	pause_thread(exchange);
	return end_or_ask(exchange, receive_pages(&receiver, &manifest, &exchange->response.body,
						  &exchange->error));
}

enum result mirror_host_files(struct exchange *exchange)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT(PROTOCOL_BODY_MAX + 1);
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	struct protocol_part part;
	enum result result = begin(exchange, &body, &receiver);
	struct str rest = text_of(&body);
	if (result == OK)
		result = receive_admit(&receiver, false, &exchange->error);
	if (result == OK)
		result = incoming_keep(&receiver, &incoming_bounds, &exchange->error);
	while (result == OK) {
		result = protocol_part_next(&rest, &part, &exchange->error);
		if (result == E_NOT_FOUND)
			return end(exchange, OK);
		if (result == OK)
			result = incoming_add(&receiver, &part, &exchange->error);
	}
	return end(exchange, result);
}

enum result mirror_host_shared(struct exchange *exchange)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT(PROTOCOL_BODY_MAX + 1);
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	struct shared_data data;
	enum result result = begin(exchange, &body, &receiver);
	if (result == OK)
		result = shared_data_parse(text_of(&body), &exchange->arena, &data,
					   &exchange->error);
	if (result != OK)
		return end(exchange, result);
	pause_thread(exchange);
	result = receive_shared(&receiver, &data, &exchange->response.body, &exchange->error);
	return result == E_CONFLICT ? refuse(exchange, PROTOCOL_OTHER_KEY)
				    : end_or_ask(exchange, result);
}

enum result mirror_host_shared_list(struct exchange *exchange)
{
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	enum result result = begin(exchange, NULL, &receiver);
	if (result == OK)
		result = receive_shared_list(&receiver, &exchange->response.body, &exchange->error);
	return end_list(exchange, result);
}

enum result mirror_host_origin(struct exchange *exchange)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT(64);
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	const char *key = NULL;
	enum result result = begin(exchange, &body, &receiver);
	if (result == OK && (!str_eq(text_of(&body), STR("take-over\n")) || !receiver.origin.id[0]))
		result = error_client(&exchange->error, E_INVALID,
				      "The body must be take-over, and " PROTOCOL_ORIGIN
				      " must name the origin.");
	pause_thread(exchange);
	if (result == OK)
		result = receive_take_over(&receiver, &key, &exchange->error);
	if (result != OK)
		return end(exchange, result);
	exchange->response.content_type = "text/plain; charset=utf-8";
	buf_printf(&exchange->response.body, "taken over\n%s%s%s", key ? "secret " : "",
		   key ? key : "", key ? "\n" : "");
	return OK;
}

/* Responds to a beat. If the origin has sent its id, the response has the digest of all manifests
 * that the mirror has put in place. */
static enum result end_beat(struct exchange *exchange, const struct receiver *receiver)
{
	const char *digest;
	if (!receiver->origin.id[0])
		return end(exchange, OK);
	enum result result = receive_digest(receiver, &digest, &exchange->error);
	if (result != OK)
		return end(exchange, result);
	exchange->response.content_type = "text/plain; charset=utf-8";
	buf_printf(&exchange->response.body, "digest %s\n", digest);
	return OK;
}

enum result mirror_host_beat(struct exchange *exchange)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT(64);
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	enum result result = begin(exchange, &body, &receiver);
	bool is_complete = str_eq(text_of(&body), STR("complete\n"));
	if (result == OK && !is_complete && !str_eq(text_of(&body), STR("incomplete\n")))
		result = error_client(&exchange->error, E_INVALID,
				      "The body must be complete or incomplete.");
	if (result == OK)
		result = receive_admit(&receiver, true, &exchange->error);
	if (result == OK)
		result = receiver_write_beat(&receiver, is_complete, &exchange->error);
	if (result == OK)
		result = receiver_sweep(&receiver, exchange->now, &exchange->error);
	return result == OK ? end_beat(exchange, &receiver) : end(exchange, result);
}

static enum result read_state(struct exchange *exchange, struct receiver_beat *beat, bool *has_key)
{
	struct receiver receiver CLEANUP(receiver_close) = RECEIVER_CLOSED;
	struct signing_key key;
	enum result result = open_receiver(exchange, &receiver);
	if (result == OK)
		result = receiver_read_beat(&receiver, beat, &exchange->error);
	if (result == OK)
		result = signing_key_read(receiver.dir.root_fd, &key, has_key, &exchange->error);
	return result;
}

enum result mirror_host_ready(struct exchange *exchange)
{
	struct receiver_beat beat = { 0 };
	bool has_key = false;
	enum result result = read_state(exchange, &beat, &has_key);
	bool is_ready = result == OK && beat.complete.at.s > 0 && has_key;
	int64_t age_s = boot_moment_age_s(&beat.complete);
	int status = is_ready ? 200 : 503;
	struct json_object *body = json_object_tree();
	json_put_text(body, "state", is_ready ? "ready" : "not ready");
	json_put_text(body, "role", "mirror");
	json_put_int_or_null(body, "mirror_age_s", age_s >= 0, age_s);
	json_put_bool(body, "complete", beat.is_complete);
	json_put_text(body, "signing_key", has_key ? "present" : "missing");
	json_put_int(body, "status", status);
	if (!is_ready)
		response_header(&exchange->response, "Retry-After", "5");
	response_json(&exchange->response, status, body);
	return OK;
}

enum result mirror_host_refuse(struct exchange *exchange)
{
	return error_client(
		&exchange->error, E_UNAVAILABLE,
		"This host is a mirror: it shows pages and takes no changes. Please use "
		"the service itself.");
}
