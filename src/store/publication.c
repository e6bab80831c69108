#include "store/publication.h"

#include "domain/uptime.h"

#define COLUMNS \
	"id, (SELECT epoch FROM timeline WHERE id = 1) AS epoch, revision, slug, " \
	"IF(domain_lost_at IS NULL, domain, NULL) AS domain, unpublished_since"

#define ROW(member) FIELD(struct publication, member)
static const struct field rows[] = { ROW(id),	ROW(epoch),  ROW(revision),
				     ROW(slug), ROW(domain), ROW(unpublished_since) };
static const struct fields row_fields = { rows, ARRAY_LEN(rows) };

enum result publication_find(struct db *db, const char *slug, struct arena *arena,
			     struct publication *publication, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT " COLUMNS " FROM status_pages WHERE slug = ? ORDER BY id LIMIT 1"));
	sql_text(&sql, slug);
	return db_read_one(db, &sql, row_fields, publication, arena, error);
}

enum result publication_taken(struct db *db, const char *slug, const char *domain,
			      struct arena *arena, struct publication_taken *taken,
			      struct error *error)
{
	static const struct field taken_rows[] = {
		FIELD(struct publication_taken, is_slug_taken),
		FIELD(struct publication_taken, is_domain_taken),
	};
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT EXISTS (SELECT 1 FROM status_pages WHERE slug = ?) "
			    "AS is_slug_taken, "
			    "EXISTS (SELECT 1 FROM status_pages WHERE domain = ? "
			    "AND domain_lost_at IS NULL) "
			    "AS is_domain_taken"));
	sql_text(&sql, slug);
	sql_text(&sql, domain);
	return db_read_one(db, &sql, FIELDS(taken_rows), taken, arena, error);
}

/* A moment more than a day ahead is of a wrong clock: midnight changes every page. */
#define DUE_BY_CLOCK "(next_change_at <= ? OR next_change_at > ?) "

static void add_due(struct sql_build *sql, struct instant now)
{
	sql_time(sql, now);
	sql_time(sql, (struct instant){ now.s + DAY_S });
}

enum result publication_list(struct db *db, const struct publication_query *query, int64_t after_id,
			     struct arena *arena, struct publication_list *list,
			     struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL("SELECT " COLUMNS " FROM status_pages WHERE id > ? "));
	sql_int(&sql, after_id);
	if (query->monitor_id > 0) {
		sql_add(&sql, SQL("AND id IN (SELECT status_page_id FROM status_page_monitors "
				  "WHERE monitor_id = ?) AND unpublished_since IS NOT NULL "));
		sql_int(&sql, query->monitor_id);
	} else if (query->account_id > 0) {
		sql_add(&sql, SQL("AND account_id = ? AND unpublished_since IS NOT NULL "));
		sql_int(&sql, query->account_id);
	} else if (!query->is_all) {
		sql_add(&sql, SQL("AND (unpublished_since IS NOT NULL OR " DUE_BY_CLOCK ") "));
		add_due(&sql, query->now);
	}
	sql_add(&sql, SQL("ORDER BY id LIMIT 500"));
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(row_fields, struct publication, PUBLICATION_LIST_MAX), arena,
		&found, error);
	*list = (struct publication_list){ found.rows, found.count };
	return result;
}

enum result publication_due(struct db *db, const struct publication_due_query *query,
			    struct arena *arena, struct publication_list *list, struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL("SELECT id, epoch, revision, slug, domain, unpublished_since "
			    "FROM (SELECT " COLUMNS ", 0 AS is_later, "
			    "ROW_NUMBER() OVER (PARTITION BY account_id "
			    "ORDER BY unpublished_since, id) AS place FROM status_pages "
			    "WHERE unpublished_since IS NOT NULL "));
	if (query->settled.s > 0) {
		sql_add(&sql, SQL("AND unpublished_since <= ? "));
		sql_time(&sql, query->settled);
	}
	sql_add(&sql, SQL("UNION ALL "
			  "SELECT " COLUMNS ", 1, "
			  "ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY next_change_at, id) "
			  "FROM status_pages WHERE unpublished_since IS NULL AND " DUE_BY_CLOCK));
	add_due(&sql, query->now);
	sql_add(&sql, SQL(") due ORDER BY is_later, place, id LIMIT ?"));
	sql_int(&sql, (int64_t)query->limit);
	enum result result = db_read_list(db, &sql,
					  DB_SHAPE(row_fields, struct publication, query->limit),
					  arena, &found, error);
	*list = (struct publication_list){ found.rows, found.count };
	return result;
}

enum result publication_mark_dirty(struct db *db, const struct publication_change *change,
				   struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors m "
			    "LEFT JOIN status_page_monitors s ON s.monitor_id = m.id "
			    "LEFT JOIN status_pages p ON p.id = s.status_page_id "
			    "SET m.updated_at = GREATEST(m.updated_at, ?), "
			    "m.known_since = COALESCE(LEAST(m.known_since, ?), m.known_since, ?), "
			    "p.revision = p.revision + 1, p.version = p.version + ?, "
			    "p.unpublished_since = COALESCE(p.unpublished_since, ?) "
			    "WHERE m.id = ?"));
	sql_time(&sql, change->now);
	sql_time(&sql, change->known_since);
	sql_time(&sql, change->known_since);
	sql_int(&sql, change->is_shown_by_api);
	sql_time(&sql, change->now);
	sql_int(&sql, change->monitor_id);
	return db_write(db, &sql, NULL, error);
}

enum result publication_mark_account_dirty(struct db *db, int64_t account_id, struct instant now,
					   struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE status_pages SET revision = revision + 1, "
			    "unpublished_since = COALESCE(unpublished_since, ?) "
			    "WHERE account_id = ? AND EXISTS (SELECT 1 FROM status_page_monitors s "
			    "WHERE s.status_page_id = status_pages.id)"));
	sql_time(&sql, now);
	sql_int(&sql, account_id);
	return db_write(db, &sql, NULL, error);
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

enum result publication_mark_published(struct db *db, const struct status_page *page,
				       struct instant next_change, struct error *error)
{
	struct sql_build sql;
	/* A change that came meanwhile keeps its note. */
	sql_start(&sql, SQL("UPDATE status_pages SET unpublished_since = "
			    "IF(revision = ?, NULL, unpublished_since), published_revision = ?, "
			    "next_change_at = ? WHERE id = ? AND published_revision <= ?"));
	sql_int(&sql, page->revision);
	sql_int(&sql, page->revision);
	sql_time(&sql, next_change);
	sql_int(&sql, page->id);
	sql_int(&sql, page->revision);
	return db_write(db, &sql, NULL, error);
}

enum result publication_backlog(struct db *db, struct arena *arena, struct publication_list *list,
				struct error *error)
{
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL("SELECT " COLUMNS " FROM status_pages "
			    "WHERE unpublished_since IS NOT NULL "
			    "ORDER BY unpublished_since, id LIMIT 500"));
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(row_fields, struct publication, PUBLICATION_LIST_MAX), arena,
		&found, error);
	*list = (struct publication_list){ found.rows, found.count };
	return result;
}
