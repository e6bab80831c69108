#include "view/console/console_form_html.h"

#include <string.h>

#include "base/str.h"
#include "domain/field_table.h"
#include "domain/maintenance/recurrence_summary.h"
#include "view/console/console_value_html.h"
#include "view/html.h"

static bool is_named(const char *const *names, const struct field *field)
{
	while (names && *names && strcmp(*names, field->name) != 0)
		names++;
	return names && *names;
}

static bool is_first(const struct console_inputs *inputs, const struct field *field)
{
	return !inputs->first || is_named(inputs->first, field);
}

/* Returns whether the field would remove a picture that the object does not have, such as
 * remove_logo if the object's logo_url is NULL. */
static bool removes_nothing(const struct console_inputs *inputs, const struct field *field)
{
	const struct str name = str_from(field->name), prefix = STR("remove_");
	const struct str picture = str_skip(name, prefix.len);
	if (!inputs->object || !inputs->shown || !str_starts(name, prefix))
		return false;
	for (size_t i = 0; i < inputs->shown->count; i++) {
		const struct field *row = &inputs->shown->rows[i];
		if (row->kind == FIELD_TEXT && str_starts(str_from(row->name), picture) &&
		    strcmp(row->name + picture.len, "_url") == 0)
			return !*FIELD_AT_CONST(inputs->object, row, const char *);
	}
	return false;
}

bool console_has_input(const struct console_inputs *inputs, const struct field *field)
{
	return console_sends(inputs, field) && !is_named(inputs->without, field) &&
	       !removes_nothing(inputs, field);
}

bool console_sends(const struct console_inputs *inputs, const struct field *field)
{
	if (!inputs->is_whole)
		return field->label != NULL;
	if (inputs->has_no_owner && field_is_for_owners(field, inputs->is_new))
		return false;
	return !(field->flags & (FIELD_READ_ONLY | FIELD_ACT)) &&
	       !(inputs->has_only_first && !is_first(inputs, field));
}

const struct field *console_shown_field(const struct console_inputs *inputs,
					const struct field *field)
{
	if (!inputs->object)
		return NULL;
	return inputs->shown ? fields_find(*inputs->shown, field->name) : field;
}

/* Returns a promised time as the API accepts it; "" if the time is past. */
static const char *promise_text(const struct console_view *view, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	if (at.s <= view->now.s)
		return "";
	instant_format(at, text);
	return arena_strdup(view->arena, text);
}

const char *console_initial_text(const struct field *field)
{
	const char *initial = field->initial ? field->initial : field->default_value;
	/* Begin with 0: the API rejects an empty number, unless FIELD_ZERO_IS_NULL is set. */
	if (!initial && field->kind == FIELD_INT && field->min <= 0 &&
	    !(field->flags & (FIELD_ZERO_IS_NULL | FIELD_REQUIRED)))
		return "0";
	if (!initial)
		return "";
	return strcmp(initial, "true") == 0 ? "1" : initial;
}

static const char *preset_of(const struct console_inputs *inputs, const char *name)
{
	for (const struct word_value *at = inputs->presets; at && at->name; at++)
		if (strcmp(at->name, name) == 0)
			return at->text;
	return NULL;
}

/* Returns the value that the input `name` shows: the typed, preset, initial or stored value. */
static const char *value_of(const struct console_view *view, const struct console_inputs *inputs,
			    const char *name, const struct field *field, const void *object)
{
	if (inputs->typed) {
		const char *typed = console_typed_value(inputs, name);
		return typed ? typed : "";
	}
	const char *preset = preset_of(inputs, name);
	if (preset)
		return preset;
	if (!object)
		return console_initial_text(field);
	if (field->kind == FIELD_TIME && !inputs->is_whole)
		return promise_text(view, *FIELD_AT_CONST(object, field, struct instant));
	return console_value_text(view, field, object);
}

const char *console_standing_text(const struct console_view *view,
				  const struct console_inputs *inputs, const char *name,
				  const struct field *field)
{
	return value_of(view, inputs, name, field, NULL);
}

static const char *id_of(const struct console_view *view, const struct console_inputs *inputs,
			 const char *name)
{
	char *id = arena_printf(view->arena, "%s%s", name, inputs->suffix ? inputs->suffix : "");
	for (char *at = strpbrk(id, "[]"); at; at = strpbrk(at, "[]"))
		*at = '-';
	return id;
}

/* Appends an input. `in`: the object or list to which the field belongs; NULL: none. */
static void put_one(struct buf *out, const struct console_view *view,
		    const struct console_inputs *inputs, const struct field *in,
		    const struct field *field, const char *name, const struct field *shown,
		    const void *object)
{
	console_put_input(out, view,
			  &(struct console_input){
				  .inputs = inputs,
				  .field = field,
				  .name = name,
				  .id = id_of(view, inputs, name),
				  .value = value_of(view, inputs, name, shown ? shown : field,
						    shown ? object : NULL),
				  .may_be_empty = in && in->kind == FIELD_ROWS,
			  });
}

