/* Writers of one page at once: each page is published once for all that wait. */
#include "integration/lib/service.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "service/incident/incidents.h"
#include "service/page/status_pages.h"

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
	struct incident_resource incident;
	const struct incident_update update = { .input = { .comment = text },
						.sent = FIELD_SET(INCIDENT_SENT_COMMENT) };
	return service_update_incident(&writer->service, writer->incident, &update, &incident);
}

static enum result write_name(struct writer *writer, const char *text)
{
	struct status_page changed;
	struct status_page_change change = { .input = { .name = text },
					     .sent = FIELD_SET(status_page_place("name")) };
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

/* Keeps the page locked for much longer than a request may wait, unless it is told to stop. */
struct holder {
	pthread_t thread;
	struct pages_dir dir;
	struct pages_lock lock;
	atomic_bool is_over;
};

static void *hold_page(void *argument)
{
	enum { TIMES = 20, GRACE_MS = 500 };
	struct holder *holder = argument;
	int64_t until_ms = clock_ms() + TIMES * GRACE_MS;
	while (!holder->is_over && clock_ms() < until_ms)
		usleep(1000);
	pages_dir_unlock(&holder->lock);
	return NULL;
}

static void start_holder(struct holder *holder)
{
	holder->is_over = false;
	assert_ok(pages_dir_open(&holder->dir, config.pages_dir, &error));
	assert_ok(pages_dir_lock_page(&holder->dir, page, &holder->lock, &error));
	assert_int_equal(pthread_create(&holder->thread, NULL, hold_page, holder), 0);
}

static void end_holder(struct holder *holder)
{
	holder->is_over = true;
	pthread_join(holder->thread, NULL);
	pages_dir_close(&holder->dir);
}

/* The next request begins. */
static void renew_service(void)
{
	service.publishing = (struct service_publishing){ .is_bounded = true };
	config.publish_in_request_ms = 0;
}

static void a_request_leaves_what_others_have_locked(void **state)
{
	static struct writer writers[WRITERS];
	static struct holder holder;
	struct incident_resource incident;
	struct status_page changed;
	(void)state;
	make_page(writers);
	assert_ok(service_finish_publishing(&service, &error));
	struct status_page_change renamed = { .input = { .slug = "new-name" },
					      .sent = FIELD_SET(status_page_place("slug")) };
	struct status_page_change reworded = { .input = { .name = "Reworded" },
					       .sent = FIELD_SET(status_page_place("name")) };
	const struct incident_update update = { .input = { .comment = "Later" },
						.sent = FIELD_SET(INCIDENT_SENT_COMMENT) };
	/* The page of a changed incident, then the page itself, and an address that is given up. */
	for (int i = 0; i < 3; i++) {
		config.publish_in_request_ms = 60000;
		service.publishing = (struct service_publishing){ .is_bounded = true };
		assert_ok(service_update_status_page(
			&service, page,
			&(struct status_page_change){
				.input = { .name = "Before" },
				.sent = FIELD_SET(status_page_place("name")) },
			&changed));
		start_holder(&holder);
		renew_service();
		if (i == 0)
			assert_ok(service_update_incident(&service, writers[0].incident, &update,
							  &incident));
		else
			assert_ok(service_update_status_page(
				&service, page, i == 1 ? &reworded : &renamed, &changed));
		assert_false(holder.is_over);
		assert_true(service.publishing.is_pending);
		assert_int_equal(service.publishing.result, OK);
		assert_int_equal(service.publishing.written, 0);
		end_holder(&holder);
		assert_ok(service_finish_publishing(&service, &error));
		/* The worker publishes the page, but for the address that is given up. */
		assert_rows(i == 2 ? "0" : "1", "SELECT COUNT(*) FROM page_revisions "
						"WHERE unpublished_since IS NOT NULL");
	}
}

/* Nobody else looks for them within the next second. */
static void files_of_a_page_that_a_request_has_left_go_after_its_response(void **state)
{
	static struct writer writers[WRITERS];
	static struct holder holder;
	struct status_page changed;
	(void)state;
	make_page(writers);
	renew_service();
	assert_int_equal(write_name(&(struct writer){ .service = service }, "First"), OK);
	assert_true(is_published(INDEX));
	start_holder(&holder);
	renew_service();
	assert_ok(service_delete_status_page(&service, page, &changed));
	assert_true(service.publishing.is_pending);
	assert_true(is_published(INDEX));
	end_holder(&holder);
	assert_ok(service_finish_publishing(&service, &error));
	assert_false(is_published("public/s/p"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(writers_that_wait_are_published_by_the_first),
		SERVICE_TEST(changes_of_the_page_itself_join_too),
		SERVICE_TEST(each_writer_learns_of_a_failure),
		SERVICE_TEST(what_a_call_has_changed_is_on_the_disk_when_it_returns),
		SERVICE_TEST(a_request_leaves_what_others_have_locked),
		SERVICE_TEST(files_of_a_page_that_a_request_has_left_go_after_its_response),
	};
	return RUN_ON_DATABASE(tests);
}
