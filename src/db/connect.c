/* Connects to the database when it is first needed: chooses a host, and later changes to a better
 * host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "db/internal.h"

/* The pause after a failed attempt to connect. Requests during the pause fail at once, instead of
 * waiting for a time-out. */
static const struct backoff_rule connect_rule = { .first_ms = 250,
						  .most_ms = 250,
						  .spread = BACKOFF_SPREAD };

/* How often a connection looks for a better host. */
#define LOOK_EVERY_MS 5000

/*
 * Sets the variables of a session: UTC, strict mode, REPEATABLE READ, and a limit of GROUP_CONCAT
 * that suffices for the monitors of a page. The time-outs for row and table locks are shorter than
 * timeout_s, but at least a second.
 */
static bool set_up_session(MYSQL *mysql, int64_t timeout_s)
{
	char text[512];
	int lock_s = timeout_s > 5 ? 4 : timeout_s > 1 ? (int)timeout_s - 1 : 1;
	int len = snprintf(text, sizeof(text),
			   "SET time_zone = '+00:00', "
			   "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_ZERO_DATE,"
			   "NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO', "
			   "group_concat_max_len = 65536, innodb_lock_wait_timeout = %d, "
			   "lock_wait_timeout = %d",
			   lock_s, lock_s);
	/* Set the isolation level by its own statement, since MySQL and MariaDB name its variable
	 * differently. */
	return len < (int)sizeof(text) && mysql_query(mysql, text) == 0 &&
	       mysql_query(mysql, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ") == 0;
}

/* Reads one value from the server. Returns false if the server did not respond, or has no value. */
static bool query_value(MYSQL *mysql, const char *query, char *value, size_t size)
{
	if (mysql_query(mysql, query) != 0)
		return false;
	MYSQL_RES *found = mysql_store_result(mysql);
	MYSQL_ROW row = found ? mysql_fetch_row(found) : NULL;
	bool has_value = row && row[0];
	if (has_value)
		snprintf(value, size, "%s", row[0]);
	mysql_free_result(found);
	return has_value;
}

/* Returns whether the server works. *is_read_only: the server refuses writes. The COMMIT detects a
 * Galera node that has lost its cluster, but still responds to a SELECT. */
static bool query_state(MYSQL *mysql, bool *is_read_only)
{
	char value[32];
	if (mysql_query(mysql, "COMMIT") != 0 ||
	    !query_value(mysql, "SELECT @@global.read_only", value, sizeof(value)))
		return false;
	*is_read_only = strcmp(value, "0") != 0 && strcmp(value, "OFF") != 0;
	return true;
}

/*
 * Makes a Galera node apply all commits of the other nodes before it responds to a read. So a
 * request sees what an earlier request wrote on another node. Servers without Galera may not have
 * the variable wsrep_sync_wait.
 */
static bool read_what_others_wrote(MYSQL *mysql)
{
	enum { UNKNOWN_VARIABLE = 1193 };
	return mysql_query(mysql, "SET SESSION wsrep_sync_wait = 1") == 0 ||
	       mysql_errno(mysql) == UNKNOWN_VARIABLE;
}

struct session {
	MYSQL *mysql;
	size_t host;
	bool is_read_only;
	unsigned failure; /* MySQL's error number, if `mysql` is NULL */
};

/* A server to connect to. If `host` is NULL, the socket of the login is used. */
struct place {
	const char *host;
	unsigned port;
	int64_t connect_s;
	bool is_one_of_many;
};

static void open_session(const struct db_login *login, const struct place *place,
			 struct session *session, struct error *error)
{
	MYSQL *mysql = mysql_init(NULL);
	if (!mysql)
		die("db: out of memory");
	unsigned io_timeout_s = (unsigned)login->io_timeout_s;
	unsigned connect_s = (unsigned)place->connect_s;
	mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s);
	mysql_options(mysql, MYSQL_OPT_READ_TIMEOUT, &io_timeout_s);
	mysql_options(mysql, MYSQL_OPT_WRITE_TIMEOUT, &io_timeout_s);
	mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	session->is_read_only = false;
	if (mysql_real_connect(mysql, place->host, login->user, login->password, login->name,
			       place->port, login->socket, CLIENT_FOUND_ROWS) &&
	    set_up_session(mysql, login->timeout_s) &&
	    (!place->is_one_of_many ||
	     (query_state(mysql, &session->is_read_only) && read_what_others_wrote(mysql)))) {
		session->mysql = mysql;
		return;
	}
	session->failure = mysql_errno(mysql);
	db_count_failure(session->failure);
	error_log(error, E_UNAVAILABLE, "database: %s%s%u %s", place->host ? place->host : "",
		  place->host ? ": " : "", session->failure, mysql_error(mysql));
	mysql_close(mysql);
}

