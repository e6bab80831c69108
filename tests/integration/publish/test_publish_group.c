/* Pages that are published together: the same files as one by one, by fewer statements. */
#include "integration/lib/pages.h"

#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "domain/page/page_snapshot.h"
#include "publish/publish.h"

enum { FILE_MAX = 1 << 20 };

static char together[FOLDER_MAX_BYTES], singly[FOLDER_MAX_BYTES];

static int group_start(void **state)
{
	make_pages_folder(together);
	make_pages_folder(singly);
	return database_clear(state);
}

#define GROUP_TEST(function) cmocka_unit_test_setup(function, group_start)

static struct publisher publisher_to(const char *path)
{
	struct publisher all = publisher();
	all.path = path;
	all.now = at(20, 10);
	return all;
}

struct pages {
	struct publish_order orders[PUBLISH_GROUP_MAX];
	struct publish_outcome outcomes[PUBLISH_GROUP_MAX];
	size_t count;
};

static int64_t add_to(struct pages *pages, int64_t account, const char *slug)
{
	assert_in_range(pages->count, 0, PUBLISH_GROUP_MAX - 1);
	int64_t page = add_page(account, slug);
	pages->orders[pages->count++] = (struct publish_order){ .page_id = page };
	return page;
}

static void publish_together(struct pages *pages)
{
	const struct publisher all = publisher_to(together);
	publish_group(&all, pages->orders, pages->count, pages->outcomes);
	for (size_t i = 0; i < pages->count; i++)
		if (pages->outcomes[i].result != OK)
			fail_msg("page %zu: %s", i, error_text(&pages->outcomes[i].error));
}

static void publish_singly(const struct pages *pages)
{
	const struct publisher all = publisher_to(singly);
	for (size_t i = 0; i < pages->count; i++)
		assert_ok(publish_page(&all, &pages->orders[i], &error));
}

static size_t read_file(const char *path, char *text)
{
	int fd = open(path, O_RDONLY);
	if (fd < 0)
		fail_msg("%s is not there", path);
	ssize_t length = read(fd, text, FILE_MAX);
	close(fd);
	assert_in_range(length, 0, FILE_MAX - 1);
	return (size_t)length;
}

/* Cuts the stamps off the lines of a note: "file NAME DIGEST STAMP STAMP". */
static size_t without_stamps(char *text, size_t length)
{
	char *to = text;
	text[length] = '\0';
	for (char *line = text, *next; *line; line = next) {
		int kept = 0;
		next = line + strcspn(line, "\n") + 1;
		if (sscanf(line, "file %*s %*s%n", &kept) < 0 || kept == 0)
			kept = (int)(next - line);
		memmove(to, line, (size_t)kept);
		to += kept;
	}
	return (size_t)(to - text);
}

/* Cuts off what only tells versions of one second apart: empty lines, and the comment of a twin. */
static size_t without_padding(const char *path, char *text, size_t length)
{
	enum { HEADER_BYTES = 10, FLAGS_AT = 3, HAS_COMMENT = 0x10 };
	while (length > 0 && text[length - 1] == '\n')
		length--;
	if (!strstr(path, ".gz") || !(text[FLAGS_AT] & HAS_COMMENT))
		return length;
	size_t comment = strlen(text + HEADER_BYTES) + 1;
	memmove(text + HEADER_BYTES, text + HEADER_BYTES + comment,
		length - HEADER_BYTES - comment);
	text[FLAGS_AT] &= ~HAS_COMMENT;
	return length - comment;
}

static size_t read_page_file(const char *path, char *text)
{
	size_t length = read_file(path, text);
	if (strstr(path, "/state/"))
		return without_stamps(text, length);
	return without_padding(path, text, length);
}

/* Whether it is the twin of files of which one has more empty lines. */
static bool is_twin_of_padded(const char *path, const char *other)
{
	size_t name = strlen(path) - strlen(".gz"), other_name = strlen(other) - strlen(".gz");
	struct stat left, right;
	return strcmp(path + name, ".gz") == 0 &&
	       stat(arena_strndup(&arena, path, name), &left) == 0 &&
	       stat(arena_strndup(&arena, other, other_name), &right) == 0 &&
	       left.st_size != right.st_size;
}

static size_t files_seen, files_compared;

static int count_file(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)path;
	(void)status;
	(void)walk;
	files_seen += type == FTW_F;
	return 0;
}

static int compare_file(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	static char left[FILE_MAX], right[FILE_MAX];
	char other[512];
	(void)status;
	(void)walk;
	if (type != FTW_F)
		return 0;
	snprintf(other, sizeof(other), "%s%s", singly, path + strlen(together));
	files_compared++;
	if (is_twin_of_padded(path, other))
		return 0;
	size_t length = read_page_file(path, left);
	if (length != read_page_file(other, right) || memcmp(left, right, length) != 0)
		fail_msg("%s differs", path);
	return 0;
}

