/* Appends command lines for curl, with API requests that do the same as the console's forms. */
#include <string.h>

#include "domain/field_table.h"
#include "domain/maintenance/maintenance_typed.h"
#include "view/console/console_resource_html.h"
#include "view/console/console_value_html.h"
#include "view/html.h"

/* A command line for curl, while it is being written. */
struct line {
	struct buf out;
	const struct console_view *view;
	const struct console_inputs *inputs;
	bool is_multipart;
	bool has_window; /* the form has a maintenance window, whose times a person types */
	struct maintenance_typed window; /* these times as the API accepts them */
};

/* Appends the text in single quotes, as an argument of a shell command. */
static void put_quoted(struct buf *out, const char *text)
{
	buf_puts(out, "'");
	for (; *text; text++)
		if (*text == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, *text);
	buf_puts(out, "'");
}

static void put_pair(struct line *line, const char *name, const char *value)
{
	buf_puts(&line->out,
		 line->is_multipart ? " \\\n  --form-string " : " \\\n  --data-urlencode ");
	put_quoted(&line->out, arena_printf(line->view->arena, "%s=%s", name, value));
}

/* Returns the value that the API gives to a new object if the request does not have the field. */
static const char *default_text(const struct field *field)
{
	const char *initial = console_initial_text(field);
	if (initial[0])
		return initial;
	if (field->kind == FIELD_BOOL)
		return "0";
	return field->kind == FIELD_CHOICE && !(field->flags & FIELD_NULL_IS_UNSENT)
		       ? field->choices[0]
		       : "";
}

/* Returns the stored value of the field, as the API accepts it. */
static const char *stored_text(const struct console_view *view, const struct field *field,
			       const void *object)
{
	char text[INSTANT_TEXT_SIZE];
	const char *value;
	if (field->flags & FIELD_AS_TIME) {
		value = *FIELD_AT_CONST(object, field, const char *);
		return value ? value : "";
	}
	value = console_value_text(view, field, object);
	if (field->kind != FIELD_TIME || !value[0])
		return value;
	return arena_strdup(view->arena,
			    instant_format(*FIELD_AT_CONST(object, field, struct instant), text));
}

/* Adds ":00" and "Z" to a time from a browser, such as "2026-11-20T19:58", so that the API accepts
 * it. */
static const char *complete_time(const struct line *line, const char *text)
{
	enum { MINUTES = 16, SECONDS = 19 };
	const size_t len = strlen(text);
	if (len != MINUTES && len != SECONDS)
		return text;
	return arena_printf(line->view->arena, "%s%sZ", text, len == MINUTES ? ":00" : "");
}

static void settle_window(struct line *line)
{
	const struct console_inputs *inputs = line->inputs;
	const struct fields rows = maintenance_typed_fields;
	line->has_window = inputs && fields_find(inputs->fields, "rrule") &&
			   (inputs->typed || !inputs->object);
	for (size_t i = 0; line->has_window && i < rows.count; i++) {
		const char *name = rows.rows[i].name;
		const struct field *field = fields_find(inputs->fields, name);
		*FIELD_AT(&line->window, &rows.rows[i], const char *) =
			inputs->typed ? console_typed_value(inputs, name)
			: field	      ? console_standing_text(line->view, inputs, name, field)
				      : NULL;
	}
	if (line->has_window)
		(void)maintenance_settle_typed(&line->window, line->view->arena);
}

/* Sets *text to the value of the window's field `name`, as the API accepts it. Returns false if the
 * window has no such field. */
static bool window_text(const struct line *line, const char *name, const char **text)
{
	const struct field *row = line->has_window ? fields_find(maintenance_typed_fields, name)
						   : NULL;
	if (row)
		*text = *FIELD_AT_CONST(&line->window, row, const char *);
	return row;
}

static const char *typed_text(const struct line *line, const struct field *field, const char *name)
{
	const char *typed = console_typed_value(line->inputs, name);
	if (typed && (field->kind == FIELD_TIME || field->flags & FIELD_AS_TIME))
		return complete_time(line, typed);
	return typed;
}

/* Returns whether an empty value leaves the stored value unchanged. */
static bool keeps_if_empty(const struct field *field)
{
	return field->choices || field->flags & FIELD_SECRET ||
	       (field->kind == FIELD_INT && !(field->flags & FIELD_ZERO_IS_NULL));
}

