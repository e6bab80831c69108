#include "db/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/metrics.h"
#include "db/internal.h"

struct db *db_new(const struct db_login *login)
{
	struct db *db = calloc(1, sizeof(*db));
	if (!db)
		die("db: out of memory");
	db->login = *login;
	db_hosts_init(&db->hosts, login->socket ? NULL : login->hosts);
	return db;
}

void db_free(struct db *db)
{
	if (!db)
		return;
	db_disconnect(db);
	db_hosts_done(&db->hosts);
	free(db->spare_rows);
	free(db);
}

struct db_login db_login_of(const struct config *config, bool is_migration)
{
	bool is_other_user = is_migration && config->migrate_user;
	return (struct db_login){
		.hosts = config->database_hosts,
		.socket = config->database_socket,
		.name = config->database_name,
		.user = is_other_user ? config->migrate_user : config->database_user,
		.password = is_other_user ? config->migrate_password : config->database_password,
		.timeout_s = config->database_timeout_s,
		.io_timeout_s = config->database_timeout_s,
	};
}

void db_count(struct db *db)
{
	db->queries++;
	metrics_add(METRIC_STATEMENTS, METRIC_UNLABELLED, 1);
}

void db_count_failure(unsigned number)
{
	enum failure_kind kind = failure_kind(number);
	/* Do not count duplicate keys: the client's data causes them, not the database. */
	if (kind != FAILURE_TAKEN)
		metrics_add(METRIC_DB_ERRORS, METRIC_LABELS((uint16_t)kind), 1);
}

uint64_t db_queries(const struct db *db)
{
	return db ? db->queries : 0;
}

unsigned db_errno(const struct db *db)
{
	return db->last_errno;
}

bool db_is_denied(const struct db *db)
{
	static const unsigned numbers[] = { 1044, 1045, 1698 };
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (db->last_errno == numbers[i])
			return true;
	return false;
}

/* Sets the error text that the client gets. Only some kinds of failure have such a text. */
static void tell_client(enum failure_kind kind, struct error *error)
{
	if (kind == FAILURE_TOO_LARGE)
		error_client(error, E_REFUSED,
			     "The request exceeds the database's max_allowed_packet, which must be "
			     "raised. Nothing was changed.");
	else if (kind == FAILURE_READ_ONLY)
		error_client(error, E_REFUSED,
			     "The database takes no changes at the moment. Nothing was changed; "
			     "please try again.");
	else if (kind == FAILURE_BUSY)
		error_client(error, E_REFUSED,
			     "The database is busy. Nothing was changed; please try again.");
}

enum result db_too_large(struct error *error, int64_t bytes, int64_t max)
{
	tell_client(FAILURE_TOO_LARGE, error);
	return error_log(error, E_REFUSED,
			 "database: the statement has %lld bytes, but max_allowed_packet is %lld",
			 (long long)bytes, (long long)max);
}

static enum result note_failure(unsigned number, const char *text, enum result result,
				struct error *error)
{
	const char *meaning = failure_meaning(number);
	db_count_failure(number);
	return error_log(error, result, "database: %u %s%s%s%s", number, text, meaning ? " (" : "",
			 meaning ? meaning : "", meaning ? ")" : "");
}

/* Handles the failure of a statement other than COMMIT. */
static enum result settle_failure(struct db *db, enum failure_kind kind, enum failure_moment moment)
{
	enum result result = failure_result(kind, moment);
	switch (kind) {
	case FAILURE_ROLLED_BACK:
	case FAILURE_UNDECIDED:
		db_rollback(db);
		break;
	case FAILURE_UNSENT:
	case FAILURE_LOST:
	case FAILURE_TOO_LARGE:
		db_disconnect(db);
		break;
	case FAILURE_AWAY:
		if (!db_leave_host(db))
			db_disconnect(db);
		break;
	case FAILURE_READ_ONLY:
		/* Nothing was changed, so the operation may be repeated at once on another host. */
		if (db_leave_host(db))
			return moment == MOMENT_IN_TRANSACTION ? E_RETRY : E_UNAVAILABLE;
		break;
	default:
		break;
	}
	return result;
}

