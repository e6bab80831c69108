#include "view/page/page_texts.h"

#include <string.h>

#include "base/str.h"
#include "view/markdown.h"
#include "view/page/page_impact.h"
#include "view/page/page_markdown.h"

enum { LONG_TEXT_BYTES = 700, LONG_TEXT_LINES = 10, EXCERPT_CHARS = 240 };

void page_put_text(const struct page_view *view, const char *text, int heading_level)
{
	buf_puts(view->out, "<div class=\"text\" dir=\"auto\">");
	page_markdown(view->out, view->snapshot, text, heading_level);
	buf_puts(view->out, "</div>\n");
}

static bool is_long(const char *text)
{
	size_t lines = 1;
	for (const char *at = strchr(text, '\n'); at; at = strchr(at + 1, '\n'))
		lines++;
	return strlen(text) > LONG_TEXT_BYTES || lines > LONG_TEXT_LINES;
}

void page_put_folded_text(const struct page_view *view, const char *text, int heading_level)
{
	struct buf *out = view->out;
	if (!is_long(text)) {
		page_put_text(view, text, heading_level);
		return;
	}
	buf_puts(out, "<details class=\"more\"><summary><span class=\"excerpt\" dir=\"auto\">");
	page_put_name(view, markdown_plain(text, EXCERPT_CHARS, view->arena));
	page_say_in(view, " </span><span class=\"all\">", SAY_SHOW_ALL, "</span>");
	page_say_in(view, "<span class=\"less\">", SAY_SHOW_LESS, "</span></summary>\n");
	page_put_text(view, text, heading_level);
	buf_puts(out, "</details>\n");
}

enum sentence page_phase(int phase)
{
	return SAY_INVESTIGATING + (enum sentence)phase;
}

enum tone page_tone_of_phase(int phase)
{
	static const enum tone of[UPDATE_PHASES] = {
		[PHASE_INVESTIGATING] = TONE_DOWN,    [PHASE_IDENTIFIED] = TONE_PARTLY_DOWN,
		[PHASE_MONITORING] = TONE_DEGRADED,   [PHASE_RESOLVED] = TONE_UP,
		[PHASE_SCHEDULED] = TONE_MAINTENANCE, [PHASE_IN_PROGRESS] = TONE_MAINTENANCE,
		[PHASE_VERIFYING] = TONE_MAINTENANCE, [PHASE_COMPLETED] = TONE_UP,
		[PHASE_CANCELLED] = TONE_NONE,
	};
	return of[phase];
}

/* Appends the time of the update, as a link to the update on the page of its incident or window. */
static void put_at(const struct page_view *view, const struct posted_update *update,
		   const struct page_updates *of)
{
	buf_printf(view->out, "<a class=\"at\" href=\"%s%s#update-%lld\">%s</a>",
		   of->link ? view->root : "", of->link ? of->link : "", (long long)update->id,
		   html_time(view->locale, update->at, view->arena));
}

static void put_update(const struct page_view *view, const struct page_updates *of, size_t at)
{
	struct buf *out = view->out;
	const struct posted_update *update = &of->first[at];
	bool is_after_end = at + 1 < of->count && update[1].phase == PHASE_RESOLVED;
	buf_printf(out, "<li class=\"%s\"", page_tone_class(page_tone_of_phase(update->phase)));
	if (!of->link)
		buf_printf(out, " id=\"update-%lld\"", (long long)update->id);
	page_say_in(view, "><p class=\"meta\"><strong>", page_phase(update->phase), "</strong> ");
	put_at(view, update, of);
	if (update->edited_at.s > 0) {
		buf_puts(out, " <em>");
		page_say_time(view, SAY_EDITED, update->edited_at);
		buf_puts(out, "</em>");
	}
	buf_puts(out, "</p>\n");
	if (of->incident)
		page_put_changes(view, of->incident, update, is_after_end);
	if (of->is_unfolded)
		page_put_text(view, update->body, of->heading_level);
	else
		page_put_folded_text(view, update->body, of->heading_level);
	buf_puts(out, "</li>\n");
}

static void put_list(const struct page_view *view, const struct page_updates *updates, size_t from,
		     size_t to)
{
	buf_puts(view->out, "<ol class=\"updates\">\n");
	for (size_t i = from; i < to; i++)
		put_update(view, updates, i);
	buf_puts(view->out, "</ol>\n");
}

void page_say_updates(const struct page_view *view, size_t count, size_t total)
{
	if (total > count)
		page_say_with(view, SAY_NEWEST_UPDATES, 0,
			      WORD_VALUES({ "count", arena_printf(view->arena, "%zu", count) },
					  { "total", arena_printf(view->arena, "%zu", total) }));
	else
		page_say_count(view, SAY_ALL_UPDATES, count);
}