/*
 * Appends the value of a single field. `shown` describes this field in the stored `object`; NULL:
 * the object does not show the field. is_member: the field is a member of a nested object or of a
 * row; it is sent even if it has the default value.
 */
static void put_value(struct line *line, const struct field *field, const char *name,
		      const struct field *shown, const void *object, bool is_member)
{
	const struct console_view *view = line->view;
	const char *stored = shown && object ? stored_text(view, shown, object) : NULL;
	const char *standing = stored;
	if (!window_text(line, name, &standing)) {
		if (line->inputs->typed)
			standing = typed_text(line, field, name);
		else if (!stored)
			standing = console_standing_text(view, line->inputs, name, field);
	}
	if (!standing)
		return;
	if (field->flags & FIELD_SECRET)
		standing = "";
	bool is_needed = field->flags & FIELD_REQUIRED;
	bool is_changed = stored && strcmp(standing, stored) != 0;
	bool is_other = is_member ? standing[0] != '\0'
				  : strcmp(standing, default_text(field)) != 0;
	if (!standing[0] && !is_needed && (!is_changed || keeps_if_empty(field)))
		return;
	if (is_needed || is_changed || is_other)
		put_pair(line, name, standing);
}

static void put_members(struct line *line, const struct field *field, const char *name,
			const void *object)
{
	const unsigned chosen = line->inputs->members;
	for (size_t i = 0; i < field->members->count; i++) {
		const struct field *member = &field->members->rows[i];
		if (field->kind == FIELD_ROWS || chosen == 0 || chosen & (1u << i))
			put_value(line, member,
				  arena_printf(line->view->arena, "%s[%s]", name, member->name),
				  member, object, true);
	}
}

/* Appends all objects of the list, not only the changed ones: the API replaces the whole stored
 * list. */
static void put_rows(struct line *line, const struct field *field, const struct field_rows *stored,
		     size_t row_bytes)
{
	size_t count = line->inputs->typed ? console_typed_rows(line->inputs, field)
					   : stored->count;
	const size_t begin = line->out.len;
	for (size_t i = 0; i < count; i++) {
		const char *name = arena_printf(line->view->arena, "%s[%zu]", field->name, i);
		put_members(line, field, name,
			    i < stored->count ? (const char *)stored->rows + i * row_bytes : NULL);
	}
	if (line->out.len == begin && stored->count > 0)
		put_pair(line, field->name, "");
}

static void put_group(struct line *line, const struct field *field, const struct field *shown)
{
	struct field_rows rows = { 0 };
	if (shown)
		rows = field_rows(line->inputs->object, shown);
	if (field->kind == FIELD_OBJECT)
		put_members(line, field, field->name, rows.rows);
	else
		put_rows(line, field, &rows, shown ? shown->row_bytes : 0);
}

static void put_ids(struct line *line, const struct field *field, const struct field *shown)
{
	const struct id_list *chosen = &line->inputs->chosen;
	bool had_ids = shown &&
		       FIELD_AT_CONST(line->inputs->object, shown, struct id_list)->count > 0;
	if (chosen->count == 0) {
		if (had_ids)
			put_pair(line, field->name, "");
		return;
	}
	for (size_t i = 0; i < chosen->count; i++)
		buf_printf(&line->out, "%s%s[]=%lld",
			   line->is_multipart ? " \\\n  -F '"
			   : i == 0	      ? " \\\n  -d '"
					      : "&",
			   field->name, (long long)chosen->ids[i]);
	buf_puts(&line->out, "'");
}

static bool is_needed_file(const struct field *field)
{
	return field->kind == FIELD_FILE && field->flags & FIELD_REQUIRED;
}

static void put_file(struct line *line, const struct field *field)
{
	buf_printf(&line->out, " \\\n  -F '%s=@FILE'", field->name);
}

static void put_field(struct line *line, const struct field *field)
{
	const struct field *shown = console_shown_field(line->inputs, field);
	if (field->kind == FIELD_IDS)
		put_ids(line, field, shown);
	else if (field->kind == FIELD_OBJECT || field->kind == FIELD_ROWS)
		put_group(line, field, shown);
	else if (is_needed_file(field))
		put_file(line, field);
	else if (field->kind < FIELD_PERCENT && field->kind != FIELD_FILE)
		put_value(line, field, field->name, shown, line->inputs->object, false);
}