static void assert_same_files(void)
{
	files_seen = files_compared = 0;
	assert_int_equal(nftw(together, compare_file, 16, FTW_PHYS), 0);
	assert_int_equal(nftw(singly, count_file, 16, FTW_PHYS), 0);
	assert_int_equal(files_compared, files_seen);
}

/* Monitors of the account, named from a number on; the first has that id. */
static int64_t add_monitors(int64_t account, int count)
{
	int64_t first = add_monitor(account, arena_printf(&arena, "first of %d", count));
	execute("INSERT INTO monitors (id, account_id, name, url, created_at, updated_at) "
		"SELECT %ld + seq, %ld, CONCAT('m', seq), 'https://m.test/', '2026-01-02', "
		"'2026-01-03' FROM seq_1_to_%d WHERE seq < %d",
		(long)first, (long)account, count, count);
	execute("UPDATE monitors SET known_since = '2025-01-01 00:00:00'");
	return first;
}

static void show_monitors(int64_t page, int64_t first, int count)
{
	execute("INSERT INTO status_page_monitors (status_page_id, monitor_id, position) "
		"SELECT %ld, %ld + seq - 1, seq FROM seq_1_to_%d",
		(long)page, (long)first, count);
}

/* `count` incidents of each of the monitors, the newest at that time, each before by `minutes`. */
static void add_incidents(int64_t first, int monitors, int count, const char *newest, int minutes)
{
	execute("INSERT INTO incidents (account_id, monitor_id, title, cause, comment, started_at, "
		"ended_at, created_at, updated_at) "
		"SELECT m.account_id, m.id, IF(s.seq %% 2 = 0, 'A title', NULL), "
		"CONCAT('Cause ', s.seq), IF(s.seq %% 3 = 0, CONCAT('Comment ', s.seq), NULL), "
		"'%s' - INTERVAL s.seq * %d MINUTE, '%s' - INTERVAL s.seq * %d - 1 MINUTE, NOW(), "
		"'2026-03-19 00:00:00' FROM monitors m, seq_1_to_%d s WHERE m.id >= %ld AND m.id < "
		"%ld",
		newest, minutes, newest, minutes, count, (long)first, (long)first + monitors);
	execute("REPLACE INTO incident_months (monitor_id, month, revision) SELECT monitor_id, "
		"DATE_FORMAT(started_at, '%%Y-%%m-01') AS its_month, COUNT(*) FROM incidents "
		"GROUP BY monitor_id, its_month");
	execute("REPLACE INTO incident_counts (monitor_id, status, account_id, total) "
		"SELECT monitor_id, 2, MIN(account_id), COUNT(*) FROM incidents GROUP BY "
		"monitor_id");
}

static void open_incident(int64_t monitor)
{
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) SELECT account_id, id, 'It is down', '2026-03-19 00:00:00', NOW(), "
		"'2026-03-19 00:00:00' FROM monitors WHERE id = %ld",
		(long)monitor);
}

static void files_are_the_same_as_one_by_one(void **state)
{
	struct pages pages = { 0 };
	(void)state;
	int64_t account = add_account("one");
	int64_t busy = add_monitors(account, 5), quiet = add_monitors(account, 3),
		old = add_monitors(account, 4), many = add_monitors(account, 1000);
	add_incidents(busy, 5, 400, "2026-03-20 09:00:00", 700);
	add_incidents(quiet, 3, 2, "2026-03-18 00:00:00", 90);
	add_incidents(old, 4, 60, "2025-06-01 00:00:00", 3000);
	open_incident(quiet);
	open_incident(many + 700);
	execute("UPDATE monitors SET retired_at = NOW() WHERE id IN (%ld, %ld)", (long)busy + 1,
		(long)many + 5);
	add_to(&pages, account, "none");
	show_monitors(add_to(&pages, account, "busy"), busy, 5);
	show_monitors(add_to(&pages, account, "quiet"), quiet, 3);
	show_monitors(add_to(&pages, account, "old"), old, 4);
	show_monitors(add_to(&pages, account, "half"), busy + 3, 6);
	show_monitors(add_to(&pages, account, "many"), many, 1000);
	show_monitors(add_to(&pages, account, "private"), busy, 2);
	show_monitors(add_to(&pages, account, "password"), quiet, 2);
	show_monitors(add_to(&pages, account, "noindex"), old, 2);
	show_monitors(add_to(&pages, account, "domain"), busy, 3);
	execute("UPDATE status_pages SET privacy = 1 WHERE slug = 'private'");
	execute("UPDATE status_pages SET privacy = 2, password_hash = 'h' WHERE slug = 'password'");
	execute("UPDATE status_pages SET noindex = 1, show_causes = 1 WHERE slug = 'noindex'");
	execute("UPDATE status_pages SET domain = 'page.test', domain_proven_at = NOW(), "
		"custom_css = 'b{}' WHERE slug = 'domain'");
	publish_together(&pages);
	publish_singly(&pages);
	assert_same_files();
	assert_in_range(files_compared, 100, 10000);
	/* And so is the next version, for which the disk has most files. */
	open_incident(old);
	execute("UPDATE incident_months SET revision = revision + 1 WHERE monitor_id = %ld",
		(long)old);
	execute("UPDATE page_revisions SET revision = revision + 1");
	publish_together(&pages);
	publish_singly(&pages);
	assert_same_files();
	assert_rows("0", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL "
			 "OR next_change_at < '2026-03-20 10:00:00'");
}

