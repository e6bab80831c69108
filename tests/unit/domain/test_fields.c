/* The rules of the fields of monitors, accounts and keys. */
#include "unit/lib/unit.h"

#include "domain/account/account.h"
#include "domain/account/key.h"
#include "domain/monitor/monitor.h"

struct sample {
	const char *exact, *trimmed, *needed, *bytes, *kept;
	bool is_on;
};

static const struct field sample_rows[] = {
	FIELD(struct sample, exact, .flags = FIELD_EXACT, .max_chars = 3),
	FIELD(struct sample, trimmed, .max_chars = 3),
	FIELD(struct sample, needed, .flags = FIELD_NOT_EMPTY | FIELD_REQUIRED, .max_chars = 3),
	FIELD(struct sample, bytes, .flags = FIELD_NOT_EMPTY | FIELD_ON_PAGE, .max_bytes = 3),
	FIELD_KEPT("kept"),
	FIELD(struct sample, is_on, .flags = FIELD_ON_PAGE),
};

/* The message at a field after the check; NULL: there is none. */
static const char *message_at(struct sample *sample, struct field_set sent, const char *field)
{
	struct violations violations;
	violations_init(&violations, &arena);
	fields_check_texts(FIELDS(sample_rows), sample, sent, &arena, &violations);
	for (const struct violation *row = violations.first; row; row = row->next)
		if (strcmp(row->field, field) == 0)
			return row->message;
	return NULL;
}

static void texts_are_brought_into_their_stored_form(void **state)
{
	(void)state;
	struct sample sample = { .exact = " a ",
				 .trimmed = " \xc3\xa4\xc3\xb6\xc3\xbc\t",
				 .needed = "x",
				 .bytes = " abc " };
	assert_null(message_at(&sample, FIELD_SET_NONE, "trimmed"));
	assert_string_equal(sample.exact, " a ");
	assert_string_equal(sample.trimmed, "\xc3\xa4\xc3\xb6\xc3\xbc");
	assert_string_equal(sample.bytes, "abc");
	sample.trimmed = "\n";
	assert_null(message_at(&sample, FIELD_SET_ALL, "trimmed"));
	assert_null(sample.trimmed);
}

static void texts_that_a_row_does_not_allow_are_violations(void **state)
{
	(void)state;
	const char *few = "The needed field must have 1 to 3 characters.";
	struct sample sample = { .trimmed = "abcd", .exact = "\xff", .bytes = "\xc3\xa4\xc3\xb6" };
	assert_string_equal(message_at(&sample, FIELD_SET_NONE, "trimmed"),
			    "The trimmed field must have at most 3 characters.");
	assert_string_equal(message_at(&sample, FIELD_SET_NONE, "exact"),
			    "The exact field must be valid UTF-8 text without NUL bytes.");
	assert_string_equal(message_at(&sample, FIELD_SET_NONE, "bytes"),
			    "The bytes field must have 1 to 3 bytes.");
	/* A required text is missing; another one may be, unless it was sent. */
	assert_string_equal(message_at(&sample, FIELD_SET_NONE, "needed"), few);
	sample = (struct sample){ .needed = " " };
	assert_string_equal(message_at(&sample, FIELD_SET_NONE, "needed"), few);
	assert_null(message_at(&sample, FIELD_SET_NONE, "bytes"));
	assert_non_null(message_at(&sample, FIELD_SET(3), "bytes"));
	sample.bytes = "";
	assert_non_null(message_at(&sample, FIELD_SET_NONE, "bytes"));
}

static void rows_tell_what_pages_show(void **state)
{
	(void)state;
	assert_true(field_set_equals(FIELD_SET(5),
				     fields_on_page(FIELDS(sample_rows), FIELD_SET(5, 0))));
	assert_true(field_set_is_empty(fields_on_page(FIELDS(sample_rows), FIELD_SET(0, 4))));
	assert_true(field_set_equals(FIELD_SET(MONITOR_FIELD_name, MONITOR_FIELD_group,
					       MONITOR_FIELD_description, MONITOR_FIELD_position,
					       MONITOR_FIELD_known_since),
				     fields_on_page(monitor_update_fields, FIELD_SET_ALL)));
}

