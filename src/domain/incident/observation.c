#include "domain/incident/observation.h"

const char *observation_outcome_word(enum observation_outcome outcome)
{
	static const char *const words[] = { "unchanged", "opened", "resolved", "recorded" };
	return words[outcome];
}

bool observation_is_addition(enum observation_outcome outcome)
{
	return outcome == OBSERVATION_OPENED || outcome == OBSERVATION_RECORDED;
}

int observation_impact(const struct observation *observation)
{
	return observation->has_impact ? observation->impact : INCIDENT_MAJOR_OUTAGE;
}

struct incident observation_incident(const struct observation *observation)
{
	return (struct incident){
		.account_id = observation->account_id,
		.monitor_id = observation->monitor_id,
		.title = observation->title,
		.cause = observation->cause,
		.started_at = observation->at,
		.ended_at = observation->ended_at,
		.impact = observation_impact(observation),
	};
}

struct instant observation_time(struct instant given, struct instant now)
{
	return given.s > now.s ? now : given;
}

struct instant observation_believed(struct instant stored, struct instant now)
{
	return stored.s > now.s ? (struct instant){ 0 } : stored;
}

bool observation_settle(struct observation *observation, struct instant *last_up_at,
			struct instant now)
{
	if (!observation->is_now && observation->at.s > now.s + OBSERVATION_SKEW_S)
		return false;
	observation->now = now;
	observation->at = observation->is_now ? now : observation_time(observation->at, now);
	*last_up_at = observation_believed(*last_up_at, now);
	return true;
}

enum observation_verdict observation_judge_down(const struct observation *observation,
						struct instant last_up_at,
						const struct incident *last)
{
	if (observation->is_now)
		return OBSERVATION_OPEN;
	if (last && observation_is_within(last, observation->at, observation->now))
		return OBSERVATION_KNOWN;
	return last_up_at.s > observation->at.s ? OBSERVATION_RECORD : OBSERVATION_OPEN;
}

bool observation_is_within(const struct incident *incident, struct instant at, struct instant now)
{
	if (incident->started_at.s == at.s)
		return true;
	if (incident->started_at.s > at.s)
		return false;
	return incident->ended_at.s == 0 || observation_believed(incident->ended_at, now).s > at.s;
}

bool observation_backdates(const struct incident *open, const struct incident *former,
			   struct instant at)
{
	if (at.s >= open->started_at.s)
		return false;
	return !former || (former->ended_at.s > 0 && former->ended_at.s <= at.s);
}

bool observation_is_latest_up(const struct observation *observation, struct instant last_up_at)
{
	return observation->at.s > last_up_at.s;
}

bool observation_begins_record(const struct observation *observation, struct instant known_since)
{
	return known_since.s == 0 || known_since.s > observation->at.s;
}

bool observation_ends(const struct observation *observation, const struct incident *open)
{
	int64_t started_s = open->started_at.s;
	if (observation->is_now)
		return true;
	if (started_s > observation->now.s)
		started_s = observation->now.s - OBSERVATION_SKEW_S;
	return observation->at.s >= started_s;
}

enum incident_move observation_end(struct incident *incident, struct instant at, struct instant now)
{
	struct instant end = observation_time(at, now);
	if (incident_status(incident) != INCIDENT_RESOLVED && incident->started_at.s > now.s)
		incident->started_at = end;
	return incident_resolve(incident, end);
}

bool observation_goes_on(int64_t firing, struct instant first_new, struct instant ended_at)
{
	return firing > 0 || (first_new.s > 0 && first_new.s <= ended_at.s);
}
