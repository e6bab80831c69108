#include "integration/lib/database.h"

#include <mysql.h>
#include <stdlib.h>

#include "db/db.h"
#include "store/incident/incident_write.h"
#include "store/schema/migration.h"

enum { QUERY_MAX_BYTES = 8192, TEXT_MAX_BYTES = 64 << 10, TEXTS = 8 };

#define DATABASE "daymark_integration"

struct db *db;
struct error error;

const struct principal tester = { .type = PRINCIPAL_KEY,
				  .role = ROLE_OWNER,
				  .id = 7,
				  .label = "test",
				  .address = "192.0.2.7",
				  .request_id = "request-9" };

static MYSQL *looker;

static void connect_looker(const char *socket)
{
	looker = mysql_init(NULL);
	if (!looker || !mysql_real_connect(looker, NULL, "root", "", NULL, 0, socket, 0))
		fail_msg("no connection: %s", looker ? mysql_error(looker) : "out of memory");
	execute("CREATE DATABASE IF NOT EXISTS " DATABASE
		" CHARACTER SET utf8mb4 COLLATE " CONFIG_COLLATION);
	if (mysql_select_db(looker, DATABASE) != 0)
		fail_msg("%s", mysql_error(looker));
	execute("SET NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci, time_zone = '+00:00'");
}

/* Programs that run one after another share the tables. */
static void migrate(void)
{
	struct migration_list list;
	assert_ok(migration_list(db, &arena, &list, &error));
	for (size_t i = 0; i < list.count; i++)
		if (list.rows[i].state != MIGRATION_APPLIED)
			assert_ok(migration_apply(db, &arena, &list.rows[i], CONFIG_COLLATION,
						  clock_now(), &error));
}

struct db *database_connect(void)
{
	const struct db_login login = { .socket = getenv("DAYMARK_TEST_SOCKET"),
					.name = DATABASE,
					.user = "root",
					.password = "",
					.timeout_s = 10,
					.io_timeout_s = 30 };
	return db_new(&login);
}

int database_open(void **state)
{
	const char *socket = getenv("DAYMARK_TEST_SOCKET");
	(void)state;
	if (!socket)
		fail_msg("DAYMARK_TEST_SOCKET is not set: use tests/integration/run");
	arena_init(&arena, 256 << 20);
	connect_looker(socket);
	db = database_connect();
	migrate();
	return 0;
}

int database_close(void **state)
{
	(void)state;
	db_free(db);
	mysql_close(looker);
	mysql_library_end();
	arena_done(&arena);
	return 0;
}

int database_clear(void **state)
{
	(void)state;
	/* A test that failed may have left a transaction. */
	execute("ROLLBACK");
	/* Rows of an account are deleted with the account. */
	execute("DELETE FROM status_pages");
	execute("DELETE FROM monitors");
	execute("DELETE FROM accounts");
	execute("DELETE FROM users");
	execute("DELETE FROM page_revisions");
	execute("DELETE FROM events");
	execute("UPDATE event_horizon SET counted_id = 0, next_id = 0, next_at = NULL");
	execute("DELETE FROM secrets");
	execute("DELETE FROM monitor_hours");
	execute("DELETE FROM monitor_days");
	execute("DELETE FROM check_locations");
	error = (struct error){ 0 };
	return 0;
}

PRINTF_LIKE(1, 0) static void run_query(const char *format, va_list args)
{
	char query[QUERY_MAX_BYTES];
	int length = vsnprintf(query, sizeof(query), format, args);
	assert_in_range(length, 1, sizeof(query) - 1);
	if (mysql_real_query(looker, query, (unsigned long)length) != 0)
		fail_msg("%s\n%s", mysql_error(looker), query);
}

int64_t execute(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	run_query(format, args);
	va_end(args);
	return (int64_t)mysql_insert_id(looker);
}

static const char *result_text(void)
{
	static char texts[TEXTS][TEXT_MAX_BYTES];
	static size_t next;
	char *text = texts[next++ % TEXTS];
	size_t used = 0;
	MYSQL_RES *result = mysql_store_result(looker);
	assert_non_null(result);
	unsigned columns = mysql_num_fields(result);
	text[0] = '\0';
	for (MYSQL_ROW row; (row = mysql_fetch_row(result));)
		for (unsigned i = 0; i < columns; i++) {
			const char *before = i > 0 ? "|" : used > 0 ? "\n" : "";
			used += (size_t)snprintf(text + used, TEXT_MAX_BYTES - used, "%s%s", before,
						 row[i] ? row[i] : "-");
			assert_in_range(used, 0, TEXT_MAX_BYTES - 1);
		}
	mysql_free_result(result);
	return text;
}

