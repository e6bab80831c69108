/* Writes index.html. */
#include "domain/page/page_maintenance.h"
#include "view/page/page_incident.h"
#include "view/page/page_log.h"
#include "view/page/page_months.h"
#include "view/page/page_systems.h"

/* Returns whether an incident is open or a maintenance window is in progress. */
static bool is_live(const struct page_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->incident_count; i++)
		if (snapshot->incidents[i].row.ended_at.s == 0)
			return true;
	for (size_t i = 0; i < snapshot->maintenance_count; i++)
		if (page_maintenance_is_on(&snapshot->maintenances[i]))
			return true;
	return false;
}

static size_t count_affected(const struct page_snapshot *snapshot)
{
	size_t count = 0;
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		count += page_monitor_state(&snapshot->monitors[i]) > SYSTEM_OPERATIONAL;
	return count;
}

static void put_count(const struct page_view *view, enum sentence sentence, size_t count)
{
	const size_t total = view->snapshot->monitor_count;
	if (count == 0 || total == 1)
		return;
	buf_puts(view->out, "<p>");
	page_say_with(view, sentence, count,
		      WORD_VALUES({ "count", arena_printf(view->arena, "%zu", count) },
				  { "total", arena_printf(view->arena, "%zu", total) }));
	buf_puts(view->out, "</p>\n");
}

/* Appends the open incidents of this kind, newest first. `before`: whether the section of open
 * incidents has begun. Begins it before the first incident. Returns the new value of `before`. */
static bool put_open_of(const struct page_view *view, int kind, bool before)
{
	const struct page_snapshot *snapshot = view->snapshot;
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct page_incident *incident = &snapshot->incidents[i];
		if (incident->row.kind != kind || incident->row.ended_at.s > 0 ||
		    !page_incident_stands_alone(incident))
			continue;
		if (!before)
			page_put_section(view, "open", SAY_OPEN_INCIDENTS);
		before = true;
		page_put_open_incident(view, incident);
	}
	return before;
}

/* Appends the open incidents, first those that people have reported. */
static void put_open_incidents(const struct page_view *view)
{
	bool is_any = put_open_of(view, INCIDENT_REPORTED, false);
	if (put_open_of(view, INCIDENT_DETECTED, is_any))
		buf_puts(view->out, "</section>\n");
}

/* Windows in progress, windows that begin soon, and windows that begin later. */
enum windows { WINDOWS_ON, WINDOWS_SOON, WINDOWS_LATER };

static enum windows windows_of(const struct page_view *view, const struct page_maintenance *one)
{
	if (!page_maintenance_is_ahead(one))
		return WINDOWS_ON;
	return page_maintenance_is_soon(one, view->snapshot->now) ? WINDOWS_SOON : WINDOWS_LATER;
}

/* Returns the next window of this kind, from index *at on; NULL: none. Skips windows whose times
 * are on the card of an earlier occurrence. */
static const struct page_maintenance *next_window(const struct page_view *view, size_t *at,
						  enum windows kind)
{
	const struct page_snapshot *snapshot = view->snapshot;
	while (*at < snapshot->maintenance_count) {
		const struct page_maintenance *one = &snapshot->maintenances[(*at)++];
		bool is_shown = page_maintenance_is_ahead(one) || page_maintenance_is_on(one);
		if (is_shown && windows_of(view, one) == kind &&
		    (kind == WINDOWS_ON || !page_maintenance_repeated(snapshot, one)))
			return one;
	}
	return NULL;
}

static bool has_windows(const struct page_view *view, enum windows kind)
{
	size_t at = 0;
	return next_window(view, &at, kind) != NULL;
}

/* Appends links to the windows that begin soon, because their cards are below the systems. */
static void put_soon(const struct page_view *view)
{
	const struct page_maintenance *one;
	for (size_t at = 0; (one = next_window(view, &at, WINDOWS_SOON));)
		if (one->status == PHASE_SCHEDULED)
			page_put_soon_window(view, one);
}

static void put_banner(const struct page_view *view)
{
	struct buf *out = view->out;
	const struct page_snapshot *snapshot = view->snapshot;
	enum tone tone = page_tone(snapshot);
	buf_printf(out, "<section class=\"overall %s\" aria-labelledby=\"state\">",
		   page_tone_class(tone));
	page_put_sign(view, tone);
	buf_puts(out, "<div>\n<h2 id=\"state\">");
	page_put_name(view, page_summary(snapshot, view->arena));
	buf_puts(out, "</h2>\n");
	put_count(view, SAY_SYSTEMS_AFFECTED, count_affected(snapshot));
	if (page_worst_state(snapshot) != SYSTEM_NO_DATA)
		put_count(view, SAY_SYSTEMS_WITHOUT_DATA, page_count_unobserved(snapshot));
	put_soon(view);
	buf_puts(out, "</div></section>\n");
}

static void put_windows(const struct page_view *view, enum windows kind)
{
	const struct page_maintenance *one;
	for (size_t at = 0; (one = next_window(view, &at, kind));)
		page_put_maintenance(view, one);
}

static void put_running(const struct page_view *view)
{
	if (!has_windows(view, WINDOWS_ON))
		return;
	page_put_section(view, "maintenance", SAY_MAINTENANCE);
	put_windows(view, WINDOWS_ON);
	buf_puts(view->out, "</section>\n");
}

/* Appends a line for each window that begins later. */
static void put_later(const struct page_view *view)
{
	const struct page_maintenance *one;
	buf_puts(view->out, "<ul class=\"card later\">\n");
	for (size_t at = 0; (one = next_window(view, &at, WINDOWS_LATER));)
		page_put_later_window(view, one);
	buf_puts(view->out, "</ul>\n");
}

static void put_upcoming(const struct page_view *view)
{
	bool has_later = has_windows(view, WINDOWS_LATER);
	if (!has_later && !has_windows(view, WINDOWS_SOON))
		return;
	page_put_section(view, "upcoming", SAY_UPCOMING_MAINTENANCE);
	put_windows(view, WINDOWS_SOON);
	if (has_later)
		put_later(view);
	buf_puts(view->out, "</section>\n");
}

void page_html(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	struct page_view view = { out, snapshot, &locale, arena, "", false, is_live(snapshot) };
	struct page_bars bars;
	enum tone tone = page_tone(snapshot);
	const char *summary = page_summary(snapshot, arena);
	bool is_well = tone == TONE_UP || snapshot->monitor_count == 0;
	page_put_head(&view,
		      &(struct page_head){ .part = is_well ? NULL : summary,
					   .description = snapshot->page.meta_description
								  ? snapshot->page.meta_description
								  : summary,
					   .path = "",
					   .tone = tone });
	page_bars_make(&bars, &view);
	page_put_header(&view, true);
	buf_puts(out, "<main id=\"main\">\n");
	put_banner(&view);
	put_open_incidents(&view);
	put_running(&view);
	page_put_systems(&view, &bars);
	put_upcoming(&view);
	page_put_log(&view);
	page_put_months(&view, &bars);
	buf_puts(out, "</main>\n");
	page_put_footer(&view);
}
