#include "store/schema/migration_lease.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/backoff.h"
#include "base/log.h"

enum { RENEW_EVERY_S = 5, HOLDER_SIZE = 300, ER_UNKNOWN_TABLE = 1146 };

/*
 * Writes the row of the lease. Repeats the write after a rollback: if two processes write the row
 * at the same time, the database rolls back one of them. Galera does so when a node learns of the
 * other node's write. InnoDB does so when both processes wait for a third one.
 */
static enum result write_lease(struct db *db, const struct sql_build *sql, struct db_done *done,
			       struct error *error)
{
	enum { ATTEMPTS = 10 };
	static const struct backoff_rule rule = { .first_ms = 20, .most_ms = 160, .spread = 50 };
	enum result result = E_RETRY;
	for (unsigned attempt = 0; attempt < ATTEMPTS && result == E_RETRY; attempt++) {
		if (attempt > 0)
			backoff_sleep(&rule, attempt);
		*error = (struct error){ 0 };
		result = db_write(db, sql, done, error);
	}
	return result;
}

static void name_holder(char holder[HOLDER_SIZE])
{
	char host[200] = "";
	if (gethostname(host, sizeof(host) - 1) != 0)
		host[0] = '\0';
	snprintf(holder, HOLDER_SIZE, "%s, process %ld", host[0] ? host : "unknown host",
		 (long)getpid());
}

/* Takes over an expired lease. E_NOT_FOUND: there is no expired lease. */
static enum result take_expired(struct migration_lease *lease, const char *holder,
				struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("UPDATE migration_lease SET holder = ?, token = ?, "
			    "expires_at = UTC_TIMESTAMP() + INTERVAL ? SECOND "
			    "WHERE name = 'migrate' AND expires_at < UTC_TIMESTAMP()"));
	sql_add(&sql, holder, lease->token, MIGRATION_LEASE_S);
	enum result result = write_lease(lease->db, &sql, &done, error);
	return result == OK && done.rows == 0 ? E_NOT_FOUND : result;
}

/* Inserts the lease. E_CONFLICT: the table has a lease already. */
static enum result insert_lease(struct migration_lease *lease, const char *holder,
				struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO migration_lease (name, holder, token, expires_at) "
			    "VALUES ('migrate', ?, ?, UTC_TIMESTAMP() + INTERVAL ? SECOND)"));
	sql_add(&sql, holder, lease->token, MIGRATION_LEASE_S);
	return write_lease(lease->db, &sql, NULL, error);
}

static enum result name_other(struct db *db, struct arena *arena, struct error *error)
{
	const char *holder = NULL;
	struct sql_build sql;
	*error = (struct error){ 0 };
	sql_start(&sql, SQL("SELECT holder FROM migration_lease WHERE name = 'migrate' "
			    "ORDER BY name LIMIT 1"));
	enum result result = db_read_text(db, &sql, arena, &holder, error);
	if (result != OK && result != E_NOT_FOUND)
		return result;
	return error_client(error, E_CONFLICT, "%s is migrating this database",
			    holder ? holder : "another process");
}

static enum result renew(struct db *db, const char *token, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("UPDATE migration_lease "
			    "SET expires_at = UTC_TIMESTAMP() + INTERVAL ? SECOND "
			    "WHERE name = 'migrate' AND token = ?"));
	sql_add(&sql, MIGRATION_LEASE_S, token);
	enum result result = write_lease(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		return error_client(error, E_CONFLICT,
				    "the lease for migrating has expired, and another process has "
				    "taken it");
	return result;
}

/* The thread that renews the lease. If a renewal fails, tries again after RENEW_EVERY_S. Ends if
 * another process has the lease; the next migration_lease_check() then reports E_CONFLICT. */
static void *renew_until_over(void *context)
{
	struct migration_lease *lease = context;
	struct timespec at;
	pthread_mutex_lock(&lease->mutex);
	while (!lease->is_ending) {
		clock_gettime(CLOCK_REALTIME, &at);
		at.tv_sec += RENEW_EVERY_S;
		pthread_cond_timedwait(&lease->is_over, &lease->mutex, &at);
		if (lease->is_ending)
			break;
		struct error ignored = { 0 };
		pthread_mutex_unlock(&lease->mutex);
		enum result result = renew(lease->renewing, lease->token, &ignored);
		pthread_mutex_lock(&lease->mutex);
		if (result == E_CONFLICT)
			break;
	}
	pthread_mutex_unlock(&lease->mutex);
	return NULL;
}

static void start_renewing(struct migration_lease *lease, const struct db_login *login)
{
	lease->renewing = db_new(login);
	lease->is_ending = false;
	if (pthread_mutex_init(&lease->mutex, NULL) != 0 ||
	    pthread_cond_init(&lease->is_over, NULL) != 0 ||
	    pthread_create(&lease->thread, NULL, renew_until_over, lease) != 0)
		die("migrate: no thread can be started");
}

enum result migration_lease_take(struct migration_lease *lease, struct db *db,
				 const struct db_login *login, struct arena *arena,
				 struct error *error)
{
	char holder[HOLDER_SIZE];
	lease->db = db;
	secret_token(lease->token);
	name_holder(holder);
	enum result result = take_expired(lease, holder, error);
	if (result == E_FAILED && db_errno(db) == ER_UNKNOWN_TABLE) {
		*error = (struct error){ 0 };
		result = db_script(db, MIGRATION_LEASE_TABLE, error);
		if (result == OK)
			result = E_NOT_FOUND;
	}
	if (result == E_NOT_FOUND)
		result = insert_lease(lease, holder, error);
	if (result == E_CONFLICT)
		return name_other(db, arena, error);
	if (result == OK)
		start_renewing(lease, login);
	return result;
}

enum result migration_lease_check(struct migration_lease *lease, struct error *error)
{
	return renew(lease->db, lease->token, error);
}

void migration_lease_release(struct migration_lease *lease)
{
	struct sql_build sql;
	struct error ignored = { 0 };
	pthread_mutex_lock(&lease->mutex);
	lease->is_ending = true;
	pthread_cond_signal(&lease->is_over);
	pthread_mutex_unlock(&lease->mutex);
	pthread_join(lease->thread, NULL);
	pthread_cond_destroy(&lease->is_over);
	pthread_mutex_destroy(&lease->mutex);
	db_free(lease->renewing);
	sql_start(&sql, SQL("DELETE FROM migration_lease WHERE name = 'migrate' AND token = ?"),
		  lease->token);
	/* Ignore a failure: the lease then expires. */
	if (write_lease(lease->db, &sql, NULL, &ignored) != OK)
		return;
}
