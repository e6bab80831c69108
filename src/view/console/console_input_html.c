/* Appends one input of a form: label, problem, control, help. */
#include <string.h>

#include "domain/field_table.h"
#include "domain/maintenance/recurrence_summary.h"
#include "view/console/console_form_html.h"
#include "view/console/console_value_html.h"
#include "view/html.h"

const char *console_typed_value(const struct console_inputs *inputs, const char *name)
{
	for (const struct word_value *at = inputs->typed; at && at->name; at++)
		if (strcmp(at->name, name) == 0)
			return at->text;
	return NULL;
}

/* Returns whether the violation belongs to the input `name`. For example, "value.url" belongs to
 * "value[url]". If has_items, "monitor_ids.3" also belongs to "monitor_ids". */
static bool is_named(const char *violation, const char *name, bool has_items)
{
	for (; *name; name++) {
		if (*name == ']')
			continue;
		if (*violation++ != (*name == '[' ? '.' : *name))
			return false;
	}
	return *violation == '\0' || (has_items && *violation == '.');
}

static const struct violation *violation_of(const struct console_inputs *inputs, const char *name,
					    bool has_items)
{
	const struct violation *at = inputs->violations ? inputs->violations->first : NULL;
	while (at && !is_named(at->field, name, has_items))
		at = at->next;
	return at;
}

static const struct violation *problem_of(const struct console_input *input)
{
	return violation_of(input->inputs, input->name, false);
}

static void put_problem(struct buf *out, const struct console_view *view,
			const struct violation *problem, const char *id)
{
	if (problem)
		console_put_english(
			out, view,
			arena_printf(view->arena,
				     "p class=\"problem\" id=\"problem-%s\" role=\"alert\"", id),
			problem->message);
}

/* Returns whether a help text stands below the control. */
static bool has_help(const struct console_input *input)
{
	return input->inputs->is_whole && console_help(input->field);
}

static void put_attributes(struct buf *out, const struct console_input *input)
{
	const struct field *field = input->field;
	const struct console_inputs *inputs = input->inputs;
	bool has_problem = problem_of(input) != NULL;
	buf_printf(out, " id=\"%s\" name=\"%s\"", input->id, input->name);
	if (field->flags & FIELD_REQUIRED && !input->may_be_empty)
		buf_puts(out, " required");
	if (field->autofill)
		buf_printf(out, " autocomplete=\"%s\" autocapitalize=\"none\"", field->autofill);
	if (inputs->focus && strcmp(inputs->focus, field->name) == 0)
		buf_puts(out, " autofocus");
	if (has_problem)
		buf_puts(out, " aria-invalid=\"true\"");
	if (has_problem || has_help(input))
		buf_printf(out, " aria-describedby=\"%s%s\"", has_problem ? "problem-" : "help-",
			   input->id);
	else if (inputs->problem)
		buf_puts(out, " aria-describedby=\"problem\"");
}

static void put_length(struct buf *out, const struct field *field)
{
	size_t most = field->max_chars > 0 ? field->max_chars : field->max_bytes;
	if (most > 0)
		buf_printf(out, " maxlength=\"%zu\"", most);
}

/* Returns whether the texts of the field have several lines. */
static bool is_long(const struct field *field)
{
	enum { LINE_MAX_BYTES = 2083 };
	return field->flags & FIELD_PROSE || field->max_bytes > LINE_MAX_BYTES;
}

/* Returns whether the input asks for a date and a time of day. */
static bool is_time(const struct console_input *input)
{
	return input->inputs->is_whole &&
	       (input->field->kind == FIELD_TIME || input->field->flags & FIELD_AS_TIME);
}

static const char *type_of(const struct console_input *input)
{
	const struct field *field = input->field;
	if (field->kind == FIELD_INT)
		return "number";
	return is_time(input) ? "datetime-local" : "text";
}

static void put_secret(struct buf *out, const struct console_input *input)
{
	const struct field *field = input->field;
	bool is_code = field->autofill && strcmp(field->autofill, "one-time-code") == 0;
	buf_puts(out, "<input");
	put_attributes(out, input);
	put_length(out, field);
	/* Without this attribute, browsers would fill in the password with which the person signs
	 * in. */
	if (!field->autofill)
		buf_puts(out, " autocomplete=\"new-password\"");
	buf_puts(out, is_code ? " type=\"text\">\n" : " type=\"password\">\n");
}

