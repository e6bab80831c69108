#include "domain/incident/incident_report.h"

#include "base/str.h"
#include "domain/incident/update_impacts.h"

enum { SKEW_S = 300, PROMISE_MAX_S = 366 * 86400 };

/* clang-format off */
#define REPORT(name, ...) FIELD(struct incident_report, name, __VA_ARGS__)
/* In the order of enum incident_report_sent. */
static const struct field report_rows[] = {
	REPORT(title, .max_chars = INCIDENT_TITLE_MAX_CHARS, .label = "Title",
	       .flags = FIELD_NOT_EMPTY, .text = "On pages; required without template_id."),
	REPORT(monitor_ids, .max = INCIDENT_MONITORS_MAX, .label = "Systems",
	       .text = "The monitors that the incident covers, in display order."),
	REPORT(status_page_ids, .max = INCIDENT_PAGES_MAX,
	       .text = "Pages that show the incident even if they show none of its monitors: "
			"for a notice without any monitor, for example."),
	REPORT(impact, .choices = incident_impact_words, .flags = FIELD_NULL_IS_UNSENT,
	       .default_value = "none", .label = "Impact",
	       .text = "How much the incident affects its monitors."),
	REPORT(phase, .choices = incident_phase_words, .flags = FIELD_NULL_IS_UNSENT,
	       .default_value = "investigating", .label = "Phase",
	       .text = "The phase of the responders' work; resolved if ended_at is sent."),
	REPORT(body, .max_chars = INCIDENT_COMMENT_MAX_CHARS, .flags = FIELD_PROSE, .label = "Text",
	       .text = "The first update, in CommonMark; its time is started_at."),
	REPORT(started_at, .text = "Default: now."),
	REPORT(ended_at, .text = "Of an incident that is over."),
	REPORT(next_update_at, .option = "next-update",
	       .text = "When pages promise the next update."),
	REPORT(template_id, .min = 1, .max = INT64_MAX, .option = "template",
	       .text = "The incident template from which fields come that are not sent."),
	FIELD_KEPT("id"), FIELD_KEPT("kind"), FIELD_KEPT("monitor_id"), FIELD_KEPT("monitor"),
	FIELD_KEPT("monitors"), FIELD_KEPT("cause"), FIELD_KEPT("comment"), FIELD_KEPT("status"),
	FIELD_KEPT("acknowledged_at"), FIELD_KEPT("duration"), FIELD_KEPT("url"),
	INCIDENT_PLAIN_FIELDS(INCIDENT_PLAIN_KEPT, )
	FIELD_KEPT("created_at"), FIELD_KEPT("updated_at"), FIELD_KEPT("updates"),
};

#define POST(name, ...) FIELD(struct incident_post, name, __VA_ARGS__)
/* In the order of enum incident_post_sent. */
static const struct field post_rows[] = {
	POST(body, .max_chars = INCIDENT_COMMENT_MAX_CHARS, .label = "Update for the visitors",
	     .flags = FIELD_REQUIRED | FIELD_NOT_EMPTY | FIELD_PROSE, .text = "In CommonMark."),
	POST(phase, .label = "Phase", .choices = incident_phase_words,
	     .flags = FIELD_NULL_IS_UNSENT, .text = "resolved ends the incident at the time of the "
		"update; another phase opens a reported one again. Unchanged if it is not sent."),
	POST(impact, .label = "Impact", .choices = incident_impact_words,
	     .flags = FIELD_NULL_IS_UNSENT, .text = "The impact from this update on, of the "
		"monitors in monitor_ids; without them, of all."),
	POST(monitor_ids, .max = INCIDENT_MONITORS_MAX,
	     .text = "The monitors that the impact is of. Monitors that a reported incident does "
		     "not cover yet are added."),
	POST(at, .text = "Now, if it is not sent. An update of an earlier time than the newest one "
			 "changes nothing but the end, if its phase is resolved."),
	POST(next_update_at, .option = "next-update", .label = "Next update",
	     .text = "When pages promise the next update; if this field is not sent, pages "
			"promise none."),
};

static const struct field edit_rows[] = {
	FIELD(struct incident_edit, body, .max_chars = INCIDENT_COMMENT_MAX_CHARS,
	      .flags = FIELD_NOT_EMPTY | FIELD_PROSE, .text = "Pages mark the update as edited."),
	FIELD(struct incident_edit, at,
	      .text = "When the update was posted; not before the start of the incident."),
	FIELD_KEPT("id"), FIELD_KEPT("phase"), FIELD_KEPT("edited_at"),
};
/* clang-format on */
const struct fields incident_report_fields = { report_rows, ARRAY_LEN(report_rows) };
const struct fields incident_post_fields = { post_rows, ARRAY_LEN(post_rows) };
const struct fields incident_edit_fields = { edit_rows, ARRAY_LEN(edit_rows) };

