/* The pages folder, in a temporary folder. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "publish/page/pages_reader.h"
#include "publish/folder/boot.h"
#include "publish/folder/pages_dir.h"
#include "publish/page/page_output.h"
#include "publish/page/page_state.h"
#include "publish/page/pages_batch.h"
#include "view/words/words_file.h"

static struct pages_dir dir;
static struct error error;

static int start(void **state)
{
	return folder_start(state) == 0 && pages_dir_open(&dir, test_folder, &error) == OK ? 0 : -1;
}

static int end(void **state)
{
	pages_dir_close(&dir);
	return folder_end(state);
}

static const char *content(enum pages_place place, const char *folder, const char *name)
{
	const struct pages_reader reader = { dir.root_fd };
	const char *text;
	assert_int_equal(OK, pages_reader_text(&reader, place, folder, name, 1 << 16, &arena, &text,
					       &error));
	return text;
}

static void publish(const char *folder, const char *const *pairs)
{
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	assert_int_equal(OK, pages_batch_open(&batch, &dir, PAGES_PUBLIC, folder, &arena, &error));
	for (; pairs[0]; pairs += 2)
		assert_int_equal(
			OK, pages_batch_add(&batch, pairs[0], str_from(pairs[1]), NULL, &error));
	assert_int_equal(OK, pages_batch_sync(&batch, &error));
	assert_int_equal(OK, pages_batch_commit(&batch, &error));
}

static void a_batch_is_there_whole_and_takes_away_what_it_does_not_name(void **state)
{
	(void)state;
	publish("one", (const char *[]){ "a", "first", "b", "second", NULL });
	assert_string_equal("first", content(PAGES_PUBLIC, "one", "a"));
	publish("one", (const char *[]){ "b", "third", "c", "", NULL });
	assert_null(content(PAGES_PUBLIC, "one", "a"));
	assert_string_equal("third", content(PAGES_PUBLIC, "one", "b"));
	assert_string_equal("", content(PAGES_PUBLIC, "one", "c"));
}

static void a_batch_that_is_not_committed_changes_nothing(void **state)
{
	(void)state;
	struct pages_names folders;
	publish("two", (const char *[]){ "a", "old", NULL });
	{
		struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
		assert_int_equal(
			OK, pages_batch_open(&batch, &dir, PAGES_PUBLIC, "two", &arena, &error));
		assert_int_equal(OK, pages_batch_add(&batch, "a", STR("new"), NULL, &error));
		assert_string_equal("old", content(PAGES_PUBLIC, "two", "a"));
	}
	assert_string_equal("old", content(PAGES_PUBLIC, "two", "a"));
	struct pages_dir new = { .place_fds = { dir.new_fd } };
	assert_int_equal(OK, pages_dir_folders(&new, PAGES_PUBLIC, &arena, &folders, &error));
	assert_int_equal(0, folders.count);
}

/* By the exact clock: file systems may be ahead of time(). */
static time_t now_s(void)
{
	struct timespec now;
	assert_int_equal(0, clock_gettime(CLOCK_REALTIME, &now));
	return now.tv_sec;
}

static struct stat status_of(const char *folder, const char *name)
{
	struct stat status;
	int fd = pages_dir_open_file(&dir, PAGES_PUBLIC, folder, name);
	assert_true(fd >= 0);
	assert_int_equal(0, fstat(fd, &status));
	close(fd);
	return status;
}

static void write_html(const char *text)
{
	struct page_output output = { .batch.folder_fd = -1 };
	struct page_state after = { 0 };
	assert_int_equal(OK, page_output_open(&output, &dir, PAGES_PUBLIC, "three", NULL, &after,
					      &arena, &error));
	buf_puts(&output.text, text);
	assert_int_equal(OK, page_output_text(&output, "index.html", NULL, &error));
	assert_int_equal(OK, pages_batch_sync(&output.batch, &error));
	assert_int_equal(OK, pages_batch_commit(&output.batch, &error));
	page_output_close(&output);
}