/* Appends inputs for the members of an object, or of a row of a list. */
static void put_members(struct buf *out, const struct console_view *view,
			const struct console_inputs *inputs, const struct field *field,
			const char *name, const void *object)
{
	for (size_t i = 0; i < field->members->count; i++) {
		const struct field *member = &field->members->rows[i];
		const char *member_name = arena_printf(view->arena, "%s[%s]", name, member->name);
		if (field->kind == FIELD_OBJECT && inputs->members &&
		    !(inputs->members & (1u << i)))
			continue;
		put_one(out, view, inputs, field, member, member_name, object ? member : NULL,
			object);
	}
}

size_t console_typed_rows(const struct console_inputs *inputs, const struct field *field)
{
	size_t count = 0, len = strlen(field->name);
	for (const struct word_value *at = inputs->typed; at && at->name; at++) {
		struct str rest = str_from(at->name), index;
		int64_t row;
		if (strncmp(at->name, field->name, len) != 0 || at->name[len] != '[')
			continue;
		rest = str_skip(rest, len + 1);
		if (str_split(&rest, ']', &index) && str_to_int64(index, &row) && row >= 0 &&
		    row < field->max && (size_t)row >= count)
			count = (size_t)row + 1;
	}
	return count;
}

static void put_group(struct buf *out, const struct console_view *view,
		      const struct console_inputs *inputs, const struct field *field)
{
	enum { EMPTY_ROWS = 2 };
	const struct field *shown = console_shown_field(inputs, field);
	struct field_rows rows = { 0 };
	if (shown)
		rows = field_rows(inputs->object, shown);
	size_t count = inputs->typed ? console_typed_rows(inputs, field) : rows.count;
	console_begin_group(out, view, inputs, field);
	if (field->kind == FIELD_OBJECT)
		put_members(out, view, inputs, field, field->name, rows.rows);
	for (size_t i = 0; field->kind == FIELD_ROWS && i < count + EMPTY_ROWS; i++)
		put_members(out, view, inputs, field,
			    arena_printf(view->arena, "%s[%zu]", field->name, i),
			    i < rows.count ? (const char *)rows.rows + i * shown->row_bytes : NULL);
	buf_puts(out, "</fieldset>\n");
}

/* Returns the names of the stored ids. NULL: the form has the same ids. */
static const char *stored_choices(const struct console_view *view,
				  const struct console_inputs *inputs, const struct field *shown)
{
	const struct id_list *stored = FIELD_AT_CONST(inputs->object, shown, struct id_list);
	struct buf text CLEANUP(buf_done) = BUF_INIT(64 << 10);
	bool is_other = stored->count != inputs->chosen.count;
	for (size_t i = 0; i < stored->count; i++) {
		size_t at = 0;
		while (at < inputs->option_count && inputs->options[at].id != stored->ids[i])
			at++;
		is_other |= !id_list_has(&inputs->chosen, stored->ids[i]);
		buf_puts(&text, i > 0 ? ", " : "");
		if (at < inputs->option_count)
			buf_puts(&text, inputs->options[at].name);
		else
			buf_printf(&text, "#%lld", (long long)stored->ids[i]);
	}
	return is_other ? arena_strndup(view->arena, text.data ? text.data : "", text.len) : NULL;
}

/* Returns the sentence for a value in field->usual. Returns any other value unchanged. */
static const char *usual_text(const struct console_view *view, const struct field *field,
			      const char *value)
{
	const int at = str_place(field->usual, str_from(value));
	return at >= 0 ? console_usual_text(view, (size_t)at) : value;
}

/* Returns the stored value if the form is stale, and the person has typed another value. Otherwise
 * returns NULL. */
static const char *stored_value(const struct console_view *view,
				const struct console_inputs *inputs, const struct field *field)
{
	const struct field *shown = console_shown_field(inputs, field);
	const char *typed = console_typed_value(inputs, field->name);
	if (!inputs->is_stale || !shown)
		return NULL;
	if (field->kind == FIELD_IDS)
		return stored_choices(view, inputs, shown);
	if (typed && (field->kind == FIELD_TIME || field->flags & FIELD_AS_TIME))
		typed = console_local_time(view, typed);
	if (typed && field->usual && strcmp(typed, RECURRENCE_OTHER) == 0)
		typed = console_typed_value(inputs, RECURRENCE_OTHER);
	const char *stored = preset_of(inputs, field->name);
	if (!stored)
		stored = console_value_text(view, shown, inputs->object);
	else if (field->kind == FIELD_TIME || field->flags & FIELD_AS_TIME)
		stored = console_local_time(view, stored);
	if (!typed || strcmp(typed, stored) == 0)
		return NULL;
	return field->usual ? usual_text(view, field, stored) : stored;
}

/* Appends the stored value below an input with another value: see stored_value(). */
static void put_stored(struct buf *out, const struct console_view *view,
		       const struct console_inputs *inputs, const struct field *field)
{
	const char *stored = stored_value(view, inputs, field);
	if (!stored)
		return;
	buf_puts(out, "<p class=\"problem\">");
	console_say(out, view->words, CONSOLE_STORED_NOW, WORD_VALUES({ "value", stored }));
	buf_puts(out, "</p>\n");
}

