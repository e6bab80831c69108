/* Makes options for the fields of a command's form, and reads their values. */
#include <string.h>

#include "base/log.h"
#include "ctl/read_file.h"
#include "domain/field_table.h"
#include "http/form.h"
#include "wire/json.h"
#include "wire/json_pairs.h"
#include "wire/json_read.h"
#include "wire/pairs.h"

/* Returns the name of the field's option: "known-since" for known_since, "paused" for is_paused,
 * "monitors" for monitor_ids. */
static const char *default_name(const struct field *field, struct arena *arena)
{
	char *name = arena_strdup(arena, field->name);
	size_t len = strlen(name);
	if (field->kind == FIELD_BOOL && strncmp(name, "is_", 3) == 0)
		name += 3;
	if (field->kind == FIELD_IDS && len > 4 && strcmp(name + len - 4, "_ids") == 0)
		memcpy(name + len - 4, "s", 2);
	for (char *c = name; *c; c++)
		*c = *c == '_' ? '-' : *c;
	return name;
}

/* Returns the names of the field's option, separated by "|". */
static const char *names_of(const struct field *field, bool is_off, struct arena *arena)
{
	const char *names = field->option ? field->option : default_name(field, arena);
	if (!is_off)
		return names;
	return field->option_off ? field->option_off : arena_printf(arena, "no-%s", names);
}

/* Returns the name of the option's value in the help, such as ID; NULL: the option is a flag. */
static const char *value_of(const struct field *field)
{
	switch (field->kind) {
	case FIELD_BOOL:
		return NULL;
	case FIELD_INT:
		return field->flags & FIELD_SECONDS ? "DURATION" : "NUMBER";
	case FIELD_TEXT:
		return field->choices ? "WORD" : "TEXT";
	case FIELD_CHOICE:
		return "WORD";
	case FIELD_IDS:
		return "IDS";
	case FIELD_TIME:
		return "TIME";
	case FIELD_OBJECT:
	case FIELD_ROWS:
		return "JSON";
	case FIELD_FILE:
	case FIELD_PERCENT:
		break;
	}
	die("ctl: the field %s cannot be an option", field->name);
}

static const char *words_of(const struct field *field, struct arena *arena)
{
	const char *all = "";
	for (size_t i = 0; field->choices[i]; i++)
		all = arena_printf(arena, "%s%s%s", all, i > 0 ? ", " : "", field->choices[i]);
	return all;
}

static const char *help_of(const struct field *field, struct arena *arena)
{
	const char *text = field->text ? field->text : "";
	if (field->choices)
		text = arena_printf(arena, "%s One of: %s.", text, words_of(field, arena));
	if (field->initial)
		text = arena_printf(arena, "%s Default on create: %s%s.", text, field->initial,
				    field->flags & FIELD_SECONDS ? "s" : "");
	return field->flags & FIELD_PROSE ? arena_printf(arena, "%s - is standard input.", text)
					  : text;
}

static void add_options(struct ctl_options *options, const struct field *field, bool is_off,
			struct arena *arena)
{
	struct str names = str_from(names_of(field, is_off, arena)), name;
	const char *first = NULL, *help = help_of(field, arena);
	if (is_off) {
		struct str on = str_from(names_of(field, false, arena));
		str_split(&on, '|', &name);
		help = arena_printf(arena, "The opposite of --%.*s.", (int)name.len, name.data);
	}
	while (str_split(&names, '|', &name)) {
		options->rows[options->count++] = (struct ctl_option){
			.name = arena_strndup(arena, name.data, name.len),
			.value = value_of(field),
			.help = first ? arena_printf(arena, "The same as --%s.", first) : help,
			.row = field,
			.is_off = is_off,
		};
		first = first ? first : options->rows[options->count - 1].name;
	}
}

/* Returns the index of the argument for `field`, and sets *name to the argument's name. -1: no
 * argument sets `field`. */
static int find_argument(const struct ctl_command *command, const char *field, struct str *name)
{
	struct str rest = str_from(command->arguments);
	for (int i = 0; command->arguments && str_split(&rest, ' ', name); i++) {
		if (name->data[0] == '[') /* the form is [NAME] */
			*name = (struct str){ name->data + 1, name->len - 2 };
		if (str_eq_nocase(*name, str_from(field)))
			return i;
	}
	return -1;
}

static int argument_of(const struct ctl_command *command, const char *field)
{
	struct str name;
	return find_argument(command, field, &name);
}

/* Returns the number of options in command->options. */
static size_t own_count(const struct ctl_command *command)
{
	size_t count = 0;
	while (count < CTL_OPTIONS_MAX && command->options[count].name)
		count++;
	return count;
}

