#include "domain/page_snapshot.h"

enum system_state page_monitor_state(const struct page_monitor *monitor)
{
	if (monitor->open)
		return SYSTEM_MAJOR_OUTAGE;
	return monitor->known_since.s > 0 ? SYSTEM_OPERATIONAL : SYSTEM_NO_DATA;
}

const char *system_state_name(enum system_state state)
{
	static const char *const names[] = { "no_data", "operational", "major_outage" };
	return names[state];
}

static const char *summary_without_outage(const struct page_snapshot *view)
{
	if (view->no_data_count == 0)
		return "All systems operational";
	if (view->no_data_count < view->monitor_count)
		return "All systems with data operational";
	return "No data yet";
}

const char *page_snapshot_summary(const struct page_snapshot *view, struct arena *arena)
{
	if (view->monitor_count == 0)
		return "No systems are shown yet";
	if (view->down_count == 0)
		return summary_without_outage(view);
	if (view->down_count == view->monitor_count)
		return view->down_count == 1 ? "The system is down" : "All systems are down";
	return arena_printf(arena, "%zu of %zu systems %s down", view->down_count,
			    view->monitor_count, view->down_count == 1 ? "is" : "are");
}

const char *page_snapshot_impact(const struct page_snapshot *view, size_t affected)
{
	if (affected == 0)
		return "none";
	if (2 * affected >= view->monitor_count)
		return "critical";
	return 10 * affected >= view->monitor_count ? "major" : "minor";
}

const char *page_incident_name(const struct page_snapshot *view, const struct incident *incident,
			       struct arena *arena)
{
	const char *text = incident->title	    ? incident->title
			   : view->page.show_causes ? incident->cause
						    : "";
	if (text[0] == '\0')
		return arena_printf(arena, "%s %s down", incident->monitor_name,
				    incident->ended_at.s > 0 ? "was" : "is");
	return arena_printf(arena, "%s: %s", incident->monitor_name, text);
}

/* Every three minutes in the first hour, every quarter of an hour later. */
static int64_t interval_s(int64_t age_s)
{
	enum { YOUNG_S = 3600, YOUNG_INTERVAL_S = 180, INTERVAL_S = 900 };
	return age_s < YOUNG_S ? YOUNG_INTERVAL_S : INTERVAL_S;
}

struct instant page_recent_start(struct instant now)
{
	return uptime_day_start(now, UPTIME_DAYS - PAGE_RECENT_DAYS);
}

struct instant page_snapshot_due(const struct page_snapshot *view)
{
	struct instant due = { uptime_midnight(view->now).s + DAY_S };
	for (size_t i = 0; i < view->monitor_count; i++) {
		const struct incident *open = view->monitors[i].open;
		if (!open)
			continue;
		int64_t then = view->now.s + interval_s(view->now.s - open->started_at.s);
		if (then < due.s)
			due.s = then;
	}
	return due;
}