static void put_text(struct buf *out, const struct console_view *view,
		     const struct console_input *input)
{
	const struct field *field = input->field;
	if (field->kind == FIELD_FILE) {
		buf_puts(out, "<input type=\"file\"");
		put_attributes(out, input);
		buf_puts(out, ">\n");
		return;
	}
	if (is_long(field)) {
		buf_puts(out, "<textarea rows=\"4\"");
		put_attributes(out, input);
		put_length(out, field);
		/* Begin with a line feed: HTML drops the first line feed of a text area. */
		buf_puts(out, ">\n");
		html_text(out, input->value);
		buf_puts(out, "</textarea>\n");
		return;
	}
	buf_puts(out, "<input");
	put_attributes(out, input);
	if (field->kind == FIELD_TEXT)
		put_length(out, field);
	const char *value = is_time(input) ? console_local_time(view, input->value) : input->value;
	/* A browser shows seconds only if the input has a step. */
	bool has_seconds = is_time(input) && strlen(value) > strlen("2026-11-20T19:58");
	buf_printf(out, " type=\"%s\"%s value=\"", type_of(input),
		   has_seconds ? " step=\"1\"" : "");
	html_attr(out, value);
	buf_puts(out, "\">\n");
}

static void put_option(struct buf *out, const char *value, const char *text, bool is_chosen)
{
	buf_printf(out, "<option value=\"%s\"%s>", value, is_chosen ? " selected" : "");
	html_text(out, text);
	buf_puts(out, "</option>\n");
}

static void put_choice(struct buf *out, const struct console_view *view,
		       const struct console_input *input)
{
	const struct field *field = input->field;
	bool is_known = false;
	for (size_t i = 0; field->choices[i]; i++)
		is_known |= strcmp(field->choices[i], input->value) == 0;
	buf_puts(out, "<select");
	put_attributes(out, input);
	buf_puts(out, ">\n");
	if (!is_known || (field->flags & FIELD_NULL_IS_UNSENT && !field->default_value))
		put_option(
			out, "",
			console_text(view, input->inputs->is_whole || field->flags & FIELD_REQUIRED
						   ? CONSOLE_ANY
						   : CONSOLE_UNCHANGED),
			!is_known);
	for (size_t i = 0; field->choices[i]; i++)
		put_option(out, field->choices[i], console_choice_text(view, field, i),
			   strcmp(field->choices[i], input->value) == 0);
	buf_puts(out, "</select>\n");
}

/* Appends a list of usual values to choose from, and below it an input for any other value. */
static void put_usual(struct buf *out, const struct console_view *view,
		      const struct console_input *input)
{
	const char *const *usual = input->field->usual;
	const char *typed = console_typed_value(input->inputs, RECURRENCE_OTHER);
	bool is_chosen = strcmp(input->value, RECURRENCE_OTHER) == 0;
	bool is_other = str_place(usual, str_from(input->value)) < 0;
	const char *other = typed ? typed : is_other && !is_chosen ? input->value : "";
	buf_puts(out, "<select");
	put_attributes(out, input);
	buf_puts(out, ">\n");
	for (size_t i = 0; usual[i]; i++)
		put_option(out, usual[i], console_usual_text(view, i),
			   strcmp(usual[i], input->value) == 0);
	put_option(out, RECURRENCE_OTHER, console_text(view, CONSOLE_REPEATS_OTHER), is_other);
	buf_printf(out, "</select>\n<div class=\"other\">\n<label for=\"%s-other\">", input->id);
	console_say(out, view->words, CONSOLE_OTHER_RULE, NULL);
	buf_printf(out, "</label>\n<input id=\"%s-other\" name=\"" RECURRENCE_OTHER "\"",
		   input->id);
	put_length(out, input->field);
	buf_puts(out, " autocapitalize=\"none\" value=\"");
	html_attr(out, other);
	buf_puts(out, "\">\n</div>\n");
}

/* The index of the time of day in "2026-11-20T19:58". */
enum { TIME_AT = 11 };

static void put_time_option(struct buf *out, const struct console_view *view,
			    enum console_sentence sentence, const char *value, bool is_chosen)
{
	struct instant at;
	const char *time = "";
	if (instant_parse(str_from(value), &at)) {
		const struct local_time local = locale_time(&view->locale, at);
		time = arena_printf(view->arena, "%02d:%02d %s", local.hour, local.minute,
				    locale_zone_name(&view->locale, at));
	}
	buf_puts(out, "<option value=\"");
	html_attr(out, value);
	buf_puts(out, is_chosen ? "\" selected>" : "\">");
	console_say(out, view->words, sentence, WORD_VALUES({ "time", time }));
	buf_puts(out, "</option>\n");
}

static const char *later(const struct console_view *view, int after_s)
{
	char text[INSTANT_TEXT_SIZE];
	instant_format((struct instant){ view->now.s + after_s }, text);
	return arena_strdup(view->arena, text);
}

