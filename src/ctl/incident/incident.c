/* daymarkctl incident open|resolve|list|show|recount */
#include "store/incident/incident.h"

#include <string.h>

#include "base/printable.h"
#include "ctl/incident/incident_input.h"
#include "service/incident/incidents.h"
#include "service/incident/observations.h"
#include "store/event.h"
#include "store/monitor/monitor.h"
#include "wire/json.h"

/* Reads the time from the option (--started-at or --at). If the option is missing, uses the present
 * time. Returns false if the time is invalid or in the future. */
static bool read_time(struct ctl *ctl, const char *option, struct instant *at)
{
	const char *text = ctl_option(ctl, option);
	*at = clock_now();
	return !text || (instant_parse(str_from(text), at) && at->s <= clock_now().s);
}

static int open_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct observation observation = { 0 };
	struct observed observed;
	struct monitor monitor;
	int64_t monitor_id;
	const char *id = ctl_option(ctl, "monitor"), *cause = ctl_option(ctl, "cause");
	if (!id)
		return ctl_usage(ctl, "--monitor is required");
	if (!cause)
		return ctl_usage(ctl, "--cause is required");
	if (!ctl_id(id, &monitor_id))
		return ctl_usage(
			ctl,
			"--monitor must be the id of a monitor; see `daymarkctl monitor list`");
	observation.cause = ctl_text(ctl, cause, INCIDENT_CAUSE_MAX_CHARS);
	if (!observation.cause)
		return ctl_usage(ctl, "--cause must have 1 to 1,000 characters");
	const char *title = ctl_option(ctl, "title");
	observation.title = title ? ctl_text(ctl, title, INCIDENT_TITLE_MAX_CHARS) : NULL;
	if (title && !observation.title)
		return ctl_usage(ctl, "--title must have 1 to 255 characters");
	if (!read_time(ctl, "started-at", &observation.at))
		return ctl_usage(ctl, "--started-at must be a time such as 2026-11-20T19:58:30Z "
				      "that is not in the future");
	enum result result = ctl_find(ctl, &resource_monitors, monitor_id, &monitor);
	if (result != OK)
		return ctl_fail_find(ctl, result, "monitor", id);
	observation.account_id = monitor.account_id;
	observation.monitor_id = monitor_id;
	result = service_open_incident(&service, &observation, &observed);
	if (result != OK)
		return ctl_fail(ctl, result, "the incident cannot be opened");
	bool is_new = observed.outcome == OBSERVATION_OPENED;
	int status = ctl_published(ctl, &service);
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "id", observed.incident_id);
	json_put_bool(tree, "is_new", is_new);
	if (is_new)
		ctl_say(ctl, tree, "Opened incident %lld for monitor %s.",
			(long long)observed.incident_id, monitor.name);
	else
		ctl_say(ctl, tree, "Monitor %s already has the open incident %lld.", monitor.name,
			(long long)observed.incident_id);
	return CTL_OK;
}

const struct ctl_command incident_open_command = {
	.words = "incident open",
	.summary = "Open an incident, unless the monitor has an open one",
	.run = open_run,
	.options = {
		{ "monitor", "ID", "the monitor" },
		{ "title", "TEXT", "the public title; default: \"NAME is down\"" },
		{ "cause", "TEXT", "the cause, one line; "
				   "public only on pages with show_causes" },
		{ "started-at", "TIME", "the start, UTC; default: now" },
	},
};

/* Reports that the monitor has no open incident, or does not exist. */
static int fail_without_incident(struct ctl *ctl, int64_t monitor_id, const char *what)
{
	struct monitor monitor;
	enum result result = ctl_find(ctl, &resource_monitors, monitor_id, &monitor);
	return result == OK ? ctl_fail(ctl, E_NOT_FOUND, "monitor %s has no open incident", what)
			    : ctl_fail_find(ctl, result, "monitor", what);
}

/* Reads an incident with its updates. */
static enum result read_incident(struct ctl *ctl, int64_t id, struct incident_resource *incident)
{
	struct service service = ctl_service(ctl);
	enum result result = ctl_find(ctl, &resource_incidents, id, incident);
	return result == OK ? resource_complete(&service, &resource_incidents, incident) : result;
}

