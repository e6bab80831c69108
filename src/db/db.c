#include "db/db.h"

#include <errmsg.h>
#include <mysqld_error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "db/internal.h"

/* After a failed attempt others fail at once for this long: a database that is
 * down must not cost each request a time-out. */
#define DB_BACK_OFF_MS 250

/* A node that has lost its cluster (Galera) or is shutting down. */
#define DB_ER_UNKNOWN_COM 1047
#define DB_ER_CONNECTION_KILLED 1927
#define DB_ER_SERVER_SHUTDOWN 1053
#define DB_ER_ERROR_DURING_COMMIT 1180

struct db *db_new(const struct db_login *login)
{
	struct db *db = calloc(1, sizeof(*db));
	if (!db)
		die("db: out of memory");
	db->login = *login;
	return db;
}

void db_free(struct db *db)
{
	if (!db)
		return;
	db_disconnect(db);
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
	};
}

uint64_t db_queries(const struct db *db)
{
	return db->queries;
}

unsigned db_errno(const struct db *db)
{
	return db->last_errno;
}

void db_disconnect(struct db *db)
{
	for (size_t i = 0; i < DB_PREPARED_MAX; i++) {
		if (db->prepared[i].stmt)
			mysql_stmt_close(db->prepared[i].stmt);
		free(db->prepared[i].text);
		db->prepared[i] = (struct prepared){ 0 };
	}
	if (db->mysql)
		mysql_close(db->mysql);
	db->mysql = NULL;
	db->is_in_transaction = false;
}

bool db_is_lost(unsigned number)
{
	return number == CR_SERVER_GONE_ERROR || number == CR_SERVER_LOST ||
	       number == CR_CONNECTION_ERROR || number == CR_CONN_HOST_ERROR ||
	       number == DB_ER_UNKNOWN_COM || number == DB_ER_CONNECTION_KILLED ||
	       number == DB_ER_SERVER_SHUTDOWN;
}

enum result db_failure(struct db *db, unsigned number, const char *text, bool is_write,
		       struct error *error)
{
	bool was_in_transaction = db->is_in_transaction;
	char why[256];
	/* The text belongs to the connection, which may go below. */
	snprintf(why, sizeof(why), "%s", text);
	db->last_errno = number;
	if (number == ER_DUP_ENTRY)
		return error_log(error, E_TAKEN, "database: %u %s", number, why);
	if (number == ER_LOCK_DEADLOCK || number == ER_LOCK_WAIT_TIMEOUT ||
	    number == DB_ER_ERROR_DURING_COMMIT) {
		db_rollback(db);
		return error_log(error, E_RETRY, "database: %u %s", number, why);
	}
	if (!db_is_lost(number))
		return error_log(error, E_FAILED, "database: %u %s", number, why);
	db_disconnect(db);
	enum result result = was_in_transaction ? E_RETRY : E_UNAVAILABLE;
	if (is_write && !was_in_transaction && number == CR_SERVER_LOST)
		result = E_UNCERTAIN;
	return error_log(error, result, "database: %u %s", number, why);
}

/* What every session is: UTC, strict, utf8mb4, room for a page's list of monitors. */
static const char session_setup[] =
	"SET time_zone = '+00:00', "
	"sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_ZERO_DATE,NO_ZERO_IN_DATE,"
	"ERROR_FOR_DIVISION_BY_ZERO', "
	"group_concat_max_len = 65536, innodb_lock_wait_timeout = 5";

static MYSQL *open_session(const struct db_login *login, const char *host, unsigned port,
			   struct error *error)
{
	MYSQL *mysql = mysql_init(NULL);
	if (!mysql)
		die("db: out of memory");
	unsigned timeout_s = (unsigned)login->timeout_s;
	mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &timeout_s);
	mysql_options(mysql, MYSQL_OPT_READ_TIMEOUT, &timeout_s);
	mysql_options(mysql, MYSQL_OPT_WRITE_TIMEOUT, &timeout_s);
	mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	if (mysql_real_connect(mysql, host, login->user, login->password, login->name, port,
			       login->socket, CLIENT_FOUND_ROWS) &&
	    mysql_query(mysql, session_setup) == 0)
		return mysql;
	error_log(error, E_UNAVAILABLE, "database: %u %s", mysql_errno(mysql), mysql_error(mysql));
	mysql_close(mysql);
	return NULL;
}