static uint64_t queries_of(struct pages *pages)
{
	uint64_t before = db_queries(db);
	publish_together(pages);
	return db_queries(db) - before;
}

/* START, pages, monitors, incidents, texts, months, ROLLBACK, and the mark. */
enum { STATEMENTS = 8 };

static void statements_do_not_rise_with_the_pages(void **state)
{
	struct pages all = { 0 };
	(void)state;
	int64_t account = add_account("one"), first = add_monitors(account, 40);
	add_incidents(first, 40, 3, "2026-03-18 00:00:00", 90);
	for (int i = 0; i < PUBLISH_GROUP_MAX; i++) {
		/* Some pages have the same lock. */
		if (i == PUBLISH_GROUP_MAX / 2)
			execute("ALTER TABLE status_pages AUTO_INCREMENT = %ld",
				(long)all.orders[0].page_id + 64);
		show_monitors(add_to(&all, account, arena_printf(&arena, "p%d", i)), first + i, 20);
	}
	assert_int_equal(pages_dir_lock_number(all.orders[0].page_id),
			 pages_dir_lock_number(all.orders[PUBLISH_GROUP_MAX / 2].page_id));
	struct pages one = all;
	one.count = 1;
	/* The months' pages are written once. */
	publish_together(&all);
	assert_int_equal(queries_of(&all), STATEMENTS);
	assert_int_equal(queries_of(&one), STATEMENTS);
}

/* The rows that one publish of a page of `monitors` reads; each has so many old incidents. */
static int64_t rows_of_page(int monitors, int incidents)
{
	struct pages pages = { 0 };
	int64_t account = add_account(arena_printf(&arena, "a%d-%d", monitors, incidents));
	int64_t first = add_monitors(account, monitors);
	/* The older ones are of one month, so that months differ by their sizes alone. */
	add_incidents(first, monitors, 3, "2026-03-18 00:00:00", 90);
	add_incidents(first, monitors, incidents, "2025-06-20 00:00:00", 1);
	show_monitors(add_to(&pages, account, arena_printf(&arena, "p%d-%d", monitors, incidents)),
		      first, monitors);
	(void)select_text("ANALYZE TABLE incidents");
	publish_together(&pages);
	int64_t before = all_rows_read();
	publish_together(&pages);
	return all_rows_read() - before;
}

static void old_incidents_cost_nothing(void **state)
{
	enum { SLACK = 20 };
	(void)state;
	for (int i = 0; i < 2; i++) {
		int monitors = i == 0 ? 5 : 20;
		int64_t few = rows_of_page(monitors, 100), many = rows_of_page(monitors, 500);
		if (many > few + SLACK)
			fail_msg("a page of %d monitors reads %ld rows of few incidents, %ld of "
				 "many",
				 monitors, (long)few, (long)many);
	}
}

static int64_t disk_tables(void)
{
	return select_number("SELECT CAST(variable_value AS SIGNED) "
			     "FROM information_schema.global_status "
			     "WHERE variable_name = 'CREATED_TMP_DISK_TABLES'");
}

static void a_publish_makes_no_table_on_the_database_s_disk(void **state)
{
	struct pages pages = { 0 };
	(void)state;
	int64_t account = add_account("one"), first = add_monitors(account, 5);
	add_incidents(first, 5, 20, "2026-03-18 00:00:00", 90);
	show_monitors(add_to(&pages, account, "p"), first, 5);
	publish_together(&pages);
	/* As after a comment: one month is written again. */
	execute("UPDATE incident_months SET revision = revision + 1 WHERE month = '2026-03-01'");
	execute("UPDATE page_revisions SET revision = revision + 1");
	int64_t before = disk_tables(), own = disk_tables() - before;
	publish_together(&pages);
	assert_int_equal(disk_tables() - before, 2 * own);
}

