#include "domain/incident.h"

#include "base/str.h"

static const char *const status_words[] = { "unresolved", "acknowledged", "resolved", NULL };

#define MONITOR(member, its_name, ...) \
	FIELD_NAMED(struct incident_resource, incident.member, its_name, __VA_ARGS__)
static const struct field monitor_rows[] = {
	MONITOR(monitor_id, "id"),
	MONITOR(monitor_name, "name", .flags = FIELD_NOT_EMPTY),
	MONITOR(monitor_url, "url"),
};
static const struct fields monitor_fields = { monitor_rows, ARRAY_LEN(monitor_rows) };

/*
 * The fields that clients read, in the order of JSON. A client sets those of BOTH; it may send
 * the others back unchanged.
 */
/* clang-format off */
#define INCIDENT_FIELDS(SHOWN, BOTH) \
	SHOWN(id, INCIDENT(id, .min = 1, .max = INT64_MAX)) \
	SHOWN(monitor_id, INCIDENT(monitor_id)) \
	SHOWN(monitor, { .name = "monitor", .kind = FIELD_OBJECT, .members = &monitor_fields }) \
	SHOWN(cause, INCIDENT(cause, .flags = FIELD_NOT_EMPTY)) \
	BOTH(comment, INCIDENT(comment)) \
	SHOWN(status, FIELD(struct incident_resource, status, .flags = FIELD_NOT_EMPTY, \
			    .choices = status_words)) \
	SHOWN(started_at, INCIDENT(started_at, .flags = FIELD_NOT_EMPTY)) \
	BOTH(acknowledged_at, INCIDENT(acknowledged_at)) \
	SHOWN(ended_at, INCIDENT(ended_at)) \
	SHOWN(duration, FIELD(struct incident_resource, duration, .max = INT64_MAX, \
			      .text = "Whole seconds; of an open incident until now.")) \
	SHOWN(created_at, INCIDENT(created_at, .flags = FIELD_NOT_EMPTY)) \
	SHOWN(updated_at, INCIDENT(updated_at, .flags = FIELD_NOT_EMPTY))

#define INCIDENT(name, ...) FIELD_NAMED(struct incident_resource, incident.name, #name, __VA_ARGS__)
#define ROW(name, ...) __VA_ARGS__,
static const struct field resource_rows[] = { INCIDENT_FIELDS(ROW, ROW) };

#define KEPT(name, ...) FIELD_KEPT(#name),
#define NO_ROW(name, ...)
/* The first two rows have the bits of enum incident_sent. */
static const struct field update_rows[] = {
	FIELD(struct incident_input, comment, .max_chars = INCIDENT_COMMENT_MAX_CHARS,
	      .text = "Shown on the pages. Empty removes it."),
	FIELD(struct incident_input, acknowledged_at, .flags = FIELD_OR_AS_READ,
	      .text = "true acknowledges, and keeps the time of the first acknowledgement; false "
		      "takes it back while the incident is open."),
	INCIDENT_FIELDS(KEPT, NO_ROW)
};
/* clang-format on */
const struct fields incident_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields incident_update_fields = { update_rows, ARRAY_LEN(update_rows) };

enum incident_status incident_status(const struct incident *incident)
{
	if (incident->ended_at.s > 0)
		return INCIDENT_RESOLVED;
	return incident->acknowledged_at.s > 0 ? INCIDENT_ACKNOWLEDGED : INCIDENT_UNRESOLVED;
}

const char *incident_status_word(enum incident_status status)
{
	return status_words[status];
}

int64_t incident_duration_s(const struct incident *incident, struct instant now)
{
	struct instant until = incident->ended_at.s > 0 ? incident->ended_at : now;
	return until.s > incident->started_at.s ? until.s - incident->started_at.s : 0;
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
	return INCIDENT_MOVED;
}

static enum incident_move apply_acknowledgement(struct incident *incident,
						const struct incident_update *update,
						struct instant now, struct violations *violations)
{
	if (!(update->sent & INCIDENT_SENT_ACKNOWLEDGED))
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

enum event_kind incident_apply(struct incident *incident, const struct incident_update *update,
			       struct instant now, bool *is_comment_new,
			       struct violations *violations)
{
	enum incident_move move = apply_acknowledgement(incident, update, now, violations);
	*is_comment_new = update->sent & INCIDENT_SENT_COMMENT &&
			  !str_eq(str_from(incident->comment), str_from(update->input.comment));
	if (*is_comment_new)
		incident->comment = update->input.comment;
	if (move == INCIDENT_MOVED)
		return update->input.acknowledged_at ? EVENT_INCIDENT_ACKNOWLEDGED
						     : EVENT_INCIDENT_UNACKNOWLEDGED;
	return *is_comment_new ? EVENT_INCIDENT_COMMENTED : EVENT_NONE;
}
