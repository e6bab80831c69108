#include "store/page/page_link.h"

enum result page_link_owner_find(struct db *db, const struct page_link_owner *owner,
				 struct arena *arena, struct status_page *page, struct error *error)
{
	static const struct field rows[] = {
		FIELD(struct status_page, id),	    FIELD(struct status_page, account_id),
		FIELD(struct status_page, slug),    FIELD(struct status_page, domain),
		FIELD(struct status_page, version), FIELD(struct status_page, allow_subscribers),
		FIELD(struct status_page, name),    FIELD(struct status_page, language),
	};
	struct sql_build sql;
	*page = (struct status_page){ 0 };
	sql_start(&sql, SQL("SELECT id, account_id, slug, "
			    "IF(domain_lost_at IS NULL, domain, NULL) AS domain, version, "
			    "allow_subscribers, name, language FROM status_pages WHERE "));
	if (owner->slug) {
		sql_add(&sql, SQL("slug = ? "), owner->slug);
	} else {
		sql_add(&sql, SQL("id = ? "), owner->page_id);
	}
	if (owner->account_id > 0)
		sql_add(&sql, SQL("AND account_id = ? "), owner->account_id);
	sql_add(&sql, SQL("ORDER BY id LIMIT 1"));
	if (owner->is_locked)
		sql_add(&sql, SQL(" FOR UPDATE"));
	return db_read_one(db, &sql, FIELDS(rows), page, arena, error);
}

struct counted {
	int64_t current;
	int64_t expired;
};

static enum result count_links(struct db *db, const struct page_link *link, struct counted *counted,
			       struct error *error)
{
	static const struct field rows[] = { FIELD(struct counted, current),
					     FIELD(struct counted, expired) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT COUNT(IF(expires_at > ?, 1, NULL)) AS current, "
			    "COUNT(IF(expires_at <= ?, 1, NULL)) AS expired "
			    "FROM page_links WHERE page_id = ?"));
	sql_add(&sql, link->created_at, link->created_at, link->page_id);
	return db_read_one(db, &sql, FIELDS(rows), counted, NULL, error);
}

static enum result delete_expired(struct db *db, const struct page_link *link, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("DELETE FROM page_links WHERE page_id = ? AND expires_at <= ? "
			    "ORDER BY page_id, expires_at, id LIMIT 1000"));
	sql_add(&sql, link->page_id, link->created_at);
	return db_write(db, &sql, NULL, error);
}

enum result page_link_insert(struct db *db, struct page_link *link, struct error *error)
{
	struct counted counted = { 0 };
	struct sql_build sql;
	enum result result = count_links(db, link, &counted, error);
	if (result == OK && counted.current >= PAGE_LINKS_MAX)
		return error_client(error, E_QUOTA_EXCEEDED,
				    "The page may have at most %d links that have not expired; "
				    "withdrawn links count.",
				    PAGE_LINKS_MAX);
	if (result == OK && counted.expired > 0)
		result = delete_expired(db, link, error);
	if (result != OK)
		return result;
	sql_start(&sql, SQL("INSERT INTO page_links (page_id, label, actor_type, actor_id, "
			    "actor_label, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)"));
	sql_add(&sql, link->page_id, link->label, link->actor_type, link->actor_id,
		link->actor_label, link->created_at, link->expires_at);
	return db_insert(db, &sql, &link->id, error);
}

#define COLUMNS "SELECT id, label, actor_type, actor_id, actor_label, created_at, expires_at "
#define CURRENT "FROM page_links WHERE page_id = ? AND expires_at > ? AND withdrawn_at IS NULL "

#define ROW(member) FIELD(struct page_link, member)
/* clang-format off */
#define LINK_ROWS \
	ROW(id), ROW(label), ROW(actor_type), ROW(actor_id), ROW(actor_label), ROW(created_at), \
	ROW(expires_at),
/* clang-format on */
static const struct field link_rows[] = { LINK_ROWS };

/* Adds "FROM page_links WHERE …". */
static void add_filter(struct sql_build *sql, const struct list_query *query, struct arena *arena)
{
	sql_add(sql, SQL(CURRENT), query->owner_id, query->now);
	if (query->search)
		sql_add(sql, SQL("AND label LIKE ? ESCAPE '!' "),
			sql_contains(arena, query->search));
}

static struct sql order_of(const struct list_query *query)
{
	if (query->sort_by == PAGE_LINK_BY_EXPIRES_AT)
		return query->is_ascending ? SQL("ORDER BY expires_at, id ")
					   : SQL("ORDER BY expires_at DESC, id DESC ");
	return query->is_ascending ? SQL("ORDER BY id ") : SQL("ORDER BY id DESC ");
}

static struct sql outer_order_of(const struct list_query *query)
{
	if (query->sort_by == PAGE_LINK_BY_EXPIRES_AT)
		return query->is_ascending ? SQL("ORDER BY l.expires_at, l.id LIMIT 400")
					   : SQL("ORDER BY l.expires_at DESC, l.id DESC LIMIT 400");
	return query->is_ascending ? SQL("ORDER BY l.id LIMIT 400")
				   : SQL("ORDER BY l.id DESC LIMIT 400");
}

enum result page_link_list(struct db *db, const struct list_query *query, struct arena *arena,
			   struct page_link_list *list, struct error *error)
{
	static const struct field rows[] = { LINK_ROWS LIST_TOTAL(struct page_link) };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT l.id, l.label, l.actor_type, l.actor_id, l.actor_label, "
			    "l.created_at, l.expires_at, (SELECT COUNT(*) "));
	add_filter(&sql, query, arena);
	sql_add(&sql, SQL(") AS total FROM status_pages p LEFT JOIN (" COLUMNS));
	add_filter(&sql, query, arena);
	sql_add(&sql, order_of(query));
	sql_add(&sql, SQL("LIMIT ? OFFSET ?) l ON TRUE WHERE p.id = ? "), query->limit,
		query->offset, query->owner_id);
	if (query->account_id > 0)
		sql_add(&sql, SQL("AND p.account_id = ? "), query->account_id);
	sql_add(&sql, outer_order_of(query));
	return list_read(db, &sql, FIELDS(rows), LIST_INTO(list, .has_owner = true), arena, error);
}

enum result page_link_lock(struct db *db, struct page_link *link, struct instant now,
			   struct arena *arena, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL(COLUMNS CURRENT "AND id = ? ORDER BY id LIMIT 1 FOR UPDATE"),
		  link->page_id, now, link->id);
	return db_read_one(db, &sql, FIELDS(link_rows), link, arena, error);
}

enum result page_link_withdraw(struct db *db, int64_t id, struct instant now, struct error *error)
{
	struct sql_build sql;
	sql_start(&sql, SQL("UPDATE page_links SET withdrawn_at = ? WHERE id = ?"), now, id);
	return db_write(db, &sql, NULL, error);
}
