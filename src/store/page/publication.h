/*
 * The data of publishing in MySQL: the newest revision of each page, the pages that are due, and
 * the pages that have changed lately.
 *
 * A change of data in a page's files, and each publish, writes only the page's row in
 * page_revisions. The wide row in status_pages is written only when the page itself changes. After
 * the deletion of a page, its row in page_revisions stays for an hour, so that followers learn of
 * the deletion.
 */
#ifndef STORE_PAGE_PUBLICATION_H
#define STORE_PAGE_PUBLICATION_H

#include "db/db.h"
#include "store/page/status_page.h"

struct publication {
	int64_t id;
	int64_t epoch; /* the epoch of the revision; see store/snapshot/timeline.h */
	int64_t revision;
	const char *slug;
	const char *domain; /* NULL: the page has no domain, or has lost it because its proof was
			       missing */
	struct instant unpublished_since; /* 0: the newest revision was published */
};

struct publication_list {
	struct publication *rows;
	size_t count;
};

/* Finds the page with this slug. E_NOT_FOUND: there is none. */
enum result publication_find(struct db *db, const char *slug, struct arena *arena,
			     struct publication *publication, struct error *error) MUST_USE;
/* The newest revision of a page, and the epoch of the database. publication_version() returns
 * E_NOT_FOUND if there is no such page. */
struct publication_version {
	int64_t epoch;
	int64_t revision;
};
enum result publication_version(struct db *db, int64_t page_id, struct arena *arena,
				struct publication_version *version, struct error *error) MUST_USE;
/* Whether any page has the slug, and whether any page is shown at the domain. */
struct publication_taken {
	bool is_slug_taken;
	bool is_domain_taken;
};
enum result publication_taken(struct db *db, const char *slug, const char *domain,
			      struct arena *arena, struct publication_taken *taken,
			      struct error *error) MUST_USE;
enum { PUBLICATION_KNOWN_MAX = 1000 }; /* the most ids in one call of publication_find_known() */
struct publication_known {
	int64_t page_id;
};
/*
 * Finds which of the pages exist, or were deleted within the last hour: rows of struct
 * publication_known, by id. Do not treat a page that is not found as deleted: the database may be
 * an older copy, or empty.
 */
enum result publication_find_known(struct db *db, const int64_t *page_ids, size_t count,
				   struct arena *arena, struct db_list *known, struct error *error)
	MUST_USE;
/* Selects the pages to publish. */
struct publication_query {
	bool is_all;		    /* all pages; false: only pages with unpublished changes */
	const int64_t *monitor_ids; /* if any: only unpublished pages that show one of them */
	size_t monitor_count;	    /* at most PUBLICATION_MONITORS_MAX */
	int64_t account_id; /* 0: all accounts; else only unpublished pages of this account */
	struct instant now; /* also lists pages that are due by the clock at `now`, unless the query
			       has monitors or an account */
};
enum { PUBLICATION_MONITORS_MAX = 64 };
enum {
	PUBLICATION_LIST_MAX = 500,
	PUBLICATION_LIST_MAX_BYTES = 16 << 20 /* of memory for a list */
};
/* Lists up to PUBLICATION_LIST_MAX pages with ids above `after_id`, ordered by id. */
enum result publication_list(struct db *db, const struct publication_query *query, int64_t after_id,
			     struct arena *arena, struct publication_list *list,
			     struct error *error) MUST_USE;
/* A page, and its number among the pages of its account. The page with the lowest id has number
 * 1. */
struct publication_turn {
	int64_t place;
	int64_t id;
};
struct publication_turn_list {
	struct publication_turn *rows;
	size_t count;
};
/* Lists up to PUBLICATION_LIST_MAX pages after `after`, ordered by place and id: one page of each
 * account, then a second page of each account, and so on. */
enum result publication_in_turn(struct db *db, const struct publication_turn *after,
				struct arena *arena, struct publication_turn_list *list,
				struct error *error) MUST_USE;
/* Lists pages that were deleted within the last five minutes, newest first. Omits pages that were
 * deleted in the last second: the request that deleted such a page is still removing its files. */
struct deleted_page {
	int64_t id;
};
struct deleted_page_list {
	struct deleted_page *rows;
	size_t count;
};
enum result publication_deleted(struct db *db, struct arena *arena, struct deleted_page_list *list,
				struct error *error) MUST_USE;
/* Selects the due pages to publish. */
struct publication_due_query {
	struct instant settled; /* only changes up to this time; 0: all */
	struct instant now;
	size_t limit;
};
/* Lists pages with unpublished changes, then pages that are due by the clock. Takes the accounts in
 * turn, and the oldest change of each account first. */
enum result publication_due(struct db *db, const struct publication_due_query *query,
			    struct arena *arena, struct publication_list *list, struct error *error)
	MUST_USE;
