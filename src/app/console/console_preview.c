/*
 * Previews (contract section 15). A screen posts its form into a frame, which shows the page as it
 * would look after the change. The handler of the form runs, but its transaction is rolled back:
 * see service/previews.h.
 */
#include <string.h>

#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/routes.h"
#include "domain/page/published_file.h"
#include "service/previews.h"
#include "service/resource/resource.h"
#include "store/incident/incident.h"
#include "view/console/console_incident_html.h"
#include "view/console/console_value_html.h"
#include "view/page.h"
#include "view/page/page_text.h"

static enum preview_of preview_of(const struct exchange *exchange)
{
	const struct console_screen *screen = exchange->route->screen;
	if (screen && screen->resource == &resource_status_pages)
		return PREVIEW_OF_PAGE;
	if (screen && (screen->resource == &resource_maintenances ||
		       screen->resource == &resource_maintenance_updates))
		return PREVIEW_OF_MAINTENANCE;
	return PREVIEW_OF_INCIDENT;
}

void console_begin_preview(struct exchange *exchange)
{
	struct console *console = exchange->console;
	if (!exchange->route || !(exchange->route->route.flags & ROUTE_PREVIEW))
		return;
	console->preview = ARENA_NEW(&exchange->arena, struct service_preview);
	console->preview->of = preview_of(exchange);
	if (console->preview->of == PREVIEW_OF_PAGE)
		console->preview->page_id = exchange->match.id;
	console->nonce = console_form_key(exchange);
}

static void add_inline(struct page_inlines *inlines, const char *name, const void *data, size_t len)
{
	if (name)
		inlines->rows[inlines->count++] =
			(struct page_inline){ name, published_file_type(name), { data, len } };
}

/* Appends the page's HTML, in which its style, script and pictures are embedded. */
static void put_page(struct exchange *exchange, const struct service_preview *preview)
{
	struct arena *arena = &exchange->arena;
	const struct status_page *page = &preview->snapshot->page;
	const char *css = page->custom_css, *js = page->custom_js;
	struct page_inline rows[STATUS_PAGE_PICTURES + 3];
	struct page_inlines inlines = { rows, 0, preview->snapshot->url, exchange->console->nonce };
	struct buf style CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	page_style_of(&style, page);
	add_inline(&inlines, page_style_name_of(page, arena), style.data, style.len);
	add_inline(&inlines, page_custom_name(arena, css, "css"), css, css ? strlen(css) : 0);
	add_inline(&inlines, page_custom_name(arena, js, "js"), js, js ? strlen(js) : 0);
	for (size_t i = 0; i < preview->picture_count; i++)
		add_inline(&inlines, preview->pictures[i].name, preview->pictures[i].data,
			   preview->pictures[i].len);
	page_html(&exchange->response.body, preview->snapshot, arena);
	page_text_make_whole(&exchange->response.body, &inlines, arena);
}

/* Appends the messages that the subscribers of the page would get, and the names of the other pages
 * that the change concerns. */
static void put_messages(struct exchange *exchange, const struct console_view *view,
			 const struct service_preview *preview)
{
	struct buf *body = &exchange->response.body;
	const struct incident_page *pages = preview->pages.rows;
	struct page_message_event *events =
		ARENA_ARRAY(&exchange->arena, preview->event_count, struct page_message_event);
	for (size_t i = 0; i < preview->event_count; i++) {
		const struct event_change *change = &preview->events[i];
		events[i] = (struct page_message_event){
			.kind = change->kind,
			.object_id = change->object_id,
			.at = exchange->now,
			.text = change->update_id > 0 ? change->detail : NULL,
			.starts_at = change->starts_at,
		};
	}
	console_put_message(body, view, preview->snapshot, events, preview->event_count);
	console_put_feed_entry(body, view, preview->snapshot, preview->of == PREVIEW_OF_MAINTENANCE,
			       preview->object_id);
	for (size_t i = 1; i < preview->pages.count; i++)
		console_paragraph(body, view, CONSOLE_PREVIEW_OTHER,
				  WORD_VALUES({ "page", pages[i].name }));
}

enum result console_show_preview(struct exchange *exchange)
{
	const struct service_preview *preview = exchange->console->preview;
	const struct console_view view = console_view(exchange);
	struct buf *body = &exchange->response.body;
	if (!preview->snapshot)
		console_no_preview_html(body, &view, console_text(&view, CONSOLE_PREVIEW_NO_PAGE),
					NULL);
	else
		put_page(exchange, preview);
	if (preview->window)
		console_put_next_times(body, &view, preview->window);
	if (preview->pages.count > 0)
		put_messages(exchange, &view, preview);
	console_respond(exchange, 200);
	return buf_ok(body) ? OK : error_log(&exchange->error, E_FAILED, "a preview is too large");
}