/* Of a storm of updates: web servers tell them by the second of the time, and the size. */
static void versions_differ_in_time_or_size_and_none_is_of_the_future(void **state)
{
	(void)state;
	enum { VERSIONS = 300 };
	static char longer[6000];
	static const char *const names[] = { "index.html", "index.html.gz" };
	struct stat versions[VERSIONS][ARRAY_LEN(names)];
	for (size_t i = 0; i < VERSIONS; i++) {
		/* Of the same length, shorter, and longer; all have a twin. */
		size_t len = sizeof(longer) - 1 - i % 3;
		memset(longer, 'a' + (int)(i % 26), len);
		longer[len] = '\0';
		write_html(longer);
		for (size_t j = 0; j < ARRAY_LEN(names); j++) {
			struct stat *its = &versions[i][j];
			*its = status_of("three", names[j]);
			assert_true(its->st_mtime <= now_s());
			for (size_t k = 0; k < i; k++)
				assert_false(versions[k][j].st_mtime == its->st_mtime &&
					     versions[k][j].st_size == its->st_size);
		}
		const char *text = content(PAGES_PUBLIC, "three", "index.html");
		assert_memory_equal(longer, text, len);
		assert_int_equal(strlen(text + len), strspn(text + len, "\n"));
	}
}

/* The version after a long one of the same second, in plain text and in its twin. */
static void a_short_version_after_a_long_one_is_made_longer_by_few_bytes(void **state)
{
	(void)state;
	static const size_t lengths[] = { 40000, 5000, 39999, 5000, 4999, 40001, 100, 5000, 100 };
	static char text[40001 + 1];
	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		for (size_t j = 0; j < lengths[i]; j++)
			text[j] = (char)('a' + (j * j + i) % 26);
		text[lengths[i]] = '\0';
		write_html(text);
		off_t size = status_of("three", "index.html").st_size;
		assert_true(size >= (off_t)lengths[i]);
		assert_true(size < (off_t)lengths[i] + FOLDER_VERSIONS);
	}
}

/* A file whose bytes are given, as on a mirror host, waits for the next second. */
static void a_file_that_cannot_be_longer_waits(void **state)
{
	(void)state;
	publish("six", (const char *[]){ "a", "x", NULL });
	time_t first = status_of("six", "a").st_mtime;
	int fd = openat(dir.place_fds[PAGES_PUBLIC], "six", O_RDONLY | O_DIRECTORY);
	folder_await_second(fd, "a", 1);
	folder_await_second(fd, "missing", 1);
	publish("six", (const char *[]){ "a", "y", NULL });
	assert_true(status_of("six", "a").st_mtime > first);
	assert_true(status_of("six", "a").st_mtime <= now_s());
	/* A clock that was set back is not waited for. */
	const struct timespec ahead[2] = { { .tv_sec = first + 1000000 },
					   { .tv_sec = first + 1000000 } };
	assert_int_equal(0, utimensat(fd, "a", ahead, 0));
	folder_await_second(fd, "a", 1);
	assert_int_equal(0, folder_padding(fd, "a", 1));
	close(fd);
}

static void a_mirror_has_the_same_files_and_no_others(void **state)
{
	(void)state;
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	const char *kept = NULL, *stamp = NULL;
	assert_int_equal(OK, pages_batch_open(&batch, &dir, PAGES_PUBLIC, "four", &arena, &error));
	assert_int_equal(OK, pages_batch_add(&batch, "kept", STR("k"), &kept, &error));
	assert_int_equal(OK, pages_batch_add(&batch, "gone", STR("g"), NULL, &error));
	assert_int_equal(OK, pages_batch_sync(&batch, &error));
	assert_int_equal(OK, pages_batch_commit(&batch, &error));
	for (int round = 0; round < 2; round++) {
		pages_batch_close(&batch);
		assert_int_equal(
			OK, pages_batch_open(&batch, &dir, PAGES_PUBLIC, "four", &arena, &error));
		assert_true(pages_batch_has(&batch, "kept", kept));
		assert_false(pages_batch_has(&batch, "kept", "1-2-3.4"));
		assert_false(pages_batch_has(&batch, "never", kept));
		pages_batch_keep(&batch, "kept", kept);
		assert_int_equal(OK, pages_batch_add(&batch, "new", str_from(round ? "2" : "1"),
						     &stamp, &error));
		assert_int_equal(OK, pages_batch_sync(&batch, &error));
		assert_int_equal(OK, pages_batch_commit(&batch, &error));
		assert_int_equal(OK, pages_batch_mirror(&batch, PAGES_DOMAIN, "d.example", &error));
		assert_true(pages_batch_has(&batch, "new", stamp));
	}
	assert_string_equal("k", content(PAGES_DOMAIN, "d.example", "kept"));
	assert_string_equal("2", content(PAGES_DOMAIN, "d.example", "new"));
	assert_null(content(PAGES_DOMAIN, "d.example", "gone"));
}

