/* The page of a month: its incidents and maintenance windows, by days. */
#include "view/page/page_history.h"

#include "view/page/page_incident.h"
#include "view/page/page_report.h"

const char *page_day_id(const struct page_view *view, struct instant day)
{
	struct local_time t = locale_time(view->locale, day);
	return arena_printf(view->arena, "day-%04d-%02d-%02d", t.year, t.month, t.day);
}

const char *page_history_link(const struct page_view *view, struct instant at)
{
	const struct page_snapshot *snapshot = view->snapshot;
	for (size_t i = 0; i < snapshot->month_count; i++) {
		const struct page_month *month = &snapshot->months[i];
		if (month->start.s <= at.s && at.s < page_month_end(month).s)
			return arena_printf(
				view->arena, "%s#%s", page_month_file(view->arena, month->name),
				page_day_id(view, locale_day_start(view->locale, at, 0)));
	}
	return NULL;
}

static void put_neighbour(const struct page_view *view, const struct page_month *month,
			  enum sentence sentence)
{
	buf_printf(view->out, "<a href=\"%s\">", page_month_file(view->arena, month->name));
	page_say_with(
		view, sentence, 0,
		WORD_VALUES({ "month", page_month_name(view->locale, month->start, view->arena) }));
	buf_puts(view->out, "</a>\n");
}

static void put_neighbours(const struct page_view *view, size_t at)
{
	const struct page_snapshot *snapshot = view->snapshot;
	page_say_in(view, "<nav class=\"months\" aria-label=\"", SAY_OTHER_MONTHS, "\">\n");
	page_say_in(view, "<a href=\"./\">", SAY_CURRENT_STATE, "</a>\n");
	if (at > 0)
		put_neighbour(view, &snapshot->months[at - 1], SAY_LATER_MONTH);
	if (at + 1 < snapshot->month_count)
		put_neighbour(view, &snapshot->months[at + 1], SAY_EARLIER_MONTH);
	const struct page_report_month *report =
		page_report_month_of(snapshot, snapshot->months[at].name);
	if (report)
		page_put_report_link(view, report, SAY_REPORT_OF);
	buf_puts(view->out, "</nav>\n");
}

/* An entry of the month: an incident or a window. */
struct entry {
	const struct page_incident *incident;
	const struct page_maintenance *maintenance;
};

/* The entry to write next, and the indexes of the incident and the window after it. */
struct place {
	size_t incident, maintenance;
	struct entry entry;
	bool has_entry;
};

/* Sets *entry to the incident or the window at the indexes, whichever began later, and increments
 * its index. Returns false at the end of both arrays. */
static bool next_entry(const struct page_month *month, size_t *incident, size_t *maintenance,
		       struct entry *entry)
{
	while (*incident < month->incident_count &&
	       !page_incident_stands_alone(&month->incidents[*incident]))
		++*incident;
	const bool has_incident = *incident < month->incident_count;
	const bool has_maintenance = *maintenance < month->maintenance_count;
	*entry = (struct entry){ 0 };
	if (has_incident &&
	    (!has_maintenance || month->incidents[*incident].row.started_at.s >=
					 month->maintenances[*maintenance].starts_at.s))
		entry->incident = &month->incidents[(*incident)++];
	else if (has_maintenance)
		entry->maintenance = &month->maintenances[(*maintenance)++];
	return entry->incident || entry->maintenance;
}

static void put_entry(const struct page_view *view, const struct page_month *month,
		      const struct entry *entry)
{
	if (entry->incident)
		page_put_past_incident(view, entry->incident, month->incidents,
				       month->incident_count);
	else
		page_put_past_maintenance(view, entry->maintenance, month->incidents,
					  month->incident_count);
}

static struct instant day_of_entry(const struct page_view *view, const struct entry *entry)
{
	struct instant at = entry->incident ? entry->incident->row.started_at
					    : entry->maintenance->starts_at;
	return locale_day_start(view->locale, at, 0);
}

enum {
	MONTH_DAYS_MAX = 33, /* a month in UTC overlaps with at most this many local days */
	GOING_ON_MAX = 50,   /* a day lists at most this many incidents that began earlier */
};

/* The days that have an id on the page. */
struct days {
	struct instant *rows;
	size_t count;
};

/* Adds the day to the list. Returns false if the list has the day already. */
static bool add_day(struct days *days, struct instant day)
{
	for (size_t i = days->count; i > 0; i--)
		if (days->rows[i - 1].s == day.s)
			return false;
	days->rows[days->count++] = day;
	return true;
}

/* A day from `start` to `next`. Its times from `from` to `to` are in the month. */
struct day_time {
	struct instant start, from, to, next;
};