/* Appends the choices for the promised time of the next update: the stored time, no time, or a new
 * time. */
static void put_promise(struct buf *out, const struct console_view *view,
			const struct console_input *input)
{
	static const int after_s[] = { 1800, 3600, 14400, 86400 };
	bool has_promise = strlen(input->value) > TIME_AT;
	buf_puts(out, "<select");
	put_attributes(out, input);
	buf_puts(out, ">\n");
	if (has_promise)
		put_time_option(out, view, CONSOLE_KEEP_PROMISE, input->value, true);
	put_time_option(out, view, has_promise ? CONSOLE_WITHDRAW_PROMISE : CONSOLE_NO_PROMISE, "",
			false);
	for (size_t i = 0; i < ARRAY_LEN(after_s); i++)
		put_time_option(out, view, CONSOLE_IN_30_MINUTES + (enum console_sentence)i,
				later(view, after_s[i]), false);
	buf_puts(out, "</select>\n");
}

/* Appends a box. Browsers do not send a box that is not checked, so a hidden input before the box
 * sends "0". */
static void put_box(struct buf *out, const struct console_view *view,
		    const struct console_input *input)
{
	console_hidden(out, input->name, "0");
	buf_puts(out, "<label class=\"box\"><input type=\"checkbox\" value=\"1\"");
	put_attributes(out, input);
	buf_puts(out, strcmp(input->value, "1") == 0 ? " checked> " : "> ");
	html_text(out, console_label(view, input->field));
	buf_puts(out, "</label>\n");
}

static void put_label(struct buf *out, const struct console_view *view,
		      const struct console_input *input)
{
	buf_printf(out, "<label for=\"%s\">", input->id);
	html_text(out, console_label(view, input->field));
	/* If the form has a field time_zone, its times are in that zone; otherwise in UTC. */
	if (is_time(input) && fields_find(input->inputs->fields, "time_zone")) {
		buf_puts(out, " ");
		console_say(out, view->words, CONSOLE_IN_ZONE_BELOW, NULL);
	} else if (is_time(input))
		buf_puts(out, " (UTC)");
	if (input->field->flags & FIELD_SECONDS) {
		buf_puts(out, " ");
		console_say(out, view->words, CONSOLE_IN_SECONDS, NULL);
	}
	buf_puts(out, "</label>\n");
}

static void put_help(struct buf *out, const struct console_view *view,
		     const struct console_input *input)
{
	if (has_help(input))
		console_put_english(
			out, view,
			arena_printf(view->arena, "p class=\"note\" id=\"help-%s\"", input->id),
			console_help(input->field));
}

void console_put_input(struct buf *out, const struct console_view *view,
		       const struct console_input *input)
{
	const struct field *field = input->field;
	bool is_box = field->kind == FIELD_BOOL;
	if (!is_box)
		put_label(out, view, input);
	put_problem(out, view, problem_of(input), input->id);
	if (is_box)
		put_box(out, view, input);
	else if (field->choices)
		put_choice(out, view, input);
	else if (field->usual)
		put_usual(out, view, input);
	else if (field->kind == FIELD_TIME && !input->inputs->is_whole)
		put_promise(out, view, input);
	else if (field->flags & FIELD_SECRET)
		put_secret(out, input);
	else
		put_text(out, view, input);
	put_help(out, view, input);
}

void console_begin_group(struct buf *out, const struct console_view *view,
			 const struct console_inputs *inputs, const struct field *field)
{
	buf_puts(out, "<fieldset>\n<legend>");
	html_text(out, console_label(view, field));
	buf_puts(out, "</legend>\n");
	put_problem(out, view, violation_of(inputs, field->name, field->kind == FIELD_IDS),
		    field->name);
	if (inputs->is_whole && field->text)
		console_put_english(out, view, "p class=\"note\"", field->text);
}

void console_put_boxes(struct buf *out, const struct console_view *view,
		       const struct console_inputs *inputs, const struct field *field)
{
	console_begin_group(out, view, inputs, field);
	if (inputs->is_whole)
		console_hidden(out, field->name, "");
	if (inputs->option_count == 0)
		console_element(out, view, "p class=\"note\"", CONSOLE_NONE_FOUND);
	for (size_t i = 0; i < inputs->option_count; i++) {
		const struct console_option *option = &inputs->options[i];
		buf_printf(out,
			   "<label class=\"box\"><input type=\"checkbox\" name=\"%s[]\" "
			   "value=\"%lld\"%s> ",
			   field->name, (long long)option->id,
			   id_list_has(&inputs->chosen, option->id) ? " checked" : "");
		html_text(out, option->name);
		buf_puts(out, "</label>\n");
	}
	buf_puts(out, "</fieldset>\n");
}