static void names_that_lead_elsewhere_open_nothing(void **state)
{
	(void)state;
	publish("five", (const char *[]){ "a", "x", NULL });
	static const char *const rows[][2] = { { "..", "secret" },    { "five", "../five/a" },
					       { "five", ".hidden" }, { "five/../five", "a" },
					       { "", "a" },	      { "five", "" },
					       { ".", "a" } };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(-1,
				 pages_dir_open_file(&dir, PAGES_PUBLIC, rows[i][0], rows[i][1]));
	/* A symbolic link in a folder, to a file or to a folder, is not followed. */
	int fd = openat(dir.place_fds[PAGES_PUBLIC], "five", O_RDONLY | O_DIRECTORY);
	assert_int_equal(0, symlinkat("/etc/passwd", fd, "link"));
	assert_int_equal(0, symlinkat("/etc", dir.place_fds[PAGES_PUBLIC], "etc"));
	assert_int_equal(-1, pages_dir_open_file(&dir, PAGES_PUBLIC, "five", "link"));
	assert_int_equal(-1, pages_dir_open_file(&dir, PAGES_PUBLIC, "etc", "passwd"));
	close(fd);
}

static void the_state_of_a_page_comes_back_as_it_was(void **state)
{
	(void)state;
	struct file_state files[] = { { "index.html", "d1", "s1", "p1" },
				      { "badge.svg", "d2", "s2", "-" } };
	struct page_state written = { .is_whole = true,
				      .epoch = 12,
				      .revision = 7,
				      .due = { 86400 },
				      .place = PAGES_NOINDEX,
				      .slug = "x",
				      .domain = "d.example",
				      .files = files,
				      .file_count = 2 };
	struct page_state read;
	for (int round = 0; round < 2; round++) {
		assert_int_equal(OK, page_state_write(&dir, 3, &written, &arena, &error));
		assert_int_equal(OK, page_state_read(&dir, 3, &arena, &read, &error));
		assert_true(read.is_known);
		assert_true(read.is_whole);
		assert_int_equal(12, read.epoch);
		assert_int_equal(PAGES_NOINDEX, read.place);
		assert_int_equal(7, read.revision);
		assert_int_equal(86400, read.due.s);
		assert_string_equal("x", read.slug);
		assert_int_equal(written.domain != NULL, read.domain != NULL);
		assert_int_equal(written.file_count, read.file_count);
		for (size_t i = 0; i < read.file_count; i++) {
			assert_string_equal(files[i].name, read.files[i].name);
			assert_string_equal(files[i].digest, read.files[i].digest);
			assert_string_equal(files[i].stamp, read.files[i].stamp);
			assert_string_equal(files[i].packed, read.files[i].packed);
		}
		written.domain = NULL;
		written.file_count = 0;
	}
	assert_int_equal(OK, page_state_remove(&dir, 3, &arena, &error));
	assert_int_equal(OK, page_state_read(&dir, 3, &arena, &read, &error));
	assert_false(read.is_known);
}

/* Begins to change the page's files, and ends unless it "dies". */
static void change_files(const struct page_state *after, bool dies)
{
	struct page_note note CLEANUP(page_note_close) = PAGE_NOTE_CLOSED;
	assert_int_equal(OK, page_note_open(&note, &dir, 4, after, &arena, &error));
	assert_int_equal(OK, page_note_begin(&note, &error));
	if (!dies)
		assert_int_equal(OK, page_note_commit(&note, &error));
}

