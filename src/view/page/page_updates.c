#include "view/page/page_updates.h"

#include "view/words/page_words.h"

static struct page_update posted(const struct posted_update *update, const char *kind,
				 struct arena *arena)
{
	return (struct page_update){
		.id = arena_printf(arena, "%s%lld", kind, (long long)update->id),
		.phase = update->phase,
		.body = update->body,
		.at = update->at,
		.edited_at = update->edited_at,
		.impacts = update->impacts,
	};
}

/* Returns an update that nobody has posted, such as for the start of an incident or a window. Its
 * id differs from the ids of all posted updates. */
static struct page_update derived(const char *kind, int64_t id, enum update_phase phase,
				  const char *body, struct instant at, struct arena *arena)
{
	return (struct page_update){
		.id = arena_printf(arena, "%lld-%s", (long long)id, kind),
		.phase = (int)phase,
		.body = body,
		.is_plain = true,
		.at = at,
	};
}

static struct page_update derived_of_incident(const struct incident *incident, const char *kind,
					      enum update_phase phase, const char *body,
					      struct instant at, struct arena *arena)
{
	struct page_update update = derived(kind, incident->id, phase, body, at, arena);
	/* The comment and the post-mortem are CommonMark. */
	update.is_plain = body != incident->comment && body != incident->postmortem;
	return update;
}

/* Returns the posted update that ended the incident; NULL: none. Other updates may be newer,
 * because people may post this update with a time in the past. */
static const struct posted_update *end_of(const struct page_incident *shown)
{
	const struct incident *incident = &shown->row;
	for (size_t i = 0; incident->ended_at.s > 0 && i < shown->updates.count; i++) {
		const struct posted_update *update = &shown->updates.rows[i];
		if (update->phase == PHASE_RESOLVED &&
		    (i == 0 || update->at.s == incident->ended_at.s))
			return update;
	}
	return NULL;
}

/* Returns whether the list needs a derived update for the start. A detected incident needs one,
 * because it begins without a posted update. */
static bool needs_start(const struct page_incident *shown)
{
	return shown->row.kind == INCIDENT_DETECTED || shown->updates.count == 0;
}

/* Returns the text of a derived update. If the incident has no posted updates, its comment is the
 * text of the newest update. Any other derived update has the text `otherwise`. */
static const char *derived_body(const struct page_incident *shown, bool is_newest,
				const char *otherwise)
{
	return is_newest && shown->updates.count == 0 && shown->row.comment ? shown->row.comment
									    : otherwise;
}

static enum update_phase start_phase(const struct incident *incident)
{
	bool is_stated = incident->kind == INCIDENT_REPORTED && incident->ended_at.s == 0;
	return is_stated ? (enum update_phase)incident->phase : PHASE_INVESTIGATING;
}

struct page_update_list page_incident_updates(const struct page_snapshot *snapshot,
					      const struct page_incident *shown,
					      struct arena *arena)
{
	const struct incident *incident = &shown->row;
	const struct posted_update *end = end_of(shown);
	struct page_update_list list = { 0 };
	list.rows = ARENA_ARRAY(arena, shown->updates.count + 3, struct page_update);
	if (incident->postmortem) {
		list.rows[list.count] = derived_of_incident(incident, "postmortem", PHASE_RESOLVED,
							    incident->postmortem,
							    incident->updated_at, arena);
		list.rows[list.count++].is_postmortem = true;
	}
	/* Insert the end before all other updates, even if some are newer: readers take the phase
	 * of the first update as the incident's phase. */
	if (end) {
		list.rows[list.count++] = posted(end, "", arena);
	} else if (incident->ended_at.s > 0) {
		const char *body = derived_body(
			shown, true,
			page_incident_name_and_phase(snapshot, incident, PHASE_RESOLVED, arena));
		list.rows[list.count++] = derived_of_incident(incident, "resolved", PHASE_RESOLVED,
							      body, incident->ended_at, arena);
	}
	for (size_t i = 0; i < shown->updates.count; i++)
		if (&shown->updates.rows[i] != end)
			list.rows[list.count++] = posted(&shown->updates.rows[i], "", arena);
	if (needs_start(shown)) {
		const char *body = derived_body(shown, incident->ended_at.s == 0,
						page_incident_name(snapshot, incident, arena));
		list.rows[list.count++] = derived_of_incident(incident, "started",
							      start_phase(incident), body,
							      incident->started_at, arena);
	}
	return list;
}

struct page_update_list page_maintenance_updates(const struct page_maintenance *maintenance,
						 struct arena *arena)
{
	struct page_update_list list = { 0 };
	list.rows = ARENA_ARRAY(arena, maintenance->update_count + 2, struct page_update);
	const char *body = maintenance->body ? maintenance->body : maintenance->title;
	bool is_told = maintenance->update_count > 0 &&
		       maintenance->updates[0].phase == maintenance->status;
	if (maintenance->status != PHASE_SCHEDULED && !is_told) {
		bool is_over = maintenance->status == PHASE_COMPLETED;
		struct instant at = maintenance->status == PHASE_CANCELLED ? maintenance->updated_at
				    : is_over				   ? maintenance->ends_at
									   : maintenance->starts_at;
		list.rows[list.count++] = derived(is_over ? "m-over" : "m-begun", maintenance->id,
						  (enum update_phase)maintenance->status,
						  maintenance->title, at, arena);
	}
	for (size_t i = 0; i < maintenance->update_count; i++)
		list.rows[list.count++] = posted(&maintenance->updates[i], "m", arena);
	list.rows[list.count] = derived("m-planned", maintenance->id, PHASE_SCHEDULED, body,
					maintenance->created_at, arena);
	list.rows[list.count++].is_plain = !maintenance->body;
	return list;
}

struct instant page_incident_changed_at(const struct page_incident *shown)
{
	struct instant newest = shown->row.updated_at;
	for (size_t i = 0; i < shown->updates.count; i++) {
		const struct posted_update *update = &shown->updates.rows[i];
		struct instant at = update->edited_at.s > 0 ? update->edited_at : update->at;
		if (at.s > newest.s)
			newest = at;
	}
	return newest;
}
