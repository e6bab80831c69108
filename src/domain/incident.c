#include "domain/incident.h"

#include "base/str.h"

/* The first two rows have the bits of enum incident_sent. */
static const struct field update_rows[] = {
	FIELD(struct incident_input, comment, .max_chars = INCIDENT_COMMENT_MAX_CHARS),
	FIELD(struct incident_input, acknowledged_at, .flags = FIELD_OR_AS_READ),
	FIELD_KEPT("id"),
	FIELD_KEPT("monitor_id"),
	FIELD_KEPT("monitor"),
	FIELD_KEPT("cause"),
	FIELD_KEPT("status"),
	FIELD_KEPT("started_at"),
	FIELD_KEPT("ended_at"),
	FIELD_KEPT("duration"),
	FIELD_KEPT("created_at"),
	FIELD_KEPT("updated_at"),
};
const struct fields incident_update_fields = { update_rows, ARRAY_LEN(update_rows) };

enum incident_status incident_status(const struct incident *incident)
{
	if (incident->ended_at.s > 0)
		return INCIDENT_RESOLVED;
	return incident->acknowledged_at.s > 0 ? INCIDENT_ACKNOWLEDGED : INCIDENT_UNRESOLVED;
}

const char *incident_status_word(enum incident_status status)
{
	static const char *const words[] = { "unresolved", "acknowledged", "resolved" };
	return words[status];
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
