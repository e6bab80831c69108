#include "app/handlers.h"

#include <string.h>

#include "app/idempotency.h"
#include "app/incident/alert_keys.h"
#include "app/incident/alert_texts.h"
#include "app/incident/hooks.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/respond.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/severity.h"
#include "http/body.h"
#include "service/incident/observations.h"
#include "wire/json.h"
#include "wire/json_items.h"
#include "wire/json_read.h"
#include "wire/limits.h"

enum {
	/* Alerts per payload: enough for 10,000 monitors with five alerts each. */
	ALERTS_MAX = 50000,
	/* Observations per payload: one for each monitor that an alert matches. */
	OBSERVATIONS_MAX = 50000,
	/* Violations per response: more would not help the sender. */
	VIOLATIONS_MAX = 1000,
	/*
	 * Estimated memory in bytes: per alert, per label of an alert, and per observation or row
	 * of the response.
	 */
	ALERT_WEIGHT = 512,
	LABEL_WEIGHT = 128,
	ROW_WEIGHT = 512,
};

struct alerts_query {
	bool group_as_one;
};

static const struct field query_rows[] = {
	FIELD(struct alerts_query, group_as_one,
	      .text = "Whether the alerts of a group also make one reported incident, which covers "
		      "the group's monitors. It ends with the last alert of the group."),
};
const struct fields hooks_alertmanager_query_fields = FIELDS(query_rows);

struct alert {
	const char *fingerprint;
	const char *title;
	const char *cause;
	struct instant started_at;
	struct instant ended_at;
	bool has_impact; /* the setting alert_impact names the alert's severity */
	int impact;
	struct alert_key **keys; /* the labels and ids that may match a monitor */
	size_t key_count;
};

struct payload {
	struct json_visitor visitor;
	struct exchange *exchange;
	struct arena scratch; /* memory for one alert, or for one try of the transaction */
	struct alert_keys keys;
	struct alert *alerts;
	size_t count;
	size_t room;
	/* How many violations were found. If the payload has the member `alerts` twice, the first
	 * list is dropped, but its violations are counted here, too. */
	size_t violation_count;
	const char *digest; /* a hash of all read alerts; "" without an Idempotency-Key */
	bool is_group;	    /* the payload also makes one incident for the group of alerts */
	struct alert_group group;
	struct alert_observations observations;
};

static void add_violation_at(struct payload *payload, const char *member, const char *rule)
{
	struct violations *violations = &payload->exchange->violations;
	if (payload->violation_count++ >= VIOLATIONS_MAX)
		return;
	const char *field =
		arena_printf(&payload->exchange->arena, "alerts.%zu.%s", payload->count, member);
	violations_add(violations, field, "The %s field must be %s.", field, rule);
}

static void visit_label(void *context, const char *name, struct json_object *value)
{
	struct payload *payload = context;
	struct alert *alert = &payload->alerts[payload->count];
	struct arena *arena = &payload->scratch;
	const char *text = json_text(value, arena);
	if (!text || !str_is_text(str_from(name)))
		return;
	/* The value of the label daymark_monitor is the id of a monitor. */
	if (strcmp(name, "daymark_monitor") != 0)
		text = arena_printf(arena, "%s=%s", name, text);
	struct alert_key *key = alert_keys_add(&payload->keys, text);
	if (key)
		alert->keys[alert->key_count++] = key;
}

static void count_member(void *context, const char *key, struct json_object *value)
{
	(void)key;
	(void)value;
	(*(size_t *)context)++;
}

static void read_times(struct payload *payload, struct json_object *source, struct alert *alert)
{
	const char *status = json_text(json_member(source, "status"), &payload->scratch);
	const char *starts = json_text(json_member(source, "startsAt"), &payload->scratch);
	const char *ends = json_text(json_member(source, "endsAt"), &payload->scratch);
	bool is_over = status && strcmp(status, "resolved") == 0;
	if (!is_over && !(status && strcmp(status, "firing") == 0))
		add_violation_at(payload, "status", "firing or resolved");
	if (!starts || !instant_parse(str_from(starts), &alert->started_at))
		add_violation_at(payload, "startsAt", "a time such as 2026-11-20T19:58:30Z");
	if (is_over && (!ends || !instant_parse(str_from(ends), &alert->ended_at)))
		add_violation_at(payload, "endsAt", "a time such as 2026-11-20T19:58:30Z");
	if (is_over && alert->ended_at.s < alert->started_at.s)
		alert->ended_at = alert->started_at;
}

/* Reads the impact that the configuration assigns to the alert's severity. */
static void read_impact(struct payload *payload, struct json_object *labels, struct alert *alert)
{
	const char *severity = json_text(json_member(labels, "severity"), &payload->scratch);
	struct str word = severity_impact(payload->exchange->config->alert_impact, severity);
	int impact = str_place(incident_impact_words, word);
	alert->has_impact = impact >= 0;
	if (alert->has_impact)
		alert->impact = impact;
}