static bool is_option(const struct ctl_command *command, const struct field *field)
{
	if (command->has_only_arguments || field->flags & FIELD_READ_ONLY ||
	    field->kind == FIELD_FILE || argument_of(command, field->name) >= 0)
		return false;
	if (command->without && strcmp(command->without, field->name) == 0)
		return false;
	for (size_t i = 0; i < own_count(command); i++)
		if (command->options[i].field &&
		    strcmp(command->options[i].field, field->name) == 0)
			return false;
	return true;
}

struct ctl_options ctl_options_of(const struct ctl_command *command, struct arena *arena)
{
	enum { NAMES_MAX = 4 }; /* the most names of a field's option */
	const struct fields form = command->form ? *command->form : (struct fields){ 0 };
	struct ctl_options options = { 0 };
	options.rows =
		ARENA_ARRAY(arena, NAMES_MAX * form.count + CTL_OPTIONS_MAX, struct ctl_option);
	for (size_t i = 0; i < form.count; i++) {
		const struct field *field = &form.rows[i];
		if (!is_option(command, field))
			continue;
		add_options(&options, field, false, arena);
		if (field->kind == FIELD_BOOL)
			add_options(&options, field, true, arena);
	}
	for (size_t i = 0; i < own_count(command); i++)
		options.rows[options.count++] = command->options[i];
	return options;
}

const char *ctl_option(const struct ctl *ctl, const char *name)
{
	for (size_t i = 0; i < ctl->options.count; i++)
		if (strcmp(ctl->options.rows[i].name, name) == 0)
			return ctl->values[i];
	die("ctl: %s has no option %s", ctl->command->words, name);
}

const char *ctl_word_of(const struct ctl *ctl, const char *field, struct arena *arena)
{
	struct str word;
	if (find_argument(ctl->command, field, &word) >= 0)
		return arena_strndup(arena, word.data, word.len);
	for (size_t i = 0; i < ctl->options.count; i++) {
		const struct ctl_option *option = &ctl->options.rows[i];
		const char *set = option->row ? option->row->name : option->field;
		if (strcmp(set ? set : option->name, field) == 0)
			return arena_printf(arena, "--%s", option->name);
	}
	return NULL;
}

/* A value on the command line, for a field of the form. */
struct given {
	struct ctl *ctl;
	const struct field *field;
	const char *word; /* the name of the field in messages: NAME, or --label */
	const char *text;
	void *input;
};

static enum result emit_text(struct form *form, const char *name, struct str text,
			     struct error *error)
{
	const struct pair pair = { .name = str_from(name), .value = text };
	return form->sink.take(&form->sink, &pair, error);
}

/* Decodes a list of ids, such as "7,8". */
static enum result emit_items(const struct given *given, struct form *form)
{
	const char *name = arena_printf(&given->ctl->arena, "%s[]", given->field->name);
	struct str rest = str_from(given->text), item;
	enum result result = OK;
	while (result == OK && str_split(&rest, ',', &item))
		result = emit_text(form, name, item, &given->ctl->error);
	return result;
}

/* Decodes the text like a member of a request's JSON body. */
static enum result emit_json(const struct given *given, struct form *form)
{
	struct ctl *ctl = given->ctl;
	const char *name = given->field->name;
	const char *value = ctl_text_or_input(ctl, given->text);
	const char *text = arena_printf(&ctl->arena, "{\"%s\": %s}", name, value ? value : "");
	struct json_object *tree;
	enum result result = json_read_file(str_from(text), &tree, &ctl->error);
	if (result != OK)
		return error_client(&ctl->error, E_INVALID, "the value is not JSON");
	result = json_emit(&form->sink, name, json_member(tree, name), &ctl->error);
	json_free(tree);
	return result;
}

/* Returns the text in the form that a request has. If the field is a time, converts "now" or a
 * duration from now to a time. If the field is in seconds, converts a duration to a number. */
static const char *plain_text(const struct given *given)
{
	char at[INSTANT_TEXT_SIZE];
	int64_t seconds = 0;
	bool is_now = strcmp(given->text, "now") == 0;
	bool is_duration = ctl_duration(given->text, &seconds);
	if (given->field->kind == FIELD_TIME && (is_now || is_duration))
		return arena_strdup(
			&given->ctl->arena,
			instant_format((struct instant){ clock_now().s + seconds }, at));
	return given->field->flags & FIELD_SECONDS && is_duration
		       ? arena_printf(&given->ctl->arena, "%lld", (long long)seconds)
		       : given->text;
}

