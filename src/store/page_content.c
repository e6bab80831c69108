#include "store/page_content.h"

#include <stdlib.h>
#include <string.h>

#include "store/page_history.h"

enum { OF_PAGE, OF_MONITOR, OF_MONTH, OF_HISTORY };

/* A row of any kind; what the others have is empty. */
struct content_row {
	int64_t kind;
	int64_t id;
	const char *name;
	struct instant created_at;
	struct instant updated_at;
	/* of a page */
	int64_t revision; /* of a month, too, which is in started_at */
	const char *slug;
	const char *domain;
	int privacy;
	const char *website_url;
	const char *contact_url;
	const char *meta_title;
	const char *meta_description;
	bool noindex;
	const char *logo_file;
	const char *favicon_file;
	const char *custom_css;
	const char *custom_js;
	int64_t account_id;
	const char *password_hash;
	/* of a monitor, with one of its incidents, if it had any */
	int64_t position;
	int64_t incident_id;
	struct instant started_at;
	struct instant acknowledged_at;
	struct instant ended_at;
	const char *cause; /* of recent ones only */
	const char *comment;
};

#define ROW(member) FIELD(struct content_row, member)
static const struct field rows[] = {
	ROW(kind),	   ROW(id),	     ROW(name),		ROW(created_at),
	ROW(updated_at),   ROW(revision),    ROW(slug),		ROW(domain),
	ROW(privacy),	   ROW(website_url), ROW(contact_url),	ROW(meta_title),
	ROW(meta_description), ROW(noindex), ROW(logo_file),	ROW(favicon_file),
	ROW(custom_css),   ROW(custom_js),   ROW(account_id),	ROW(password_hash),
	ROW(position),	   ROW(incident_id), ROW(started_at),	ROW(acknowledged_at),
	ROW(ended_at),	   ROW(cause),	     ROW(comment),
};
static const struct fields row_fields = { rows, ARRAY_LEN(rows) };

struct reading {
	struct page_content *content;
	struct arena *arena;
	struct instant now;
	struct page_monitor *monitors;
	size_t monitor_room;
	struct uptime_interval *intervals; /* of the monitor being read */
	size_t interval_count;
	size_t interval_room;
	struct incident **incidents;
	size_t incident_room;
	size_t month_room;
};

