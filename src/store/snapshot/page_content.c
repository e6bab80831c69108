#include "store/snapshot/page_content.h"

#include "base/clock.h"
#include "store/account/api_key.h"
#include "store/page/former_address.h"
#include "store/page/page_link.h"
#include "store/page/status_page_columns.h"
#include "store/snapshot/snapshot.h"

struct page_row {
	struct status_page page;
	int64_t epoch;
	bool has_former;
	bool has_response_times;
};

/* `page` is the first member of struct page_row, so the offsets of members of struct status_page
 * are also valid for struct page_row. */
static const struct field page_rows[] = {
	WRITTEN_ROWS SERVICE_ROW(id, id) SERVICE_ROW(account_id, account_id)
		SERVICE_ROW(created_at, created_at) SERVICE_ROW(password_hash, password_hash)
			SERVICE_ROW(revision, revision)
				PAGE_LINK_ROWS SERVICE_ROW(key_marks, key_marks)
					FIELD(struct page_row, epoch),
	FIELD(struct page_row, has_former),
	FIELD(struct page_row, has_response_times),
};

/* Columns from other tables. The page's revision and epoch are compared with the revision and epoch
 * of the page's files on disk. */
#define REVISION \
	"(SELECT r.revision FROM page_revisions r WHERE r.page_id = status_pages.id) AS " \
	"revision, " PAGE_LINK_COLUMNS API_KEY_MARKS \
	"(SELECT epoch FROM timeline WHERE id = 1) AS " \
	"epoch, " HAS_FORMER_ADDRESSES ", show_response_times AS has_response_times "

/* Select by the id alone. With another column in the condition, the database would also read an
 * index on slugs for each page (index merge). */
#define PAGE_ROWS_SQL \
	SQL("SELECT " WRITTEN_NAMES "id, account_id, created_at, password_hash, " REVISION \
	    "FROM status_pages WHERE id IN (")

struct reading {
	const struct page_content_query *query;
	struct arena *arena;
	struct page_content_list *list;
};

static struct page_content *content_of(const struct page_content_list *list, int64_t page_id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->rows[i].page_id == page_id)
			return &list->rows[i];
	return NULL;
}

/* Reads the former addresses of the pages that have any. Few pages have any, so this usually runs
 * no statement. */
static enum result read_former(struct db *db, const struct reading *reading,
			       const struct db_list *pages, struct error *error)
{
	const struct page_row *rows = pages->rows;
	struct db_list list = { 0 };
	int64_t *ids = ARENA_ARRAY(reading->arena, pages->count, int64_t);
	size_t count = 0;
	for (size_t i = 0; i < pages->count; i++)
		if (rows[i].has_former)
			ids[count++] = rows[i].page.id;
	if (count == 0)
		return OK;
	enum result result = former_addresses_list(db, ids, count, reading->arena, &list, error);
	const struct former_address_list *found = list.rows;
	for (size_t i = 0; result == OK && i < list.count; i++)
		content_of(reading->list, found[i].page_id)->former = found[i].addresses;
	return result;
}

static enum result read_pages(struct db *db, const struct reading *reading, struct error *error)
{
	const struct page_content_query *query = reading->query;
	struct sql_build sql;
	struct db_list found;
	sql_start(&sql, PAGE_ROWS_SQL, query->now, query->now);
	sql_list_ints(&sql, query->page_ids, query->count, reading->arena);
	sql_add(&sql, SQL(") ORDER BY id LIMIT ?"), PAGE_CONTENT_MAX);
	enum result result = db_read_list(
		db, &sql, DB_SHAPE(FIELDS(page_rows), struct page_row, PAGE_CONTENT_MAX),
		reading->arena, &found, error);
	if (result != OK)
		return result;
	for (size_t i = 0; i < reading->list->count; i++)
		reading->list->rows[i].is_row_read = true;
	struct page_row *rows = found.rows;
	for (size_t i = 0; i < found.count; i++) {
		struct page_content *content = content_of(reading->list, rows[i].page.id);
		/* A page whose domain proof is lost is not shown at the domain. */
		if (rows[i].page.domain_proof.lost_at.s > 0)
			rows[i].page.domain = NULL;
		if (!content)
			continue;
		content->is_found = true;
		content->epoch = rows[i].epoch;
		content->view.page = rows[i].page;
		content->view.has_response_times = rows[i].has_response_times;
	}
	return read_former(db, reading, &found, error);
}

/* The loaders, in the order in which they run. Each uses the rows that earlier loaders have
 * read. */
static snapshot_loader *const loaders[] = {
	snapshot_load_monitors,	   snapshot_load_incidents, snapshot_load_months,
	snapshot_load_maintenance, snapshot_load_gaps,	    snapshot_load_response_times,
};

/* Sets the calendar of each page that was found, and set->bars_start. Returns false if no page was
 * found. */
static bool set_calendars(struct snapshot_set *set)
{
	bool is_found = false;
	set->bars_start = set->now;
	for (size_t i = 0; i < set->count; i++) {
		struct page_snapshot *page = &set->contents[i].view;
		if (!set->contents[i].is_found)
			continue;
		is_found = true;
		page_snapshot_set_calendar(page);
		if (page->calendar.starts[0].s < set->bars_start.s)
			set->bars_start = page->calendar.starts[0];
	}
	return is_found;
}

static bool is_late(const struct page_content_query *query)
{
	return query->until_ms > 0 && clock_ms() >= query->until_ms;
}

static enum result read_all(struct db *db, void *context, struct error *error)
{
	const struct reading *reading = context;
	const struct page_content_query *query = reading->query;
	struct page_content_list *list = reading->list;
	struct snapshot_set set = { .now = query->now };
	list->rows = ARENA_ARRAY(reading->arena, query->count, struct page_content);
	list->count = query->count;
	for (size_t i = 0; i < query->count; i++) {
		list->rows[i].page_id = query->page_ids[i];
		list->rows[i].view.now = query->now;
	}
	enum result result = read_pages(db, reading, error);
	set.contents = list->rows;
	set.count = list->count;
	bool is_found = set_calendars(&set);
	for (size_t i = 0; result == OK && is_found && i < ARRAY_LEN(loaders); i++)
		result = is_late(query)
				 ? error_log(error, E_TOO_SLOW, "no time is left to read pages")
				 : loaders[i](db, &set, reading->arena, error);
	if (result == OK)
		list->count = set.count;
	return result;
}

enum result page_content_read(struct db *db, const struct page_content_query *query,
			      struct arena *arena, struct page_content_list *list,
			      struct error *error)
{
	struct reading reading = { query, arena, list };
	*list = (struct page_content_list){ 0 };
	enum result result = db_transact(db, DB_READ, read_all, &reading, error);
	for (size_t i = 0; result == OK && i < list->count; i++)
		if (list->rows[i].is_found)
			page_snapshot_derive(&list->rows[i].view, arena);
	return result;
}
