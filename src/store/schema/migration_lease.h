/*
 * Only one process at a time migrates a database: the holder of the lease, a row of the table
 * migration_lease.
 *
 * A row also works with Galera, Group Replication, TiDB and Vitess, where GET_LOCK does not work.
 * The lease expires by the database's clock, MIGRATION_LEASE_S seconds after its last renewal. So
 * the lease of a killed process ends by itself. A thread with a separate connection renews the
 * lease, because one ALTER may take longer than MIGRATION_LEASE_S.
 */
#ifndef STORE_SCHEMA_MIGRATION_LEASE_H
#define STORE_SCHEMA_MIGRATION_LEASE_H

#include <pthread.h>

#include "base/secret.h"
#include "db/db.h"

enum { MIGRATION_LEASE_S = 20 };

/* This table is made without a migration, since the first migration needs it. */
#define MIGRATION_LEASE_TABLE \
	"CREATE TABLE IF NOT EXISTS migration_lease (" \
	"name VARCHAR(32) NOT NULL PRIMARY KEY, holder VARCHAR(255) NOT NULL, " \
	"token VARCHAR(64) NOT NULL, expires_at DATETIME NOT NULL" \
	") ENGINE=InnoDB DEFAULT CHARSET=ascii COLLATE=ascii_bin"

struct migration_lease {
	struct db *db;		       /* borrowed: the connection that migrates */
	struct db *renewing;	       /* the thread's connection */
	char token[SECRET_TOKEN_SIZE]; /* distinguishes this holder from all others */
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t is_over;
	bool is_ending; /* protected by the mutex */
};

/*
 * Tries once to take the lease. E_CONFLICT: another process has the lease; the error names that
 * process. `login` must outlive the lease. After OK, end with migration_lease_release().
 */
enum result migration_lease_take(struct migration_lease *lease, struct db *db,
				 const struct db_login *login, struct arena *arena,
				 struct error *error) MUST_USE;

/* Renews the lease; call it before each step. E_CONFLICT: the lease expired and another process has
 * taken it. This happens, for example, after this process was suspended. */
enum result migration_lease_check(struct migration_lease *lease, struct error *error) MUST_USE;

void migration_lease_release(struct migration_lease *lease);

#endif
