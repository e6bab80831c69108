#include "view/page/page_impact.h"

#include "domain/incident/update_impacts.h"
#include "view/page/page_texts.h"

enum { ANY_MONITOR = 0 };

/* Returns the worst impact on this monitor, or on any monitor (ANY_MONITOR). */
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
		/* The incidents inside count if the incident is open, or if its impact is none.
		 * Otherwise all stored impacts are final, even an impact of none. */
		if (incident->ended_at.s == 0 || incident->impact == INCIDENT_IMPACT_NONE)
			monitors[i].impact =
				worst_impact(incident, all, monitors[i].impact, monitors[i].id);
	}
	return monitors;
}

/* Returns the worst impact that the system had during the incident. */
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

/* Returns the name of the incident's system with this id. NULL: the page does not show it. */
static const char *name_of(const struct incident *incident, int64_t monitor_id)
{
	for (size_t i = 0; i < incident->monitor_count; i++)
		if (incident->monitors[i].id == monitor_id)
			return incident->monitors[i].name;
	return incident->kind == INCIDENT_DETECTED && incident->monitor_id == monitor_id
		       ? incident->monitor_name
		       : NULL;
}

/* Appends the state of a system with this impact; without an impact, "operational". */
static void put_state_of(const struct page_view *view, int impact)
{
	if (impact == INCIDENT_IMPACT_NONE)
		page_put_state(view, TONE_UP, SAY_OPERATIONAL);
	else
		page_put_impact(view, impact);
}

static void put_change(const struct page_view *view, const char *name, int before, int after)
{
	buf_puts(view->out, "<li><bdi>");
	page_put_name(view, name);
	buf_puts(view->out, "</bdi> ");
	put_state_of(view, before);
	buf_puts(view->out, " <span class=\"to\">\u2192</span> ");
	put_state_of(view, after);
	buf_puts(view->out, "</li>\n");
}

void page_put_changes(const struct page_view *view, const struct incident *incident,
		      const struct posted_update *update, bool is_after_end)
{
	enum { SHOWN_MAX = 6 };
	const struct update_impacts impacts = update_impacts_of(update->impacts, view->arena);
	size_t count = 0;
	for (size_t i = 0; i < impacts.count; i++) {
		const struct update_impact *row = &impacts.rows[i];
		const char *name = name_of(incident, row->monitor_id);
		int before = is_after_end ? (int)INCIDENT_IMPACT_NONE : row->before;
		int after = update->phase == PHASE_RESOLVED ? (int)INCIDENT_IMPACT_NONE
							    : row->after;
		if (!name || before == after || ++count > SHOWN_MAX)
			continue;
		if (count == 1)
			buf_puts(view->out, "<ul class=\"chips\">\n");
		put_change(view, name, before, after);
	}
	if (count > SHOWN_MAX) {
		buf_puts(view->out, "<li>");
		page_say_count(view, SAY_MORE, count - SHOWN_MAX);
		buf_puts(view->out, "</li>\n");
	}
	if (count > 0)
		buf_puts(view->out, "</ul>\n");
}
