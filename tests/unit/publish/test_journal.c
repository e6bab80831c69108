#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "publish/journal.h"

static struct pages_dir dir;
static struct error error;
static int64_t ids[8];
static size_t count;

static int start(void **state)
{
	return folder_start(state) == 0 && pages_dir_open(&dir, test_folder, &error) == OK ? 0 : -1;
}

static int end(void **state)
{
	pages_dir_close(&dir);
	return folder_end(state);
}

static void nothing_is_written_before_somebody_reads(void **state)
{
	(void)state;
	journal_add(&dir, 1);
	assert_int_equal(-1, faccessat(test_folder_fd, "mirror", F_OK, 0));
	assert_string_equal("", journal_end(&dir).generation);
}

static void readers_get_what_is_added_after_they_have_opened_it(void **state)
{
	struct journal first CLEANUP(journal_close) = JOURNAL_CLOSED;
	struct journal second CLEANUP(journal_close) = JOURNAL_CLOSED;
	(void)state;
	assert_int_equal(OK, journal_open(&first, &dir, &error));
	journal_add(&dir, 7);
	journal_add(&dir, INT64_MAX);
	assert_int_equal(OK, journal_open(&second, &dir, &error));
	journal_add_all(&dir);
	assert_int_equal(OK, journal_read(&first, ids, 2, &count));
	assert_int_equal(2, count);
	assert_int_equal(7, ids[0]);
	assert_true(ids[1] == INT64_MAX);
	assert_int_equal(OK, journal_read(&first, ids, 8, &count));
	assert_int_equal(1, count);
	assert_int_equal(0, ids[0]);
	assert_int_equal(OK, journal_read(&second, ids, 8, &count));
	assert_int_equal(1, count);
	struct journal_place place = journal_end(&dir);
	assert_string_equal(place.generation, first.place.generation);
	assert_string_equal(place.generation, second.place.generation);
	assert_int_equal(place.offset, first.place.offset);
	assert_int_equal(OK, journal_read(&second, ids, 8, &count));
	assert_int_equal(0, count);
}

static void a_journal_that_is_too_long_begins_anew(void **state)
{
	struct journal reader CLEANUP(journal_close) = JOURNAL_CLOSED;
	struct stat status;
	(void)state;
	assert_int_equal(OK, journal_open(&reader, &dir, &error));
	struct journal_place before = reader.place;
	int fd = openat(test_folder_fd, "mirror/.journal", O_WRONLY);
	assert_int_equal(0,
			 ftruncate(fd, JOURNAL_MAX_BYTES - JOURNAL_MAX_BYTES % JOURNAL_LINE_BYTES));
	close(fd);
	journal_add(&dir, 1);
	assert_int_equal(E_NOT_FOUND, journal_read(&reader, ids, 8, &count));
	assert_string_equal("", journal_end(&dir).generation);
	journal_close(&reader);
	assert_int_equal(OK, journal_open(&reader, &dir, &error));
	assert_string_not_equal(before.generation, reader.place.generation);
	assert_int_equal(0, fstatat(test_folder_fd, "mirror/.journal", &status, 0));
	assert_int_equal(JOURNAL_LINE_BYTES, status.st_size);
	journal_add(&dir, 2);
	assert_int_equal(OK, journal_read(&reader, ids, 8, &count));
	assert_int_equal(1, count);
}

static void a_damaged_journal_begins_anew(void **state)
{
	struct journal reader CLEANUP(journal_close) = JOURNAL_CLOSED;
	(void)state;
	assert_int_equal(OK, journal_open(&reader, &dir, &error));
	int fd = openat(test_folder_fd, "mirror/.journal", O_WRONLY | O_APPEND);
	assert_int_equal(JOURNAL_LINE_BYTES, write(fd, "not hexadecimal.\n", JOURNAL_LINE_BYTES));
	assert_int_equal(E_NOT_FOUND, journal_read(&reader, ids, 8, &count));
	assert_int_equal(0, ftruncate(fd, 3));
	close(fd);
	journal_close(&reader);
	assert_int_equal(E_FAILED, journal_open(&reader, &dir, &error));
	assert_int_equal(OK, journal_open(&reader, &dir, &error));
}

/* File systems may give a file zeros in place of what a machine that failed has not yet written. */
static void a_journal_of_zeros_begins_anew(void **state)
{
	struct journal reader CLEANUP(journal_close) = JOURNAL_CLOSED;
	const char zeros[JOURNAL_LINE_BYTES] = { 0 };
	(void)state;
	assert_int_equal(OK, journal_open(&reader, &dir, &error));
	int fd = openat(test_folder_fd, "mirror/.journal", O_WRONLY);
	assert_int_equal(JOURNAL_LINE_BYTES, pwrite(fd, zeros, JOURNAL_LINE_BYTES, 0));
	close(fd);
	journal_close(&reader);
	assert_string_equal("", journal_end(&dir).generation);
	assert_int_equal(E_FAILED, journal_open(&reader, &dir, &error));
	assert_int_equal(OK, journal_open(&reader, &dir, &error));
	assert_string_not_equal("", reader.place.generation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_written_before_somebody_reads),
		cmocka_unit_test(readers_get_what_is_added_after_they_have_opened_it),
		cmocka_unit_test(a_journal_that_is_too_long_begins_anew),
		cmocka_unit_test(a_damaged_journal_begins_anew),
		cmocka_unit_test(a_journal_of_zeros_begins_anew),
	};
	return cmocka_run_group_tests(tests, start, end);
}
