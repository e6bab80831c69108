#include "store/page/status_page.h"

#include <stdlib.h>

#include "base/log.h"
#include "store/page/publication.h"
#include "store/page/status_page_columns.h"

static const struct field written_rows[] = { WRITTEN_ROWS };
static const struct field page_rows[] = { PAGE_ROWS };

static void add_filter(struct sql_build *sql, const struct status_page_query *query,
		       struct arena *arena)
{
	sql_add(sql, SQL("WHERE account_id = ? "), query->list.account_id);
	if (query->list.search)
		sql_add(sql, SQL("AND name LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->list.search));
	if (query->monitor_id > 0) {
		sql_add(sql, SQL("AND id IN (SELECT status_page_id FROM status_page_monitors "
				 "WHERE monitor_id = ?) "));
		sql_add(sql, query->monitor_id);
	}
}

/*
 * Pages with the same name are ordered by id, in the same direction as the names. So one index
 * serves both directions.
 */
static struct sql order_of(const struct status_page_query *query)
{
	if (query->list.sort_by == STATUS_PAGE_BY_NAME)
		return query->list.is_ascending ? SQL("ORDER BY name, id ")
						: SQL("ORDER BY name DESC, id DESC ");
	return query->list.is_ascending ? SQL("ORDER BY id ") : SQL("ORDER BY id DESC ");
}

/* The outer SELECT orders the rows again. The program cannot sort names itself, because only the
 * database knows their collation. */
static struct sql outer_order_of(const struct status_page_query *query)
{
	if (query->list.sort_by == STATUS_PAGE_BY_NAME)
		return query->list.is_ascending
			       ? SQL("ORDER BY shown.name, shown.id LIMIT 100")
			       : SQL("ORDER BY shown.name DESC, shown.id DESC LIMIT 100");
	return query->list.is_ascending ? SQL("ORDER BY shown.id LIMIT 100")
					: SQL("ORDER BY shown.id DESC LIMIT 100");
}

static enum result count_pages(struct db *db, const struct status_page_query *query,
			       struct arena *arena, int64_t *total, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(*) AS total FROM status_pages "));
	add_filter(&sql, query, arena);
	return list_total_past_end(db, &sql, query->list.offset, total, error);
}

static enum result read_pages(struct db *db, const struct status_page_query *query,
			      struct arena *arena, struct status_page_list *list,
			      struct error *error)
{
	static const struct field rows[] = { LISTED_ROWS LIST_TOTAL(struct status_page) };
	struct sql_build sql;
	/*
	 * The inner SELECT finds the ids in a covering index, so that only the rows of this page of
	 * the list are read. The outer ORDER BY uses only columns of the derived table. Otherwise
	 * MySQL would sort whole rows in a temporary table on disk.
	 */
	sql_start(&sql, SQL("SELECT " LISTED_COLUMNS ", (SELECT COUNT(*) FROM status_pages "));
	add_filter(&sql, query, arena);
	sql_add(&sql, query->list.sort_by == STATUS_PAGE_BY_NAME
			      ? SQL(") AS total FROM (SELECT id, name FROM status_pages ")
			      : SQL(") AS total FROM (SELECT id FROM status_pages "));
	add_filter(&sql, query, arena);
	sql_add(&sql, order_of(query));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?) shown JOIN status_pages p ON p.id = shown.id "),
		query->list.limit, query->list.offset);
	sql_add(&sql, outer_order_of(query));
	return list_read(db, &sql, FIELDS(rows), LIST_INTO(list), arena, error);
}

enum result status_page_list(struct db *db, const struct status_page_query *query,
			     struct arena *arena, struct status_page_list *list,
			     struct error *error)
{
	*list = (struct status_page_list){ 0 };
	enum result result = read_pages(db, query, arena, list, error);
	if (result != OK || list->count > 0 || query->list.offset == 0)
		return result;
	return count_pages(db, query, arena, &list->total, error);
}

enum result status_page_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			     struct arena *arena, struct status_page *page, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " PAGE_COLUMNS "FROM status_pages p "
			    "WHERE p.id = ? AND p.account_id = ? ORDER BY p.id LIMIT 1"));
	sql_add(&sql, id, account_id);
	if (for_update)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(page_rows), page, arena, error);
}

static void add_written(struct sql_build *sql, const struct status_page *page)
{
	for (size_t i = 0; i < ARRAY_LEN(written_rows); i++)
		sql_field(sql, &written_rows[i], page);
}

enum result status_page_insert(struct db *db, struct status_page *page, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("INSERT INTO status_pages (" WRITTEN_NAMES
			    "account_id, created_at, password_hash) VALUES "
			    "(" WRITTEN_MARKS "?, ?, ?)"));
	add_written(&sql, page);
	sql_add(&sql, page->account_id, page->created_at, page->password_hash);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK) {
		page->id = done.id;
		page->version = 1;
		page->has_password = page->password_hash != NULL;
		result = publication_mark_created(db, page, error);
	}
	return result;
}

enum result status_page_update(struct db *db, struct status_page *page, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql, SQL("UPDATE status_pages p LEFT JOIN page_revisions r ON r.page_id = p.id "
			    "SET " WRITTEN_SETS "password_hash = COALESCE(?, password_hash), "
			    "version = version + 1, " PUBLICATION_MARK_DIRTY
			    "WHERE p.id = ? AND p.account_id = ?"));
	add_written(&sql, page);
	sql_add(&sql, page->password_hash, page->updated_at, page->id, page->account_id);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		return E_NOT_FOUND;
	if (result == OK) {
		page->version++;
		page->has_password = page->has_password || page->password_hash;
	}
	return result;
}

