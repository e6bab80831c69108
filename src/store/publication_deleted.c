/* What publishing asks of the database about pages that were deleted: their rows outlive them. */
#include "store/publication.h"

enum result publication_deleted(struct db *db, struct arena *arena, struct deleted_page_list *list,
				struct error *error)
{
	static const struct field deleted_rows[] = { FIELD(struct deleted_page, id) };
	struct sql_build sql;
	struct db_list found;
	/* A time in the future is from before the clock was set back. */
	sql_start(&sql, SQL("SELECT page_id AS id FROM page_revisions "
			    "WHERE deleted_at > UTC_TIMESTAMP() - INTERVAL 5 MINUTE "
			    "AND (deleted_at < UTC_TIMESTAMP() - INTERVAL 1 SECOND "
			    "OR deleted_at > UTC_TIMESTAMP() + INTERVAL 10 SECOND) "
			    "ORDER BY deleted_at DESC, page_id DESC LIMIT 500"));
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(deleted_rows), struct deleted_page, PUBLICATION_LIST_MAX),
		arena, &found, error);
	*list = (struct deleted_page_list){ found.rows, found.count };
	return result;
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