static int resolve_run(struct ctl *ctl)
{
	struct service service = ctl_service(ctl);
	struct incident_resolution resolution = { 0 };
	struct incident_resource incident;
	const char *what = ctl->arguments[0];
	bool is_monitor = ctl_option(ctl, "monitor") != NULL, is_new;
	if (!ctl_id(what, is_monitor ? &resolution.monitor_id : &resolution.incident_id))
		return ctl_usage(ctl, "ID must be the id of an incident, or of a monitor with "
				      "--monitor");
	if (!read_time(ctl, "at", &resolution.at))
		return ctl_usage(ctl, "--at must be a time such as 2026-11-20T19:58:30Z that is "
				      "not in the future");
	enum result result =
		service_resolve_incident(&service, &resolution, &incident.row, &is_new);
	if (result == E_NOT_FOUND && is_monitor)
		return fail_without_incident(ctl, resolution.monitor_id, what);
	if (result != OK)
		return ctl_fail_find(ctl, result, is_monitor ? "monitor" : "incident", what);
	int status = ctl_published(ctl, &service);
	if (status != CTL_OK)
		return status;
	result = read_incident(ctl, incident.row.id, &incident);
	if (result != OK)
		return ctl_fail(ctl, result, "the incident cannot be read");
	struct json_object *tree = incident_tree(ctl, &incident, true);
	json_put_bool(tree, "is_new", is_new);
	ctl_say(ctl, tree,
		is_new ? "Resolved incident %lld." : "Incident %lld was already resolved.",
		(long long)incident.row.id);
	return CTL_OK;
}

const struct ctl_command incident_resolve_command = {
	.words = "incident resolve",
	.arguments = "ID",
	.summary = "Resolve an incident",
	.run = resolve_run,
	.options = {
		{ "monitor", NULL, "ID is a monitor's: resolve its open incident" },
		{ "at", "TIME", "the end, UTC; default: now" },
	},
};

/* Reads the value of --status. Returns false if it is no status. */
static bool read_status(const char *text, int *status)
{
	int place = text ? str_place(incident_status_words, str_from(text)) : -1;
	*status = place >= 0 ? place : INCIDENT_ANY_STATUS;
	return !text || place >= 0;
}

/* Returns the name of the incident's first monitor, and the number of its other monitors. */
static const char *monitors_text(struct ctl *ctl, const struct incident *incident)
{
	const char *name = incident->monitor_name ? incident->monitor_name : "-";
	size_t others = incident->monitor_count > 1 ? incident->monitor_count - 1 : 0;
	return others > 0 ? arena_printf(&ctl->arena, "%s and %zu more", name, others) : name;
}

/* Returns the incident's cause or, without a cause, its title. Incidents that people report have no
 * cause. */
static const char *text_of(const struct incident *incident)
{
	const char *text = incident->cause ? incident->cause : incident->title;
	return text ? text : "-";
}

static void print_list(struct ctl *ctl, const struct resource_rows *list)
{
	static const char *const head[] = { "ID",      "KIND",	"STATUS",	 "MONITOR",
					    "STARTED", "ENDED", "TITLE OR CAUSE" };
	struct ctl_table table = { .arena = &ctl->arena, .columns = ARRAY_LEN(head) };
	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		ctl_table_cell(&table, "%s", head[i]);
	for (size_t i = 0; i < list->count; i++) {
		const struct incident *incident =
			&((const struct incident_resource *)list->rows)[i].row;
		ctl_table_cell(&table, "%lld", (long long)incident->id);
		ctl_table_cell(&table, "%s", incident_kind_words[incident->kind]);
		ctl_table_cell(&table, "%s", incident_status_words[incident_status(incident)]);
		ctl_table_cell(&table, "%s", monitors_text(ctl, incident));
		ctl_table_cell(&table, "%s", ctl_time(&ctl->arena, incident->started_at));
		ctl_table_cell(&table, "%s", ctl_time(&ctl->arena, incident->ended_at));
		ctl_table_cell(&table, "%s", text_of(incident));
	}
	ctl_table_print(&table);
	if (list->total > (int64_t)list->count)
		fprintf(stderr, "%zu of %s; use --limit for more\n", list->count,
			ctl_count(&ctl->arena, list->total, "incident"));
}