static struct day_time time_of(const struct page_view *view, const struct page_month *month,
			       struct instant day)
{
	struct instant next = locale_day_start(view->locale, day, 1), end = page_month_end(month);
	return (struct day_time){ day, day.s > month->start.s ? day : month->start,
				  next.s < end.s ? next : end, next };
}

/* Returns whether the incident began before the day and was open on it. Returns false for an
 * incident inside a window. Also returns false for an incident inside a reported incident that
 * touches the day. */
static bool goes_on(const struct page_incident *incident, const struct day_time *day,
		    struct instant now)
{
	if (incident->row.started_at.s >= day->start.s || incident->during ||
	    !page_incident_touches(&incident->row, day->from, day->to, now))
		return false;
	return !incident->inside ||
	       !page_incident_touches(&incident->inside->row, day->from, day->to, now);
}

/* Returns the number of incidents for which goes_on() is true. If `is_written`, also appends
 * them. */
static size_t put_going_on(const struct page_view *view, const struct page_month *month,
			   struct instant day, bool is_written)
{
	const struct day_time its = time_of(view, month, day);
	size_t count = 0;
	for (size_t i = 0; i < month->incident_count + month->earlier_count; i++) {
		const struct page_incident *incident = &month->incidents[i];
		if (goes_on(incident, &its, view->snapshot->now) && ++count <= GOING_ON_MAX &&
		    is_written)
			page_put_going_on(view, &incident->row, its.next);
	}
	if (is_written && count > GOING_ON_MAX) {
		buf_puts(view->out, "<li class=\"also\">");
		page_say_count(view, SAY_MORE, count - GOING_ON_MAX);
		buf_puts(view->out, "</li>\n");
	}
	return count;
}

/* Returns the days that have a heading. */
static struct days find_headings(const struct page_view *view, const struct page_month *month)
{
	/*
	 * Room for the days of all incidents (also those of put_inner_days()), for the days of all
	 * windows, and twice for all days of the month: for put_going_on(), and for put_older().
	 */
	size_t most = month->incident_count + month->maintenance_count + 2 * MONTH_DAYS_MAX;
	struct days days = { ARENA_ARRAY(view->arena, most, struct instant), 0 };
	size_t incident = 0, maintenance = 0;
	struct entry entry;
	while (next_entry(month, &incident, &maintenance, &entry))
		add_day(&days, day_of_entry(view, &entry));
	struct instant day = locale_day_start(view->locale, month->start, 0);
	for (int i = 0; i < MONTH_DAYS_MAX && day.s < page_month_end(month).s; i++) {
		if (put_going_on(view, month, day, false) > 0)
			add_day(&days, day);
		day = locale_day_start(view->locale, day, 1);
	}
	return days;
}

/* Appends an element with the day's id, to which bars link, unless the page already has this id. */
static void put_place(const struct page_view *view, struct days *days, struct instant day)
{
	if (add_day(days, day))
		buf_printf(view->out, "<span id=\"%s\"></span>", page_day_id(view, day));
}

/* Calls put_place() for the first day of each incident that is inside an entry of this day. */
static void put_inner_days(const struct page_view *view, const struct page_month *month,
			   struct days *days, struct instant heading)
{
	for (size_t i = 0; i < month->incident_count; i++) {
		const struct page_incident *incident = &month->incidents[i];
		if (page_incident_stands_alone(incident))
			continue;
		const struct entry outer = { incident->inside, incident->during };
		if (day_of_entry(view, &outer).s == heading.s)
			put_place(view, days,
				  locale_day_start(view->locale, incident->row.started_at, 0));
	}
}

/* Appends how many of the oldest incidents the page leaves out. */
static void put_older(const struct page_view *view, const struct page_month *month,
		      struct days *days)
{
	struct instant last = month->incident_count > 0
				      ? month->incidents[month->incident_count - 1].row.started_at
				      : page_month_end(month);
	struct instant day = locale_day_start(view->locale, month->start, 0);
	buf_puts(view->out, "<p>");
	for (int i = 0; i < MONTH_DAYS_MAX && day.s <= last.s; i++) {
		put_place(view, days, day);
		day = locale_day_start(view->locale, day, 1);
	}
	page_say_count(view, SAY_OLDER_INCIDENTS, month->total - month->incident_count);
	buf_puts(view->out, "</p>\n");
}

/* Returns the day with which the list begins: today, or the last day of a past month. If the newest
 * entry began later, returns its day. */
static struct instant newest_day(const struct page_view *view, const struct page_month *month,
				 const struct entry *newest)
{
	struct instant last = { page_month_end(month).s - 1 };
	if (view->snapshot->now.s < last.s)
		last = view->snapshot->now;
	struct instant day = locale_day_start(view->locale, last, 0);
	bool is_entry = newest->incident || newest->maintenance;
	struct instant first = is_entry ? day_of_entry(view, newest) : day;
	return first.s > day.s ? first : day;
}

