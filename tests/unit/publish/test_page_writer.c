/* The files of pages, in a temporary folder and without a database. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/secret.h"
#include "publish/folder/files_check.h"
#include "publish/page/page_incidents.h"
#include "publish/page/page_writer.h"
#include "view/page.h"

enum { PAGES = 3, NOW_S = 1795176000 };

static struct pages_dir dir;
static struct error error;
static const struct publish_order order = { .page_id = 1 };
static struct publisher publisher = { .arena = &arena, .is_follower = true };

static int start(void **state)
{
	secret_init();
	return folder_start(state) == 0 && pages_dir_open(&dir, test_folder, &error) == OK ? 0 : -1;
}

static int end(void **state)
{
	pages_dir_close(&dir);
	return folder_end(state);
}

/* A public page without monitors. */
static struct page_content content_of(int64_t id, const char *slug, const char *name)
{
	struct page_content content = { .is_row_read = true, .is_found = true };
	content.view.now = (struct instant){ NOW_S };
	content.view.page.id = id;
	content.view.page.slug = slug;
	content.view.page.name = name;
	content.view.page.revision = 1;
	content.view.page.created_at = content.view.page.updated_at = (struct instant){ NOW_S };
	page_snapshot_derive(&content.view, &arena);
	return content;
}

/* The files that the page's write did not keep. */
static size_t write_page(struct page_content *content)
{
	struct page_writing writing CLEANUP(page_writing_close) = PAGE_WRITING(&publisher, &order);
	struct page_writing *const writings[] = { &writing };
	struct page_state state;
	assert_int_equal(OK, page_state_read(&dir, content->view.page.id, &arena, &state, &error));
	assert_int_equal(OK, page_writing_open(&writing, &dir, content, &state, &error));
	assert_int_equal(OK, page_writings_sync(writings, 1, &error));
	assert_int_equal(OK, page_writing_commit(&writing, &error));
	return writing.output.written_count;
}

static void only_changed_files_are_written(void **state)
{
	(void)state;
	struct page_content content = content_of(1, "one", "One");
	size_t all = write_page(&content);
	assert_true(all >= 12);
	assert_int_equal(0, write_page(&content));
	/* Another moment alone changes nothing. */
	content.view.now.s += 60;
	assert_int_equal(0, write_page(&content));
	int fd = openat(dir.place_fds[PAGES_PUBLIC], "one", O_RDONLY | O_DIRECTORY);
	assert_int_equal(0, unlinkat(fd, "badge.svg", 0));
	assert_int_equal(1, write_page(&content));
	/* An old note, or one of an interrupted write, says nothing of the files. */
	assert_int_equal(0, renameat(dir.place_fds[PAGES_STATE], "1/page",
				     dir.place_fds[PAGES_STATE], "1/writing"));
	assert_int_equal(all, write_page(&content));
	/* At another address all files are new. */
	content.view.page.slug = "other";
	assert_int_equal(all, write_page(&content));
	close(fd);
}

/* The file of an incident is what page_incident() renders. */
static void check_incident_file(const struct page_content *content,
				const struct page_incident *incident)
{
	struct buf page CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	const char *text = NULL;
	page_incident(&page, &content->view, incident, &arena);
	assert_int_equal(OK, pages_dir_load(&dir, PAGES_PUBLIC, content->view.page.slug,
					    page_incident_file_name(incident->row.id, &arena),
					    PAGE_FILE_MAX_BYTES, &arena, &text, &error));
	assert_non_null(text);
	/* Empty lines tell it from the version that was written in the same second. */
	assert_memory_equal(page.data, text, page.len);
	assert_int_equal(strlen(text + page.len), strspn(text + page.len, "\n"));
}

