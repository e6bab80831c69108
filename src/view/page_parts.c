#include "view/page_parts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

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

enum { SHARED_NAME_SIZE = 32, NAMES_MAX_BYTES = 4096 };
static pthread_once_t names_made = PTHREAD_ONCE_INIT;
static char style_name[SHARED_NAME_SIZE], script_name[SHARED_NAME_SIZE];

static void make_names(void)
{
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, NAMES_MAX_BYTES);
	snprintf(style_name, sizeof(style_name), "%s",
		 hashed_name(&arena, page_style(), "page", "css"));
	snprintf(script_name, sizeof(script_name), "%s",
		 hashed_name(&arena, page_script(), "page", "js"));
}

const char *page_style_name(void)
{
	pthread_once(&names_made, make_names);
	return style_name;
}

const char *page_script_name(void)
{
	pthread_once(&names_made, make_names);
	return script_name;
}

const char *page_custom_name(struct arena *arena, const char *text, const char *extension)
{
	return text ? hashed_name(arena, text, "custom", extension) : NULL;
}

static void put_custom(struct buf *out, const struct status_page *page, struct arena *arena)
{
	/* A line for each, which page_text_make_plain() finds. */
	if (page->custom_css)
		buf_printf(out, "<link rel=\"stylesheet\" href=\"%s\">\n",
			   page_custom_name(arena, page->custom_css, "css"));
	if (page->custom_js)
		buf_printf(out, "<script src=\"%s\" defer></script>\n",
			   page_custom_name(arena, page->custom_js, "js"));
}

void page_put_element(struct buf *out, const struct words *words, const char *element,
		      enum sentence sentence)
{
	buf_printf(out, "<%s>", element);
	words_put(out, words, sentence);
	buf_printf(out, "</%s>\n", element);
}

static const char *title_of(const struct page_snapshot *snapshot, const char *part,
			    struct arena *arena)
{
	const char *title = page_title(snapshot, arena);
	return part ? words_text(locale_of_page(&snapshot->page).words, SAY_PART_OF_TITLE, 0,
				 WORD_VALUES({ "part", part }, { "page", title }), arena)
		    : title;
}

/* The links to the page's other files. */
static void put_file_links(struct buf *out, const struct page_snapshot *snapshot,
			   struct arena *arena)
{
	const struct status_page *page = &snapshot->page;
	if (page->favicon_file)
		buf_printf(out, "<link rel=\"icon\" href=\"%s\">\n", page->favicon_file);
	else
		buf_puts(out, "<link rel=\"icon\" href=\"data:,\">\n");
	buf_puts(out, "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"");
	words_put(out, locale_of_page(page).words, SAY_INCIDENTS);
	buf_printf(out,
		   "\" href=\"feed.atom\">\n<link rel=\"stylesheet\" href=\"%s\">\n"
		   "<script src=\"%s\" defer></script>\n",
		   page_style_name(), page_script_name());
	put_custom(out, page, arena);
}

void page_put_head(struct buf *out, const struct page_snapshot *snapshot, const char *part,
		   struct arena *arena)
{
	const struct status_page *page = &snapshot->page;
	struct locale locale = locale_of_page(page);
	buf_printf(out,
		   "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, "
		   "initial-scale=1\">\n<title>",
		   locale.words->language);
	html_text(out, title_of(snapshot, part, arena));
	buf_puts(out, "</title>\n");
	/* The summary of today would change each month of the history. */
	if (page->meta_description || !part) {
		buf_puts(out, "<meta name=\"description\" content=\"");
		html_attr(out, page->meta_description ? page->meta_description
						      : page_summary(snapshot, arena));
		buf_puts(out, "\">\n");
	}
	if (page->noindex)
		buf_puts(out, "<meta name=\"robots\" content=\"noindex\">\n");
	if (!part && strncmp(snapshot->url, "http", 4) == 0) {
		buf_puts(out, "<link rel=\"canonical\" href=\"");
		html_url(out, snapshot->url);
		buf_puts(out, "\">\n");
	}
	put_file_links(out, snapshot, arena);
	buf_puts(out, "</head>\n<body>\n<a class=\"skip\" href=\"#main\">");
	words_put(out, locale.words, SAY_SKIP_TO_CONTENT);
	buf_puts(out, "</a>\n");
}

static void put_link(struct buf *out, const char *url, const struct words *words,
		     enum sentence sentence)
{
	if (!url)
		return;
	buf_puts(out, "<a href=\"");
	html_url(out, url);
	buf_puts(out, "\" rel=\"noopener\">");
	words_put(out, words, sentence);
	buf_puts(out, "</a>");
}

void page_put_header(struct buf *out, const struct status_page *page)
{
	struct locale locale = locale_of_page(page);
	buf_puts(out, "<header>\n<h1>");
	if (page->logo_file)
		buf_printf(out, "<img src=\"%s\" alt=\"\">", page->logo_file);
	buf_puts(out, "<span dir=\"auto\">");
	html_text(out, page->name);
	buf_puts(out, "</span></h1>\n");
	if (page->website_url || page->contact_url) {
		buf_puts(out, "<nav aria-label=\"");
		words_put(out, locale.words, SAY_LINKS);
		buf_puts(out, "\">");
		put_link(out, page->website_url, locale.words, SAY_WEBSITE);
		put_link(out, page->contact_url, locale.words, SAY_CONTACT);
		buf_puts(out, "</nav>\n");
	}
	buf_puts(out, "</header>\n");
}

/* Omit the duration of an open incident: the static file would go stale. */
static void put_times(struct buf *out, const struct locale *locale, const struct incident *incident,
		      struct arena *arena)
{
	static const enum sentence sentences[] = {
		[INCIDENT_UNRESOLVED] = SAY_NOT_RESOLVED,
		[INCIDENT_ACKNOWLEDGED] = SAY_BEING_WORKED_ON,
		[INCIDENT_RESOLVED] = SAY_RESOLVED,
	};
	int64_t duration_s = incident_duration_s(incident, incident->ended_at);
	buf_puts(out, "<p class=\"meta\">");
	words_html(
		out, locale->words, sentences[incident_status(incident)], 0,
		WORD_VALUES({ "times", html_time(locale, incident->started_at, arena) },
			    { "start", html_time(locale, incident->started_at, arena) },
			    { "acknowledged", html_time(locale, incident->acknowledged_at, arena) },
			    { "end", html_time(locale, incident->ended_at, arena) },
			    { "duration", html_duration(locale, duration_s, arena) }));
	buf_puts(out, "</p>");
}

void page_put_incident(struct buf *out, const struct page_snapshot *snapshot,
		       const struct incident *incident, const char *heading, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	buf_printf(out, "<%s id=\"incident-%lld\" dir=\"auto\">", heading, (long long)incident->id);
	html_text(out, page_incident_name(snapshot, incident, arena));
	buf_printf(out, "</%s>", heading);
	put_times(out, &locale, incident, arena);
	if (incident->comment) {
		buf_puts(out, "<p class=\"comment\" dir=\"auto\">");
		html_text(out, incident->comment);
		buf_puts(out, "</p>");
	}
	buf_puts(out, "\n");
}

void page_put_footer(struct buf *out, const struct status_page *page)
{
	struct locale locale = locale_of_page(page);
	buf_puts(out, "<footer><a href=\"feed.atom\">");
	words_put(out, locale.words, SAY_FEED);
	buf_puts(out, "</a><a href=\"summary.json\">");
	words_put(out, locale.words, SAY_JSON);
	buf_puts(out, "</a></footer>\n</body>\n</html>\n");
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
