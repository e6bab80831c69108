/* index.html */
#include <string.h>

#include "base/secret.h"
#include "base/str.h"
#include "view/assets.h"
#include "view/html.h"
#include "view/page.h"

static const char *asset_name(struct arena *arena, size_t which, const char *stem,
			      const char *extension)
{
	const char *text = page_assets[which].text;
	return arena_printf(arena, "%s-%s.%s", stem,
			    secret_hash_hex(arena, text, strlen(text), 12), extension);
}

const char *page_style_name(struct arena *arena)
{
	return asset_name(arena, 0, "page", "css");
}

const char *page_script_name(struct arena *arena)
{
	return asset_name(arena, 1, "page", "js");
}

void page_style(struct buf *out)
{
	buf_puts(out, page_assets[0].text);
}

void page_script(struct buf *out)
{
	buf_puts(out, page_assets[1].text);
}

/* A sign beside each word: a tick, a cross, a dash. */
static const char sign_up[] =
	"<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path fill=\"none\" stroke=\"currentColor\" "
	"stroke-width=\"2.4\" d=\"M2 8.5l4 4 8-9\"/></svg>";
static const char sign_down[] =
	"<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path fill=\"none\" stroke=\"currentColor\" "
	"stroke-width=\"2.4\" d=\"M3 3l10 10M13 3L3 13\"/></svg>";
static const char sign_none[] =
	"<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path fill=\"none\" stroke=\"currentColor\" "
	"stroke-width=\"2.4\" d=\"M2 8h12\"/></svg>";

/* "Example status", without saying "status" twice. */
static const char *page_title(const struct status_page *page, struct arena *arena)
{
	struct str name = str_from(page->name);
	if (page->meta_title)
		return page->meta_title;
	bool says_so = name.len >= 6 && str_eq_nocase(str_skip(name, name.len - 6), STR("status"));
	return says_so ? page->name : arena_printf(arena, "%s status", page->name);
}

static void put_head(struct buf *out, const struct page_view *view, struct arena *arena)
{
	const struct status_page *page = &view->page;
	buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	html_text(out, page_title(page, arena));
	buf_puts(out, "</title>\n");
	buf_puts(out, "<meta name=\"description\" content=\"");
	html_attr(out, page->meta_description ? page->meta_description
					      : page_view_summary(view, arena));
	buf_puts(out, "\">\n");
	if (page->noindex)
		buf_puts(out, "<meta name=\"robots\" content=\"noindex\">\n");
	if (page->favicon_file)
		buf_printf(out, "<link rel=\"icon\" href=\"%s\">\n", page->favicon_file);
	else
		buf_puts(out, "<link rel=\"icon\" href=\"data:,\">\n");
	buf_printf(out,
		   "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"Incidents\" "
		   "href=\"feed.atom\">\n<link rel=\"stylesheet\" href=\"%s\">\n"
		   "<script src=\"%s\" defer></script>\n</head>\n<body>\n"
		   "<a class=\"skip\" href=\"#main\">Skip to the state</a>\n",
		   page_style_name(arena), page_script_name(arena));
}

static void put_link(struct buf *out, const char *url, const char *words)
{
	if (!url)
		return;
	buf_puts(out, "<a href=\"");
	html_url(out, url);
	buf_printf(out, "\" rel=\"noopener\">%s</a>", words);
}

static void put_header(struct buf *out, const struct status_page *page)
{
	buf_puts(out, "<header>\n<h1>");
	if (page->logo_file)
		buf_printf(out, "<img src=\"%s\" alt=\"\">", page->logo_file);
	buf_puts(out, "<span dir=\"auto\">");
	html_text(out, page->name);
	buf_puts(out, "</span></h1>\n");
	if (page->website_url || page->contact_url) {
		buf_puts(out, "<nav aria-label=\"Links\">");
		put_link(out, page->website_url, "Website");
		put_link(out, page->contact_url, "Contact");
		buf_puts(out, "</nav>\n");
	}
	buf_puts(out, "</header>\n");
}