/* Each change of what the page of a past incident shows reaches its file, and nothing else does. */
static void a_page_of_a_past_incident_is_written_when_it_changes(void **state)
{
	(void)state;
	struct posted_update update = { 4, PHASE_RESOLVED, "Mended", { NOW_S - 50 }, { 0 } };
	struct incident_monitor monitor = { .id = 9, .name = "Mail", .impact = 2 };
	struct page_incident past = { .row = { .id = 7,
					       .kind = INCIDENT_REPORTED,
					       .title = "Slow",
					       .monitor_name = "Mail",
					       .cause = "",
					       .started_at = { NOW_S - 900 },
					       .ended_at = { NOW_S - 60 },
					       .phase = PHASE_RESOLVED,
					       .impact = 2,
					       .monitors = &monitor,
					       .monitor_count = 1 } };
	struct page_incident inner = { .row = { .id = 8,
						.cause = "",
						.monitor_name = "Mail",
						.started_at = { NOW_S - 800 },
						.ended_at = { NOW_S - 700 },
						.monitor_id = 9 } };
	struct page_content content = content_of(5, "five", "Five");
	content.view.newest = &past;
	content.view.newest_count = 1;
	content.view.incidents = &inner;
	write_page(&content);
	for (int change = 0; change < 20; change++) {
		switch (change) {
		case 0:
			past.row.title = "Slower";
			break;
		case 1:
			past.row.comment = "A comment";
			break;
		case 2:
			past.row.started_at.s -= 7200;
			break;
		case 3:
			past.row.ended_at.s += 60;
			break;
		case 4:
			past.row.impact = 3;
			break;
		case 5:
			past.row.postmortem = "Why";
			break;
		case 6:
			past.row.exclude_from_uptime = true;
			break;
		case 7:
			monitor.impact = 1;
			break;
		case 8:
			monitor.name = "Web";
			break;
		case 9:
			past.updates = (struct posted_updates){ &update, 1 };
			break;
		case 10:
			update.body = "Mended for good";
			break;
		case 11:
			update.at.s -= 3600;
			break;
		case 12:
			update.edited_at.s = NOW_S - 40;
			break;
		case 13:
			update.phase = PHASE_MONITORING;
			break;
		case 14:
			content.view.page.name = "V";
			break;
		case 15:
			inner.inside = &past, content.view.incident_count = 1;
			break;
		case 16:
			inner.row.ended_at.s += 60;
			break;
		case 17:
			past.row.kind = INCIDENT_DETECTED, past.row.title = NULL;
			break;
		case 18:
			past.row.monitor_name = "Web";
			break;
		case 19:
			past.row.ended_at.s = 0;
			break;
		}
		assert_true(write_page(&content) > 0);
		check_incident_file(&content, &past);
		assert_int_equal(0, write_page(&content));
	}
}

static void several_pages_are_written_with_one_sync(void **state)
{
	(void)state;
	static const char *const slugs[PAGES] = { "a", "b", "c" };
	struct page_content contents[PAGES];
	struct page_writing writings[PAGES], *all[PAGES];
	struct page_state states[PAGES];
	for (size_t i = 0; i < PAGES; i++) {
		contents[i] = content_of(10 + (int64_t)i, slugs[i], "Several");
		writings[i] = PAGE_WRITING(&publisher, &order);
		writings[i].is_grouped = true;
		all[i] = &writings[i];
		assert_int_equal(
			OK, page_state_read(&dir, 10 + (int64_t)i, &arena, &states[i], &error));
		assert_int_equal(OK,
				 page_writing_open(all[i], &dir, &contents[i], &states[i], &error));
		assert_false(pages_dir_has(&dir, PAGES_PUBLIC, slugs[i], "index.html"));
	}
	assert_int_equal(OK, page_writings_sync(all, PAGES, &error));
	/* The last one fails before its commit. */
	for (size_t i = 0; i + 1 < PAGES; i++)
		assert_int_equal(OK, page_writing_commit(all[i], &error));
	for (size_t i = 0; i < PAGES; i++) {
		page_writing_close(all[i]);
		assert_int_equal(i + 1 < PAGES,
				 pages_dir_has(&dir, PAGES_PUBLIC, slugs[i], "index.html"));
	}
	struct pages_dir new = { .place_fds = { dir.new_fd } };
	struct pages_names left;
	assert_int_equal(OK, pages_dir_folders(&new, PAGES_PUBLIC, &arena, &left, &error));
	assert_int_equal(0, left.count);
	assert_int_equal(0, write_page(&contents[0]));
	assert_true(write_page(&contents[PAGES - 1]) > 0);
}

