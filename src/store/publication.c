#include "store/publication.h"

#define ROW(member) FIELD(struct publication, member)
static const struct field rows[] = { ROW(id),	   ROW(revision),  ROW(slug),
				     ROW(privacy), ROW(logo_file), ROW(favicon_file) };
static const struct fields row_fields = { rows, ARRAY_LEN(rows) };

#define PUBLICATION_SELECT \
	"SELECT id, revision, slug, privacy, logo_file, favicon_file FROM status_pages "

static enum result read_list(struct db *db, const struct sql_build *sql, size_t limit,
			     struct arena *arena, struct publication_list *list,
			     struct error *error)
{
	struct db_list found;
	enum result result = db_read_list(db, sql, DB_SHAPE(row_fields, struct publication, limit),
					  arena, &found, error);
	*list = (struct publication_list){ found.rows, found.count };
	return result;
}

enum result publication_find(struct db *db, int64_t page_id, const char *slug, struct arena *arena,
			     struct publication_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(PUBLICATION_SELECT "WHERE id = ? OR slug = ? ORDER BY id LIMIT 2"));
	sql_int(&sql, page_id);
	sql_text(&sql, slug);
	return read_list(db, &sql, 2, arena, list, error);
}

enum result publication_list(struct db *db, int64_t after_id, bool is_all, struct arena *arena,
			     struct publication_list *list, struct error *error)
{
	enum { LIMIT = 500 };
	struct sql_build sql;
	sql_start(&sql, SQL(PUBLICATION_SELECT "WHERE id > ? "));
	sql_int(&sql, after_id);
	if (!is_all)
		sql_add(&sql, SQL("AND unpublished_since IS NOT NULL "));
	sql_add(&sql, SQL("ORDER BY id LIMIT 500"));
	return read_list(db, &sql, LIMIT, arena, list, error);
}

enum result publication_files(struct db *db, int64_t page_id, struct arena *arena,
			      struct page_file files[2], size_t *count, struct error *error)
{
	struct sql_build sql;
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct db_blob columns[3];
	*count = 0;
	sql_start(&sql, SQL("SELECT kind, name, bytes FROM status_page_files "
			    "WHERE status_page_id = ? AND name IS NOT NULL ORDER BY kind LIMIT 2"));
	sql_int(&sql, page_id);
	enum result result = db_read(db, &sql, &found, error);
	if (result != OK)
		return result;
	while (*count < 2 && db_next_blobs(found, columns, ARRAY_LEN(columns), arena))
		files[(*count)++] = (struct page_file){ columns[0].data, columns[1].data,
							columns[2].data, columns[2].len };
	return OK;
}

enum result publication_mark(struct db *db, const struct publication *publication,
			     struct error *error)
{
	struct sql_build sql;
	/* A change that came meanwhile keeps its note. */
	sql_start(&sql, SQL("UPDATE status_pages SET unpublished_since = "
			    "IF(revision = ?, NULL, unpublished_since), published_revision = ? "
			    "WHERE id = ? AND published_revision <= ?"));
	sql_int(&sql, publication->revision);
	sql_int(&sql, publication->revision);
	sql_int(&sql, publication->id);
	sql_int(&sql, publication->revision);
	return db_write(db, &sql, NULL, error);
}

enum result publication_backlog(struct db *db, struct arena *arena, int64_t *count,
				struct instant *oldest, struct error *error)
{
	struct backlog {
		int64_t count;
		struct instant oldest;
	} backlog = { 0 };
	static const struct field backlog_rows[] = { FIELD(struct backlog, count),
						     FIELD(struct backlog, oldest) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS `count`, MIN(unpublished_since) AS oldest "
			    "FROM status_pages WHERE unpublished_since IS NOT NULL"));
	enum result result =
		db_read_one(db, &sql, FIELDS(backlog_rows), &backlog, arena, error);
	*count = backlog.count;
	*oldest = backlog.oldest;
	return result;
}
