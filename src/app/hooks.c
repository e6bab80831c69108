#include "app/hooks.h"

#include <string.h>

#include "app/idempotency.h"
#include "app/publishing.h"
#include "base/buf.h"
#include "http/body.h"
#include "store/report.h"
#include "store/usage.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/limits.h"

/* How far a sender's clock may be ahead of ours. */
enum { CLOCK_SKEW_S = 300 };

/* Alerts of one payload. Alertmanager's own groups have some dozens. */
enum { ALERTS_MAX = 1000, KEYS_MAX = 10000 };

/* Which monitors the keys ("7", "instance=web1") stand for; keys as a JSON array. */
static enum result match(struct exchange *exchange, struct json_object *keys,
			 struct report_match_list *list)
{
	struct buf text = BUF_INIT(4 << 20);
	json_print(&text, keys);
	enum result result = report_match(exchange->db, exchange->key.account_id, text.data,
					  &exchange->arena, list, &exchange->error);
	buf_done(&text);
	return result;
}

/* E_FULL: these are more than the account may open on this day. */
static enum result count_additions(struct exchange *exchange, int64_t count)
{
	return usage_count_incidents(exchange->db, exchange->key.account_id, count,
				     exchange->config->most_incidents_per_day, exchange->now,
				     &exchange->error);
}

/* At most as long as a cause may be. */
static const char *fit_cause(struct exchange *exchange, const char *text)
{
	struct str cause = str_trim(str_from(text));
	while (str_chars(cause) > INCIDENT_CAUSE_MAX_CHARS) {
		cause.len--;
		while (cause.len > 0 && (cause.data[cause.len] & 0xc0) == 0x80)
			cause.len--;
	}
	return arena_strndup(&exchange->arena, cause.data, cause.len);
}

/* POST /hooks/generic */

struct generic_input {
	const char *monitor;
	int state;
	const char *cause;
	struct instant at;
};

static const char *const state_choices[] = { "up", "down", NULL };

#define GENERIC(member, ...) FIELD(struct generic_input, member, __VA_ARGS__)
static const struct field generic_rows[] = {
	GENERIC(monitor, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_NUMBER_TOO,
		.max_chars = 255),
	GENERIC(state, .flags = FIELD_REQUIRED, .choices = state_choices),
	GENERIC(cause, .max_chars = INCIDENT_CAUSE_MAX_CHARS),
	GENERIC(at),
};
const struct fields hooks_generic_fields = { generic_rows, ARRAY_LEN(generic_rows) };

struct generic_report {
	struct generic_input input;
	struct report report;
	struct reported reported;
};

static struct json_object *outcome_tree(const struct reported *reported, int64_t monitor_id)
{
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "monitor_id", monitor_id);
	json_put_text(tree, "outcome", report_outcome_word(reported->outcome));
	if (reported->incident_id > 0)
		json_put_int(tree, "incident_id", reported->incident_id);
	else
		json_put_null(tree, "incident_id");
	return tree;
}

static enum result generic_transaction(struct exchange *exchange, void *context)
{
	struct generic_report *generic = context;
	struct report_match_list found = { 0 };
	struct incident_actor actor = { exchange_actor(exchange), exchange->now };
	struct json_object *keys = json_array_tree();
	json_append_text(keys, generic->input.monitor);
	enum result result = match(exchange, keys, &found);
	json_free(keys);
	if (result != OK)
		return result;
	if (found.count == 0) {
		if (!faults_has(&exchange->faults, "monitor"))
			faults_add(&exchange->faults, "monitor", "The selected monitor is invalid.");
		return E_INVALID;
	}
	generic->report.monitor_id = found.rows[0].monitor_id;
	bool is_down = generic->input.state == 1;
	result = (is_down ? report_down : report_up)(exchange->db, &generic->report, &actor,
						     &exchange->arena, &generic->reported,
						     &exchange->error);
	if (result == OK)
		result = count_additions(exchange,
					 report_is_addition(generic->reported.outcome));
	if (result == OK)
		exchange_answer(exchange, 200,
				outcome_tree(&generic->reported, generic->report.monitor_id));
	return result;
}

enum result hooks_generic(struct exchange *exchange)
{
	struct generic_report generic = { 0 };
	uint64_t sent;
	enum result result = exchange_body(exchange, &generic.input, &sent);
	if (result != OK)
		return result;
	if (generic.input.at.s > exchange->now.s + CLOCK_SKEW_S)
		faults_add(&exchange->faults, "at", "The at field must not be in the future.");
	if (exchange->faults.count > 0)
		return E_INVALID;
	generic.report = (struct report){
		.account_id = exchange->key.account_id,
		.cause = generic.input.cause ? generic.input.cause : "Down",
		.at = generic.input.at.s > 0 ? generic.input.at : exchange->now,
		.is_now = generic.input.at.s == 0,
	};
	result = exchange_transact(exchange, DB_WRITE, generic_transaction, &generic);
	if (result != OK)
		return result;
	/* One that says nothing new, too: whoever heard it first may have ended before this. */
	exchange_publish_monitor(exchange, generic.report.monitor_id);
	return OK;
}

