/*
 * The epoch of the database's revisions: a number that a restore, a migration and an operator
 * after a fail-over raise. Within one epoch the revision of a page only rises. Between two
 * epochs revisions say nothing: the same number may stand for another text.
 */
#ifndef STORE_TIMELINE_H
#define STORE_TIMELINE_H

#include "db/db.h"

/* Begins an epoch above the present one and above those that began before now: the number is
 * the time in microseconds, so that a database that lags has a lower one. */
enum result timeline_begin(struct db *db, struct error *error) MUST_USE;

#endif
