#include "store/former_address.h"

static void add_row(struct sql_build *sql, const struct former_addresses *addresses,
		    const char *kind, const char *name)
{
	sql_text(sql, kind);
	sql_text(sql, name);
	sql_int(sql, addresses->page_id);
	sql_time(sql, addresses->now);
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
	/* Another page may have had the address before. */
	sql_add(&sql, SQL(" ON DUPLICATE KEY UPDATE page_id = VALUES(page_id), "
			  "left_at = VALUES(left_at)"));
	return db_write(db, &sql, NULL, error);
}

/* Deletes the oldest, so that a page that is renamed often does not take up names without end. */
static enum result drop_oldest(struct db *db, int64_t page_id, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM former_addresses WHERE page_id = ? AND left_at <= "
			    "(SELECT cut.left_at FROM (SELECT f.left_at FROM former_addresses f "
			    "WHERE f.page_id = ? ORDER BY f.left_at DESC, f.kind, f.name "
			    "LIMIT 1 OFFSET 40) cut)"));
	sql_int(&sql, page_id);
	sql_int(&sql, page_id);
	return db_write(db, &sql, NULL, error);
}
_Static_assert(FORMER_ADDRESSES_MAX == 40, "the offset of drop_oldest()");

enum result former_addresses_put(struct db *db, const struct former_addresses *addresses,
				 struct error *error)
{
	if (!addresses->slug && !addresses->domain)
		return OK;
	enum result result = insert_rows(db, addresses, error);
	return result == OK ? drop_oldest(db, addresses->page_id, error) : result;
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
	sql_add(&sql, SQL(") GROUP BY f.page_id LIMIT ?"));
	sql_int(&sql, (int64_t)count);
	return db_read_list(db, &sql, DB_SHAPE(FIELDS(rows), struct former_address_list, count),
			    arena, list, error);
}
