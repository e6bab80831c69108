/* Appends the lists of an object, such as its updates: as articles, or as a table with a chart. */
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
		bool has_own_place = strcmp(name, "body") == 0 || strcmp(name, "title") == 0;
		bool is_list = members->rows[i].kind == FIELD_ROWS &&
			       !fields_find(*members->rows[i].members, "name");
		if (!is_id && !is_list && !has_own_place)
			names[count++] = name;
	}
	return names;
}

/* Returns the value of a member as text; "": there is no such member, or it has no value. */
static const char *member_text(const struct console_view *view, const struct fields *members,
			       const char *name, const void *row)
{
	const struct field *field = fields_find(*members, name);
	return field ? console_value_text(view, field, row) : "";
}

/* Returns whether the person may edit the rows of the list on separate screens. */
static bool has_screens(const struct console_object *object, const struct field *list)
{
	const struct console_screen *screen = object->screen;
	return screen->part_form.path && strcmp(screen->part_form.path, list->name) == 0 &&
	       principal_may(object->principal, screen->permission);
}

/* Returns the path of the screen that edits the row; NULL: there is none. */
static const char *edit_path(const struct console_view *view, const struct console_object *object,
			     const struct field *list, const void *row, const char *path)
{
	if (!has_screens(object, list))
		return NULL;
	return arena_printf(view->arena, "%s/%s/%s", path, list->name,
			    member_text(view, list->members, "id", row));
}

/* Appends the title of an incident or a maintenance window, as a link to its screen. Other rows
 * have no title. */
static void put_title(struct buf *out, const struct console_view *view,
		      const struct fields *members, const void *row)
{
	const bool is_window = fields_find(*members, "maintenance_id");
	if (!fields_find(*members, "title"))
		return;
	const char *path =
		arena_printf(view->arena, "%s/%s", is_window ? "maintenances" : "incidents",
			     member_text(view, members, is_window ? "maintenance_id" : "id", row));
	const char *title = member_text(view, members, "title", row);
	buf_puts(out, "<h3>");
	console_text_link(out, view, path,
			  title[0] ? title : member_text(view, members, "monitors", row));
	buf_puts(out, "</h3>\n");
}

/* Appends the facts and the text of the row. `path`: the screen that edits the row; NULL: there is
 * none. */
