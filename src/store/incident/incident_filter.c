#include "store/incident/incident_filter.h"

/* Subqueries for a search by the names or URLs of monitors, of which few match. A reported incident
 * matches if any of its monitors matches. */
#define MONITORS(condition) "SELECT y.id FROM monitors y WHERE y.account_id = ? AND " condition
#define COVERS(condition) \
	"SELECT x.incident_id FROM incident_monitors x WHERE x.monitor_id IN (" MONITORS( \
		condition) ")"
#define OF_MONITORS(condition) \
	"(monitor_id IN (" MONITORS(condition) ") OR (monitor_id IS NULL AND id IN (" COVERS( \
		condition) ")))"
#define NAME_LIKE "y.name LIKE ? ESCAPE '!'"
#define URL_LIKE  "y.url LIKE ? ESCAPE '!'"
#define ANY_LIKE  "(" NAME_LIKE " OR " URL_LIKE ")"

/* Adds the arguments of MONITORS: the account once, then the pattern `patterns` times. */
static void add_like(struct sql_build *sql, const struct incident_query *query, const char *pattern,
		     int patterns)
{
	sql_add(sql, query->list.account_id);
	for (int i = 0; i < patterns; i++)
		sql_add(sql, pattern);
}

/* Adds the condition of the search. One pass over the incidents makes all comparisons. */
static void add_search(struct sql_build *sql, const struct incident_query *query,
		       const char *pattern)
{
	int patterns = 1;
	switch ((enum incident_search)query->list.search_by) {
	case INCIDENT_SEARCH_CAUSE:
		sql_add(sql, SQL("AND cause LIKE ? ESCAPE '!' "), pattern);
		return;
	case INCIDENT_SEARCH_MONITOR:
		sql_add(sql, SQL("AND " OF_MONITORS(NAME_LIKE) " "));
		break;
	case INCIDENT_SEARCH_URL:
		sql_add(sql, SQL("AND " OF_MONITORS(URL_LIKE) " "));
		break;
	case INCIDENT_SEARCH_ALL:
		/* A reported incident has a title in place of a cause. */
		sql_add(sql,
			SQL("AND (" OF_MONITORS(
				ANY_LIKE) " OR cause LIKE ? ESCAPE '!' "
					  "OR (monitor_id IS NULL AND title LIKE ? ESCAPE '!')) "));
		patterns = 2;
		break;
	}
	add_like(sql, query, pattern, patterns);
	add_like(sql, query, pattern, patterns);
	if (query->list.search_by != INCIDENT_SEARCH_ALL)
		return;
	sql_add(sql, pattern, pattern);
}

static void add_status(struct sql_build *sql, const struct incident_query *query)
{
	if (query->status == INCIDENT_ANY_STATUS)
		return;
	if (query->status == INCIDENT_OPEN) {
		sql_add(sql, SQL("AND status IN (0, 1) "));
		return;
	}
	sql_add(sql, SQL("AND status = ? "), query->status);
}

bool incident_filter_is_set(const struct incident_filter *filter)
{
	return filter->kind_1 > 0 || filter->phase_1 > 0 || filter->impact_1 > 0 ||
	       filter->status_page_id > 0 || filter->started_from.s > 0 ||
	       filter->started_before.s > 0;
}

/* Adds the incidents that a page shows: detected and reported incidents of the page's monitors, and
 * reported incidents that name the page. */
static void add_page(struct sql_build *sql, int64_t page_id)
{
	sql_add(sql,
		SQL("AND (monitor_id IN (SELECT s.monitor_id FROM status_page_monitors s "
		    "WHERE s.status_page_id = ?) OR (monitor_id IS NULL AND (id IN ("
		    "SELECT c.incident_id FROM status_page_monitors t "
		    "JOIN incident_monitors c ON c.monitor_id = t.monitor_id "
		    "WHERE t.status_page_id = ?) OR id IN (SELECT g.incident_id "
		    "FROM incident_pages g WHERE g.status_page_id = ? AND g.is_shown = 1)))) "));
	for (int i = 0; i < 3; i++)
		sql_add(sql, page_id);
}

