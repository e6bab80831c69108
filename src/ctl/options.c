/* The options of a command, which its form makes, and their values. */
#include <string.h>

#include "base/log.h"
#include "ctl/read_file.h"
#include "domain/field_table.h"
#include "http/form.h"
#include "wire/json.h"
#include "wire/json_read.h"

/* "known-since" of known_since, "paused" of is_paused, "monitors" of monitor_ids. */
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

/* The names of the option, separated by "|". */
static const char *names_of(const struct field *field, bool is_off, struct arena *arena)
{
	const char *names = field->option ? field->option : default_name(field, arena);
	if (!is_off)
		return names;
	return field->option_off ? field->option_off : arena_printf(arena, "no-%s", names);
}

/* The name of the value in the help; NULL: a flag. */
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

/* The place of the argument that the field is; -1: none. */
static int argument_of(const struct ctl_command *command, const char *field)
{
	struct str rest = str_from(command->arguments), argument;
	for (int i = 0; str_split(&rest, ' ', &argument); i++)
		if (str_eq_nocase(argument, str_from(field)))
			return i;
	return -1;
}

static bool is_option(const struct ctl_command *command, const struct field *field)
{
	if (command->has_only_arguments || field->flags & FIELD_READ_ONLY ||
	    field->kind == FIELD_FILE || argument_of(command, field->name) >= 0)
		return false;
	for (size_t i = 0; command->options[i].name; i++)
		if (command->options[i].field &&
		    strcmp(command->options[i].field, field->name) == 0)
			return false;
	return true;
}

struct ctl_options ctl_options_of(const struct ctl_command *command, struct arena *arena)
{
	enum { NAMES_MAX = 4 }; /* of a field */
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
	for (size_t i = 0; command->options[i].name; i++)
		options.rows[options.count++] = command->options[i];
	return options;
}

const char *ctl_option(const struct ctl *ctl, const char *name)
{
	for (size_t i = 0; i < ctl->options.count; i++)
		if (strcmp(ctl->options.rows[i].name, name) == 0)
			return ctl->values[i];
	die("ctl: %s has no option %s", ctl->command->group, name);
}

const char *ctl_word_of(const struct ctl *ctl, const char *field, struct arena *arena)
{
	int at = argument_of(ctl->command, field);
	struct str rest = str_from(ctl->command->arguments), word;
	for (int i = 0; i <= at; i++)
		str_split(&rest, ' ', &word);
	if (at >= 0)
		return arena_strndup(arena, word.data, word.len);
	for (size_t i = 0; i < ctl->options.count; i++) {
		const struct ctl_option *option = &ctl->options.rows[i];
		const char *set = option->row ? option->row->name : option->field;
		if (strcmp(set ? set : option->name, field) == 0)
			return arena_printf(arena, "--%s", option->name);
	}
	return NULL;
}

/* A value on the command line. */
struct given {
	struct ctl *ctl;
	const struct field *field;
	const char *word; /* NAME, or --label */
	const char *text;
	void *input;
};

static int read_number(const struct given *given)
{
	const struct field *field = given->field;
	int64_t *number = FIELD_AT(given->input, field, int64_t);
	bool is_duration = field->flags & FIELD_SECONDS;
	if (given->text[0] == '\0' && field->flags & FIELD_ZERO_IS_NULL) {
		*number = 0;
		return CTL_OK;
	}
	bool is_read = is_duration ? ctl_duration(given->text, number)
				   : str_to_int64(str_from(given->text), number);
	if (is_read && *number >= field->min && *number <= field->max)
		return CTL_OK;
	if (is_duration)
		return ctl_usage(given->ctl,
				 "%s must be a time such as 90m, 2h or 1d, at most %lldd",
				 given->word, (long long)field->max / 86400);
	return ctl_usage(given->ctl, "%s must be a number from %lld to %lld", given->word,
			 (long long)field->min, (long long)field->max);
}

static int read_choice(const struct given *given)
{
	for (int i = 0; given->field->choices[i]; i++) {
		if (strcmp(given->field->choices[i], given->text) != 0)
			continue;
		*FIELD_AT(given->input, given->field, int) = i;
		return CTL_OK;
	}
	return ctl_usage(given->ctl, "%s must be one of: %s", given->word,
			 words_of(given->field, &given->ctl->arena));
}