/* Adds the alert to the digest. JSON texts with the same values have the same digest. */
static enum result add_digest(struct payload *payload, struct json_object *source)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(8 * WIRE_JSON_MAX_BYTES);
	buf_puts(&text, payload->digest);
	if (source)
		json_print(&text, source);
	if (!buf_ok(&text))
		return E_BUSY;
	payload->digest = secret_hash_hex(&payload->exchange->arena, text.data, text.len, 64);
	return OK;
}

static enum result read_alert(struct json_visitor *visitor, struct json_object *source,
			      struct error *error)
{
	struct payload *payload = CONTAINER_OF(visitor, struct payload, visitor);
	struct arena *arena = &payload->exchange->arena;
	struct json_object *labels = json_member(source, "labels");
	size_t label_count = 0;
	/* Do not read alerts beyond ALERTS_MAX, but count them. */
	if (payload->count >= ALERTS_MAX) {
		payload->count++;
		return OK;
	}
	payload->alerts = arena_grow(arena, payload->alerts, payload->count, &payload->room,
				     sizeof(*payload->alerts));
	struct alert *alert = &payload->alerts[payload->count];
	*alert = (struct alert){ 0 };
	read_times(payload, source, alert);
	json_each(labels, count_member, &label_count);
	if (label_count == 0)
		add_violation_at(payload, "labels", "an object with labels");
	alert->keys = ARENA_ARRAY(arena, label_count, struct alert_key *);
	alert->title = alert_title(source, &payload->scratch, arena);
	alert->cause = alert_cause(source, &payload->scratch, arena);
	alert->fingerprint = label_count > 0 ? alert_fingerprint(source, &payload->scratch, arena)
					     : "";
	read_impact(payload, labels, alert);
	json_each(labels, visit_label, payload);
	arena_reset(&payload->scratch);
	payload->count++;
	if (!alert->fingerprint)
		return error_log(error, E_FAILED, "no memory for an alert");
	return idempotency_is_asked(payload->exchange) ? add_digest(payload, source) : OK;
}

/* Drops the alerts that were read: if the member `alerts` is sent twice, the last list counts. */
static void begin_alerts(struct json_visitor *visitor)
{
	struct payload *payload = CONTAINER_OF(visitor, struct payload, visitor);
	payload->count = 0;
	payload->digest = "";
	violations_init(&payload->exchange->violations, &payload->exchange->arena);
}

static enum result check_payload(struct payload *payload, struct json_object *root)
{
	struct exchange *exchange = payload->exchange;
	const char *version = json_text(json_member(root, "version"), &exchange->arena);
	if (!version || strcmp(version, "4") != 0)
		violations_add(&exchange->violations, "version",
			       "The version field must be \"4\".");
	if (!json_is_list(json_member(root, "alerts")) || payload->count > ALERTS_MAX)
		violations_add(&exchange->violations, "alerts",
			       "The alerts field must be an array of at most %d alerts.",
			       ALERTS_MAX);
	if (payload->is_group) {
		payload->group.source = alert_group_source(root, &exchange->arena);
		payload->group.title = alert_group_title(root, &exchange->arena);
		if (!payload->group.source)
			violations_add(&exchange->violations, "groupKey",
				       "The groupKey field is required with group_as_one.");
	}
	return exchange->violations.count > 0 ? E_INVALID : OK;
}

static enum result read_payload(struct payload *payload)
{
	struct exchange *exchange = payload->exchange;
	struct json_object *root;
	int64_t max_bytes = exchange->config->max_body_bytes < WIRE_ALERTS_MAX_BYTES
				    ? exchange->config->max_body_bytes
				    : WIRE_ALERTS_MAX_BYTES;
	enum result result = body_read_items(&exchange->request, exchange->gateway,
					     &payload->visitor, max_bytes, &root, &exchange->error);
	bool is_keyed = idempotency_is_asked(exchange);
	if (result == OK && is_keyed)
		result = add_digest(payload, root);
	if (result == OK && is_keyed)
		idempotency_add_body(exchange, payload->digest, strlen(payload->digest));
	if (result == OK)
		result = check_payload(payload, root);
	json_free(root);
	return result;
}

/* Whether keys[at] matches the same monitor as a key before it. */
static bool is_repeated(const struct alert *alert, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (alert->keys[i]->monitor_id == alert->keys[at]->monitor_id)
			return true;
	return false;
}

static void add_observation(struct payload *payload, size_t at, int64_t monitor_id)
{
	struct exchange *exchange = payload->exchange;
	const struct alert *alert = &payload->alerts[at];
	payload->observations.rows[payload->observations.count++] = (struct alert_observation){
		.alert = at,
		.source = arena_printf(&exchange->arena, "am:%s:%lld:%lld", alert->fingerprint,
				       (long long)alert->started_at.s, (long long)monitor_id),
		.observation = {
			.account_id = exchange->service.principal.account_id,
			.monitor_id = monitor_id,
			.title = alert->title,
			.cause = alert->cause,
			.at = alert->started_at,
			.ended_at = alert->ended_at,
			.has_impact = alert->has_impact,
			.impact = alert->impact,
		},
	};
}

