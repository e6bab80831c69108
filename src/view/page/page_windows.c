/* Maintenance windows on the HTML files of a page. */
#include "view/page/page_incident.h"
#include "view/page/page_texts.h"

enum { WHOLE_UPDATES_MAX = 3 };

static void put_when(const struct page_view *view, const struct page_maintenance *maintenance)
{
	struct instant from = maintenance->starts_at, to = maintenance->ends_at;
	const char *times = page_times(view, from, to);
	page_say_with(view, SAY_WINDOW, 0,
		      WORD_VALUES({ "times", times },
				  { "duration",
				    html_duration(view->locale, to.s - from.s, view->arena) }));
}

/* Appends the name, as a link to the page of the window. */
static void put_name(const struct page_view *view, const struct page_maintenance *maintenance)
{
	buf_printf(view->out, "<a dir=\"auto\" href=\"%s%s\">", view->root,
		   page_maintenance_path(maintenance, view->arena));
	page_put_name(view, maintenance->title);
	buf_puts(view->out, "</a>");
}

void page_put_window(const struct page_view *view, const struct page_maintenance *maintenance)
{
	page_put_state(view, page_tone_of_phase(maintenance->status),
		       page_phase(maintenance->status));
	buf_putc(view->out, ' ');
	put_when(view, maintenance);
}

const struct page_maintenance *page_maintenance_repeated(const struct page_snapshot *snapshot,
							 const struct page_maintenance *one)
{
	bool is_off = one->is_off_ahead;
	if ((one->status != PHASE_SCHEDULED && !is_off) || one->update_count > 0)
		return NULL;
	for (const struct page_maintenance *before = snapshot->maintenances; before < one; before++)
		if (before->window_id == one->window_id &&
		    (is_off ? before->is_off_ahead && before->updated_at.s == one->updated_at.s
			    : before->status == PHASE_SCHEDULED))
			return before;
	return NULL;
}

static bool repeats(const struct page_snapshot *snapshot, const struct page_maintenance *one,
		    const struct page_maintenance *first)
{
	return one->window_id == first->window_id &&
	       page_maintenance_repeated(snapshot, one) == first;
}

/* Appends the times of later occurrences that have no separate card. */
static void put_later(const struct page_view *view, const struct page_maintenance *maintenance)
{
	const struct page_snapshot *snapshot = view->snapshot;
	const struct page_maintenance *end = snapshot->maintenances + snapshot->maintenance_count;
	size_t count = 0;
	for (const struct page_maintenance *one = maintenance; one < end; one++)
		count += repeats(snapshot, one, maintenance);
	if (count == 0)
		return;
	buf_puts(view->out, "<details class=\"inside\"><summary>");
	page_say_count(view, SAY_LATER_DATES, count);
	buf_puts(view->out, "</summary><ul>\n");
	for (const struct page_maintenance *one = maintenance; one < end; one++) {
		if (!repeats(snapshot, one, maintenance))
			continue;
		buf_puts(view->out, "<li>");
		put_when(view, one);
		buf_puts(view->out, "</li>\n");
	}
	buf_puts(view->out, "</ul></details>\n");
}

void page_put_maintenance(const struct page_view *view, const struct page_maintenance *maintenance)
{
	struct buf *out = view->out;
	buf_printf(out, "<article class=\"card open %s\" id=\"maintenance-%lld\">\n<h3>",
		   page_tone_class(page_tone_of_phase(maintenance->status)),
		   (long long)maintenance->id);
	put_name(view, maintenance);
	buf_puts(out, "</h3>\n<p class=\"meta\">");
	page_put_window(view, maintenance);
	buf_puts(out, "</p>\n");
	page_put_affected(view, maintenance->monitors, maintenance->monitor_count, false);
	if (maintenance->body)
		page_put_folded_text(view, maintenance->body, 4);
	page_put_updates(view, &(struct page_updates){
				       .first = maintenance->updates,
				       .count = maintenance->update_count,
				       .whole_max = WHOLE_UPDATES_MAX,
				       .folded_max = maintenance->update_count,
				       .link = page_maintenance_path(maintenance, view->arena),
				       .heading_level = 4 });
	put_later(view, maintenance);
	buf_puts(out, "</article>\n");
}

void page_put_later_window(const struct page_view *view, const struct page_maintenance *maintenance)
{
	struct buf *out = view->out;
	buf_printf(out, "<li id=\"maintenance-%lld\"><strong>", (long long)maintenance->id);
	put_name(view, maintenance);
	buf_puts(out, "</strong> <span class=\"meta\">");
	if (maintenance->status == PHASE_SCHEDULED)
		put_when(view, maintenance);
	else
		page_put_window(view, maintenance);
	buf_puts(out, "</span>\n");
	put_later(view, maintenance);
	buf_puts(out, "</li>\n");
}

void page_put_soon_window(const struct page_view *view, const struct page_maintenance *maintenance)
{
	const char *title = arena_printf(view->arena, "<a href=\"#maintenance-%lld\">%s</a>",
					 (long long)maintenance->id,
					 page_name_value(view, maintenance->title));
	buf_puts(view->out, "<p>");
	page_say_with(
		view, SAY_MAINTENANCE_SOON, 0,
		WORD_VALUES({ "title", title }, { "times", page_times(view, maintenance->starts_at,
								      maintenance->ends_at) }));
	buf_puts(view->out, "</p>\n");
}

static bool is_during(const struct page_incident *incident, const void *entry)
{
	return incident->during == entry;
}

void page_put_past_maintenance(const struct page_view *view,
			       const struct page_maintenance *maintenance,
			       const struct page_incident *all, size_t count)
{
	struct buf *out = view->out;
	buf_printf(out, "<li class=\"work\" id=\"maintenance-%lld\"><p><strong>",
		   (long long)maintenance->id);
	put_name(view, maintenance);
	buf_puts(out, "</strong></p>\n<p class=\"meta\">");
	page_put_window(view, maintenance);
	buf_puts(out, "</p>\n");
	page_put_names(view, maintenance->monitors, maintenance->monitor_count);
	if (maintenance->update_count > 0)
		page_put_folded_text(view, maintenance->updates[0].body, 5);
	else if (maintenance->body)
		page_put_folded_text(view, maintenance->body, 5);
	page_put_explained(view, all, count, is_during, maintenance);
	buf_puts(out, "</li>\n");
}
