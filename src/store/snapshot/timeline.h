/*
 * The epoch of the database's revisions. A new epoch, with a higher number, begins after a restore,
 * with a migration, and when the operator begins one after a fail-over. Within an epoch, the
 * revision of a page only rises. Revisions of different epochs cannot be compared: the same
 * revision may have other content.
 */
#ifndef STORE_SNAPSHOT_TIMELINE_H
#define STORE_SNAPSHOT_TIMELINE_H

#include "db/db.h"

/* Begins an epoch. Its number is higher than that of the present epoch, and at least the Unix time
 * in microseconds. So a copy of the database that lags behind has a lower epoch. */
enum result timeline_begin(struct db *db, struct error *error) MUST_USE;

#endif
