#include "unit/lib/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metrics_cells.h"

static const char *const results[] = { "ok", "failed" };
static const char *const jobs[] = { "pages", "sweep" };

static char printed[4 << 20];

static const char *print(bool is_open_metrics, int64_t now_s)
{
	struct buf body = BUF_INIT(4 << 20);
	struct metrics_output output = { .body = &body, .is_open_metrics = is_open_metrics };
	output.words[LABEL_RESULT] = (struct metric_words){ results, ARRAY_LEN(results) };
	output.words[LABEL_JOB] = (struct metric_words){ jobs, ARRAY_LEN(jobs) };
	metrics_print(&output, now_s);
	metrics_print_end(&output);
	assert_true(buf_ok(&body));
	snprintf(printed, sizeof(printed), "%s", body.data ? body.data : "");
	buf_done(&body);
	return printed;
}

/* Maps the file of a test, with all values 0. */
static void start_at_zero(void)
{
	unlinkat(test_folder_fd, METRICS_FILE, 0);
	metrics_open(test_folder, true);
	struct metrics_memory *memory = metrics_memory();
	memset(memory->cells, 0, sizeof(memory->cells));
	memory->dropped = 0;
}

static bool has_line(const char *line)
{
	char text[512];
	snprintf(text, sizeof(text), "%s\n", line);
	const char *found = strstr(print(false, 0), text);
	return found && (found == printed || found[-1] == '\n');
}

static void nothing_is_counted_before_the_file_is_open(void **state)
{
	(void)state;
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 5);
	metrics_observe(METRIC_CHECK_LAG, METRIC_UNLABELLED, 5);
	metrics_set(METRIC_PROCESSES, METRIC_UNLABELLED, 5);
	metrics_tend();
	metrics_tend_now();
	assert_string_equal("# EOF\n", print(true, 0));
}

static void each_kind_is_printed(void **state)
{
	(void)state;
	start_at_zero();
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 40);
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 2);
	metrics_add(METRIC_JOBS, METRIC_LABELS(1, METRIC_FAILED), 1);
	metrics_add(METRIC_JOBS, METRIC_LABELS(0, METRIC_OK), 7);
	metrics_add(METRIC_JOBS, METRIC_LABELS(9, METRIC_OK), 3);
	metrics_set(METRIC_PROCESSES, METRIC_LABELS(65535), 4);
	metrics_set(METRIC_PROCESSES, METRIC_LABELS(65535), 3);
	metrics_set(METRIC_OLDEST_CHANGE, METRIC_UNLABELLED, 1000);
	static const char text[] =
		"# HELP daymark_processes Processes of the service that run.\n"
		"# TYPE daymark_processes gauge\n"
		"daymark_processes{role=\"65535\"} 3\n"
		"# HELP daymark_db_statements_total Statements sent to the database.\n"
		"# TYPE daymark_db_statements_total counter\n"
		"daymark_db_statements_total 42\n"
		"# HELP daymark_oldest_unpublished_change_seconds Age of the oldest change that "
		"was not published when the publisher last looked.\n"
		"# TYPE daymark_oldest_unpublished_change_seconds gauge\n"
		"daymark_oldest_unpublished_change_seconds 61\n"
		"# HELP daymark_worker_job_runs_total Runs of jobs of the background loop.\n"
		"# TYPE daymark_worker_job_runs_total counter\n"
		"daymark_worker_job_runs_total{job=\"pages\",result=\"ok\"} 7\n"
		"daymark_worker_job_runs_total{job=\"sweep\",result=\"failed\"} 1\n"
		"daymark_worker_job_runs_total{job=\"other\",result=\"ok\"} 3\n"
		"# HELP daymark_metrics_dropped_total Counts for which there was no room.\n"
		"# TYPE daymark_metrics_dropped_total counter\n"
		"daymark_metrics_dropped_total 0\n";
	assert_string_equal(text, print(false, 1061));
	/* OpenMetrics names the family without the suffix of its samples. */
	print(true, 1061);
	assert_non_null(strstr(printed, "# TYPE daymark_db_statements counter\n"
					"daymark_db_statements_total 42\n"));
	assert_string_equal("# EOF\n", printed + strlen(printed) - 6);
	/* No age is negative, and 0 is no time. */
	assert_non_null(strstr(print(false, 999), "change_seconds 0\n"));
	metrics_set(METRIC_OLDEST_CHANGE, METRIC_UNLABELLED, 0);
	assert_non_null(strstr(print(false, 1061), "change_seconds 0\n"));
}