static void put_article(struct buf *out, const struct console_view *view,
			const struct fields *members, const char *const *names, const void *row,
			const char *path)
{
	const char *text = member_text(view, members, "body", row);
	buf_puts(out, "<article class=\"row calm\">\n");
	put_title(out, view, members, row);
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

/* Appends a line chart of the rows, the oldest on the left. The line has a gap where a row or its
 * number is missing. The chart has no numbers; the table below has them. */
static void put_chart(struct buf *out, const struct console_object *object,
		      const struct field *list, const struct field_rows *rows)
{
	enum { HEIGHT = 100 };
	const struct field *at = fields_find(*list->members, object->screen->table[0]);
	const struct field *number = fields_find(*list->members, object->screen->chart);
	const int64_t step_s = object->has_days ? 86400 : 3600;
	const int64_t begin_s = FIELD_AT_CONST(row_at(rows, list, 0), at, struct instant)->s;
	const int64_t end_s =
		FIELD_AT_CONST(row_at(rows, list, rows->count - 1), at, struct instant)->s;
	int64_t most = 1, next = -1; /* next: the x that a row needs to continue the line */
	for (size_t i = 0; i < rows->count; i++) {
		int64_t value = *FIELD_AT_CONST(row_at(rows, list, i), number, int64_t);
		most = value > most ? value : most;
	}
	buf_printf(out,
		   "<svg class=\"chart\" viewBox=\"0 0 %lld %d\" preserveAspectRatio=\"none\" "
		   "aria-hidden=\"true\"><path d=\"",
		   (long long)((end_s - begin_s) / step_s), HEIGHT);
	for (size_t i = 0; i < rows->count; i++) {
		const void *row = row_at(rows, list, i);
		int64_t value = *FIELD_AT_CONST(row, number, int64_t);
		int64_t x = (FIELD_AT_CONST(row, at, struct instant)->s - begin_s) / step_s;
		if (value == 0 && number->flags & FIELD_ZERO_IS_NULL)
			continue;
		/* "h0" draws a line of no length: a row without neighbours is visible as a dot. */
		buf_printf(out, "%s%lld %lld%s", x == next ? "L" : "M", (long long)x,
			   (long long)(HEIGHT - HEIGHT * value / most), x == next ? "" : "h0");
		next = x + 1;
	}
	buf_puts(out, "\"/></svg>\n");
}

/* Returns the time of a row as text. Days are in UTC; other times are in the person's time zone. */
static const char *time_name(const struct console_view *view, const struct console_object *object,
			     const struct field *field, const void *row)
{
	char text[INSTANT_TEXT_SIZE];
	if (!object->has_days)
		return console_time_name(view, field, row);
	instant_format(*FIELD_AT_CONST(row, field, struct instant), text);
	return arena_strndup(view->arena, text, strlen("2026-11-28"));
}

static void put_table_row(struct buf *out, const struct console_view *view,
			  const struct console_object *object, const struct fields *members,
			  const void *row)
{
	const char *const *names = object->screen->table;
	buf_puts(out, "<tr>");
	for (size_t i = 0; names[i]; i++) {
		const struct field *field = fields_find(*members, names[i]);
		buf_puts(out, i == 0 ? "<th scope=\"row\">" : "<td>");
		if (field->kind == FIELD_TIME)
			html_text(out, time_name(view, object, field, row));
		else
			console_put_value(out, view, field, row);
		buf_puts(out, i == 0 ? "</th>" : "</td>");
	}
	buf_puts(out, "</tr>\n");
}

/* Appends a sentence with the number of rows that the screen does not show. */
static void put_rest(struct buf *out, const struct console_view *view, size_t count)
{
	if (count == 0)
		return;
	buf_puts(out, "<p>");
	console_say(out, view->words, CONSOLE_MORE_ROWS,
		    WORD_VALUES({ "count", arena_printf(view->arena, "%zu", count) }));
	buf_puts(out, "</p>\n");
}

static void put_table(struct buf *out, const struct console_view *view,
		      const struct console_object *object, const struct field *list,
		      const struct field_rows *rows)
{
	const struct console_screen *screen = object->screen;
	const size_t begin = out->len;
	size_t shown = 0;
	if (screen->chart && rows->count > 1)
		put_chart(out, object, list, rows);
	buf_puts(out, "<table>\n<thead><tr>");
	for (size_t i = 0; screen->table[i]; i++) {
		buf_puts(out, "<th scope=\"col\">");
		html_text(out, console_label(view, fields_find(*list->members, screen->table[i])));
		buf_puts(out, "</th>");
	}
	buf_puts(out, "</tr></thead>\n<tbody>\n");
	/*
	 * Rows of a chart are sorted for its line, oldest first. The table shows them newest first.
	 */
	for (; shown < rows->count && out->len - begin < TABLE_HTML_MAX; shown++)
		put_table_row(out, view, object, list->members,
			      row_at(rows, list, screen->chart ? rows->count - 1 - shown : shown));
	buf_puts(out, "</tbody>\n</table>\n");
	put_rest(out, view, rows->count - shown);
}

void console_put_list(struct buf *out, const struct console_view *view,
		      const struct console_object *object, const struct field *list,
		      const char *path)
{
	const char *const *names = console_list_members(object->screen, list, view->arena);
	const struct field_rows rows = field_rows(object->row, list);
	const size_t begin = out->len;
	size_t i = 0;
	if (strcmp(list->name, "occurrences") == 0) {
		console_put_next_times(out, view, object->row);
		return;
	}
	if (rows.count == 0 && object->filter)
		console_element(out, view, "p", CONSOLE_NONE_FOUND);
	if (rows.count == 0)
		return;
	buf_puts(out, "<h2>");
	html_text(out, console_label(view, list));
	buf_puts(out, "</h2>\n");
	if (names == object->screen->table) {
		put_table(out, view, object, list, &rows);
		return;
	}
	for (; i < rows.count && out->len - begin < LIST_HTML_MAX; i++) {
		const void *row = row_at(&rows, list, i);
		put_article(out, view, list->members, names, row,
			    edit_path(view, object, list, row, path));
	}
	put_rest(out, view, rows.count - i);
}
