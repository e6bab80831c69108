#include "store/page/former_address.h"

enum { EXCESS_MAX = 64 }; /* the most addresses of an account that a change deletes */

static void add_row(struct sql_build *sql, const struct former_addresses *addresses,
		    const char *kind, const char *name)
{
	sql_add(sql, kind, name, addresses->page_id, addresses->now);
}

static enum result insert_rows(struct db *db, const struct former_addresses *addresses,
			       struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("INSERT INTO former_addresses (kind, name, page_id, left_at) "
			    "VALUES (?, ?, ?, ?)"));
	if (addresses->slug)
		add_row(&sql, addresses, "slug", addresses->slug);
	if (addresses->slug && addresses->domain)
		sql_add(&sql, SQL(", (?, ?, ?, ?)"));
	if (addresses->domain)
		add_row(&sql, addresses, "domain", addresses->domain);
	/* Duplicate key: the address is already a former address, usually of another page. */
	sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE page_id = VALUES(page_id), "
			  "left_at = VALUES(left_at)"));
	return db_write(db, &sql, NULL, error);
}

/* Keeps the newest FORMER_ADDRESSES_MAX addresses of the page, and deletes the others. Otherwise a
 * page that is renamed often would occupy more and more names. */
static enum result drop_oldest(struct db *db, int64_t page_id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM former_addresses WHERE page_id = ? AND left_at <= "
			    "(SELECT cut.left_at FROM (SELECT f.left_at FROM former_addresses f "
			    "WHERE f.page_id = ? ORDER BY f.left_at DESC, f.kind, f.name "
			    "LIMIT 1 OFFSET 40) cut)"));
	sql_add(&sql, page_id, page_id);
	return db_write(db, &sql, NULL, error);
}
_Static_assert(FORMER_ADDRESSES_MAX == 40, "the offset of drop_oldest()");

static const struct field row_fields[] = { FIELD(struct former_address_row, kind),
					   FIELD(struct former_address_row, name) };

/* Lists up to EXCESS_MAX addresses of the account. Leaves out its newest
 * FORMER_ADDRESSES_OF_ACCOUNT_MAX addresses. */
static enum result list_excess(struct db *db, int64_t account_id, struct arena *arena,
			       struct db_list *list, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT f.kind, f.name FROM status_pages p "
			    "JOIN former_addresses f ON f.page_id = p.id WHERE p.account_id = ? "
			    "ORDER BY f.left_at DESC, f.kind, f.name LIMIT ? OFFSET ?"));
	sql_add(&sql, account_id, EXCESS_MAX, FORMER_ADDRESSES_OF_ACCOUNT_MAX);
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(row_fields), struct former_address_row, EXCESS_MAX),
			    arena, list, error);
}

/* Deletes the addresses of list_excess(), so that an account with many pages does not have more
 * addresses than a search can read. */
static enum result drop_excess(struct db *db, int64_t account_id, struct error *error)
{
	static const struct sql_rows excess = { SQL("(kind = ? AND name = ?)"),
						SQL(" OR (kind = ? AND name = ?)"), false };
	enum { EXCESS_ARENA_BYTES = 4 << 20 };
	struct arena arena CLEANUP(arena_done);
	struct db_list list;
	struct sql_build sql;
	arena_init(&arena, EXCESS_ARENA_BYTES);
	enum result result = list_excess(db, account_id, &arena, &list, error);
	if (result != OK || list.count == 0)
		return result;
	const struct former_address_row *rows = list.rows;
	sql_start(&sql, SQL("DELETE FROM former_addresses WHERE "));
	sql_rows_begin(&sql, &excess, list.count, &arena);
	for (size_t i = 0; i < list.count; i++)
		sql_add(&sql, rows[i].kind, rows[i].name);
	sql_rows_end(&sql);
	return db_write(db, &sql, NULL, error);
}

enum result former_addresses_find(struct db *db, const char *kind, const char *const *names,
				  size_t count, struct arena *arena, struct db_list *list,
				  struct error *error)
{
	struct sql_build sql;
	sql_start(&sql,
		  SQL("SELECT kind, name FROM former_addresses WHERE kind = ? AND name IN ("));
	sql_add(&sql, kind);
	sql_list_texts(&sql, names, count, arena);
	sql_add(&sql, SQL(") ORDER BY name LIMIT ?"), (int64_t)count);
	return db_read_list(db, &sql,
			    DB_SHAPE(FIELDS(row_fields), struct former_address_row, count), arena,
			    list, error);
}

enum result former_addresses_put(struct db *db, const struct former_addresses *addresses,
				 struct error *error)
{
	if (!addresses->slug && !addresses->domain)
		return OK;
	enum result result = insert_rows(db, addresses, error);
	if (result == OK)
		result = drop_oldest(db, addresses->page_id, error);
	return result == OK ? drop_excess(db, addresses->account_id, error) : result;
}

enum result former_addresses_list(struct db *db, const int64_t *page_ids, size_t count,
				  struct arena *arena, struct db_list *list, struct error *error)
{
	static const struct field rows[] = { FIELD(struct former_address_list, page_id),
					     FIELD(struct former_address_list, addresses) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT f.page_id, GROUP_CONCAT(CONCAT(f.kind, ' ', f.name) "
			    "ORDER BY f.left_at DESC, f.kind SEPARATOR '\n') AS addresses "
			    "FROM former_addresses f "
			    "WHERE NOT EXISTS (SELECT 1 FROM status_pages t "
			    "WHERE t.slug = f.name AND f.kind = 'slug') "
			    "AND NOT EXISTS (SELECT 1 FROM status_pages t "
			    "WHERE t.domain = f.name AND f.kind = 'domain') AND f.page_id IN ("));
	sql_list_ints(&sql, page_ids, count, arena);
	sql_add(&sql, SQL(") GROUP BY f.page_id LIMIT ?"), (int64_t)count);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct former_address_list, count),
			    arena, list, error);
}
