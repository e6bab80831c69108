#include "view/page_parts.h"

#include <string.h>

#include "base/bidi.h"
#include "base/str.h"

static const struct {
	const char *class_name;
	const char
		*colour;  /* of icons, on which white is read well; the style sheet has the rest */
	const char *sign; /* drawn with round lines in a square of 16 */
} tones[] = {
	[TONE_NONE] = { "none", "57606a", "M3.5 8h9" },
	[TONE_UP] = { "up", "1a7f37", "M3 8.5l3.5 3.5L13 4.8" },
	[TONE_MAINTENANCE] = { "work", "0b57b8",
			       "M12.9 4.6a3.5 3.5 0 0 1-4.6 4.5l-4 4a1.2 1.2 0 0 1-1.7-1.7l4-4a3.5 "
			       "3.5 0 0 1 4.6-4.6L9.3 4.7l2 2z" },
	[TONE_DEGRADED] = { "slow", "8a6100", "M8 3v6M8 12.8v.1" },
	[TONE_PARTLY_DOWN] = { "part", "b04a00",
			       "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11" },
	[TONE_DOWN] = { "down", "c21d25", "M4 4l8 8M12 4l-8 8" },
	[TONE_NOTICE] = { "note", "40508f", "M8 7.5v5M8 3.6v.1" },
};

const char *page_tone_class(enum tone tone)
{
	return tones[tone].class_name;
}

const char *page_tone_colour(enum tone tone)
{
	return tones[tone].colour;
}

enum tone page_tone_of_state(enum system_state state)
{
	static const enum tone of[] = {
		[SYSTEM_NO_DATA] = TONE_NONE,
		[SYSTEM_OPERATIONAL] = TONE_UP,
		[SYSTEM_UNDER_MAINTENANCE] = TONE_MAINTENANCE,
		[SYSTEM_DEGRADED_PERFORMANCE] = TONE_DEGRADED,
		[SYSTEM_PARTIAL_OUTAGE] = TONE_PARTLY_DOWN,
		[SYSTEM_MAJOR_OUTAGE] = TONE_DOWN,
	};
	return of[state];
}

enum tone page_tone_of_impact(int impact)
{
	static const enum tone of[] = {
		[INCIDENT_IMPACT_NONE] = TONE_NOTICE,
		[INCIDENT_DEGRADED_PERFORMANCE] = TONE_DEGRADED,
		[INCIDENT_PARTIAL_OUTAGE] = TONE_PARTLY_DOWN,
		[INCIDENT_MAJOR_OUTAGE] = TONE_DOWN,
	};
	return of[impact];
}

enum tone page_tone(const struct page_snapshot *snapshot)
{
	enum system_state worst = page_worst_state(snapshot);
	const struct incident *notice = page_notice(snapshot);
	if (worst > SYSTEM_UNDER_MAINTENANCE)
		return page_tone_of_state(worst);
	if (notice)
		return page_tone_of_impact(notice->impact);
	for (size_t i = 0; i < snapshot->maintenance_count; i++)
		if (page_maintenance_is_on(&snapshot->maintenances[i]))
			return TONE_MAINTENANCE;
	return page_tone_of_state(worst);
}

void page_say(const struct page_view *view, enum sentence sentence)
{
	words_put(view->out, view->locale->words, sentence);
}

void page_say_with(const struct page_view *view, enum sentence sentence, size_t count,
		   const struct word_value *values)
{
	words_html(view->out, view->locale->words, sentence, count, values);
}

void page_put_element(const struct page_view *view, const char *element, enum sentence sentence)
{
	buf_printf(view->out, "<%s>", element);
	page_say(view, sentence);
	buf_printf(view->out, "</%s>\n", element);
}

void page_put_name(const struct page_view *view, const char *name)
{
	html_text(view->out, bidi_closed(name, view->arena));
}

void page_put_section(const struct page_view *view, const char *id)
{
	buf_printf(view->out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">", id, id);
}

void page_put_sign(const struct page_view *view, enum tone tone)
{
	buf_printf(view->out,
		   "<svg class=\"sign\" aria-hidden=\"true\"><use href=\"#%s\"></use></svg>",
		   tones[tone].class_name);
}

