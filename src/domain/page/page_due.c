/* Computes when the files of a page become out of date, even if no row of the database changes. */
#include "domain/page/page_maintenance.h"
#include "domain/page/page_snapshot.h"

/* Returns the interval at which a page with an open incident of this age is published again. */
static int64_t refresh_interval_s(int64_t age_s)
{
	enum { YOUNG_S = 3600, YOUNG_INTERVAL_S = 180, INTERVAL_S = 900 };
	return age_s < YOUNG_S ? YOUNG_INTERVAL_S : INTERVAL_S;
}

static void bring_forward(struct instant *due, const struct page_snapshot *snapshot, int64_t at)
{
	if (at > snapshot->now.s && at < due->s)
		due->s = at;
}

/* Returns when the first percentage or bar changes. The time is at least 15 seconds ahead, and
 * another 15 seconds for each 100 monitors, since a larger page costs more to publish. */
static struct instant next_figure(const struct page_snapshot *snapshot)
{
	enum { INTERVAL_S = 15, MONITORS = 100 };
	const int64_t least_s =
		INTERVAL_S * (1 + (int64_t)snapshot->monitor_count / (int64_t)MONITORS);
	int64_t first_s = DAY_S;
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		const struct page_monitor *monitor = &snapshot->monitors[i];
		/* The figures of an unobserved system do not change. */
		if (monitor->unobserved_since.s > 0 && !monitor->open)
			continue;
		int64_t next_s = uptime_next_change_s(monitor->days, monitor->is_down);
		if (next_s > 0 && next_s < first_s)
			first_s = next_s;
	}
	return (struct instant){ snapshot->now.s + (first_s > least_s ? first_s : least_s) };
}

struct instant page_snapshot_due(const struct page_snapshot *snapshot)
{
	struct instant due = snapshot->calendar.starts[UPTIME_DAYS];
	int64_t now = snapshot->now.s;
	/* On a day of 25 hours, midnight may be more than 24 hours ahead: the page is then
	 * published once more. If midnight is further ahead than that, a clock was wrong. */
	if (due.s > now + DAY_S)
		due.s = now + DAY_S;
	bring_forward(&due, snapshot, next_figure(snapshot).s);
	if (snapshot->has_response_times)
		bring_forward(&due, snapshot,
			      page_response_end(snapshot->now).s + 3600 + PAGE_RESPONSE_DELAY_S);
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		const struct incident *open = snapshot->monitors[i].open;
		if (open)
			bring_forward(&due, snapshot,
				      now + refresh_interval_s(now - open->started_at.s));
	}
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct incident *incident = &snapshot->incidents[i].row;
		if (incident->ended_at.s > 0)
			continue;
		if (incident->kind == INCIDENT_REPORTED)
			bring_forward(&due, snapshot,
				      now + refresh_interval_s(now - incident->started_at.s));
		bring_forward(&due, snapshot, incident->next_update_at.s);
	}
	bring_forward(&due, snapshot, snapshot->replaced_until.s);
	int64_t maintenance_s = page_maintenance_due(snapshot).s;
	if (maintenance_s > 0 && maintenance_s < due.s)
		due.s = maintenance_s;
	return due;
}