/* An empty text is no time. */
static int read_time(const struct given *given)
{
	struct instant *at = FIELD_AT(given->input, given->field, struct instant);
	int64_t seconds = 0;
	bool is_relative = strcmp(given->text, "now") == 0 || ctl_duration(given->text, &seconds);
	*at = (struct instant){ is_relative ? clock_now().s + seconds : 0 };
	if (is_relative || given->text[0] == '\0' || instant_parse(str_from(given->text), at))
		return CTL_OK;
	return ctl_usage(given->ctl,
			 "%s must be a time such as 2026-11-20T19:58:30Z, now, or 30m from now",
			 given->word);
}

/* "7,8"; an empty text is the empty list. */
static int read_ids(const struct given *given)
{
	struct str rest = str_from(given->text), item;
	struct id_list list = { ARENA_ARRAY(&given->ctl->arena, rest.len, int64_t), 0 };
	int64_t id;
	while (str_split(&rest, ',', &item)) {
		bool is_known = false;
		if (!str_to_int64(str_trim(item), &id) || id < 1)
			return ctl_usage(given->ctl, "%s must be ids, such as 7,8", given->word);
		for (size_t i = 0; i < list.count; i++)
			is_known |= list.ids[i] == id;
		if (!is_known)
			list.ids[list.count++] = id;
	}
	if ((int64_t)list.count > given->field->max)
		return ctl_usage(given->ctl, "%s must be at most %lld ids", given->word,
				 (long long)given->field->max);
	*FIELD_AT(given->input, given->field, struct id_list) = list;
	return CTL_OK;
}

static int read_text(const struct given *given)
{
	const char *text = given->field->flags & FIELD_PROSE
				   ? ctl_text_or_input(given->ctl, given->text)
				   : given->text;
	*FIELD_AT(given->input, given->field, const char *) = text;
	return text ? CTL_OK : CTL_USAGE;
}

/* An object, or a list of objects, as a request has them. */
static int read_json(const struct given *given)
{
	struct ctl *ctl = given->ctl;
	const char *text =
		arena_printf(&ctl->arena, "{\"%s\": %s}", given->field->name, given->text);
	struct json_object *tree;
	struct form form;
	struct field_set sent;
	if (json_read_file(str_from(text), &tree, &ctl->error) != OK)
		return ctl_usage(ctl, "%s must be JSON", given->word);
	form_init(&form, (struct fields){ given->field, 1 }, &ctl->arena);
	enum result result = json_emit(&form.sink, given->field->name,
				       json_member(tree, given->field->name), &ctl->error);
	violations_init(&ctl->violations, &ctl->arena);
	if (result == OK)
		form_decode(&form, given->input, &sent, &ctl->violations);
	json_free(tree);
	if (result == OK && ctl->violations.count > 0)
		result = E_INVALID;
	return result == OK ? CTL_OK : ctl_fail(ctl, result, "%s cannot be read", given->word);
}

static int read_value(const struct given *given)
{
	switch (given->field->kind) {
	case FIELD_TEXT:
		return read_text(given);
	case FIELD_INT:
		return read_number(given);
	case FIELD_CHOICE:
		return read_choice(given);
	case FIELD_TIME:
		return read_time(given);
	case FIELD_IDS:
		return read_ids(given);
	case FIELD_OBJECT:
	case FIELD_ROWS:
		return read_json(given);
	case FIELD_BOOL:
	case FIELD_FILE:
	case FIELD_PERCENT:
		break;
	}
	return CTL_OK;
}

/* Reads one of the options of the field. */
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

/* Whether the option sets the field, of the command's form or of another form. */
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
	char words[CTL_WORDS_SIZE];
	int status = ctl_read_form(ctl, *ctl->command->form, input, sent);
	if (status == CTL_OK && field_set_is_empty(*sent))
		return ctl_usage(ctl, "an option is missing; try `daymarkctl%s --help`",
				 ctl_command_words(ctl->command, words));
	return status;
}
