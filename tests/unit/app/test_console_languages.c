/*
 * The console in all languages. With DAYMARK_POT=FILE the program also writes the template of the
 * translations, for msgmerge.
 */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/console/console_screens.h"
#include "app/routes.h"
#include "domain/monitor/check_settings.h"
#include "domain/event.h"
#include "domain/field_table.h"
#include "domain/account/key.h"
#include "domain/page/page_link.h"
#include "domain/page/status_page.h"
#include "service/resource/resource.h"
#include "view/console/console_value_html.h"

/* All English texts that are translated, each once. */
enum { TEXTS_MAX = 2048 };
static const char *texts[TEXTS_MAX];
static size_t text_count;

static bool is_text(const char *text)
{
	size_t i = 0;
	while (i < text_count && strcmp(texts[i], text) != 0)
		i++;
	return i < text_count;
}

static void add(const char *text)
{
	assert_true(text_count < TEXTS_MAX);
	if (!is_text(text))
		texts[text_count++] = text;
}

/* Names that are the same in all languages. */
static bool are_names(const char *const *choices)
{
	return choices == status_page_languages || choices == user_languages ||
	       choices == check_method_words || choices == check_dns_words ||
	       choices == check_operator_words;
}

static void add_fields(struct fields fields, const char *const *names);

static void add_field(const struct field *field)
{
	const struct console_view view = { .words = &console_words_english, .arena = &arena };
	add(console_label(&view, field));
	for (size_t i = 0; field->choices && field->choices[i] && !are_names(field->choices); i++)
		add(console_choice_text(&view, field, i));
	if (field->members)
		add_fields(*field->members, NULL);
}

/* The fields with these names that the table has; NULL: all that a client sends. */
static void add_fields(struct fields fields, const char *const *names)
{
	static const max_align_t nothing[256];
	for (size_t i = 0; !names && i < fields.count; i++)
		if (!(fields.rows[i].flags & (FIELD_READ_ONLY | FIELD_ACT)))
			add_field(&fields.rows[i]);
	for (; names && *names; names++) {
		const void *object = nothing;
		const struct field *field = console_find_field(&fields, *names, &object, &arena);
		if (field)
			add_field(field);
	}
}

/* The fields of a form, which has the explanations of the API. */
static void add_form(struct fields fields, const char *const *names)
{
	add_fields(fields, names);
	for (size_t i = 0; i < fields.count; i++) {
		const struct field *field = &fields.rows[i];
		bool is_shown = !names && !(field->flags & (FIELD_READ_ONLY | FIELD_ACT));
		for (size_t at = 0; names && names[at]; at++)
			is_shown |= strcmp(names[at], field->name) == 0;
		if (is_shown && console_help(field))
			add(console_help(field));
		if (is_shown && field->members)
			add_form(*field->members, NULL);
	}
}

static void add_screen(const struct console_screen *screen)
{
	const struct fields *const forms[] = { screen->create, screen->update };
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (forms[i])
			add_form(*forms[i], screen->has_only_first ? screen->first : NULL);
	if (screen->part_form.path)
		add_form(*screen->part_form.fields, screen->part_form.first);
	if (screen->filters)
		add_fields(*screen->query, screen->filters);
	const struct fields *shown = screen->shown ? screen->shown : screen->resource->shown;
	if (screen->columns)
		add_fields(*screen->resource->listed, screen->columns);
	for (size_t i = 0; screen->lists && screen->lists[i]; i++) {
		const struct field *list = fields_find(*shown, screen->lists[i]);
		add(console_label(
			&(struct console_view){ .words = &console_words_english, .arena = &arena },
			list));
		add_fields(*list->members, console_list_members(screen, list, &arena));
	}
	if (screen->facts)
		add_fields(*shown, screen->facts);
}

/* The words of console_event_text(). */
static void add_event(const char *kind)
{
	const struct console_view view = { .words = &console_words_english, .arena = &arena };
	const char *change = event_action(kind);
	add(console_word_text(&view, arena_strndup(&arena, kind, (size_t)(change - kind) - 1)));
	add(console_word_text(&view, change));
}

