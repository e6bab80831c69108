/* The spool of signals: several processes add while another moves, and are killed. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "publish/folder/signal_spool.h"

enum { WRITERS = 8, EACH = 60, ROWS_MAX = 4096 };

static struct pages_dir dir;
static struct error error;
static struct check_signal rows[ROWS_MAX];

static int start(void **state)
{
	return folder_start(state) == 0 && pages_dir_open(&dir, test_folder, &error) == OK ? 0 : -1;
}

static int end(void **state)
{
	pages_dir_close(&dir);
	return folder_end(state);
}

static int clear(void **state)
{
	(void)state;
	unlinkat(dir.root_fd, "spool", 0);
	unlinkat(dir.root_fd, "spool-damaged", 0);
	return 0;
}

static enum result add(int64_t monitor_id, int64_t value)
{
	const struct check_signal signal = { .monitor_id = monitor_id,
					     .kind = SIGNAL_EXIT,
					     .value = value,
					     .at = { 1700000000 + value } };
	return signal_spool_add(&dir, &signal, &error);
}

/* The signals that wait, from an offset on. */
static size_t read_from(int64_t *offset, size_t most)
{
	struct signal_spool spool;
	size_t count = 0;
	enum result result = signal_spool_open(&spool, &dir, &error);
	if (result == OK)
		result = signal_spool_read(&spool, offset, rows, most, &count, &error);
	assert_true(result == OK || result == E_NOT_FOUND);
	signal_spool_close(&spool);
	return count;
}

static size_t read_all(void)
{
	int64_t offset = 0;
	return read_from(&offset, ROWS_MAX);
}

static int64_t spool_size(void)
{
	struct stat status;
	assert_int_equal(0, fstatat(dir.root_fd, "spool", &status, 0));
	return status.st_size;
}

static void signals_are_read_as_they_were_added(void **state)
{
	(void)state;
	static const struct check_signal given[] = {
		{ .monitor_id = 7, .kind = SIGNAL_HEARTBEAT, .at = { 1700000001 } },
		{ .monitor_id = INT64_MAX, .kind = SIGNAL_EXIT, .value = 255, .at = { 1 } },
		{ .monitor_id = 1, .kind = SIGNAL_START, .at = { 253402300799 } },
	};
	assert_false(signal_spool_exists(&dir));
	for (size_t i = 0; i < ARRAY_LEN(given); i++)
		assert_int_equal(OK, signal_spool_add(&dir, &given[i], &error));
	assert_true(signal_spool_exists(&dir));
	assert_int_equal(ARRAY_LEN(given), read_all());
	for (size_t i = 0; i < ARRAY_LEN(given); i++) {
		assert_int_equal(given[i].monitor_id, rows[i].monitor_id);
		assert_int_equal(given[i].kind, rows[i].kind);
		assert_int_equal(given[i].value, rows[i].value);
		assert_int_equal(given[i].at.s, rows[i].at.s);
	}
	int64_t offset = 0;
	assert_int_equal(1, read_from(&offset, 1));
	assert_int_equal(2, read_from(&offset, 1000));
	assert_int_equal(0, read_from(&offset, 1000));
}

static void a_spool_with_further_lines_is_not_removed(void **state)
{
	(void)state;
	struct signal_spool spool;
	bool is_removed;
	int64_t offset = 0;
	assert_int_equal(OK, add(1, 1));
	assert_int_equal(1, read_from(&offset, 10));
	assert_int_equal(OK, add(1, 2));
	assert_int_equal(OK, signal_spool_open(&spool, &dir, &error));
	assert_int_equal(OK, signal_spool_remove(&spool, &dir, offset, &is_removed, &error));
	assert_false(is_removed);
	assert_int_equal(1, read_from(&offset, 10));
	assert_int_equal(OK, signal_spool_remove(&spool, &dir, offset, &is_removed, &error));
	assert_true(is_removed);
	assert_false(signal_spool_exists(&dir));
	char id[SECRET_ID_SIZE];
	memcpy(id, spool.id, sizeof(id));
	signal_spool_close(&spool);
	/* The next one is another, whose lines count from the beginning. */
	assert_int_equal(OK, add(2, 3));
	assert_int_equal(OK, signal_spool_open(&spool, &dir, &error));
	assert_string_not_equal(id, spool.id);
	signal_spool_close(&spool);
	assert_int_equal(1, read_all());
}

/* A process died within a write, or the machine did. */
static void a_torn_line_harms_no_other(void **state)
{
	(void)state;
	static const char *const torn[] = { "9 1 0 17", "9 1 0 2026-11-20T19:58:30Z", "\n",
					    "\0\0\0\0" };
	for (size_t i = 0; i < ARRAY_LEN(torn); i++) {
		clear(NULL);
		assert_int_equal(OK, add(1, 1));
		int fd = openat(dir.root_fd, "spool", O_WRONLY | O_APPEND | O_CLOEXEC);
		size_t len = i == 3 ? 4 : strlen(torn[i]);
		assert_int_equal(len, write(fd, torn[i], len));
		close(fd);
		assert_int_equal(1, read_all());
		assert_int_equal(OK, add(2, 2));
		assert_int_equal(2, read_all());
		assert_int_equal(2, rows[1].monitor_id);
		assert_int_equal(3 * SIGNAL_SPOOL_LINE_BYTES, spool_size());
	}
}

