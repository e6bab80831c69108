/* The page of a month of history: its incidents by days. */
#include "view/page_bars.h"
#include "view/page_incident.h"

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

static void put_days(const struct page_view *view, const struct page_month *month)
{
	struct buf *out = view->out;
	struct instant day = { 0 };
	struct entry entry;
	size_t incident = 0, maintenance = 0;
	bool is_begun = false;
	while (next_entry(month, &incident, &maintenance, &entry)) {
		struct instant at = entry.incident ? entry.incident->started_at
						   : entry.maintenance->starts_at;
		struct instant its_day = locale_day_start(view->locale, at, 0);
		if (!is_begun || its_day.s != day.s)
			buf_printf(out,
				   "%s<div class=\"day\"><h3 id=\"%s\">%s</h3>\n<ul "
				   "class=\"log\">\n",
				   is_begun ? "</ul></div>\n" : "", page_day_id(view, its_day),
				   html_date(view->locale, its_day, view->arena));
		is_begun = true;
		day = its_day;
		put_entry(view, month, &entry);
	}
	if (is_begun)
		buf_puts(out, "</ul></div>\n");
	else
		page_put_element(view, "p", SAY_NO_INCIDENTS);
	if (month->total > month->incident_count) {
		size_t older = month->total - month->incident_count;
		buf_puts(out, "<p>");
		page_say_with(view, SAY_OLDER_INCIDENTS, older,
			      WORD_VALUES({ "count", arena_printf(view->arena, "%zu", older) }));
		buf_puts(out, "</p>\n");
	}
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
