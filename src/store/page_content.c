#include "store/page_content.h"

#include <string.h>

#include "store/snapshot.h"

struct page_row {
	struct status_page page;
	int64_t epoch;
};

#define PAGE(member) FIELD_NAMED(struct page_row, page.member, #member)
static const struct field page_rows[] = {
	PAGE(id),
	PAGE(account_id),
	PAGE(password_hash),
	PAGE(revision),
	FIELD(struct page_row, epoch),
	PAGE(name),
	PAGE(slug),
	PAGE(domain),
	PAGE(privacy),
	PAGE(logo_file),
	PAGE(favicon_file),
	PAGE(custom_css),
	PAGE(custom_js),
	PAGE(website_url),
	PAGE(contact_url),
	PAGE(meta_title),
	PAGE(meta_description),
	PAGE(noindex),
	PAGE(show_causes),
	PAGE(created_at),
	PAGE(updated_at),
};

/* The revision and its epoch, which the disk is compared with. */
#define REVISION "revision, (SELECT epoch FROM timeline WHERE id = 1) AS epoch, "

/* The page itself, and the pages that have the addresses of the query. */
enum { PAGE_ROWS_MAX = 3 };
#define PAGE_ROWS_SQL \
	SQL("SELECT id, account_id, password_hash, " REVISION "name, slug, " \
	    "IF(domain_lost_at IS NULL, domain, NULL) AS domain, privacy, logo_file, " \
	    "favicon_file, custom_css, custom_js, website_url, contact_url, meta_title, " \
	    "meta_description, noindex, show_causes, created_at, updated_at " \
	    "FROM status_pages WHERE id = ? OR slug = ? OR domain = ? ORDER BY id LIMIT 3")

struct reading {
	const struct page_content_query *query;
	struct arena *arena;
	struct page_content *content;
};

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static enum result read_page(struct db *db, const struct reading *reading, struct error *error)
{
	const struct page_content_query *query = reading->query;
	struct page_content *content = reading->content;
	struct sql_build sql;
	struct db_list list;
	sql_start(&sql, PAGE_ROWS_SQL);
	sql_int(&sql, query->page_id);
	sql_text(&sql, query->slug);
	sql_text(&sql, query->domain);
	enum result result =
		db_read_list(db, &sql, DB_SHAPE(FIELDS(page_rows), struct page_row, PAGE_ROWS_MAX),
			     reading->arena, &list, error);
	if (result != OK)
		return result;
	const struct page_row *rows = list.rows;
	for (size_t i = 0; i < list.count; i++) {
		content->is_slug_taken |= is_same(rows[i].page.slug, query->slug);
		content->is_domain_taken |= is_same(rows[i].page.domain, query->domain);
		if (rows[i].page.id != query->page_id)
			continue;
		content->is_found = true;
		content->epoch = rows[i].epoch;
		content->view.page = rows[i].page;
	}
	content->is_row_read = true;
	return OK;
}

/* In this order: each loader uses what the ones before it loaded. */
static snapshot_loader *const loaders[] = {
	snapshot_load_monitors, snapshot_load_outages, snapshot_load_recent,
	snapshot_load_newest,	snapshot_load_months,
};

static enum result read_all(struct db *db, void *context, struct error *error)
{
	const struct reading *reading = context;
	struct page_content *content = reading->content;
	*content = (struct page_content){ .view.now = reading->query->now };
	enum result result = read_page(db, reading, error);
	for (size_t i = 0; result == OK && content->is_found && i < ARRAY_LEN(loaders); i++)
		result = loaders[i](db, &content->view, reading->arena, error);
	return result;
}

enum result page_content_read(struct db *db, const struct page_content_query *query,
			      struct arena *arena, struct page_content *content,
			      struct error *error)
{
	struct reading reading = { query, arena, content };
	enum result result = db_transact(db, DB_READ, read_all, &reading, error);
	if (result == OK)
		page_snapshot_derive(&content->view, arena);
	return result;
}