static void sets_have_places_in_each_word(void **state)
{
	(void)state;
	static const size_t last = FIELD_SET_MAX - 1;
	struct field_set set = FIELD_SET(1, 64, last);
	assert_true(field_set_has(set, 1) && field_set_has(set, 64) && field_set_has(set, last));
	assert_false(field_set_has(set, 0) || field_set_has(set, 65) || field_set_has(set, 128));
	assert_true(field_set_equals(FIELD_SET(64), field_set_and(set, FIELD_SET(0, 64))));
	assert_true(field_set_equals(set, field_set_or(FIELD_SET(1, 64), FIELD_SET(64, last))));
	assert_true(field_set_equals(FIELD_SET(last), field_set_without(set, FIELD_SET(1, 64))));
	assert_true(field_set_is_empty(field_set_without(set, FIELD_SET_ALL)));
	field_set_remove(&set, 1);
	field_set_remove(&set, 64);
	assert_false(field_set_is_empty(set));
	field_set_remove(&set, last);
	assert_true(field_set_is_empty(set) && field_set_equals(set, FIELD_SET_NONE));
}

struct inner {
	const char *key, *value;
	struct id_list ids;
};
struct outer {
	struct inner object;
	struct field_rows rows;
};
static const struct field inner_rows[] = {
	FIELD(struct inner, key, .flags = FIELD_NOT_EMPTY | FIELD_REQUIRED, .max_chars = 3),
	FIELD(struct inner, value, .max_bytes = 3),
	FIELD(struct inner, ids, .max = 2),
};
static const struct fields inner_fields = FIELDS(inner_rows);
static const struct field outer_rows[] = {
	FIELD(struct outer, object, FIELD_MEMBERS(struct inner, &inner_fields)),
	FIELD(struct outer, rows, FIELD_MEMBERS(struct inner, &inner_fields), .max = 3),
};

static void texts_of_rows_and_objects_are_checked(void **state)
{
	(void)state;
	struct violations violations;
	struct inner rows[] = { { .key = " a " }, { .key = "a", .value = "long" }, { 0 } };
	struct outer outer = { .rows = { rows, ARRAY_LEN(rows) } };
	violations_init(&violations, &arena);
	fields_check_texts(FIELDS(outer_rows), &outer, FIELD_SET_NONE, &arena, &violations);
	assert_int_equal(2, violations.count);
	assert_string_equal("The rows.1.value field must have at most 3 bytes.",
			    violations.first->message);
	assert_string_equal("rows.2.key", violations.last->field);
	assert_string_equal("a", rows[0].key);
	/* An object that was not sent needs no members. */
	fields_check_texts(FIELDS(outer_rows), &outer, FIELD_SET(0), &arena, &violations);
	assert_int_equal(3, violations.count);
	assert_string_equal("object.key", violations.last->field);
}

