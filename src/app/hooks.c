#include "app/hooks.h"

#include "app/alert_keys.h"
#include "app/operation.h"
#include "app/respond.h"
#include "domain/report_time.h"
#include "store/report.h"
#include "store/usage.h"
#include "wire/json.h"

struct generic_input {
	const char *monitor;
	int state;
	const char *title;
	const char *cause;
	struct instant at;
};

static const char *const state_choices[] = { "up", "down", NULL };

#define GENERIC(member, ...) FIELD(struct generic_input, member, __VA_ARGS__)
static const struct field generic_rows[] = {
	GENERIC(monitor, .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_NUMBER_TOO,
		.max_chars = 255),
	GENERIC(state, .flags = FIELD_REQUIRED, .choices = state_choices),
	GENERIC(title, .max_chars = INCIDENT_TITLE_MAX_CHARS),
	GENERIC(cause, .max_chars = INCIDENT_CAUSE_MAX_CHARS),
	GENERIC(at),
};
const struct fields hooks_generic_fields = { generic_rows, ARRAY_LEN(generic_rows) };

struct generic_report {
	struct generic_input input;
	struct report report;
	struct reported reported;
};

enum result hooks_count_additions(struct exchange *exchange, int64_t count)
{
	return usage_count_incidents(exchange->db, exchange->key.account_id, count,
				     exchange->config->most_incidents_per_day, &exchange->error);
}

struct json_object *hooks_outcome(const struct reported *reported, int64_t monitor_id)
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

static bool is_to_come(const struct exchange *exchange, struct instant at)
{
	return at.s > exchange->now.s + REPORT_SKEW_S;
}

static void add_violation_of_time(struct exchange *exchange)
{
	violations_add(&exchange->violations, "at", "The at field must not be in the future.");
}

static enum result generic_transaction(struct exchange *exchange, void *context)
{
	struct generic_report *generic = context;
	struct incident_actor actor = { exchange_actor(exchange), exchange->now };
	if (generic->report.monitor_id == 0) {
		if (!violations_has(&exchange->violations, "monitor"))
			violations_add(&exchange->violations, "monitor",
				       "The selected monitor is invalid.");
		if (is_to_come(exchange, generic->input.at) &&
		    !violations_has(&exchange->violations, "at"))
			add_violation_of_time(exchange);
		return E_INVALID;
	}
	bool is_down = generic->input.state == 1;
	enum result result = (is_down ? report_down : report_up)(
		exchange->db, &generic->report, &actor, &exchange->arena, &generic->reported,
		&exchange->error);
	if (result == E_INVALID && !violations_has(&exchange->violations, "at"))
		add_violation_of_time(exchange);
	if (result == OK)
		result = hooks_count_additions(exchange,
					       report_is_addition(generic->reported.outcome));
	if (result == OK)
		exchange_respond(exchange, 200,
				 hooks_outcome(&generic->reported, generic->report.monitor_id));
	return result;
}

static enum result find_monitor(struct exchange *exchange, struct generic_report *generic)
{
	struct alert_keys keys = { .arena = &exchange->arena };
	struct alert_key *key = alert_keys_add(&keys, generic->input.monitor);
	enum result result = alert_keys_match(&keys, exchange);
	generic->report.monitor_id = key ? key->monitor_id : 0;
	return result;
}

enum result hooks_generic(struct exchange *exchange)
{
	struct generic_report generic = { 0 };
	uint64_t sent;
	enum result result = exchange_body(exchange, &generic.input, &sent);
	if (result != OK)
		return result;
	/* The time is judged by the database's clock, unless there are other violations to name. */
	if (exchange->violations.count > 0 && is_to_come(exchange, generic.input.at))
		add_violation_of_time(exchange);
	if (exchange->violations.count > 0)
		return E_INVALID;
	generic.report = (struct report){
		.account_id = exchange->key.account_id,
		.title = generic.input.title,
		.cause = generic.input.cause ? generic.input.cause : "Down",
		.at = generic.input.at,
		.is_now = generic.input.at.s == 0,
	};
	/* Before the transaction, whose first read must come after the monitor's lock. */
	result = find_monitor(exchange, &generic);
	if (result == OK)
		result = exchange_transact(exchange, generic_transaction, &generic);
	if (result != OK)
		return result;
	/* Even if unchanged: the worker that stored this report may have died before publishing. */
	exchange_publish_monitor(exchange, generic.report.monitor_id);
	return OK;
}