static void begin_line(struct line *line, const struct console_call *call)
{
	buf_printf(&line->out, "curl -X %s -H \"Authorization: Bearer $DAYMARK_KEY\"",
		   call->method);
}

static void end_line(struct buf *out, struct line *line, const struct console_call *call)
{
	buf_puts(&line->out, " \\\n  ");
	put_quoted(&line->out, call->url);
	buf_puts(out, "<pre>");
	html_text(out, buf_ok(&line->out) ? line->out.data : "");
	buf_puts(out, "</pre>\n");
}

static void put_call(struct buf *out, const struct console_view *view,
		     const struct console_call *call)
{
	const struct console_inputs *inputs = call->inputs;
	struct line line = { BUF_INIT(64 << 10), view, inputs, false };
	for (size_t i = 0; inputs && i < inputs->fields.count; i++)
		line.is_multipart |= is_needed_file(&inputs->fields.rows[i]);
	settle_window(&line);
	begin_line(&line, call);
	if (call->json) {
		buf_puts(&line.out, " \\\n  -H 'Content-Type: application/json' -d ");
		put_quoted(&line.out, call->json);
	}
	for (size_t i = 0; inputs && i < inputs->fields.count; i++)
		if (console_sends(inputs, &inputs->fields.rows[i]))
			put_field(&line, &inputs->fields.rows[i]);
	end_line(out, &line, call);
	buf_done(&line.out);
}

/* Appends the optional files in a separate command line, because the form does not know yet which
 * files the person chooses. */
static void put_files(struct buf *out, const struct console_view *view,
		      const struct console_call *call)
{
	const struct console_inputs *inputs = call->inputs;
	struct line line = { BUF_INIT(64 << 10), view, inputs, true };
	begin_line(&line, call);
	const size_t begin = line.out.len;
	for (size_t i = 0; inputs && i < inputs->fields.count; i++) {
		const struct field *field = &inputs->fields.rows[i];
		if (field->kind == FIELD_FILE && !is_needed_file(field) &&
		    console_has_input(inputs, field))
			put_file(&line, field);
	}
	if (line.out.len > begin)
		end_line(out, &line, call);
	buf_done(&line.out);
}

void console_put_calls(struct buf *out, const struct console_view *view,
		       const struct console_call *calls, size_t count)
{
	if (count == 0)
		return;
	buf_puts(out, "<details>\n");
	console_element(out, view, "summary", CONSOLE_BY_API);
	for (size_t i = 0; i < count; i++) {
		put_call(out, view, &calls[i]);
		put_files(out, view, &calls[i]);
	}
	buf_puts(out, "</details>\n");
}

void console_put_curl(struct buf *out, const struct console_view *view,
		      const struct console_call *call)
{
	console_put_calls(out, view, call, 1);
}

const char *console_api_url(const struct console_view *view, const struct console_screen *screen,
			    int64_t owner_id)
{
	const char *id = screen->api ? strstr(screen->api, "{id}") : NULL;
	if (!screen->api)
		return NULL;
	if (!id)
		return arena_printf(view->arena, "%s%s", view->base_url, screen->api);
	return arena_printf(view->arena, "%s%.*s%lld%s", view->base_url, (int)(id - screen->api),
			    screen->api, (long long)owner_id, id + strlen("{id}"));
}

void console_put_action_calls(struct buf *out, const struct console_view *view,
			      const struct console_screen *screen,
			      const struct principal *principal, const char *url)
{
	struct console_call calls[CONSOLE_ACTIONS_MAX];
	size_t count = 0;
	for (size_t i = 0; i < CONSOLE_ACTIONS_MAX && screen->actions[i].path; i++) {
		const char *path = screen->actions[i].path;
		bool deletes = strncmp(path, "delete", strlen("delete")) == 0 ||
			       strcmp(path, "withdraw") == 0;
		if (!principal_may(principal, screen->actions[i].permission))
			continue;
		calls[count++] = (struct console_call){
			.method = deletes ? "DELETE" : "POST",
			.url = deletes ? arena_printf(view->arena, "%s%s", url,
						      path + strcspn(path, "?"))
				       : arena_printf(view->arena, "%s/%s", url, path),
		};
	}
	console_put_calls(out, view, calls, count);
}
