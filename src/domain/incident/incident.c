#include "domain/incident/incident.h"

#include <string.h>

#include "base/str.h"
#include "domain/incident/incident_report.h"
#include "domain/page/status_page.h"

const char *const incident_status_words[] = { "unresolved", "acknowledged", "resolved", NULL };
const char *const incident_kind_words[] = { "detected", "reported", NULL };
const char *const incident_impact_words[] = { "none", "degraded_performance", "partial_outage",
					      "major_outage", NULL };
const char *const incident_phase_words[] = { "investigating", "identified", "monitoring",
					     "resolved", NULL };
_Static_assert(ARRAY_LEN(incident_phase_words) == INCIDENT_PHASES + 1, "each phase has its word");

#define MONITOR(member, its_name, ...) \
	FIELD_NAMED(struct incident_resource, row.member, its_name, __VA_ARGS__)
static const struct field monitor_rows[] = {
	MONITOR(monitor_id, "id", .text = "The id of the monitor."),
	MONITOR(monitor_name, "name", .text = "The name of the monitor on pages."),
	MONITOR(monitor_url, "url", .text = "The monitor's own address; null: none."),
};
static const struct fields monitor_fields = { monitor_rows, ARRAY_LEN(monitor_rows) };

static const struct field covered_rows[] = {
	FIELD(struct incident_monitor, id, .text = "The id of the monitor."),
	FIELD(struct incident_monitor, name, .flags = FIELD_NOT_EMPTY,
	      .text = "The name of the monitor on pages."),
	FIELD_NAMED(struct incident_monitor, shown_impact, "impact", .flags = FIELD_AS_WORD,
		    .choices = incident_impact_words,
		    .text = "The impact on the monitor since the newest update."),
};
static const struct fields covered_fields = { covered_rows, ARRAY_LEN(covered_rows) };

static const struct field posted_rows[] = {
	FIELD(struct posted_update, id, .text = "The id of the update."),
	FIELD(struct posted_update, phase, .flags = FIELD_AS_WORD, .choices = incident_phase_words,
	      .text = "The phase that the update announces."),
	POSTED_UPDATE_TEXTS,
};
const struct fields posted_update_fields = { posted_rows, ARRAY_LEN(posted_rows) };

/* The fields that clients read, in the order of JSON. A client sets the fields that are marked
 * BOTH, and may send back the other fields unchanged. */
/* clang-format off */
#define INCIDENT_FIELDS(SHOWN, BOTH, PLAIN) \
	SHOWN(id, INCIDENT(id, .min = 1, .max = INT64_MAX)) \
	SHOWN(monitor_id, INCIDENT(monitor_id, .flags = FIELD_ZERO_IS_NULL, \
				   .text = "The first of monitor_ids.")) \
	SHOWN(monitor, { .name = "monitor", .kind = FIELD_OBJECT, .members = &monitor_fields, \
			 .flags = FIELD_ZERO_IS_NULL, .text = "That monitor; null: none.", \
			 .offset = offsetof(struct incident_resource, row.monitor_id) }) \
	SHOWN(cause, INCIDENT(cause, .text = "The text of monitoring; null if people reported " \
					     "the incident.")) \
	BOTH(comment, INCIDENT(comment, .text = "The body of the newest update.")) \
	SHOWN(status, FIELD(struct incident_resource, status, .flags = FIELD_NOT_EMPTY, \
			    .choices = incident_status_words, \
			    .text = "The state of the work, for the team.")) \
	BOTH(started_at, INCIDENT(started_at, .flags = FIELD_NOT_EMPTY, \
				  .text = "When it began.")) \
	BOTH(acknowledged_at, INCIDENT(acknowledged_at, \
				       .text = "When it was acknowledged; null: not yet.")) \
	BOTH(ended_at, INCIDENT(ended_at, .text = "When the incident ended; null: it is open.")) \
	SHOWN(duration, FIELD(struct incident_resource, duration, .max = INT64_MAX, \
			      .text = "Whole seconds; of an open incident until now.")) \
	SHOWN(created_at, INCIDENT(created_at, .flags = FIELD_NOT_EMPTY)) \
	SHOWN(updated_at, INCIDENT(updated_at, .flags = FIELD_NOT_EMPTY)) \
	SHOWN(kind, INCIDENT(kind, .flags = FIELD_AS_WORD, .choices = incident_kind_words, \
			     .text = "detected: by monitoring; reported: by people.")) \
	BOTH(title, INCIDENT(title, .text = "The title on pages; null: pages name the state.")) \
	SHOWN(phase, INCIDENT(phase, .flags = FIELD_AS_WORD, .choices = incident_phase_words, \
			      .text = "The phase of the responders' work.")) \
	BOTH(impact, FIELD(struct incident_resource, impact, \
				 .flags = FIELD_AS_WORD, .choices = incident_impact_words, \
				 .text = "While open, at least as bad as monitoring finds.")) \
	BOTH(monitor_ids, INCIDENT(monitor_ids, .max = INCIDENT_MONITORS_MAX, \
				   .text = "The monitors that it covers, in display order.")) \
	SHOWN(monitors, FIELD_ARRAY(struct incident_resource, row.monitors, \
				    row.monitor_count, "monitors", &covered_fields, \
				    .label = "Systems", \
				    .text = "The same monitors with their impact.")) \
	SHOWN(status_page_ids, FIELD_NAMED(struct incident_resource, row.page_ids, \
					   "status_page_ids", .max = INCIDENT_PAGES_MAX, \
					   .text = "The pages that a report names.")) \
	BOTH(next_update_at, INCIDENT(next_update_at, \
				      .text = "When pages promise the next update.")) \
	PLAIN \
	SHOWN(url, FIELD(struct incident_resource, url, \
			 .text = "The address for visitors; null while no page shows it."))