static void a_histogram_has_each_time_in_its_bucket(void **state)
{
	(void)state;
	static const int64_t times_us[] = { -5,	      0,	1000,	  1001, 2500000,
					    30000000, 30000001, 90000000, 100 };
	start_at_zero();
	for (size_t i = 0; i < ARRAY_LEN(times_us); i++)
		metrics_observe(METRIC_JOB_TIME, METRIC_LABELS(1), times_us[i]);
	static const struct {
		const char *le;
		int count;
	} buckets[] = { { "0.001", 4 }, { "0.0025", 5 }, { "0.005", 5 }, { "1.0", 5 }, { "2.5", 6 },
			{ "5.0", 6 },	{ "10.0", 6 },	 { "30.0", 7 },	 { "+Inf", 9 } };
	for (size_t i = 0; i < ARRAY_LEN(buckets); i++) {
		char line[128];
		snprintf(line, sizeof(line),
			 "daymark_job_duration_seconds_bucket{job=\"sweep\",le=\"%s\"} %d",
			 buckets[i].le, buckets[i].count);
		assert_true(has_line(line));
	}
	assert_true(has_line("daymark_job_duration_seconds_sum{job=\"sweep\"} 152.502102"));
	assert_true(has_line("daymark_job_duration_seconds_count{job=\"sweep\"} 9"));
}

static void hostile_names_stay_inside_their_label(void **state)
{
	(void)state;
	struct buf body = BUF_INIT(4096);
	const struct metrics_output output = { .body = &body };
	static const char *const labels[] = { "7", "a\"} 1\ndaymark_x{b=\"\\", "\\n\r\t\xc3\xbc" };
	metrics_print_value(&output, METRIC_MONITOR_UP, labels, 1);
	metrics_print_value(&output, METRIC_MONITOR_RESPONSE, labels, 1234567);
	assert_string_equal("daymark_monitor_up{monitor_id=\"7\",name=\"a\\\"} "
			    "1\\ndaymark_x{b=\\\"\\\\\",account=\"\\\\n\r\t\xc3\xbc\"} 1\n"
			    "daymark_monitor_response_seconds{monitor_id=\"7\",name=\"a\\\"} "
			    "1\\ndaymark_x{b=\\\"\\\\\",account=\"\\\\n\r\t\xc3\xbc\"} 1.234567\n",
			    body.data);
	buf_done(&body);
}

/* Each second child opens the file itself, as plain CGI and daymark-check do. */
static void processes_count_to_the_exact_sum(void **state)
{
	(void)state;
	enum { PROCESSES = 8, EACH = 20000, KINDS = 300 };
	start_at_zero();
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() != 0)
			continue;
		if (i % 2)
			metrics_open(test_folder, false);
		for (int j = 0; j < EACH; j++) {
			metrics_add(METRIC_REQUESTS, METRIC_LABELS((uint16_t)(j % KINDS), 1, 200),
				    1);
			metrics_observe(METRIC_CHECK_LAG, METRIC_UNLABELLED, 3);
			metrics_tend();
		}
		/* No process ends in good order. */
		kill(getpid(), SIGKILL);
	}
	int status;
	while (wait(&status) > 0)
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	print(false, 0);
	long long sum = 0;
	int series = 0;
	for (const char *at = printed; (at = strstr(at, "status=\"200\"} ")); at++, series++)
		sum += strtoll(at + strlen("status=\"200\"} "), NULL, 10);
	assert_int_equal(PROCESSES * EACH, sum);
	assert_int_equal(KINDS, series);
	assert_true(has_line("daymark_check_lag_seconds_count 160000"));
	assert_true(has_line("daymark_check_lag_seconds_sum 0.480000"));
}