static void a_page_that_is_being_written_is_not_whole(void **state)
{
	(void)state;
	struct file_state files[] = { { "index.html", "d1", "s1", "-" } };
	struct page_state written = { .is_whole = true,
				      .epoch = 2,
				      .revision = 7,
				      .slug = "x",
				      .place = PAGES_PUBLIC,
				      .files = files,
				      .file_count = 1 };
	struct page_state after = written, read;
	after.revision = 8;
	assert_int_equal(OK, page_state_write(&dir, 4, &written, &arena, &error));
	change_files(&after, true);
	assert_int_equal(OK, page_state_read(&dir, 4, &arena, &read, &error));
	assert_true(read.is_known);
	assert_false(read.is_whole);
	assert_string_equal("x", read.slug);
	assert_int_equal(0, read.file_count);
	assert_int_equal(0, page_state_compare(&read, 2, 7));
	assert_true(page_state_compare(&read, 2, 8) < 0);
	assert_true(page_state_compare(&read, 2, 6) > 0);
	assert_true(page_state_compare(&read, 3, 1) < 0);
	assert_true(page_state_compare(&read, 1, 9) > 0);
	for (int round = 0; round < 2; round++) {
		change_files(&after, false);
		assert_int_equal(OK, page_state_read(&dir, 4, &arena, &read, &error));
		assert_true(read.is_whole);
		assert_int_equal(8, read.revision);
		assert_int_equal(1, read.file_count);
		assert_false(pages_dir_has(&dir, PAGES_STATE, "4", "writing"));
	}
}

static void an_empty_note_is_broken_and_an_unreadable_one_a_failure(void **state)
{
	(void)state;
	static const char *const notes[] = { "", "\n", "7", "7 86400", "x 86400 slug\n" };
	struct page_state read;
	for (size_t i = 0; i < ARRAY_LEN(notes); i++) {
		assert_int_equal(OK, pages_dir_put(&dir, PAGES_STATE, "5", "page",
						   str_from(notes[i]), &arena, &error));
		assert_int_equal(OK, page_state_read(&dir, 5, &arena, &read, &error));
		assert_true(read.is_broken);
		assert_false(read.is_known);
	}
	/* A symbolic link in place of a folder is not followed. */
	int fd = openat(dir.place_fds[PAGES_STATE], "5", O_RDONLY | O_DIRECTORY);
	assert_int_equal(0, unlinkat(fd, "page", 0));
	assert_int_equal(0, symlinkat("/etc/passwd", fd, "page"));
	close(fd);
	assert_int_equal(E_FAILED, page_state_read(&dir, 5, &arena, &read, &error));
}

static void replaced_folders_are_opened_again(void **state)
{
	(void)state;
	struct pages_dir first, second;
	assert_int_equal(OK, pages_dir_open(&first, test_folder, &error));
	assert_int_equal(OK, pages_dir_open(&second, test_folder, &error));
	assert_int_equal(first.root_fd, second.root_fd);
	pages_dir_close(&second);
	/* A place of a parent, and the folder itself. */
	assert_int_equal(0, renameat(first.root_fd, "public/s", first.root_fd, "public/old"));
	assert_int_equal(OK, pages_dir_open(&second, test_folder, &error));
	assert_int_not_equal(first.root_fd, second.root_fd);
	assert_int_equal(0, faccessat(second.root_fd, "public/s", F_OK, 0));
	pages_dir_close(&first);
	first = second;
	const char *moved = arena_printf(&arena, "%s-moved", test_folder);
	assert_int_equal(0, rename(test_folder, moved));
	assert_int_equal(OK, pages_dir_open(&second, test_folder, &error));
	assert_int_not_equal(first.root_fd, second.root_fd);
	pages_dir_close(&second);
	pages_dir_close(&first);
	folder_remove();
	assert_int_equal(0, rename(moved, test_folder));
}

static void a_boot_is_new_until_it_is_recorded(void **state)
{
	const struct pages_settings usual = { .has_previews = true };
	(void)state;
	/* Opening a new folder has recorded it. */
	assert_false(boot_is_new(&dir, usual));
	assert_true(boot_is_new(&dir, (struct pages_settings){ 0 }));
	assert_true(boot_is_new(
		&dir, (struct pages_settings){ .has_previews = true, .takes_subscribers = true }));
	if (!boot_id())
		skip();
	assert_int_equal(0, unlinkat(dir.root_fd, "boot", 0));
	assert_true(boot_is_new(&dir, usual));
	assert_int_equal(OK, boot_record(&dir, usual, &error));
	assert_false(boot_is_new(&dir, usual));
	assert_int_equal(OK, words_file_load(TESTS_DIR "/lib/words", &error));
	assert_true(boot_is_new(&dir, usual));
	assert_int_equal(OK, boot_record(&dir, usual, &error));
	assert_false(boot_is_new(&dir, usual));
	assert_int_equal(OK, words_file_load(NULL, &error));
	assert_true(boot_is_new(&dir, usual));
	assert_int_equal(OK, boot_record(&dir, usual, &error));
	int fd = openat(dir.root_fd, "boot", O_WRONLY);
	assert_int_equal(1, write(fd, "x", 1));
	close(fd);
	assert_true(boot_is_new(&dir, usual));
}

