/*
 * What an update of an incident costs, in statements and in files: a feature that adds to it must
 * say so here.
 */
#include "integration/lib/service.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "service/incident/incidents.h"

enum { MONITORS = 20, INCIDENTS = 60, FILES_MAX = 400 };

#define FOLDER "public/s/p"

struct place {
	int64_t monitor, newest;
};

/* A page of 20 monitors, whose past incidents began in February and March. */
static struct place place(bool is_on_page)
{
	int64_t account = add_account("one"), page = add_page(account, "p"), monitors[MONITORS];
	struct place place = { 0 };
	for (int i = 0; i < MONITORS; i++) {
		monitors[i] = add_monitor(account, arena_printf(&arena, "m%d", i));
		if (is_on_page)
			show_monitor(page, monitors[i], i + 1);
	}
	for (int i = 0; i < INCIDENTS; i++) {
		char from[INSTANT_TEXT_SIZE], to[INSTANT_TEXT_SIZE];
		struct instant start = { at(4, 0).s - (INCIDENTS - i) * 43200 };
		place.monitor = monitors[i % MONITORS];
		place.newest =
			execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
				"ended_at, created_at, updated_at) VALUES (%ld, %ld, 'Timeout', "
				"LEFT('%s', 19), LEFT('%s', 19), NOW(), NOW())",
				(long)account, (long)place.monitor, instant_format(start, from),
				instant_format((struct instant){ start.s + 600 }, to));
	}
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"SELECT monitor_id, status, account_id, COUNT(*) FROM incidents "
		"GROUP BY monitor_id, status, account_id");
	execute("INSERT INTO incident_months (monitor_id, month, revision) "
		"SELECT monitor_id, DATE_FORMAT(started_at, '%%Y-%%m-01') AS month, 1 "
		"FROM incidents GROUP BY monitor_id, month");
	act_as_key(account);
	return place;
}

static void update_title(int64_t incident_id, const char *title)
{
	struct incident_resource incident;
	const struct incident_update update = { .input = { .title = title },
						.sent = FIELD_SET(INCIDENT_SENT_TITLE) };
	assert_ok(service_update_incident(&service, incident_id, &update, &incident));
}

struct listed_file {
	char name[64];
	ino_t inode;
};
struct listing {
	struct listed_file files[FILES_MAX];
	size_t count;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct listed_file *)a)->name, ((const struct listed_file *)b)->name);
}

static void list_files(struct listing *listing)
{
	const char *path = arena_printf(&arena, "%s/" FOLDER, config.pages_dir);
	DIR *folder = opendir(path);
	struct dirent *entry;
	struct stat status;
	assert_non_null(folder);
	listing->count = 0;
	while ((entry = readdir(folder))) {
		struct listed_file *file = &listing->files[listing->count];
		const char *extension = strrchr(entry->d_name, '.');
		/* Compressed twins belong to their files. */
		if (entry->d_name[0] == '.' || (extension && strcmp(extension, ".gz") == 0))
			continue;
		assert_true(listing->count++ < FILES_MAX);
		assert_int_equal(0, fstatat(dirfd(folder), entry->d_name, &status, 0));
		snprintf(file->name, sizeof(file->name), "%.63s", entry->d_name);
		file->inode = status.st_ino;
	}
	closedir(folder);
	qsort(listing->files, listing->count, sizeof(listing->files[0]), by_name);
}

/* The names of the files that were written between the listings. */
static const char *changed_files(const struct listing *before, const struct listing *after)
{
	const char *names = "";
	for (size_t i = 0; i < after->count; i++) {
		const struct listed_file *file = &after->files[i];
		const struct listed_file *former =
			bsearch(file, before->files, before->count, sizeof(*file), by_name);
		if (!former || former->inode != file->inode)
			names = arena_printf(&arena, "%s%s\n", names, file->name);
	}
	return names;
}

static void an_update_writes_the_files_that_show_it(void **state)
{
	(void)state;
	static struct listing before, after;
	struct place here = place(true);
	update_title(here.newest, "First");
	list_files(&before);
	uint64_t statements = db_queries(db);
	update_title(here.newest, "Second");
	statements = db_queries(db) - statements;
	list_files(&after);
	assert_string_equal(changed_files(&before, &after), arena_printf(&arena,
									 "2026-03.html\n"
									 "2026-03.incidents\n"
									 "feed.atom\n"
									 "feed.html\n"
									 "history.rss\n"
									 "incident-%lld.html\n"
									 "incidents.json\n"
									 "index.html\n"
									 "report-2026-03.csv\n"
									 "report-2026-03.html\n",
									 (long long)here.newest));
	assert_published(FOLDER "/2026-03.html", "Second");
	assert_published(FOLDER "/report-2026-03.csv", "Second");
	/*
	 * Six for the change: START, the incident, whether a page demands a second person, its row,
	 * the event, COMMIT. Of the page: which
	 * pages, START READ ONLY, the page, its monitors, the times, the texts, the months,
	 * ROLLBACK, the mark. The snapshot has the current month.
	 */
	assert_int_equal(15, statements);
}

