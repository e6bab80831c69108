#include "store/page_content.h"

#include <stdlib.h>
#include <string.h>

#include "store/page_history.h"

enum { OF_PAGE, OF_MONITOR, OF_INCIDENT, OF_MONTH, OF_HISTORY };

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
	/* of a monitor */
	int64_t position;
	/* of an incident; `id` is then its monitor's */
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

/* An incident, before its monitor may be known: rows come in any order. */
struct sighting {
	int64_t monitor_id;
	struct uptime_interval interval;
	struct incident *incident; /* NULL: only its interval is shown */
};

struct reading {
	struct page_content *content;
	struct arena *arena;
	struct instant now;
	size_t monitor_room;
	struct sighting *sightings;
	size_t sighting_count;
	size_t sighting_room;
	struct incident **incidents;
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

static void take_monitor(struct reading *reading, const struct content_row *row)
{
	struct page_view *view = &reading->content->view;
	view->monitors = arena_grow(reading->arena, view->monitors, view->monitor_count,
				    &reading->monitor_room, sizeof(*view->monitors));
	view->monitors[view->monitor_count++] = (struct page_monitor){
		.id = row->id,
		.position = row->position,
		.name = keep(reading, row->name),
		.created_at = row->created_at,
	};
}

static void take_incident(struct reading *reading, const struct content_row *row)
{
	reading->sightings = arena_grow(reading->arena, reading->sightings,
					reading->sighting_count, &reading->sighting_room,
					sizeof(*reading->sightings));
	struct sighting *sighting = &reading->sightings[reading->sighting_count++];
	*sighting = (struct sighting){ .monitor_id = row->id,
				       .interval = { row->started_at, row->ended_at } };
	if (!row->cause)
		return;
	sighting->incident = ARENA_NEW(reading->arena, struct incident);
	*sighting->incident = (struct incident){
		.id = row->incident_id,
		.monitor_id = row->id,
		.cause = keep(reading, row->cause),
		.comment = keep(reading, row->comment),
		.started_at = row->started_at,
		.acknowledged_at = row->acknowledged_at,
		.ended_at = row->ended_at,
		.updated_at = row->updated_at,
	};
}

static int compare_ints(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_position(const void *a, const void *b)
{
	const struct page_monitor *left = a, *right = b;
	return compare_ints(left->position, right->position);
}

static int by_monitor_id(const void *a, const void *b)
{
	struct page_monitor *const *left = a, *const *right = b;
	return compare_ints((*left)->id, (*right)->id);
}

static int by_monitor_and_start(const void *a, const void *b)
{
	const struct sighting *left = a, *right = b;
	int order = compare_ints(left->monitor_id, right->monitor_id);
	return order != 0 ? order
			  : compare_ints(left->interval.from.s, right->interval.from.s);
}

static void show_incident(struct reading *reading, struct page_monitor *monitor,
			  struct incident *incident)
{
	struct page_view *view = &reading->content->view;
	incident->monitor_name = monitor->name;
	reading->incidents[view->incident_count++] = incident;
	if (incident->ended_at.s == 0) {
		monitor->open = incident;
		view->down_count++;
	}
}

/* The monitor's days and incidents, from what was seen of it; how many of those there are. */
static size_t finish_monitor(struct reading *reading, struct page_monitor *monitor, size_t from,
			     struct uptime_interval *intervals)
{
	size_t count = 0;
	struct instant known_since = monitor->created_at;
	for (; from + count < reading->sighting_count; count++) {
		const struct sighting *sighting = &reading->sightings[from + count];
		if (sighting->monitor_id != monitor->id)
			break;
		intervals[count] = sighting->interval;
		if (sighting->incident)
			show_incident(reading, monitor, sighting->incident);
	}
	/* History that was brought along begins before the monitor did here. */
	if (count > 0 && intervals[0].from.s < known_since.s)
		known_since = intervals[0].from;
	uptime_fill(intervals, count, known_since, reading->now, monitor->days);
	return count;
}

/* Brings monitors and what was seen of them together, each in its order. */
static void finish_monitors(struct reading *reading)
{
	struct page_view *view = &reading->content->view;
	size_t seen = reading->sighting_count, from = 0;
	struct page_monitor **by_id =
		ARENA_ARRAY(reading->arena, view->monitor_count, struct page_monitor *);
	struct uptime_interval *intervals =
		ARENA_ARRAY(reading->arena, seen, struct uptime_interval);
	reading->incidents = ARENA_ARRAY(reading->arena, seen, struct incident *);
	if (view->monitor_count == 0)
		return;
	qsort(view->monitors, view->monitor_count, sizeof(*view->monitors), by_position);
	for (size_t i = 0; i < view->monitor_count; i++)
		by_id[i] = &view->monitors[i];
	qsort(by_id, view->monitor_count, sizeof(*by_id), by_monitor_id);
	if (seen > 0)
		qsort(reading->sightings, seen, sizeof(*reading->sightings),
		      by_monitor_and_start);
	for (size_t i = 0; i < view->monitor_count; i++) {
		while (from < seen && reading->sightings[from].monitor_id < by_id[i]->id)
			from++;
		from += finish_monitor(reading, by_id[i], from, intervals);
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
	view->months = arena_grow(reading->arena, view->months, view->month_count,
				  &reading->month_room, sizeof(*view->months));
	view->months[view->month_count++] = (struct page_month){
		.start = row->started_at,
		.revision = row->revision,
		.name = arena_strndup(reading->arena, instant_format(row->started_at, text), 7),
	};
}

static int newest_month_first(const void *a, const void *b)
{
	const struct page_month *left = a, *right = b;
	return compare_ints(right->start.s, left->start.s);
}

static void sort_months(struct page_view *view)
{
	if (view->month_count > 0)
		qsort(view->months, view->month_count, sizeof(*view->months), newest_month_first);
	if (view->month_count > PAGE_MONTHS_MAX)
		view->month_count = PAGE_MONTHS_MAX;
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
	/* A monitor's past incidents are many: the index tells which are wanted before any
	 * is read, since ends_at is stored, and their join is an inner one. */
	sql_start(&sql, SQL("SELECT 0 AS kind, id, name, created_at, updated_at, revision, slug, "
			    "domain, privacy, website_url, contact_url, meta_title, "
			    "meta_description, noindex, logo_file, favicon_file, custom_css, "
			    "custom_js, account_id, password_hash, "
			    "0 AS position, NULL AS incident_id, "
			    "NULL AS started_at, NULL AS acknowledged_at, NULL AS ended_at, "
			    "NULL AS cause, NULL AS comment "
			    "FROM status_pages WHERE id = ? OR slug = ? OR domain = ? "
			    "UNION ALL "
			    "SELECT 1, m.id, m.name, m.created_at, NULL, NULL, NULL, NULL, "
			    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
			    "s.position, NULL, NULL, NULL, NULL, NULL, NULL "
			    "FROM status_page_monitors s JOIN monitors m ON m.id = s.monitor_id "
			    "WHERE s.status_page_id = ? "
			    "UNION ALL "
			    "SELECT 2, i.monitor_id, NULL, NULL, i.updated_at, NULL, NULL, NULL, "
			    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
			    "s.position, i.id, i.started_at, i.acknowledged_at, i.ended_at, "
			    "IF(i.ends_at >= ?, i.cause, NULL), IF(i.ends_at >= ?, i.comment, NULL) "
			    "FROM status_page_monitors s "
			    "JOIN incidents i FORCE INDEX (incidents_monitor_ends) "
			    "ON i.monitor_id = s.monitor_id AND i.ends_at >= ? "
			    "WHERE s.status_page_id = ? "
			    "UNION ALL "
			    "SELECT 3, 0, NULL, NULL, NULL, SUM(h.revision), NULL, NULL, "
			    "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
			    "TIMESTAMPDIFF(SECOND, h.month, TIMESTAMP'1970-01-01 00:00:00'), "
			    "NULL, h.month, NULL, NULL, NULL, NULL "
			    "FROM status_page_monitors s "
			    "JOIN incident_months h ON h.monitor_id = s.monitor_id "
			    "WHERE s.status_page_id = ? GROUP BY h.month "));
	sql_int(&sql, query->page_id);
	sql_text(&sql, query->slug);
	sql_text(&sql, query->domain);
	sql_int(&sql, query->page_id);
	sql_time(&sql, recent);
	sql_time(&sql, recent);
	sql_time(&sql, oldest);
	sql_int(&sql, query->page_id);
	sql_int(&sql, query->page_id);
	if (query->with_history) {
		sql_add(&sql, SQL("UNION ALL "
				  "SELECT 4, m.id, m.name, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
				  "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
				  "TIMESTAMPDIFF(SECOND, i.started_at, TIMESTAMP'1970-01-01 00:00:00'), "
				  "i.id, i.started_at, i.acknowledged_at, i.ended_at, i.cause, i.comment "
				  "FROM status_page_monitors s JOIN monitors m ON m.id = s.monitor_id "
				  "JOIN incidents i ON i.monitor_id = m.id "
				  "WHERE s.status_page_id = ? "
				  "ORDER BY 1, 21, 23, 22 LIMIT 1000000"));
		sql_int(&sql, query->page_id);
	}
	/* Else in any order: to sort here costs less than a temporary table there. */
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
	/* What is not kept of a row goes at once: there may be a hundred thousand. */
	for (; db_next(found, row_fields, &row, &row_arena); arena_reset(&row_arena)) {
		switch (row.kind) {
		case OF_PAGE:
			take_page(&reading, &row, query);
			break;
		case OF_MONITOR:
			take_monitor(&reading, &row);
			break;
		case OF_INCIDENT:
			take_incident(&reading, &row);
			break;
		case OF_MONTH:
			take_month(&reading, &row);
			break;
		default:
			take_history(&history, &row);
		}
	}
	finish_monitors(&reading);
	sort_months(&content->view);
	if (query->with_history)
		page_history_end(&history);
	if (content->view.incident_count > 0)
		qsort(reading.incidents, content->view.incident_count,
		      sizeof(*reading.incidents), newest_first);
	content->view.incidents = (const struct incident **)(void *)reading.incidents;
	return OK;
}
