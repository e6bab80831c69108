/* Monitors: what an account watches. */
#ifndef STORE_MONITOR_H
#define STORE_MONITOR_H

#include "db/db.h"

struct monitor {
	int64_t id;
	int64_t account_id;
	const char *name;
	const char *url;
	const char *label;	    /* NAME=VALUE, by which alerts find it; or NULL */
	int64_t status_pages;	    /* how many show it */
	int64_t incidents;	    /* how many it has had */
	struct instant known_since; /* the start of its record; 0: no state was ever observed */
	struct instant retired_at;  /* shown by no page since; its incidents stay in their logs */
	struct instant created_at;
	struct instant updated_at;
};

extern const struct fields monitor_fields;

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
/* Renames the monitor and marks its pages as unpublished. Must run in a transaction. */
enum result monitor_rename(struct db *db, int64_t id, const char *name, struct instant now,
			   struct error *error) MUST_USE;
/* NULL removes the label. E_CONFLICT: another monitor of the account has it. */
enum result monitor_set_label(struct db *db, int64_t id, const char *label, struct instant now,
			      struct error *error) MUST_USE;
/* Id, account, name, label and retired_at of a monitor of the account (0: of any), locked. */
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