/* Tries "host" or "host:port". */
static MYSQL *open_host(const struct db_login *login, struct str item, struct error *error)
{
	char host[256];
	int64_t port = 0;
	struct str rest = str_trim_ows(item), name = { 0 };
	str_split(&rest, ':', &name);
	if (rest.data && (!str_to_int64(rest, &port) || port < 1 || port > 65535)) {
		error_log(error, E_UNAVAILABLE, "database: a host has a port that is none");
		return NULL;
	}
	snprintf(host, sizeof(host), "%.*s", (int)name.len, name.data);
	return open_session(login, host, (unsigned)port, error);
}

enum result db_connect(struct db *db, struct error *error)
{
	if (db->mysql)
		return OK;
	if (clock_ms() < db->retry_at_ms)
		return error_log(error, E_UNAVAILABLE, "database: it could not be reached just now");
	if (db->login.socket) {
		db->mysql = open_session(&db->login, NULL, 0, error);
	} else {
		struct str rest = str_from(db->login.hosts), item;
		while (!db->mysql && str_split(&rest, ',', &item))
			db->mysql = open_host(&db->login, item, error);
	}
	if (!db->mysql) {
		db->retry_at_ms = clock_ms() + DB_BACK_OFF_MS;
		return E_UNAVAILABLE;
	}
	db->retry_at_ms = 0;
	return OK;
}

/* Sends a statement that takes no arguments and answers no rows. */
static enum result send(struct db *db, const char *text, bool is_write, struct error *error)
{
	db->queries++;
	if (mysql_query(db->mysql, text) == 0)
		return OK;
	return db_failure(db, mysql_errno(db->mysql), mysql_error(db->mysql), is_write, error);
}

enum result db_begin(struct db *db, enum db_mode mode, struct error *error)
{
	const char *text = mode == DB_READ ? "START TRANSACTION READ ONLY" : "START TRANSACTION";
	enum result result = E_UNAVAILABLE;
	/* Twice: the first may find a connection that the server has closed. */
	for (int attempt = 0; attempt < 2 && result == E_UNAVAILABLE; attempt++) {
		bool was_connected = db->mysql != NULL;
		result = db_connect(db, error);
		if (result == OK)
			result = send(db, text, false, error);
		if (!was_connected)
			break;
	}
	db->is_in_transaction = result == OK;
	return result;
}

enum result db_commit(struct db *db, struct error *error)
{
	db->queries++;
	if (mysql_query(db->mysql, "COMMIT") == 0) {
		db->is_in_transaction = false;
		return OK;
	}
	unsigned number = mysql_errno(db->mysql);
	enum result result = db_failure(db, number, mysql_error(db->mysql), true, error);
	/* Lost in the commit itself: what the server did with it nobody can tell. */
	return number == CR_SERVER_LOST ? E_UNCERTAIN : result;
}

void db_rollback(struct db *db)
{
	if (!db->is_in_transaction)
		return;
	db->is_in_transaction = false;
	db->queries++;
	if (mysql_query(db->mysql, "ROLLBACK") != 0)
		db_disconnect(db);
}

enum result db_transact(struct db *db, enum db_mode mode, db_work *work, void *context,
			struct error *error)
{
	enum { ATTEMPTS = 3 };
	enum result result = E_RETRY;
	for (int attempt = 0; attempt < ATTEMPTS && result == E_RETRY; attempt++) {
		/* Two that have met once should not meet again in step. */
		if (attempt > 0)
			usleep((useconds_t)(attempt * 10000 + clock_us() % 10000));
		result = db_begin(db, mode, error);
		if (result != OK)
			break;
		result = work(db, context, error);
		if (result == OK)
			result = db_commit(db, error);
		else
			db_rollback(db);
	}
	return result;
}

enum result db_script(struct db *db, const char *text, struct error *error)
{
	enum result result = db_connect(db, error);
	if (result != OK)
		return result;
	result = send(db, text, true, error);
	if (result != OK)
		return result;
	/* SELECT GET_LOCK(…) and its like answer a row that must be taken off. */
	MYSQL_RES *answer = mysql_store_result(db->mysql);
	bool is_refused = false;
	if (answer) {
		MYSQL_ROW row = mysql_fetch_row(answer);
		is_refused = row && (!row[0] || strcmp(row[0], "0") == 0);
		mysql_free_result(answer);
	}
	return is_refused ? error_log(error, E_RETRY, "database: the answer was no") : OK;
}