static void put_overall(struct buf *out, const struct page_view *view, struct arena *arena)
{
	bool is_down = view->down_count > 0, is_empty = view->monitor_count == 0;
	buf_printf(out, "<p class=\"overall%s\">%s<span>%s</span></p>\n<p class=\"asof\">As of ",
		   is_down ? " down" : is_empty ? " none" : "",
		   is_down ? sign_down : is_empty ? sign_none : sign_up,
		   page_view_summary(view, arena));
	html_time(out, view->now);
	buf_puts(out, ".</p>\n");
}

/* How long one lasts that is not over is not said: the file would go on saying it. */
static void put_times(struct buf *out, const struct incident *incident)
{
	bool is_over = incident->ended_at.s > 0;
	buf_puts(out, "<p class=\"meta\">");
	buf_puts(out, is_over			       ? "Resolved. "
		      : incident->acknowledged_at.s > 0 ? "Being worked on, since "
							: "Not resolved, since ");
	html_time(out, incident->started_at);
	if (is_over) {
		buf_puts(out, " to ");
		html_time(out, incident->ended_at);
		buf_puts(out, " (");
		html_duration(out, incident_duration_s(incident, incident->ended_at));
		buf_puts(out, ")");
	}
	buf_puts(out, "</p>");
}

static void put_incident(struct buf *out, const struct incident *incident, const char *heading)
{
	buf_printf(out, "<%s id=\"incident-%lld\" dir=\"auto\">", heading, (long long)incident->id);
	html_text(out, incident->monitor_name);
	buf_puts(out, ": ");
	html_text(out, incident->cause);
	buf_printf(out, "</%s>", heading);
	put_times(out, incident);
	if (incident->comment) {
		buf_puts(out, "<p class=\"comment\" dir=\"auto\">");
		html_text(out, incident->comment);
		buf_puts(out, "</p>");
	}
	buf_puts(out, "\n");
}

static void put_open_incidents(struct buf *out, const struct page_view *view)
{
	if (view->down_count == 0)
		return;
	buf_puts(out, "<section aria-labelledby=\"open\">\n<h2 id=\"open\">Open incidents</h2>\n");
	for (size_t i = 0; i < view->incident_count; i++) {
		if (view->incidents[i]->ended_at.s > 0)
			continue;
		buf_puts(out, "<article class=\"card open\">");
		put_incident(out, view->incidents[i], "h3");
		buf_puts(out, "</article>\n");
	}
	buf_puts(out, "</section>\n");
}

/*
 * The bars of all days in one state as one path: higher is worse, so that the
 * shape tells what the colour does.
 */
static void put_bars_of(struct buf *out, const struct page_monitor *monitor,
			enum uptime_state state)
{
	static const int tops[] = { 22, 12, 6, 1 };
	bool is_begun = false;
	for (size_t i = 0; i < UPTIME_DAYS; i++) {
		if (uptime_state_of(&monitor->days[i]) != state)
			continue;
		if (!is_begun)
			buf_printf(out, "<path class=\"b%d\" d=\"", (int)state);
		is_begun = true;
		buf_printf(out, "M%zu %dV29", 3 + 5 * i, tops[state]);
	}
	if (is_begun)
		buf_puts(out, "\"/>");
}

static void put_percent(struct buf *out, int64_t permyriad)
{
	if (permyriad < 0)
		buf_puts(out, "no data");
	else
		buf_printf(out, "%lld.%02lld %% uptime", (long long)permyriad / 100,
			   (long long)permyriad % 100);
}

/* The days as rows, runs of like ones in one. */
static void put_table(struct buf *out, const struct page_monitor *monitor, struct instant now)
{
	buf_puts(out, "<details><summary>Day by day</summary><table><thead><tr>"
		      "<th scope=\"col\">Days (UTC)</th><th scope=\"col\">Down for</th></tr></thead><tbody>");
	for (size_t i = 0; i < UPTIME_DAYS;) {
		enum uptime_state state = uptime_state_of(&monitor->days[i]);
		size_t end = i + 1;
		bool is_run = state == UPTIME_UP || state == UPTIME_NO_DATA;
		while (is_run && end < UPTIME_DAYS && uptime_state_of(&monitor->days[end]) == state)
			end++;
		buf_puts(out, "<tr><th scope=\"row\">");
		html_date(out, uptime_day_start(now, i));
		if (end - i > 1) {
			buf_puts(out, " to ");
			html_date(out, uptime_day_start(now, end - 1));
		}
		buf_puts(out, "</th><td>");
		if (state == UPTIME_NO_DATA)
			buf_puts(out, "no data");
		else if (state == UPTIME_UP)
			buf_puts(out, "nothing");
		else
			html_duration(out, monitor->days[i].down_s);
		buf_puts(out, "</td></tr>");
		i = end;
	}
	buf_puts(out, "</tbody></table></details>");
}