static void put_field(struct buf *out, const struct console_view *view,
		      const struct console_inputs *inputs, const struct field *field)
{
	if (field->kind == FIELD_IDS)
		console_put_boxes(out, view, inputs, field);
	else if (field->kind == FIELD_OBJECT || field->kind == FIELD_ROWS)
		put_group(out, view, inputs, field);
	else
		put_one(out, view, inputs, NULL, field, field->name,
			console_shown_field(inputs, field), inputs->object);
	put_stored(out, view, inputs, field);
}

static void put_fields(struct buf *out, const struct console_view *view,
		       const struct console_inputs *inputs, bool are_first)
{
	for (size_t i = 0; i < inputs->fields.count; i++) {
		const struct field *field = &inputs->fields.rows[i];
		if (console_has_input(inputs, field) && is_first(inputs, field) == are_first)
			put_field(out, view, inputs, field);
	}
}

/* Appends problems that belong to no input, such as a quota. */
static void put_other_problems(struct buf *out, const struct console_view *view,
			       const struct console_inputs *inputs)
{
	const struct violation *at = inputs->violations ? inputs->violations->first : NULL;
	for (; at && inputs->is_whole; at = at->next) {
		const struct field *field =
			fields_find(inputs->fields,
				    arena_strndup(view->arena, at->field, strcspn(at->field, ".")));
		if (field && console_has_input(inputs, field))
			continue;
		buf_puts(out, "<p class=\"problem\" role=\"alert\">");
		html_text(out, at->message);
		buf_puts(out, "</p>\n");
	}
}

void console_inputs(struct buf *out, const struct console_view *view,
		    const struct console_inputs *inputs)
{
	bool has_problems = inputs->violations && inputs->violations->count > 0;
	if (inputs->problem) {
		buf_puts(out, "<p class=\"problem\" id=\"problem\" role=\"alert\">");
		html_text(out, inputs->problem);
		buf_puts(out, "</p>\n");
	}
	put_other_problems(out, view, inputs);
	put_fields(out, view, inputs, true);
	if (!inputs->first || inputs->has_only_first)
		return;
	buf_printf(out, "<details%s>\n", has_problems || inputs->is_stale ? " open" : "");
	console_element(out, view, "summary", CONSOLE_MORE_SETTINGS);
	put_fields(out, view, inputs, false);
	buf_puts(out, "</details>\n");
}

void console_hidden(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "<input type=\"hidden\" name=\"%s\" value=\"", name);
	html_attr(out, value);
	buf_puts(out, "\">\n");
}

static bool has_files(const struct console_inputs *inputs)
{
	for (size_t i = 0; inputs && i < inputs->fields.count; i++)
		if (inputs->fields.rows[i].kind == FIELD_FILE &&
		    console_has_input(inputs, &inputs->fields.rows[i]))
			return true;
	return false;
}

void console_end_form(struct buf *out, const struct console_view *view, const char *path,
		      const char *suffix)
{
	const char *word = console_text(view, CONSOLE_PREVIEW);
	buf_puts(out, "<button class=\"plain\" formaction=\"");
	html_attr(out, view->root);
	buf_printf(out,
		   "%s/preview\" formtarget=\"preview%s\">%s</button>\n</form>\n"
		   "<iframe name=\"preview%s\" title=\"%s\" sandbox=\"" CONSOLE_PREVIEW_SANDBOX
		   "\" srcdoc='<meta name=\"color-scheme\" content=\"light dark\">"
		   "<font face=\"system-ui\">",
		   path, suffix, word, suffix, word);
	console_say(out, view->words, CONSOLE_PREVIEW_HERE, NULL);
	buf_puts(out, "</font>'></iframe>\n");
}

void console_put_form(struct buf *out, const struct console_view *view,
		      const struct console_form *form)
{
	console_begin_form(out, view, form->path,
			   has_files(form->inputs) ? " enctype=\"multipart/form-data\"" : "");
	if (form->form_key)
		console_put_form_key(out, form->form_key);
	else if (form->is_once)
		console_put_form_key(out, console_key_of(view, form->path));
	if (form->version != 0)
		console_hidden(out, "version",
			       arena_printf(view->arena, "%lld", (long long)form->version));
	if (form->hidden_name)
		console_hidden(out, form->hidden_name, form->hidden_value);
	if (form->inputs)
		console_inputs(out, view, form->inputs);
	console_element(out, view, form->is_plain ? "button class=\"plain\"" : "button",
			form->button);
	if (form->has_preview)
		console_end_form(out, view, form->path, form->suffix ? form->suffix : "");
	else
		buf_puts(out, "</form>\n");
	if (form->api)
		console_put_curl(out, view,
				 &(struct console_call){ .method = form->method,
							 .url = form->api,
							 .inputs = form->inputs });
}
