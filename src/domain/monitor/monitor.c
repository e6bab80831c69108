#include "domain/monitor/monitor.h"

#include <string.h>

#include "domain/maintenance/maintenance.h"

const char *const monitor_state_words[] = { "up",	   "confirming", "down",
					    "pending",	   "no_data",	 "paused",
					    "maintenance", "retired",	 NULL };

/* clang-format off */
static const struct field create_rows[] = {
	MONITOR_FIELDS(FIELD_OF_FORM, struct monitor_input, FIELD_REQUIRED)
};
static const struct field update_rows[] = {
	MONITOR_FIELDS(FIELD_OF_FORM, struct monitor_input, 0)
};
static const struct field resource_rows[] = {
	MONITOR_FIELDS(FIELD_OF_RESOURCE, struct monitor, 0)
};
static const struct field member_rows[] = { MONITOR_FIELDS(FIELD_OF_MEMBERS, struct monitor, 0) };
/* clang-format on */

_Static_assert(ARRAY_LEN(update_rows) <= FIELD_SET_MAX, "a set has a place for each field");

const struct fields monitor_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields monitor_update_fields = { update_rows, ARRAY_LEN(update_rows) };
const struct fields monitor_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields monitor_fields = { member_rows, ARRAY_LEN(member_rows) };

static bool is_label(const char *text)
{
	const char *equals = strchr(text, '=');
	return equals && equals != text && equals[1] != '\0';
}

/* Checks the maintenance window in maintenance_start_at and maintenance_end_at. */
static void check_window(const struct monitor_input *input, struct field_set sent,
			 struct instant now, struct violations *violations)
{
	static const char start[] = "maintenance_start_at", end[] = "maintenance_end_at";
	const struct instant from = input->maintenance_start_at, to = input->maintenance_end_at;
	bool has_start = field_set_has(sent, MONITOR_FIELD_maintenance_start_at) && from.s > 0;
	bool has_end = field_set_has(sent, MONITOR_FIELD_maintenance_end_at) && to.s > 0;
	if (violations_has(violations, start) || violations_has(violations, end))
		return;
	if (has_start && !has_end)
		violations_add(violations, end, "The maintenance end at field is required with %s.",
			       start);
	if (has_end && !has_start)
		violations_add(violations, start,
			       "The maintenance start at field is required with %s.", end);
	if (!has_start || !has_end)
		return;
	if (from.s < now.s - MAINTENANCE_PAST_MAX_S || from.s > now.s + MAINTENANCE_AHEAD_MAX_S)
		violations_add(
			violations, start,
			"The maintenance start at field must be at most 366 days ago, and at "
			"most five years ahead.");
	if (to.s <= from.s || to.s - from.s > MAINTENANCE_LENGTH_MAX_S)
		violations_add(violations, end,
			       "The maintenance end at field must be after %s, and at most 366 "
			       "days later.",
			       start);
}

void monitor_check(struct monitor_input *input, struct fields form, struct field_set sent,
		   struct instant now, struct arena *arena, struct violations *violations)
{
	fields_check_texts(form, input, sent, arena, violations);
	if (input->label && !violations_has(violations, "label") && !is_label(input->label))
		violations_add(violations, "label",
			       "The label field must be NAME=VALUE, or empty to remove it.");
	bool is_placed = input->position >= 0 && input->position <= MONITOR_POSITION_MAX;
	if (!is_placed && !violations_has(violations, "position"))
		violations_add(violations, "position",
			       "The position field must be a number from 0 to %d.",
			       MONITOR_POSITION_MAX);
	if (input->known_since.s > now.s && !violations_has(violations, "known_since"))
		violations_add(violations, "known_since",
			       "The known since field must not be in the future.");
	check_headers_check(&input->request_headers, violations);
	check_window(input, sent, now, violations);
}

void monitor_merge(struct monitor *row, const struct monitor_input *input, struct field_set sent)
{
	MONITOR_FIELDS(FIELD_MERGE, MONITOR_FIELD_, 0)
	if (field_set_has(sent, MONITOR_FIELD_request_auth_password))
		row->sealed_password = input->request_auth_password;
	row->has_request_auth_password = row->sealed_password != NULL;
}

