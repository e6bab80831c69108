/* The page of a month of history: its incidents by days. */
#include "view/page_history.h"

#include "view/page_incident.h"

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
		WORD_VALUES({ "month", page_month_name(view->snapshot, month, view->arena) }));
	buf_puts(view->out, "</a>\n");
}

static void put_neighbours(const struct page_view *view, size_t at)
{
	const struct page_snapshot *snapshot = view->snapshot;
	buf_puts(view->out, "<nav class=\"months\" aria-label=\"");
	page_say(view, SAY_OTHER_MONTHS);
	buf_puts(view->out, "\">\n<a href=\"./\">");
	page_say(view, SAY_CURRENT_STATE);
	buf_puts(view->out, "</a>\n");
	if (at > 0)
		put_neighbour(view, &snapshot->months[at - 1], SAY_LATER_MONTH);
	if (at + 1 < snapshot->month_count)
		put_neighbour(view, &snapshot->months[at + 1], SAY_EARLIER_MONTH);
	buf_puts(view->out, "</nav>\n");
}

/* An entry of the month: an incident, or else a window. */
struct entry {
	const struct incident *incident;
	const struct page_maintenance *maintenance;
};

/* The next entry, newest first. False: there are no more. */
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
	    (!has_maintenance || month->incidents[*incident].started_at.s >=
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
	struct instant at = entry->incident ? entry->incident->started_at
					    : entry->maintenance->starts_at;
	return locale_day_start(view->locale, at, 0);
}

/* A month of UTC touches so many days of any zone, at most. */
enum { MONTH_DAYS_MAX = 33 };

/* The days that have an id on the page. */
struct days {
	struct instant *rows;
	size_t count;
};

/* False: the day is among them already. */
static bool add_day(struct days *days, struct instant day)
{
	for (size_t i = days->count; i > 0; i--)
		if (days->rows[i - 1].s == day.s)
			return false;
	days->rows[days->count++] = day;
	return true;
}

/* The days that have a heading. */
static struct days find_headings(const struct page_view *view, const struct page_month *month)
{
	/* Incidents that stand inside others have days of their own. */
	size_t most = month->incident_count + month->maintenance_count + MONTH_DAYS_MAX;
	struct days days = { ARENA_ARRAY(view->arena, most, struct instant), 0 };
	size_t incident = 0, maintenance = 0;
	struct entry entry;
	while (next_entry(month, &incident, &maintenance, &entry))
		add_day(&days, day_of_entry(view, &entry));
	return days;
}

/* A place for the links of bars to a day without a heading. */
static void put_place(const struct page_view *view, struct days *days, struct instant day)
{
	if (add_day(days, day))
		buf_printf(view->out, "<span id=\"%s\"></span>", page_day_id(view, day));
}

/* The days of the incidents that are shown inside the entries below the heading. */
static void put_inner_days(const struct page_view *view, const struct page_month *month,
			   struct days *days, struct instant heading)
{
	for (size_t i = 0; i < month->incident_count; i++) {
		const struct incident *incident = &month->incidents[i];
		if (page_incident_stands_alone(incident))
			continue;
		const struct entry outer = { incident->inside, incident->during };
		if (day_of_entry(view, &outer).s == heading.s)
			put_place(view, days,
				  locale_day_start(view->locale, incident->started_at, 0));
	}
}

/* How many incidents the page leaves out, which are the oldest. */
static void put_older(const struct page_view *view, const struct page_month *month,
		      struct days *days)
{
	size_t older = month->total - month->incident_count;
	struct instant last = month->incident_count > 0
				      ? month->incidents[month->incident_count - 1].started_at
				      : page_month_end(month);
	struct instant day = locale_day_start(view->locale, month->start, 0);
	buf_puts(view->out, "<p>");
	for (int i = 0; i < MONTH_DAYS_MAX && day.s <= last.s; i++) {
		put_place(view, days, day);
		day = locale_day_start(view->locale, day, 1);
	}
	page_say_with(view, SAY_OLDER_INCIDENTS, older,
		      WORD_VALUES({ "count", arena_printf(view->arena, "%zu", older) }));
	buf_puts(view->out, "</p>\n");
}

static void put_days(const struct page_view *view, const struct page_month *month)
{
	struct buf *out = view->out;
	struct days days = find_headings(view, month);
	struct instant day = { 0 };
	struct entry entry;
	size_t incident = 0, maintenance = 0;
	bool is_begun = false;
	while (next_entry(month, &incident, &maintenance, &entry)) {
		struct instant its_day = day_of_entry(view, &entry);
		if (!is_begun || its_day.s != day.s) {
			buf_printf(out, "%s<div class=\"day\"><h3 id=\"%s\">",
				   is_begun ? "</ul></div>\n" : "", page_day_id(view, its_day));
			put_inner_days(view, month, &days, its_day);
			buf_printf(out, "%s</h3>\n<ul class=\"log\">\n",
				   html_date(view->locale, its_day, view->arena));
		}
		is_begun = true;
		day = its_day;
		put_entry(view, month, &entry);
	}
	if (is_begun)
		buf_puts(out, "</ul></div>\n");
	else
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
	const char *name = page_month_name(snapshot, month, arena);
	struct locale locale = locale_of_page(&snapshot->page);
	struct page_view view = { out, snapshot, &locale, arena, "", true, false };
	/* Without the state of today, which would change each month of the history. */
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
	struct incident samples[] = {
		{ .id = 3, .monitor_name = "", .cause = "", .started_at = { 2 * DAY_S } },
		{ .id = 2,
		  .kind = INCIDENT_REPORTED,
		  .title = "",
		  .cause = "",
		  .started_at = { DAY_S },
		  .ended_at = { 2 * DAY_S },
		  .monitors = &monitor,
		  .monitor_count = 1,
		  .updates = &update,
		  .update_count = 1,
		  .postmortem = "",
		  .exclude_from_uptime = true },
		{ .id = 1,
		  .monitor_name = "",
		  .cause = "",
		  .comment = "",
		  .started_at = { DAY_S },
		  .acknowledged_at = { DAY_S },
		  .ended_at = { 2 * DAY_S } },
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
	frame.now = (struct instant){ 0 };
	page_history(out, &frame, 0, arena);
}
