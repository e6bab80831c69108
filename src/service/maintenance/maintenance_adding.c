/* Adds a maintenance window. */
#include "service/maintenance/maintenance_changes.h"

struct adding {
	int64_t account_id;
	const struct maintenance_input *input;
	struct field_set sent;
	struct maintenance_shown *shown;
};

/* Stores the occurrences of a new window, and adds an event for an occurrence that is in
 * progress. */
static enum result add_occurrences(struct service *service, struct maintenance *maintenance,
				   const struct maintenance_times *times)
{
	struct maintenance_plan plan =
		maintenance_plan(maintenance, NULL, 0, times, service->arena);
	maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_SCHEDULED,
			      maintenance->title);
	for (size_t i = 0; i < plan.count; i++) {
		enum event_kind kinds[MAINTENANCE_CLOCK_EVENTS];
		size_t count = maintenance_by_clock(&plan.rows[i], service->now, kinds);
		/* A window that is already over causes no event. */
		if (count > 0 && plan.rows[i].status == MAINTENANCE_IN_PROGRESS)
			maintenance_add_event(service, maintenance, EVENT_MAINTENANCE_STARTED,
					      maintenance->title);
	}
	return maintenance_occurrences_put(service->db, maintenance->id, plan.rows, plan.count,
					   service->arena, service->error);
}

/* Finds the times of the occurrences of a new window. Sets the end of a recurring window, or the
 * only occurrence of a single window. */
static enum result find_times(struct service *service, struct maintenance *maintenance,
			      struct maintenance_times *times)
{
	/* Include an occurrence that has begun in the past and is still in progress. */
	const struct instant from = { service->now.s - maintenance->duration + 1 };
	enum result result = maintenance_find_times(service, maintenance, from, times);
	if (result != OK)
		return result;
	if (times->starts.count == 0) {
		violations_add(service->violations, "rrule",
			       "The rrule field must have an occurrence in the next 400 days.");
		return E_INVALID;
	}
	if (maintenance->rrule) {
		maintenance_set_over(maintenance, times);
		return OK;
	}
	maintenance->current = (struct maintenance_occurrence){
		.starts_at = maintenance->first_at,
		.ends_at = maintenance->ends_at,
		.is_auto = maintenance->auto_transition,
	};
	maintenance_follow_current(maintenance, service->arena);
	return OK;
}

static enum result settle_new(struct service *service, const struct adding *adding,
			      struct maintenance *maintenance)
{
	const struct maintenance_change change = { adding->sent, service->now, service->arena,
						   service->violations };
	*maintenance = (struct maintenance){ .account_id = adding->account_id,
					     .created_at = service->now,
					     .updated_at = service->now };
	maintenance_merge(maintenance, adding->input, FIELD_SET_ALL);
	if (adding->input->status)
		violations_add(service->violations, "status",
			       "The status field cannot be set on create.");
	return maintenance_settle(maintenance, &change);
}

/* Whether none of the fields that set the window's times has a violation. */
static bool is_timed(const struct violations *violations)
{
	static const char *const fields[] = { "starts_at", "ends_at", "duration", "time_zone",
					      "rrule" };
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (violations_has(violations, fields[i]))
			return false;
	return true;
}

static enum result add_window(struct service *service, const struct adding *adding)
{
	struct maintenance *maintenance = &adding->shown->maintenance;
	struct maintenance_times times;
	enum result result = settle_new(service, adding, maintenance);
	/* After E_INVALID go on, so that the client gets all violations at once. */
	if (result == OK || (result == E_INVALID && is_timed(service->violations)))
		result = find_times(service, maintenance, &times);
	if (result == OK || result == E_INVALID)
		result = maintenance_check_monitors(service, adding->account_id,
						    &maintenance->monitor_ids);
	if (result == OK && service->violations->count > 0)
		result = E_INVALID;
	if (result != OK)
		return result;
	result = maintenance_add(service->db, maintenance, service->config->most_maintenances,
				 service->error);
	if (result == E_QUOTA_EXCEEDED)
		violations_add(service->violations, "maintenances", "%s", service->error->client);
	if (result == OK)
		result = maintenance_put_monitors(service->db, maintenance, true, service->arena,
						  service->error);
	if (result == OK)
		result = add_occurrences(service, maintenance, &times);
	return result == OK ? maintenance_mark(service, maintenance, maintenance_always) : result;
}

enum result maintenance_change_add(struct service *service, int64_t account_id,
				   const struct maintenance_input *input, struct field_set sent)
{
	struct maintenance_shown shown;
	const struct adding adding = { account_id, input, sent, &shown };
	return add_window(service, &adding);
}

static enum result add_work(struct service *service, void *context)
{
	const struct adding *adding = context;
	enum result result = add_window(service, adding);
	return result == OK ? maintenance_read(service, adding->account_id,
					       adding->shown->maintenance.id, adding->shown)
			    : result;
}

enum result service_add_maintenance(struct service *service, int64_t account_id,
				    const struct maintenance_input *input, struct field_set sent,
				    struct maintenance_shown *shown)
{
	struct maintenance_input checked = *input;
	struct adding adding = { account_id, &checked, sent, shown };
	maintenance_check(&checked, maintenance_create_fields, sent, service->arena,
			  service->violations);
	enum result result = service_admit(service, NULL);
	return result == OK
		       ? service_transact(service, PERMISSION_RESPOND, add_work, &adding, shown)
		       : result;
}