static void add_filter(struct sql_build *sql, const struct incident_filter *filter)
{
	if (filter->kind_1 > 0)
		sql_add(sql, filter->kind_1 == INCIDENT_DETECTED + 1
				     ? SQL("AND monitor_id IS NOT NULL ")
				     : SQL("AND monitor_id IS NULL "));
	if (filter->phase_1 > 0) {
		/* As in incident_settle(), an ended incident has the phase PHASE_RESOLVED. */
		sql_add(sql, SQL("AND IF(ended_at IS NULL, phase, ?) = ? "), PHASE_RESOLVED,
			filter->phase_1 - 1);
	}
	if (filter->impact_1 > 0)
		sql_add(sql, SQL("AND impact = ? "), filter->impact_1 - 1);
	if (filter->status_page_id > 0)
		add_page(sql, filter->status_page_id);
	if (filter->started_from.s > 0)
		sql_add(sql, SQL("AND started_at >= ? "), filter->started_from);
	if (filter->started_before.s > 0)
		sql_add(sql, SQL("AND started_at < ? "), filter->started_before);
}

static void add_monitor(struct sql_build *sql, const struct incident_query *query)
{
	if (query->monitor_id == 0)
		return;
	sql_add(sql, SQL("AND monitor_id = ? "), query->monitor_id);
}

void incident_filter_rows(struct sql_build *sql, const struct incident_query *query,
			  const char *pattern)
{
	sql_add(sql, SQL("WHERE account_id = ? "), query->list.account_id);
	bool is_scanned = pattern || incident_filter_is_set(&query->filter);
	if (query->monitor_id > 0 && is_scanned) {
		/* With the first condition, the index on monitors finds the detected incidents of
		 * the monitor, and all reported incidents, whose monitor_id is NULL. */
		sql_add(sql, SQL("AND (monitor_id = ? OR monitor_id IS NULL) AND (monitor_id = ? "
				 "OR id IN (SELECT z.incident_id FROM incident_monitors z "
				 "WHERE z.monitor_id = ?)) "));
		for (int i = 0; i < 3; i++)
			sql_add(sql, query->monitor_id);
	} else {
		add_monitor(sql, query);
	}
	add_status(sql, query);
	add_filter(sql, &query->filter);
	if (pattern)
		add_search(sql, query, pattern);
}

void incident_filter_covers(struct sql_build *sql, const struct incident_query *query)
{
	sql_add(sql, SQL("WHERE account_id = ? AND monitor_id = ? "), query->list.account_id,
		query->monitor_id);
	add_status(sql, query);
}

/* Adds the condition of a search in the names or URLs of monitors, for a count of detected or of
 * reported incidents. */
static void add_count_search(struct sql_build *sql, const struct incident_query *query,
			     const char *pattern, bool is_reported)
{
	bool is_url = query->list.search_by == INCIDENT_SEARCH_URL;
	if (!pattern)
		return;
	if (is_reported)
		sql_add(sql, is_url ? SQL("AND incident_id IN (" COVERS(URL_LIKE) ") ")
				    : SQL("AND incident_id IN (" COVERS(NAME_LIKE) ") "));
	else
		sql_add(sql, is_url ? SQL("AND monitor_id IN (" MONITORS(URL_LIKE) ") ")
				    : SQL("AND monitor_id IN (" MONITORS(NAME_LIKE) ") "));
	add_like(sql, query, pattern, 1);
}

/* Adds a subquery that counts the matching detected incidents, the text `between`, and a subquery
 * that counts the matching reported incidents. */
static void add_totals(struct sql_build *sql, const struct incident_query *query,
		       const char *pattern, struct sql between)
{
	sql_add(sql, SQL("(SELECT COALESCE(SUM(total), 0) FROM incident_counts "
			 "WHERE account_id = ? "));
	sql_add(sql, query->list.account_id);
	add_monitor(sql, query);
	add_status(sql, query);
	add_count_search(sql, query, pattern, false);
	sql_add(sql, SQL(")"));
	sql_add(sql, between);
	if (query->monitor_id > 0) {
		sql_add(sql, SQL("(SELECT COUNT(*) FROM incident_monitors "));
		incident_filter_covers(sql, query);
	} else {
		/* Each reported incident has exactly one row at position 0. */
		sql_add(sql, pattern ? SQL("(SELECT COUNT(*) FROM incident_monitors "
					   "WHERE account_id = ? AND position = 0 ")
				     : SQL("(SELECT COALESCE(SUM(total), 0) FROM report_counts "
					   "WHERE account_id = ? "));
		sql_add(sql, query->list.account_id);
		add_status(sql, query);
	}
	add_count_search(sql, query, pattern, true);
	sql_add(sql, SQL(") "));
}

void incident_filter_totals(struct sql_build *sql, const struct incident_query *query,
			    const char *pattern)
{
	add_totals(sql, query, pattern, SQL(" AS detected, "));
	sql_add(sql, SQL("AS reported"));
}

void incident_filter_sum(struct sql_build *sql, const struct incident_query *query)
{
	add_totals(sql, query, NULL, SQL(" + "));
}
