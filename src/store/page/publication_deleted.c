/* The rows of page_revisions whose pages are deleted. */
#include "store/page/publication.h"

/* Clears unpublished_since, so that the row of a deleted page is not due for publishing. */
#define MARK_DELETED \
	"r.deleted_at = UTC_TIMESTAMP(), r.changed_at = UTC_TIMESTAMP(), " \
	"r.unpublished_since = NULL "

enum result publication_mark_deleted(struct db *db, int64_t account_id, int64_t page_id,
				     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE page_revisions r SET " MARK_DELETED
			    "WHERE r.page_id = ? AND r.account_id = ?"));
	sql_add(&sql, page_id, account_id);
	return db_write(db, &sql, NULL, error);
}

enum result publication_mark_orphans(struct db *db, struct error *error)
{
	/* The lowest and the highest page id of the rows that are to be marked. */
	struct gap {
		int64_t first;
		int64_t last;
	} gap = { 0 };
	static const struct field gap_rows[] = { FIELD(struct gap, first),
						 FIELD(struct gap, last) };
	struct sql_build sql;
	/* Find the range by a SELECT, which takes no locks. An UPDATE locks every row that it
	 * compares. */
	sql_start(&sql, SQL("SELECT MIN(r.page_id) AS first, MAX(r.page_id) AS last "
			    "FROM page_revisions r "
			    "LEFT JOIN status_pages p ON p.id = r.page_id "
			    "WHERE p.id IS NULL AND r.deleted_at IS NULL"));
	enum result result = db_read_one(db, &sql, FIELDS(gap_rows), &gap, NULL, error);
	if (result != OK || gap.last == 0)
		return result;
	sql_start(&sql, SQL("UPDATE page_revisions r LEFT JOIN status_pages p ON p.id = r.page_id "
			    "SET " MARK_DELETED "WHERE p.id IS NULL AND r.deleted_at IS NULL "
			    "AND r.page_id BETWEEN ? AND ?"));
	sql_add(&sql, gap.first, gap.last);
	return db_write(db, &sql, NULL, error);
}

enum result publication_deleted(struct db *db, struct arena *arena, struct deleted_page_list *list,
				struct error *error)
{
	static const struct field deleted_rows[] = { FIELD(struct deleted_page, id) };
	struct sql_build sql;
	/* Include a deleted_at in the future: it was stored before the clock was set back. */
	sql_start(&sql, SQL("SELECT page_id AS id FROM page_revisions "
			    "WHERE deleted_at > UTC_TIMESTAMP() - INTERVAL 5 MINUTE "
			    "AND (deleted_at < UTC_TIMESTAMP() - INTERVAL 1 SECOND "
			    "OR deleted_at > UTC_TIMESTAMP() + INTERVAL 10 SECOND) "
			    "ORDER BY deleted_at DESC, page_id DESC LIMIT 500"));
	return db_read_into(db, &sql, FIELDS(deleted_rows), DB_INTO(list, PUBLICATION_LIST_MAX),
			    arena, error);
}

enum result publication_find_known(struct db *db, const int64_t *page_ids, size_t count,
				   struct arena *arena, struct db_list *known, struct error *error)
{
	static const struct field known_rows[] = { FIELD(struct publication_known, page_id) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT page_id FROM page_revisions WHERE page_id IN ("));
	sql_list_ints(&sql, page_ids, count, arena);
	sql_add(&sql, SQL(") ORDER BY page_id LIMIT ?"), (int64_t)count);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(known_rows), struct publication_known, count),
			    arena, known, error);
}

enum result publication_forget_deleted(struct db *db, struct error *error)
{
	struct sql_build sql;
	struct db_done done = { 0 };
	enum result result;
	sql_start(&sql, SQL("DELETE FROM page_revisions "
			    "WHERE deleted_at < UTC_TIMESTAMP() - INTERVAL 1 HOUR "
			    "ORDER BY deleted_at, page_id LIMIT 1000"));
	do
		result = db_write(db, &sql, &done, error);
	while (result == OK && done.rows == 1000);
	return result;
}