const char *select_text(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	run_query(format, args);
	va_end(args);
	return result_text();
}

int64_t select_number(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	run_query(format, args);
	va_end(args);
	return strtoll(result_text(), NULL, 10);
}

void check_result(enum result result, enum result expected, const char *call, const char *file,
		  int line)
{
	if (result == expected)
		return;
	print_error("%s:%d: %s gives %d, not %d: %s / %s\n", file, line, call, result, expected,
		    error.client, error.log);
	_fail(file, line);
}

struct instant at(int day, int hour)
{
	char text[INSTANT_TEXT_SIZE];
	struct instant moment = { 0 };
	int length = snprintf(text, sizeof(text), "2026-03-%02dT%02d:00:00Z", day, hour);
	assert_true(instant_parse((struct str){ text, (size_t)length }, &moment));
	return moment;
}

int64_t add_account(const char *name)
{
	int64_t id = execute("INSERT INTO accounts (name, created_at) "
			     "VALUES ('%s', '2026-01-01 00:00:00')",
			     name);
	execute("INSERT INTO account_usage (account_id, quota) VALUES (%1$ld, 'status_pages'), "
		"(%1$ld, 'monitors'), (%1$ld, 'incidents'), (%1$ld, 'uploads'), "
		"(%1$ld, 'responses'), (%1$ld, 'keys')",
		(long)id);
	return id;
}

int64_t add_monitor(int64_t account, const char *name)
{
	return execute("INSERT INTO monitors (account_id, name, url, created_at, updated_at) "
		       "VALUES (%ld, '%s', 'https://%s.example/', '2026-01-02 00:00:00', "
		       "'2026-01-03 00:00:00')",
		       (long)account, name, name);
}

int64_t add_page(int64_t account, const char *slug)
{
	int64_t id = execute("INSERT INTO status_pages (account_id, name, slug, created_at, "
			     "updated_at) VALUES (%ld, 'Page %s', '%s', '2026-01-04 00:00:00', "
			     "'2026-01-05 00:00:00')",
			     (long)account, slug, slug);
	execute("INSERT INTO page_revisions (page_id, account_id, changed_at) "
		"VALUES (%ld, %ld, '2026-01-05 00:00:00')",
		(long)id, (long)account);
	return id;
}

void show_monitor(int64_t page, int64_t monitor, int position)
{
	execute("INSERT INTO status_page_monitors (status_page_id, monitor_id, position) "
		"VALUES (%ld, %ld, %d)",
		(long)page, (long)monitor, position);
}

int64_t rows_read(void)
{
	struct status {
		int64_t total;
	} status = { 0 };
	static const struct field rows[] = { FIELD(struct status, total) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT CAST(SUM(VARIABLE_VALUE) AS SIGNED) AS total "
			    "FROM information_schema.SESSION_STATUS "
			    "WHERE VARIABLE_NAME LIKE 'HANDLER_READ%'"));
	assert_ok(db_read_one(db, &sql, FIELDS(rows), &status, &arena, &error));
	return status.total;
}

int64_t all_rows_read(void)
{
	return select_number("SELECT CAST(SUM(variable_value) AS SIGNED) "
			     "FROM information_schema.global_status "
			     "WHERE variable_name LIKE 'HANDLER_READ%%'");
}

enum result write_incident(const struct incident *before, struct incident *after,
			   struct instant now)
{
	struct incident_change change = { .before = before, .after = after };
	struct incident_set set = { .db = db,
				    .account_id = after ? after->account_id : before->account_id,
				    .now = now,
				    .error = &error,
				    .rows = &change,
				    .count = 1 };
	assert_ok(db_begin(db, DB_WRITE, &error));
	enum result result = before ? OK : incident_write_rows(&set);
	if (result == OK)
		result = incident_write_all(&set);
	if (result == OK)
		assert_ok(db_commit(db, &error));
	else
		db_rollback(db);
	return result;
}
