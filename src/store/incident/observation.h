/* What judging observations reads and stores of monitors. The rules are domain/observation.h. */
#ifndef STORE_INCIDENT_OBSERVATION_H
#define STORE_INCIDENT_OBSERVATION_H

#include "db/db.h"
#include "domain/observation.h"

/*
 * The transaction must not have read before, so that the record is as of the lock.
 *
 * Locks the observed monitor, so that its observations are judged one after another, and by
 * one clock. E_NOT_FOUND: it is not the account's, or is retired.
 */
enum result monitor_record_lock(struct db *db, const struct observation *observation,
				struct arena *arena, struct monitor_record *record,
				struct error *error) MUST_USE;
/* Stores observation->at as the last time that the monitor was up. */
enum result monitor_record_up(struct db *db, const struct observation *observation,
			      struct error *error) MUST_USE;

/* The account's monitors by id and by label, in one statement. */
struct monitor_match {
	const char *key; /* the id as text, or the label */
	int64_t monitor_id;
};
struct monitor_match_list {
	struct monitor_match *rows;
	size_t count;
};
/* `keys`: "7", "instance=web1:9100"; at most SQL_ROWS_MAX of them. */
enum result monitor_match(struct db *db, int64_t account_id, const char *const *keys, size_t count,
			  struct arena *arena, struct monitor_match_list *list, struct error *error)
	MUST_USE;

#endif
