#include "view/page_parts.h"

#include <string.h>
#include <time.h>

#include "base/secret.h"
#include "base/str.h"
#include "view/assets.h"
#include "view/html.h"

static const char *hashed_name(struct arena *arena, const char *text, const char *stem,
			       const char *extension)
{
	return arena_printf(arena, "%s-%s.%s", stem, secret_hash_hex(arena, text, strlen(text), 12),
			    extension);
}

const char *page_style(void)
{
	return page_assets[0].text;
}

const char *page_script(void)
{
	return page_assets[1].text;
}

const char *page_style_name(struct arena *arena)
{
	return hashed_name(arena, page_style(), "page", "css");
}

const char *page_script_name(struct arena *arena)
{
	return hashed_name(arena, page_script(), "page", "js");
}

const char *page_custom_name(struct arena *arena, const char *text, const char *extension)
{
	return text ? hashed_name(arena, text, "custom", extension) : NULL;
}

/* "Example status", without saying "status" twice. */
static const char *page_title(const struct status_page *page, struct arena *arena)
{
	struct str name = str_from(page->name);
	if (page->meta_title)
		return page->meta_title;
	bool says_so = name.len >= 6 && str_eq_nocase(str_skip(name, name.len - 6), STR("status"));
	return says_so ? page->name : arena_printf(arena, "%s status", page->name);
}

static void put_custom(struct buf *out, const struct status_page *page, struct arena *arena)
{
	/* A line each, which the responder leaves out of a plain page. */
	if (page->custom_css)
		buf_printf(out, "<link rel=\"stylesheet\" href=\"%s\">\n",
			   page_custom_name(arena, page->custom_css, "css"));
	if (page->custom_js)
		buf_printf(out, "<script src=\"%s\" defer></script>\n",
			   page_custom_name(arena, page->custom_js, "js"));
}

void page_put_head(struct buf *out, const struct page_snapshot *view, const char *title,
		   struct arena *arena)
{
	const struct status_page *page = &view->page;
	buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, "
		      "initial-scale=1\">\n<title>");
	if (title) {
		html_text(out, title);
		buf_puts(out, ", ");
	}
	html_text(out, page_title(page, arena));
	buf_puts(out, "</title>\n");
	/* A month of history does not change with the state of today. */
	if (page->meta_description || !title) {
		buf_puts(out, "<meta name=\"description\" content=\"");
		html_attr(out, page->meta_description ? page->meta_description
						      : page_snapshot_summary(view, arena));
		buf_puts(out, "\">\n");
	}
	if (page->noindex)
		buf_puts(out, "<meta name=\"robots\" content=\"noindex\">\n");
	if (!title && strncmp(view->url, "http", 4) == 0) {
		buf_puts(out, "<link rel=\"canonical\" href=\"");
		html_url(out, view->url);
		buf_puts(out, "\">\n");
	}
	if (page->favicon_file)
		buf_printf(out, "<link rel=\"icon\" href=\"%s\">\n", page->favicon_file);
	else
		buf_puts(out, "<link rel=\"icon\" href=\"data:,\">\n");
	buf_printf(out,
		   "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"Incidents\" "
		   "href=\"feed.atom\">\n<link rel=\"stylesheet\" href=\"%s\">\n"
		   "<script src=\"%s\" defer></script>\n",
		   page_style_name(arena), page_script_name(arena));
	put_custom(out, page, arena);
	buf_puts(out,
		 "</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n");
}

static void put_link(struct buf *out, const char *url, const char *words)
{
	if (!url)
		return;
	buf_puts(out, "<a href=\"");
	html_url(out, url);
	buf_printf(out, "\" rel=\"noopener\">%s</a>", words);
}

void page_put_header(struct buf *out, const struct status_page *page)
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

/* Omit the duration of an open incident: the static file would go stale. */
static void put_times(struct buf *out, const struct incident *incident)
{
	bool is_over = incident->ended_at.s > 0;
	buf_puts(out, "<p class=\"meta\">");
	buf_puts(out, is_over ? "Resolved. " : "Not resolved, since ");
	html_time(out, incident->started_at);
	if (is_over) {
		buf_puts(out, " to ");
		html_time(out, incident->ended_at);
		buf_puts(out, " (");
		html_duration(out, incident_duration_s(incident, incident->ended_at));
		buf_puts(out, ")");
	} else if (incident->acknowledged_at.s > 0) {
		buf_puts(out, ". Being worked on, since ");
		html_time(out, incident->acknowledged_at);
	}
	buf_puts(out, "</p>");
}

void page_put_incident(struct buf *out, const struct page_snapshot *view,
		       const struct incident *incident, const char *heading, struct arena *arena)
{
	buf_printf(out, "<%s id=\"incident-%lld\" dir=\"auto\">", heading, (long long)incident->id);
	html_text(out, page_incident_name(view, incident, arena));
	buf_printf(out, "</%s>", heading);
	put_times(out, incident);
	if (incident->comment) {
		buf_puts(out, "<p class=\"comment\" dir=\"auto\">");
		html_text(out, incident->comment);
		buf_puts(out, "</p>");
	}
	buf_puts(out, "\n");
}

void page_put_footer(struct buf *out)
{
	buf_puts(out, "<footer><a href=\"feed.atom\">Feed</a>"
		      "<a href=\"summary.json\">JSON</a></footer>\n</body>\n</html>\n");
}

void page_put_month_name(struct buf *out, const struct page_month *month)
{
	char text[32];
	time_t s = (time_t)month->start.s;
	struct tm parts;
	gmtime_r(&s, &parts);
	strftime(text, sizeof(text), "%B %Y", &parts);
	buf_puts(out, text);
}

const char *page_month_file(struct arena *arena, const char *month)
{
	return arena_printf(arena, "%s.html", month);
}

const char *page_incident_file(const struct incident *incident, struct arena *arena)
{
	char text[INSTANT_TEXT_SIZE];
	return page_month_file(arena,
			       arena_strndup(arena, instant_format(incident->started_at, text), 7));
}

const char *page_incident_url(const struct page_snapshot *view, const struct incident *incident,
			      struct arena *arena)
{
	return arena_printf(arena, "%s%s#incident-%lld", view->url,
			    page_incident_file(incident, arena), (long long)incident->id);
}
