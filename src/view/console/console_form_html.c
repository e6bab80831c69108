#include "view/console/console_form_html.h"

#include <string.h>

#include "domain/incident.h"
#include "view/html.h"

static const char *suffix_of(const struct console_inputs *inputs)
{
	return inputs->suffix ? inputs->suffix : "";
}

/* The violation of the field, or of an item of it ("monitor_ids.3"); NULL: there is none. */
static const struct violation *violation_of(const struct console_inputs *inputs,
					    const struct field *field)
{
	const struct violation *at = inputs->violations ? inputs->violations->first : NULL;
	size_t len = strlen(field->name);
	while (at && (strncmp(at->field, field->name, len) != 0 ||
		      (at->field[len] != '\0' && at->field[len] != '.')))
		at = at->next;
	return at;
}

static void put_problem(struct buf *out, const struct console_inputs *inputs,
			const struct field *field)
{
	const struct violation *problem = violation_of(inputs, field);
	if (!problem)
		return;
	buf_printf(out, "<p class=\"problem\" id=\"problem-%s%s\" role=\"alert\">", field->name,
		   suffix_of(inputs));
	html_text(out, problem->message);
	buf_puts(out, "</p>\n");
}

/* As the API takes it; "" for a time that is over. */
static const char *time_value(const struct console_view *view, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	if (at.s <= view->now.s)
		return "";
	instant_format(at, text);
	return arena_strdup(view->arena, text);
}

/* What stands in the input: as it was typed, or the value of the object, or the default. */
static const char *value_of(const struct console_view *view, const struct console_inputs *inputs,
			    size_t at)
{
	const struct field *field = &inputs->fields.rows[at];
	if (inputs->typed)
		return inputs->typed[at] ? inputs->typed[at] : "";
	if (!inputs->object)
		return field->default_value ? field->default_value : "";
	if (field->kind == FIELD_TIME)
		return time_value(view, *FIELD_AT_CONST(inputs->object, field, struct instant));
	const char *member = (const char *)inputs->object + field->offset, *text;
	if (field->kind == FIELD_CHOICE)
		return *(const int *)(const void *)member >= 0
			       ? field->choices[*(const int *)(const void *)member]
			       : "";
	memcpy(&text, member, sizeof(text));
	return text ? text : "";
}

static void put_label(struct buf *out, const struct console_inputs *inputs,
		      const struct field *field)
{
	buf_printf(out, "<label for=\"%s%s\">", field->name, suffix_of(inputs));
	html_text(out, field->label);
	buf_puts(out, "</label>\n");
}

static void put_attributes(struct buf *out, const struct console_inputs *inputs,
			   const struct field *field)
{
	const struct violation *problem = violation_of(inputs, field);
	buf_printf(out, " id=\"%s%s\" name=\"%s\"", field->name, suffix_of(inputs), field->name);
	if (field->max_chars > 0)
		buf_printf(out, " maxlength=\"%zu\"", field->max_chars);
	if (field->max_bytes > 0)
		buf_printf(out, " maxlength=\"%zu\"", field->max_bytes);
	if (field->flags & (FIELD_REQUIRED | FIELD_NOT_EMPTY))
		buf_puts(out, " required");
	if (field->autofill)
		buf_printf(out, " autocomplete=\"%s\" autocapitalize=\"none\"", field->autofill);
	if (inputs->focus && strcmp(inputs->focus, field->name) == 0)
		buf_puts(out, " autofocus");
	if (problem)
		buf_printf(out, " aria-invalid=\"true\" aria-describedby=\"problem-%s%s\"",
			   field->name, suffix_of(inputs));
	else if (inputs->problem)
		buf_puts(out, " aria-describedby=\"problem\"");
}

static void put_text(struct buf *out, const struct console_inputs *inputs,
		     const struct field *field, const char *value)
{
	bool is_long = field->flags & FIELD_PROSE;
	buf_puts(out, is_long ? "<textarea rows=\"4\"" : "<input");
	put_attributes(out, inputs, field);
	if (field->flags & FIELD_SECRET) {
		bool is_code = field->autofill && strcmp(field->autofill, "one-time-code") == 0;
		buf_puts(out, is_code ? " type=\"text\">\n" : " type=\"password\">\n");
		return;
	}
	/* HTML drops a line feed at the begin of a text area. */
	buf_puts(out, is_long ? ">\n" : " value=\"");
	(is_long ? html_text : html_attr)(out, value);
	buf_puts(out, is_long ? "</textarea>\n" : "\">\n");
}

/* The sentence of the first word of a list of choices; the others follow in its order. */
static const struct {
	const char *const *choices;
	enum console_sentence first;
} choice_sentences[] = {
	{ incident_impact_words, CONSOLE_IMPACT_NONE },
	{ incident_phase_words, CONSOLE_INVESTIGATING },
	{ user_role_words, CONSOLE_READER },
};

