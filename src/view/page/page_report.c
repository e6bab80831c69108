/* Writes the report of a month for visitors. The printed report is complete, too. */
#include "view/page/page_report.h"

#include "domain/page/page_report.h"
#include "view/page/page_incident.h"

const char *page_report_file(struct arena *arena, const struct page_report_month *month,
			     const char *extension)
{
	return arena_printf(arena, "report-%s.%s", month->name, extension);
}

void page_put_report_link(const struct page_view *view, const struct page_report_month *month,
			  enum sentence sentence)
{
	buf_printf(view->out, "<a href=\"%s\">", page_report_file(view->arena, month, "html"));
	page_say_with(
		view, sentence, 0,
		WORD_VALUES({ "month", page_month_name(view->locale, month->start, view->arena) }));
	buf_puts(view->out, "</a>\n");
}

static void put_links(const struct page_view *view, const struct page_report_month *month)
{
	const struct page_snapshot *snapshot = view->snapshot;
	const struct page_report_month *first = snapshot->reports;
	const struct page_report_month *last = first + snapshot->report_count;
	page_say_in(view, "<nav class=\"months\" aria-label=\"", SAY_OTHER_MONTHS, "\">\n");
	page_say_in(view, "<a href=\"./\">", SAY_CURRENT_STATE, "</a>\n");
	if (month > first)
		page_put_report_link(view, month - 1, SAY_LATER_MONTH);
	if (month + 1 < last)
		page_put_report_link(view, month + 1, SAY_EARLIER_MONTH);
	buf_printf(view->out, "<a href=\"%s\"", page_report_file(view->arena, month, "csv"));
	page_say_in(view, " download>", SAY_REPORT_CSV, "</a>\n</nav>\n");
}

/* Begins a cell. On small screens, the style sheet shows `label` in the cell. */
static void begin_cell(const struct page_view *view, enum sentence label, bool is_zero)
{
	buf_printf(view->out, "<td%s data-label=\"", is_zero ? " class=\"none\"" : "");
	page_say(view, label);
	buf_puts(view->out, "\">");
}

static void put_duration(const struct page_view *view, enum sentence label, int64_t seconds)
{
	begin_cell(view, label, seconds == 0);
	buf_printf(view->out, "%s</td>", html_duration(view->locale, seconds, view->arena));
}

/* Appends the duration of the excluded time with one reason; `sentence` names the reason. */
static void put_reason(const struct page_view *view, enum sentence sentence, int64_t seconds)
{
	if (seconds == 0)
		return;
	buf_puts(view->out, "<small>");
	page_say_duration(view, sentence, seconds);
	buf_puts(view->out, "</small>");
}

static void put_figures(const struct page_view *view, const struct page_report_figures *figures)
{
	const struct words *words = view->locale->words;
	int64_t excluded_s = figures->maintenance_s + figures->excluded_s;
	begin_cell(view, SAY_UPTIME, !figures->uptime.is_known);
	html_text(view->out,
		  page_percent_text(words,
				    figures->uptime.is_known ? figures->uptime.hundredths : -1,
				    view->arena));
	buf_puts(view->out, "</td>");
	put_duration(view, SAY_DOWNTIME, figures->down_s);
	begin_cell(view, SAY_OUTAGES, figures->outage_count == 0);
	buf_printf(view->out, "%lld</td>", (long long)figures->outage_count);
	begin_cell(view, SAY_EXCLUDED, excluded_s == 0);
	buf_puts(view->out, html_duration(view->locale, excluded_s, view->arena));
	put_reason(view, SAY_IN_MAINTENANCE, figures->maintenance_s);
	put_reason(view, SAY_DAY_EXCLUDED, figures->excluded_s);
	buf_puts(view->out, "</td>");
	put_duration(view, SAY_NO_DATA, figures->unobserved_s);
	buf_puts(view->out, "</tr>\n");
}

static void put_row(const struct page_view *view, const struct page_report_figures *figures)
{
	buf_puts(view->out, figures->id > 0 ? "<tr><th scope=\"row\"><bdi>"
					    : "</tbody>\n<tbody><tr class=\"sum\">"
					      "<th scope=\"rowgroup\"><bdi>");
	page_put_name(view, figures->name);
	buf_puts(view->out, "</bdi>");
	if (figures->known_since.s > 0) {
		buf_puts(view->out, "<small>");
		page_say_time(view, SAY_KNOWN_SINCE, figures->known_since);
		buf_puts(view->out, "</small>");
	}
	buf_puts(view->out, "</th>");
	put_figures(view, figures);
}

