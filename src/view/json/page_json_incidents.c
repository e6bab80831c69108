/* Writes incidents and maintenance windows with their updates. */
#include "view/json/page_json_rows.h"

#include "domain/incident/update_impacts.h"
#include "view/page/page_impact.h"
#include "view/page/page_updates.h"
#include "view/words/page_words.h"
#include "wire/json.h"

/* The keywords of /api/v2/ for enum page_impact and enum update_phase. */
static const char *const impact_names[] = { "none", "minor", "major", "critical" };
static const char *const phase_names[UPDATE_PHASES] = {
	[PHASE_INVESTIGATING] = "investigating",
	[PHASE_IDENTIFIED] = "identified",
	[PHASE_MONITORING] = "monitoring",
	[PHASE_RESOLVED] = "resolved",
	[PHASE_SCHEDULED] = "scheduled",
	[PHASE_IN_PROGRESS] = "in_progress",
	[PHASE_VERIFYING] = "verifying",
	[PHASE_COMPLETED] = "completed",
	/* /api/v2/ has no keyword for "cancelled"; "completed" also means that no work follows */
	[PHASE_CANCELLED] = "completed",
};
/* The state of a system during an incident, by the incident's impact on the system. */
static const enum system_state states_by_impact[] = {
	[INCIDENT_IMPACT_NONE] = SYSTEM_OPERATIONAL,
	[INCIDENT_DEGRADED_PERFORMANCE] = SYSTEM_DEGRADED_PERFORMANCE,
	[INCIDENT_PARTIAL_OUTAGE] = SYSTEM_PARTIAL_OUTAGE,
	[INCIDENT_MAJOR_OUTAGE] = SYSTEM_MAJOR_OUTAGE,
};
#define POSTMORTEM "postmortem"

/* The last two members are printed only for maintenance windows. */
struct incident_row {
	const char *id, *name, *status, *impact;
	struct instant created_at, started_at, updated_at, monitoring_at, resolved_at;
	const char *shortlink, *page_id;
	const char *reminder_intervals; /* always null */
	const char *postmortem_body;
	struct instant postmortem_published_at;
	struct instant scheduled_for, scheduled_until;
};

#define ROW(member) FIELD(struct incident_row, member)
#define COMMON_ROWS \
	ROW(id), ROW(name), ROW(status), ROW(impact), ROW(created_at), ROW(started_at), \
		ROW(updated_at), ROW(monitoring_at), ROW(resolved_at), ROW(shortlink), \
		ROW(page_id), ROW(reminder_intervals)
static const struct field incident_rows[] = {
	COMMON_ROWS,
	ROW(postmortem_body),
	ROW(postmortem_published_at),
};
static const struct field maintenance_rows[] = {
	COMMON_ROWS,
	ROW(scheduled_for),
	ROW(scheduled_until),
};
#undef COMMON_ROWS
#undef ROW

struct update_row {
	const char *id, *incident_id, *status, *body;
	struct instant created_at, updated_at, display_at;
	bool deliver_notifications;
	const char *custom_tweet, *tweet_id; /* always null */
};

#define ROW(member) FIELD(struct update_row, member)
static const struct field update_rows[] = {
	ROW(id),	 ROW(incident_id),  ROW(status),
	ROW(body),	 ROW(created_at),   ROW(updated_at),
	ROW(display_at), ROW(custom_tweet), ROW(deliver_notifications),
	ROW(tweet_id),
};
#undef ROW

struct affected_row {
	const char *code, *name, *old_status, *new_status;
};

#define ROW(member) FIELD(struct affected_row, member)
static const struct field affected_rows[] = { ROW(code), ROW(name), ROW(old_status),
					      ROW(new_status) };
#undef ROW

/* The updates and systems of an incident or a window. The states of the systems before and after
 * each update are computed from them. */
struct course {
	const char *incident_id;
	struct page_update_list updates;
	struct update_impacts *impacts; /* by the index of the update; NULL for a window */
	const struct incident_monitor *monitors;
	size_t monitor_count;
};

static void read_impacts(struct course *course, struct arena *arena)
{
	course->impacts = ARENA_ARRAY(arena, course->updates.count, struct update_impacts);
	for (size_t i = 0; i < course->updates.count; i++)
		course->impacts[i] = update_impacts_of(course->updates.rows[i].impacts, arena);
}

/* Returns the impact that update `at` stores for the monitor; NULL: it stores none. */
static const struct update_impact *said_of(const struct course *course, size_t at,
					   const struct incident_monitor *monitor)
{
	return course->impacts ? update_impacts_find(&course->impacts[at], monitor->id) : NULL;
}

/* Returns the impact after update `at`: its stored `after`, or else the stored `before` of the next
 * newer update that has one, or else the present impact. After the newest update (0), always
 * returns the present impact. */