/*
 * For the SET of an UPDATE that joins page_revisions as `r` and changes data in the page's files:
 * marks the page as unpublished. One argument: the time of the change. changed_at comes from the
 * clock of the database, because all writing machines share that clock: see publication_changes().
 */
#define PUBLICATION_MARK_DIRTY \
	"r.revision = r.revision + 1, r.changed_at = UTC_TIMESTAMP(), " \
	"r.unpublished_since = COALESCE(r.unpublished_since, ?) "
/* Inserts the row of a page in page_revisions. Call it in the transaction that inserts the page. */
enum result publication_mark_created(struct db *db, const struct status_page *page,
				     struct error *error) MUST_USE;
/* Marks the row of a page in page_revisions as deleted. Call it in the transaction that deletes the
 * page. */
enum result publication_mark_deleted(struct db *db, int64_t account_id, int64_t page_id,
				     struct error *error) MUST_USE;
/* Marks rows of page_revisions as deleted if their pages were deleted together with an account.
 * Runs one statement if there are no such rows. */
enum result publication_mark_orphans(struct db *db, struct error *error) MUST_USE;
/* Deletes the rows of page_revisions whose pages were deleted more than an hour ago. */
enum result publication_forget_deleted(struct db *db, struct error *error) MUST_USE;
/* A change of a monitor or of one of its incidents. */
struct publication_change {
	int64_t monitor_id;
	bool is_shown_by_api;	    /* the API shows the change in the pages' lists of monitors */
	struct instant known_since; /* the monitor's history begins at this time or earlier; 0: its
				       start does not change */
	struct instant now;
};
/* Updates the monitor's updated_at and known_since, and marks the pages that show the monitor as
 * unpublished. Call it in the transaction of the change. */
enum result publication_mark_dirty(struct db *db, const struct publication_change *change,
				   struct error *error) MUST_USE;
/* The objects that pages show. */
struct publication_shown {
	struct id_list monitors; /* at most SQL_ROWS_MAX */
	struct id_list pages;	 /* further pages, at most SQL_ROWS_MAX */
	int64_t account_id;	 /* the account of all these objects; 0: several accounts */
	struct instant now;
};
/* Marks as unpublished: the pages that show one of the monitors, and the pages in shown->pages.
 * Call it in the transaction of the change, as the last statement that locks rows. */
enum result publication_mark_shown(struct db *db, const struct publication_shown *shown,
				   struct arena *arena, struct error *error) MUST_USE;
/* Marks pages as unpublished, because their access record has changed: the page page_id of the
 * account, or all pages of the account if page_id is 0. Skips public pages, which have no such
 * record. */
enum result publication_mark_access_dirty(struct db *db, int64_t account_id, int64_t page_id,
					  struct instant now, struct error *error) MUST_USE;
/* Reads the stored images of a page. */
enum result publication_files(struct db *db, int64_t page_id, struct arena *arena,
			      struct page_file files[STATUS_PAGE_PICTURES], size_t *count,
			      struct error *error) MUST_USE;
struct publication_mark {
	int64_t page_id;
	int64_t revision;
	struct instant next_change;
};
enum { PUBLICATION_MARKS_MAX = 64 };
/* Marks the pages as published, and stores when each is due by the clock. Runs one statement, and
 * sorts `marks`. A page whose revision has changed since it was read stays unpublished. */
enum result publication_mark_all_published(struct db *db, struct publication_mark *marks,
					   size_t count, struct arena *arena, struct error *error)
	MUST_USE;
/* Lists up to PUBLICATION_LIST_MAX pages with unpublished changes, longest waiting first. */
enum result publication_backlog(struct db *db, struct arena *arena, struct publication_list *list,
				struct error *error) MUST_USE;

/* What a follower reads in each round to see whether any page has changed. */
struct publication_feed {
	int64_t epoch;
	struct instant latest_change; /* 0: there are no pages */
	struct instant now;	      /* by the database's clock, which sets the times of changes */
};
enum result publication_feed(struct db *db, struct arena *arena, struct publication_feed *feed,
			     struct error *error) MUST_USE;
/* A page that has changed, or is deleted. */
struct publication_changed {
	int64_t id;
	int64_t epoch;
	int64_t revision;
	const char *slug; /* NULL: deleted */
	struct instant changed_at;
	bool is_deleted;
};
struct publication_change_list {
	struct publication_changed *rows;
	size_t count;
};
/* The last row that was read; the next query begins after it. */
struct publication_place {
	struct instant changed_at;
	int64_t page_id;
};
/* Lists up to PUBLICATION_LIST_MAX changed or deleted pages after the place `after`, by the time of
 * their last change. */
enum result publication_changes(struct db *db, const struct publication_place *after,
				struct arena *arena, struct publication_change_list *list,
				struct error *error) MUST_USE;

#endif