/* POST /hooks/alertmanager */

struct alert {
	const char *fingerprint;
	const char *cause;
	struct instant started_at;
	struct instant ended_at;
	const char **keys; /* what may name a monitor */
	size_t key_count;
};

struct payload {
	struct exchange *exchange;
	struct alert *alerts;
	size_t count;
	struct json_object *keys; /* of all alerts */
	size_t key_count;
	struct json_object *results; /* a row for each alert and monitor */
	int64_t *changed;	     /* monitors whose pages are to be published */
	size_t changed_count;
	int64_t additions;  /* incidents that there were not before */
	bool adds_nothing; /* the account's quota of incidents is used up */
};

static void add_key(struct payload *payload, struct alert *alert, const char *key)
{
	alert->keys[alert->key_count++] = key;
	if (payload->key_count == KEYS_MAX)
		return;
	payload->key_count++;
	json_append_text(payload->keys, key);
}

struct label_walk {
	struct payload *payload;
	struct alert *alert;
};

static void visit_label(void *context, const char *name, struct json_object *value)
{
	struct label_walk *walk = context;
	struct arena *arena = &walk->payload->exchange->arena;
	const char *text = json_text(value, arena);
	if (!text || !str_is_text(str_from(name)))
		return;
	/* A label of this name says the monitor's id outright. */
	add_key(walk->payload, walk->alert,
		strcmp(name, "daymark_monitor") == 0 ? text
						     : arena_printf(arena, "%s=%s", name, text));
}

static void count_member(void *context, const char *key, struct json_object *value)
{
	(void)key;
	(void)value;
	(*(size_t *)context)++;
}

static const char *cause_of(struct exchange *exchange, struct json_object *source)
{
	struct json_object *annotations = json_member(source, "annotations");
	struct json_object *labels = json_member(source, "labels");
	const char *texts[] = {
		json_text(json_member(annotations, "summary"), &exchange->arena),
		json_text(json_member(annotations, "description"), &exchange->arena),
		json_text(json_member(labels, "alertname"), &exchange->arena),
	};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i] && texts[i][0] != '\0')
			return fit_cause(exchange, texts[i]);
	return "Alert";
}

static void fault_at(struct exchange *exchange, size_t at, const char *member, const char *rule)
{
	const char *field = arena_printf(&exchange->arena, "alerts.%zu.%s", at, member);
	faults_add(&exchange->faults, field, "The %s field must be %s.", field, rule);
}

/* An alert is told by its fingerprint; a sender without one by its labels. */
static const char *fingerprint_of(struct exchange *exchange, struct json_object *source)
{
	const char *given = json_text(json_member(source, "fingerprint"), &exchange->arena);
	struct buf text = BUF_INIT(1 << 20);
	if (given && given[0] != '\0')
		buf_puts(&text, given);
	else
		json_print(&text, json_member(source, "labels"));
	const char *hash = secret_hash_hex(&exchange->arena, text.data, text.len, 32);
	buf_done(&text);
	return hash;
}

static void read_alert(struct payload *payload, struct json_object *source, size_t at)
{
	struct exchange *exchange = payload->exchange;
	struct alert *alert = &payload->alerts[at];
	struct label_walk walk = { payload, alert };
	struct json_object *labels = json_member(source, "labels");
	const char *status = json_text(json_member(source, "status"), &exchange->arena);
	const char *starts = json_text(json_member(source, "startsAt"), &exchange->arena);
	const char *ends = json_text(json_member(source, "endsAt"), &exchange->arena);
	bool is_over = status && strcmp(status, "resolved") == 0;
	size_t label_count = 0;
	json_each(labels, count_member, &label_count);
	if (!is_over && !(status && strcmp(status, "firing") == 0))
		fault_at(exchange, at, "status", "firing or resolved");
	if (!starts || !instant_parse(str_from(starts), &alert->started_at))
		fault_at(exchange, at, "startsAt", "a time such as 2026-11-20T19:58:30Z");
	if (is_over && (!ends || !instant_parse(str_from(ends), &alert->ended_at)))
		fault_at(exchange, at, "endsAt", "a time such as 2026-11-20T19:58:30Z");
	if (is_over && alert->ended_at.s < alert->started_at.s)
		alert->ended_at = alert->started_at;
	if (label_count == 0)
		fault_at(exchange, at, "labels", "an object with labels");
	alert->keys = ARENA_ARRAY(&exchange->arena, label_count, const char *);
	alert->cause = cause_of(exchange, source);
	alert->fingerprint = fingerprint_of(exchange, source);
	json_each(labels, visit_label, &walk);
}

