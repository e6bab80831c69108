/* What publishing asks of the database: a page's newest committed state, and what is still due. */
#ifndef STORE_PUBLICATION_H
#define STORE_PUBLICATION_H

#include "db/db.h"
#include "store/status_page.h"

struct publication {
	int64_t id;
	int64_t revision;
	const char *slug;
	int privacy;
	const char *logo_file;
	const char *favicon_file;
};

struct publication_list {
	struct publication *rows;
	size_t count;
};

/*
 * The page of that id, and the one that has that slug: either may be unset
 * (0, NULL), either may not exist; at most two rows, in one statement.
 */
enum result publication_find(struct db *db, int64_t page_id, const char *slug, struct arena *arena,
			     struct publication_list *list, struct error *error) MUST_USE;
/* Up to 500 pages above `after_id`, by id: all of them, or those with unpublished changes. */
enum result publication_list(struct db *db, int64_t after_id, bool is_all, struct arena *arena,
			     struct publication_list *list, struct error *error) MUST_USE;
/* The stored files of a page, at most two. */
enum result publication_files(struct db *db, int64_t page_id, struct arena *arena,
			      struct page_file files[2], size_t *count, struct error *error)
	MUST_USE;
/* Notes that this revision is on disk. */
enum result publication_mark(struct db *db, const struct publication *publication,
			     struct error *error) MUST_USE;
/* How many pages have unpublished changes, and since when the oldest has. */
enum result publication_backlog(struct db *db, struct arena *arena, int64_t *count,
				struct instant *oldest, struct error *error) MUST_USE;

#endif
