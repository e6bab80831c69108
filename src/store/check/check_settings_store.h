/*
 * The stored settings of checks. They are in the table monitor_checks, which has up to one row for
 * each monitor. A monitor without a row has the default settings.
 */
#ifndef STORE_CHECK_CHECK_SETTINGS_STORE_H
#define STORE_CHECK_CHECK_SETTINGS_STORE_H

#include "db/db.h"
#include "domain/monitor/monitor.h"
#include "store/columns.h"

/* For a SELECT on monitors with CHECK_JOIN: the columns of monitor_checks `k`, and their fields.
 * After the SELECT, call check_settings_complete(), which computes further members from these
 * columns. */
#define CHECK_JOIN "LEFT JOIN monitor_checks k ON k.monitor_id = m.id "
/* clang-format off */
#define CHECK_COLUMNS_READ \
	CHECK_FIELDS(COLUMN_SIDE, "k.") \
	"k.request_headers AS header_lines, k.request_auth_password AS sealed_password, " \
	"k.monitor_id AS check_id, "
#define CHECK_READ_ROWS \
	CHECK_FIELDS(COLUMN_SIDE_ROW, struct monitor) \
	FIELD(struct monitor, header_lines), FIELD(struct monitor, sealed_password), \
	FIELD(struct monitor, check_id),
/* clang-format on */
void check_settings_complete(struct monitor *rows, size_t count, struct arena *arena);

/* Stores the settings of the monitor. Its secrets must be sealed. Call it in the transaction that
 * has locked or added the monitor. */
enum result check_settings_put(struct db *db, const struct monitor *monitor, struct arena *arena,
			       struct error *error) MUST_USE;

/* A monitor that depends on another monitor. */
struct check_dependency {
	int64_t id;
	int64_t depends_on_id;
	int64_t found_id; /* depends_on_id; 0: the account has no such monitor, or that monitor is
			     retired */
};
struct check_dependencies {
	struct check_dependency *rows; /* sorted by id; owned by the arena */
	size_t count;
};
/*
 * Reads and locks all dependencies of the account. So if two transactions together would make a
 * circle, the second one sees the dependency that the first one has stored. Call it after the
 * settings are stored. One statement.
 */
enum result check_dependencies_read(struct db *db, int64_t account_id, struct arena *arena,
				    struct check_dependencies *list, struct error *error) MUST_USE;
enum check_dependency_state { DEPENDENCY_RIGHT, DEPENDENCY_UNKNOWN, DEPENDENCY_CIRCLE };
enum check_dependency_state check_dependency_state(const struct check_dependencies *list,
						   int64_t id);
/* Clears the dependencies on a monitor that is being removed or retired. */
enum result check_dependency_clear(struct db *db, int64_t account_id, int64_t id,
				   struct instant now, struct error *error) MUST_USE;

/* Clears the outage in the stored state of the checks. Call it if something other than a check ends
 * the incident of the outage. Sets *had if there was an outage. */
enum result check_outage_forget(struct db *db, int64_t monitor_id, struct instant now, bool *had,
				struct error *error) MUST_USE;

/* Returns the `owner` argument of secret_seal(). It names the account: a secret that was sealed for
 * an account cannot be opened for another account. */
struct str check_secret_owner(int64_t account_id, struct arena *arena);

/* A checked monitor, with its settings. */
struct stored_check {
	struct check_settings settings; /* with decrypted secrets */
	int64_t id;
	int64_t account_id;
	const char *name;
	bool is_paused;
	const char *header_lines; /* the stored text of the headers */
	const char *sealed_password;
};
struct stored_check_list {
	struct stored_check *rows; /* sorted by id; owned by the arena */
	size_t count;
};
/* A location whose checker runs on another machine, and the account that owns the location. */
struct check_location {
	int64_t id;
	int64_t account_id;
	const char *name;
};
/* The condition of SQL that a location must check the monitor `m`, whose settings are `k`.
 * check_location_bind() adds its arguments. */
#define CHECK_IS_OF_LOCATION \
	"m.account_id = ? AND FIND_IN_SET(?, REPLACE(k.locations, ' ', '')) > 0 "
void check_location_bind(struct sql_build *sql, const struct check_location *location);
enum { STORED_CHECKS_MAX = 1000 };
struct check_range {
	int64_t after_id;
	const struct check_location *location; /* NULL: all monitors */
	size_t most;
};
/*
 * Reads up to range->most monitors with ids above range->after_id, by id. Reads only monitors that
 * are checked (type not external) and neither retired nor removed, of accounts that are not
 * removed. `key` is the key of access/signing_key.h, of SECRET_HASH_BYTES bytes. NULL: the key
 * cannot be read. One statement.
 */
enum result stored_checks_read(struct db *db, const uint8_t *key, const struct check_range *range,
			       struct arena *arena, struct stored_check_list *list,
			       struct error *error) MUST_USE;

#endif