void incident_monitor_begin(struct incident_monitor *monitor, int impact)
{
	*monitor = (struct incident_monitor){
		.id = monitor->id,
		.name = monitor->name,
		.position = monitor->position,
		.impact = impact,
		.lesser_impact = impact == INCIDENT_MAJOR_OUTAGE ? INCIDENT_IMPACT_NONE : impact,
		.has_outage = impact == INCIDENT_MAJOR_OUTAGE,
	};
}

void incident_monitor_change(struct incident_monitor *monitor, int impact, struct instant at)
{
	const struct instant none = { 0 };
	bool was_affected = monitor->has_outage || monitor->lesser_impact > INCIDENT_IMPACT_NONE;
	if (monitor->impact == impact)
		return;
	if (!was_affected)
		monitor->affected_from = at;
	monitor->affected_until = impact == INCIDENT_IMPACT_NONE ? at : none;
	if (impact == INCIDENT_MAJOR_OUTAGE) {
		if (!monitor->has_outage)
			monitor->outage_from = at;
		monitor->has_outage = true;
		monitor->outage_until = none;
	} else if (monitor->impact == INCIDENT_MAJOR_OUTAGE) {
		monitor->outage_until = at;
	}
	if (impact > INCIDENT_IMPACT_NONE && impact < INCIDENT_MAJOR_OUTAGE)
		monitor->lesser_impact = impact;
	monitor->impact = impact;
}

/* Returns the impact at the end of the course. */
static int last_impact(const struct incident_monitor *course)
{
	if (course->affected_until.s > 0)
		return INCIDENT_IMPACT_NONE;
	return course->has_outage && course->outage_until.s == 0 ? (int)INCIDENT_MAJOR_OUTAGE
								 : course->lesser_impact;
}

bool incident_monitor_has_course(const struct incident_monitor *course, int impact)
{
	bool has_changed = course->affected_from.s > 0 || course->affected_until.s > 0 ||
			   course->outage_from.s > 0 || course->outage_until.s > 0;
	return has_changed && last_impact(course) == impact;
}

void incident_monitor_take(struct incident_monitor *monitor, const struct incident_monitor *course)
{
	monitor->lesser_impact = course->lesser_impact;
	monitor->affected_from = course->affected_from;
	monitor->affected_until = course->affected_until;
	monitor->has_outage = course->has_outage;
	monitor->outage_from = course->outage_from;
	monitor->outage_until = course->outage_until;
}

/* Cuts the interval to the time between `from` and `until`. An end of 0 is open. */
static void clip(struct uptime_interval *interval, struct instant from, struct instant until)
{
	if (from.s > interval->from.s)
		interval->from = from;
	if (until.s > 0 && (interval->to.s == 0 || until.s < interval->to.s))
		interval->to = until;
}

/* Returns whether clip() left a part of the interval. This part may have no length. */
static bool is_left(const struct uptime_interval *interval)
{
	return interval->to.s == 0 || interval->to.s >= interval->from.s;
}

static bool has_length(const struct uptime_interval *interval)
{
	return interval->to.s == 0 || interval->to.s > interval->from.s;
}

size_t incident_monitor_times(const struct incident_monitor *monitor, struct instant started_at,
			      struct instant ended_at,
			      struct uptime_interval times[INCIDENT_MONITOR_TIMES_MAX])
{
	struct uptime_interval whole = { .from = started_at, .to = ended_at };
	clip(&whole, monitor->affected_from, monitor->affected_until);
	whole.impact = monitor->lesser_impact;
	struct uptime_interval outage = whole, before = whole, after = whole;
	bool has_lesser = whole.impact > INCIDENT_IMPACT_NONE;
	size_t count = 0;
	outage.impact = INCIDENT_MAJOR_OUTAGE;
	clip(&outage, monitor->outage_from, monitor->outage_until);
	if (!is_left(&whole))
		return 0;
	if (!monitor->has_outage || !is_left(&outage)) {
		times[0] = whole;
		return has_lesser ? 1 : 0;
	}
	before.to = outage.from;
	after.from = outage.to;
	if (has_lesser && has_length(&before) && before.to.s > 0)
		times[count++] = before;
	times[count++] = outage;
	if (has_lesser && outage.to.s > 0 && has_length(&after))
		times[count++] = after;
	return count;
}

void incident_sum_up_impact(struct incident *incident)
{
	int worst = INCIDENT_IMPACT_NONE;
	for (size_t i = 0; i < incident->monitor_count; i++)
		if (incident->monitors[i].impact > worst)
			worst = incident->monitors[i].impact;
	if (incident->monitor_count > 0)
		incident->impact = worst;
}

