/* The options that a table of fields makes, without a line in ctl/. */
#include "unit/lib/unit.h"

#include <stdlib.h>

#include "ctl/ctl.h"

struct inner {
	const char *key;
};
static const struct field inner_rows[] = { FIELD(struct inner, key, .flags = FIELD_REQUIRED) };
static const struct fields inner_fields = { inner_rows, ARRAY_LEN(inner_rows) };

static const char *const colours[] = { "red", "green", NULL };

/* A resource of all kinds of fields. */
struct input {
	const char *name;
	const char *some_text;
	const char *body;
	int64_t position;
	int64_t interval;
	bool is_fast;
	bool automatic;
	int colour;
	struct instant ends_at;
	struct id_list monitor_ids;
	struct field_rows headers;
	struct field_file *logo;
};
#define ROW(member, ...) FIELD(struct input, member, __VA_ARGS__)
static const struct field rows[] = {
	ROW(name, .text = "The name."),
	FIELD_KEPT("id"),
	ROW(some_text, .text = "Some text."),
	ROW(body, .flags = FIELD_PROSE, .text = "What people read."),
	ROW(position, .max = 9, .text = "A place."),
	ROW(interval, .flags = FIELD_SECONDS | FIELD_ZERO_IS_NULL, .min = 60, .max = 864000,
	    .option = "every", .text = "How often."),
	ROW(is_fast, .text = "Whether it is fast."),
	ROW(automatic, .option = "auto|by-clock", .option_off = "manual", .text = "By the clock."),
	ROW(colour, .choices = colours, .text = "How it looks."),
	ROW(ends_at, .text = "The end."),
	ROW(monitor_ids, .max = 2, .text = "What it is about."),
	ROW(headers, FIELD_MEMBERS(struct inner, &inner_fields), .max = 3, .text = "Of requests."),
	ROW(logo, .max_bytes = 9, .text = "A picture."),
};
static const struct fields form = { rows, ARRAY_LEN(rows) };

static int status_of_run;
static struct input input;
static struct field_set sent;

static int change_run(struct ctl *ctl)
{
	violations_init(&ctl->violations, &ctl->arena);
	input = (struct input){ 0 };
	status_of_run = ctl_read_change(ctl, &input, &sent);
	return status_of_run;
}

static const struct ctl_command command = {
	.words = "thing set",
	.arguments = "ID NAME",
	.summary = "Change a thing",
	.run = change_run,
	.form = &form,
	.options = { { "account", "ACCOUNT", "The account." } },
};

static struct ctl ctl;

/* Runs the command with one more option than the arguments; NULL: none. */
static int run_with(const char *option, const char *value)
{
	static const char *const arguments[] = { "7", "Its name" };
	bool is_found = option == NULL;
	ctl = (struct ctl){ .command = &command };
	arena_init(&ctl.arena, 1 << 20);
	ctl.options = ctl_options_of(&command, &ctl.arena);
	ctl.values = ARENA_ARRAY(&ctl.arena, ctl.options.count, const char *);
	ctl.arguments[0] = arguments[0];
	ctl.arguments[1] = arguments[1];
	for (size_t i = 0; option && i < ctl.options.count; i++) {
		if (strcmp(ctl.options.rows[i].name, option) != 0)
			continue;
		ctl.values[i] = value;
		is_found = true;
	}
	assert_true(is_found);
	return command.run(&ctl);
}

static void done(void)
{
	arena_done(&ctl.arena);
}

static void each_field_is_an_option_or_an_argument(void **state)
{
	static const char *const wanted[][2] = {
		{ "some-text", "TEXT" }, { "body", "TEXT" },	   { "position", "NUMBER" },
		{ "every", "DURATION" }, { "fast", NULL },	   { "no-fast", NULL },
		{ "auto", NULL },	 { "by-clock", NULL },	   { "manual", NULL },
		{ "colour", "WORD" },	 { "ends-at", "TIME" },	   { "monitors", "IDS" },
		{ "headers", "JSON" },	 { "account", "ACCOUNT" },
	};
	(void)state;
	assert_int_equal(CTL_OK, run_with(NULL, NULL));
	assert_int_equal(ARRAY_LEN(wanted), ctl.options.count);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		const struct ctl_option *option = &ctl.options.rows[i];
		assert_string_equal(wanted[i][0], option->name);
		assert_true((wanted[i][1] == NULL) == (option->value == NULL));
		if (option->value)
			assert_string_equal(wanted[i][1], option->value);
	}
	assert_string_equal("How it looks. One of: red, green.", ctl.options.rows[9].help);
	assert_string_equal("The same as --auto.", ctl.options.rows[7].help);
	assert_string_equal("The opposite of --auto.", ctl.options.rows[8].help);
	/* The argument. */
	assert_string_equal("Its name", input.name);
	assert_true(field_set_equals(FIELD_SET(0), sent));
	assert_string_equal("NAME", ctl_word_of(&ctl, "name", &ctl.arena));
	assert_string_equal("--every", ctl_word_of(&ctl, "interval", &ctl.arena));
	assert_null(ctl_word_of(&ctl, "logo", &ctl.arena));
	done();
}

