#include "store/page/publication.h"

#include <stdlib.h>

#include "domain/page/uptime.h"

#define COLUMNS \
	"p.id, (SELECT epoch FROM timeline WHERE id = 1) AS epoch, r.revision, p.slug, " \
	"IF(p.domain_lost_at IS NULL, p.domain, NULL) AS domain, r.unpublished_since "
#define PAGES "FROM status_pages p JOIN page_revisions r ON r.page_id = p.id "

#define ROW(member) FIELD(struct publication, member)
static const struct field rows[] = { ROW(id),	ROW(epoch),  ROW(revision),
				     ROW(slug), ROW(domain), ROW(unpublished_since) };
static const struct fields row_fields = { rows, ARRAY_LEN(rows) };

enum result publication_find(struct db *db, const char *slug, struct arena *arena,
			     struct publication *publication, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS PAGES "WHERE p.slug = ? ORDER BY p.id LIMIT 1"),
		  slug);
	return db_read_one(db, &sql, row_fields, publication, arena, error);
}

enum result publication_version(struct db *db, int64_t page_id, struct arena *arena,
				struct publication_version *version, struct error *error)
{
	static const struct field version_rows[] = {
		FIELD(struct publication_version, epoch),
		FIELD(struct publication_version, revision),
	};
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT (SELECT epoch FROM timeline WHERE id = 1) AS epoch, revision "
			    "FROM page_revisions WHERE page_id = ? AND deleted_at IS NULL"));
	sql_add(&sql, page_id);
	return db_read_one(db, &sql, FIELDS(version_rows), version, arena, error);
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
	sql_add(&sql, slug, domain);
	return db_read_one(db, &sql, FIELDS(taken_rows), taken, arena, error);
}

/* The clocks of web machines differ by less than this. */
enum { AHEAD_S = 60 };

/* A page is due by the clock at next_change_at. It is also due if that time is more than a day
 * ahead: then a wrong clock has set it. See page_snapshot_due(). */
#define DUE_BY_CLOCK "(r.next_change_at <= ? OR r.next_change_at > ?) "

static void add_due(struct sql_build *sql, struct instant now)
{
	sql_add(sql, now, (struct instant){ now.s + DAY_S });
}

enum result publication_list(struct db *db, const struct publication_query *query, int64_t after_id,
			     struct arena *arena, struct publication_list *list,
			     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS PAGES "WHERE p.id > ? "), after_id);
	if (query->monitor_count > 0) {
		sql_add(&sql, SQL("AND r.unpublished_since IS NOT NULL AND p.id IN "
				  "(SELECT status_page_id FROM status_page_monitors "
				  "WHERE monitor_id IN ("));
		sql_list_ints(&sql, query->monitor_ids, query->monitor_count, arena);
		sql_add(&sql, SQL(")) "));
	} else if (query->account_id > 0) {
		sql_add(&sql, SQL("AND r.account_id = ? AND r.unpublished_since IS NOT NULL "),
			query->account_id);
	} else if (!query->is_all) {
		sql_add(&sql, SQL("AND (r.unpublished_since IS NOT NULL OR " DUE_BY_CLOCK ") "));
		add_due(&sql, query->now);
	}
	sql_add(&sql, SQL("ORDER BY p.id LIMIT 500"));
	return db_read_into(db, &sql, row_fields, DB_INTO(list, PUBLICATION_LIST_MAX), arena,
			    error);
}

enum result publication_in_turn(struct db *db, const struct publication_turn *after,
				struct arena *arena, struct publication_turn_list *list,
				struct error *error)
{
	static const struct field turn_rows[] = { FIELD(struct publication_turn, place),
						  FIELD(struct publication_turn, id) };
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, SQL("SELECT place, id FROM (SELECT page_id AS id, ROW_NUMBER() OVER "
			    "(PARTITION BY account_id ORDER BY page_id) AS place "
			    "FROM page_revisions WHERE deleted_at IS NULL) ranked "
			    "WHERE (place, id) > (?, ?) ORDER BY place, id LIMIT 500"));
	sql_add(&sql, after->place, after->id);
	const struct db_shape *shape =
		DB_SHAPE(FIELDS(turn_rows), struct publication_turn, PUBLICATION_LIST_MAX);
	enum result result = db_read_list(db, &sql, shape, arena, &found, error);
	*list = (struct publication_turn_list){ found.rows, found.count };
	return result;
}