void page_put_updates(const struct page_view *view, const struct page_updates *updates)
{
	size_t count = updates->count;
	size_t whole = count < updates->whole_max ? count : updates->whole_max;
	bool has_more = count > whole + updates->folded_max;
	size_t shown = has_more ? whole + updates->folded_max : count;
	if (count == 0)
		return;
	put_list(view, updates, 0, whole);
	if (shown > whole) {
		buf_puts(view->out, "<details class=\"earlier\"><summary>");
		page_say_count(view, SAY_EARLIER_UPDATES, shown - whole);
		buf_puts(view->out, "</summary>\n");
		put_list(view, updates, whole, shown);
		buf_puts(view->out, "</details>\n");
	}
	if (!has_more || !updates->link)
		return;
	buf_printf(view->out, "<p class=\"meta\"><a href=\"%s%s\">", view->root, updates->link);
	page_say_updates(view, count, updates->total);
	buf_puts(view->out, "</a></p>\n");
}

static void put_chips(const struct page_view *view, const struct incident_monitor *monitors,
		      size_t count, bool has_impacts)
{
	struct buf *out = view->out;
	page_say_in(view, "<ul class=\"chips\" aria-label=\"", SAY_AFFECTED_SYSTEMS, "\">\n");
	for (size_t i = 0; i < count; i++) {
		buf_puts(out, "<li><span dir=\"auto\">");
		page_put_name(view, monitors[i].name);
		buf_puts(out, "</span>");
		if (has_impacts) {
			buf_putc(out, ' ');
			page_put_impact(view, monitors[i].impact);
		}
		buf_puts(out, "</li>\n");
	}
	buf_puts(out, "</ul>\n");
}

/* Folds all but the first names: hundreds of names would push the updates far down. */
void page_put_affected(const struct page_view *view, const struct incident_monitor *monitors,
		       size_t count, bool has_impacts)
{
	enum { UNFOLDED_SYSTEMS_MAX = 12 };
	size_t shown = count < UNFOLDED_SYSTEMS_MAX ? count : UNFOLDED_SYSTEMS_MAX;
	if (count == 0)
		return;
	put_chips(view, monitors, shown, has_impacts);
	if (count == shown)
		return;
	buf_puts(view->out, "<details class=\"earlier\"><summary>");
	page_say_count(view, SAY_MORE, count - shown);
	buf_puts(view->out, "</summary>\n");
	put_chips(view, monitors + shown, count - shown, has_impacts);
	buf_puts(view->out, "</details>\n");
}

void page_put_names(const struct page_view *view, const struct incident_monitor *monitors,
		    size_t count)
{
	enum { NAMED_SYSTEMS_MAX = 5 };
	struct buf *out = view->out;
	if (count == 0)
		return;
	buf_puts(out, "<p class=\"meta\">");
	for (size_t i = 0; i < count && i < NAMED_SYSTEMS_MAX; i++) {
		buf_printf(out, "%s<span dir=\"auto\">", i > 0 ? " · " : "");
		page_put_name(view, monitors[i].name);
		buf_puts(out, "</span>");
	}
	if (count > NAMED_SYSTEMS_MAX) {
		buf_puts(out, " · ");
		page_say_count(view, SAY_MORE, count - NAMED_SYSTEMS_MAX);
	}
	buf_puts(out, "</p>\n");
}

const char *page_times(const struct page_view *view, struct instant from, struct instant to)
{
	return view->is_below_days ? html_times_of_day(view->locale, from, to, view->arena)
				   : html_times(view->locale, from, to, view->arena);
}

void page_put_all_updates(const struct page_view *view, struct page_updates updates)
{
	page_put_element(view, "h3", SAY_UPDATES);
	updates.whole_max = updates.count;
	updates.heading_level = 4;
	updates.is_unfolded = true;
	page_put_updates(view, &updates);
	if (updates.total <= updates.count)
		return;
	buf_puts(view->out, "<p class=\"meta\">");
	page_say_updates(view, updates.count, updates.total);
	buf_puts(view->out, "</p>\n");
}

void page_begin_own(const struct page_view *view, struct page_head head, const char *text)
{
	enum { DESCRIPTION_MAX_CHARS = 200 };
	if (text)
		head.description = markdown_plain(text, DESCRIPTION_MAX_CHARS, view->arena);
	page_put_head(view, &head);
	page_put_header(view, false);
	page_say_in(view,
		    "<main id=\"main\" class=\"incident\">\n"
		    "<p class=\"back\"><a href=\"../\">",
		    SAY_CURRENT_STATE, "</a></p>\n");
}

void page_end_own(const struct page_view *view)
{
	buf_puts(view->out, "</main>\n");
	page_put_footer(view);
}
