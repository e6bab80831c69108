/* The lists of an object, such as its updates: articles, or a table with a chart. */
#include <string.h>

#include "domain/field_table.h"
#include "view/console/console_resource_html.h"
#include "view/console/console_value_html.h"
#include "view/html.h"
#include "view/markdown.h"

const char *const *console_list_members(const struct console_screen *screen,
					const struct field *list, struct arena *arena)
{
	const struct fields *members = list->members;
	const char **names = ARENA_ARRAY(arena, members->count + 1, const char *);
	size_t count = 0;
	if (screen->table && fields_find(*members, screen->table[0]) &&
	    fields_find(*members, screen->table[1]))
		return screen->table;
	for (size_t i = 0; i < members->count; i++) {
		const char *name = members->rows[i].name, *ending = strrchr(name, '_');
		bool is_id = strcmp(ending ? ending + 1 : name, "id") == 0;
		if (!is_id && members->rows[i].kind != FIELD_ROWS && strcmp(name, "body") != 0)
			names[count++] = name;
	}
	return names;
}

/* Whether the rows of the list have separate screens. */
static bool has_screens(const struct console_object *object, const struct field *list)
{
	const struct console_screen *screen = object->screen;
	return screen->part_form.path && strcmp(screen->part_form.path, list->name) == 0 &&
	       principal_may(object->principal, screen->permission);
}

/* The facts of the row, and its text. `path`: of the screen of the row; NULL: none. */
static void put_article(struct buf *out, const struct console_view *view,
			const struct fields *members, const char *const *names, const void *row,
			const char *path)
{
	const struct field *body = fields_find(*members, "body");
	const char *text = body ? console_value_text(view, body, row) : "";
	buf_puts(out, "<article class=\"row calm\">\n");
	console_put_facts(out, view, *members, names, row);
	if (text[0])
		markdown_html(out, text, 3);
	if (path)
		console_link(out, view, path, CONSOLE_EDIT_OR_WITHDRAW);
	buf_puts(out, "</article>\n");
}

enum { LIST_HTML_MAX = 12 << 10, TABLE_HTML_MAX = 16 << 10 /* so that screens stay small */ };

static const void *row_at(const struct field_rows *rows, const struct field *list, size_t at)
{
	return (const char *)rows->rows + at * list->row_bytes;
}

/* A line from the oldest row to the newest; the table has the numbers. */
static void put_chart(struct buf *out, const struct field *list, const struct field *number,
		      const struct field_rows *rows)
{
	enum { HEIGHT = 100 };
	int64_t most = 1;
	for (size_t i = 0; i < rows->count; i++) {
		int64_t value = *FIELD_AT_CONST(row_at(rows, list, i), number, int64_t);
		most = value > most ? value : most;
	}
	buf_printf(out,
		   "<svg class=\"chart\" viewBox=\"0 0 %zu %d\" preserveAspectRatio=\"none\" "
		   "aria-hidden=\"true\"><path d=\"",
		   rows->count - 1, HEIGHT);
	for (size_t i = 0; i < rows->count; i++) {
		int64_t value = *FIELD_AT_CONST(row_at(rows, list, i), number, int64_t);
		buf_printf(out, "%s%zu %lld", i == 0 ? "M" : " ", i,
			   (long long)(HEIGHT - HEIGHT * value / most));
	}
	buf_puts(out, "\"/></svg>\n");
}

static void put_table_row(struct buf *out, const struct console_view *view,
			  const struct fields *members, const char *const *names, const void *row)
{
	buf_puts(out, "<tr>");
	for (size_t i = 0; names[i]; i++) {
		const struct field *field = fields_find(*members, names[i]);
		buf_puts(out, i == 0 ? "<th scope=\"row\">" : "<td>");
		if (field->kind == FIELD_TIME)
			html_text(out, console_time_name(view, field, row));
		else
			console_put_value(out, view, field, row);
		buf_puts(out, i == 0 ? "</th>" : "</td>");
	}
	buf_puts(out, "</tr>\n");
}

static void put_table(struct buf *out, const struct console_view *view,
		      const struct console_screen *screen, const struct field *list,
		      const struct field_rows *rows)
{
	const size_t begin = out->len;
	if (screen->chart && rows->count > 1)
		put_chart(out, list, fields_find(*list->members, screen->chart), rows);
	buf_puts(out, "<table>\n<thead><tr>");
	for (size_t i = 0; screen->table[i]; i++) {
		buf_puts(out, "<th scope=\"col\">");
		html_text(out, console_label(view, fields_find(*list->members, screen->table[i])));
		buf_puts(out, "</th>");
	}
	buf_puts(out, "</tr></thead>\n<tbody>\n");
	/* The line ends with the newest row, the table begins with it. */
	for (size_t i = 0; i < rows->count && out->len - begin < TABLE_HTML_MAX; i++)
		put_table_row(out, view, list->members, screen->table,
			      row_at(rows, list, screen->chart ? rows->count - 1 - i : i));
	buf_puts(out, "</tbody>\n</table>\n");
}

void console_put_list(struct buf *out, const struct console_view *view,
		      const struct console_object *object, const struct field *list,
		      const char *path)
{
	const char *const *names = console_list_members(object->screen, list, view->arena);
	const struct field_rows rows = field_rows(object->row, list);
	const size_t begin = out->len;
	if (strcmp(list->name, "occurrences") == 0) {
		console_put_next_times(out, view, object->row);
		return;
	}
	if (rows.count == 0)
		return;
	buf_puts(out, "<h2>");
	html_text(out, console_label(view, list));
	buf_puts(out, "</h2>\n");
	if (names == object->screen->table) {
		put_table(out, view, object->screen, list, &rows);
		return;
	}
	for (size_t i = 0; i < rows.count && out->len - begin < LIST_HTML_MAX; i++) {
		const void *row = row_at(&rows, list, i);
		const char *screen = NULL;
		if (has_screens(object, list))
			screen = arena_printf(
				view->arena, "%s/%s/%lld", path, list->name,
				(long long)*FIELD_AT_CONST(row, fields_find(*list->members, "id"),
							   int64_t));
		put_article(out, view, list->members, names, row, screen);
	}
}