static void an_update_on_no_page_costs_the_change_alone(void **state)
{
	(void)state;
	struct place here = place(false);
	uint64_t statements = db_queries(db);
	update_title(here.newest, "Shown nowhere");
	assert_int_equal(6, db_queries(db) - statements);
}

/* "2026-03 2026-02", of the pages of months that were written between the listings. */
static const char *changed_months(const struct listing *before, const struct listing *after)
{
	const char *names = "", *changed = changed_files(before, after);
	for (const char *line = changed; *line; line += strcspn(line, "\n") + 1)
		if (line[0] == '2' && strncmp(line + 7, ".html\n", 6) == 0)
			names = arena_printf(&arena, "%s %.7s", names, line);
	return names;
}

enum long_change { COMMENT, RENAME, RESOLVE, RENAME_PAST, DELETE };

static void change_long(int64_t id, enum long_change change)
{
	struct incident_resource incident;
	struct incident_update update = { .input = { .title = "Other" },
					  .sent = FIELD_SET(INCIDENT_SENT_TITLE) };
	bool is_new;
	if (change == COMMENT)
		update = (struct incident_update){ .input = { .comment = "Still on it" },
						   .sent = FIELD_SET(INCIDENT_SENT_COMMENT) };
	if (change == RENAME_PAST)
		update.input.title = "Third";
	if (change == RESOLVE)
		assert_ok(service_resolve_incident(&service,
						   &(struct incident_resolution){ id, 0, at(2, 3) },
						   &incident.row, &is_new));
	else if (change == DELETE)
		assert_ok(service_delete_incident(&service, id, &incident.row));
	else
		assert_ok(service_update_incident(&service, id, &update, &incident));
}

/* An outage from November to March: its months are written when what they say of it changes. */
static void a_long_incident_costs_its_months_only_when_they_change(void **state)
{
	static const struct {
		enum long_change change;
		const char *months;
	} rows[] = {
		{ COMMENT, " 2025-11" },
		{ RENAME, " 2025-11 2025-12 2026-01 2026-02 2026-03" },
		{ RESOLVE, " 2025-11 2025-12 2026-01 2026-02 2026-03" },
		{ RENAME_PAST, " 2025-11 2025-12 2026-01 2026-02 2026-03" },
		{ DELETE, " 2025-11 2025-12 2026-01 2026-02 2026-03" },
	};
	static struct listing before, after;
	(void)state;
	struct place here = place(true);
	int64_t monitor = select_number("SELECT MIN(id) FROM monitors");
	int64_t id = execute("INSERT INTO incidents (account_id, monitor_id, title, cause, "
			     "started_at, created_at, updated_at) SELECT account_id, id, 'Long', "
			     "'Timeout', '2025-11-07', NOW(), NOW() FROM monitors WHERE id = %ld",
			     (long)monitor);
	execute("INSERT INTO incident_months (monitor_id, month, revision) "
		"VALUES (%ld, '2025-11-01', 1)",
		(long)monitor);
	execute("UPDATE monitors SET known_since = '2025-11-07' WHERE id = %ld", (long)monitor);
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"SELECT id, 0, account_id, 1 FROM monitors WHERE id = %ld "
		"ON DUPLICATE KEY UPDATE total = total + 1",
		(long)monitor);
	update_title(here.newest, "First");
	assert_published(FOLDER "/2025-12.html", "has been open since 7 Nov 2025.");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		list_files(&before);
		change_long(id, rows[i].change);
		list_files(&after);
		if (strcmp(changed_months(&before, &after), rows[i].months) != 0)
			fail_msg("change %d:%s", (int)rows[i].change,
				 changed_months(&before, &after));
		if (rows[i].change == RENAME)
			assert_published(FOLDER "/2026-01.html", "Other</a> has been open since");
		if (rows[i].change == RESOLVE) {
			assert_published(FOLDER "/2026-01.html", "and went on.");
			assert_published(FOLDER "/2026-03.html", "and ended on this day.");
			assert_published(FOLDER "/index.html", "2026-02.html#day-2026-02-10");
		}
		if (rows[i].change == RENAME_PAST)
			assert_published(FOLDER "/2025-12.html", "Third</a> began on");
	}
	assert_rows("5",
		    "SELECT COUNT(*) FROM incident_months WHERE monitor_id = %ld "
		    "AND revision > 0 AND month BETWEEN '2025-11-01' AND '2026-03-01'",
		    (long)monitor);
	assert_published(FOLDER "/2026-01.html", "No incidents.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(an_update_writes_the_files_that_show_it),
		SERVICE_TEST(a_long_incident_costs_its_months_only_when_they_change),
		SERVICE_TEST(an_update_on_no_page_costs_the_change_alone),
	};
	return RUN_ON_DATABASE(tests);
}