#define INCIDENT(name, ...) FIELD_NAMED(struct incident_resource, row.name, #name, __VA_ARGS__)
#define ROW(name, ...) __VA_ARGS__,
#define PLAIN_ROWS INCIDENT_PLAIN_FIELDS(INCIDENT_PLAIN_SHOWN, struct incident_resource)
static const struct field resource_rows[] = { INCIDENT_FIELDS(ROW, ROW, PLAIN_ROWS) };
static const struct field shown_rows[] = {
	INCIDENT_FIELDS(ROW, ROW, PLAIN_ROWS)
	FIELD_ARRAY(struct incident_resource, updates.rows, updates.count, "updates",
		    &posted_update_fields, .text = "The updates that people posted, newest first."),
};

#define KEPT(name, ...) FIELD_KEPT(#name),
#define NO_ROW(name, ...)
#define SENT(name, ...) FIELD(struct incident_input, name, __VA_ARGS__)
/* The first rows are in the order of enum incident_sent. */
static const struct field update_rows[] = {
	SENT(comment, .max_chars = INCIDENT_COMMENT_MAX_CHARS, .flags = FIELD_PROSE,
	     .text = "The body of the newest update. A different text adds an update; an "
		     "empty text withdraws the newest update."),
	SENT(acknowledged_at, .flags = FIELD_OR_AS_READ, .option = "acknowledge",
	     .option_off = "unacknowledge",
	     .text = "true acknowledges, and keeps the time of the first acknowledgement; false "
		     "takes it back while the incident is open."),
	SENT(title, .max_chars = INCIDENT_TITLE_MAX_CHARS, .label = "Title",
	     .text = "The title on pages. A reported incident always has a title."),
	SENT(impact, .choices = incident_impact_words,
	     .text = "A correction: the impact for the whole time of the incident, on all its "
		     "monitors."),
	SENT(started_at, .flags = FIELD_NOT_EMPTY,
	     .text = "A correction; not of a detected incident that is open."),
	SENT(ended_at,
	     .text = "A correction; not of a detected incident that is open. Sets the end of a "
		     "reported incident; empty opens it again."),
	SENT(next_update_at, .option = "next-update",
	     .text = "When pages promise the next update; empty takes the promise back."),
	INCIDENT_PLAIN_FIELDS(INCIDENT_PLAIN_SENT, struct incident_input)
	SENT(monitor_ids, .max = INCIDENT_MONITORS_MAX,
	     .text = "A correction, not of a detected incident: the whole list of its monitors. An "
		     "added one has the impact of the incident for its whole time."),
	INCIDENT_FIELDS(KEPT, NO_ROW, )
	FIELD_KEPT("updates"),
};
/* clang-format on */
const struct fields incident_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields incident_shown_fields = { shown_rows, ARRAY_LEN(shown_rows) };
const struct fields incident_update_fields = { update_rows, ARRAY_LEN(update_rows) };

enum incident_status incident_status(const struct incident *incident)
{
	if (incident->ended_at.s > 0)
		return INCIDENT_RESOLVED;
	return incident->acknowledged_at.s > 0 ? INCIDENT_ACKNOWLEDGED : INCIDENT_UNRESOLVED;
}

int64_t incident_duration_s(const struct incident *incident, struct instant now)
{
	struct instant until = incident->ended_at.s > 0 ? incident->ended_at : now;
	return until.s > incident->started_at.s ? until.s - incident->started_at.s : 0;
}

bool incident_has_same_times(const struct incident *before, const struct incident *after)
{
	return before->started_at.s == after->started_at.s &&
	       before->ended_at.s == after->ended_at.s;
}

bool incident_is_same_state(const struct incident *before, const struct incident *after)
{
	return incident_has_same_times(before, after) && before->impact == after->impact;
}

