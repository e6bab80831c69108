/*
 * The installations that use the database, by the addresses of their sites. The web machines of
 * one installation have one address. Two addresses at the same time are a mistake: each
 * installation would publish the pages of the other, with its own address in all links.
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
 * a backup is being restored: the table may then still lack the rows of the backup, and a row with
 * the same address would end the restore. The row of `timeline`, which is the last of a backup,
 * tells that the restore is complete.
 */
enum result installation_record(struct db *db, const char *base_url, struct instant now,
				struct error *error) MUST_USE;
/*
 * The address of another installation that has used the database at the same time; NULL: none, or
 * this installation has no base_url. Http and https count as one address.
 */
enum result installation_find_other(struct db *db, const char *base_url, struct instant now,
				    struct arena *arena, const char **address, struct error *error)
	MUST_USE;

#endif
