#include "store/account/configuration.h"

#include "store/page/publication.h"
#include "store/page/status_page_columns.h"

enum { PAGES_AT_ONCE = 100 };

static const struct field page_rows[] = { PAGE_ROWS FIELD(struct status_page, password_hash) };

/* Reads the next pages with ids above `after_id`. */
static enum result read_pages(struct db *db, int64_t account_id, int64_t after_id,
			      struct arena *arena, struct db_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT " PAGE_COLUMNS ", p.password_hash FROM status_pages p "
			    "WHERE p.account_id = ? AND p.id > ? ORDER BY p.id LIMIT 100"));
	sql_add(&sql, account_id, after_id);
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(page_rows), struct status_page, PAGES_AT_ONCE), arena,
			    list, error);
}

static bool is_configured(enum configured_kind kind, const union configured *object)
{
	return kind == CONFIGURED_PAGES ||
	       (object->monitor.retired_at.s == 0 && object->monitor.removed_at.s == 0);
}

enum result configuration_load(struct db *db, enum configured_kind kind, int64_t account_id,
			       struct arena *arena, struct configured_list *list,
			       struct error *error)
{
	struct db_list pages = { 0 };
	struct monitor_list monitors = { 0 };
	size_t room = 0, count;
	int64_t after_id = 0;
	bool is_pages = kind == CONFIGURED_PAGES;
	*list = (struct configured_list){ 0 };
	do {
		enum result result =
			is_pages ? read_pages(db, account_id, after_id, arena, &pages, error)
				 : monitor_list(db, account_id, after_id, clock_now(), arena,
						&monitors, error);
		if (result != OK)
			return result;
		count = is_pages ? pages.count : monitors.count;
		for (size_t i = 0; i < count; i++) {
			union configured object;
			if (is_pages)
				object.page = ((const struct status_page *)pages.rows)[i];
			else
				object.monitor = monitors.rows[i];
			after_id = object.monitor.id;
			list->rows = arena_grow(arena, list->rows, list->count, &room,
						sizeof(*list->rows));
			list->rows[list->count] = object;
			list->count += is_configured(kind, &object);
		}
	} while (is_pages ? count == PAGES_AT_ONCE : count > 0);
	return OK;
}

/* A statement that is run for each part of a list of ids. It is the text `from`, the ids of the
 * part, and the text `to`. */
struct parts {
	struct db *db;
	struct arena *arena;
	struct sql from;
	struct sql to;
	int64_t account_id; /* the argument of `to`; 0: `to` has no argument */
};

static enum result run_parts(const struct parts *parts, const struct id_list *ids, bool is_read,
			     struct error *error)
{
	enum result result = OK;
	for (size_t at = 0, count; result == OK && at < ids->count; at += count) {
		struct db_rows *locked CLEANUP(db_rows_cleanup) = NULL;
		struct sql_build sql;
		count = sql_rows_chunk(&sql_list, ids->count - at);
		sql_start(&sql, parts->from);
		sql_list_ints(&sql, ids->ids + at, count, parts->arena);
		sql_add(&sql, parts->to);
		if (parts->account_id > 0)
			sql_add(&sql, parts->account_id);
		result = is_read ? db_read(parts->db, &sql, &locked, error)
				 : db_write(parts->db, &sql, NULL, error);
	}
	return result;
}

enum result configuration_lock(struct db *db, int64_t account_id, const struct configured_ids *ids,
			       struct arena *arena, struct error *error)
{
	static const struct sql from[CONFIGURED_KINDS] = {
		SQL("SELECT m.id FROM monitors m WHERE m.id IN ("),
		SQL("SELECT p.id FROM status_pages p WHERE p.id IN ("),
	};
	static const struct sql to = SQL(") AND account_id = ? ORDER BY id LIMIT 4096 FOR UPDATE");
	const struct parts parts = { db, arena, from[ids->kind], to, account_id };
	return run_parts(&parts, &ids->ids, true, error);
}

static enum result find_addresses(struct db *db, const char *const *texts, size_t count,
				  struct arena *arena, struct db_list *some, struct error *error)
{
#define ADDRESS(member) FIELD(struct configured_address, member)
	static const struct field rows[] = { ADDRESS(id), ADDRESS(account_id), ADDRESS(slug),
					     ADDRESS(domain) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT p.id, p.account_id, p.slug, "
			    "IF(p.domain_lost_at IS NULL, p.domain, NULL) AS domain "
			    "FROM (SELECT s.id FROM status_pages s WHERE s.slug IN ("));
	sql_list_texts(&sql, texts, count, arena);
	sql_add(&sql, SQL(") UNION SELECT d.id FROM status_pages d WHERE d.domain IN ("));
	sql_list_texts(&sql, texts, count, arena);
	sql_add(&sql, SQL(")) found JOIN status_pages p ON p.id = found.id "
			  "ORDER BY p.id LIMIT 8192"));
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct configured_address, 8192),
			    arena, some, error);
}

enum result configuration_addresses(struct db *db, const char *const *texts, size_t count,
				    struct arena *arena, struct configured_addresses *found,
				    struct error *error)
{
	size_t room = 0, taken;
	*found = (struct configured_addresses){ 0 };
	for (size_t at = 0; at < count; at += taken) {
		struct db_list some;
		taken = sql_rows_chunk(&sql_list, count - at);
		enum result result = find_addresses(db, texts + at, taken, arena, &some, error);
		if (result != OK)
			return result;
		const struct configured_address *rows = some.rows;
		for (size_t i = 0; i < some.count; i++) {
			found->rows = arena_grow(arena, found->rows, found->count, &room,
						 sizeof(*found->rows));
			found->rows[found->count++] = rows[i];
		}
	}
	return OK;
}

enum result configuration_clear_unique(struct db *db, const struct configured_ids *ids,
				       struct arena *arena, struct error *error)
{
	static const struct sql from[CONFIGURED_KINDS] = {
		SQL("UPDATE monitors SET label = NULL WHERE id IN ("),
		SQL("UPDATE status_pages SET domain = NULL WHERE id IN ("),
	};
	const struct parts parts = { db, arena, from[ids->kind], SQL(")"), 0 };
	return run_parts(&parts, &ids->ids, false, error);
}

enum result configuration_mark_pages(struct db *db, const struct id_list *monitor_ids,
				     struct instant now, struct arena *arena, struct error *error)
{
	enum result result = OK;
	for (size_t at = 0, count; result == OK && at < monitor_ids->count; at += count) {
		struct sql_build sql;
		count = sql_rows_chunk(&sql_list, monitor_ids->count - at);
		sql_start(&sql, SQL("UPDATE (SELECT DISTINCT s.status_page_id AS id "
				    "FROM status_page_monitors s WHERE s.monitor_id IN ("));
		sql_list_ints(&sql, monitor_ids->ids + at, count, arena);
		sql_add(&sql, SQL(") ORDER BY s.status_page_id LIMIT 1000000) shown "
				  "STRAIGHT_JOIN page_revisions r ON r.page_id = shown.id "
				  "SET " PUBLICATION_MARK_DIRTY));
		sql_add(&sql, now);
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}