enum incident_move incident_acknowledge(struct incident *incident, struct instant now)
{
	if (incident->acknowledged_at.s > 0)
		return INCIDENT_WAS_SO;
	if (incident_status(incident) == INCIDENT_RESOLVED)
		return INCIDENT_REFUSED;
	incident->acknowledged_at = now;
	return INCIDENT_MOVED;
}

enum incident_move incident_unacknowledge(struct incident *incident)
{
	if (incident_status(incident) == INCIDENT_RESOLVED)
		return INCIDENT_REFUSED;
	if (incident->acknowledged_at.s == 0)
		return INCIDENT_WAS_SO;
	incident->acknowledged_at = (struct instant){ 0 };
	return INCIDENT_MOVED;
}

enum incident_move incident_resolve(struct incident *incident, struct instant at)
{
	if (incident_status(incident) == INCIDENT_RESOLVED)
		return INCIDENT_WAS_SO;
	incident->ended_at = at.s > incident->started_at.s ? at : incident->started_at;
	incident_settle(incident);
	return INCIDENT_MOVED;
}

enum incident_move incident_reopen(struct incident *incident, int phase)
{
	if (incident_status(incident) != INCIDENT_RESOLVED)
		return INCIDENT_WAS_SO;
	if (incident->kind == INCIDENT_DETECTED)
		return INCIDENT_REFUSED;
	incident->ended_at = (struct instant){ 0 };
	incident->phase = phase;
	return INCIDENT_MOVED;
}

const char *incident_url(const struct incident *incident, const char *base_url, struct arena *arena)
{
	const char *page = status_page_url_of(incident->page_address, base_url, arena);
	return page ? arena_printf(arena, "%sincidents/%lld", page, (long long)incident->id) : NULL;
}

void incident_settle(struct incident *incident)
{
	if (incident->ended_at.s == 0)
		return;
	incident->phase = PHASE_RESOLVED;
	incident->next_update_at = (struct instant){ 0 };
}

void incident_list_ids(struct incident *incident, struct arena *arena)
{
	struct id_list *list = &incident->monitor_ids;
	*list = (struct id_list){ ARENA_ARRAY(arena, incident->monitor_count, int64_t),
				  incident->monitor_count };
	for (size_t i = 0; i < list->count; i++)
		list->ids[i] = incident->monitors[i].id;
}

void incident_list_monitor(struct incident *incident, struct arena *arena)
{
	incident->monitors = ARENA_NEW(arena, struct incident_monitor);
	incident->monitor_count = 1;
	incident->monitors[0] = (struct incident_monitor){
		.id = incident->monitor_id,
		.name = incident->monitor_name,
		.impact = incident->impact,
	};
	if (incident_monitor_has_course(&incident->course, incident->impact))
		incident_monitor_take(&incident->monitors[0], &incident->course);
	else
		incident_monitor_begin(&incident->monitors[0], incident->impact);
	incident_list_ids(incident, arena);
}

int incident_show_impacts(const struct incident *incident)
{
	int shown = incident->impact;
	bool is_derived = incident->kind == INCIDENT_REPORTED &&
			  (incident->ended_at.s == 0 || incident->impact == INCIDENT_IMPACT_NONE);
	for (size_t i = 0; i < incident->monitor_count; i++) {
		struct incident_monitor *monitor = &incident->monitors[i];
		bool is_worse = is_derived && monitor->detected_impact > monitor->impact;
		monitor->shown_impact = is_worse ? monitor->detected_impact : monitor->impact;
		if (is_worse && monitor->shown_impact > shown)
			shown = monitor->shown_impact;
	}
	return shown;
}

struct incident_monitor *incident_monitor_of(const struct incident *incident, int64_t id)
{
	for (size_t i = 0; i < incident->monitor_count; i++)
		if (incident->monitors[i].id == id)
			return &incident->monitors[i];
	return NULL;
}

/* Returns a copy of the incident's monitors, with room for `more` monitors. */
static struct incident_monitor *copy_monitors(const struct incident *incident, size_t more,
					      struct arena *arena)
{
	struct incident_monitor *monitors =
		ARENA_ARRAY(arena, incident->monitor_count + more, struct incident_monitor);
	for (size_t i = 0; i < incident->monitor_count; i++)
		monitors[i] = incident->monitors[i];
	return monitors;
}

struct incident incident_copy(const struct incident *incident, struct arena *arena)
{
	struct incident copy = *incident;
	copy.monitors = copy_monitors(incident, 0, arena);
	return copy;
}

void incident_cover(struct incident *incident, const struct id_list *ids, struct arena *arena)
{
	struct incident_monitor *monitors = copy_monitors(incident, ids->count, arena);
	incident->monitors = monitors;
	for (size_t i = 0; i < ids->count; i++)
		if (incident->monitor_count < INCIDENT_MONITORS_MAX &&
		    !incident_monitor_of(incident, ids->ids[i]))
			monitors[incident->monitor_count++].id = ids->ids[i];
}