/* Connects to a host. Shuns the host if it cannot be reached or is read-only. */
static struct session open_host(struct db *db, size_t at, int64_t connect_s, struct error *error)
{
	const struct db_host *host = &db->hosts.list[at];
	struct session session = { .host = at };
	int64_t began_ms = clock_ms();
	if (host->is_malformed)
		error_log(error, E_UNAVAILABLE,
			  "database: \"%.100s\" is not a host with an optional port", host->name);
	else
		open_session(
			&db->login,
			&(struct place){ host->name, host->port, connect_s, db->hosts.count > 1 },
			&session, error);
	if (!session.mysql)
		db->last_errno = session.failure;
	int64_t now_ms = clock_ms();
	if (!session.mysql || session.is_read_only)
		db_hosts_shun(&db->hosts, at, now_ms, now_ms - began_ms);
	return session;
}

static void adopt_session(struct db *db, const struct session *session)
{
	db->mysql = session->mysql;
	db->host = session->host;
	db->is_read_only = session->is_read_only;
	db->look_again_ms = clock_ms() + LOOK_EVERY_MS;
}

/* Connects to the first writable host. If no host is writable, connects to the first readable host.
 * is_shunned: tries only shunned hosts; false: tries only hosts that are not shunned. */
static void try_hosts(struct db *db, bool is_shunned, struct error *error)
{
	struct session kept = { 0 };
	int64_t now_ms = clock_ms();
	size_t at = db_hosts_next(&db->hosts, 0, is_shunned, now_ms);
	for (; at < db->hosts.count; at = db_hosts_next(&db->hosts, at + 1, is_shunned, now_ms)) {
		if (db->hosts.list[at].is_tried)
			continue;
		db->hosts.list[at].is_tried = true;
		struct session session = open_host(db, at, db->login.timeout_s, error);
		if (session.mysql && session.is_read_only && !kept.mysql) {
			kept = session;
		} else if (session.mysql && session.is_read_only) {
			mysql_close(session.mysql);
		} else if (session.mysql) {
			if (kept.mysql)
				mysql_close(kept.mysql);
			adopt_session(db, &session);
			return;
		}
	}
	if (kept.mysql)
		adopt_session(db, &kept);
}

enum result db_connect(struct db *db, struct error *error)
{
	if (db->mysql)
		return OK;
	if (clock_ms() < db->retry.until_ms)
		return error_log(error, E_UNAVAILABLE,
				 "database: unreachable a moment ago, not tried again yet");
	if (db_client_load(error) != OK)
		return E_UNAVAILABLE;
	if (db->login.socket) {
		struct place place = { .connect_s = db->login.timeout_s };
		struct session session = { 0 };
		open_session(&db->login, &place, &session, error);
		adopt_session(db, &session);
		if (!session.mysql)
			db->last_errno = session.failure;
	} else {
		for (size_t i = 0; i < db->hosts.count; i++)
			db->hosts.list[i].is_tried = false;
		try_hosts(db, false, error);
		if (!db->mysql)
			try_hosts(db, true, error);
	}
	if (db->mysql) {
		db->retry = (struct backoff){ 0 };
		return OK;
	}
	backoff_fail(&db->retry, &connect_rule, clock_ms());
	return E_UNAVAILABLE;
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
	db->packet_max_bytes = 0;
}

bool db_leave_host(struct db *db)
{
	if (db->hosts.count < 2 || db->is_read_only)
		return false;
	db_hosts_shun(&db->hosts, db->host, clock_ms(), 0);
	db_disconnect(db);
	return true;
}

void db_look_around(struct db *db)
{
	struct error ignored = { 0 };
	int64_t now_ms = clock_ms();
	if (!db->mysql || db->is_in_transaction || db->hosts.count < 2 ||
	    (db->host == 0 && !db->is_read_only) || now_ms < db->look_again_ms)
		return;
	db->look_again_ms = now_ms + LOOK_EVERY_MS;
	bool is_read_only;
	if (db->is_read_only && query_state(db->mysql, &is_read_only))
		db->is_read_only = is_read_only;
	size_t end = db->is_read_only ? db->hosts.count : db->host;
	/* Try only one host, with a short time-out, because a request waits meanwhile. */
	size_t at = db_hosts_next(&db->hosts, 0, false, now_ms);
	if (at == db->host)
		at = db_hosts_next(&db->hosts, at + 1, false, now_ms);
	if (at >= end)
		return;
	struct session session = open_host(db, at, 1, &ignored);
	if (session.mysql && !session.is_read_only) {
		db_disconnect(db);
		adopt_session(db, &session);
	} else if (session.mysql) {
		mysql_close(session.mysql);
	}
}

enum result db_packet_max(struct db *db, int64_t *bytes, struct error *error)
{
	char value[32];
	enum result result = db_connect(db, error);
	if (result != OK)
		return result;
	if (db->packet_max_bytes == 0 &&
	    query_value(db->mysql, "SELECT @@max_allowed_packet", value, sizeof(value)))
		str_to_int64(str_from(value), &db->packet_max_bytes);
	*bytes = db->packet_max_bytes;
	return *bytes > 0 ? OK
			  : db_failure(db, mysql_errno(db->mysql), mysql_error(db->mysql), false,
				       error);
}
