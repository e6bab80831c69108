/*
 * Maintenance windows, their monitors, their occurrences and the updates that people post.
 *
 * The row of a deleted window stays for MAINTENANCE_CANCELLED_DAYS, so that calendars can show the
 * cancellation. Only the loader of pages still reads it. Every write to a window locks the window
 * first.
 */
#ifndef STORE_MAINTENANCE_MAINTENANCE_H
#define STORE_MAINTENANCE_MAINTENANCE_H

#include "db/db.h"
#include "domain/maintenance/maintenance.h"
#include "store/list.h"

/* Inserts the window and sets its id. E_QUOTA_EXCEEDED: the account has `most` windows. */
enum result maintenance_add(struct db *db, struct maintenance *maintenance, int64_t most,
			    struct error *error) MUST_USE;
/* Finds the ids that belong to no monitor of the account, or to a monitor that is being removed. */
enum result maintenance_unknown_monitors(struct db *db, int64_t account_id,
					 const struct id_list *ids, struct arena *arena,
					 struct id_list *unknown, struct error *error) MUST_USE;
/* Replaces the window's list of monitors. is_new: there is no stored list yet. */
enum result maintenance_put_monitors(struct db *db, const struct maintenance *maintenance,
				     bool is_new, struct arena *arena, struct error *error)
	MUST_USE;

/* Lock or find a window. account_id 0: a window of any account. E_NOT_FOUND: the window does not
 * exist, or is deleted. */
enum result maintenance_lock(struct db *db, int64_t account_id, int64_t id, struct error *error)
	MUST_USE;
enum result maintenance_find(struct db *db, int64_t account_id, int64_t id, struct instant now,
			     struct arena *arena, struct maintenance *maintenance,
			     struct error *error) MUST_USE;
/* Reads up to 4,096 windows as maintenance_find() does: a list of struct maintenance, by id. */
enum result maintenances_read(struct db *db, const struct id_list *ids, struct instant now,
			      struct arena *arena, struct db_list *found, struct error *error)
	MUST_USE;
/* Reads "SLUG/DOMAIN" of the page with the lowest id that shows a monitor of the window; NULL:
 * there is no such page. */
enum result maintenance_page_address(struct db *db, int64_t id, struct arena *arena,
				     const char **address, struct error *error) MUST_USE;
/* Stores the fields that a client may change, and increments the revision. */
enum result maintenance_store(struct db *db, struct maintenance *maintenance, struct error *error)
	MUST_USE;
enum result maintenance_mark_deleted(struct db *db, int64_t id, struct instant now,
				     struct error *error) MUST_USE;
/* Removes up to 100 windows that were deleted before `before`. If *is_more is true, call it
 * again. */
enum result maintenance_purge(struct db *db, struct instant before, bool *is_more,
			      struct error *error) MUST_USE;
/* Lists the first INCIDENT_SHOWN_PAGES_MAX pages that show the window, by id: rows of struct
 * incident_page. */
enum result maintenance_list_pages(struct db *db, int64_t id, struct arena *arena,
				   struct db_list *pages, struct error *error) MUST_USE;
/* Marks the pages that show a monitor of the window as unpublished. */
enum result maintenance_mark_pages(struct db *db, int64_t id, struct instant now,
				   struct error *error) MUST_USE;

/* Sets maintained_at of all monitors of the windows `ids` to `at`, the time at which the windows
 * began, ended or changed. Does not replace a later time. */
enum result maintenance_touch_monitors(struct db *db, const struct id_list *ids, struct instant at,
				       struct arena *arena, struct error *error) MUST_USE;

/*
 * For each monitor of the window, increments the revisions of the months in which pages show the
 * window. These are the months of its occurrences that end at `since` or later. If a window moves
 * or loses a monitor, the caller calls this function both before and after the change.
 */
enum result maintenance_touch_months(struct db *db, int64_t id, struct instant since,
				     struct error *error) MUST_USE;

enum maintenance_sort { MAINTENANCE_BY_ID, MAINTENANCE_BY_START };
struct maintenance_query {
	struct list_query list; /* searches the title; sort_by: enum maintenance_sort */
	int status;		/* the status at the time list.now; MAINTENANCE_ANY_STATUS: all */
	int64_t monitor_id;	/* 0: any */
	bool is_upcoming;	/* only windows that are not over */
};
struct maintenance_page {
	struct maintenance *rows; /* owned by the arena */
	size_t count;
	int64_t total;
};
enum result maintenance_list(struct db *db, const struct maintenance_query *query,
			     struct arena *arena, struct maintenance_page *page,
			     struct error *error) MUST_USE;