static void put_systems(const struct page_view *view, const struct page_report *report)
{
	static const enum sentence heads[] = { SAY_SYSTEMS, SAY_UPTIME,	  SAY_DOWNTIME,
					       SAY_OUTAGES, SAY_EXCLUDED, SAY_NO_DATA };
	const struct page_report_figures *group = report->groups;
	bool is_in_group = false;
	page_put_section(view, "systems", SAY_SYSTEMS);
	buf_puts(view->out, "<div class=\"card\">\n<table class=\"report\">\n<thead><tr>");
	for (size_t i = 0; i < ARRAY_LEN(heads); i++)
		page_say_in(view, "<th scope=\"col\">", heads[i], "</th>");
	buf_puts(view->out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < report->system_count; i++) {
		const struct page_report_figures *system = &report->systems[i];
		bool begins = system->group && group < report->groups + report->group_count &&
			      system->group == group->name;
		if (begins)
			put_row(view, group++);
		else if (is_in_group && !system->group)
			buf_puts(view->out, "</tbody>\n<tbody>\n");
		is_in_group = system->group != NULL;
		put_row(view, system);
	}
	buf_puts(view->out, "</tbody></table>\n</div>\n</section>\n");
}

/* Begins a section. If `count` is 0, appends the sentence `none` and returns false. Otherwise
 * begins a list. */
static bool begin_list(const struct page_view *view, const char *id, enum sentence heading,
		       enum sentence none, size_t count)
{
	page_put_section(view, id, heading);
	buf_puts(view->out, "<div class=\"card\">\n");
	if (count == 0)
		page_put_element(view, "p", none);
	else
		buf_puts(view->out, "<ul class=\"log\">\n");
	return count > 0;
}

static void put_incidents(const struct page_view *view, const struct page_report *report)
{
	if (begin_list(view, "incidents", SAY_INCIDENTS, SAY_NO_INCIDENTS, report->incident_count))
		for (size_t i = 0; i < report->incident_count; i++) {
			struct page_incident incident = report->incidents[i];
			/* Do not list the system of a detected incident: the name of the incident
			 * has it. */
			if (incident.row.kind == INCIDENT_DETECTED)
				incident.row.monitor_count = 0;
			if (page_incident_stands_alone(&incident))
				page_put_past_incident(view, &incident, report->incidents,
						       report->incident_count);
		}
	buf_puts(view->out,
		 report->incident_count > 0 ? "</ul></div>\n</section>\n" : "</div>\n</section>\n");
}

static void put_maintenances(const struct page_view *view, const struct page_report *report)
{
	const size_t count = report->maintenance_count;
	if (begin_list(view, "maintenance", SAY_MAINTENANCE, SAY_NO_MAINTENANCE, count))
		for (size_t i = 0; i < count; i++)
			page_put_past_maintenance(view, &report->maintenances[i], NULL, 0);
	buf_puts(view->out, count > 0 ? "</ul></div>\n</section>\n" : "</div>\n</section>\n");
}

static void put_span(const struct page_view *view, const struct page_report *report)
{
	const struct instant last = { report->month.to.s - 1 };
	buf_puts(view->out, "<p class=\"meta\">");
	page_say_with(view, SAY_TITLE_AND_STATUS, 0,
		      WORD_VALUES({ "title", html_dates(view->locale, report->month.from, last,
							view->arena) },
				  { "status", report->time_zone }));
	buf_puts(view->out, "</p>\n");
	if (report->is_complete)
		return;
	buf_puts(view->out, "<p class=\"meta\">");
	page_say_time(view, SAY_REPORT_UNTIL, report->until);
	buf_puts(view->out, "</p>\n");
}

void page_report(struct buf *out, const struct page_snapshot *snapshot,
		 const struct page_report *report, const struct page_report_month *month,
		 struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	struct page_view view = { out, snapshot, &locale, arena, "", false, false, true };
	const char *name = words_text(
		locale.words, SAY_REPORT_OF, 0,
		WORD_VALUES({ "month", page_month_name(&locale, month->start, arena) }), arena);
	page_put_head(&view, &(struct page_head){ .part = name,
						  .style = page_asset_name(PAGE_REPORT_STYLE) });
	page_put_header(&view, false);
	buf_puts(out, "<main id=\"main\">\n<h2>");
	html_text(out, name);
	buf_puts(out, "</h2>\n");
	put_span(&view, report);
	put_systems(&view, report);
	put_incidents(&view, report);
	put_maintenances(&view, report);
	page_say_in(&view, "<p class=\"rules\">", SAY_REPORT_RULES, "</p>\n");
	put_links(&view, month);
	buf_puts(out, "</main>\n");
	page_put_footer(&view);
}