enum result publication_due(struct db *db, const struct publication_due_query *query,
			    struct arena *arena, struct publication_list *list, struct error *error)
{
	struct sql_build sql;
	/* Rank the rows of page_revisions, which is a narrow table, in a derived table. Join the
	 * other tables only for the pages that are returned. */
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM (SELECT page_id, is_later, place "
			    "FROM (SELECT r.page_id, 0 AS is_later, "
			    "ROW_NUMBER() OVER (PARTITION BY r.account_id "
			    "ORDER BY r.unpublished_since, r.page_id) AS place "
			    "FROM page_revisions r WHERE r.unpublished_since IS NOT NULL "
			    "AND r.deleted_at IS NULL "));
	/* Include changes with a time in the future: they were stored before the clock was set
	 * back, so no request is publishing them now. */
	if (query->settled.s > 0)
		sql_add(&sql, SQL("AND (r.unpublished_since <= ? OR r.unpublished_since > ?) "),
			query->settled, (struct instant){ query->now.s + AHEAD_S });
	sql_add(&sql, SQL("UNION ALL "
			  "SELECT r.page_id, 1, ROW_NUMBER() OVER (PARTITION BY r.account_id "
			  "ORDER BY r.next_change_at, r.page_id) "
			  "FROM page_revisions r WHERE r.unpublished_since IS NULL "
			  "AND r.deleted_at IS NULL AND " DUE_BY_CLOCK));
	add_due(&sql, query->now);
	sql_add(&sql, SQL(") ranked ORDER BY is_later, place, page_id LIMIT ?) due "
			  "JOIN status_pages p ON p.id = due.page_id "
			  "JOIN page_revisions r ON r.page_id = due.page_id "
			  "ORDER BY due.is_later, due.place, p.id LIMIT ?"));
	sql_add(&sql, (int64_t)query->limit, (int64_t)query->limit);
	return db_read_into(db, &sql, row_fields, DB_INTO(list, query->limit), arena, error);
}

enum result publication_mark_dirty(struct db *db, const struct publication_change *change,
				   struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE monitors m "
			    "LEFT JOIN status_page_monitors s ON s.monitor_id = m.id "));
	/* Write the wide rows of status_pages only if the API shows the change. Lock them before
	 * the rows of page_revisions, as status_page_update() does. */
	if (change->is_shown_by_api)
		sql_add(&sql, SQL("LEFT JOIN status_pages p ON p.id = s.status_page_id "));
	sql_add(&sql, SQL("LEFT JOIN page_revisions r ON r.page_id = s.status_page_id "
			  "SET m.updated_at = GREATEST(m.updated_at, ?), "
			  "m.known_since = COALESCE(LEAST(m.known_since, ?), m.known_since, ?), "));
	sql_add(&sql, change->now, change->known_since, change->known_since);
	if (change->is_shown_by_api)
		sql_add(&sql, SQL("p.version = p.version + 1, "));
	sql_add(&sql, SQL(PUBLICATION_MARK_DIRTY "WHERE m.id = ?"), change->now,
		change->monitor_id);
	return db_write(db, &sql, NULL, error);
}

/* Locks the rows in the order of page ids, so that two writers do not deadlock. */
enum result publication_mark_shown(struct db *db, const struct publication_shown *shown,
				   struct arena *arena, struct error *error)
{
	static const struct sql_rows named = {
		.first = { " UNION SELECT CAST(? AS SIGNED)" },
		.next = { " UNION SELECT CAST(? AS SIGNED)" },
	};
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE (SELECT shown.id FROM (SELECT DISTINCT s.status_page_id AS id "
			    "FROM status_page_monitors s WHERE s.monitor_id IN ("));
	sql_list_ints(&sql, shown->monitors.ids, shown->monitors.count, arena);
	sql_add(&sql, SQL(")"));
	if (shown->pages.count > 0) {
		sql_rows_begin(&sql, &named, shown->pages.count, arena);
		for (size_t i = 0; i < shown->pages.count; i++)
			sql_add(&sql, shown->pages.ids[i]);
		sql_rows_end(&sql);
	}
	sql_add(&sql, SQL(") shown ORDER BY shown.id LIMIT 1000000) pages "
			  "STRAIGHT_JOIN page_revisions r FORCE INDEX (PRIMARY) "
			  "ON r.page_id = pages.id SET " PUBLICATION_MARK_DIRTY));
	sql_add(&sql, shown->now);
	if (shown->account_id > 0)
		sql_add(&sql, SQL("WHERE r.account_id = ?"), shown->account_id);
	return db_write(db, &sql, NULL, error);
}

enum result publication_mark_access_dirty(struct db *db, int64_t account_id, int64_t page_id,
					  struct instant now, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("UPDATE page_revisions r JOIN status_pages p ON p.id = r.page_id "
		      "SET " PUBLICATION_MARK_DIRTY "WHERE r.account_id = ? AND p.privacy <> 0 "));
	sql_add(&sql, now, account_id);
	if (page_id > 0)
		sql_add(&sql, SQL("AND r.page_id = ?"), page_id);
	return db_write(db, &sql, NULL, error);
}

enum result publication_mark_created(struct db *db, const struct status_page *page,
				     struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO page_revisions (page_id, account_id, changed_at, "
			    "unpublished_since) VALUES (?, ?, UTC_TIMESTAMP(), ?)"));
	sql_add(&sql, page->id, page->account_id, page->updated_at);
	return db_write(db, &sql, NULL, error);
}