bool incident_uncover(struct incident *incident, int64_t monitor_id)
{
	size_t kept = 0;
	for (size_t i = 0; i < incident->monitor_count; i++) {
		if (incident->monitors[i].id == monitor_id)
			continue;
		incident->monitors[kept] = incident->monitors[i];
		incident->monitors[kept++].position = 0;
	}
	incident->monitor_count = kept;
	incident_sum_up_impact(incident);
	return kept > 0 || incident->page_ids.count > 0;
}

void incident_set_impact(struct incident *incident, int impact)
{
	incident->impact = impact;
	for (size_t i = 0; i < incident->monitor_count; i++)
		incident_monitor_begin(&incident->monitors[i], impact);
}

/* Rejects a time that is more than SKEW_S in the future. A time that is less far in the future
 * becomes `now`. */
struct instant incident_past_time(const char *field, struct instant at, struct instant now,
				  struct violations *violations)
{
	if (at.s > now.s + SKEW_S)
		violations_add(violations, field, "The %s must not be in the future.",
			       violation_label(violations->arena, field));
	return at.s > now.s ? now : at;
}

void incident_check_promise(struct instant at, struct instant now, struct violations *violations)
{
	if (at.s > 0 && (at.s <= now.s || at.s > now.s + PROMISE_MAX_S))
		violations_add(violations, "next_update_at",
			       "The next update at must be in the future, and within a year.");
}

void incident_check_times(const struct incident *incident, struct violations *violations)
{
	if (incident->ended_at.s > 0 && incident->ended_at.s < incident->started_at.s)
		violations_add(violations, "ended_at",
			       "The ended at must not be before the start of the incident.");
	if (incident->ended_at.s > 0 && incident->next_update_at.s > 0)
		violations_add(violations, "next_update_at",
			       "An incident that is over has no next update.");
}

void incident_begin(struct incident *incident, const struct incident_report *report,
		    struct field_set sent, struct instant now, struct posted_update *update,
		    struct arena *arena, struct violations *violations)
{
	bool is_over = report->ended_at.s > 0;
	*incident = (struct incident){
		.kind = INCIDENT_REPORTED,
		.title = report->title,
		.comment = report->body,
		.started_at = incident_past_time("started_at", report->started_at, now, violations),
		.acknowledged_at = now,
		.ended_at = incident_past_time("ended_at", report->ended_at, now, violations),
		.phase = report->phase,
		.page_ids = report->status_page_ids,
		.next_update_at = report->next_update_at,
		.monitors = ARENA_ARRAY(arena, report->monitor_ids.count, struct incident_monitor),
		.monitor_count = report->monitor_ids.count,
	};
	if (report->monitor_ids.count == 0 && report->status_page_ids.count == 0 &&
	    !violations_has(violations, "monitor_ids") &&
	    !violations_has(violations, "status_page_ids"))
		violations_add(violations, "monitor_ids",
			       "The monitor ids field is required without status page ids.");
	if (is_over && field_set_has(sent, REPORT_SENT_PHASE) && report->phase != PHASE_RESOLVED)
		violations_add(violations, "phase",
			       "The phase of an incident that is over must be resolved.");
	if (incident->started_at.s == 0)
		incident->started_at = now;
	if (incident->phase == PHASE_RESOLVED && !is_over)
		incident->ended_at = now;
	incident_check_promise(incident->next_update_at, now, violations);
	incident_check_times(incident, violations);
	for (size_t i = 0; i < incident->monitor_count; i++)
		incident->monitors[i].id = report->monitor_ids.ids[i];
	incident_set_impact(incident, report->impact);
	incident_settle(incident);
	/* The first update has the time of the start. An incident that ended later was not yet
	 * resolved at that time. */
	bool has_lasted = incident->ended_at.s > incident->started_at.s;
	*update = (struct posted_update){
		.phase = has_lasted ? (int)PHASE_INVESTIGATING : incident->phase,
		.body = report->body,
		.at = incident->started_at,
		.impacts = update_impacts_text(NULL, 0, incident, arena),
	};
}

/* Adds the monitors that an update names. A detected incident allows only its own monitor. */
static void add_monitors(struct incident *incident, const struct id_list *ids, int impact,
			 struct instant at, struct arena *arena, struct violations *violations)
{
	struct incident_monitor *monitors =
		ARENA_ARRAY(arena, incident->monitor_count + ids->count, struct incident_monitor);
	for (size_t i = 0; i < incident->monitor_count; i++)
		monitors[i] = incident->monitors[i];
	incident->monitors = monitors;
	for (size_t i = 0; i < ids->count; i++) {
		if (incident_monitor_of(incident, ids->ids[i]))
			continue;
		if (incident->kind == INCIDENT_DETECTED) {
			violations_add(violations, "monitor_ids",
				       "A detected incident covers its own monitor only.");
			return;
		}
		struct incident_monitor *added = &monitors[incident->monitor_count++];
		added->id = ids->ids[i];
		incident_monitor_change(added, impact, at);
	}
	if (incident->monitor_count > INCIDENT_MONITORS_MAX)
		violations_add(violations, "monitor_ids", "An incident covers at most %d monitors.",
			       INCIDENT_MONITORS_MAX);
}