/* Lists up to 100 windows with ids above `after_id`, ordered by id. account_id 0: windows of all
 * accounts. */
enum result maintenance_list_all(struct db *db, int64_t account_id, int64_t after_id,
				 struct instant now, struct arena *arena,
				 struct maintenance_page *page, struct error *error) MUST_USE;

struct maintenance_occurrence_list {
	struct maintenance_occurrence *rows; /* owned by the arena */
	size_t count;
};
/* Lists the occurrences of a recurring window that begin after `now`, ordered by start. Includes
 * cancelled occurrences. */
enum result maintenance_occurrences_ahead(struct db *db, int64_t maintenance_id, struct instant now,
					  struct arena *arena,
					  struct maintenance_occurrence_list *list,
					  struct error *error) MUST_USE;
/* Lists the first `limit` occurrences that are not over, ordered by their ends. */
enum result maintenance_occurrences_next(struct db *db, int64_t maintenance_id, struct instant now,
					 int64_t limit, struct arena *arena,
					 struct maintenance_occurrence_list *list,
					 struct error *error) MUST_USE;
/* Inserts the rows with the id 0, and updates the others. Runs up to two statements for 500
 * rows. */
enum result maintenance_occurrences_put(struct db *db, int64_t maintenance_id,
					const struct maintenance_occurrence *rows, size_t count,
					struct arena *arena, struct error *error) MUST_USE;
/* Cancels all occurrences that are not over. */
enum result maintenance_occurrences_cancel(struct db *db, int64_t maintenance_id,
					   struct instant now, struct error *error) MUST_USE;
/* Deletes the occurrences that no longer follow from the window's rule, and that no page shows any
 * more. */
enum result maintenance_occurrences_forget(struct db *db, int64_t maintenance_id,
					   struct instant now, struct error *error) MUST_USE;

/* An occurrence that the clock is to change, with data of its window. */
struct maintenance_due {
	struct maintenance_occurrence
		occurrence; /* must be the first member: OCCURRENCE_ROWS has offsets from it */
	int64_t account_id;
	const char *title;
};
struct maintenance_due_list {
	struct maintenance_due *rows; /* owned by the arena */
	size_t count;
};
enum { MAINTENANCE_DUE_MAX = 200 };
/*
 * Finds up to MAINTENANCE_DUE_MAX occurrences whose next_at has come, and returns the ids of their
 * windows. Locks nothing.
 */
enum result maintenance_find_due(struct db *db, struct instant now, struct arena *arena,
				 struct id_list *ids, struct error *error) MUST_USE;
/* Locks the windows and their due occurrences. Reads these occurrences, ordered by next_at. */
enum result maintenance_lock_due(struct db *db, struct instant now, const struct id_list *ids,
				 struct arena *arena, struct maintenance_due_list *list,
				 struct error *error) MUST_USE;
/* Finds the recurring window with the earliest expanded_at, if this is before `before`.
 * E_NOT_FOUND: there is no such window. */
enum result maintenance_next_expansion(struct db *db, struct instant before, int64_t *id,
				       struct error *error) MUST_USE;
/* Stores over_at and expanded_at, the time at which the window's occurrences were computed (0: no
 * further computation is needed). Increments the revision if has_changed. */
enum result maintenance_set_expanded(struct db *db, const struct maintenance *maintenance,
				     bool has_changed, struct error *error) MUST_USE;

/* A posted update, with the ids of its window and its occurrence. */
struct maintenance_update_row {
	struct posted_update update;
	int64_t maintenance_id;
	int64_t occurrence_id;
};
enum { MAINTENANCE_UPDATES_MAX = 200 /* of one window; older updates are not read */ };
struct maintenance_update_list {
	struct maintenance_update_row *rows; /* owned by the arena */
	size_t count;
};
enum result maintenance_update_add(struct db *db, struct maintenance_update_row *row,
				   struct error *error) MUST_USE;
enum result maintenance_update_find(struct db *db, int64_t maintenance_id, int64_t id,
				    struct arena *arena, struct maintenance_update_row *row,
				    struct error *error) MUST_USE;
enum result maintenance_update_change(struct db *db, const struct maintenance_update_row *row,
				      struct error *error) MUST_USE;
enum result maintenance_update_remove(struct db *db, int64_t id, struct error *error) MUST_USE;
/* Reads the newest updates of the window, newest first. */
enum result maintenance_update_list(struct db *db, int64_t maintenance_id, struct arena *arena,
				    struct maintenance_update_list *list, struct error *error)
	MUST_USE;

#endif
