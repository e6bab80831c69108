#include "view/page/page_log.h"

#include "view/page/page_history.h"
#include "view/page/page_incident.h"

/* A day of the log. */
struct log_day {
	struct instant start, next;
	bool is_first; /* the oldest day of the log; it also lists earlier events that reach into it
			*/
};

/* The oldest day of the log, as an index of the days of the bars. */
enum { FIRST_DAY = UPTIME_DAYS - PAGE_RECENT_DAYS };

static struct log_day day_of(const struct page_view *view, size_t days_ago)
{
	size_t at = UPTIME_DAYS - 1 - days_ago;
	const struct instant *starts = view->snapshot->calendar.starts;
	return (struct log_day){ starts[at], starts[at + 1], at == FIRST_DAY };
}

static bool overlaps(const struct page_snapshot *snapshot, const struct page_incident *incident,
		     const struct log_day *day)
{
	return page_incident_stands_alone(incident) &&
	       page_incident_touches(&incident->row, day->start, day->next, snapshot->now);
}

static bool begins(struct instant at, const struct log_day *day)
{
	return at.s < day->next.s && (at.s >= day->start.s || day->is_first);
}

/* Returns whether the log lists the window on this day. A window is listed on the day on which it
 * began, but only after its end. */
static bool has_maintenance(const struct page_maintenance *maintenance, const struct log_day *day,
			    struct instant now)
{
	bool is_over = maintenance->status == PHASE_COMPLETED ||
		       (maintenance->status == PHASE_CANCELLED && maintenance->starts_at.s < now.s);
	return is_over && begins(maintenance->starts_at, day);
}

/* Returns the number of entries of the day. */
static size_t count_entries(const struct page_snapshot *snapshot, const struct log_day *day)
{
	size_t count = 0;
	for (size_t i = 0; i < snapshot->incident_count; i++)
		count += overlaps(snapshot, &snapshot->incidents[i], day);
	for (size_t i = 0; i < snapshot->maintenance_count; i++)
		count += has_maintenance(&snapshot->maintenances[i], day, snapshot->now);
	return count;
}

bool page_log_has_day(const struct page_view *view, size_t day)
{
	if (day < FIRST_DAY)
		return false;
	const struct log_day its = day_of(view, UPTIME_DAYS - 1 - day);
	return count_entries(view->snapshot, &its) > 0;
}

/*
 * Appends an incident to a day of the log. A resolved incident is shown in full on the day when it
 * began, or on the oldest day of the log. On each later day that it touches, the log has only a
 * link to it. An open incident has only links.
 */
static void put_incident(const struct page_view *view, const struct page_incident *incident,
			 const struct log_day *day)
{
	const struct page_snapshot *snapshot = view->snapshot;
	bool is_open = incident->row.ended_at.s == 0;
	if (begins(incident->row.started_at, day) && !is_open) {
		page_put_past_incident(view, incident, snapshot->incidents,
				       snapshot->incident_count);
		return;
	}
	page_put_going_on(view, &incident->row, day->next);
}

/* Appends a link to the page of the month (in UTC) that has the incident `next`. `next` is the
 * first incident that the day leaves out, `more` is the number of such incidents. */
static void put_more(const struct page_view *view, const struct log_day *day,
		     const struct incident *next, size_t more)
{
	char text[INSTANT_TEXT_SIZE];
	struct instant at = next->started_at.s > day->start.s ? next->started_at : day->start;
	const char *month = arena_strndup(view->arena, instant_format(at, text), 7);
	buf_printf(view->out, "<li class=\"also\"><a href=\"%s\">",
		   page_month_file(view->arena, month));
	page_say_count(view, SAY_MORE, more);
	buf_puts(view->out, "</a></li>\n");
}

/* Appends a day: its windows, its first PAGE_DAY_INCIDENTS_MAX incidents with loaded texts, and a
 * link to the month for the other incidents. */
static void put_day(const struct page_view *view, const struct log_day *day)
{
	const struct page_snapshot *snapshot = view->snapshot;
	const struct incident *next = NULL;
	size_t shown = 0, more = 0;
	buf_printf(view->out, "<div class=\"day\"><h3 id=\"%s\">%s</h3>\n<ul class=\"log\">\n",
		   page_day_id(view, day->start), html_date(view->locale, day->start, view->arena));
	for (size_t i = 0; i < snapshot->maintenance_count; i++)
		if (has_maintenance(&snapshot->maintenances[i], day, snapshot->now))
			page_put_past_maintenance(view, &snapshot->maintenances[i], NULL, 0);
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct page_incident *incident = &snapshot->incidents[i];
		if (!overlaps(snapshot, incident, day))
			continue;
		if (shown < PAGE_DAY_INCIDENTS_MAX && !incident->lacks_texts) {
			put_incident(view, incident, day);
			shown++;
			continue;
		}
		if (!next)
			next = &incident->row;
		more++;
	}
	if (next)
		put_more(view, day, next, more);
	buf_puts(view->out, "</ul></div>\n");
}

void page_put_log(const struct page_view *page)
{
	struct page_view below = *page;
	const struct page_view *view = &below;
	struct arena *arena = view->arena;
	below.is_below_days = true;
	page_begin_section(view, "past");
	page_say_with(view, SAY_LAST_DAYS, PAGE_RECENT_DAYS,
		      WORD_VALUES({ "days", arena_printf(arena, "%d", PAGE_RECENT_DAYS) },
				  { "zone", locale_zone_name(view->locale, view->snapshot->now) }));
	buf_puts(view->out, "</h2>\n");
	for (size_t i = 0; i < PAGE_RECENT_DAYS;) {
		struct log_day day = day_of(view, i++), last = day;
		if (count_entries(view->snapshot, &day) > 0) {
			put_day(view, &day);
			continue;
		}
		for (; i < PAGE_RECENT_DAYS; i++) {
			struct log_day before = day_of(view, i);
			if (count_entries(view->snapshot, &before) > 0)
				break;
			last = before;
		}
		buf_puts(view->out, "<p class=\"quiet\">");
		page_say_with(view, SAY_NO_INCIDENTS_ON, 0,
			      WORD_VALUES({ "dates", html_dates(view->locale, last.start, day.start,
								arena) }));
		buf_puts(view->out, "</p>\n");
	}
	buf_puts(view->out, "</section>\n");
}