static bool has_room(struct payload *payload, size_t observation_count)
{
	size_t bytes = (payload->count + observation_count) * ROW_WEIGHT;
	return bytes <= WIRE_SMALL_BYTES || arena_expect(&payload->exchange->arena, bytes);
}

/* Makes an observation for each alert and each monitor that the alert matches. */
static enum result make_observations(struct payload *payload)
{
	size_t count = 0;
	for (size_t i = 0; i < payload->count; i++)
		for (size_t k = 0; k < payload->alerts[i].key_count; k++)
			count += payload->alerts[i].keys[k]->monitor_id > 0;
	if (count > OBSERVATIONS_MAX) {
		violations_add(&payload->exchange->violations, "alerts",
			       "The alerts field must match at most %d monitors.",
			       OBSERVATIONS_MAX);
		return E_INVALID;
	}
	if (!has_room(payload, count))
		return E_BUSY;
	payload->observations = (struct alert_observations){
		.account_id = payload->exchange->service.principal.account_id,
		.alert_count = payload->count,
		.arena = &payload->scratch,
		.group = payload->is_group ? &payload->group : NULL,
		.rows = ARENA_ARRAY(&payload->exchange->arena, count, struct alert_observation),
	};
	for (size_t i = 0; i < payload->count; i++) {
		const struct alert *alert = &payload->alerts[i];
		for (size_t k = 0; k < alert->key_count; k++)
			if (alert->keys[k]->monitor_id > 0 && !is_repeated(alert, k))
				add_observation(payload, i, alert->keys[k]->monitor_id);
	}
	return OK;
}

/* Prints the result of an alert. `observed` is NULL if the alert matches no monitor. */
static void print_result(struct buf *out, size_t alert, const struct alert_observation *observed)
{
	struct json_object *tree;
	if (observed && !observed->is_gone) {
		tree = hooks_outcome(&observed->observed);
	} else {
		tree = json_object_tree();
		json_put_null(tree, "monitor_id");
		json_put_text(tree, "outcome", "unknown");
		json_put_null(tree, "incident_id");
	}
	json_put_int(tree, "alert", (int64_t)alert);
	if (out->len > 1)
		buf_putc(out, ',');
	json_print(out, tree);
	json_free(tree);
}

static void render_results(struct exchange *exchange, const void *outcome)
{
	const struct alert_observations *observations = outcome;
	const struct alert_observation *rows = observations->rows;
	struct json_object *data = json_object_tree();
	struct buf results CLEANUP(buf_done) = BUF_INIT(WIRE_RESPONSE_MAX_BYTES / 2);
	size_t at = 0;
	buf_putc(&results, '[');
	for (size_t i = 0; i < observations->alert_count; i++) {
		if (at == observations->count || rows[at].alert != i)
			print_result(&results, i, NULL);
		for (; at < observations->count && rows[at].alert == i; at++)
			print_result(&results, i, &rows[at]);
	}
	buf_putc(&results, ']');
	json_put_printed(data, "results", &results);
	exchange_respond(exchange, 200, data);
}

/* Logs the alerts that match no monitor, because Alertmanager ignores the response. */
static void warn_of_unknown(const struct payload *payload)
{
	size_t count = 0;
	for (size_t i = 0; i < payload->count; i++) {
		const struct alert *alert = &payload->alerts[i];
		bool is_known = false;
		for (size_t k = 0; k < alert->key_count; k++)
			is_known |= alert->keys[k]->monitor_id > 0;
		if (!is_known && count++ < ALERT_WARNINGS_MAX)
			alert_keys_warn(payload->exchange, alert->keys, alert->key_count);
	}
	if (count > ALERT_WARNINGS_MAX)
		log_warn("alert", "%zu more alerts of the payload match no monitor",
			 count - ALERT_WARNINGS_MAX);
}

enum result hooks_alertmanager(struct exchange *exchange)
{
	struct payload payload = {
		.visitor = { "alerts", ALERT_WEIGHT, LABEL_WEIGHT, begin_alerts, read_alert },
		.exchange = exchange,
		.keys = { .arena = &exchange->arena },
		.digest = "",
	};
	struct alerts_query query = { 0 };
	enum result result = exchange_query(exchange, &query);
	if (result != OK)
		return result;
	payload.is_group = query.group_as_one;
	arena_init(&payload.scratch, WIRE_ARENA_MAX_BYTES);
	result = read_payload(&payload);
	/* Find the monitors before the transaction: it must lock them before it reads. */
	if (result == OK)
		result = alert_keys_match(&payload.keys, exchange);
	if (result == OK)
		result = make_observations(&payload);
	if (result == OK)
		result = service_observe_alerts(exchange_service(exchange, NULL, render_results),
						&payload.observations);
	if (result == OK)
		warn_of_unknown(&payload);
	arena_done(&payload.scratch);
	return result;
}