static void each_kind_of_value_is_read(void **state)
{
	(void)state;
	assert_int_equal(CTL_OK, run_with("some-text", "x"));
	assert_string_equal("x", input.some_text);
	assert_true(field_set_equals(FIELD_SET(0, 2), sent));
	done();
	assert_int_equal(CTL_OK, run_with("position", "9"));
	assert_int_equal(9, input.position);
	done();
	assert_int_equal(CTL_OK, run_with("every", "90m"));
	assert_int_equal(5400, input.interval);
	done();
	assert_int_equal(CTL_OK, run_with("every", ""));
	assert_int_equal(0, input.interval);
	assert_true(field_set_has(sent, 5));
	done();
	assert_int_equal(CTL_OK, run_with("no-fast", ""));
	assert_false(input.is_fast);
	assert_true(field_set_has(sent, 6));
	done();
	assert_int_equal(CTL_OK, run_with("by-clock", ""));
	assert_true(input.automatic);
	done();
	assert_int_equal(CTL_OK, run_with("colour", "green"));
	assert_int_equal(1, input.colour);
	done();
	assert_int_equal(CTL_OK, run_with("ends-at", "2026-11-20T19:58:30Z"));
	assert_int_equal(1795204710, input.ends_at.s);
	done();
	assert_int_equal(CTL_OK, run_with("ends-at", "1d"));
	assert_in_range(input.ends_at.s - clock_now().s, 86400 - 60, 86400);
	done();
	assert_int_equal(CTL_OK, run_with("monitors", "8, 7,8"));
	assert_int_equal(2, input.monitor_ids.count);
	assert_int_equal(7, input.monitor_ids.ids[1]);
	done();
	assert_int_equal(CTL_OK, run_with("headers", "[{\"key\": \"a\"}, {\"key\": \"b\"}]"));
	assert_int_equal(2, input.headers.count);
	assert_string_equal("b", ((struct inner *)input.headers.rows)[1].key);
	done();
}

static void a_wrong_value_is_refused_by_the_name_of_its_option(void **state)
{
	static const char *const wrong[][2] = {
		{ "position", "10" },	 { "position", "x" },
		{ "position", "" },	 { "every", "30" },
		{ "every", "11d" },	 { "colour", "blue" },
		{ "ends-at", "soon" },	 { "monitors", "1,x" },
		{ "monitors", "1,2,3" }, { "headers", "[" },
		{ "headers", "[{}]" },	 { "headers", "1}, {" },
		{ "monitors", "0" },	 { "headers", "{\"key\": \"a\"}" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_int_equal(CTL_USAGE, run_with(wrong[i][0], wrong[i][1]));
		done();
	}
}

/* A row of a table is in the help of each command with its form. */
static void each_field_of_each_command_is_in_its_help(void **state)
{
	size_t found = 0;
	(void)state;
	for (size_t i = 0; i < ctl_command_count; i++) {
		const struct ctl_command *one = ctl_commands[i];
		char *text = NULL;
		size_t len = 0;
		FILE *out = open_memstream(&text, &len);
		ctl_print_help(one, out);
		fclose(out);
		const struct ctl_options options = ctl_options_of(one, &arena);
		for (size_t j = 0; j < options.count; j++) {
			const char *option = arena_printf(&arena, "  --%s", options.rows[j].name);
			assert_non_null(strstr(text, option));
			found += options.rows[j].row != NULL;
			/* No option twice. */
			for (size_t k = 0; k < j; k++)
				assert_string_not_equal(options.rows[k].name, options.rows[j].name);
		}
		free(text);
	}
	assert_true(found > 40);
}

/* The columns of a list name fields of its table. */
static void each_column_of_a_list_is_a_field(void **state)
{
	size_t lists = 0;
	(void)state;
	for (size_t i = 0; i < ctl_command_count; i++) {
		const struct ctl_list *list = ctl_commands[i]->list;
		const struct ctl_column *column = list ? list->columns : NULL;
		lists += list != NULL;
		for (; column && column->head; column++)
			assert_true(column->text || fields_find(*list->fields, column->field));
		assert_true(!list || fields_find(*list->fields, "id"));
	}
	assert_true(lists >= 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_field_is_an_option_or_an_argument),
		cmocka_unit_test(each_kind_of_value_is_read),
		cmocka_unit_test(a_wrong_value_is_refused_by_the_name_of_its_option),
		cmocka_unit_test(each_field_of_each_command_is_in_its_help),
		cmocka_unit_test(each_column_of_a_list_is_a_field),
	};
	return RUN_WITH_ARENA(tests);
}
