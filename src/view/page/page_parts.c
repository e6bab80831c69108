#include "view/page/page_parts.h"

#include <string.h>

#include "base/bidi.h"
#include "base/str.h"
#include "view/share/page_preview.h"

static const struct {
	const char *class_name;
	/* the background colour of tab icons, badges and preview pictures; the style sheet has the
	 * other colours */
	const char *colour;
	const char *sign; /* an SVG path in a square of 16 units, drawn as lines with round ends */
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

void page_say_in(const struct page_view *view, const char *before, enum sentence sentence,
		 const char *after)
{
	buf_puts(view->out, before);
	page_say(view, sentence);
	buf_puts(view->out, after);
}

void page_say_with(const struct page_view *view, enum sentence sentence, size_t count,
		   const struct word_value *values)
{
	words_html(view->out, view->locale->words, sentence, count, values);
}

void page_say_count(const struct page_view *view, enum sentence sentence, size_t count)
{
	page_say_with(view, sentence, count,
		      WORD_VALUES({ "count", arena_printf(view->arena, "%zu", count) }));
}

void page_say_time(const struct page_view *view, enum sentence sentence, struct instant at)
{
	page_say_with(view, sentence, 0,
		      WORD_VALUES({ "time", html_time(view->locale, at, view->arena) }));
}

void page_say_duration(const struct page_view *view, enum sentence sentence, int64_t seconds)
{
	const char *duration = html_duration(view->locale, seconds, view->arena);
	page_say_with(view, sentence, 0, WORD_VALUES({ "duration", duration }));
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

const char *page_value(const struct page_view *view, page_put *put, const void *of)
{
	struct buf value CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	struct page_view apart = *view;
	apart.out = &value;
	put(&apart, of);
	view->out->is_failed |= !buf_ok(&value);
	return value.len > 0 ? arena_strndup(view->arena, value.data, value.len) : "";
}

static void put_name(const struct page_view *view, const void *of)
{
	buf_puts(view->out, "<bdi>");
	page_put_name(view, of);
	buf_puts(view->out, "</bdi>");
}

const char *page_name_value(const struct page_view *view, const char *name)
{
	return page_value(view, put_name, name);
}

void page_put_so_far(const struct page_view *view, struct instant since)
{
	/* Round the duration down to a multiple of step_s, so that several publishes within step_s
	 * write the same text. */
	enum { MINUTE_S = 60, HOUR_S = 3600, STEP_S = 5 * MINUTE_S, LATER_STEP_S = 15 * MINUTE_S };
	int64_t age_s = view->snapshot->now.s - since.s;
	int64_t step_s = age_s >= HOUR_S ? LATER_STEP_S : age_s >= STEP_S ? STEP_S : MINUTE_S;
	int64_t duration_s = age_s / step_s * step_s;
	/* A file that is not live is not published as time passes: a duration would get old. */
	if (duration_s <= 0 || !view->is_live)
		return;
	const char *duration = html_duration(view->locale, duration_s, view->arena);
	/* The script keeps the duration up to date. */
	buf_puts(view->out, ", ");
	page_say_with(
		view, SAY_SO_FAR, 0,
		WORD_VALUES({ "duration", arena_printf(view->arena, "<span class=\"len\">%s</span>",
						       duration) }));
}

void page_begin_section(const struct page_view *view, const char *id)
{
	buf_printf(view->out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">", id, id);
}

void page_put_section(const struct page_view *view, const char *id, enum sentence heading)
{
	page_begin_section(view, id);
	page_say_in(view, "", heading, "</h2>\n");
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

void page_put_signs(const struct page_view *view)
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
	/* page_text_make_plain() expects each link on a separate line. */
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

/* Appends the icon of the tab: the page's favicon, or a square in the colour of `tone` with its
 * sign. */
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

/*
 * Appends the picture for previews of links: the drawn picture of the page's state if is_of_state,
 * or else the header image, or else the logo. A page that is not public has no picture, because
 * other sites cannot fetch it. is_of_state is false for pages of incidents: a change of the page's
 * state does not rewrite them.
 */
static void put_preview_picture(const struct page_view *view, bool is_of_state)
{
	const struct page_snapshot *snapshot = view->snapshot;
	const struct image drawn = { .width_px = PAGE_PREVIEW_WIDTH_PX,
				     .height_px = PAGE_PREVIEW_HEIGHT_PX };
	const struct {
		const char *file;
		const struct image *image;
		const char *card;
	} pictures[] = {
		{ is_of_state ? snapshot->preview_file : NULL, &drawn, "summary_large_image" },
		{ snapshot->page.header_image_file, &snapshot->header_image,
		  "summary_large_image" },
		{ snapshot->page.logo_file, &snapshot->logo, "summary" },
	};
	size_t at = 0;
	while (at < ARRAY_LEN(pictures) && !pictures[at].file)
		at++;
	if (at == ARRAY_LEN(pictures) || snapshot->page.privacy != PRIVACY_PUBLIC) {
		put_meta(view, "name", "twitter:card", "summary");
		return;
	}
	const char *file = pictures[at].file;
	const struct image *image = pictures[at].image;
	put_meta(view, "name", "twitter:card", pictures[at].card);
	put_meta(view, "property", "og:image",
		 arena_printf(view->arena, "%s%s", snapshot->url, file));
	if (image->width_px == 0)
		return;
	put_meta(view, "property", "og:image:width",
		 arena_printf(view->arena, "%u", image->width_px));
	put_meta(view, "property", "og:image:height",
		 arena_printf(view->arena, "%u", image->height_px));
}

/* Appends the elements from which other sites make a preview of a link to the file. */
static void put_sharing(const struct page_view *view, const struct page_head *head,
			const char *title)
{
	const struct page_snapshot *snapshot = view->snapshot;
	bool has_address = strncmp(snapshot->url, "http", 4) == 0;
	if (!head->path)
		return;
	put_meta(view, "property", "og:type", "website");
	put_meta(view, "property", "og:title", title);
	put_meta(view, "property", "og:site_name", page_title(snapshot, view->arena));
	if (head->description)
		put_meta(view, "property", "og:description", head->description);
	if (!has_address)
		return;
	const char *address = arena_printf(view->arena, "%s%s", snapshot->url, head->path);
	put_meta(view, "property", "og:url", address);
	put_preview_picture(view, *head->path == '\0');
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

/* Appends the patterns with which the script writes durations and local times. A pattern is a
 * sentence with "$d" for the day, "$m" for the month, and so on. */
static void put_forms(const struct page_view *view)
{
	static const enum sentence times[] = { SAY_TIME, SAY_TIME_SHORT, SAY_TIME_OF_DAY,
					       SAY_TIME_OF_DAY_SHORT };
	static const enum sentence lengths[] = { SAY_DURATION_HOURS, SAY_DURATION_WHOLE_HOURS,
						 SAY_DURATION_MINUTES };
	const struct words *words = view->locale->words;
	const struct word_value *values = WORD_VALUES({ "day", "$d" }, { "month", "$m" },
						      { "year", "$y" }, { "hour", "$h" },
						      { "minute", "$i" }, { "zone", "$z" });
	struct buf *out = view->out;
	buf_puts(out, " data-months=\"");
	for (size_t i = 0; i < ARRAY_LEN(words->short_months); i++)
		buf_printf(out, "%s%s", i > 0 ? " " : "", words->short_months[i]);
	buf_puts(out, "\" data-times=\"");
	for (size_t i = 0; i < ARRAY_LEN(times); i++) {
		buf_puts(out, i > 0 ? "|" : "");
		page_say_with(view, times[i], 0, values);
	}
	buf_puts(out, "\" data-lengths=\"");
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		buf_puts(out, i > 0 ? "|" : "");
		page_say_with(view, lengths[i], 0,
			      WORD_VALUES({ "hours", "$h" }, { "minutes", "$i" }));
	}
	buf_puts(out, "\" data-own=\"");
	page_say_with(view, SAY_OWN_TIME, 0, values);
	buf_puts(out, "\" data-day=\"");
	page_say_with(view, SAY_DAY_IS, 0,
		      WORD_VALUES({ "date", words_text(words, SAY_DATE, 0, values, view->arena) },
				  { "what", "$w" }));
	buf_puts(out, "\"");
}

static void put_style(const struct page_view *view, const char *name)
{
	buf_printf(view->out, "<link rel=\"stylesheet\" href=\"%s%s\">\n", view->root, name);
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
	if (page->noindex || head->is_error)
		buf_puts(out, "<meta name=\"robots\" content=\"noindex\">\n");
	if (head->tone != TONE_NONE)
		buf_printf(out, "<meta name=\"theme-color\" content=\"#%s\">\n",
			   tones[head->tone].colour);
	put_sharing(view, head, title);
	put_icon(view, head->tone);
	buf_puts(out, "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"");
	page_say(view, SAY_INCIDENTS);
	buf_printf(out, "\" href=\"%sfeed.atom\">\n", view->root);
	put_style(view, page_style_name_of(page, view->arena));
	if (head->style)
		put_style(view, head->style);
	buf_printf(out, "<script src=\"%s%s\" defer", view->root, page_asset_name(PAGE_SCRIPT));
	put_forms(view);
	buf_puts(out, "></script>\n");
	put_custom(view);
	page_say_in(view, "</head>\n<body>\n<a class=\"skip\" href=\"#main\">", SAY_SKIP_TO_CONTENT,
		    "</a>\n");
	if (!head->is_error)
		page_put_signs(view);
}
