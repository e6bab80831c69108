#include "view/console/console_systems_html.h"

#include <string.h>

#include "view/html.h"

static void put_problem(struct buf *out, const char *message)
{
	buf_puts(out, "<p class=\"problem\" role=\"alert\">");
	html_text(out, message);
	buf_puts(out, "</p>\n");
}

/* Appends the problems of a row; if `row` is NULL, the problems of the whole list. */
static void put_problems(struct buf *out, const struct console_systems *systems,
			 const struct console_system *row)
{
	const struct violation *at = systems->violations ? systems->violations->first : NULL;
	for (; at; at = at->next) {
		bool is_of_row = strncmp(at->field, "systems.", strlen("systems.")) == 0;
		bool is_here = row ? row->typed_as && strncmp(at->field, row->typed_as,
							      strlen(row->typed_as)) == 0
				   : !is_of_row;
		if (is_here)
			put_problem(out, at->message);
	}
}

/* Appends the stored place, if it differs from the typed place. */
static void put_stored(struct buf *out, const struct console_view *view,
		       const struct console_system *row)
{
	bool is_stored = row->stored[0] != '\0';
	if (row->is_shown == is_stored && (!is_stored || strcmp(row->place, row->stored) == 0))
		return;
	buf_puts(out, "<p class=\"problem\">");
	console_say(out, view->words, CONSOLE_STORED_NOW,
		    WORD_VALUES({ "value", is_stored ? row->stored
						     : console_text(view, CONSOLE_NOT_SHOWN) }));
	buf_puts(out, "</p>\n");
}

static void put_row(struct buf *out, const struct console_view *view,
		    const struct console_systems *systems, size_t at)
{
	const struct console_system *row = &systems->rows[at];
	const char *name = arena_printf(view->arena, "systems[%zu]", at);
	const char *id = arena_printf(view->arena, "%lld", (long long)row->id);
	buf_puts(out, "<li>\n");
	console_hidden(out, arena_printf(view->arena, "%s[monitor_id]", name), id);
	buf_printf(out,
		   "<label class=\"box\"><input type=\"checkbox\" name=\"%s[is_shown]\" "
		   "value=\"1\"%s> ",
		   name, row->is_shown ? " checked" : "");
	html_text(out, row->name);
	buf_printf(out, "</label>\n<label for=\"place-%s\" class=\"soft\">", id);
	console_say(out, view->words, CONSOLE_PLACE, NULL);
	buf_printf(out,
		   "</label>\n<input type=\"number\" id=\"place-%s\" name=\"%s[place]\" "
		   "min=\"1\" value=\"",
		   id, name);
	html_attr(out, row->place);
	buf_puts(out, "\">\n");
	put_problems(out, systems, row);
	if (systems->is_stale)
		put_stored(out, view, row);
	buf_puts(out, "</li>\n");
}

static void put_form(struct buf *out, const struct console_view *view,
		     const struct console_systems *systems, const char *path)
{
	console_form(out, view, path);
	console_put_form_key(out, systems->form_key);
	console_hidden(out, "version",
		       arena_printf(view->arena, "%lld", (long long)systems->version));
	console_hidden(out, "page", arena_printf(view->arena, "%lld", (long long)systems->page));
	if (systems->search[0])
		console_hidden(out, "search", systems->search);
	buf_puts(out, "<ol class=\"places\">\n");
	for (size_t i = 0; i < systems->count; i++)
		put_row(out, view, systems, i);
	buf_puts(out, "</ol>\n");
	console_element(out, view, "button", CONSOLE_SAVE);
	console_end_form(out, view, path, "");
}

static void put_part_link(struct buf *out, const struct console_view *view, const char *path,
			  int64_t page, enum console_sentence sentence)
{
	buf_puts(out, "<p>");
	console_link(out, view, arena_printf(view->arena, "%s?page=%lld", path, (long long)page),
		     sentence);
	buf_puts(out, "</p>\n");
}

/* Appends the command line for curl. Its body is JSON, which is short even for a long list. */
static void put_line(struct buf *out, const struct console_view *view,
		     const struct console_systems *systems)
{
	struct buf body CLEANUP(buf_done) = BUF_INIT(64 << 10);
	buf_puts(&body, "{\"monitor_ids\":[");
	for (size_t i = 0; i < systems->list->count; i++)
		buf_printf(&body, "%s%lld", i > 0 ? "," : "", (long long)systems->list->ids[i]);
	buf_puts(&body, "]}");
	const struct console_call call = { .method = "PUT",
					   .url = arena_printf(view->arena, "%s%s/%lld",
							       view->base_url, systems->screen->api,
							       (long long)systems->id),
					   .json = body.data };
	console_put_curl(out, view, &call);
}

void console_systems_html(struct buf *out, const struct console_view *view,
			  const struct console_systems *systems)
{
	const char *path = arena_printf(view->arena, "pages/%lld/systems", (long long)systems->id);
	console_begin(out, view, systems->name);
	console_put_tabs(out, view, systems->screen, systems->principal, systems->id);
	if (systems->is_saved)
		console_element(out, view, "p class=\"done\" role=\"status\"", CONSOLE_SAVED);
	if (systems->problem)
		put_problem(out, systems->problem);
	put_problems(out, systems, NULL);
	console_put_search(out, view, systems->search, 0);
	console_element(out, view, "p class=\"note\"", CONSOLE_PLACE_TEXT);
	put_form(out, view, systems, path);
	put_line(out, view, systems);
	if (systems->page > 1)
		put_part_link(out, view, path, systems->page - 1, CONSOLE_PREVIOUS);
	if (systems->has_more)
		put_part_link(out, view, path, systems->page + 1, CONSOLE_NEXT);
	console_end_scripted(out, view);
}
