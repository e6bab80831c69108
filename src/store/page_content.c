#include "store/page_content.h"

#include <string.h>

#include "store/snapshot.h"
#include "store/status_page_columns.h"

struct page_row {
	struct status_page page;
	int64_t epoch;
};

/* The rows of the page fit, since it is the first member. */
static const struct field page_rows[] = {
	WRITTEN_ROWS SERVICE_ROW(id, id) SERVICE_ROW(account_id, account_id)
		SERVICE_ROW(created_at, created_at) SERVICE_ROW(password_hash, password_hash)
			SERVICE_ROW(revision, revision) FIELD(struct page_row, epoch),
};

/* The revision and its epoch, which the disk is compared with. */
#define REVISION \
	"COALESCE((SELECT r.revision FROM page_revisions r WHERE r.page_id = status_pages.id), " \
	"revision) AS revision, (SELECT epoch FROM timeline WHERE id = 1) AS epoch "

/* The page itself, and the pages that have the addresses of the query. */
enum { PAGE_ROWS_MAX = 3 };
#define PAGE_ROWS_SQL \
	SQL("SELECT " WRITTEN_NAMES "id, account_id, created_at, password_hash, " REVISION \
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
	struct page_row *rows = list.rows;
	for (size_t i = 0; i < list.count; i++) {
		/* A page without the proof of its domain is not there. */
		if (rows[i].page.domain_proof.lost_at.s > 0)
			rows[i].page.domain = NULL;
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