static off_t size_of_file(void)
{
	struct stat file;
	return fstatat(test_folder_fd, METRICS_FILE, &file, AT_SYMLINK_NOFOLLOW) == 0 ? file.st_size
										      : -1;
}

static void a_truncated_file_ends_no_process(void **state)
{
	(void)state;
	static const off_t sizes[] = { 0, 1, 4096, 8192, sizeof(struct metrics_memory) - 1 };
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		start_at_zero();
		metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 1);
		/* Even if the file is removed, too. */
		bool is_removed = i % 2;
		int fd = openat(test_folder_fd, METRICS_FILE, O_WRONLY);
		assert_int_equal(0, ftruncate(fd, sizes[i]));
		close(fd);
		if (is_removed)
			assert_int_equal(0, unlinkat(test_folder_fd, METRICS_FILE, 0));
		for (uint16_t label = 0; label < 2000; label++)
			metrics_add(METRIC_REQUESTS, METRIC_LABELS(label), 1);
		print(false, 0);
		metrics_tend_now();
		assert_int_equal(sizeof(struct metrics_memory), size_of_file());
		/* Another process sees what is counted from now on. */
		if (fork() == 0) {
			metrics_open(test_folder, false);
			metrics_add(METRIC_PAGES, METRIC_LABELS(METRIC_OK), 3);
			_exit(0);
		}
		int status;
		wait(&status);
		assert_int_equal(0, status);
		assert_true(has_line("daymark_publish_pages_total{result=\"ok\"} 3"));
	}
}

static void a_fault_elsewhere_still_ends_the_process(void **state)
{
	(void)state;
	start_at_zero();
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGBUS, SIG_DFL);
		metrics_open(test_folder, true);
		setrlimit(RLIMIT_CORE, &(const struct rlimit){ 0, 0 });
		int fd = openat(test_folder_fd, "other", O_RDWR | O_CREAT, 0600);
		volatile char *other = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		_exit(other[0]);
	}
	int status;
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}

static void a_removed_file_is_made_again_with_its_values(void **state)
{
	(void)state;
	start_at_zero();
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 9);
	assert_int_equal(0, unlinkat(test_folder_fd, METRICS_FILE, 0));
	metrics_tend_now();
	assert_int_equal(sizeof(struct metrics_memory), size_of_file());
	assert_true(has_line("daymark_db_statements_total 9"));
	/* A link in its place is replaced, and not followed. */
	folder_write_text("target", "text");
	assert_int_equal(0, unlinkat(test_folder_fd, METRICS_FILE, 0));
	assert_int_equal(0, symlinkat("target", test_folder_fd, METRICS_FILE));
	metrics_tend_now();
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 1);
	assert_int_equal(sizeof(struct metrics_memory), size_of_file());
	assert_true(has_line("daymark_db_statements_total 10"));
	struct stat target;
	assert_int_equal(0, fstatat(test_folder_fd, "target", &target, 0));
	assert_int_equal(4, target.st_size);
}

/* As when the service starts before its pages folder is there. */
static void a_new_file_takes_all_processes_along(void **state)
{
	(void)state;
	int go[2], gone[2];
	char byte = 0;
	assert_int_equal(0, pipe(go) | pipe(gone));
	start_at_zero();
	assert_int_equal(0, unlinkat(test_folder_fd, METRICS_FILE, 0));
	assert_int_equal(0, mkdirat(test_folder_fd, METRICS_FILE, 0700)); /* no file can be here */
	metrics_tend_now();
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 4);
	pid_t pid = fork();
	if (pid == 0) {
		metrics_tend_now();
		bool is_told = write(gone[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1;
		metrics_tend();
		metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 3);
		_exit(!is_told);
	}
	assert_int_equal(1, read(gone[0], &byte, 1));
	assert_int_equal(0, unlinkat(test_folder_fd, METRICS_FILE, AT_REMOVEDIR));
	metrics_tend_now();
	assert_int_equal(1, write(go[1], &byte, 1));
	int status;
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_int_equal(0, status);
	assert_true(has_line("daymark_db_statements_total 7"));
	for (int i = 0; i < 2; i++) {
		close(go[i]);
		close(gone[i]);
	}
}