static int list_run(struct ctl *ctl)
{
	int64_t account_id;
	struct service service = ctl_service(ctl);
	struct incident_query query =
		*(const struct incident_query *)resource_incidents.query_defaults;
	struct resource_rows list;
	const char *monitor = ctl_option(ctl, "monitor"), *limit = ctl_option(ctl, "limit");
	if (!read_status(ctl_option(ctl, "status"), &query.status))
		return ctl_usage(ctl, "--status must be unresolved, acknowledged or resolved");
	if (monitor && !ctl_id(monitor, &query.monitor_id))
		return ctl_usage(ctl, "--monitor must be the id of a monitor; see "
				      "`daymarkctl monitor list`");
	if (limit && (!ctl_id(limit, &query.list.limit) || query.list.limit > 100))
		return ctl_usage(ctl, "--limit must be a number from 1 to 100");
	int status = ctl_account(ctl, &account_id);
	if (status != CTL_OK)
		return status;
	query.list.account_id = account_id;
	query.list.page = 1;
	if (!limit)
		query.list.limit = 25;
	enum result result = resource_list(&service, &resource_incidents, 0, &query, &list);
	if (result != OK)
		return ctl_fail(ctl, result, "the incidents cannot be read");
	if (!ctl->is_json) {
		print_list(ctl, &list);
		return CTL_OK;
	}
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < list.count; i++)
		json_append(array,
			    incident_tree(ctl, (struct incident_resource *)list.rows + i, false));
	ctl_print_json(array);
	return CTL_OK;
}

const struct ctl_command incident_list_command = {
	.words = "incident list",
	.summary = "List incidents, open incidents first",
	.run = list_run,
	.options = {
		{ "account", "ACCOUNT", "the account, by id or name; "
				       "needed if there are several" },
		{ "monitor", "ID", "only this monitor's" },
		{ "status", "STATUS", "only this status: unresolved, acknowledged or resolved" },
		{ "limit", "N", "at most N incidents, 1 to 100; default: 25" },
	},
};

static const char *actor_text(struct ctl *ctl, const struct event *event)
{
	return principal_text(event->actor_type, event->actor_id, event->actor_label, &ctl->arena);
}

static void print_incident(struct ctl *ctl, const struct incident_resource *resource)
{
	const struct incident *incident = &resource->row;
	ctl_line(stdout, "Incident %lld: %s", (long long)incident->id, text_of(incident));
	if (incident->title && incident->cause)
		ctl_line(stdout, "Title:    %s", incident->title);
	ctl_line(stdout, "Kind:     %s", incident_kind_words[incident->kind]);
	ctl_line(stdout, "Monitor:  %s", monitors_text(ctl, incident));
	ctl_line(stdout, "Status:   %s", incident_status_words[incident_status(incident)]);
	ctl_line(stdout, "Phase:    %s", incident_phase_words[incident->phase]);
	ctl_line(stdout, "Impact:   %s%s", incident_impact_words[incident_show_impacts(incident)],
		 incident->exclude_from_uptime ? ", does not count against uptime" : "");
	ctl_line(stdout, "Started:  %s", ctl_time(&ctl->arena, incident->started_at));
	ctl_line(stdout, "Ended:    %s", ctl_time(&ctl->arena, incident->ended_at));
	if (incident->next_update_at.s > 0)
		ctl_line(stdout, "Promised: %s", ctl_time(&ctl->arena, incident->next_update_at));
	for (size_t i = 0; i < resource->updates.count; i++) {
		const struct posted_update *update = &resource->updates.rows[i];
		putchar('\n');
		ctl_line(stdout, "Update %lld, %s, %s%s", (long long)update->id,
			 incident_phase_words[update->phase], ctl_time(&ctl->arena, update->at),
			 update->edited_at.s > 0 ? ", edited" : "");
		printable_write_lines(stdout, str_from(update->body));
		putchar('\n');
	}
}

