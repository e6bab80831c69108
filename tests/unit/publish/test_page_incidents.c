/* Which incidents have a file, and how the page of any incident is found by the files of months. */
#include "unit/lib/unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/page/page_incidents.h"
#include "publish/page/pages_batch.h"
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
			name = page_own_month_file(PAGE_OF_INCIDENT, snapshot->months[i].name,
						   &arena);
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
	assert_int_equal(OK, page_incidents_find(&reader, PAGES_PUBLIC, FOLDER,
						 (struct page_own_id){ PAGE_OF_INCIDENT, id },
						 &arena, found, &error));
	char *text = found->len > 0 ? arena_alloc(&arena, found->len + 1) : NULL;
	if (text)
		assert_int_equal(found->len, pread(found->fd, text, found->len, found->from));
	close_fd(&found->fd);
	return text;
}

static struct page_incident incident_of(int64_t id, const char *comment)
{
	return (struct page_incident){ .row = { .id = id,
						.monitor_name = "web",
						.cause = "",
						.comment = comment,
						.started_at = { 1795176000 + id },
						.ended_at = { 1795176100 + id } } };
}

static void each_incident_of_a_month_is_found(void **state)
{
	(void)state;
	struct page_incident november[] = { incident_of(40, NULL), incident_of(31, "A disk."),
					    incident_of(30, NULL) };
	struct page_incident september[] = { incident_of(35, "Imported later."),
					     incident_of(3, NULL) };
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
	struct page_incident november[] = { incident_of(90, NULL), incident_of(80, NULL) };
	struct page_incident october[] = { incident_of(50, NULL) };
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

static struct page_maintenance window_of(int64_t id, const char *title)
{
	return (struct page_maintenance){ .id = id,
					  .title = title,
					  .status = PHASE_COMPLETED,
					  .starts_at = { 1795176000 },
					  .ends_at = { 1795179600 } };
}

static void put_text(struct pages_batch *batch, const char *name, const struct buf *text)
{
	const struct str data = { text->data, text->len };
	assert_true(buf_ok(text));
	assert_int_equal(OK, pages_batch_add(batch, name, data, NULL, &error));
}

/* Writes the files of the current windows, of a month's, and the list of months. */
static void put_windows(const struct page_snapshot *snapshot)
{
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	struct buf current CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	struct buf month CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	struct buf months CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	assert_int_equal(OK,
			 pages_batch_open(&batch, &dir, PAGES_PUBLIC, "windows", &arena, &error));
	page_maintenances_current(&current, snapshot, &arena);
	put_text(&batch, "current.maintenance", &current);
	page_maintenances_month(&month, snapshot, &snapshot->months[0], &arena);
	put_text(&batch, "2026-09.maintenance", &month);
	page_incidents_months(&months, snapshot);
	put_text(&batch, PAGE_INCIDENT_MONTHS_FILE, &months);
	assert_int_equal(OK, pages_batch_sync(&batch, &error));
	assert_int_equal(OK, pages_batch_commit(&batch, &error));
}

static const char *find_window(int64_t id)
{
	struct page_incident_place found;
	const struct page_own_id own = { PAGE_OF_MAINTENANCE, id };
	assert_int_equal(OK, page_incidents_find(&reader, PAGES_PUBLIC, "windows", own, &arena,
						 &found, &error));
	char *text = found.len > 0 ? arena_alloc(&arena, found.len + 1) : NULL;
	if (text)
		assert_int_equal(found.len, pread(found.fd, text, found.len, found.from));
	close_fd(&found.fd);
	return text;
}

static void windows_are_found_among_the_current_ones_and_in_their_month(void **state)
{
	(void)state;
	struct page_maintenance rows[] = { window_of(9, "Ahead"), window_of(5, "Over") };
	struct page_maintenance withdrawn[] = { window_of(7, "Cancelled"), window_of(8, "Gone") };
	withdrawn[1].is_withdrawn = true;
	struct page_maintenance old = window_of(2, "Long ago");
	struct page_month month = { .name = "2026-09",
				    .maintenances = &old,
				    .maintenance_count = 1 };
	const struct page_snapshot snapshot = { .page.name = "Shop",
						.url = "/s/shop/",
						.maintenances = rows,
						.maintenance_count = 2,
						.withdrawn = withdrawn,
						.withdrawn_count = 2,
						.months = &month,
						.month_count = 1 };
	put_windows(&snapshot);
	assert_non_null(strstr(find_window(9), "Ahead"));
	assert_non_null(strstr(find_window(5), "Over"));
	assert_non_null(strstr(find_window(7), "Cancelled"));
	assert_null(find_window(8));
	assert_non_null(strstr(find_window(2), "Long ago"));
	assert_null(find_window(1));
}

static void newest_incidents_have_files_and_those_with_a_text(void **state)
{
	(void)state;
	enum { MANY = 500 };
	static struct page_incident newest[PAGE_NEWEST_MAX], recent[MANY];
	for (int i = 0; i < PAGE_NEWEST_MAX; i++)
		newest[i] = incident_of(1000 - i, NULL);
	for (int i = 0; i < MANY; i++)
		recent[i] = incident_of(1000 - i, i % 2 == 0 ? "A text." : NULL);
	recent[400].row.ended_at.s = recent[401].row.ended_at.s = 0;
	recent[401].row.comment = NULL;
	recent[403].row.title = "A title";
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
	assert_int_equal(600, choice.incidents[PAGE_NEWEST_MAX]->row.id);
	assert_int_equal(974, choice.incidents[PAGE_NEWEST_MAX + 1]->row.id);
	for (size_t i = PAGE_NEWEST_MAX; i < choice.count; i++)
		assert_true(page_incident_has_text(choice.incidents[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_incident_of_a_month_is_found),
		cmocka_unit_test(an_incident_that_its_month_leaves_out_leads_to_the_month),
		cmocka_unit_test(a_page_without_months_or_with_damaged_ones_has_no_incidents),
		cmocka_unit_test(windows_are_found_among_the_current_ones_and_in_their_month),
		cmocka_unit_test(newest_incidents_have_files_and_those_with_a_text),
	};
	return cmocka_run_group_tests(tests, start, end);
}