static void missing_files_are_found_in_a_bounded_number_of_pages(void **state)
{
	(void)state;
	static const char *const slugs[PAGES] = { "sound", "lacking", "locked" };
	struct pages_lock lock;
	struct pages_names folders = { 0 };
	for (int64_t i = 0; i < PAGES; i++) {
		struct page_content content = content_of(20 + i, slugs[i], "Checked");
		write_page(&content);
	}
	assert_int_equal(OK, pages_dir_folders(&dir, PAGES_STATE, &arena, &folders, &error));
	struct files_check check = { .pages_max = folders.count };
	assert_int_equal(OK, files_check(&dir, &check, &arena, &error));
	size_t damaged = check.damaged;
	assert_int_equal(folders.count, check.page_count);
	assert_int_equal(folders.count, check.checked);
	assert_int_equal(OK, pages_dir_remove(&dir, PAGES_PUBLIC, "lacking", &error));
	assert_int_equal(OK, files_check(&dir, &check, &arena, &error));
	assert_int_equal(damaged + 1, check.damaged);
	/* While a publisher writes the page, no file counts as missing. */
	assert_int_equal(OK, pages_dir_remove(&dir, PAGES_PUBLIC, "locked", &error));
	assert_int_equal(OK, pages_dir_lock_page(&dir, 22, &lock, &error));
	assert_int_equal(OK, files_check(&dir, &check, &arena, &error));
	assert_int_equal(damaged + 1, check.damaged);
	pages_dir_unlock(&lock);
	assert_int_equal(OK, files_check(&dir, &check, &arena, &error));
	assert_int_equal(damaged + 2, check.damaged);
	assert_non_null(check.first);
	check.pages_max = 2;
	assert_int_equal(OK, files_check(&dir, &check, &arena, &error));
	assert_int_equal(2, check.checked);
	assert_int_equal(folders.count, check.page_count);
}

/* A note that a loss of power has cut is not taken for a page with fewer files. */
static void a_note_that_was_cut_is_broken(void **state)
{
	static const char note[] =
		"7 1795176000 acme acme.example\nepoch 1\nplace 0\n"
		"file index.html 3f 12-34 -\nfile logo.png 4a 12-35 - 1795176300\n";
	struct page_state page;
	(void)state;
	page_state_parse(note, true, &arena, &page);
	assert_true(page.is_known && page.is_whole && !page.is_broken);
	assert_int_equal(2, page.file_count);
	assert_int_equal(1795176300, page.files[1].kept_until.s);
	assert_string_equal("acme.example", page.domain);
	for (size_t len = 0; len < sizeof(note) - 1; len++) {
		const char *cut = arena_strndup(&arena, note, len);
		bool is_line = len > 0 && note[len - 1] == '\n';
		page_state_parse(cut, true, &arena, &page);
		assert_int_equal(is_line, !page.is_broken);
	}
	page_state_parse("7 0 acme \nepoch 1\nplace 99\n", true, &arena, &page);
	assert_true(page.is_broken);
	page_state_parse("7 0 acme \nepoch 1\nplace 2\ncolour red\n", true, &arena, &page);
	assert_true(page.is_known);
	assert_null(page.domain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_note_that_was_cut_is_broken),
		cmocka_unit_test(only_changed_files_are_written),
		cmocka_unit_test(a_page_of_a_past_incident_is_written_when_it_changes),
		cmocka_unit_test(several_pages_are_written_with_one_sync),
		cmocka_unit_test(missing_files_are_found_in_a_bounded_number_of_pages),
	};
	return cmocka_run_group_tests(tests, start, end);
}
