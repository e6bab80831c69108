/* Writers of one page at once: each page is published once for all that wait. */
#include "integration/lib/service.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/incidents.h"
#include "service/status_pages.h"

enum { WRITERS = 8, ROUNDS = 6, TEXT_MAX = 64 };

#define INDEX "public/s/p/index.html"

static int64_t account, page;

/* A writer has what a thread of the service has of its own. */
struct writer {
	pthread_t thread;
	int number;
	int rounds;
	bool is_of_page; /* changes the page, else its own incident */
	int64_t incident;
	struct service service;
	struct arena arena;
	struct violations violations;
	struct error error;
	enum result result;
	bool is_late; /* a change was not on the disk when its call returned */
};

static bool disk_shows(const char *text, struct arena *memory)
{
	char path[512];
	char *content = arena_alloc(memory, 256 << 10);
	snprintf(path, sizeof(path), "%s/%s", config.pages_dir, INDEX);
	int fd = open(path, O_RDONLY);
	ssize_t length = fd < 0 ? 0 : read(fd, content, (256 << 10) - 1);
	if (fd >= 0)
		close(fd);
	content[length > 0 ? length : 0] = '\0';
	return strstr(content, text) != NULL;
}

static enum result write_comment(struct writer *writer, const char *text)
{
	struct incident incident;
	const struct incident_update update = { .input = { .comment = text },
						.sent = INCIDENT_SENT_COMMENT };
	return service_update_incident(&writer->service, writer->incident, &update, &incident);
}

static enum result write_name(struct writer *writer, const char *text)
{
	struct status_page changed;
	struct status_page_change change = { .input = { .name = text },
					     .sent = status_page_sent_bit("name") };
	return service_update_status_page(&writer->service, page, &change, &changed);
}

static void *run_writer(void *argument)
{
	struct writer *writer = argument;
	char text[TEXT_MAX];
	for (int i = 0; i < writer->rounds && writer->result == OK; i++) {
		arena_reset(&writer->arena);
		writer->service.events = (struct service_events){ 0 };
		writer->service.publishing.result = OK;
		snprintf(text, sizeof(text), "text-%d-%d-end", writer->number, i);
		writer->result = writer->is_of_page ? write_name(writer, text)
						    : write_comment(writer, text);
		if (writer->result == OK)
			writer->result = writer->service.publishing.result;
		/* The name of a page may have been replaced by a later writer. */
		if (!writer->is_of_page)
			writer->is_late |= !disk_shows(text, &writer->arena);
	}
	return NULL;
}

static void start_writer(struct writer *writer, int number, int rounds)
{
	writer->number = number;
	writer->rounds = rounds;
	arena_init(&writer->arena, 16 << 20);
	writer->service = service;
	writer->service.db = database_connect();
	writer->service.arena = &writer->arena;
	writer->service.error = &writer->error;
	writer->service.violations = &writer->violations;
	violations_init(&writer->violations, &writer->arena);
	assert_int_equal(pthread_create(&writer->thread, NULL, run_writer, writer), 0);
}

/* Ends the writers; gives the number of times that the page was written. */
static size_t join_writers(struct writer *writers)
{
	size_t written = 0;
	for (int i = 0; i < WRITERS; i++) {
		pthread_join(writers[i].thread, NULL);
		written += writers[i].service.publishing.written;
		db_free(writers[i].service.db);
		arena_done(&writers[i].arena);
	}
	return written;
}

/* The page "p" with a monitor for each writer, and an open incident of each. */
static void make_page(struct writer *writers)
{
	memset(writers, 0, WRITERS * sizeof(*writers));
	account = add_account("one");
	page = add_page(account, "p");
	for (int i = 0; i < WRITERS; i++) {
		int64_t monitor = add_monitor(account, arena_printf(&arena, "m%d", i));
		show_monitor(page, monitor, i);
		writers[i].incident = execute(
			"INSERT INTO incidents (account_id, monitor_id, title, cause, started_at, "
			"created_at, updated_at) VALUES (%ld, %ld, 'The title', 'The cause', "
			"'2026-03-04 00:00:00', '2026-03-04 00:00:00', '2026-03-04 00:00:00')",
			(long)account, (long)monitor);
	}
	act_as_key(account);
	config.threads = 2 * WRITERS;
}