static void put_monitor(struct buf *out, const struct page_monitor *monitor, struct instant now)
{
	int64_t permyriad = uptime_permyriad(monitor->days, UPTIME_DAYS);
	buf_puts(out, "<li class=\"card\"><div class=\"row\"><h3 dir=\"auto\">");
	html_text(out, monitor->name);
	buf_printf(out, "</h3><span class=\"state%s\">%s%s</span></div>\n",
		   monitor->open ? " down" : "", monitor->open ? sign_down : sign_up,
		   monitor->open ? "Down" : "Operational");
	buf_puts(out, "<svg class=\"bars\" viewBox=\"0 0 451 30\" preserveAspectRatio=\"none\" "
		      "role=\"img\" aria-label=\"");
	put_percent(out, permyriad);
	buf_puts(out, " in 90 days\">");
	for (int state = UPTIME_NO_DATA; state <= UPTIME_DOWN; state++)
		put_bars_of(out, monitor, (enum uptime_state)state);
	buf_puts(out, "</svg><div class=\"scale\"><span>90 days ago</span><span>");
	put_percent(out, permyriad);
	buf_puts(out, "</span><span>Today</span></div>");
	put_table(out, monitor, now);
	buf_puts(out, "</li>\n");
}

static void put_monitors(struct buf *out, const struct page_view *view)
{
	if (view->monitor_count == 0)
		return;
	buf_puts(out, "<section aria-labelledby=\"systems\">\n<h2 id=\"systems\">Systems</h2>\n"
		      "<ul class=\"plain\">\n");
	for (size_t i = 0; i < view->monitor_count; i++)
		put_monitor(out, &view->monitors[i], view->now);
	buf_puts(out, "</ul>\n</section>\n");
}

/* One of the last days, with what began on it. */
static void put_day(struct buf *out, const struct page_view *view, struct instant day)
{
	bool is_quiet = true;
	buf_puts(out, "<div class=\"day\"><h3>");
	html_date(out, day);
	buf_puts(out, "</h3>");
	for (size_t i = 0; i < view->incident_count; i++) {
		const struct incident *incident = view->incidents[i];
		if (uptime_midnight(incident->started_at).s != day.s)
			continue;
		buf_puts(out, is_quiet ? "<ul class=\"plain\"><li>" : "<li>");
		if (incident->ended_at.s > 0) {
			put_incident(out, incident, "strong");
		} else {
			buf_printf(out, "<a dir=\"auto\" href=\"#incident-%lld\">",
				   (long long)incident->id);
			html_text(out, incident->cause);
			buf_puts(out, "</a> is open.");
		}
		buf_puts(out, "</li>");
		is_quiet = false;
	}
	buf_puts(out, is_quiet ? "<p>No incidents.</p></div>\n" : "</ul></div>\n");
}

static void put_past(struct buf *out, const struct page_view *view)
{
	buf_printf(out, "<section aria-labelledby=\"past\">\n<h2 id=\"past\">The last %d days</h2>\n",
		   PAGE_RECENT_DAYS);
	for (int i = 0; i < PAGE_RECENT_DAYS; i++)
		put_day(out, view, uptime_day_start(view->now, (size_t)(UPTIME_DAYS - 1 - i)));
	buf_puts(out, "</section>\n");
}

void page_html(struct buf *out, const struct page_view *view, struct arena *arena)
{
	put_head(out, view, arena);
	put_header(out, &view->page);
	buf_puts(out, "<main id=\"main\">\n");
	put_overall(out, view, arena);
	put_open_incidents(out, view);
	put_monitors(out, view);
	put_past(out, view);
	buf_puts(out, "</main>\n<footer><a href=\"feed.atom\">Feed</a>"
		      "<a href=\"summary.json\">JSON</a></footer>\n</body>\n</html>\n");
}
