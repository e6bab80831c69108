/* Monitors: the systems that an account watches. */
#ifndef STORE_MONITOR_MONITOR_H
#define STORE_MONITOR_MONITOR_H

#include "db/db.h"
#include "domain/monitor/monitor.h"
#include "store/list.h"

struct monitor_list {
	struct monitor *rows;
	size_t count;
};

enum monitor_sort { MONITOR_BY_ID, MONITOR_BY_NAME, MONITOR_BY_URL };

enum monitor_search { MONITOR_SEARCH_NAME, MONITOR_SEARCH_URL };

struct monitor_query {
	struct list_query list; /* sort_by: enum monitor_sort */
	int64_t status_page_id; /* only monitors that this page shows; 0: all */
	int state; /* enum monitor_state; MONITOR_ANY_STATE: all monitors except retired ones */
	const char *group; /* NULL: any */
};

struct monitor_page {
	struct monitor *rows;
	size_t count;
	int64_t total; /* the number of rows, ignoring limit and offset */
};

/* Reads one page of the list. Runs one statement, or two if the offset is past the end of the
 * list. */
enum result monitor_list_page(struct db *db, const struct monitor_query *query, struct arena *arena,
			      struct monitor_page *page, struct error *error) MUST_USE;

/* Reads the ids of the first `most` monitors of the list, in ascending order. */
enum result monitor_ids(struct db *db, const struct monitor_query *query, size_t most,
			struct arena *arena, struct id_list *ids, struct error *error) MUST_USE;

/* The name of a chosen monitor, or of a monitor whose name contains `search`. */
struct monitor_name {
	int64_t id;
	const char *name;
	/* true: a chosen monitor; false: a monitor that the search found. A chosen monitor that the
	 * search also finds is listed twice. */
	bool is_chosen;
};
struct monitor_name_query {
	int64_t account_id;
	const struct id_list *chosen;
	const char *search;  /* NULL: all */
	int64_t not_on_page; /* leaves out the monitors of this page; 0: leaves out none */
	size_t most;	     /* how many monitors to find at most, in addition to the chosen ones */
};
/* Reads the chosen monitors, by name, and then the found monitors, by name. One statement. */
enum result monitor_names(struct db *db, const struct monitor_name_query *query,
			  struct arena *arena, struct db_list *names, struct error *error) MUST_USE;

/*
 * Inserts the monitor, and sets monitor->id. E_QUOTA_EXCEEDED: the account already has `most`
 * monitors. Call it in a transaction.
 */
enum result monitor_add(struct db *db, struct monitor *monitor, int64_t most, struct error *error)
	MUST_USE;
/* Lists up to 1,000 monitors with ids above `after_id`, by id: of one account, or of all accounts
 * if account_id is 0. */
enum result monitor_list(struct db *db, int64_t account_id, int64_t after_id, struct instant now,
			 struct arena *arena, struct monitor_list *list, struct error *error)
	MUST_USE;
/* Finds a monitor of the account (0: of any account) by its id. E_NOT_FOUND: there is none. */
enum result monitor_find(struct db *db, int64_t account_id, int64_t id, struct instant now,
			 struct arena *arena, struct monitor *monitor, struct error *error)
	MUST_USE;
/*
 * Stores updated_at, and the fields that a client may set. If is_on_page, also marks the monitor's
 * pages as unpublished. Must run in a transaction that has locked the monitor. E_CONFLICT: another
 * monitor of the account has the label.
 */
enum result monitor_update(struct db *db, const struct monitor *monitor, bool is_on_page,
			   struct error *error) MUST_USE;
/* A change to be made to several monitors. */
struct monitors_change {
	const struct id_list *ids; /* at most SQL_ROWS_MAX / 2 */
	bool sets_pause;
	bool is_paused;
	bool sets_group;
	const char *group; /* NULL: none */
	struct instant now;
};
/* Stores the change and updated_at. A monitor that is already paused keeps the start of its pause.
 * Call it in a transaction that has locked the monitors. */
enum result monitors_store_change(struct db *db, const struct monitors_change *change,
				  struct arena *arena, struct error *error) MUST_USE;
/*
 * Finds and locks a monitor of the account (0: of any account). Does not read its counts, its state
 * or its last cause. E_NOT_FOUND: there is no such monitor. Monitors that are being removed are
 * found only if account_id is 0.
 */
enum result monitor_lock(struct db *db, int64_t account_id, int64_t id, struct arena *arena,
			 struct monitor *monitor, struct error *error) MUST_USE;
/* Locks monitors of the account (0: of any account). `ids` must be sorted. E_NOT_FOUND: a monitor
 * is missing. */
enum result monitors_lock(struct db *db, int64_t account_id, const struct id_list *ids,
			  struct arena *arena, struct error *error) MUST_USE;
/* Reads at most SQL_ROWS_MAX monitors, sorted by id: the members that monitor_lock() reads, and the
 * alert channels. */
enum result monitors_read(struct db *db, const struct id_list *ids, struct arena *arena,
			  struct monitor_list *list, struct error *error) MUST_USE;
/* Retires the monitor, and marks its pages as unpublished. Call it in a transaction, after the
 * monitor's open incident was ended. */
enum result monitor_retire(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;
/*
 * The first step of the removal of a monitor: removes it from its pages, marks these pages as
 * unpublished, and retires it. From then on the monitor accepts no reports, and accounts do not see
 * it. Call it in a transaction. The second step is removal_incidents_some()
 * (store/account/removal.h), the last is monitor_remove().
 */
enum result monitor_detach(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;
/* Finds the monitor with the lowest id above `after_id` whose removal began before `before`.
 * E_NOT_FOUND: there is none. */
enum result monitor_next_removed(struct db *db, struct instant before, int64_t after_id,
				 struct arena *arena, int64_t *id, struct error *error) MUST_USE;
/* Deletes the monitor, and its kept counts. E_NOT_FOUND: there is no such monitor. */
enum result monitor_remove(struct db *db, int64_t id, struct error *error) MUST_USE;

#endif