/* How many threads of this process wait for a lock of the file. */
static int count_waiting(const char *path)
{
	char line[256], process[32], name[64];
	struct stat status;
	int count = 0;
	assert_int_equal(stat(path, &status), 0);
	/* Files of other file systems may have the same number; no test of another process counts.
	 */
	snprintf(process, sizeof(process), " %d ", (int)getpid());
	snprintf(name, sizeof(name), ":%lu ", (unsigned long)status.st_ino);
	FILE *locks = fopen("/proc/locks", "r");
	assert_non_null(locks);
	while (fgets(line, sizeof(line), locks))
		count += strstr(line, "-> FLOCK") && strstr(line, process) && strstr(line, name);
	fclose(locks);
	return count;
}

/* Starts the writers while another publisher has the page, and lets them go when all wait. */
static size_t write_while_busy(struct writer *writers)
{
	struct pages_dir dir;
	struct pages_lock lock;
	assert_ok(pages_dir_open(&dir, config.pages_dir, &error));
	assert_ok(pages_dir_lock_page(&dir, page, &lock, &error));
	const char *path =
		arena_printf(&arena, "%s/lock/page-%02d", config.pages_dir, (int)(page % 64));
	for (int i = 0; i < WRITERS; i++)
		start_writer(&writers[i], i, 1);
	/* One reading of /proc/locks may lack or repeat lines while other programs lock files. */
	int waiting = 0;
	for (int i = 0; i < 2000 && waiting != WRITERS; i++, usleep(10000))
		waiting = count_waiting(path);
	assert_int_equal(waiting, WRITERS);
	pages_dir_unlock(&lock);
	pages_dir_close(&dir);
	return join_writers(writers);
}

static void check_writers(const struct writer *writers, enum result expected)
{
	for (int i = 0; i < WRITERS; i++) {
		if (writers[i].result != expected)
			fail_msg("writer %d: %s", i, error_text(&writers[i].error));
		assert_false(expected == OK && writers[i].is_late);
	}
}

static void writers_that_wait_are_published_by_the_first(void **state)
{
	static struct writer writers[WRITERS];
	(void)state;
	make_page(writers);
	assert_int_equal(write_while_busy(writers), 1);
	check_writers(writers, OK);
	assert_rows("0", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
}

static void changes_of_the_page_itself_join_too(void **state)
{
	static struct writer writers[WRITERS];
	(void)state;
	make_page(writers);
	for (int i = 0; i < WRITERS; i++)
		writers[i].is_of_page = true;
	assert_int_equal(write_while_busy(writers), 1);
	check_writers(writers, OK);
	assert_published(INDEX, select_text("SELECT name FROM status_pages"));
}

static void each_writer_learns_of_a_failure(void **state)
{
	static struct writer writers[WRITERS];
	(void)state;
	make_page(writers);
	const char *folder = arena_printf(&arena, "%s/public", config.pages_dir);
	assert_int_equal(mkdir(folder, 0755), 0);
	folder = arena_printf(&arena, "%s/s", folder);
	assert_int_equal(mkdir(folder, 0755), 0);
	/* A file stands where the page's folder has to be. */
	int fd = open(arena_printf(&arena, "%s/p", folder), O_CREAT | O_WRONLY, 0644);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(write_while_busy(writers), 0);
	check_writers(writers, E_FAILED);
	assert_rows("1", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
}

static void what_a_call_has_changed_is_on_the_disk_when_it_returns(void **state)
{
	static struct writer writers[WRITERS];
	(void)state;
	make_page(writers);
	for (int i = 0; i < WRITERS; i++)
		start_writer(&writers[i], i, ROUNDS);
	size_t written = join_writers(writers);
	check_writers(writers, OK);
	assert_in_range(written, 1, WRITERS * ROUNDS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(writers_that_wait_are_published_by_the_first),
		SERVICE_TEST(changes_of_the_page_itself_join_too),
		SERVICE_TEST(each_writer_learns_of_a_failure),
		SERVICE_TEST(what_a_call_has_changed_is_on_the_disk_when_it_returns),
	};
	return RUN_ON_DATABASE(tests);
}