static const char *choice_text(const struct console_view *view, const struct field *field,
			       size_t at)
{
	for (size_t i = 0; i < ARRAY_LEN(choice_sentences); i++)
		if (choice_sentences[i].choices == field->choices)
			return console_text(view,
					    choice_sentences[i].first + (enum console_sentence)at);
	return field->choices[at];
}

static void put_choice(struct buf *out, const struct console_view *view,
		       const struct console_inputs *inputs, const struct field *field,
		       const char *value)
{
	bool may_be_empty = field->flags & FIELD_NULL_IS_UNSENT && !field->default_value;
	buf_puts(out, "<select");
	put_attributes(out, inputs, field);
	buf_puts(out, ">\n");
	if (may_be_empty) {
		buf_puts(out, "<option value=\"\">");
		console_say(out, view->words, CONSOLE_UNCHANGED, NULL);
		buf_puts(out, "</option>\n");
	}
	for (size_t i = 0; field->choices[i]; i++) {
		bool is_chosen = strcmp(field->choices[i], value) == 0;
		buf_printf(out, "<option value=\"%s\"%s>", field->choices[i],
			   is_chosen ? " selected" : "");
		html_text(out, choice_text(view, field, i));
		buf_puts(out, "</option>\n");
	}
	buf_puts(out, "</select>\n");
}

/* Where the time of day begins in the text of an instant. */
enum { TIME_AT = 11 };

static void put_time_option(struct buf *out, const struct console_view *view,
			    enum console_sentence sentence, const char *value, bool is_chosen)
{
	/* "2026-11-20T19:58:30Z" */
	const char *time = strlen(value) > TIME_AT
				   ? arena_printf(view->arena, "%.5s UTC", value + TIME_AT)
				   : "";
	buf_puts(out, "<option value=\"");
	html_attr(out, value);
	buf_puts(out, is_chosen ? "\" selected>" : "\">");
	console_say(out, view->words, sentence, WORD_VALUES({ "time", time }));
	buf_puts(out, "</option>\n");
}

/* A time that is still to come, such as a promise: kept as it is, withdrawn, or another one. */
static void put_time(struct buf *out, const struct console_view *view,
		     const struct console_inputs *inputs, size_t at)
{
	static const int after_s[] = { 1800, 3600, 14400, 86400 };
	const char *value = value_of(view, inputs, at);
	buf_puts(out, "<select");
	put_attributes(out, inputs, &inputs->fields.rows[at]);
	buf_puts(out, ">\n");
	if (strlen(value) > TIME_AT)
		put_time_option(out, view, CONSOLE_KEEP_PROMISE, value, true);
	put_time_option(out, view, value[0] ? CONSOLE_WITHDRAW_PROMISE : CONSOLE_NO_PROMISE, "",
			false);
	for (size_t i = 0; i < ARRAY_LEN(after_s); i++)
		put_time_option(out, view, CONSOLE_IN_30_MINUTES + (enum console_sentence)i,
				time_value(view, (struct instant){ view->now.s + after_s[i] }),
				false);
	buf_puts(out, "</select>\n");
}

static void put_ids(struct buf *out, const struct console_inputs *inputs, const struct field *field)
{
	buf_puts(out, "<fieldset>\n<legend>");
	html_text(out, field->label);
	buf_puts(out, "</legend>\n");
	put_problem(out, inputs, field);
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

static void put_input(struct buf *out, const struct console_view *view,
		      const struct console_inputs *inputs, size_t at)
{
	const struct field *field = &inputs->fields.rows[at];
	if (field->kind == FIELD_IDS) {
		put_ids(out, inputs, field);
		return;
	}
	put_label(out, inputs, field);
	put_problem(out, inputs, field);
	if (field->kind == FIELD_CHOICE)
		put_choice(out, view, inputs, field, value_of(view, inputs, at));
	else if (field->kind == FIELD_TIME)
		put_time(out, view, inputs, at);
	else
		put_text(out, inputs, field, value_of(view, inputs, at));
}

void console_inputs(struct buf *out, const struct console_view *view,
		    const struct console_inputs *inputs)
{
	if (inputs->problem) {
		buf_puts(out, "<p class=\"problem\" id=\"problem\" role=\"alert\">");
		html_text(out, inputs->problem);
		buf_puts(out, "</p>\n");
	}
	for (size_t i = 0; i < inputs->fields.count; i++)
		if (inputs->fields.rows[i].label)
			put_input(out, view, inputs, i);
}

void console_hidden(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "<input type=\"hidden\" name=\"%s\" value=\"", name);
	html_attr(out, value);
	buf_puts(out, "\">\n");
}

void console_put_form(struct buf *out, const struct console_view *view,
		      const struct console_form *form)
{
	console_form(out, view, form->path);
	if (form->form_key)
		console_put_form_key(out, form->form_key);
	if (form->hidden_name)
		console_hidden(out, form->hidden_name, form->hidden_value);
	if (form->inputs)
		console_inputs(out, view, form->inputs);
	console_element(out, view, form->is_plain ? "button class=\"plain\"" : "button",
			form->button);
	buf_puts(out, "</form>\n");
}