static void add_all(void)
{
	for (size_t i = 0; i < CONSOLE_SENTENCES; i++)
		add(console_sentences[i]);
	for (size_t i = 0; i < app_route_count; i++) {
		const struct app_route *route = &app_routes[i];
		const struct fields *fields = route->fields;
		if (!(route->route.flags & ROUTE_CONSOLE))
			continue;
		if (route->screen)
			add_screen(route->screen);
		for (size_t at = 0; fields && at < fields->count; at++)
			if (fields->rows[at].label)
				add_field(&fields->rows[at]);
	}
	add_fields(console_health_fields, NULL);
	for (size_t i = 0; event_kind_words[i]; i++)
		add_event(event_kind_words[i]);
	/* The responses that console_respond_result() shows. */
	add_fields(key_resource_fields, NULL);
	add_field(&(struct field){ .name = "key" });
	add_fields(page_link_created_fields, NULL);
}

static void write_template(const char *path)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n", file);
	for (size_t i = 0; i < text_count; i++) {
		fputs("\nmsgid \"", file);
		for (const char *c = texts[i]; *c; c++)
			fprintf(file, strchr("\"\\", *c) ? "\\%c" : "%c", *c);
		fputs("\"\nmsgstr \"\"\n", file);
	}
	assert_int_equal(fclose(file), 0);
}

/* The sentences are put as they are; the texts of fields are escaped. */
static bool is_sentence(const char *text)
{
	size_t i = 0;
	while (i < CONSOLE_SENTENCES && strcmp(console_sentences[i], text) != 0)
		i++;
	return i < CONSOLE_SENTENCES;
}

static size_t count_braces(const char *text)
{
	size_t count = 0;
	for (; *text; text++)
		count += *text == '{';
	return count;
}

/* Whether both texts name the same values. */
static bool has_same_values(const char *text, const char *other)
{
	bool is_same = count_braces(text) == count_braces(other);
	for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{'))
		is_same &= strstr(other, arena_strndup(&arena, at, strcspn(at, "}") + 1)) != NULL;
	return is_same;
}

static void each_language_has_each_text_with_its_values(void **state)
{
	const char *path = getenv("DAYMARK_POT");
	size_t problems = 0;
	(void)state;
	add_all();
	if (path)
		write_template(path);
	for (size_t l = 1; status_page_languages[l]; l++) {
		const char *language = status_page_languages[l];
		const struct console_words *words = console_words_of(language);
		assert_string_equal(words->language, language);
		for (size_t i = 0; i < text_count; i++) {
			const char *text = console_translation(words, texts[i]);
			const char *problem = !text ? "is missing"
					      : is_sentence(texts[i]) && strpbrk(text, "<>&\"")
						      ? "needs an escape"
					      : has_same_values(texts[i], text)
						      ? NULL
						      : "has other values";
			if (problem)
				print_error("%s: %s: %s\n", language, problem, texts[i]);
			problems += problem != NULL;
		}
		for (size_t i = 0; i < words->count; i++)
			if (!is_text(words->translations[i][0])) {
				print_error("%s: is not used: %s\n", language,
					    words->translations[i][0]);
				problems++;
			}
	}
	assert_int_equal(problems, 0);
}

/* People choose among the languages of pages, by the names that their speakers know. */
static void people_have_the_languages_of_pages(void **state)
{
	const struct console_view view = { .words = &console_words_english, .arena = &arena };
	const struct field *field = fields_find(user_preference_fields, "language");
	size_t i = 0;
	(void)state;
	for (; status_page_languages[i]; i++) {
		assert_string_equal(user_languages[i + 1], status_page_languages[i]);
		assert_string_not_equal(console_choice_text(&view, field, i + 1),
					status_page_languages[i]);
	}
	assert_null(user_languages[i + 1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_language_has_each_text_with_its_values),
		cmocka_unit_test(people_have_the_languages_of_pages),
	};
	return RUN_WITH_ARENA(tests);
}
