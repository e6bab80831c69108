/* The page of one occurrence of a maintenance window. */
#include "view/page/page_incident.h"
#include "view/page/page_texts.h"

static void put_whole_window(const struct page_view *view,
			     const struct page_maintenance *maintenance)
{
	struct buf *out = view->out;
	buf_puts(out, "<h2><bdi>");
	page_put_name(view, maintenance->title);
	buf_puts(out, "</bdi></h2>\n<p class=\"meta\">");
	page_put_window(view, maintenance);
	buf_puts(out, "</p>\n");
	page_put_affected(view, maintenance->monitors, maintenance->monitor_count, false);
	if (maintenance->body)
		page_put_text(view, maintenance->body, 3);
	if (maintenance->update_count > 0)
		page_put_all_updates(view,
				     (struct page_updates){ .first = maintenance->updates,
							    .count = maintenance->update_count });
}

void page_maintenance(struct buf *out, const struct page_snapshot *snapshot,
		      const struct page_maintenance *maintenance, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	struct page_view view = { out, snapshot, &locale, arena, "../", false };
	const char *text = maintenance->update_count > 0 ? maintenance->updates[0].body
							 : maintenance->body;
	page_begin_own(&view,
		       (struct page_head){ .part = maintenance->title,
					   .path = page_maintenance_path(maintenance, arena),
					   .tone = page_tone_of_phase(maintenance->status) },
		       text);
	put_whole_window(&view, maintenance);
	page_end_own(&view);
}

void page_maintenance_frame(struct buf *out, const struct page_snapshot *snapshot,
			    struct arena *arena)
{
	struct page_snapshot frame = *snapshot;
	struct posted_update update = {
		.phase = PHASE_COMPLETED, .body = "", .at = { 1 }, .edited_at = { 2 }
	};
	struct incident_monitor monitor = { .id = 1, .name = "" };
	const struct page_maintenance sample = { .id = 1,
						 .title = "",
						 .body = "",
						 .status = PHASE_COMPLETED,
						 .starts_at = { 1 },
						 .ends_at = { 2 },
						 .monitors = &monitor,
						 .monitor_count = 1,
						 .updates = &update,
						 .update_count = 1 };
	frame.now = (struct instant){ 0 };
	page_maintenance(out, &frame, &sample, arena);
}