enum result db_failure(struct db *db, unsigned number, const char *text, bool is_write,
		       struct error *error)
{
	enum failure_kind kind = failure_kind(number);
	enum failure_moment moment = db->is_in_transaction ? MOMENT_IN_TRANSACTION
				     : is_write		   ? MOMENT_WRITING
							   : MOMENT_ASKING;
	db->last_errno = number;
	/* Copy the text before settle_failure(), which may close the connection that owns it. */
	note_failure(number, text, E_FAILED, error);
	enum result result = settle_failure(db, kind, moment);
	if (result == E_REFUSED)
		tell_client(kind, error);
	return result;
}

/* Sends a command without arguments that returns no rows. */
static enum result send_command(struct db *db, const char *text, bool is_write, struct error *error)
{
	db_count(db);
	if (mysql_query(db->mysql, text) == 0)
		return OK;
	return db_failure(db, mysql_errno(db->mysql), mysql_error(db->mysql), is_write, error);
}

enum result db_begin(struct db *db, enum db_mode mode, struct error *error)
{
	const char *text = mode == DB_READ ? "START TRANSACTION READ ONLY" : "START TRANSACTION";
	enum result result = E_UNAVAILABLE;
	db_look_around(db);
	/* The first attempt may find that the server has closed the connection. */
	for (int attempt = 0; attempt < 2 && result == E_UNAVAILABLE; attempt++) {
		bool was_connected = db->mysql != NULL;
		result = db_connect(db, error);
		if (result == OK)
			result = send_command(db, text, false, error);
		if (!was_connected)
			break;
	}
	db->is_in_transaction = result == OK;
	return result;
}

enum result db_commit(struct db *db, struct error *error)
{
	db_count(db);
	if (mysql_query(db->mysql, "COMMIT") == 0) {
		db->is_in_transaction = false;
		return OK;
	}
	unsigned number = mysql_errno(db->mysql);
	enum failure_kind kind = failure_kind(number);
	enum result result = failure_result(kind, MOMENT_COMMITTING);
	db->last_errno = number;
	note_failure(number, mysql_error(db->mysql), result, error);
	bool is_settled = kind == FAILURE_ROLLED_BACK || result == E_REFUSED;
	if (is_settled)
		db_rollback(db);
	/* The state of the connection is unknown: close it. For FAILURE_AWAY also shun the host. */
	else if (kind != FAILURE_AWAY || !db_leave_host(db))
		db_disconnect(db);
	if (kind == FAILURE_READ_ONLY && db_leave_host(db))
		return E_RETRY;
	if (result == E_REFUSED)
		tell_client(kind, error);
	return result;
}

void db_rollback(struct db *db)
{
	if (!db->is_in_transaction)
		return;
	db->is_in_transaction = false;
	db_count(db);
	if (mysql_query(db->mysql, "ROLLBACK") != 0)
		db_disconnect(db);
}

enum result db_transact(struct db *db, enum db_mode mode, db_work *work, void *context,
			struct error *error)
{
	enum { ATTEMPTS = 5, REPEAT_WITHIN_MS = 4000 };
	/* The waits are random, so that two transactions do not deadlock again. */
	static const struct backoff_rule rule = { .first_ms = 20, .most_ms = 80, .spread = 100 };
	enum result result = E_RETRY;
	int64_t began_ms = clock_ms();
	if (mode == DB_READ && db->is_in_transaction)
		return work(db, context, error);
	for (unsigned attempt = 0; attempt < ATTEMPTS && result == E_RETRY; attempt++) {
		/* Begin no attempt after this time: the client is waiting, and can repeat the
		 * request. */
		if (clock_ms() - began_ms > REPEAT_WITHIN_MS)
			break;
		if (attempt > 0)
			backoff_sleep(&rule, attempt);
		result = db_begin(db, mode, error);
		if (result != OK)
			break;
		result = work(db, context, error);
		/* A reading transaction needs no COMMIT. Its rows stay valid even if the connection
		 * ends. */
		if (result == OK && mode == DB_WRITE)
			result = db_commit(db, error);
		else
			db_rollback(db);
	}
	return result;
}

enum result db_script(struct db *db, const char *text, struct error *error)
{
	enum result result = db_connect(db, error);
	return result == OK ? send_command(db, text, true, error) : result;
}