static void change_impact(struct incident *incident, const struct incident_post *post,
			  struct field_set sent, struct instant at)
{
	if (!field_set_has(sent, POST_SENT_IMPACT))
		return;
	if (incident->monitor_count == 0) {
		incident_set_impact(incident, post->impact);
		return;
	}
	for (size_t i = 0; i < incident->monitor_count; i++) {
		bool is_named = post->monitor_ids.count == 0;
		for (size_t j = 0; j < post->monitor_ids.count && !is_named; j++)
			is_named = post->monitor_ids.ids[j] == incident->monitors[i].id;
		if (is_named)
			incident_monitor_change(&incident->monitors[i], post->impact, at);
	}
}

static void change_phase(struct incident *incident, const struct incident_post *post,
			 struct field_set sent, struct instant at, struct violations *violations)
{
	if (!field_set_has(sent, POST_SENT_PHASE) || post->phase == incident->phase)
		return;
	if (post->phase == PHASE_RESOLVED)
		incident_resolve(incident, at);
	else if (incident_reopen(incident, post->phase) == INCIDENT_REFUSED)
		violations_add(violations, "phase",
			       "A detected incident that is over is not opened again.");
	else
		incident->phase = post->phase;
}

/*
 * Returns the time of an update that was sent without a time: `now`, but not before the incident's
 * start or its newest update. After a clock was set back, `now` may be earlier: the update would be
 * rejected, or would not be the newest.
 */
static struct instant time_of_post(const struct incident *incident, struct instant newest,
				   struct instant now)
{
	struct instant at = now;
	if (at.s < incident->started_at.s)
		at = incident->started_at;
	return at.s < newest.s ? newest : at;
}

void incident_post(struct incident *incident, const struct incident_post *post,
		   struct field_set sent, struct instant newest, struct instant now,
		   struct posted_update *update, struct arena *arena, struct violations *violations)
{
	struct instant at = post->at.s > 0 ? incident_past_time("at", post->at, now, violations)
					   : time_of_post(incident, newest, now);
	bool is_newest = at.s >= newest.s;
	*update = (struct posted_update){ .body = post->body, .at = at };
	if (at.s < incident->started_at.s)
		violations_add(violations, "at",
			       "The at must not be before the start of the incident.");
	incident_check_promise(post->next_update_at, now, violations);
	if (!is_newest) {
		update->phase = field_set_has(sent, POST_SENT_PHASE) ? post->phase
								     : PHASE_INVESTIGATING;
		if (post->monitor_ids.count > 0 || field_set_has(sent, POST_SENT_IMPACT) ||
		    post->next_update_at.s > 0)
			violations_add(violations, "at",
				       "An update of an earlier time than the newest one cannot "
				       "change impact, monitors or the next update.");
		/* An incident that is already resolved keeps its end. */
		if (update->phase == PHASE_RESOLVED)
			incident_resolve(incident, at);
		return;
	}
	const struct incident_monitor *const before = incident->monitors;
	const size_t before_count = incident->monitor_count;
	/* If an impact was sent, add the monitors without impact: change_impact() below sets it. */
	add_monitors(incident, &post->monitor_ids,
		     field_set_has(sent, POST_SENT_IMPACT) ? INCIDENT_IMPACT_NONE
							   : incident->impact,
		     at, arena, violations);
	change_impact(incident, post, sent, at);
	incident_sum_up_impact(incident);
	change_phase(incident, post, sent, at, violations);
	incident->next_update_at = post->next_update_at;
	incident_check_times(incident, violations);
	incident->comment = update->body;
	update->phase = incident->phase;
	update->impacts = update_impacts_text(before, before_count, incident, arena);
}

bool incident_edit(const struct incident *incident, struct posted_update *update,
		   const struct incident_edit *edit, struct field_set sent, struct instant now,
		   struct violations *violations)
{
	bool is_body_new = field_set_has(sent, EDIT_SENT_BODY) &&
			   !str_eq(str_from(edit->body), str_from(update->body));
	bool is_time_new = field_set_has(sent, EDIT_SENT_AT) && edit->at.s != update->at.s;
	if (is_time_new && edit->at.s == 0)
		violations_add(violations, "at", "The at field is required.");
	if (is_time_new && edit->at.s > 0 && edit->at.s < incident->started_at.s)
		violations_add(violations, "at",
			       "The at must not be before the start of the incident.");
	if (is_body_new)
		update->body = edit->body;
	if (is_time_new)
		update->at = incident_past_time("at", edit->at, now, violations);
	if (is_body_new || is_time_new)
		update->edited_at = now;
	return is_body_new || is_time_new;
}