static void rows_and_objects_are_compared(void **state)
{
	(void)state;
	int64_t ids[] = { 1, 2 };
	struct inner rows[] = { { "a", NULL, { 0 } }, { "b", "1", { ids, 2 } } };
	struct inner same[] = { { "a", NULL, { 0 } }, { "b", "1", { ids, 2 } } };
	struct inner other[] = { { "a", NULL, { 0 } }, { "b", "1", { ids, 1 } } };
	const struct outer one = { { "k", "v", { 0 } }, { rows, 2 } };
	const struct {
		struct outer outer;
		struct field_set differing;
	} table[] = {
		{ { { "k", "v", { 0 } }, { same, 2 } }, FIELD_SET_NONE },
		{ { { "k", "v", { 0 } }, { other, 2 } }, FIELD_SET(1) },
		{ { { "k", "v", { 0 } }, { same, 1 } }, FIELD_SET(1) },
		{ { { "k", "v", { 0 } }, { NULL, 0 } }, FIELD_SET(1) },
		{ { { "k", "w", { 0 } }, { same, 2 } }, FIELD_SET(0) },
		{ { { "k", NULL, { ids, 1 } }, { same + 1, 1 } }, FIELD_SET(0, 1) },
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		assert_true(field_set_equals(table[i].differing,
					     fields_differing(FIELDS(outer_rows), FIELD_SET_ALL,
							      FIELDS(outer_rows), &one,
							      &table[i].outer)));
}

/* The number of violations of a monitor that is valid but for the input. */
static size_t monitor_violations(struct monitor_input input)
{
	struct violations violations;
	violations_init(&violations, &arena);
	if (!input.name)
		input.name = "Web";
	if (!input.url)
		input.url = "https://example.org/";
	monitor_check(&input, monitor_create_fields, FIELD_SET_NONE, (struct instant){ 1000 },
		      &arena, &violations);
	struct monitor monitor = monitor_new(1, (struct instant){ 1000 });
	monitor_merge(&monitor, &input, FIELD_SET(MONITOR_FIELD_url));
	monitor_check_settings(&monitor, &violations);
	return violations.count;
}

static void a_label_is_name_and_value(void **state)
{
	(void)state;
	static const char *const right[] = { "instance=web1:9100", " a=b ", "a=b=c", "" };
	static const char *const wrong[] = { "a", "=b", "a=" };
	for (size_t i = 0; i < ARRAY_LEN(right); i++)
		assert_int_equal(0,
				 monitor_violations((struct monitor_input){ .label = right[i] }));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_int_equal(1,
				 monitor_violations((struct monitor_input){ .label = wrong[i] }));
}

static void a_monitor_has_a_name_an_address_and_a_past(void **state)
{
	(void)state;
	assert_int_equal(0, monitor_violations((struct monitor_input){ .name = "7" }));
	assert_int_equal(1, monitor_violations((struct monitor_input){ .name = " " }));
	assert_int_equal(1, monitor_violations((struct monitor_input){ .url = "ftp://a.test/" }));
	assert_int_equal(
		1, monitor_violations((struct monitor_input){ .url = "https://a.test/\xff" }));
	assert_int_equal(0, monitor_violations((struct monitor_input){ .known_since = { 1000 } }));
	assert_int_equal(1, monitor_violations((struct monitor_input){ .known_since = { 1001 } }));
}

static void check_state(struct monitor monitor, const char *state, int64_t since)
{
	monitor_derive_state(&monitor);
	assert_string_equal(monitor.state, state);
	assert_int_equal(monitor.state_since.s, since);
}

static void the_state_of_a_monitor_follows_from_its_times(void **state)
{
	(void)state;
	check_state((struct monitor){ .last_ended_at = { 9 } }, "no_data", 0);
	check_state((struct monitor){ .known_since = { 5 } }, "up", 5);
	check_state((struct monitor){ .known_since = { 5 }, .last_ended_at = { 9 } }, "up", 9);
	check_state((struct monitor){ .known_since = { 5 }, .is_paused = true, .paused_at = { 7 } },
		    "paused", 7);
	check_state(
		(struct monitor){ .is_paused = true, .paused_at = { 7 }, .last_ended_at = { 9 } },
		"paused", 9);
	check_state((struct monitor){ .known_since = { 5 },
				      .is_paused = true,
				      .paused_at = { 7 },
				      .open_since = { 6 },
				      .last_ended_at = { 8 } },
		    "down", 6);
	check_state((struct monitor){ .is_paused = true,
				      .paused_at = { 7 },
				      .open_since = { 6 },
				      .retired_at = { 10 } },
		    "retired", 10);
}

static void a_position_is_a_number_within_its_bounds(void **state)
{
	(void)state;
	assert_int_equal(0, monitor_violations((struct monitor_input){ .position = 0 }));
	assert_int_equal(
		0, monitor_violations((struct monitor_input){ .position = MONITOR_POSITION_MAX }));
	assert_int_equal(1, monitor_violations((struct monitor_input){ .position = -1 }));
	assert_int_equal(1, monitor_violations((struct monitor_input){
				    .position = (int64_t)MONITOR_POSITION_MAX + 1 }));
}

static void a_pause_keeps_the_time_of_its_beginning(void **state)
{
	(void)state;
	struct monitor monitor = { .is_paused = true };
	monitor_settle_pause(&monitor, (struct instant){ 3 });
	assert_int_equal(monitor.paused_at.s, 3);
	monitor_settle_pause(&monitor, (struct instant){ 4 });
	assert_int_equal(monitor.paused_at.s, 3);
	monitor.is_paused = false;
	monitor_settle_pause(&monitor, (struct instant){ 5 });
	assert_int_equal(monitor.paused_at.s, 0);
}

static void the_name_of_an_account_is_no_number(void **state)
{
	(void)state;
	static const struct {
		const char *given, *stored; /* NULL: refused */
	} rows[] = {
		{ "Demo", "Demo" }, { " Demo", "Demo" }, { "7a", "7a" }, { "7", NULL },
		{ " 7 ", NULL },    { "-7", NULL },	 { "", NULL },	 { NULL, NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct violations violations;
		struct account_input input = { .name = rows[i].given };
		violations_init(&violations, &arena);
		account_check(&input, &arena, &violations);
		assert_int_equal(!rows[i].stored, violations.count);
		if (rows[i].stored)
			assert_string_equal(rows[i].stored, input.name);
	}
}

static void a_key_may_have_a_label(void **state)
{
	(void)state;
	struct violations violations;
	struct key_input input = { .label = " deploy " }, none = { 0 }, empty = { .label = "" };
	violations_init(&violations, &arena);
	key_check(&input, key_create_fields, FIELD_SET_NONE, (struct instant){ 100 }, &arena,
		  &violations);
	key_check(&none, key_create_fields, FIELD_SET_NONE, (struct instant){ 100 }, &arena,
		  &violations);
	assert_int_equal(0, violations.count);
	assert_string_equal("deploy", input.label);
	assert_string_equal("", none.label);
	key_check(&empty, key_create_fields, FIELD_SET_NONE, (struct instant){ 100 }, &arena,
		  &violations);
	assert_int_equal(1, violations.count);
}

static void a_key_ends_in_the_future(void **state)
{
	(void)state;
	const int64_t ends[] = { 101, 100, 99 };
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct violations violations;
		struct key_input input = { .expires_at = { ends[i] } };
		violations_init(&violations, &arena);
		key_check(&input, key_create_fields, FIELD_SET_NONE, (struct instant){ 100 },
			  &arena, &violations);
		assert_int_equal(ends[i] <= 100, violations_has(&violations, "expires_at"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_brought_into_their_stored_form),
		cmocka_unit_test(texts_that_a_row_does_not_allow_are_violations),
		cmocka_unit_test(rows_tell_what_pages_show),
		cmocka_unit_test(sets_have_places_in_each_word),
		cmocka_unit_test(texts_of_rows_and_objects_are_checked),
		cmocka_unit_test(rows_and_objects_are_compared),
		cmocka_unit_test(a_label_is_name_and_value),
		cmocka_unit_test(a_monitor_has_a_name_an_address_and_a_past),
		cmocka_unit_test(the_state_of_a_monitor_follows_from_its_times),
		cmocka_unit_test(a_position_is_a_number_within_its_bounds),
		cmocka_unit_test(a_pause_keeps_the_time_of_its_beginning),
		cmocka_unit_test(the_name_of_an_account_is_no_number),
		cmocka_unit_test(a_key_may_have_a_label),
		cmocka_unit_test(a_key_ends_in_the_future),
	};
	return RUN_WITH_ARENA(tests);
}