void page_put_state(const struct page_view *view, enum tone tone, enum sentence word)
{
	buf_printf(view->out, "<span class=\"state %s\">", tones[tone].class_name);
	page_put_sign(view, tone);
	page_say(view, word);
	buf_puts(view->out, "</span>");
}

void page_put_impact(const struct page_view *view, int impact)
{
	static const enum sentence words[] = {
		[INCIDENT_IMPACT_NONE] = SAY_IMPACT_NONE,
		[INCIDENT_DEGRADED_PERFORMANCE] = SAY_DEGRADED,
		[INCIDENT_PARTIAL_OUTAGE] = SAY_PARTLY_DOWN,
		[INCIDENT_MAJOR_OUTAGE] = SAY_DOWN,
	};
	page_put_state(view, page_tone_of_impact(impact), words[impact]);
}

/* The signs that page_put_sign() refers to. */
static void put_signs(const struct page_view *view)
{
	buf_puts(view->out, "<svg class=\"signs\" aria-hidden=\"true\">");
	for (enum tone tone = 0; tone < TONES; tone++)
		buf_printf(view->out,
			   "<symbol id=\"%s\" viewBox=\"0 0 16 16\"><path d=\"%s\"%s/></symbol>",
			   tones[tone].class_name, tones[tone].sign,
			   tone == TONE_MAINTENANCE ? " stroke-width=\"1.6\"" : "");
	buf_puts(view->out, "</svg>\n");
}

static void put_custom(const struct page_view *view)
{
	const struct status_page *page = &view->snapshot->page;
	/* A line for each, which page_text_make_plain() finds. */
	if (page->custom_css)
		buf_printf(view->out, "<link rel=\"stylesheet\" href=\"%s%s\">\n", view->root,
			   page_custom_name(view->arena, page->custom_css, "css"));
	if (page->custom_js)
		buf_printf(view->out, "<script src=\"%s%s\" defer></script>\n", view->root,
			   page_custom_name(view->arena, page->custom_js, "js"));
}

static void put_own_icon(const struct page_view *view)
{
	const struct image *image = &view->snapshot->favicon;
	buf_printf(view->out, "<link rel=\"icon\" href=\"%s%s\"", view->root,
		   view->snapshot->page.favicon_file);
	if (image->width_px > 0)
		buf_printf(view->out, " sizes=\"%ux%u\"", image->width_px, image->height_px);
	buf_puts(view->out, ">\n");
}

/* The state in the tab: a square of its colour with its sign. */
static void put_icon(const struct page_view *view, enum tone tone)
{
	if (view->snapshot->page.favicon_file)
		put_own_icon(view);
	else
		buf_printf(view->out,
			   "<link rel=\"icon\" href=\"data:image/svg+xml,%%3Csvg "
			   "xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%%3E%%3Crect "
			   "width='16' height='16' rx='4' fill='%%23%s'/%%3E%%3Cpath d='%s' "
			   "fill='none' "
			   "stroke='%%23fff' stroke-width='2' "
			   "stroke-linecap='round'/%%3E%%3C/svg%%3E\">\n",
			   tones[tone].colour, tones[tone].sign);
}

static void put_meta(const struct page_view *view, const char *attribute, const char *name,
		     const char *value)
{
	buf_printf(view->out, "<meta %s=\"%s\" content=\"", attribute, name);
	html_attr(view->out, value);
	buf_puts(view->out, "\">\n");
}

/* What other sites show of a link to the file. */
static void put_sharing(const struct page_view *view, const struct page_head *head,
			const char *title)
{
	const struct page_snapshot *snapshot = view->snapshot;
	bool has_address = strncmp(snapshot->url, "http", 4) == 0;
	if (!head->path)
		return;
	put_meta(view, "property", "og:type", "website");
	put_meta(view, "property", "og:title", title);
	if (head->description)
		put_meta(view, "property", "og:description", head->description);
	if (!has_address)
		return;
	const char *address = arena_printf(view->arena, "%s%s", snapshot->url, head->path);
	put_meta(view, "property", "og:url", address);
	if (snapshot->page.logo_file && snapshot->page.privacy == PRIVACY_PUBLIC)
		put_meta(
			view, "property", "og:image",
			arena_printf(view->arena, "%s%s", snapshot->url, snapshot->page.logo_file));
	buf_puts(view->out, "<link rel=\"canonical\" href=\"");
	html_url(view->out, address);
	buf_puts(view->out, "\">\n");
}

