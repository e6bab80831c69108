#include "view/page_impact.h"

#include "view/page_texts.h"

enum { ANY_MONITOR = 0 };

/* The worst impact on this monitor, or on any monitor. */
static int worst_impact(const struct incident *incident, struct page_incidents all, int stated,
			int64_t monitor_id)
{
	bool has_ended = incident->ended_at.s > 0;
	int worst = stated;
	if (has_ended && stated != INCIDENT_IMPACT_NONE)
		return stated;
	for (size_t i = 0; i < all.count; i++) {
		const struct incident *found = &all.first[i].row;
		const struct page_incident *inside = all.first[i].inside;
		if (!inside || inside->row.id != incident->id || found->impact <= worst)
			continue;
		if (monitor_id != ANY_MONITOR && found->monitor_id != monitor_id)
			continue;
		if (has_ended || found->ended_at.s == 0)
			worst = found->impact;
	}
	return worst;
}

int page_incident_impact(const struct incident *incident, struct page_incidents all)
{
	return worst_impact(incident, all, incident->impact, ANY_MONITOR);
}

struct incident_monitor *page_incident_monitors(const struct incident *incident,
						struct page_incidents all, struct arena *arena)
{
	struct incident_monitor *monitors =
		ARENA_ARRAY(arena, incident->monitor_count, struct incident_monitor);
	for (size_t i = 0; i < incident->monitor_count; i++) {
		monitors[i] = incident->monitors[i];
		/* A system without an impact works, even while the incident as a whole has an
		 * impact. */
		if (incident->ended_at.s == 0 || incident->impact == INCIDENT_IMPACT_NONE)
			monitors[i].impact =
				worst_impact(incident, all, monitors[i].impact, monitors[i].id);
	}
	return monitors;
}

/* The impact on a system before the last updates said that it works again. */
static int past_impact(const struct incident_monitor *monitor)
{
	return monitor->has_outage ? INCIDENT_MAJOR_OUTAGE : monitor->lesser_impact;
}

void page_put_incident_systems(const struct page_view *view, const struct incident *incident,
			       struct page_incidents all)
{
	struct incident_monitor *monitors = page_incident_monitors(incident, all, view->arena);
	int whole = page_incident_impact(incident, all);
	bool has_had_impact = incident->ended_at.s > 0 && whole != INCIDENT_IMPACT_NONE;
	bool differs = false;
	for (size_t i = 0; i < incident->monitor_count; i++) {
		if (has_had_impact && monitors[i].impact == INCIDENT_IMPACT_NONE)
			monitors[i].impact = past_impact(&monitors[i]);
		differs = differs || monitors[i].impact != whole;
	}
	page_put_affected(view, monitors, incident->monitor_count, differs);
}