static void zeros_in_place_of_lines_are_left_out(void **state)
{
	(void)state;
	int64_t offset = 0;
	assert_int_equal(OK, add(1, 1));
	int64_t size = spool_size();
	int fd = openat(dir.root_fd, "spool", O_WRONLY | O_CLOEXEC);
	assert_int_equal(0, ftruncate(fd, size + 2 * SIGNAL_SPOOL_LINE_BYTES));
	close(fd);
	assert_int_equal(OK, add(2, 2));
	assert_int_equal(2, read_from(&offset, ROWS_MAX));
	assert_int_equal(2, rows[1].monitor_id);
	assert_int_equal(4 * SIGNAL_SPOOL_LINE_BYTES, offset);
}

static void a_damaged_spool_is_put_aside(void **state)
{
	(void)state;
	struct signal_spool spool;
	char zeros[3 * SIGNAL_SPOOL_LINE_BYTES] = { 0 };
	int fd = openat(dir.root_fd, "spool", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(sizeof(zeros), write(fd, zeros, sizeof(zeros)));
	close(fd);
	assert_int_equal(E_FAILED, signal_spool_open(&spool, &dir, &error));
	signal_spool_close(&spool);
	assert_int_equal(OK, add(1, 1));
	assert_int_equal(1, read_all());
	assert_int_equal(0, faccessat(dir.root_fd, "spool-damaged", F_OK, 0));
}

/* The first line alone, or a part of it: its writer was killed. */
static void a_spool_that_was_only_begun_is_ended(void **state)
{
	(void)state;
	for (int keep = 0; keep <= SIGNAL_SPOOL_LINE_BYTES; keep++) {
		clear(NULL);
		assert_int_equal(OK, add(1, 1));
		int fd = openat(dir.root_fd, "spool", O_WRONLY | O_CLOEXEC);
		assert_int_equal(0, ftruncate(fd, keep));
		close(fd);
		assert_int_equal(0, read_all());
		assert_int_equal(OK, add(2, 2));
		assert_int_equal(1, read_all());
		assert_int_equal(2, rows[0].monitor_id);
	}
}

static enum result add_at(int64_t monitor_id, int64_t at_s)
{
	const struct check_signal signal = { .monitor_id = monitor_id,
					     .kind = SIGNAL_HEARTBEAT,
					     .at = { at_s } };
	return signal_spool_add(&dir, &signal, &error);
}

static void a_monitor_leaves_half_of_the_spool_to_others(void **state)
{
	(void)state;
	const int64_t half = SIGNAL_SPOOL_MAX_BYTES / 2 / SIGNAL_SPOOL_LINE_BYTES;
	const int64_t now_s = 1700000000;
	for (int i = 0; i < 10; i++)
		assert_int_equal(OK, add_at(1, now_s));
	int fd = openat(dir.root_fd, "spool", O_RDWR | O_CLOEXEC);
	assert_int_equal(0, ftruncate(fd, (half + 1) * SIGNAL_SPOOL_LINE_BYTES));
	close(fd);
	for (int i = 0; i < 4; i++)
		assert_int_equal(OK, add_at(1, now_s + i));
	int64_t size = spool_size();
	assert_int_equal(E_RATE_LIMITED, add_at(1, now_s + 59));
	assert_int_equal(size, spool_size());
	assert_int_equal(OK, add_at(2, now_s + 59));
	assert_int_equal(OK, add_at(1, now_s + 60));
	assert_int_equal(E_RATE_LIMITED, add_at(1, now_s + 60));
}

static void what_does_not_fit_is_refused_and_changes_nothing(void **state)
{
	(void)state;
	struct rlimit old;
	assert_int_equal(OK, add(1, 1));
	int fd = openat(dir.root_fd, "spool", O_RDWR | O_CLOEXEC);
	int64_t whole = SIGNAL_SPOOL_MAX_BYTES / SIGNAL_SPOOL_LINE_BYTES * SIGNAL_SPOOL_LINE_BYTES;
	assert_int_equal(0, ftruncate(fd, whole - SIGNAL_SPOOL_LINE_BYTES));
	assert_int_equal(OK, add(1, 2));
	assert_int_equal(E_UNAVAILABLE, add(1, 3));
	assert_int_equal(whole, spool_size());
	/* A full disk: a part of the line is written. */
	assert_int_equal(0, ftruncate(fd, 2 * SIGNAL_SPOOL_LINE_BYTES));
	getrlimit(RLIMIT_FSIZE, &old);
	struct rlimit tight = { 2 * SIGNAL_SPOOL_LINE_BYTES + 20, old.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &tight));
	assert_int_equal(E_UNAVAILABLE, add(1, 4));
	assert_int_equal(0, setrlimit(RLIMIT_FSIZE, &old));
	assert_int_equal(2 * SIGNAL_SPOOL_LINE_BYTES, spool_size());
	assert_int_equal(OK, add(1, 5));
	assert_int_equal(2, read_all());
	close(fd);
}