static void a_page_that_moves_is_published_with_the_others(void **state)
{
	struct pages pages = { 0 };
	char path[512];
	(void)state;
	int64_t account = add_account("one"), first = add_monitors(account, 2);
	show_monitors(add_to(&pages, account, "stays"), first, 2);
	show_monitors(add_to(&pages, account, "moves"), first, 2);
	add_to(&pages, account, "goes");
	publish_together(&pages);
	execute("UPDATE status_pages SET slug = 'moved' WHERE slug = 'moves'");
	execute("DELETE FROM status_pages WHERE slug = 'goes'");
	execute("UPDATE page_revisions SET revision = revision + 1");
	publish_together(&pages);
	static const char *const folders[] = { "stays", "moved", "moves", "goes" };
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		snprintf(path, sizeof(path), "%s/public/s/%s/index.html", together, folders[i]);
		assert_int_equal(access(path, F_OK) == 0, i < 2);
	}
}

/* Long updates of one page do not take the room of another's. */
static void each_page_has_its_updates(void **state)
{
	struct pages pages = { 0 };
	(void)state;
	int64_t account = add_account("one"), first = add_monitors(account, 2);
	add_incidents(first, 1, 25, "2026-03-18 00:00:00", 90);
	add_incidents(first + 1, 1, 1, "2026-03-18 00:00:00", 90);
	execute("INSERT INTO incident_updates (account_id, incident_id, phase, body, at) "
		"SELECT account_id, id, 0, IF(monitor_id = %ld, REPEAT('x', 10000), 'short'), "
		"started_at + INTERVAL seq SECOND FROM incidents JOIN seq_1_to_30",
		(long)first);
	execute("UPDATE incidents SET comment = 'x'");
	show_monitors(add_to(&pages, account, "long"), first, 1);
	show_monitors(add_to(&pages, account, "short"), first + 1, 1);
	publish_together(&pages);
	publish_singly(&pages);
	assert_same_files();
}

static void a_page_that_fails_fails_alone(void **state)
{
	struct pages pages = { 0 };
	char path[512];
	(void)state;
	int64_t account = add_account("one");
	add_to(&pages, account, "a");
	add_to(&pages, account, "b");
	add_to(&pages, account, "c");
	publish_together(&pages);
	execute("UPDATE status_pages SET slug = CONCAT(slug, '2') WHERE slug = 'b'");
	execute("UPDATE page_revisions SET revision = revision + 1, "
		"unpublished_since = '2026-03-20 09:00:00'");
	snprintf(path, sizeof(path), "%s/public/s/b2", together);
	int file = open(path, O_CREAT | O_WRONLY, 0644);
	assert_true(file >= 0);
	close(file);
	const struct publisher all = publisher_to(together);
	publish_group(&all, pages.orders, pages.count, pages.outcomes);
	assert_int_equal(pages.outcomes[0].result, OK);
	assert_int_equal(pages.outcomes[1].result, E_FAILED);
	assert_int_equal(pages.outcomes[2].result, OK);
	assert_rows("b2", "SELECT p.slug FROM " PAGES_AND_REVISIONS
			  " WHERE r.unpublished_since IS NOT NULL");
}

/* A long history is written in a group, too: its months together need more memory than the rows of
 * a group may, and each alone little. */
static void a_long_history_fails_in_no_group(void **state)
{
	enum { MONTHS = 24 };
	(void)state;
	struct pages pages = { .count = 0 };
	int64_t account = add_account("one"), first = add_to(&pages, account, "first"),
		web = add_monitor(account, "web");
	add_to(&pages, account, "second");
	show_monitor(first, web, 1);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) SELECT %ld, %ld, 'c', "
		"'2026-03-01' - INTERVAL m.seq MONTH + INTERVAL i.seq MINUTE, "
		"'2026-03-01' - INTERVAL m.seq MONTH + INTERVAL i.seq MINUTE, NOW(), NOW() "
		"FROM seq_1_to_%d m JOIN seq_1_to_%d i",
		(long)account, (long)web, MONTHS, PAGE_MONTH_INCIDENTS_MAX);
	execute("INSERT INTO incident_months (monitor_id, month, revision) "
		"SELECT monitor_id, DATE_FORMAT(started_at, '%%Y-%%m-01') AS its_month, 1 "
		"FROM incidents GROUP BY its_month");
	publish_together(&pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		GROUP_TEST(a_long_history_fails_in_no_group),
		GROUP_TEST(files_are_the_same_as_one_by_one),
		GROUP_TEST(statements_do_not_rise_with_the_pages),
		GROUP_TEST(old_incidents_cost_nothing),
		GROUP_TEST(a_publish_makes_no_table_on_the_database_s_disk),
		GROUP_TEST(a_page_that_moves_is_published_with_the_others),
		GROUP_TEST(each_page_has_its_updates),
		GROUP_TEST(a_page_that_fails_fails_alone),
	};
	return RUN_ON_DATABASE(tests);
}
