#include "domain/report_time.h"

struct instant report_time(struct instant given, struct instant now)
{
	return given.s > now.s ? now : given;
}

struct instant report_believed(struct instant stored, struct instant now)
{
	return stored.s > now.s ? (struct instant){ 0 } : stored;
}

bool report_is_within(const struct incident *incident, struct instant at, struct instant now)
{
	if (incident->started_at.s == at.s)
		return true;
	if (incident->started_at.s > at.s)
		return false;
	return incident->ended_at.s == 0 || report_believed(incident->ended_at, now).s > at.s;
}

bool report_ends(const struct incident *open, struct instant at, struct instant now)
{
	int64_t started_s = open->started_at.s;
	if (started_s > now.s)
		started_s = now.s - REPORT_SKEW_S;
	return at.s >= started_s;
}

enum incident_move report_end(struct incident *incident, struct instant at, struct instant now)
{
	struct instant end = report_time(at, now);
	if (incident_status(incident) != INCIDENT_RESOLVED && incident->started_at.s > now.s)
		incident->started_at = end;
	return incident_resolve(incident, end);
}