/* In memory that forked processes share: how many signals of each writer are acknowledged. */
static atomic_int *acknowledged;

static void write_signals(int writer, int from, int most)
{
	struct pages_dir own = PAGES_DIR_CLOSED;
	if (pages_dir_open(&own, test_folder, &error) != OK)
		_exit(1);
	dir = own;
	for (int i = from; i < from + most; i++) {
		if (add(writer + 1, i) != OK)
			_exit(1);
		atomic_store(&acknowledged[writer], i + 1);
	}
	_exit(0);
}

/* What was moved of each writer: the next expected value. */
static void take(int *next, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int writer = (int)rows[i].monitor_id - 1;
		assert_in_range(writer, 0, WRITERS - 1);
		/* In order, once each. One that was killed may not have acknowledged its last. */
		assert_in_range(rows[i].value, next[writer], next[writer] + 1);
		next[writer] = (int)rows[i].value + 1;
	}
}

static void move(int *next, int64_t *offset, char id[SECRET_ID_SIZE])
{
	struct signal_spool spool;
	bool is_removed = false;
	size_t count = 0;
	if (signal_spool_open(&spool, &dir, &error) == OK) {
		if (strcmp(spool.id, id) != 0)
			*offset = 0;
		memcpy(id, spool.id, SECRET_ID_SIZE);
		assert_int_equal(OK,
				 signal_spool_read(&spool, offset, rows, ROWS_MAX, &count, &error));
		take(next, count);
		assert_int_equal(OK,
				 signal_spool_remove(&spool, &dir, *offset, &is_removed, &error));
	}
	signal_spool_close(&spool);
}

static void eight_processes_add_while_another_moves(void **state)
{
	(void)state;
	char id[SECRET_ID_SIZE] = "";
	int next[WRITERS] = { 0 }, left = WRITERS, status;
	int64_t offset = 0;
	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0)
			write_signals(i, 0, EACH);
	while (left > 0) {
		move(next, &offset, id);
		while (left > 0 && waitpid(-1, &status, WNOHANG) > 0) {
			assert_int_equal(0, status);
			left--;
		}
	}
	move(next, &offset, id);
	for (int i = 0; i < WRITERS; i++)
		assert_int_equal(EACH, next[i]);
	assert_false(signal_spool_exists(&dir));
}

static void killed_writers_lose_nothing_that_they_acknowledged(void **state)
{
	(void)state;
	enum { KILLS = 60, MANY = 1000000 };
	char id[SECRET_ID_SIZE] = "";
	pid_t writers[WRITERS];
	int next[WRITERS] = { 0 };
	int64_t offset = 0;
	for (int i = 0; i < WRITERS; i++) {
		atomic_store(&acknowledged[i], 0);
		writers[i] = fork();
		if (writers[i] == 0)
			write_signals(i, 0, MANY);
	}
	for (int kill_no = 0; kill_no < KILLS; kill_no++) {
		int i = kill_no % WRITERS;
		usleep(1000 + kill_no * 137);
		kill(writers[i], SIGKILL);
		assert_int_equal(writers[i], waitpid(writers[i], NULL, 0));
		move(next, &offset, id);
		assert_in_range(next[i], atomic_load(&acknowledged[i]),
				atomic_load(&acknowledged[i]) + 1);
		atomic_store(&acknowledged[i], next[i]);
		writers[i] = fork();
		if (writers[i] == 0)
			write_signals(i, next[i], MANY);
	}
	for (int i = 0; i < WRITERS; i++) {
		kill(writers[i], SIGKILL);
		waitpid(writers[i], NULL, 0);
	}
	move(next, &offset, id);
	for (int i = 0; i < WRITERS; i++)
		assert_in_range(next[i], atomic_load(&acknowledged[i]),
				atomic_load(&acknowledged[i]) + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(signals_are_read_as_they_were_added, clear),
		cmocka_unit_test_setup(a_spool_with_further_lines_is_not_removed, clear),
		cmocka_unit_test_setup(a_torn_line_harms_no_other, clear),
		cmocka_unit_test_setup(zeros_in_place_of_lines_are_left_out, clear),
		cmocka_unit_test_setup(a_damaged_spool_is_put_aside, clear),
		cmocka_unit_test_setup(a_spool_that_was_only_begun_is_ended, clear),
		cmocka_unit_test_setup(a_monitor_leaves_half_of_the_spool_to_others, clear),
		cmocka_unit_test_setup(what_does_not_fit_is_refused_and_changes_nothing, clear),
		cmocka_unit_test_setup(eight_processes_add_while_another_moves, clear),
		cmocka_unit_test_setup(killed_writers_lose_nothing_that_they_acknowledged, clear),
	};
	acknowledged = mmap(NULL, WRITERS * sizeof(*acknowledged), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return cmocka_run_group_tests(tests, start, end);
}
