/* Which incidents have a file, and how the page of any incident is found by the files of months. */
#include "unit/lib/unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/page_incidents.h"
#include "publish/pages_batch.h"
#include "view/page.h"

#define FOLDER "shop"

static char path[] = "/tmp/daymark-incidents-XXXXXX";
static struct pages_dir dir;
static struct pages_reader reader;
static struct error error;

static int start(void **state)
{
	arena_start(state);
	return mkdtemp(path) && pages_dir_open(&dir, path, &error) == OK &&
			       pages_reader_open(&reader, path, &error) == OK
		       ? 0
		       : -1;
}

static int remove_one(const char *name, const struct stat *status, int kind, struct FTW *ftw)
{
	(void)status;
	(void)kind;
	(void)ftw;
	return remove(name);
}

static int end(void **state)
{
	pages_reader_close(&reader);
	pages_dir_close(&dir);
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return arena_end(state);
}

/* Publishes the months' files, and nothing else. */
static void put_months(const struct page_snapshot *snapshot)
{
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	assert_int_equal(OK, pages_batch_open(&batch, &dir, PAGES_PUBLIC, FOLDER, &arena, &error));
	for (size_t i = 0; i <= snapshot->month_count; i++) {
		struct buf text CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
		const char *name = PAGE_INCIDENT_MONTHS_FILE;
		if (i == snapshot->month_count) {
			page_incidents_months(&text, snapshot);
		} else {
			name = page_incidents_month_file(snapshot->months[i].name, &arena);
			page_incidents_month(&text, snapshot, &snapshot->months[i], &arena);
		}
		const struct str data = { text.data, text.len };
		assert_true(buf_ok(&text));
		assert_int_equal(OK, pages_batch_add(&batch, name, data, NULL, &error));
	}
	assert_int_equal(OK, pages_batch_sync(&batch, &error));
	assert_int_equal(OK, pages_batch_commit(&batch, &error));
}

/* The page's bytes; NULL: the incident has none. The place is in *found. */
static const char *find(int64_t id, struct page_incident_place *found)
{
	assert_int_equal(
		OK, page_incidents_find(&reader, PAGES_PUBLIC, FOLDER, id, &arena, found, &error));
	char *text = found->len > 0 ? arena_alloc(&arena, found->len + 1) : NULL;
	if (text)
		assert_int_equal(found->len, pread(found->fd, text, found->len, found->from));
	close_fd(&found->fd);
	return text;
}

static struct incident incident_of(int64_t id, const char *comment)
{
	return (struct incident){ .id = id,
				  .monitor_name = "web",
				  .cause = "",
				  .comment = comment,
				  .started_at = { 1795176000 + id },
				  .ended_at = { 1795176100 + id } };
}

static void each_incident_of_a_month_is_found(void **state)
{
	(void)state;
	struct incident november[] = { incident_of(40, NULL), incident_of(31, "A disk."),
				       incident_of(30, NULL) };
	struct incident september[] = { incident_of(35, "Imported later."), incident_of(3, NULL) };
	struct page_month months[] = {
		{ .name = "2026-11", .incidents = november, .incident_count = 3, .total = 3 },
		{ .name = "2026-10" },
		{ .name = "2026-09", .incidents = september, .incident_count = 2, .total = 2 },
	};
	const struct page_snapshot snapshot = {
		.page.name = "Shop", .url = "/s/shop/", .months = months, .month_count = 3
	};
	struct page_incident_place found;
	put_months(&snapshot);
	const char *page = find(31, &found);
	assert_non_null(page);
	assert_non_null(strstr(page, "<!DOCTYPE html>"));
	assert_non_null(strstr(page, "A disk."));
	assert_null(strstr(page, "Imported"));
	assert_non_null(strstr(page, "</html>\n"));
	assert_non_null(strstr(find(35, &found), "Imported later."));
	assert_string_equal("2026-09", found.month);
	for (int i = 0; i < 3; i++) {
		static const int64_t silent[] = { 40, 30, 3 };
		static const char *const names[] = { "2026-11", "2026-11", "2026-09" };
		assert_null(find(silent[i], &found));
		assert_string_equal(names[i], found.month);
		assert_true(found.is_in_month);
	}
	static const int64_t unknown[] = { 1, 2, 4, 32, 34, 36, 39, 41, INT64_MAX };
	for (size_t i = 0; i < ARRAY_LEN(unknown); i++) {
		assert_null(find(unknown[i], &found));
		assert_null(found.month);
	}
}