static mode_t mode_of(const char *path)
{
	struct stat status;
	assert_int_equal(0, stat(arena_printf(&arena, "%s/%s", test_folder, path), &status));
	return status.st_mode & 07777;
}

/* As a process leaves it that dies before it sets the mode. */
static void a_folder_that_the_umask_made_private_is_opened_again(void **state)
{
	(void)state;
	static const char *const folders[] = { "public", "public/s", "noindex/d" };
	publish("one", (const char *[]){ "a", "first", NULL });
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		assert_int_equal(
			0, chmod(arena_printf(&arena, "%s/%s", test_folder, folders[i]), 0700));
	assert_int_equal(0, fchmodat(dir.place_fds[PAGES_PUBLIC], "one", 0700, 0));
	pages_dir_close(&dir);
	/* The descriptors that the process keeps are opened anew. */
	assert_int_equal(0, mkdir(arena_printf(&arena, "%s/other", test_folder), 0700));
	assert_int_equal(OK, pages_dir_open(&dir, test_folder, &error));
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		assert_int_equal(0755, mode_of(folders[i]));
	publish("one", (const char *[]){ "a", "second", NULL });
	assert_int_equal(0755, mode_of("public/s/one"));
	assert_int_equal(0700, mode_of("private"));
}

/* Removes the folder so many times, as soon as it is there. */
static void remove_again(const char *path, int times)
{
	while (times > 0)
		times -= rmdir(path) == 0;
	_exit(0);
}

static void folders_that_are_removed_while_they_are_made_are_made_again(void **state)
{
	enum { ROUNDS = 20, REMOVALS = 3 };
	static const char *const removed[] = { "public", "noindex", "state" };
	(void)state;
	const char *path = arena_printf(&arena, "%s/emptied", test_folder);
	for (int i = 0; i < ROUNDS; i++) {
		struct pages_dir emptied = PAGES_DIR_CLOSED;
		const char *folder = removed[i % (int)ARRAY_LEN(removed)];
		int status;
		pid_t pid = fork();
		if (pid == 0)
			remove_again(arena_printf(&arena, "%s/%s", path, folder), REMOVALS);
		enum result result = pages_dir_open(&emptied, path, &error);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		assert_int_equal(OK, result);
		pages_dir_close(&emptied);
		assert_int_equal(0, system(arena_printf(&arena, "rm -r %s", path)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_batch_is_there_whole_and_takes_away_what_it_does_not_name),
		cmocka_unit_test(a_batch_that_is_not_committed_changes_nothing),
		cmocka_unit_test(versions_differ_in_time_or_size_and_none_is_of_the_future),
		cmocka_unit_test(a_short_version_after_a_long_one_is_made_longer_by_few_bytes),
		cmocka_unit_test(a_file_that_cannot_be_longer_waits),
		cmocka_unit_test(a_mirror_has_the_same_files_and_no_others),
		cmocka_unit_test(names_that_lead_elsewhere_open_nothing),
		cmocka_unit_test(the_state_of_a_page_comes_back_as_it_was),
		cmocka_unit_test(a_page_that_is_being_written_is_not_whole),
		cmocka_unit_test(an_empty_note_is_broken_and_an_unreadable_one_a_failure),
		cmocka_unit_test(a_boot_is_new_until_it_is_recorded),
		cmocka_unit_test(replaced_folders_are_opened_again),
		cmocka_unit_test(a_folder_that_the_umask_made_private_is_opened_again),
		cmocka_unit_test(folders_that_are_removed_while_they_are_made_are_made_again),
	};
	return cmocka_run_group_tests(tests, start, end);
}
