/*
 * The installations that use the database, each recorded by the address of its site. All web
 * machines of one installation have the same address. Two addresses at the same time are a mistake
 * of the operator: each installation would publish the pages of the other, with its own address in
 * all links.
 */
#ifndef STORE_SCHEMA_INSTALLATION_H
#define STORE_SCHEMA_INSTALLATION_H

#include "db/db.h"

/*
 * The background loop records its installation every five minutes; after three missing records the
 * installation counts as gone.
 */
enum { INSTALLATION_SILENT_S = 900 };

/*
 * Records that the installation with this base_url runs. Does nothing without a base_url, or while
 * a backup is being restored. During a restore the table may still lack the rows of the backup, and
 * the restore would fail at a row with the same address. The row of the table `timeline` is the
 * last row of a backup, so its existence shows that the restore is complete.
 */
enum result installation_record(struct db *db, const char *base_url, struct instant now,
				struct error *error) MUST_USE;
/*
 * Finds the address of another installation that has used the database at the same time. Sets
 * *address to NULL if there is none, or if this installation has no base_url. Http and https count
 * as one address.
 */
enum result installation_find_other(struct db *db, const char *base_url, struct instant now,
				    struct arena *arena, const char **address, struct error *error)
	MUST_USE;

#endif