static const char *title_of(const struct page_view *view, const char *part)
{
	const char *title = page_title(view->snapshot, view->arena);
	return part ? words_text(view->locale->words, SAY_PART_OF_TITLE, 0,
				 WORD_VALUES({ "part", bidi_isolated(part, view->arena) },
					     { "page", bidi_isolated(title, view->arena) }),
				 view->arena)
		    : title;
}

void page_put_head(const struct page_view *view, const struct page_head *head)
{
	const struct status_page *page = &view->snapshot->page;
	struct buf *out = view->out;
	const char *title = title_of(view, head->part);
	const char *description = page->meta_description && !head->description
					  ? page->meta_description
					  : head->description;
	buf_printf(out,
		   "<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\">\n<head>\n"
		   "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
		   "content=\"width=device-width, initial-scale=1\">\n<title>",
		   view->locale->words->language, view->locale->words->direction);
	html_text(out, title);
	buf_puts(out, "</title>\n");
	if (description)
		put_meta(view, "name", "description", description);
	if (page->noindex)
		buf_puts(out, "<meta name=\"robots\" content=\"noindex\">\n");
	if (head->tone != TONE_NONE)
		buf_printf(out, "<meta name=\"theme-color\" content=\"#%s\">\n",
			   tones[head->tone].colour);
	put_sharing(view, head, title);
	put_icon(view, head->tone);
	buf_puts(out, "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"");
	page_say(view, SAY_INCIDENTS);
	buf_printf(out,
		   "\" href=\"%sfeed.atom\">\n<link rel=\"stylesheet\" href=\"%s%s\">\n"
		   "<script src=\"%s%s\" defer></script>\n",
		   view->root, view->root, page_style_name(), view->root, page_script_name());
	put_custom(view);
	buf_puts(out, "</head>\n<body>\n<a class=\"skip\" href=\"#main\">");
	page_say(view, SAY_SKIP_TO_CONTENT);
	buf_puts(out, "</a>\n");
	put_signs(view);
}

static void put_link(const struct page_view *view, const char *url, enum sentence sentence)
{
	if (!url)
		return;
	buf_puts(view->out, "<a href=\"");
	html_url(view->out, url);
	buf_puts(view->out, "\" rel=\"noopener\">");
	page_say(view, sentence);
	buf_puts(view->out, "</a>\n");
}

void page_put_way(const struct page_view *view, enum sentence text, const char *file)
{
	buf_puts(view->out, "<p>");
	page_say(view, text);
	buf_puts(view->out, " <code class=\"address\" dir=\"ltr\">");
	html_text(view->out, view->snapshot->url);
	buf_printf(view->out, "<wbr>%s</code></p>\n", file);
}

static void put_subscribe(const struct page_view *view)
{
	buf_puts(view->out, "<details class=\"menu\"><summary>");
	page_say(view, SAY_SUBSCRIBE);
	buf_puts(view->out, "</summary><div>\n");
	page_put_element(view, "strong", SAY_FEED);
	page_put_way(view, SAY_FEED_TEXT, "feed.atom");
	if (view->snapshot->has_maintenance) {
		page_put_element(view, "strong", SAY_CALENDAR);
		page_put_way(view, SAY_CALENDAR_TEXT, "calendar.ics");
	}
	buf_puts(view->out, "</div></details>\n");
}

/* The width and the height of the file: the style sheet scales it, and knows its room before it is
 * there. */
static void put_size(const struct page_view *view, const struct image *image)
{
	if (image->width_px > 0)
		buf_printf(view->out, " width=\"%u\" height=\"%u\"", image->width_px,
			   image->height_px);
}

static void put_logo(const struct page_view *view)
{
	const struct page_snapshot *snapshot = view->snapshot;
	const char *file = snapshot->page.logo_file, *dark = snapshot->page.logo_dark_file;
	struct buf *out = view->out;
	if (!file)
		return;
	/* The name stands beside a sign, and below a wider picture. */
	bool is_sign = snapshot->logo.width_px > 0 &&
		       snapshot->logo.width_px <= snapshot->logo.height_px * 3 / 2;
	if (dark) {
		buf_printf(out, "<picture class=\"%s\"><source srcset=\"%s%s\" media=\"%s\"",
			   is_sign ? "mark" : "wide", view->root, dark,
			   "screen and (prefers-color-scheme:dark)");
		put_size(view, &snapshot->logo_dark);
		buf_puts(out, ">");
	}
	buf_printf(out, "<img src=\"%s%s\" alt=\"\"", view->root, file);
	put_size(view, &snapshot->logo);
	/* A picture of which nothing is clear has its own ground. */
	if (dark)
		buf_puts(out, "></picture>\n");
	else
		buf_printf(out, " class=\"%s %s\">\n", is_sign ? "mark" : "wide",
			   snapshot->logo.is_clear ? "clear" : "solid");
}

void page_put_header(const struct page_view *view, bool is_first)
{
	const struct status_page *page = &view->snapshot->page;
	struct buf *out = view->out;
	buf_puts(out, "<header>\n");
	put_logo(view);
	buf_puts(out, "<h1>");
	if (!is_first)
		buf_printf(out, "<a href=\"%s\">", view->root[0] ? view->root : "./");
	buf_puts(out, "<bdi>");
	page_put_name(view, page->name);
	buf_printf(out, "</bdi>%s</h1>\n", is_first ? "" : "</a>");
	if (is_first || page->website_url || page->contact_url) {
		buf_puts(out, "<nav aria-label=\"");
		page_say(view, SAY_LINKS);
		buf_puts(out, "\">\n");
		put_link(view, page->website_url, SAY_WEBSITE);
		put_link(view, page->contact_url, SAY_CONTACT);
		if (is_first)
			put_subscribe(view);
		buf_puts(out, "</nav>\n");
	}
	buf_puts(out, "</header>\n");
}

/* No text of a tenant has it, since quotes and angle brackets are escaped there. */
static const char as_of_opening[] = "<p class=\"asof\"";

static void put_as_of(const struct page_view *view)
{
	enum { REFRESH_S = 60 };
	struct buf *out = view->out;
	buf_puts(out, as_of_opening);
	if (view->is_live) {
		buf_printf(out, " data-refresh=\"%d\" data-pause=\"", REFRESH_S);
		page_say(view, SAY_PAUSE_REFRESH);
		buf_puts(out, "\"");
	}
	buf_puts(out, ">");
	page_say_with(
		view, SAY_AS_OF, 0,
		WORD_VALUES({ "time", html_time(view->locale, view->snapshot->now, view->arena) }));
	if (view->is_live) {
		buf_puts(out, " <a href=\"\">");
		page_say(view, SAY_REFRESH);
		buf_puts(out, "</a>");
	}
	buf_puts(out, "</p>\n");
}

void page_put_footer(const struct page_view *view)
{
	buf_puts(view->out, "<footer>\n");
	put_as_of(view);
	buf_printf(view->out, "<p><a href=\"%sfeed.html\">", view->root);
	page_say(view, SAY_FEED);
	buf_printf(view->out, "</a> <a href=\"%ssummary.json\">", view->root);
	page_say(view, SAY_JSON);
	buf_puts(view->out, "</a></p>\n</footer>\n</body>\n</html>\n");
}

struct str page_html_as_of(struct str html)
{
	const char *from = html.len > 0 ? strstr(html.data, as_of_opening) : NULL;
	const char *end = from ? strchr(from, '\n') : NULL;
	return end ? (struct str){ from, (size_t)(end - from) } : (struct str){ "", 0 };
}
