#include "domain/maintenance/maintenance_typed.h"

#include <string.h>

#include "domain/maintenance/recurrence_summary.h"

static const struct field rows[] = {
	FIELD(struct maintenance_typed, starts_at), FIELD(struct maintenance_typed, ends_at),
	FIELD(struct maintenance_typed, duration),  FIELD(struct maintenance_typed, time_zone),
	FIELD(struct maintenance_typed, rrule),	    FIELD(struct maintenance_typed, other),
};
const struct fields maintenance_typed_fields = { rows, ARRAY_LEN(rows) };

static bool is_text(const char *text)
{
	return text && text[0];
}

static bool is_equal(const char *text, const char *other)
{
	return text && strcmp(text, other) == 0;
}

/* Returns whether the text is a time without zone. The API checks other texts. */
static bool is_local(const char *text, struct local_time *local)
{
	return text && local_time_parse(text, local);
}

/* Returns the seconds between two local times. The beginning or end of summer time between them
 * does not count. */
static int64_t seconds_between(const struct local_time *from, const struct local_time *to)
{
	return zone_instant(zone_utc(), to).s - zone_instant(zone_utc(), from).s;
}

static bool settle_recurring(struct maintenance_typed *typed, struct arena *arena)
{
	struct local_time start, end;
	if (typed->time_zone && !is_text(typed->time_zone))
		typed->time_zone = zone_name(zone_utc());
	if (!is_local(typed->starts_at, &start))
		return true;
	typed->starts_at = local_time_text(&start, arena);
	if (is_text(typed->duration) || !is_local(typed->ends_at, &end))
		return true;
	const int64_t length_s = seconds_between(&start, &end);
	typed->duration = arena_printf(arena, "%lld", (long long)length_s);
	typed->ends_at = "";
	return length_s > 0;
}

static const char *to_utc(const char *text, const struct zone *zone, struct arena *arena)
{
	char utc[INSTANT_TEXT_SIZE];
	struct local_time local;
	if (!is_local(text, &local))
		return text;
	return arena_strdup(arena, instant_format(zone_instant(zone, &local), utc));
}

/* Converts the times of a window that takes place once to UTC. Removes the zone, which the API does
 * not need. Leaves a zone that does not exist, so that the API rejects it. */
static void settle_single(struct maintenance_typed *typed, struct arena *arena)
{
	const struct zone *zone = is_text(typed->time_zone) ? zone_find(typed->time_zone)
							    : zone_utc();
	typed->starts_at = to_utc(typed->starts_at, zone ? zone : zone_utc(), arena);
	typed->ends_at = to_utc(typed->ends_at, zone ? zone : zone_utc(), arena);
	if (!typed->rrule)
		return;
	if (typed->duration)
		typed->duration = "";
	if (typed->time_zone && zone)
		typed->time_zone = "";
}

bool maintenance_settle_typed(struct maintenance_typed *typed, struct arena *arena)
{
	struct local_time start;
	const struct str other = str_trim(str_from(typed->other));
	if (is_equal(typed->rrule, RECURRENCE_OTHER))
		typed->rrule = other.len > 0 ? arena_strndup(arena, other.data, other.len)
					     : "INTERVAL=1"; /* the API refuses it: no FREQ */
	else if (is_equal(typed->rrule, RECURRENCE_NTH_WEEKDAY))
		typed->rrule = is_local(typed->starts_at, &start)
				       ? recurrence_nth_rule(&start, arena)
				       : "FREQ=MONTHLY";
	if (is_text(typed->rrule))
		return settle_recurring(typed, arena);
	settle_single(typed, arena);
	return true;
}

static struct maintenance_typed typed_of_recurring(const struct maintenance *maintenance,
						   struct arena *arena)
{
	const struct recurrence recurrence = maintenance_recurrence(maintenance);
	const char *nth = recurrence_nth_rule(&recurrence.start, arena);
	const struct instant start = zone_instant(zone_utc(), &recurrence.start);
	const struct local_time end =
		zone_local(zone_utc(), (struct instant){ start.s + maintenance->duration });
	return (struct maintenance_typed){
		.starts_at = maintenance->starts_at,
		.ends_at = local_time_text(&end, arena),
		.time_zone = maintenance->time_zone,
		.rrule = is_equal(nth, maintenance->rrule) ? RECURRENCE_NTH_WEEKDAY
							   : maintenance->rrule,
	};
}

/* Returns whether the local time of `at` converts back to `at`. If the local time occurs twice,
 * only its first moment does. */
static bool is_exact(const struct zone *zone, struct instant at)
{
	const struct local_time local = zone_local(zone, at);
	return zone_instant(zone, &local).s == at.s;
}

struct maintenance_typed maintenance_typed_of(const struct maintenance *maintenance,
					      const struct zone *zone, struct arena *arena)
{
	if (maintenance->rrule)
		return typed_of_recurring(maintenance, arena);
	if (!is_exact(zone, maintenance->first_at) || !is_exact(zone, maintenance->ends_at))
		zone = zone_utc();
	const struct local_time start = zone_local(zone, maintenance->first_at),
				end = zone_local(zone, maintenance->ends_at);
	return (struct maintenance_typed){ .starts_at = local_time_text(&start, arena),
					   .ends_at = local_time_text(&end, arena),
					   .time_zone = zone_name(zone),
					   .rrule = "" };
}