static enum result read_payload(struct payload *payload, struct json_object *root)
{
	struct exchange *exchange = payload->exchange;
	struct json_object *alerts = json_member(root, "alerts");
	const char *version = json_text(json_member(root, "version"), &exchange->arena);
	payload->count = json_length(alerts);
	if (!version || strcmp(version, "4") != 0)
		faults_add(&exchange->faults, "version", "The version field must be \"4\".");
	if (!alerts || payload->count > ALERTS_MAX) {
		faults_add(&exchange->faults, "alerts",
			   "The alerts field must be an array of at most %d alerts.", ALERTS_MAX);
		return E_INVALID;
	}
	payload->alerts = ARENA_ARRAY(&exchange->arena, payload->count, struct alert);
	for (size_t i = 0; i < payload->count; i++)
		read_alert(payload, json_item(alerts, i), i);
	return exchange->faults.count > 0 ? E_INVALID : OK;
}

static void put_result(struct payload *payload, size_t at, struct json_object *tree)
{
	json_put_int(tree, "alert", (int64_t)at);
	json_append(payload->results, tree);
}

static bool has_key(const struct alert *alert, const char *key)
{
	for (size_t i = 0; i < alert->key_count; i++)
		if (strcmp(alert->keys[i], key) == 0)
			return true;
	return false;
}

/* Applies one alert to each monitor that it matches. */
static enum result apply_alert(struct payload *payload, size_t at,
			       const struct report_match_list *found)
{
	struct exchange *exchange = payload->exchange;
	const struct alert *alert = &payload->alerts[at];
	struct incident_actor actor = { exchange_actor(exchange), exchange->now };
	size_t matches = 0;
	for (size_t i = 0; i < found->count; i++) {
		if (!has_key(alert, found->rows[i].key))
			continue;
		struct reported reported;
		struct report report = {
			.account_id = exchange->key.account_id,
			.monitor_id = found->rows[i].monitor_id,
			.source = arena_printf(&exchange->arena, "am:%s:%lld:%lld",
					       alert->fingerprint, (long long)alert->started_at.s,
					       (long long)found->rows[i].monitor_id),
			.cause = alert->cause,
			.at = alert->started_at,
			.ended_at = alert->ended_at,
			.adds_nothing = payload->adds_nothing,
		};
		enum result result = report_alert(exchange->db, &report, &actor, &exchange->arena,
						  &reported, &exchange->error);
		if (result != OK)
			return result;
		put_result(payload, at, outcome_tree(&reported, report.monitor_id));
		payload->additions += report_is_addition(reported.outcome);
		if (reported.outcome != REPORT_UNCHANGED)
			payload->changed[payload->changed_count++] = report.monitor_id;
		matches++;
	}
	if (matches == 0) {
		struct json_object *tree = json_object_tree();
		json_put_null(tree, "monitor_id");
		json_put_text(tree, "outcome", "unknown");
		json_put_null(tree, "incident_id");
		put_result(payload, at, tree);
	}
	return OK;
}

static enum result alerts_transaction(struct exchange *exchange, void *context)
{
	struct payload *payload = context;
	struct report_match_list found = { 0 };
	json_free(payload->results);
	payload->results = json_array_tree();
	enum result result = match(exchange, payload->keys, &found);
	payload->changed = ARENA_ARRAY(&exchange->arena, payload->count * found.count, int64_t);
	payload->changed_count = 0;
	payload->additions = 0;
	for (size_t i = 0; result == OK && i < payload->count; i++)
		result = apply_alert(payload, i, &found);
	if (result == OK)
		result = count_additions(exchange, payload->additions);
	if (result != OK)
		return result;
	struct json_object *data = json_object_tree();
	json_put(data, "results", payload->results);
	payload->results = NULL;
	exchange_answer(exchange, 200, data);
	return OK;
}

/*
 * A quota that is used up holds back new incidents, not the end of old ones. The payload is
 * refused all the same, so that it comes again.
 */
static void end_what_is_over(struct payload *payload)
{
	struct exchange *exchange = payload->exchange;
	struct error refusal = exchange->error;
	payload->adds_nothing = true;
	if (exchange_transact_plainly(exchange, DB_WRITE, alerts_transaction, payload) != OK)
		payload->changed_count = 0;
	exchange->error = refusal;
}

static void note_body(struct exchange *exchange, struct json_object *root)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(WIRE_ANSWER_MAX_BYTES);
	json_print(&text, root);
	idempotency_add_body(exchange, text.data, text.len);
}

enum result hooks_alertmanager(struct exchange *exchange)
{
	struct payload payload = { .exchange = exchange, .keys = json_array_tree() };
	struct json_object *root;
	enum result result = body_read_json(&exchange->request, exchange->gateway, &root,
					    &exchange->error);
	if (result == OK && idempotency_is_asked(exchange))
		note_body(exchange, root);
	if (result == OK)
		result = read_payload(&payload, root);
	if (result == OK)
		result = exchange_transact(exchange, DB_WRITE, alerts_transaction, &payload);
	if (result == E_FULL)
		end_what_is_over(&payload);
	for (size_t i = 0; (result == OK || result == E_FULL) && i < payload.changed_count; i++)
		exchange_publish_monitor(exchange, payload.changed[i]);
	if (result == OK && payload.changed_count == 0)
		exchange_publish_due(exchange);
	json_free(payload.results);
	json_free(payload.keys);
	json_free(root);
	return result;
}