enum result status_page_delete(struct db *db, int64_t account_id, int64_t id, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	/* The page's slug and domain may be former addresses of other pages. Delete these rows,
	 * too: requests must not be redirected to those pages. */
	sql_start(&sql, SQL("DELETE p, f FROM status_pages p LEFT JOIN former_addresses f ON "
			    "(f.kind = 'slug' AND f.name = p.slug) OR "
			    "(f.kind = 'domain' AND f.name = p.domain) "
			    "WHERE p.id = ? AND p.account_id = ?"));
	sql_add(&sql, id, account_id);
	enum result result = db_write(db, &sql, &done, error);
	if (result == OK && done.rows == 0)
		return E_NOT_FOUND;
	return result == OK ? publication_mark_deleted(db, account_id, id, error) : result;
}

static const struct sql_rows position_rows = {
	.first = { "SELECT CAST(? AS SIGNED) AS position, CAST(? AS SIGNED) AS id" },
	.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS SIGNED)" },
};

/* Adds `count` monitors of the page's list, from index `from` on. */
static enum result add_some_monitors(struct db *db, const struct status_page *page, size_t from,
				     size_t count, struct arena *arena, struct error *error)
{
	struct sql_build sql;
	struct db_done done;
	sql_start(&sql,
		  SQL("INSERT INTO status_page_monitors (status_page_id, monitor_id, position) "
		      "SELECT ?, m.id, wanted.position FROM ("));
	sql_add(&sql, page->id);
	sql_rows_begin(&sql, &position_rows, count, arena);
	for (size_t i = from; i < from + count; i++)
		sql_add(&sql, (int64_t)i + 1, page->monitor_ids.ids[i]);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") wanted JOIN monitors m ON m.id = wanted.id AND m.account_id = ? "
			  "AND m.retired_at IS NULL"));
	sql_add(&sql, page->account_id);
	enum result result = db_write(db, &sql, &done, error);
	return result == OK && done.rows != (int64_t)count ? E_INVALID : result;
}

enum result status_page_add_monitors(struct db *db, const struct status_page *page,
				     struct arena *arena, struct error *error)
{
	enum result result = OK;
	for (size_t from = 0, count; result == OK && from < page->monitor_ids.count;
	     from += count) {
		count = sql_rows_chunk(&position_rows, page->monitor_ids.count - from);
		result = add_some_monitors(db, page, from, count, arena, error);
	}
	return result;
}

enum result status_page_clear_monitors(struct db *db, int64_t page_id, struct error *error)
{
	struct sql_build sql;
	/* Keep the rows of retired monitors, because the page still shows their history. */
	sql_start(&sql, SQL("DELETE FROM status_page_monitors WHERE status_page_id = ? "
			    "AND is_retired IS NULL"));
	sql_add(&sql, page_id);
	return db_write(db, &sql, NULL, error);
}

enum result status_page_put_files(struct db *db, int64_t page_id, const struct page_file *files,
				  size_t count, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("REPLACE INTO status_page_files (status_page_id, kind, name, bytes) "
			    "VALUES (?, ?, ?, ?)"));
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			sql_add(&sql, SQL(", (?, ?, ?, ?)"));
		sql_add(&sql, page_id, files[i].kind, files[i].name);
		sql_bytes(&sql, files[i].data, files[i].len);
	}
	return db_write(db, &sql, NULL, error);
}

struct conflict {
	const char *what;
	int64_t id;
};

enum result status_page_conflicts(struct db *db, const struct status_page *page,
				  struct arena *arena, struct status_page_conflicts *conflicts,
				  struct error *error)
{
	static const struct field conflict_rows[] = { FIELD(struct conflict, what),
						      FIELD(struct conflict, id) };
	const struct id_list *wanted = &page->monitor_ids;
	struct sql_build sql;
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	*conflicts = (struct status_page_conflicts){ 0 };
	sql_start(&sql,
		  SQL("SELECT 'slug' AS what, id FROM status_pages WHERE slug = ? AND id <> ? "
		      "UNION ALL "
		      "SELECT 'domain', id FROM status_pages WHERE domain = ? AND id <> ? "
		      "UNION ALL "
		      "SELECT 'known', m.id FROM monitors m WHERE m.account_id = ? "
		      "AND m.retired_at IS NULL AND m.id IN ("));
	sql_add(&sql, page->slug, page->id, page->domain, page->id, page->account_id);
	sql_list_ints(&sql, wanted->ids, wanted->count, arena);
	sql_add(&sql, SQL(") ORDER BY 1, 2 LIMIT 1002"));
	enum result result = db_read(db, &sql, &found, error);
	if (result != OK)
		return result;
	struct conflict conflict;
	struct id_list known = { .ids = ARENA_ARRAY(arena, wanted->count, int64_t) };
	while (db_next(found, FIELDS(conflict_rows), &conflict, arena)) {
		struct str what = str_from(conflict.what);
		conflicts->is_slug_taken |= str_eq(what, STR("slug"));
		conflicts->is_domain_taken |= str_eq(what, STR("domain"));
		if (str_eq(what, STR("known")) && known.count < wanted->count)
			known.ids[known.count++] = conflict.id;
	}
	conflicts->unknown.ids = ARENA_ARRAY(arena, wanted->count, int64_t);
	for (size_t i = 0; i < wanted->count; i++)
		if (!bsearch(&wanted->ids[i], known.ids, known.count, sizeof(*known.ids), id_order))
			conflicts->unknown.ids[conflicts->unknown.count++] = wanted->ids[i];
	return OK;
}