static int impact_after(const struct course *course, size_t at,
			const struct incident_monitor *monitor)
{
	const struct update_impact *said = at > 0 ? said_of(course, at, monitor) : NULL;
	if (said)
		return said->after;
	while (at-- > 0 && !said)
		said = said_of(course, at, monitor);
	return said ? said->before : monitor->impact;
}

/* Returns whether an incident in this phase affects its systems. */
static bool has_impact(enum update_phase phase)
{
	return phase == PHASE_INVESTIGATING || phase == PHASE_IDENTIFIED ||
	       phase == PHASE_MONITORING;
}

/* Returns the state of a system after update `at`, where 0 is the newest. Before the oldest update
 * the system is operational. */
static enum system_state state_after(const struct course *course, size_t at,
				     const struct incident_monitor *monitor)
{
	enum update_phase phase = at < course->updates.count
					  ? (enum update_phase)course->updates.rows[at].phase
					  : PHASE_RESOLVED;
	if (phase == PHASE_IN_PROGRESS || phase == PHASE_VERIFYING)
		return SYSTEM_UNDER_MAINTENANCE;
	return has_impact(phase) ? states_by_impact[impact_after(course, at, monitor)]
				 : SYSTEM_OPERATIONAL;
}

/* Returns the state before update `at`, from its stored `before`. If the update stores none, or the
 * incident was resolved before it, returns the state after the next older update. */
static enum system_state state_before(const struct course *course, size_t at,
				      const struct incident_monitor *monitor)
{
	const struct update_impact *said = said_of(course, at, monitor);
	bool is_oldest = at + 1 == course->updates.count;
	bool was_open = is_oldest ||
			has_impact((enum update_phase)course->updates.rows[at + 1].phase);
	return said && was_open ? states_by_impact[said->before]
				: state_after(course, at + 1, monitor);
}

static void print_affected(struct buf *out, const struct course *course, size_t at,
			   struct arena *arena)
{
	bool is_first = true;
	buf_putc(out, '[');
	for (size_t i = 0; i < course->monitor_count; i++) {
		const struct incident_monitor *monitor = &course->monitors[i];
		/* Skips a system that was not in the incident at this update. */
		if (course->impacts && course->impacts[at].count > 0 &&
		    !said_of(course, at, monitor))
			continue;
		const struct affected_row affected = {
			.code = page_json_id(monitor->id, arena),
			.name = monitor->name,
			.old_status = page_json_state(state_before(course, at, monitor)),
			.new_status = page_json_state(state_after(course, at, monitor)),
		};
		if (!is_first)
			buf_putc(out, ',');
		is_first = false;
		json_print_fields(out, FIELDS(affected_rows), &affected);
	}
	buf_putc(out, ']');
}

static void print_update(struct buf *out, const struct course *course, size_t at,
			 struct arena *arena)
{
	const struct page_update *update = &course->updates.rows[at];
	const struct update_row row = {
		.id = update->id,
		.incident_id = course->incident_id,
		.status = update->is_postmortem ? POSTMORTEM : phase_names[update->phase],
		.body = update->body,
		.created_at = update->at,
		.updated_at = update->edited_at.s > 0 ? update->edited_at : update->at,
		.display_at = update->at,
		.deliver_notifications = true,
	};
	json_print_fields(out, FIELDS(update_rows), &row);
	page_json_add_member(out, "affected_components");
	print_affected(out, course, at, arena);
	buf_putc(out, '}');
}

/* Appends the members "incident_updates" and "components", and ends the object. */
static void print_course(struct buf *out, const struct page_snapshot *snapshot,
			 const struct page_json_index *index, const struct course *course,
			 struct arena *arena)
{
	page_json_add_member(out, "incident_updates");
	for (size_t i = 0; i < course->updates.count; i++) {
		buf_putc(out, i == 0 ? '[' : ',');
		print_update(out, course, i, arena);
	}
	buf_puts(out, "],\"components\":");
	page_json_systems(out, snapshot, index, course->monitors, course->monitor_count, arena);
	buf_putc(out, '}');
}

/* Returns the incidents of the page, which include those that are shown inside another incident. */
static struct page_incidents all_of(const struct page_snapshot *snapshot)
{
	return (struct page_incidents){ snapshot->incidents, snapshot->incident_count };
}

/* Returns the systems of the incident, with the impact on each. A detected incident has no list:
 * its monitor is the only system. */
static const struct incident_monitor *monitors_of(const struct page_snapshot *snapshot,
						  const struct incident *incident, size_t *count,
						  struct arena *arena)
{
	*count = incident->monitor_count;
	if (incident->kind == INCIDENT_REPORTED)
		return page_incident_monitors(incident, all_of(snapshot), arena);
	struct incident_monitor *monitor = ARENA_ARRAY(arena, 1, struct incident_monitor);
	*monitor = (struct incident_monitor){ .id = incident->monitor_id,
					      .name = incident->monitor_name,
					      .impact = incident->impact };
	*count = 1;
	return monitor;
}

