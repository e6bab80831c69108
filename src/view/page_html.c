/* index.html */
#include "view/page_incident.h"
#include "view/page_log.h"
#include "view/page_systems.h"

/* Whether something is open, so that readers wait for news. */
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
	buf_puts(out, "</div></section>\n");
}

/* Appends the open incidents of this kind, newest first. Returns true if there are any, or if
 * `before` is true. */
static bool put_open_of(const struct page_view *view, int kind, bool before)
{
	const struct page_snapshot *snapshot = view->snapshot;
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct page_incident *incident = &snapshot->incidents[i];
		if (incident->row.kind != kind || incident->row.ended_at.s > 0 ||
		    !page_incident_stands_alone(incident))
			continue;
		if (!before) {
			page_put_section(view, "open");
			page_say(view, SAY_OPEN_INCIDENTS);
			buf_puts(view->out, "</h2>\n");
		}
		before = true;
		page_put_open_incident(view, incident);
	}
	return before;
}

/* Appends first the incidents that people have written about. */
static void put_open_incidents(const struct page_view *view)
{
	bool is_any = put_open_of(view, INCIDENT_REPORTED, false);
	if (put_open_of(view, INCIDENT_DETECTED, is_any))
		buf_puts(view->out, "</section>\n");
}

/* Whether the window is planned, or was cancelled before the time for which it was planned, which
 * has not come yet. */
static bool is_upcoming(const struct page_maintenance *maintenance)
{
	return maintenance->status == PHASE_SCHEDULED || maintenance->is_off_ahead;
}

static void put_maintenances(const struct page_view *view, bool are_upcoming)
{
	const struct page_snapshot *snapshot = view->snapshot;
	bool is_begun = false;
	for (size_t i = 0; i < snapshot->maintenance_count; i++) {
		const struct page_maintenance *one = &snapshot->maintenances[i];
		if (are_upcoming ? !is_upcoming(one) : !page_maintenance_is_on(one))
			continue;
		if (are_upcoming && page_maintenance_repeated(snapshot, one))
			continue;
		if (!is_begun) {
			page_put_section(view, are_upcoming ? "upcoming" : "maintenance");
			page_say(view, are_upcoming ? SAY_UPCOMING_MAINTENANCE : SAY_MAINTENANCE);
			buf_puts(view->out, "</h2>\n");
		}
		is_begun = true;
		page_put_maintenance(view, one);
	}
	if (is_begun)
		buf_puts(view->out, "</section>\n");
}

/* Links to the newest months; each month links to the month before it. */
static void put_months(const struct page_view *view)
{
	enum { SHOWN_MAX = 12 };
	const struct page_snapshot *snapshot = view->snapshot;
	if (snapshot->month_count == 0)
		return;
	buf_puts(view->out,
		 "<nav class=\"months\" aria-labelledby=\"months\">\n<h2 id=\"months\">");
	page_say(view, SAY_MONTH_BY_MONTH);
	buf_puts(view->out, "</h2>\n");
	for (size_t i = 0; i < snapshot->month_count && i < SHOWN_MAX; i++) {
		const struct page_month *month = &snapshot->months[i];
		buf_printf(view->out, "<a href=\"%s\">", page_month_file(view->arena, month->name));
		html_text(view->out, page_month_name(snapshot, month, view->arena));
		buf_puts(view->out, "</a>\n");
	}
	buf_puts(view->out, "</nav>\n");
}

void page_html(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	struct page_view view = { out, snapshot, &locale, arena, "", false, is_live(snapshot) };
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
	page_put_header(&view, true);
	buf_puts(out, "<main id=\"main\">\n");
	put_banner(&view);
	put_open_incidents(&view);
	put_maintenances(&view, false);
	put_maintenances(&view, true);
	page_put_systems(&view);
	page_put_log(&view);
	put_months(&view);
	buf_puts(out, "</main>\n");
	page_put_footer(&view);
}
