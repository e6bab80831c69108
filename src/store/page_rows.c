#include "store/page_rows.h"

#include "domain/uptime.h"

#define ROW(member) FIELD(struct page_row, member)
static const struct field rows[] = {
	ROW(kind),
	ROW(id),
	ROW(name),
	ROW(created_at),
	ROW(updated_at),
	ROW(revision),
	ROW(slug),
	ROW(domain),
	ROW(privacy),
	ROW(website_url),
	ROW(contact_url),
	ROW(meta_title),
	ROW(meta_description),
	ROW(noindex),
	ROW(logo_file),
	ROW(favicon_file),
	ROW(custom_css),
	ROW(custom_js),
	ROW(account_id),
	ROW(password_hash),
	ROW(show_causes),
	ROW(position),
	ROW(incident_id),
	ROW(started_at),
	ROW(acknowledged_at),
	ROW(ended_at),
	ROW(cause),
	ROW(comment),
};
const struct fields page_row_fields = { rows, ARRAY_LEN(rows) };

/* The page itself, the pages that have the addresses that were asked for, its monitors. */
static void ask_for_page(struct sql_build *sql, const struct page_content_query *query)
{
	sql_start(
		sql,
		SQL("SELECT 0 AS kind, id, name, created_at, updated_at, "
		    "COALESCE((SELECT r.revision FROM page_revisions r "
		    "WHERE r.page_id = status_pages.id), revision) AS revision, slug, "
		    "IF(domain_lost_at IS NULL, domain, NULL) AS domain, privacy, "
		    "website_url, contact_url, meta_title, "
		    "meta_description, noindex, logo_file, favicon_file, custom_css, "
		    "custom_js, account_id, password_hash, show_causes, "
		    "(SELECT epoch FROM timeline WHERE id = 1) AS position, "
		    "NULL AS incident_id, "
		    "NULL AS started_at, NULL AS acknowledged_at, NULL AS ended_at, "
		    "NULL AS cause, NULL AS comment "
		    "FROM status_pages WHERE id = ? OR slug = ? OR domain = ? "
		    "UNION ALL "
		    "SELECT 1, m.id, m.name, m.created_at, m.updated_at, NULL, NULL, NULL, "
		    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
		    "s.position, NULL, m.known_since, NULL, m.retired_at, NULL, NULL "
		    "FROM status_page_monitors s JOIN monitors m ON m.id = s.monitor_id "
		    "WHERE s.status_page_id = ? "));
	sql_int(sql, query->page_id);
	sql_text(sql, query->slug);
	sql_text(sql, query->domain);
	sql_int(sql, query->page_id);
}

/* When the incidents of the bars lasted, and which months of history there are. */
static void ask_for_times(struct sql_build *sql, const struct page_content_query *query)
{
	/* A monitor's past incidents are many: the index tells which are wanted before any
	 * is read, since ends_at is stored, and their join is an inner one. */
	sql_add(sql,
		SQL("UNION ALL "
		    "(SELECT 2, i.monitor_id, NULL, NULL, i.updated_at, NULL, NULL, NULL, "
		    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
		    "s.position, i.id, i.started_at, i.acknowledged_at, i.ended_at, NULL, NULL "
		    "FROM status_page_monitors s "
		    "JOIN incidents i FORCE INDEX (incidents_monitor_ends) "
		    "ON i.monitor_id = s.monitor_id AND i.ends_at >= ? "
		    "WHERE s.status_page_id = ? LIMIT ?) "
		    "UNION ALL "
		    "SELECT 3, 0, NULL, NULL, NULL, SUM(h.revision), NULL, NULL, "
		    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
		    "TIMESTAMPDIFF(SECOND, h.month, TIMESTAMP'1970-01-01 00:00:00'), "
		    "NULL, h.month, NULL, NULL, NULL, NULL "
		    "FROM status_page_monitors s "
		    "JOIN incident_months h ON h.monitor_id = s.monitor_id "
		    "WHERE s.status_page_id = ? GROUP BY h.month "));
	sql_time(sql, uptime_day_start(query->now, 0));
	sql_int(sql, query->page_id);
	sql_int(sql, PAGE_INTERVALS_MAX + 1);
	sql_int(sql, query->page_id);
}

/* The texts of the recent incidents that are shown: all open ones, and the first of each day. */
static void ask_for_texts(struct sql_build *sql, const struct page_content_query *query)
{
	sql_add(sql,
		SQL("UNION ALL "
		    "SELECT 4, i.monitor_id, i.title, NULL, NULL, NULL, NULL, NULL, "
		    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
		    "0, i.id, NULL, NULL, NULL, i.cause, i.comment "
		    "FROM (SELECT r.id, "
		    "ROW_NUMBER() OVER (PARTITION BY DATE(GREATEST(r.started_at, ?)) "
		    "ORDER BY r.started_at DESC, r.id DESC) AS place_of_day "
		    "FROM status_page_monitors s "
		    "JOIN incidents r FORCE INDEX (incidents_monitor_ends) "
		    "ON r.monitor_id = s.monitor_id AND r.ends_at >= ? "
		    "WHERE s.status_page_id = ?) shown "
		    "JOIN incidents i ON i.id = shown.id "
		    "WHERE i.ended_at IS NULL OR shown.place_of_day <= ? "));
	/* What began before the oldest day shown stands on that day. */
	sql_time(sql, page_recent_start(query->now));
	sql_time(sql, page_recent_start(query->now));
	sql_int(sql, query->page_id);
	sql_int(sql, PAGE_DAY_INCIDENTS_MAX);
}

static void ask_for_newest(struct sql_build *sql, const struct page_content_query *query)
{
	sql_add(sql,
		SQL("UNION ALL "
		    "SELECT 5, i.monitor_id, i.title, NULL, i.updated_at, NULL, NULL, NULL, "
		    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
		    "0, i.id, i.started_at, i.acknowledged_at, i.ended_at, i.cause, i.comment "
		    "FROM (SELECT n.id FROM status_page_monitors s "
		    "JOIN incidents n FORCE INDEX (incidents_monitor_starts) "
		    "ON n.monitor_id = s.monitor_id WHERE s.status_page_id = ? "
		    "ORDER BY n.started_at DESC, n.id DESC LIMIT ?) newest "
		    "JOIN incidents i ON i.id = newest.id"));
	sql_int(sql, query->page_id);
	sql_int(sql, PAGE_NEWEST_MAX);
}

enum result page_rows_read(struct db *db, const struct page_content_query *query,
			   struct db_rows **found, struct error *error)
{
	struct sql_build sql;
	ask_for_page(&sql, query);
	ask_for_times(&sql, query);
	ask_for_texts(&sql, query);
	ask_for_newest(&sql, query);
	return db_read(db, &sql, found, error);
}