static void all_space_is_allocated_and_a_full_disk_only_delays_the_file(void **state)
{
	(void)state;
	struct stat file;
	const struct rlimit small = { 4096, RLIM_INFINITY };
	struct rlimit before;
	start_at_zero();
	assert_int_equal(0, fstatat(test_folder_fd, METRICS_FILE, &file, 0));
	assert_true(file.st_blocks * 512 >= (off_t)sizeof(struct metrics_memory));
	assert_int_equal(0600, file.st_mode & 07777);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(0, unlinkat(test_folder_fd, METRICS_FILE, 0));
	setrlimit(RLIMIT_FSIZE, &small);
	metrics_tend_now();
	assert_int_equal(-1, size_of_file());
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 2);
	setrlimit(RLIMIT_FSIZE, &before);
	metrics_tend_now();
	assert_int_equal(sizeof(struct metrics_memory), size_of_file());
	assert_true(has_line("daymark_db_statements_total 2"));
}

static void a_file_of_nonsense_is_made_again(void **state)
{
	(void)state;
	static char nonsense[sizeof(struct metrics_memory)];
	memset(nonsense, 0x5a, sizeof(nonsense));
	start_at_zero();
	int fd = openat(test_folder_fd, METRICS_FILE, O_WRONLY);
	assert_int_equal(sizeof(nonsense), write(fd, nonsense, sizeof(nonsense)));
	close(fd);
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 1);
	print(false, 0);
	metrics_tend_now();
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 5);
	assert_true(has_line("daymark_db_statements_total 5"));
	assert_true(has_line("daymark_metrics_dropped_total 0"));
}

static uint64_t version_of_file(void)
{
	uint64_t version = 0;
	int fd = openat(test_folder_fd, METRICS_FILE, O_RDONLY);
	assert_int_equal(sizeof(version), read(fd, &version, sizeof(version)));
	close(fd);
	return version;
}

static void only_the_service_replaces_the_file_of_another_version(void **state)
{
	(void)state;
	static struct metrics_memory other;
	start_at_zero();
	char empty[] = "/nonexistent";
	metrics_open(empty, false);
	other.version = 7;
	assert_int_equal(0, unlinkat(test_folder_fd, METRICS_FILE, 0));
	int fd = openat(test_folder_fd, METRICS_FILE, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(sizeof(other), write(fd, &other, sizeof(other)));
	close(fd);
	metrics_open(test_folder, false);
	metrics_tend_now();
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 4);
	assert_int_equal(7, version_of_file());
	/* Nor does a worker of the service, which may be older than the file. */
	metrics_open(empty, true);
	metrics_tend_now();
	assert_int_equal(7, version_of_file());
	metrics_open(test_folder, true);
	assert_int_equal(metrics_version(), version_of_file());
	assert_true(has_line("daymark_db_statements_total 4"));
}

static void what_has_no_room_is_dropped_and_counted(void **state)
{
	(void)state;
	enum { SERIES = 3 * METRICS_CELLS };
	start_at_zero();
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 1);
	for (int i = 0; i < SERIES; i++)
		metrics_add(METRIC_REQUESTS,
			    METRIC_LABELS((uint16_t)(i % 256), (uint16_t)(i / 256)), 1);
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 1);
	assert_true(has_line("daymark_db_statements_total 2"));
	uint64_t kept = 0, dropped = metrics_memory()->dropped;
	for (size_t i = 0; i < METRICS_CELLS; i++)
		if (metrics_memory()->cells[i].key >> 56 == METRIC_REQUESTS)
			kept += (uint64_t)metrics_memory()->cells[i].value;
	assert_true(dropped > SERIES / 2);
	assert_int_equal(SERIES, kept + dropped);
}