enum result publication_files(struct db *db, int64_t page_id, struct arena *arena,
			      struct page_file files[STATUS_PAGE_PICTURES], size_t *count,
			      struct error *error)
{
	struct sql_build sql;
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct db_blob columns[3];
	*count = 0;
	sql_start(&sql, SQL("SELECT kind, name, bytes FROM status_page_files "
			    "WHERE status_page_id = ? AND name IS NOT NULL ORDER BY kind LIMIT 4"));
	sql_add(&sql, page_id);
	enum result result = db_read(db, &sql, &found, error);
	if (result != OK)
		return result;
	while (*count < STATUS_PAGE_PICTURES &&
	       db_next_blobs(found, columns, ARRAY_LEN(columns), arena))
		files[(*count)++] = (struct page_file){ columns[0].data, columns[1].data,
							columns[2].data, columns[2].len };
	return OK;
}

static int by_page(const void *a, const void *b)
{
	const struct publication_mark *left = a, *right = b;
	return (left->page_id > right->page_id) - (left->page_id < right->page_id);
}

enum result publication_mark_all_published(struct db *db, struct publication_mark *marks,
					   size_t count, struct arena *arena, struct error *error)
{
	static const struct sql_rows given = {
		.first = { "SELECT CAST(? AS SIGNED) AS page_id, CAST(? AS SIGNED) AS revision, "
			   "CAST(? AS DATETIME) AS next_change" },
		.next = { " UNION ALL SELECT CAST(? AS SIGNED), CAST(? AS SIGNED), "
			  "CAST(? AS DATETIME)" },
	};
	struct sql_build sql;
	/* Lock the rows in the order of page ids, as publication_mark_shown() does. */
	qsort(marks, count, sizeof(*marks), by_page);
	/* STRAIGHT_JOIN forces the order of the tables. In the other order MySQL would lock the row
	 * of each page. */
	sql_start(&sql, SQL("UPDATE ("));
	sql_rows_begin(&sql, &given, count, arena);
	for (size_t i = 0; i < count; i++)
		sql_add(&sql, marks[i].page_id, marks[i].revision, marks[i].next_change);
	sql_rows_end(&sql);
	sql_add(&sql, SQL(") given STRAIGHT_JOIN page_revisions r "
			  "ON r.page_id = given.page_id AND r.revision = given.revision "
			  "SET r.unpublished_since = NULL, r.next_change_at = given.next_change"));
	return db_write(db, &sql, NULL, error);
}

enum result publication_backlog(struct db *db, struct arena *arena, struct publication_list *list,
				struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " COLUMNS "FROM page_revisions r "
			    "JOIN status_pages p ON p.id = r.page_id "
			    "WHERE r.unpublished_since IS NOT NULL "
			    "ORDER BY r.unpublished_since, r.page_id LIMIT 500"));
	return db_read_into(db, &sql, row_fields, DB_INTO(list, PUBLICATION_LIST_MAX), arena,
			    error);
}

enum result publication_feed(struct db *db, struct arena *arena, struct publication_feed *feed,
			     struct error *error)
{
	static const struct field feed_rows[] = {
		FIELD(struct publication_feed, epoch),
		FIELD(struct publication_feed, latest_change),
		FIELD(struct publication_feed, now),
	};
	struct sql_build sql;
	*feed = (struct publication_feed){ 0 };
	/* This statement reads only one row, and the last entry of an index. */
	sql_start(&sql, SQL("SELECT (SELECT epoch FROM timeline WHERE id = 1) AS epoch, "
			    "(SELECT MAX(changed_at) FROM page_revisions) AS latest_change, "
			    "UTC_TIMESTAMP() AS now"));
	return db_read_one(db, &sql, FIELDS(feed_rows), feed, arena, error);
}

enum result publication_changes(struct db *db, const struct publication_place *after,
				struct arena *arena, struct publication_change_list *list,
				struct error *error)
{
#define CHANGED(member) FIELD(struct publication_changed, member)
	static const struct field changed_rows[] = {
		CHANGED(id),   CHANGED(epoch),	    CHANGED(revision),
		CHANGED(slug), CHANGED(changed_at), CHANGED(is_deleted),
	};
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT r.page_id AS id, (SELECT epoch FROM timeline WHERE id = 1) AS epoch, "
		      "r.revision, p.slug, r.changed_at, p.id IS NULL AS is_deleted "
		      "FROM page_revisions r LEFT JOIN status_pages p ON p.id = r.page_id "
		      "WHERE r.changed_at >= ? AND (r.changed_at > ? OR r.page_id > ?) "
		      "ORDER BY r.changed_at, r.page_id LIMIT 500"));
	sql_add(&sql, after->changed_at, after->changed_at, after->page_id);
	return db_read_into(db, &sql, FIELDS(changed_rows), DB_INTO(list, PUBLICATION_LIST_MAX),
			    arena, error);
}
