/*
 * What publishing asks of the database: which revision of each page is the newest, which pages
 * are due, and which have changed lately. A page's row in page_revisions is written by each
 * change of what its files show and by each publish, so that the wide row in status_pages is
 * written only when the page itself changes. The row outlives the page for an hour, which tells
 * followers of the deletion.
 */
#ifndef STORE_PAGE_PUBLICATION_H
#define STORE_PAGE_PUBLICATION_H

#include "db/db.h"
#include "store/page/status_page.h"

struct publication {
	int64_t id;
	int64_t epoch; /* of the revision; see store/snapshot/timeline.h */
	int64_t revision;
	const char *slug;
	const char *domain;		  /* NULL: none, or its proof was missing for too long */
	struct instant unpublished_since; /* 0: the newest revision was published */
};

struct publication_list {
	struct publication *rows;
	size_t count;
};

/* The page with that slug. E_NOT_FOUND. */
enum result publication_find(struct db *db, const char *slug, struct arena *arena,
			     struct publication *publication, struct error *error) MUST_USE;
/* The newest revision of a page, with its epoch. E_NOT_FOUND. */
struct publication_version {
	int64_t epoch;
	int64_t revision;
};
enum result publication_version(struct db *db, int64_t page_id, struct arena *arena,
				struct publication_version *version, struct error *error) MUST_USE;
/* Whether a page has that slug, and whether a page is shown at that domain. */
struct publication_taken {
	bool is_slug_taken;
	bool is_domain_taken;
};
enum result publication_taken(struct db *db, const char *slug, const char *domain,
			      struct arena *arena, struct publication_taken *taken,
			      struct error *error) MUST_USE;
/*
 * Which of these pages the database has, or has deleted within the last hour, by id: rows of struct
 * publication_known. Any other page was not deleted: the database is an older or an empty one.
 */
enum { PUBLICATION_KNOWN_MAX = 1000 }; /* of one call */
struct publication_known {
	int64_t page_id;
};
enum result publication_find_known(struct db *db, const int64_t *page_ids, size_t count,
				   struct arena *arena, struct db_list *known, struct error *error)
	MUST_USE;
/* Which pages to publish. */
struct publication_query {
	bool is_all;		    /* else those with unpublished changes: */
	const int64_t *monitor_ids; /* only those that show one of them, if there are any; */
	size_t monitor_count;	    /* at most PUBLICATION_MONITORS_MAX */
	int64_t account_id;	    /* only the account's, if it is not 0; */
	struct instant now;	    /* else also those that the clock has changed by then */
};
enum { PUBLICATION_MONITORS_MAX = 64 };
enum { PUBLICATION_LIST_MAX = 500, PUBLICATION_LIST_MAX_BYTES = 16 << 20 /* of memory */ };
/* Up to PUBLICATION_LIST_MAX pages above `after_id`, by id. */
enum result publication_list(struct db *db, const struct publication_query *query, int64_t after_id,
			     struct arena *arena, struct publication_list *list,
			     struct error *error) MUST_USE;
/* A page's place among those of its account: that of the account's lowest id is 1. */
struct publication_turn {
	int64_t place;
	int64_t id;
};
struct publication_turn_list {
	struct publication_turn *rows;
	size_t count;
};
/* Up to PUBLICATION_LIST_MAX pages behind that one, in turns of the accounts. */
enum result publication_in_turn(struct db *db, const struct publication_turn *after,
				struct arena *arena, struct publication_turn_list *list,
				struct error *error) MUST_USE;
/* Pages that were deleted within the last minutes, the last ones first; not those of the
 * last second, which their own requests are removing. */
struct deleted_page {
	int64_t id;
};
struct deleted_page_list {
	struct deleted_page *rows;
	size_t count;
};
enum result publication_deleted(struct db *db, struct arena *arena, struct deleted_page_list *list,
				struct error *error) MUST_USE;