static void half_of_the_cells_can_be_used_whatever_the_labels(void **state)
{
	(void)state;
	for (int place = 0; place < METRIC_LABELS_MAX; place++) {
		start_at_zero();
		for (uint16_t i = 0; i < METRICS_CELLS / 4; i++) {
			struct metric_labels labels = METRIC_UNLABELLED;
			labels.at[place] = i;
			metrics_add(METRIC_REQUESTS, labels, 1);
		}
		for (uint16_t i = 0; i < METRICS_CELLS / 64; i++)
			for (int64_t us = 1; us < INT64_C(1) << 26; us *= 2)
				metrics_observe(METRIC_REQUEST_TIME, METRIC_LABELS(i), us);
		assert_int_equal(0, metrics_memory()->dropped);
	}
}

static void a_damaged_file_is_printed_without_its_nonsense(void **state)
{
	(void)state;
	start_at_zero();
	memset(metrics_memory()->cells, 0xff, sizeof(metrics_memory()->cells) / 2);
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 1);
	assert_true(has_line("daymark_db_statements_total 1") || metrics_memory()->dropped == 1);
	assert_null(strstr(print(false, 0), "(null)"));
}

static void gauges_of_an_ended_checker_are_left_out(void **state)
{
	(void)state;
	start_at_zero();
	metrics_set(METRIC_CHECKER_LEASE, METRIC_UNLABELLED, 1);
	metrics_set(METRIC_PROCESSES, METRIC_LABELS(0), 1);
	assert_true(has_line("daymark_checker_lease 1"));
	/* After a restart of the machine the clock may be earlier than when the gauge was set. */
	const int64_t times_ms[] = { clock_ms() - METRICS_FRESH_S * 1000 - 1, clock_ms() + 60000 };
	uint64_t key = metrics_key(METRIC_CHECKER_LEASE, METRIC_UNLABELLED, METRICS_SET_AT);
	for (size_t i = 0; i < ARRAY_LEN(times_ms); i++) {
		for (size_t at = 0; at < METRICS_CELLS; at++)
			if (metrics_memory()->cells[at].key == key)
				metrics_memory()->cells[at].value = times_ms[i];
		assert_null(strstr(print(false, 0), "daymark_checker_lease"));
		assert_true(has_line("daymark_processes{role=\"0\"} 1"));
	}
	metrics_set(METRIC_CHECKER_LEASE, METRIC_UNLABELLED, 0);
	assert_true(has_line("daymark_checker_lease 0"));
}

static void each_row_has_a_name_and_a_text(void **state)
{
	(void)state;
	for (size_t i = METRIC_NONE + 1; i < METRICS; i++) {
		const struct metric_row *row = &metrics_rows[i];
		assert_non_null(row->name);
		assert_true(strncmp(row->name, "daymark_", 8) == 0);
		assert_true(strlen(row->help) > 10);
		assert_null(strstr(row->name, "_total"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_counted_before_the_file_is_open),
		cmocka_unit_test(each_kind_is_printed),
		cmocka_unit_test(a_histogram_has_each_time_in_its_bucket),
		cmocka_unit_test(hostile_names_stay_inside_their_label),
		cmocka_unit_test(processes_count_to_the_exact_sum),
		cmocka_unit_test(a_truncated_file_ends_no_process),
		cmocka_unit_test(a_fault_elsewhere_still_ends_the_process),
		cmocka_unit_test(a_removed_file_is_made_again_with_its_values),
		cmocka_unit_test(a_new_file_takes_all_processes_along),
		cmocka_unit_test(all_space_is_allocated_and_a_full_disk_only_delays_the_file),
		cmocka_unit_test(a_file_of_nonsense_is_made_again),
		cmocka_unit_test(only_the_service_replaces_the_file_of_another_version),
		cmocka_unit_test(what_has_no_room_is_dropped_and_counted),
		cmocka_unit_test(half_of_the_cells_can_be_used_whatever_the_labels),
		cmocka_unit_test(a_damaged_file_is_printed_without_its_nonsense),
		cmocka_unit_test(gauges_of_an_ended_checker_are_left_out),
		cmocka_unit_test(each_row_has_a_name_and_a_text),
	};
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
