#include "store/account/configuration.h"

#include "store/page/publication.h"
#include "store/page/status_page_columns.h"

enum { PAGES_AT_ONCE = 100 };

enum result configuration_monitors(struct db *db, int64_t account_id, struct arena *arena,
				   struct monitor_list *list, struct error *error)
{
	struct monitor_list some;
	size_t room = 0;
	int64_t after_id = 0;
	*list = (struct monitor_list){ 0 };
	do {
		enum result result =
			monitor_list(db, account_id, after_id, clock_now(), arena, &some, error);
		if (result != OK)
			return result;
		for (size_t i = 0; i < some.count; i++) {
			const struct monitor *monitor = &some.rows[i];
			after_id = monitor->id;
			if (monitor->retired_at.s > 0 || monitor->removed_at.s > 0)
				continue;
			list->rows = arena_grow(arena, list->rows, list->count, &room,
						sizeof(*list->rows));
			list->rows[list->count++] = *monitor;
		}
	} while (some.count > 0);
	return OK;
}

static const struct field page_rows[] = { PAGE_ROWS FIELD(struct status_page, password_hash) };

enum result configuration_pages(struct db *db, int64_t account_id, struct arena *arena,
				struct configured_pages *list, struct error *error)
{
	struct db_list some;
	size_t room = 0;
	int64_t after_id = 0;
	*list = (struct configured_pages){ 0 };
	do {
		struct sql_build sql;
		sql_start(&sql, SQL("SELECT " PAGE_COLUMNS ", p.password_hash FROM status_pages p "
				    "WHERE p.account_id = ? AND p.id > ? ORDER BY p.id LIMIT 100"));
		sql_int(&sql, account_id);
		sql_int(&sql, after_id);
		enum result result = db_read_list(
			db, &sql, DB_SHAPE(FIELDS(page_rows), struct status_page, PAGES_AT_ONCE),
			arena, &some, error);
		if (result != OK)
			return result;
		const struct status_page *pages = some.rows;
		for (size_t i = 0; i < some.count; i++) {
			after_id = pages[i].id;
			list->rows = arena_grow(arena, list->rows, list->count, &room,
						sizeof(*list->rows));
			list->rows[list->count++] = pages[i];
		}
	} while (some.count == PAGES_AT_ONCE);
	return OK;
}

/* Runs the statement `from` ids `to` for each part of a list of ids. */
struct parts {
	struct db *db;
	struct arena *arena;
	struct sql from;
	struct sql to;
	int64_t account_id; /* bound after the ids; 0: not */
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
			sql_int(&sql, parts->account_id);
		result = is_read ? db_read(parts->db, &sql, &locked, error)
				 : db_write(parts->db, &sql, NULL, error);
	}
	return result;
}

enum result configuration_lock_monitors(struct db *db, int64_t account_id,
					const struct id_list *ids, struct arena *arena,
					struct error *error)
{
	const struct parts parts = {
		db,
		arena,
		SQL("SELECT m.id FROM monitors m WHERE m.id IN ("),
		SQL(") AND m.account_id = ? ORDER BY m.id LIMIT 4096 FOR UPDATE"),
		account_id,
	};
	return run_parts(&parts, ids, true, error);
}

enum result configuration_lock_pages(struct db *db, int64_t account_id, const struct id_list *ids,
				     struct arena *arena, struct error *error)
{
	const struct parts parts = {
		db,
		arena,
		SQL("SELECT p.id FROM status_pages p WHERE p.id IN ("),
		SQL(") AND p.account_id = ? ORDER BY p.id LIMIT 4096 FOR UPDATE"),
		account_id,
	};
	return run_parts(&parts, ids, true, error);
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

enum result configuration_clear_labels(struct db *db, const struct id_list *monitor_ids,
				       struct arena *arena, struct error *error)
{
	const struct parts parts = {
		db, arena, SQL("UPDATE monitors SET label = NULL WHERE id IN ("), SQL(")"), 0,
	};
	return run_parts(&parts, monitor_ids, false, error);
}

enum result configuration_clear_domains(struct db *db, const struct id_list *page_ids,
					struct arena *arena, struct error *error)
{
	const struct parts parts = {
		db, arena, SQL("UPDATE status_pages SET domain = NULL WHERE id IN ("), SQL(")"), 0,
	};
	return run_parts(&parts, page_ids, false, error);
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
		sql_time(&sql, now);
		result = db_write(db, &sql, NULL, error);
	}
	return result;
}