static void an_incident_that_its_month_leaves_out_leads_to_the_month(void **state)
{
	(void)state;
	struct incident november[] = { incident_of(90, NULL), incident_of(80, NULL) };
	struct incident october[] = { incident_of(50, NULL) };
	struct page_month months[] = {
		{ .name = "2026-11", .incidents = november, .incident_count = 2, .total = 5 },
		{ .name = "2026-10", .incidents = october, .incident_count = 1, .total = 1 },
	};
	struct page_snapshot snapshot = {
		.page.name = "Shop", .url = "/s/shop/", .months = months, .month_count = 2
	};
	struct page_incident_place found;
	put_months(&snapshot);
	assert_null(find(70, &found));
	assert_string_equal("2026-11", found.month);
	assert_false(found.is_in_month);
	assert_null(find(50, &found));
	assert_string_equal("2026-10", found.month);
	assert_true(found.is_in_month);
	/* Not of November: October has no more than it shows. */
	assert_null(find(49, &found));
	assert_null(found.month);
	assert_null(find(85, &found));
	assert_null(found.month);
	/* The oldest month may have left out any older one. */
	snapshot.month_count = 1;
	put_months(&snapshot);
	assert_null(find(1, &found));
	assert_string_equal("2026-11", found.month);
}

static void a_page_without_months_or_with_damaged_ones_has_no_incidents(void **state)
{
	(void)state;
	struct page_incident_place found;
	const struct page_snapshot none = { .page.name = "Shop", .url = "/s/shop/" };
	put_months(&none);
	assert_null(find(1, &found));
	assert_null(found.month);
	assert_int_equal(OK, pages_dir_put(&dir, PAGES_PUBLIC, FOLDER, PAGE_INCIDENT_MONTHS_FILE,
					   STR("2026-11\n../../x\n"), &arena, &error));
	assert_null(find(1, &found));
	assert_null(found.month);
}

static void newest_incidents_have_files_and_those_with_a_text(void **state)
{
	(void)state;
	enum { MANY = 500 };
	static struct incident newest[PAGE_NEWEST_MAX], recent[MANY];
	for (int i = 0; i < PAGE_NEWEST_MAX; i++)
		newest[i] = incident_of(1000 - i, NULL);
	for (int i = 0; i < MANY; i++)
		recent[i] = incident_of(1000 - i, i % 2 == 0 ? "A text." : NULL);
	recent[400].ended_at.s = recent[401].ended_at.s = 0;
	recent[401].comment = NULL;
	recent[403].title = "A title";
	const struct page_snapshot snapshot = { .newest = newest,
						.newest_count = PAGE_NEWEST_MAX,
						.incidents = recent,
						.incident_count = MANY };
	struct page_incident_choice choice;
	page_incidents_choose(&snapshot, &choice);
	assert_int_equal(PAGE_INCIDENT_FILES_MAX, choice.count);
	for (int i = 0; i < PAGE_NEWEST_MAX; i++)
		assert_ptr_equal(&newest[i], choice.incidents[i]);
	/* The open one with a text, then the recent ones with a text. */
	assert_int_equal(600, choice.incidents[PAGE_NEWEST_MAX]->id);
	assert_int_equal(974, choice.incidents[PAGE_NEWEST_MAX + 1]->id);
	for (size_t i = PAGE_NEWEST_MAX; i < choice.count; i++)
		assert_true(page_incident_has_text(choice.incidents[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_incident_of_a_month_is_found),
		cmocka_unit_test(an_incident_that_its_month_leaves_out_leads_to_the_month),
		cmocka_unit_test(a_page_without_months_or_with_damaged_ones_has_no_incidents),
		cmocka_unit_test(newest_incidents_have_files_and_those_with_a_text),
	};
	return cmocka_run_group_tests(tests, start, end);
}