struct monitor monitor_new(int64_t account_id, struct instant now)
{
	struct monitor monitor = { .account_id = account_id, .created_at = now, .updated_at = now };
	fields_set_initial(monitor_fields, &monitor);
	return monitor;
}

bool monitor_has_check_fields(struct field_set sent)
{
	for (size_t i = MONITOR_FIELD_type; i <= MONITOR_FIELD_quorum; i++)
		if (field_set_has(sent, i))
			return true;
	return false;
}

void monitor_check_settings(const struct monitor *monitor, struct violations *violations)
{
#define COPY(of, kind, type, name, ...) FIELD_WHERE(BOTH, kind, settings.name = monitor->name;)
	struct check_settings settings = { .url = monitor->url };
	CHECK_FIELDS(COPY, )
	check_settings_check(&settings, violations);
}

void monitor_forget_moving(struct monitor *row)
{
	MONITOR_FIELDS(FIELD_CLEAR, , 0)
}

static struct instant later_of(struct instant a, struct instant b)
{
	return a.s > b.s ? a : b;
}

/* Returns the state of a monitor without an open incident, a window in progress or a pause. */
static enum monitor_state observed_state_of(const struct monitor *monitor)
{
	const int phase = monitor->type != CHECK_EXTERNAL ? monitor->check_phase : CHECK_UP;
	if (monitor->gap_since.s > 0 || phase == CHECK_NO_DATA)
		return MONITOR_NO_DATA;
	if (phase == CHECK_PENDING)
		return MONITOR_PENDING;
	if (phase == CHECK_CONFIRMING)
		return MONITOR_CONFIRMING;
	return monitor->known_since.s > 0 ? MONITOR_UP : MONITOR_NO_DATA;
}

static enum monitor_state state_of(const struct monitor *monitor)
{
	if (monitor->retired_at.s > 0)
		return MONITOR_RETIRED;
	bool is_down = monitor->open_since.s > 0;
	if (monitor->reported_since.s > 0)
		return MONITOR_DOWN;
	if (monitor->maintenance_since.s > 0 &&
	    (!is_down || monitor->open_since.s >= monitor->maintenance_since.s))
		return MONITOR_MAINTENANCE;
	if (is_down)
		return MONITOR_DOWN;
	if (monitor->is_paused)
		return MONITOR_PAUSED;
	return observed_state_of(monitor);
}

/* Returns the start of the open incident that makes the monitor down. Ignores a detected incident
 * that began in the window in progress, if a reported incident is open. */
static struct instant down_since(const struct monitor *monitor)
{
	struct instant found = monitor->open_since, reported = monitor->reported_since;
	bool is_excused = monitor->maintenance_since.s > 0 &&
			  found.s >= monitor->maintenance_since.s;
	if (reported.s == 0)
		return found;
	return found.s == 0 || is_excused || reported.s < found.s ? reported : found;
}

void monitor_derive_state(struct monitor *monitor)
{
	enum monitor_state state = state_of(monitor);
	struct instant last_ended_at = later_of(monitor->last_ended_at, monitor->reported_until);
	const struct instant none = { 0 };
	bool is_over = monitor->gap_until.s < maintenance_never.s;
	bool is_in_phase = monitor->type != CHECK_EXTERNAL && monitor->check_phase == CHECK_NO_DATA;
	struct instant since[] = {
		[MONITOR_UP] = later_of(later_of(monitor->known_since, last_ended_at),
					is_over ? monitor->gap_until : none),
		[MONITOR_CONFIRMING] = monitor->check_since,
		[MONITOR_DOWN] = down_since(monitor),
		[MONITOR_PENDING] = none,
		[MONITOR_NO_DATA] = monitor->gap_since.s > 0 ? monitor->gap_since
				    : is_in_phase	     ? monitor->check_since
							     : none,
		[MONITOR_PAUSED] = later_of(monitor->paused_at, last_ended_at),
		[MONITOR_MAINTENANCE] = monitor->maintenance_since,
		[MONITOR_RETIRED] = monitor->retired_at,
	};
	monitor->state = monitor_state_words[state];
	monitor->state_since = since[state];
}

void monitor_settle_pause(struct monitor *monitor, struct instant now)
{
	if (!monitor->is_paused)
		monitor->paused_at = (struct instant){ 0 };
	else if (monitor->paused_at.s == 0)
		monitor->paused_at = now;
}
