/* The page of an incident: its course, newest update first. */
#include "base/str.h"
#include "view/html.h"
#include "view/page_parts.h"
#include "view/page_updates.h"

const char *page_incident_path(const struct incident *incident, struct arena *arena)
{
	return arena_printf(arena, "incidents/%lld", (long long)incident->id);
}

const char *page_incident_url(const struct page_snapshot *snapshot, const struct incident *incident,
			      struct arena *arena)
{
	return arena_printf(arena, "%s%s", snapshot->url, page_incident_path(incident, arena));
}

bool page_incident_has_text(const struct incident *incident)
{
	return incident->kind == INCIDENT_REPORTED || incident->title || incident->comment ||
	       incident->update_count > 0 || incident->postmortem;
}

static void put_head(struct buf *out, const struct page_snapshot *snapshot,
		     const struct incident *incident, struct arena *arena)
{
	const struct status_page *page = &snapshot->page;
	const struct locale locale = locale_of_page(page);
	const struct words *words = locale.words;
	buf_printf(out,
		   "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, "
		   "initial-scale=1\">\n<title>",
		   words->language);
	html_text(out,
		  words_text(words, SAY_PART_OF_TITLE, 0,
			     WORD_VALUES({ "part", page_incident_name(snapshot, incident, arena) },
					 { "page", page_title(snapshot, arena) }),
			     arena));
	buf_puts(out, "</title>\n");
	if (page->noindex)
		buf_puts(out, "<meta name=\"robots\" content=\"noindex\">\n");
	if (page->favicon_file)
		buf_printf(out, "<link rel=\"icon\" href=\"../%s\">\n", page->favicon_file);
	else
		buf_puts(out, "<link rel=\"icon\" href=\"data:,\">\n");
	buf_printf(out,
		   "<link rel=\"stylesheet\" href=\"../%s\">\n"
		   "<script src=\"../%s\" defer></script>\n",
		   page_style_name(), page_script_name());
	/* A line for each, which page_text_make_plain() finds. */
	if (page->custom_css)
		buf_printf(out, "<link rel=\"stylesheet\" href=\"../%s\">\n",
			   page_custom_name(arena, page->custom_css, "css"));
	if (page->custom_js)
		buf_printf(out, "<script src=\"../%s\" defer></script>\n",
			   page_custom_name(arena, page->custom_js, "js"));
	buf_puts(out, "</head>\n<body>\n");
}

static void put_update(struct buf *out, const struct locale *locale,
		       const struct page_update *update, struct arena *arena)
{
	enum sentence phase = SAY_INVESTIGATING + (enum sentence)update->phase;
	buf_puts(out, "<li><strong>");
	words_put(out, locale->words, update->is_postmortem ? SAY_POSTMORTEM : phase);
	buf_printf(out, "</strong> <span class=\"meta\">%s</span>",
		   html_time(locale, update->at, arena));
	buf_puts(out, "<p class=\"comment\" dir=\"auto\">");
	html_text(out, update->body);
	buf_puts(out, "</p></li>\n");
}

void page_incident(struct buf *out, const struct page_snapshot *snapshot,
		   const struct incident *incident, struct arena *arena)
{
	const struct locale locale = locale_of_page(&snapshot->page);
	const struct words *words = locale.words;
	const struct page_update_list list = page_incident_updates(snapshot, incident, arena);
	put_head(out, snapshot, incident, arena);
	buf_puts(out, "<header>\n<h1 dir=\"auto\">");
	html_text(out, page_incident_name(snapshot, incident, arena));
	buf_puts(out, "</h1>\n</header>\n<main id=\"main\">\n<ul class=\"plain\">\n");
	for (size_t i = 0; i < list.count; i++)
		put_update(out, &locale, &list.rows[i], arena);
	buf_puts(out, "</ul>\n<nav class=\"months\" aria-label=\"");
	words_put(out, words, SAY_LINKS);
	buf_puts(out, "\">\n<a href=\"../\">");
	words_put(out, words, SAY_CURRENT_STATE);
	buf_puts(out, "</a>\n</nav>\n</main>\n</body>\n</html>\n");
}

void page_incident_frame(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	struct page_snapshot frame = *snapshot;
	const struct incident sample = {
		.id = 1, .monitor_name = "", .cause = "", .started_at = { 1 }, .ended_at = { 2 }
	};
	frame.now = (struct instant){ 0 };
	page_incident(out, &frame, &sample, arena);
}
