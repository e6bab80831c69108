/* Files that a page named a moment ago: how long they stay, and when they go at once. */
#include "integration/lib/pages.h"

#include <stdio.h>

#include "publish/page/page_output.h"
#include "publish/publish.h"
#include "view/page.h"

static int64_t page;
static struct instant now;

/* A page "p" with a domain. */
static int replaced_start(void **state)
{
	pages_clear(state);
	now = at(5, 10);
	page = add_page(add_account("one"), "p");
	execute("UPDATE status_pages SET domain = 'p.test', password_hash = 'a'");
	return 0;
}

#define REPLACED_TEST(function) cmocka_unit_test_setup(function, replaced_start)

static struct publisher publisher_now(void)
{
	struct publisher all = publisher();
	all.now = now;
	return all;
}

static void publish_now(void)
{
	const struct publisher all = publisher_now();
	assert_ok(publish_page(&all, &(struct publish_order){ .page_id = page }, &error));
}

/* Gives the page a style, and publishes it. Returns the style's name. */
static const char *style(const char *css)
{
	execute("UPDATE status_pages SET custom_css = '%s'", css);
	publish_now();
	return page_custom_name(&arena, css, "css");
}

/* How many files of that name the pages folder has, wherever. */
static int copies(const char *name)
{
	FILE *found =
		popen(arena_printf(&arena, "find %s -name '%s' | wc -l", pages_folder, name), "r");
	int count = -1;
	assert_non_null(found);
	assert_int_equal(1, fscanf(found, "%d", &count));
	pclose(found);
	return count;
}

enum { AT_SLUG_AND_DOMAIN = 2 };

/* Publishes what is due, as the worker does. */
static void work(void)
{
	struct publisher all = publisher_now();
	struct publish_run run = { 0 };
	assert_ok(publish_run(&all, &run, &error));
}

static void a_replaced_style_stays_for_five_minutes(void **state)
{
	(void)state;
	const char *first = style("a{}");
	now.s += 10;
	const char *second = style("b{}");
	assert_int_equal(AT_SLUG_AND_DOMAIN, copies(first));
	assert_int_equal(AT_SLUG_AND_DOMAIN, copies(second));
	assert_rows("300", "SELECT TIMESTAMPDIFF(SECOND, '2026-03-05 10:00:10', next_change_at) "
			   "FROM page_revisions");
	/* Other publishes and a third style do not prolong it. */
	now.s += 100;
	publish_now();
	const char *third = style("c{}");
	now.s += 199;
	work();
	assert_int_equal(AT_SLUG_AND_DOMAIN, copies(first));
	now.s++;
	work();
	assert_int_equal(0, copies(first));
	assert_int_equal(AT_SLUG_AND_DOMAIN, copies(second));
	now.s += 100;
	work();
	assert_int_equal(0, copies(second));
	assert_int_equal(AT_SLUG_AND_DOMAIN, copies(third));
	assert_rows("1", "SELECT next_change_at > '2026-03-05 23:00:00' FROM page_revisions");
}

static void a_style_that_comes_back_is_the_page_s_own_again(void **state)
{
	(void)state;
	const char *first = style("a{}");
	style("b{}");
	style("a{}");
	now.s += 1000;
	work();
	assert_int_equal(AT_SLUG_AND_DOMAIN, copies(first));
	assert_int_equal(AT_SLUG_AND_DOMAIN, copies("custom-*"));
}

static void after_a_clock_was_set_back_the_next_publish_removes_it(void **state)
{
	(void)state;
	const char *first = style("a{}");
	style("b{}");
	now.s -= 3600;
	publish_now();
	assert_int_equal(0, copies(first));
}

static void it_goes_at_once_where_it_must_not_be_seen(void **state)
{
	static const char *const changes[] = {
		"UPDATE status_pages SET privacy = 1",
		"UPDATE status_pages SET privacy = 2",
		"UPDATE status_pages SET noindex = 1",
		"UPDATE status_pages SET slug = 'q'",
		"UPDATE status_pages SET domain = 'q.test'",
		"UPDATE status_pages SET domain = NULL",
		"UPDATE status_pages SET custom_css = NULL",
		"DELETE FROM status_pages",
	};
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		replaced_start(state);
		const char *first = style("a{}");
		style("b{}");
		assert_int_equal(AT_SLUG_AND_DOMAIN, copies(first));
		execute("%s", changes[i]);
		publish_now();
		if (copies(first) != 0)
			fail_msg("still there: %s", changes[i]);
	}
}

static void behind_a_gate_it_stays_until_other_visitors_are_admitted(void **state)
{
	static const char *const changes[] = {
		"UPDATE status_pages SET privacy = 1",
		"UPDATE status_pages SET privacy = 0",
		"UPDATE status_pages SET password_hash = 'b'",
	};
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		replaced_start(state);
		execute("UPDATE status_pages SET privacy = 2");
		const char *first = style("a{}");
		style("b{}");
		assert_int_equal(1, copies(first));
		execute("%s", changes[i]);
		publish_now();
		if (copies(first) != 0)
			fail_msg("still there: %s", changes[i]);
	}
}

static void few_are_kept_however_often_a_page_changes(void **state)
{
	enum { CHANGES = 60 };
	(void)state;
	const char *last = "";
	for (int i = 0; i < CHANGES; i++) {
		last = style(arena_printf(&arena, "a%d{}", i));
		now.s += 4;
	}
	/* The newest of them. */
	assert_int_equal(AT_SLUG_AND_DOMAIN * (PAGE_OUTPUT_REPLACED_MAX + 1), copies("custom-*"));
	assert_int_equal(AT_SLUG_AND_DOMAIN, copies(last));
	assert_int_equal(
		AT_SLUG_AND_DOMAIN,
		copies(page_custom_name(
			&arena,
			arena_printf(&arena, "a%d{}", CHANGES - 1 - PAGE_OUTPUT_REPLACED_MAX),
			"css")));
}

static void publish_logo(int number)
{
	enum { LOGO_BYTES = 1 << 20 };
	static char data[LOGO_BYTES];
	const char *name = arena_printf(&arena, "logo-%012x.%s", (unsigned)number,
					number % 2 == 0 ? "png" : "webp");
	const struct page_file logo = { .name = name, .data = data, .len = sizeof(data) };
	struct publisher all = publisher_now();
	const struct publish_order order = { .page_id = page,
					     .at_hand = &logo,
					     .at_hand_count = 1 };
	execute("UPDATE status_pages SET logo_file = '%s'", name);
	assert_ok(publish_page(&all, &order, &error));
}

static void their_bytes_are_bounded_and_a_removed_picture_takes_all_with_it(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++)
		publish_logo(i);
	assert_int_equal(AT_SLUG_AND_DOMAIN * (4 + 1), copies("logo-*"));
	execute("UPDATE status_pages SET logo_file = NULL");
	publish_now();
	assert_int_equal(0, copies("logo-*"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		REPLACED_TEST(a_replaced_style_stays_for_five_minutes),
		REPLACED_TEST(a_style_that_comes_back_is_the_page_s_own_again),
		REPLACED_TEST(after_a_clock_was_set_back_the_next_publish_removes_it),
		REPLACED_TEST(it_goes_at_once_where_it_must_not_be_seen),
		REPLACED_TEST(behind_a_gate_it_stays_until_other_visitors_are_admitted),
		REPLACED_TEST(few_are_kept_however_often_a_page_changes),
		REPLACED_TEST(their_bytes_are_bounded_and_a_removed_picture_takes_all_with_it),
	};
	return RUN_ON_DATABASE(tests);
}