const char *page_json_impact(enum page_impact impact)
{
	return impact_names[impact];
}

/*
 * Returns the incident's impact in /api/v2/. Degraded performance is minor. An outage has the
 * impact of a page on which just the incident's systems are down. A partial outage is at most
 * major.
 */
static enum page_impact impact_of(const struct page_snapshot *snapshot,
				  const struct incident *incident)
{
	size_t affected = incident->kind == INCIDENT_REPORTED ? incident->monitor_count : 1;
	enum page_impact impact = page_snapshot_impact(snapshot, affected);
	switch ((enum incident_impact)page_incident_impact(incident, all_of(snapshot))) {
	case INCIDENT_IMPACT_NONE:
		return IMPACT_NONE;
	case INCIDENT_DEGRADED_PERFORMANCE:
		return IMPACT_MINOR;
	case INCIDENT_PARTIAL_OUTAGE:
		return impact > IMPACT_MAJOR ? IMPACT_MAJOR : impact;
	case INCIDENT_MAJOR_OUTAGE:
		break;
	}
	/* page_snapshot_impact() returns no impact for an incident without systems: it is minor. */
	return impact > IMPACT_NONE ? impact : IMPACT_MINOR;
}

/* Returns the status of an incident or a window: the phase of its newest update. */
static const char *status_of(const struct page_update_list *updates)
{
	return updates->rows[0].is_postmortem ? POSTMORTEM : phase_names[updates->rows[0].phase];
}

/* Returns when the newest update with this phase was posted; 0: no update has the phase. */
static struct instant time_of(const struct page_update_list *updates, enum update_phase phase)
{
	for (size_t i = 0; i < updates->count; i++)
		if (updates->rows[i].phase == (int)phase)
			return updates->rows[i].at;
	return (struct instant){ 0 };
}

static struct instant first_of(struct instant a, struct instant b)
{
	return a.s > 0 ? a : b;
}

void page_json_incident(struct buf *out, const struct page_snapshot *snapshot,
			const struct page_json_index *index, const struct page_incident *shown,
			struct arena *arena)
{
	const struct incident *incident = &shown->row;
	struct course course = { .incident_id = page_json_id(incident->id, arena),
				 .updates = page_incident_updates(snapshot, shown, arena) };
	course.monitors = monitors_of(snapshot, incident, &course.monitor_count, arena);
	read_impacts(&course, arena);
	const struct incident_row row = {
		.id = course.incident_id,
		.name = page_incident_name(snapshot, incident, arena),
		.status = status_of(&course.updates),
		.impact = page_json_impact(impact_of(snapshot, incident)),
		.created_at = first_of(incident->created_at, incident->started_at),
		.started_at = incident->started_at,
		.updated_at = page_incident_changed_at(shown),
		.monitoring_at = time_of(&course.updates, PHASE_MONITORING),
		.resolved_at = incident->ended_at,
		.shortlink = page_incident_url(snapshot, incident, arena),
		.page_id = page_json_id(snapshot->page.id, arena),
		.postmortem_body = incident->postmortem,
		.postmortem_published_at = { incident->postmortem ? incident->updated_at.s : 0 },
	};
	json_print_fields(out, FIELDS(incident_rows), &row);
	print_course(out, snapshot, index, &course, arena);
}

void page_json_maintenance(struct buf *out, const struct page_snapshot *snapshot,
			   const struct page_json_index *index,
			   const struct page_maintenance *maintenance, struct arena *arena)
{
	/* In /api/v2/, ids of windows begin with "m", so that they differ from ids of incidents. */
	const struct course course = {
		.incident_id = arena_printf(arena, "m%lld", (long long)maintenance->id),
		.updates = page_maintenance_updates(maintenance, arena),
		.monitors = maintenance->monitors,
		.monitor_count = maintenance->monitor_count,
	};
	bool is_over = maintenance->status == PHASE_COMPLETED ||
		       maintenance->status == PHASE_CANCELLED;
	const struct incident_row row = {
		.id = course.incident_id,
		.name = maintenance->title,
		.status = phase_names[maintenance->status],
		.impact = "maintenance",
		.created_at = maintenance->created_at,
		.started_at = maintenance->starts_at,
		.updated_at = maintenance->updated_at,
		.resolved_at = { is_over ? course.updates.rows[0].at.s : 0 },
		.shortlink = page_maintenance_url(snapshot, maintenance, arena),
		.page_id = page_json_id(snapshot->page.id, arena),
		.scheduled_for = maintenance->starts_at,
		.scheduled_until = maintenance->ends_at,
	};
	json_print_fields(out, FIELDS(maintenance_rows), &row);
	print_course(out, snapshot, index, &course, arena);
}