static void print_history(struct ctl *ctl, const struct event_list *events)
{
	struct ctl_table table = { .arena = &ctl->arena, .columns = 4 };
	putchar('\n');
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->rows[i];
		ctl_table_cell(&table, "%s", ctl_time(&ctl->arena, event->at));
		ctl_table_cell(&table, "%s", event_action(event->kind));
		ctl_table_cell(&table, "%s", actor_text(ctl, event));
		ctl_table_cell(&table, "%s", event->detail ? event->detail : "");
	}
	ctl_table_print(&table);
}

static struct json_object *history_json(struct ctl *ctl, const struct event_list *events)
{
	struct json_object *array = json_array_tree();
	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->rows[i];
		struct json_object *tree = json_object_tree();
		json_put_time(tree, "at", event->at);
		json_put_text(tree, "action", event_action(event->kind));
		json_put_text(tree, "actor", actor_text(ctl, event));
		json_put_text(tree, "detail", event->detail);
		json_append(array, tree);
	}
	return array;
}

static int show_run(struct ctl *ctl)
{
	int64_t id;
	struct incident_resource incident;
	struct service service = ctl_service(ctl);
	struct event_list events = { 0 };
	if (ctl_read_id(ctl, "an incident", &id) != CTL_OK)
		return CTL_USAGE;
	const struct event_query history = { .object = "incident",
					     .object_id = id,
					     .is_oldest_first = true,
					     .limit = EVENT_LIST_MAX };
	enum result found = read_incident(ctl, id, &incident);
	enum result result = found == E_NOT_FOUND ? OK : found;
	if (result == OK)
		result = resource_read_events(&service, &history, &events);
	if (result == OK && found == E_NOT_FOUND && events.count == 0)
		result = E_NOT_FOUND;
	if (result != OK)
		return ctl_fail_find(ctl, result, "incident", ctl->arguments[0]);
	if (!ctl->is_json) {
		if (found == OK)
			print_incident(ctl, &incident);
		else
			ctl_line(stdout, "Incident %lld is deleted.", (long long)id);
		print_history(ctl, &events);
		return CTL_OK;
	}
	struct json_object *tree = found == OK ? incident_tree(ctl, &incident, true)
					       : json_object_tree();
	json_put_bool(tree, "is_deleted", found != OK);
	json_put(tree, "history", history_json(ctl, &events));
	ctl_print_json(tree);
	return CTL_OK;
}

const struct ctl_command incident_show_command = {
	.words = "incident show",
	.arguments = "ID",
	.summary = "Show an incident and its history, also after deletion",
	.run = show_run,
};

static enum result rebuild_work(struct db *db, void *context, struct error *error)
{
	(void)context;
	enum result result = incident_counts_rebuild(db, error);
	return result == OK ? event_counts_reset(db, error) : result;
}

static int recount_run(struct ctl *ctl)
{
	static enum result (*const checks[])(struct db *, int64_t *,
					     struct error *) = { incident_counts_check,
								 event_counts_check };
	int64_t wrong = 0, found = 0;
	bool is_check = ctl_option(ctl, "check") != NULL;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(checks); i++) {
		result = checks[i](ctl->db, &found, &ctl->error);
		wrong += found;
	}
	if (result == OK && wrong > 0 && !is_check)
		result = db_transact(ctl->db, DB_WRITE, rebuild_work, NULL, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the counts cannot be verified");
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "wrong", wrong);
	json_put_bool(tree, "rebuilt", wrong > 0 && !is_check);
	ctl_say(ctl, tree,
		wrong > 0 && !is_check ? "Wrong counts: %lld. All counts are rebuilt."
				       : "Wrong counts: %lld.",
		(long long)wrong);
	return wrong > 0 && is_check ? CTL_PENDING : CTL_OK;
}

const struct ctl_command incident_recount_command = {
	.words = "incident recount",
	.summary = "Verify the stored counts of incidents and events, and rebuild wrong ones",
	.is_patient = true,
	.run = recount_run,
	.options = { { "check", NULL, "only verify; exit status 6 if a count is wrong" } },
};
