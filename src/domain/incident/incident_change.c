/* Applies a client's update (PUT) to an incident. */
#include "base/str.h"
#include "domain/incident/incident_report.h"

static enum incident_move apply_acknowledgement(struct incident *incident,
						const struct incident_update *update,
						struct instant now, struct violations *violations)
{
	if (!field_set_has(update->sent, INCIDENT_SENT_ACKNOWLEDGED))
		return INCIDENT_WAS_SO;
	bool is_wanted = update->input.acknowledged_at;
	enum incident_move move = is_wanted ? incident_acknowledge(incident, now)
					    : incident_unacknowledge(incident);
	if (move == INCIDENT_REFUSED && !violations_has(violations, "acknowledged_at"))
		violations_add(violations, "acknowledged_at",
			       is_wanted ? "A resolved incident can no longer be acknowledged."
					 : "The acknowledgement of a resolved incident stays.");
	return move;
}

static bool apply_title(struct incident *incident, const struct incident_update *update,
			struct violations *violations)
{
	const char *title = update->input.title;
	if (!field_set_has(update->sent, INCIDENT_SENT_TITLE) ||
	    str_eq(str_from(incident->title), str_from(title)))
		return false;
	if (!title && incident->kind == INCIDENT_REPORTED)
		violations_add(violations, "title", "The title field is required.");
	incident->title = title;
	return true;
}

/* Returns whether the client may correct the times of the incident. If not, adds a violation. */
static bool may_correct(const struct incident *incident, const char *field,
			struct violations *violations)
{
	if (incident->kind == INCIDENT_REPORTED || incident->ended_at.s > 0)
		return true;
	violations_add(violations, field,
		       "The %s of a detected incident cannot be set while it is open.",
		       violation_label(violations->arena, field));
	return false;
}

static bool apply_start(struct incident *incident, const struct incident_update *update,
			struct instant now, struct violations *violations)
{
	struct instant at = update->input.started_at;
	if (!field_set_has(update->sent, INCIDENT_SENT_STARTED) || at.s == incident->started_at.s)
		return false;
	if (at.s == 0)
		violations_add(violations, "started_at", "The started at field is required.");
	else if (may_correct(incident, "started_at", violations))
		incident->started_at = incident_past_time("started_at", at, now, violations);
	return true;
}

static enum event_kind apply_end(struct incident *incident, const struct incident_update *update,
				 struct instant now, struct violations *violations)
{
	bool was_open = incident->ended_at.s == 0;
	struct instant at = update->input.ended_at;
	if (!field_set_has(update->sent, INCIDENT_SENT_ENDED) || at.s == incident->ended_at.s ||
	    !may_correct(incident, "ended_at", violations))
		return EVENT_NONE;
	if (at.s == 0) {
		if (incident_reopen(incident, PHASE_INVESTIGATING) == INCIDENT_REFUSED)
			violations_add(violations, "ended_at",
				       "A detected incident that is over is not opened again.");
		return EVENT_INCIDENT_REOPENED;
	}
	incident->ended_at = incident_past_time("ended_at", at, now, violations);
	return was_open ? EVENT_INCIDENT_RESOLVED : EVENT_INCIDENT_UPDATED;
}

static bool apply_promise(struct incident *incident, const struct incident_update *update,
			  struct instant now, struct violations *violations)
{
	struct instant at = update->input.next_update_at;
	if (!field_set_has(update->sent, INCIDENT_SENT_NEXT_UPDATE) ||
	    at.s == incident->next_update_at.s)
		return false;
	incident_check_promise(at, now, violations);
	incident->next_update_at = at;
	return true;
}

static bool is_same_text(const char *a, const char *b)
{
	return str_eq(str_from(a), str_from(b));
}

static bool is_same_number(int64_t a, int64_t b)
{
	return a == b;
}