/* Appends a day: the entries that begin on it, from place->entry on, and the incidents of
 * put_going_on(). Returns false, and appends nothing, if the day has none of these. */
static bool put_day(const struct page_view *view, const struct page_month *month, struct days *days,
		    struct instant day, struct place *place)
{
	struct buf *out = view->out;
	bool begins = place->has_entry && day_of_entry(view, &place->entry).s == day.s;
	if (!begins && put_going_on(view, month, day, false) == 0)
		return false;
	buf_printf(out, "<div class=\"day\"><h3 id=\"%s\">", page_day_id(view, day));
	put_inner_days(view, month, days, day);
	buf_printf(out, "%s</h3>\n<ul class=\"log\">\n", html_date(view->locale, day, view->arena));
	while (place->has_entry && day_of_entry(view, &place->entry).s == day.s) {
		put_entry(view, month, &place->entry);
		place->has_entry =
			next_entry(month, &place->incident, &place->maintenance, &place->entry);
	}
	put_going_on(view, month, day, true);
	buf_puts(out, "</ul></div>\n");
	return true;
}

static void put_days(const struct page_view *view, const struct page_month *month)
{
	struct days days = find_headings(view, month);
	struct place place = { 0 };
	bool is_any = false;
	place.has_entry = next_entry(month, &place.incident, &place.maintenance, &place.entry);
	struct instant day = newest_day(view, month, &place.entry);
	const struct instant first = locale_day_start(view->locale, month->start, 0);
	for (int i = 0; i < MONTH_DAYS_MAX && day.s >= first.s; i++) {
		is_any |= put_day(view, month, &days, day, &place);
		day = locale_day_start(view->locale, day, -1);
	}
	/* The remaining entries are windows that began in an earlier month. */
	while (place.has_entry)
		is_any |= put_day(view, month, &days, day_of_entry(view, &place.entry), &place);
	if (!is_any)
		page_put_element(view, "p", SAY_NO_INCIDENTS);
	if (month->total > month->incident_count)
		put_older(view, month, &days);
	if (view->locale->zone != zone_utc())
		page_put_element(view, "p", SAY_MONTH_IS_UTC);
}

void page_history(struct buf *out, const struct page_snapshot *snapshot, size_t at,
		  struct arena *arena)
{
	const struct page_month *month = &snapshot->months[at];
	struct locale locale = locale_of_page(&snapshot->page);
	const char *name = page_month_name(&locale, month->start, arena);
	struct page_view view = { out, snapshot, &locale, arena, "", true, false };
	/* The title does not have today's state: a change of this state would rewrite all months of
	 * the history. */
	page_put_head(&view, &(struct page_head){ .part = name });
	page_put_header(&view, false);
	buf_puts(out, "<main id=\"main\">\n<h2>");
	html_text(out, name);
	buf_puts(out, "</h2>\n");
	put_days(&view, month);
	put_neighbours(&view, at);
	buf_puts(out, "</main>\n");
	page_put_footer(&view);
}

void page_history_frame(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct page_snapshot frame = *snapshot;
	struct posted_update update = { .phase = PHASE_RESOLVED, .body = "", .at = { DAY_S } };
	struct incident_monitor monitor = { .id = 1, .name = "" };
	struct page_incident samples[] = {
		{ .row = { .id = 3,
			   .monitor_name = "",
			   .cause = "",
			   .started_at = { 2 * DAY_S } } },
		{ .row = { .id = 2,
			   .kind = INCIDENT_REPORTED,
			   .title = "",
			   .cause = "",
			   .started_at = { DAY_S },
			   .ended_at = { 4 * DAY_S },
			   .monitors = &monitor,
			   .monitor_count = 1,
			   .postmortem = "",
			   .exclude_from_uptime = true },
		  .updates = { &update, 1 } },
		{ .row = { .id = 1,
			   .monitor_name = "",
			   .cause = "",
			   .comment = "",
			   .started_at = { DAY_S },
			   .acknowledged_at = { DAY_S },
			   .ended_at = { 2 * DAY_S } } },
	};
	struct page_maintenance window = { .id = 1,
					   .title = "",
					   .body = "",
					   .status = PHASE_COMPLETED,
					   .starts_at = { DAY_S },
					   .ends_at = { 2 * DAY_S },
					   .monitors = &monitor,
					   .monitor_count = 1 };
	struct page_month month = { .name = "",
				    .incidents = samples,
				    .incident_count = ARRAY_LEN(samples),
				    .total = ARRAY_LEN(samples) + 1,
				    .maintenances = &window,
				    .maintenance_count = 1 };
	frame.months = &month;
	frame.month_count = 1;
	/* `now` is after all sample entries, so that the frame has each kind of line. */
	frame.now = (struct instant){ 5 * DAY_S };
	page_history(out, &frame, 0, arena);
}