static const char *keep(const struct reading *reading, const char *text)
{
	return text ? arena_strdup(reading->arena, text) : NULL;
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static void take_page(struct reading *reading, const struct content_row *row,
		      const struct page_content_query *query)
{
	struct page_content *content = reading->content;
	content->is_slug_taken |= is_same(row->slug, query->slug);
	content->is_domain_taken |= is_same(row->domain, query->domain);
	if (row->id != query->page_id)
		return;
	content->is_found = true;
	content->view.page = (struct status_page){
		.id = row->id,
		.account_id = row->account_id,
		.password_hash = keep(reading, row->password_hash),
		.revision = row->revision,
		.name = keep(reading, row->name),
		.slug = keep(reading, row->slug),
		.domain = keep(reading, row->domain),
		.privacy = row->privacy,
		.logo_file = keep(reading, row->logo_file),
		.favicon_file = keep(reading, row->favicon_file),
		.custom_css = keep(reading, row->custom_css),
		.custom_js = keep(reading, row->custom_js),
		.website_url = keep(reading, row->website_url),
		.contact_url = keep(reading, row->contact_url),
		.meta_title = keep(reading, row->meta_title),
		.meta_description = keep(reading, row->meta_description),
		.noindex = row->noindex,
		.created_at = row->created_at,
		.updated_at = row->updated_at,
	};
}

/* The monitor's rows are all read: its days follow. */
static void finish_monitor(struct reading *reading)
{
	struct page_view *view = &reading->content->view;
	if (view->monitor_count == 0)
		return;
	struct page_monitor *monitor = &reading->monitors[view->monitor_count - 1];
	struct instant known_since = monitor->created_at;
	/* History that was brought along begins before the monitor did here. */
	if (reading->interval_count > 0 && reading->intervals[0].from.s < known_since.s)
		known_since = reading->intervals[0].from;
	uptime_fill(reading->intervals, reading->interval_count, known_since, reading->now,
		    monitor->days);
	reading->interval_count = 0;
}

static void start_monitor(struct reading *reading, const struct content_row *row)
{
	struct page_view *view = &reading->content->view;
	finish_monitor(reading);
	reading->monitors = arena_grow(reading->arena, reading->monitors, view->monitor_count,
				 &reading->monitor_room, sizeof(*reading->monitors));
	reading->monitors[view->monitor_count++] = (struct page_monitor){
		.id = row->id,
		.name = keep(reading, row->name),
		.created_at = row->created_at,
	};
}

static void take_incident(struct reading *reading, const struct content_row *row)
{
	struct page_view *view = &reading->content->view;
	struct page_monitor *monitor = &reading->monitors[view->monitor_count - 1];
	reading->intervals = arena_grow(reading->arena, reading->intervals, reading->interval_count,
				  &reading->interval_room, sizeof(*reading->intervals));
	reading->intervals[reading->interval_count++] =
		(struct uptime_interval){ row->started_at, row->ended_at };
	if (!row->cause)
		return;
	struct incident *incident = ARENA_NEW(reading->arena, struct incident);
	*incident = (struct incident){
		.id = row->incident_id,
		.monitor_id = monitor->id,
		.monitor_name = monitor->name,
		.cause = keep(reading, row->cause),
		.comment = keep(reading, row->comment),
		.started_at = row->started_at,
		.acknowledged_at = row->acknowledged_at,
		.ended_at = row->ended_at,
		.updated_at = row->updated_at,
	};
	reading->incidents = arena_grow(reading->arena, reading->incidents, view->incident_count,
				  &reading->incident_room, sizeof(*reading->incidents));
	reading->incidents[view->incident_count++] = incident;
	if (incident->ended_at.s == 0) {
		monitor->open = incident;
		view->down_count++;
	}
}

static int newest_first(const void *a, const void *b)
{
	const struct incident *left = *(struct incident *const *)a;
	const struct incident *right = *(struct incident *const *)b;
	if (left->started_at.s != right->started_at.s)
		return left->started_at.s < right->started_at.s ? 1 : -1;
	return left->id < right->id ? 1 : -1;
}

static void take_month(struct reading *reading, const struct content_row *row)
{
	struct page_view *view = &reading->content->view;
	char text[INSTANT_TEXT_SIZE];
	if (view->month_count == PAGE_MONTHS_MAX)
		return;
	view->months = arena_grow(reading->arena, view->months, view->month_count,
				  &reading->month_room, sizeof(*view->months));
	view->months[view->month_count++] = (struct page_month){
		.start = row->started_at,
		.revision = row->revision,
		.name = arena_strndup(reading->arena, instant_format(row->started_at, text), 7),
	};
}

static void take_history(struct page_history_reading *history, const struct content_row *row)
{
	struct incident incident = {
		.id = row->incident_id,
		.monitor_id = row->id,
		.monitor_name = row->name,
		.cause = row->cause,
		.comment = row->comment,
		.started_at = row->started_at,
		.acknowledged_at = row->acknowledged_at,
		.ended_at = row->ended_at,
	};
	page_history_take(history, &incident);
}

static enum result start_reading(struct db *db, const struct page_content_query *query,
				 struct db_rows **found, struct error *error)
{
	struct sql_build sql;
	struct instant oldest = uptime_day_start(query->now, 0);
	struct instant recent = { uptime_midnight(query->now).s - (PAGE_RECENT_DAYS - 1) * DAY_S };
	sql_start(&sql, SQL("SELECT 0 AS kind, id, name, created_at, updated_at, revision, slug, "
			    "domain, privacy, website_url, contact_url, meta_title, "
			    "meta_description, noindex, logo_file, favicon_file, custom_css, "
			    "custom_js, account_id, password_hash, "
			    "0 AS position, NULL AS incident_id, "
			    "NULL AS started_at, NULL AS acknowledged_at, NULL AS ended_at, "
			    "NULL AS cause, NULL AS comment "
			    "FROM status_pages WHERE id = ? OR slug = ? OR domain = ? "
			    "UNION ALL "
			    "SELECT 1, m.id, m.name, m.created_at, i.updated_at, NULL, NULL, NULL, "
			    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
			    "s.position, i.id, "
			    "i.started_at, i.acknowledged_at, i.ended_at, "
			    "IF(i.ends_at >= ?, i.cause, NULL), IF(i.ends_at >= ?, i.comment, NULL) "
			    "FROM status_page_monitors s JOIN monitors m ON m.id = s.monitor_id "
			    "LEFT JOIN incidents i ON i.monitor_id = m.id AND i.ends_at >= ? "
			    "WHERE s.status_page_id = ? "
			    "UNION ALL "
			    "SELECT 2, 0, NULL, NULL, NULL, SUM(h.revision), NULL, NULL, "
			    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
			    "TIMESTAMPDIFF(SECOND, h.month, TIMESTAMP'1970-01-01 00:00:00'), "
			    "NULL, h.month, NULL, NULL, NULL, NULL "
			    "FROM status_page_monitors s "
			    "JOIN incident_months h ON h.monitor_id = s.monitor_id "
			    "WHERE s.status_page_id = ? GROUP BY h.month "));
	sql_int(&sql, query->page_id);
	sql_text(&sql, query->slug);
	sql_text(&sql, query->domain);
	sql_time(&sql, recent);
	sql_time(&sql, recent);
	sql_time(&sql, oldest);
	sql_int(&sql, query->page_id);
	sql_int(&sql, query->page_id);
	if (query->with_history) {
		sql_add(&sql, SQL("UNION ALL "
				  "SELECT 3, m.id, m.name, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
				  "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
				  "TIMESTAMPDIFF(SECOND, i.started_at, TIMESTAMP'1970-01-01 00:00:00'), "
				  "i.id, i.started_at, i.acknowledged_at, i.ended_at, i.cause, i.comment "
				  "FROM status_page_monitors s JOIN monitors m ON m.id = s.monitor_id "
				  "JOIN incidents i ON i.monitor_id = m.id "
				  "WHERE s.status_page_id = ? "));
		sql_int(&sql, query->page_id);
	}
	/* Months newest first, and so their incidents. */
	sql_add(&sql, SQL("ORDER BY 1, 21, 23, 22 LIMIT 1000000"));
	return db_read(db, &sql, found, error);
}

enum result page_content_read(struct db *db, const struct page_content_query *query,
			      struct arena *arena, struct page_content *content,
			      struct error *error)
{
	struct db_rows *found CLEANUP(db_rows_cleanup) = NULL;
	struct arena row_arena CLEANUP(arena_done);
	struct reading reading = { .content = content, .arena = arena, .now = query->now };
	struct page_history_reading history = { .view = &content->view, .arena = arena };
	struct content_row row;
	*content = (struct page_content){ .view.now = query->now };
	arena_init(&row_arena, 1 << 20);
	enum result result = start_reading(db, query, &found, error);
	if (result != OK)
		return result;
	int64_t monitor_id = 0;
	/* What is not kept of a row goes at once: there may be a hundred thousand. */
	for (; db_next(found, row_fields, &row, &row_arena); arena_reset(&row_arena)) {
		if (row.kind == OF_PAGE)
			take_page(&reading, &row, query);
		if (row.kind == OF_MONTH)
			take_month(&reading, &row);
		if (row.kind == OF_HISTORY)
			take_history(&history, &row);
		if (row.kind != OF_MONITOR)
			continue;
		if (row.id != monitor_id)
			start_monitor(&reading, &row);
		monitor_id = row.id;
		if (row.incident_id > 0)
			take_incident(&reading, &row);
	}
	finish_monitor(&reading);
	if (query->with_history)
		page_history_end(&history);
	content->view.monitors = reading.monitors;
	if (content->view.incident_count > 0)
		qsort(reading.incidents, content->view.incident_count,
		      sizeof(*reading.incidents), newest_first);
	content->view.incidents = (const struct incident **)(void *)reading.incidents;
	return OK;
}