static int read_text(const struct given *given)
{
	const char *text = given->field->flags & FIELD_PROSE
				   ? ctl_text_or_input(given->ctl, given->text)
				   : given->text;
	*FIELD_AT(given->input, given->field, const char *) = text;
	return text ? CTL_OK : CTL_USAGE;
}

/*
 * Reads the value into the input. Texts are not checked here, since the operation checks them.
 * Other values are decoded like values of a request.
 */
static int read_value(const struct given *given)
{
	struct ctl *ctl = given->ctl;
	const struct field *field = given->field;
	struct form form;
	struct field_set sent = FIELD_SET_NONE;
	enum result result;
	if (field->kind == FIELD_TEXT)
		return read_text(given);
	if (field->flags & FIELD_SECONDS && given->text[0] && plain_text(given) == given->text)
		return ctl_usage(ctl, "%s must be a time such as 30s, 90m, 2h or 1d", given->word);
	form_init(&form, (struct fields){ field, 1 }, &ctl->arena);
	if (field->kind == FIELD_IDS)
		result = emit_items(given, &form);
	else if (field->kind == FIELD_OBJECT || field->kind == FIELD_ROWS)
		result = emit_json(given, &form);
	else
		result = emit_text(&form, field->name, str_from(plain_text(given)), &ctl->error);
	violations_init(&ctl->violations, &ctl->arena);
	if (result == OK)
		form_decode(&form, given->input, &sent, &ctl->violations);
	if (result == OK && ctl->violations.count > 0)
		result = E_INVALID;
	if (result == OK && field_set_is_empty(sent))
		return ctl_usage(ctl, "%s must not be empty", given->word);
	return result == OK ? CTL_OK : ctl_fail(ctl, result, "%s cannot be read", given->word);
}

/* Reads an option for the field. A boolean has two options, --NAME and --no-NAME, which exclude
 * each other. *first: the option that was already read for the same boolean; NULL: none. */
static int read_option(const struct given *given, const struct ctl_option *option,
		       const struct ctl_option **first)
{
	if (given->field->kind != FIELD_BOOL)
		return read_value(given);
	if (*first && (*first)->is_off != option->is_off)
		return ctl_usage(given->ctl, "--%s and --%s exclude each other", (*first)->name,
				 option->name);
	*FIELD_AT(given->input, given->field, bool) = !option->is_off;
	*first = option;
	return CTL_OK;
}

/* Returns whether the option sets this field of the form. The command may read several forms. */
static bool sets(const struct ctl_option *option, const struct field *field, struct arena *arena)
{
	if (option->row)
		return option->row == field;
	return !option->field && strcmp(option->name, names_of(field, false, arena)) == 0;
}

static int read_field(const struct given *field, struct field_set *sent, size_t place)
{
	struct ctl *ctl = field->ctl;
	struct given given = *field;
	const struct ctl_option *first = NULL;
	int at = argument_of(ctl->command, given.field->name), status = CTL_OK;
	given.word = ctl_word_of(ctl, given.field->name, &ctl->arena);
	given.text = at >= 0 ? ctl->arguments[at] : NULL;
	if (given.text) {
		status = read_value(&given);
		field_set_add(sent, place);
	}
	for (size_t i = 0; status == CTL_OK && i < ctl->options.count; i++) {
		const struct ctl_option *option = &ctl->options.rows[i];
		given.text = ctl->values[i];
		if (!given.text || !sets(option, given.field, &ctl->arena))
			continue;
		given.word = arena_printf(&ctl->arena, "--%s", option->name);
		status = read_option(&given, option, &first);
		field_set_add(sent, place);
	}
	return status;
}

int ctl_read_form(struct ctl *ctl, struct fields form, void *input, struct field_set *sent)
{
	int status = CTL_OK;
	*sent = FIELD_SET_NONE;
	for (size_t i = 0; status == CTL_OK && i < form.count; i++) {
		const struct given given = { ctl, &form.rows[i], NULL, NULL, input };
		if (!(form.rows[i].flags & FIELD_READ_ONLY))
			status = read_field(&given, sent, i);
	}
	return status;
}

int ctl_read_change(struct ctl *ctl, void *input, struct field_set *sent)
{
	int status = ctl_read_form(ctl, *ctl->command->form, input, sent);
	if (status == CTL_OK && field_set_is_empty(*sent))
		return ctl_usage(ctl, "an option is missing; try `daymarkctl %s --help`",
				 ctl->command->words);
	return status;
}

int ctl_read_new(struct ctl *ctl, void *input, struct field_set *sent, int64_t *account_id)
{
	int status = ctl_read_form(ctl, *ctl->command->form, input, sent);
	return status == CTL_OK ? ctl_account(ctl, account_id) : status;
}
