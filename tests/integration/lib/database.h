/*
 * A migrated MariaDB database for tests of the layers that use one. The functions under test
 * have `db`; the tests prepare and check rows through a second connection, in SQL that names
 * each column, so that it sees only what was committed.
 *
 * $DAYMARK_TEST_SOCKET names the server, which tests/integration/run starts.
 */
#ifndef INTEGRATION_LIB_DATABASE_H
#define INTEGRATION_LIB_DATABASE_H

#include "unit/lib/unit.h"

#include <stdio.h>

#include "db/db.h"
#include "domain/incident/incident.h"
#include "store/event.h"

extern struct db *db;
/* A further connection, for a thread of a test; to be freed by db_free(). */
struct db *database_connect(void);
extern struct error error;

int database_open(void **state);
int database_close(void **state);
/* Before each test: empties all tables except the epoch. */
int database_clear(void **state);

#define DATABASE_TEST(function)	   cmocka_unit_test_setup(function, database_clear)
#define RUN_ON_DATABASE(the_tests) cmocka_run_group_tests(the_tests, database_open, database_close)

/* Runs a statement through the second connection. Returns the id of an inserted row, or 0. */
int64_t execute(const char *format, ...) PRINTF_LIKE(1, 2);
/* The rows of a query: columns separated by '|', rows by a line feed, NULL as "-". */
const char *select_text(const char *format, ...) PRINTF_LIKE(1, 2);
/* The first column of the first row, as a number. */
int64_t select_number(const char *format, ...) PRINTF_LIKE(1, 2);
#define assert_rows(expected, ...) assert_string_equal(select_text(__VA_ARGS__), expected)

/* The call must end with this result; else the test shows the error's texts. */
#define assert_result(expected, call) check_result((call), (expected), #call, __FILE__, __LINE__)
#define assert_ok(call)		      assert_result(OK, call)
void check_result(enum result result, enum result expected, const char *call, const char *file,
		  int line);

/* Runs the call in a transaction of its own: committed when it is OK, else rolled back. */
#define assert_committed(call) assert_transaction(OK, call)
#define assert_transaction(expected, call) \
	do { \
		assert_ok(db_begin(db, DB_WRITE, &error)); \
		enum result outcome_ = (call); \
		if (outcome_ == OK) \
			assert_ok(db_commit(db, &error)); \
		else \
			db_rollback(db); \
		check_result(outcome_, (expected), #call, __FILE__, __LINE__); \
	} while (0)

/* A moment of 2026-03-DAY, and the same as SQL shows it: "2026-03-05 10:00:00". */
struct instant at(int day, int hour);

/* Pages `p` with their rows for publishing, `r`. */
#define PAGES_AND_REVISIONS "status_pages p JOIN page_revisions r ON r.page_id = p.id"

/* Key 7, "test", with an address and the id of a request: the actor of events. */
extern const struct principal tester;
#define EVENT_SOURCE_TEXT  "key|7|test|192.0.2.7|request-9"
#define EVENT_SOURCE_SHOWN "actor_type, actor_id, actor_label, address, request_id"

/* Rows that other rows belong to. Names and slugs must be unique in a test. */
int64_t add_account(const char *name);
int64_t add_monitor(int64_t account, const char *name);
int64_t add_page(int64_t account, const char *slug);
void show_monitor(int64_t page, int64_t monitor, int position);

/* The rows of tables and indexes that this connection has read so far. */
int64_t rows_read(void);
/* The same of all connections, counted by a statement of another connection. */
int64_t all_rows_read(void);

/* Writes one change in a transaction, as an operation does; `before` or `after` may be NULL. */
enum result write_incident(const struct incident *before, struct incident *after,
			   struct instant now);

#endif
