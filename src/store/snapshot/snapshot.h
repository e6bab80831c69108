/*
 * The loaders of snapshots: each reads one kind of row for all pages of a set. page_content.c runs
 * them in its transaction. To load a new kind of row, add a loader here and in page_content.c, and
 * an array in domain/page/page_snapshot.h.
 */
#ifndef STORE_SNAPSHOT_SNAPSHOT_H
#define STORE_SNAPSHOT_SNAPSHOT_H

#include "db/db.h"
#include "store/snapshot/page_content.h"

struct snapshot_monitor {
	int64_t id;
	/* The stored count of detected incidents. If the monitor has more than PAGE_NEWEST_MAX
	 * reported incidents, 26 is added. An operator who changes incidents by SQL can make the
	 * stored count wrong. */
	int64_t incidents;
	bool has_maintenance; /* a window has the monitor; the loaders look up windows of only such
				 monitors */
	bool has_gaps; /* it has gaps in the days of the bars; the loaders look up gaps of only such
			  monitors */
};

/* Pages that are loaded together. */
struct snapshot_set {
	struct page_content *contents; /* loaders skip a page whose is_found is false */
	size_t count;
	struct instant now;
	struct instant bars_start; /* the start of the oldest day in the bars of any page */
	struct snapshot_monitor
		*monitors; /* the monitors of all pages, including retired ones, by id */
	size_t monitor_count;
};

/* A loader also returns E_FAILED if there are more rows or bytes than a page may have. */
typedef enum result snapshot_loader(struct db *db, struct snapshot_set *set, struct arena *arena,
				    struct error *error);

/* Runs first, because the other loaders need the monitors. Reduces set->count to the number of
 * pages that fit into memory. */
snapshot_loader snapshot_load_monitors;
snapshot_loader
	snapshot_load_incidents; /* loads `outages`, `incidents`, `newest`, texts, updates */
snapshot_loader snapshot_load_months;
snapshot_loader snapshot_load_maintenance; /* runs four statements, if there are windows */
snapshot_loader snapshot_load_gaps;	   /* runs one statement, if there are gaps */
/* Runs one statement, if a page shows response times. */
snapshot_loader snapshot_load_response_times;

/*
 * Read the rows for the uptimes of monitors, for a set that has no pages:
 * - snapshot_read_outages() reads the `outages` of a snapshot, by one statement;
 * - snapshot_read_windows() reads its `windows`, by one statement, or two if there are windows;
 * - snapshot_read_gaps() reads its `gaps`, by one statement if there are gaps.
 * All look back to set->bars_start. E_TOO_LARGE: there are more than `most` incidents, occurrences,
 * or gaps.
 */
enum result snapshot_read_outages(struct db *db, struct snapshot_set *set, size_t most,
				  struct arena *arena, struct page_snapshot *page,
				  struct error *error) MUST_USE;
enum result snapshot_read_windows(struct db *db, struct snapshot_set *set, size_t most,
				  struct arena *arena, struct page_snapshot *page,
				  struct error *error) MUST_USE;
enum result snapshot_read_gaps(struct db *db, struct snapshot_set *set, size_t most,
			       struct arena *arena, struct page_snapshot *page, struct error *error)
	MUST_USE;

/*
 * The most ids in the list of a statement. Longer lists make statements too long. MariaDB also
 * turns lists of 1,000 ids or more into a join (in_predicate_conversion_threshold).
 */
enum { SNAPSHOT_LIST_MAX = 512 };
/* Returns the part of the list, from index `from` on, that fits into one statement. */
struct id_list snapshot_list_chunk(const struct id_list *list, size_t from);

/* Runs the SELECT and reads all its rows. E_FAILED: there are more than shape->limit rows, or the
 * rows would leave too little room in the arena. `what` names the rows in the log. */
enum result snapshot_read(struct db *db, const struct sql_build *sql, const struct db_shape *shape,
			  const char *what, struct arena *arena, struct db_list *list,
			  struct error *error) MUST_USE;

/* Appends the rows `more` to the rows of earlier statements, and increases *count. Returns the new
 * array, which the arena owns. */
void *snapshot_rows_append(struct arena *arena, void *rows, size_t *count,
			   const struct db_list *more, size_t row_bytes);

/* Adds the ids of the set's pages, for `status_page_id IN (…)`. The set must have a page. */
void snapshot_add_pages(struct sql_build *sql, const struct snapshot_set *set, struct arena *arena);

/* Returns the page with this id. Returns NULL if the set has no such page, or if the page was not
 * found. */
struct page_snapshot *snapshot_page(const struct snapshot_set *set, int64_t page_id);

#endif