/* clang-format off */
#define APPLY_PLAIN(of, type, column, name, shown, sent_as) \
	if (field_set_has(update->sent, INCIDENT_SENT_##name) && \
	    !_Generic(input->name, const char *: is_same_text, default: is_same_number)( \
		    incident->name, input->name)) { \
		incident->name = input->name; \
		is_changed = true; \
	}
/* clang-format on */

static bool apply_rest(struct incident *incident, const struct incident_update *update,
		       int shown_impact)
{
	const struct incident_input *input = &update->input;
	/* A client may send back the stored or shown impact that it has read. This is no change. */
	bool is_impact_new = field_set_has(update->sent, INCIDENT_SENT_IMPACT) &&
			     input->impact != incident->impact && input->impact != shown_impact;
	bool is_changed = is_impact_new;
	if (is_impact_new)
		incident_set_impact(incident, input->impact);
	INCIDENT_PLAIN_FIELDS(APPLY_PLAIN, )
	return is_changed;
}

static bool has_ids(const struct incident *incident, const struct id_list *ids)
{
	bool is_same = incident->monitor_count == ids->count;
	for (size_t i = 0; is_same && i < ids->count; i++)
		is_same = incident->monitors[i].id == ids->ids[i];
	return is_same;
}

/* Replaces the list of monitors. A monitor in both lists keeps the course of its impact. */
static bool apply_monitors(struct incident *incident, const struct incident_update *update,
			   struct violations *violations)
{
	const struct id_list *ids = &update->input.monitor_ids;
	if (!field_set_has(update->sent, INCIDENT_SENT_MONITORS) || has_ids(incident, ids))
		return false;
	if (incident->kind == INCIDENT_DETECTED)
		violations_add(violations, "monitor_ids",
			       "A detected incident covers its own monitor only.");
	else if (ids->count == 0 && incident->page_ids.count == 0)
		violations_add(violations, "monitor_ids",
			       "The monitor ids field is required without status page ids.");
	struct incident_monitor *monitors =
		ARENA_ARRAY(violations->arena, ids->count, struct incident_monitor);
	for (size_t i = 0; i < ids->count; i++) {
		const struct incident_monitor *kept = incident_monitor_of(incident, ids->ids[i]);
		if (kept)
			monitors[i] = *kept;
		else
			incident_monitor_begin(&monitors[i], incident->impact);
		monitors[i].id = ids->ids[i];
		monitors[i].position = 0;
	}
	incident->monitors = monitors;
	incident->monitor_count = ids->count;
	incident_list_ids(incident, violations->arena);
	incident_sum_up_impact(incident);
	return true;
}

static bool apply_text(const char **text, const char *sent)
{
	if (str_eq(str_from(*text), str_from(sent)))
		return false;
	*text = sent;
	return true;
}

static void apply_texts(struct incident *incident, const struct incident_update *update,
			enum incident_move move, struct incident_changes *changes)
{
	if (field_set_has(update->sent, INCIDENT_SENT_COMMENT))
		changes->is_comment_new = apply_text(&incident->comment, update->input.comment);
	if (field_set_has(update->sent, INCIDENT_SENT_postmortem) &&
	    apply_text(&incident->postmortem, update->input.postmortem))
		changes->postmortem = EVENT_INCIDENT_POSTMORTEM;
	if (move == INCIDENT_MOVED)
		changes->acknowledgement = update->input.acknowledged_at
						   ? EVENT_INCIDENT_ACKNOWLEDGED
						   : EVENT_INCIDENT_UNACKNOWLEDGED;
	else if (changes->is_comment_new)
		changes->acknowledgement = EVENT_INCIDENT_COMMENTED;
}

bool incident_has_changed(const struct incident_changes *changes)
{
	return changes->acknowledgement != EVENT_NONE || changes->end != EVENT_NONE ||
	       changes->fields != EVENT_NONE || changes->postmortem != EVENT_NONE;
}

struct incident_changes incident_apply(struct incident *incident,
				       const struct incident_update *update, struct instant now,
				       struct violations *violations)
{
	struct incident_changes changes = { 0 };
	enum incident_move move = apply_acknowledgement(incident, update, now, violations);
	apply_texts(incident, update, move, &changes);
	const int shown_impact = incident_show_impacts(incident);
	changes.are_monitors_new = apply_monitors(incident, update, violations);
	bool is_changed = changes.are_monitors_new | apply_title(incident, update, violations);
	bool is_start_new = apply_start(incident, update, now, violations);
	changes.end = apply_end(incident, update, now, violations);
	is_changed |= is_start_new | apply_rest(incident, update, shown_impact);
	is_changed |= apply_promise(incident, update, now, violations);
	changes.are_times_new = is_start_new || changes.end != EVENT_NONE;
	if (is_changed || changes.end == EVENT_INCIDENT_UPDATED)
		changes.fields = EVENT_INCIDENT_UPDATED;
	if (changes.end == EVENT_INCIDENT_UPDATED)
		changes.end = EVENT_NONE;
	if (changes.end == EVENT_INCIDENT_RESOLVED)
		incident_settle(incident);
	incident_check_times(incident, violations);
	return changes;
}
