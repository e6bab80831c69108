/*
 * The epoch of the database's revisions. This number is raised by a restore, by a migration, and by
 * the operator after a fail-over. Within an epoch the revision of a page only rises. Revisions of
 * different epochs cannot be compared: the same number may stand for another text.
 */
#ifndef STORE_SNAPSHOT_TIMELINE_H
#define STORE_SNAPSHOT_TIMELINE_H

#include "db/db.h"

/* Begins an epoch. Its number is above the present epoch, and at least the time in microseconds. So
 * a database that lags behind has a lower epoch. */
enum result timeline_begin(struct db *db, struct error *error) MUST_USE;

#endif
