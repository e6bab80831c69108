/* Monitors: what an account watches. */
#ifndef STORE_MONITOR_H
#define STORE_MONITOR_H

#include "db/db.h"
#include "domain/monitor.h"

struct monitor_list {
	struct monitor *rows;
	size_t count;
};

/* Sets monitor->id. E_QUOTA_EXCEEDED: the account has `most` already. Must run in a transaction. */
enum result monitor_add(struct db *db, struct monitor *monitor, int64_t most, struct error *error)
	MUST_USE;
/* Up to 1,000 monitors above `after_id`, by id, of one account, or of all for account_id 0. */
enum result monitor_list(struct db *db, int64_t account_id, int64_t after_id, struct arena *arena,
			 struct monitor_list *list, struct error *error) MUST_USE;
enum result monitor_find(struct db *db, int64_t id, struct arena *arena, struct monitor *monitor,
			 struct error *error) MUST_USE;
/*
 * Stores the fields that a client may set, and updated_at. With `is_on_page`, marks the monitor's
 * pages as unpublished. Must run in a transaction that has locked the monitor. E_CONFLICT: another
 * monitor of the account has the label.
 */
enum result monitor_update(struct db *db, const struct monitor *monitor, bool is_on_page,
			   struct error *error) MUST_USE;
/* The monitor of that id and account (0: of any), locked; without its counts. E_NOT_FOUND. */
enum result monitor_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct monitor *monitor, struct error *error) MUST_USE;
/*
 * Retires the monitor and marks its pages as unpublished. Must run in a transaction that has ended
 * its open incident.
 */
enum result monitor_retire(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;
/*
 * The first step of removing a monitor: takes it from its pages, marks those as changed, and
 * retires it, so that it takes no more reports. Run it in a transaction. removal_incidents_some()
 * (store/removal.h) is the second, monitor_remove() the last.
 */
enum result monitor_detach(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;
/* Deletes the monitor, and its kept counts. E_NOT_FOUND. */
enum result monitor_remove(struct db *db, int64_t id, struct error *error) MUST_USE;

#endif
