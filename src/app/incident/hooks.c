#include "app/incident/hooks.h"

#include "app/incident/alert_keys.h"
#include "app/input.h"
#include "app/operation.h"
#include "app/respond.h"
#include "service/incident/observations.h"
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
		.max_chars = 255, .text = "The monitor's id, or its label (NAME=VALUE)."),
	GENERIC(state, .flags = FIELD_REQUIRED, .choices = state_choices,
		.text = "The state that monitoring has observed."),
	GENERIC(title, .max_chars = INCIDENT_TITLE_MAX_CHARS,
		.text = "The public title of the incident."),
	GENERIC(cause, .max_chars = INCIDENT_CAUSE_MAX_CHARS,
		.text = "Shown only on pages with show_causes."),
	GENERIC(at, .text = "When the state began. A report without a time counts as new and "
			    "always applies. A time up to 5 minutes in the future counts as now; "
			    "a later time is 422."),
};
const struct fields hooks_generic_fields = { generic_rows, ARRAY_LEN(generic_rows) };

struct json_object *hooks_outcome(const struct observed *observed)
{
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "monitor_id", observed->monitor_id);
	json_put_text(tree, "outcome", observation_outcome_word(observed->outcome));
	json_put_int_or_null(tree, "incident_id", observed->incident_id > 0, observed->incident_id);
	return tree;
}

static enum result find_monitor(struct exchange *exchange, const char *name, int64_t *monitor_id)
{
	struct alert_keys keys = { .arena = &exchange->arena };
	struct alert_key *key = alert_keys_add(&keys, name);
	enum result result = alert_keys_match(&keys, exchange);
	*monitor_id = key ? key->monitor_id : 0;
	return result;
}

static void render_outcome(struct exchange *exchange, const void *outcome)
{
	exchange_respond(exchange, 200, hooks_outcome(outcome));
}

/* Reads the input. If it has violations, also checks `at` against this machine's clock, to report
 * all violations at once. Otherwise the transaction checks `at` against the database's clock. */
static enum result read_input(struct exchange *exchange, struct generic_input *input)
{
	struct field_set sent;
	enum result result = exchange_body(exchange, input, &sent);
	if (result != OK || exchange->violations.count == 0)
		return result;
	if (input->at.s > exchange->now.s + OBSERVATION_SKEW_S)
		violations_add(&exchange->violations, "at",
			       "The at field must not be in the future.");
	return E_INVALID;
}

enum result hooks_generic(struct exchange *exchange)
{
	struct generic_input input = { 0 };
	struct observed observed;
	enum result result = read_input(exchange, &input);
	if (result != OK)
		return result;
	struct observation observation = {
		.account_id = exchange->service.principal.account_id,
		.title = input.title,
		.cause = input.cause ? input.cause : "Down",
		.at = input.at,
		.is_now = input.at.s == 0,
	};
	/* Find the monitor before the transaction: it must lock the monitor before it reads. */
	result = find_monitor(exchange, input.monitor, &observation.monitor_id);
	if (result != OK)
		return result;
	return service_observe(exchange_service(exchange, NULL, render_outcome),
			       input.state == 1 ? OBSERVED_DOWN : OBSERVED_UP, &observation,
			       &observed);
}