/* Which due pages to publish. */
struct publication_due_query {
	struct instant settled; /* only changes up to this time; 0: all */
	struct instant now;
	size_t limit;
};
/* In turns of the accounts, each account's oldest change first. */
enum result publication_due(struct db *db, const struct publication_due_query *query,
			    struct arena *arena, struct publication_list *list, struct error *error)
	MUST_USE;
/*
 * Of page_revisions `r`, in an UPDATE that changes what the page's files show. One argument: the
 * time since when the page is unpublished. changed_at is the database's time, which is the same
 * for all machines that write: see publication_changes().
 */
#define PUBLICATION_MARK_DIRTY \
	"r.revision = r.revision + 1, r.changed_at = UTC_TIMESTAMP(), " \
	"r.unpublished_since = COALESCE(r.unpublished_since, ?) "
/* The row of a page that was inserted: part of the insert's transaction. */
enum result publication_mark_created(struct db *db, const struct status_page *page,
				     struct error *error) MUST_USE;
/* Part of the transaction that deletes the page. */
enum result publication_mark_deleted(struct db *db, int64_t account_id, int64_t page_id,
				     struct error *error) MUST_USE;
/* Marks the rows of pages that went with their account. One statement when nothing is to be done.
 */
enum result publication_mark_orphans(struct db *db, struct error *error) MUST_USE;
/* Removes rows of pages that were deleted more than an hour ago. */
enum result publication_forget_deleted(struct db *db, struct error *error) MUST_USE;
/* A change of a monitor or of one of its incidents. */
struct publication_change {
	int64_t monitor_id;
	bool is_shown_by_api;	    /* the API shows it, too, in the pages' lists of monitors */
	struct instant known_since; /* the monitor's record begins by this time; 0: unchanged */
	struct instant now;
};
/*
 * Notes the change at the monitor, and marks the pages that show it as unpublished. Part of the
 * change's transaction.
 */
enum result publication_mark_dirty(struct db *db, const struct publication_change *change,
				   struct error *error) MUST_USE;
/* What pages show. */
struct publication_shown {
	struct id_list monitors; /* at most SQL_ROWS_MAX, and as many pages */
	struct id_list pages;	 /* further pages */
	int64_t account_id;	 /* of all of them; 0: of several accounts */
	struct instant now;
};
/* Marks the pages that show one of the monitors, and the further pages, as unpublished: part of a
 * change's transaction, and its last statement that locks rows. */
enum result publication_mark_shown(struct db *db, const struct publication_shown *shown,
				   struct arena *arena, struct error *error) MUST_USE;
/*
 * Marks pages whose access record has changed as unpublished: that page of the account, or, for
 * page_id 0, all of the account. Public pages have no such record.
 */
enum result publication_mark_access_dirty(struct db *db, int64_t account_id, int64_t page_id,
					  struct instant now, struct error *error) MUST_USE;
/* The stored files of a page. */
enum result publication_files(struct db *db, int64_t page_id, struct arena *arena,
			      struct page_file files[STATUS_PAGE_PICTURES], size_t *count,
			      struct error *error) MUST_USE;
struct publication_mark {
	int64_t page_id;
	int64_t revision;
	struct instant next_change;
};
/* Marks the pages as published by one statement; sorts the marks. A page that has another revision
 * by now stays unpublished. */
enum { PUBLICATION_MARKS_MAX = 64 };
enum result publication_mark_all_published(struct db *db, struct publication_mark *marks,
					   size_t count, struct arena *arena, struct error *error)
	MUST_USE;
/* Up to PUBLICATION_LIST_MAX pages with unpublished changes, those that wait longest first. */
enum result publication_backlog(struct db *db, struct arena *arena, struct publication_list *list,
				struct error *error) MUST_USE;

/* What a follower asks in each round. Reads two rows. */
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
/* The last row that was read: the next query begins after it. */
struct publication_place {
	struct instant changed_at;
	int64_t page_id;
};
/* Up to PUBLICATION_LIST_MAX pages, by the time of their last change. */
enum result publication_changes(struct db *db, const struct publication_place *after,
				struct arena *arena, struct publication_change_list *list,
				struct error *error) MUST_USE;

#endif
