#include "view/console/console_systems_html.h"

#include "view/html.h"

static void put_row(struct buf *out, const struct console_view *view, size_t at,
		    const struct console_system *row)
{
	const char *name = arena_printf(view->arena, "systems[%zu]", at);
	const char *id = arena_printf(view->arena, "%lld", (long long)row->id);
	bool is_shown = row->place > 0;
	buf_puts(out, "<li>\n");
	console_hidden(out, arena_printf(view->arena, "%s[monitor_id]", name), id);
	buf_printf(out,
		   "<label class=\"box\"><input type=\"checkbox\" name=\"%s[is_shown]\" "
		   "value=\"1\"%s> ",
		   name, is_shown ? " checked" : "");
	html_text(out, row->name);
	buf_printf(out, "</label>\n<label for=\"place-%s\" class=\"soft\">", id);
	console_say(out, view->words, CONSOLE_PLACE, NULL);
	buf_printf(out,
		   "</label>\n<input type=\"number\" id=\"place-%s\" name=\"%s[place]\" "
		   "min=\"1\" value=\"",
		   id, name);
	if (is_shown)
		buf_printf(out, "%lld", (long long)row->place);
	buf_puts(out, "\">\n</li>\n");
}

void console_systems_html(struct buf *out, const struct console_view *view,
			  const struct console_systems *systems)
{
	const char *path = arena_printf(view->arena, "pages/%lld/systems", (long long)systems->id);
	console_begin(out, view, systems->name);
	console_put_tabs(out, view, systems->screen, systems->principal, systems->id);
	if (systems->is_saved)
		console_element(out, view, "p class=\"done\" role=\"status\"", CONSOLE_SAVED);
	if (systems->problem) {
		buf_puts(out, "<p class=\"problem\" role=\"alert\">");
		html_text(out, systems->problem);
		buf_puts(out, "</p>\n");
	}
	console_put_search(out, view, systems->search);
	console_element(out, view, "p class=\"note\"", CONSOLE_PLACE_TEXT);
	console_form(out, view, path);
	console_hidden(out, "version",
		       arena_printf(view->arena, "%lld", (long long)systems->version));
	buf_puts(out, "<ol class=\"places\">\n");
	for (size_t i = 0; i < systems->count; i++)
		put_row(out, view, i, &systems->rows[i]);
	buf_puts(out, "</ol>\n");
	console_element(out, view, "button", CONSOLE_SAVE);
	buf_puts(out, "</form>\n");
	if (systems->has_more) {
		buf_puts(out, "<p>");
		console_link(out, view,
			     arena_printf(view->arena, "%s?page=%lld", path,
					  (long long)systems->page + 1),
			     CONSOLE_NEXT);
		buf_puts(out, "</p>\n");
	}
	console_end(out);
}
