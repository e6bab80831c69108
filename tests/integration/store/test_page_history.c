#include "integration/lib/page_content.h"

#include <stdlib.h>

#include "store/incident/incident_update.h"
#include "store/snapshot/page_history.h"

/* The incidents of a month, with its total. */
static const char *month_text(const struct page_month *month)
{
	return arena_printf(&arena, "%s: %s of %zu", month->name,
			    causes(month->incidents, month->incident_count), month->total);
}

static void a_month_is_the_same_alone_and_among_others(void **state)
{
	static const char *const expected[] = { "2026-03: c d of 2", "2026-02: b of 1",
						"2026-01: a of 1" };
	const bool all[] = { true, true, true };
	(void)state;
	struct shown_page shown = add_shown_page();
	add_incident(shown.web, "a", (struct instant){ at(1, 0).s - 50 * 86400 }, at(1, 0));
	add_incident(shown.web, "b", (struct instant){ at(1, 0).s - 3600 }, at(2, 0));
	add_incident(shown.mail, "c", at(2, 0), at(3, 0));
	add_incident(shown.web, "d", at(1, 0), at(1, 1));
	add_incident(shown.unshown, "e", at(1, 0), at(1, 1));
	execute("INSERT INTO incident_months (monitor_id, month, revision) "
		"SELECT monitor_id, DATE_FORMAT(started_at, '%%Y-%%m-01') AS its_month, 1 "
		"FROM incidents GROUP BY monitor_id, its_month");
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		const bool one[] = { i == 0, i == 1, i == 2 };
		struct page_snapshot alone = read_page(shown.page).view,
				     among = read_page(shown.page).view;
		assert_int_equal(alone.month_count, ARRAY_LEN(expected));
		assert_ok(page_history_read(db, &alone, one, i, &arena, &error));
		assert_ok(page_history_read(db, &among, all, 0, &arena, &error));
		assert_true(alone.months[i].is_read && among.months[i].is_read);
		assert_string_equal(month_text(&alone.months[i]), expected[i]);
		assert_string_equal(month_text(&among.months[i]), expected[i]);
	}
}

static void a_month_shows_its_newest_incidents_and_counts_all(void **state)
{
	const bool one[] = { true };
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p"),
		web = add_monitor(account, "web");
	show_monitor(page, web, 1);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) SELECT %ld, %ld, CONCAT('c', seq), "
		"'2026-03-01' + INTERVAL seq MINUTE, '2026-03-19', NOW(), NOW() FROM seq_1_to_%d",
		(long)account, (long)web, PAGE_MONTH_INCIDENTS_MAX + 5);
	execute("INSERT INTO incident_months (monitor_id, month, revision) "
		"VALUES (%ld, '2026-03-01', 1)",
		(long)web);
	struct page_snapshot view = read_page(page).view;
	assert_ok(page_history_read(db, &view, one, 0, &arena, &error));
	const struct page_month *month = &view.months[0];
	assert_int_equal(month->incident_count, PAGE_MONTH_INCIDENTS_MAX);
	assert_int_equal(month->total, PAGE_MONTH_INCIDENTS_MAX + 5);
	assert_string_equal(month->incidents[0].row.cause, "c1005");
	assert_string_equal(month->incidents[PAGE_MONTH_INCIDENTS_MAX - 1].row.cause, "c6");
	/* The texts of a month are bounded, too; the newest incident is always shown. */
	execute("UPDATE incidents SET comment = REPEAT('x', 60000)");
	view = read_page(page).view;
	assert_ok(page_history_read(db, &view, one, 0, &arena, &error));
	assert_int_equal(view.months[0].incident_count, PAGE_MONTH_TEXT_MAX_BYTES / 60305);
	assert_int_equal(view.months[0].total, PAGE_MONTH_INCIDENTS_MAX + 5);
}

static const char *monitors_text(const struct page_incident *incident)
{
	const char *text = "";
	for (size_t i = 0; i < incident->row.monitor_count; i++)
		text = arena_printf(&arena, "%s %s:%d", text, incident->row.monitors[i].name,
				    incident->row.monitors[i].impact);
	return text;
}

static const char *updates_text(const struct page_incident *incident)
{
	const char *text = arena_printf(&arena, "%zu", incident->update_total);
	for (size_t i = 0; i < incident->updates.count; i++)
		text = arena_printf(&arena, "%s %s", text, incident->updates.rows[i].body);
	return text;
}

/* All that the page of a month shows of its incidents. */
static const char *whole_text(const struct page_month *month)
{
	const char *text = month_text(month);
	for (size_t i = 0; i < month->incident_count; i++) {
		const struct page_incident *row = &month->incidents[i];
		text = arena_printf(
			&arena, "%s\n%lld %s|%s|%s|%s|%d|%d|%lld|%lld|%lld|%s|%s|%s|%lld", text,
			(long long)row->row.id, row->row.monitor_name,
			row->row.title ? row->row.title : "-",
			row->row.comment ? row->row.comment : "-",
			row->row.postmortem ? row->row.postmortem : "-", row->row.phase,
			row->row.impact, (long long)row->row.started_at.s,
			(long long)row->row.acknowledged_at.s, (long long)row->row.ended_at.s,
			row->row.exclude_from_uptime ? "excluded" : "", monitors_text(row),
			updates_text(row), row->inside ? (long long)row->inside->row.id : 0);
	}
	return text;
}

/* The month with index 0, read by ids, and by the index of its incidents. *statements: by ids. */
static void check_current_month(int64_t page, size_t *statements)
{
	const bool one[PAGE_MONTHS_MAX] = { true };
	struct page_snapshot by_ids = read_page(page).view, by_index = read_page(page).view;
	uint64_t before = db_queries(db);
	assert_ok(page_history_read(db, &by_ids, one, 0, &arena, &error));
	*statements = (size_t)(db_queries(db) - before);
	by_index.month_ids.count = PAGE_MONTH_IDS_MAX + 1;
	assert_ok(page_history_read(db, &by_index, one, 0, &arena, &error));
	assert_true(by_ids.months[0].incident_count > 0);
	for (size_t i = 0; i < by_ids.months[0].incident_count; i++)
		if (strcmp(by_ids.months[0].incidents[i].row.cause, "both") == 0)
			assert_int_equal(by_ids.months[0].incidents[i].row.impact, 1);
	assert_string_equal(whole_text(&by_ids.months[0]), whole_text(&by_index.months[0]));
}

static void add_update(int64_t incident, const char *body)
{
	execute("INSERT INTO incident_updates (account_id, incident_id, phase, body, at) "
		"SELECT account_id, id, 1, '%s', started_at FROM incidents WHERE id = %lld",
		body, (long long)incident);
}

/* A reported incident of 2026-03-DAY that lasts a day. */
static int64_t add_reported(int64_t account, const char *cause, int day)
{
	return execute("INSERT INTO incidents (account_id, title, cause, comment, started_at, "
		       "ended_at, created_at, updated_at, phase, impact) VALUES "
		       "(%lld, 'Reported', '%s', 'body', '2026-03-%02d', '2026-03-%02d', NOW(), "
		       "NOW(), 3, 3)",
		       (long long)account, cause, day, day + 1);
}

static void cover(int64_t incident, int64_t monitor, int position, int impact)
{
	execute("INSERT INTO incident_monitors (incident_id, position, account_id, monitor_id, "
		"impact, lesser_impact, has_outage, started_at, ended_at) SELECT id, %d, "
		"account_id, %lld, %d, 0, 0, started_at, ended_at FROM incidents WHERE id = %lld",
		position, (long long)monitor, impact, (long long)incident);
}

static void name_page(int64_t incident, int64_t page)
{
	execute("INSERT INTO incident_pages (status_page_id, month, incident_id, position, "
		"account_id, is_shown, revision, started_at, ends_at) SELECT %lld, "
		"DATE_FORMAT(started_at, '%%Y-%%m-01'), id, 0, account_id, 1, 1, started_at, "
		"ended_at FROM incidents WHERE id = %lld",
		(long long)page, (long long)incident);
}

static void count_months(void)
{
	execute("DELETE FROM incident_months");
	execute("INSERT INTO incident_months (monitor_id, month, revision) "
		"SELECT monitor_id, DATE_FORMAT(started_at, '%%Y-%%m-01') AS its_month, 1 "
		"FROM incidents WHERE monitor_id IS NOT NULL GROUP BY monitor_id, its_month");
}

/* Most publishes write only the current month: what the page shows of it need not be read again. */
static void the_current_month_is_the_same_by_ids_as_by_the_index(void **state)
{
	size_t statements;
	(void)state;
	struct shown_page shown = add_shown_page();
	int64_t account = shown.account, page = shown.page, web = shown.web, mail = shown.mail;
	int64_t other_page = add_page(account, "q"), gone = add_monitor(account, "gone");
	show_monitor(page, gone, 3);
	execute("UPDATE monitors SET retired_at = NOW() WHERE name = 'gone'");
	add_incident(web, "february", (struct instant){ at(1, 0).s - 1 }, at(1, 1));
	add_incident(web, "first", at(1, 0), at(1, 1));
	add_incident(web, "same", at(1, 0), at(1, 2));
	add_incident(gone, "retired", at(2, 0), at(2, 1));
	add_incident(shown.unshown, "elsewhere", at(2, 0), at(2, 1));
	int64_t inside = add_incident(mail, "inside", at(6, 1), at(6, 2));
	add_incident(web, "open", at(19, 0), (struct instant){ 0 });
	execute("UPDATE incidents SET comment = NULL WHERE cause <> 'inside'");
	execute("UPDATE incidents SET postmortem = 'Why', exclude_from_uptime = 1 "
		"WHERE cause = 'first'");
	add_update(inside, "looking");
	count_months();
	/* One for the incident of February. */
	check_current_month(page, &statements);
	assert_int_equal(statements, 1);

	int64_t both = add_reported(account, "both", 6);
	cover(both, shown.unshown, 0, 3);
	cover(both, mail, 1, 1);
	add_update(both, "one");
	add_update(both, "two");
	int64_t notice = add_reported(account, "notice", 7);
	add_update(notice, "body");
	name_page(notice, page);
	name_page(add_reported(account, "not our notice", 8), other_page);
	check_current_month(page, &statements);
	assert_int_equal(statements, 1);

	/* More than the page shows: the others are read by their ids, with their updates. */
	for (int i = 0; i < PAGE_NEWEST_MAX; i++)
		add_incident(web, arena_printf(&arena, "c%d", i), at(10, i % 24), at(12, 0));
	for (int i = 0; i < PAGE_NEWEST_MAX; i++)
		add_update(select_number("SELECT id FROM incidents WHERE cause = 'c%d'", i), "u");
	check_current_month(page, &statements);
	assert_int_equal(statements, 4);
	/* So are incidents whose updates the page cuts. */
	execute("UPDATE incident_updates SET body = REPEAT('x', 60000)");
	check_current_month(page, &statements);
	/* The texts of a month are bounded. */
	execute("UPDATE incidents SET comment = REPEAT('x', 60000)");
	check_current_month(page, &statements);
}

/* Many long updates of open incidents leave no room for those of the month. */
static void the_current_month_has_updates_that_the_page_lacks(void **state)
{
	enum { OPEN = 110, LONGEST = 4 * INCIDENT_COMMENT_MAX_CHARS };
	size_t statements;
	(void)state;
	arena_reset(&arena);
	int64_t account = add_account("one"), page = add_page(account, "p"),
		web = add_monitor(account, "web");
	show_monitor(page, web, 1);
	int64_t ours = add_incident(web, "ours", at(5, 0), at(6, 0));
	add_update(ours, "one");
	add_update(ours, "two");
	for (int i = 0; i < OPEN; i++) {
		int64_t other = add_reported(account, "other", 1);
		cover(other, web, 0, 1);
		add_update(other, "long");
	}
	execute("UPDATE incidents SET started_at = '2026-02-01', ended_at = NULL "
		"WHERE cause = 'other'");
	execute("UPDATE incident_monitors SET started_at = '2026-02-01', ended_at = NULL");
	execute("UPDATE incident_updates SET body = REPEAT('x', %d) WHERE body = 'long'", LONGEST);
	count_months();
	/* Two for the updates, and two for the open ones, which began in an earlier month. */
	check_current_month(page, &statements);
	assert_int_equal(statements, 4);
}

/* "name: causes of those that went on" of each month. */
static const char *earlier_text(int64_t page, bool together)
{
	const char *text = "";
	const bool all[PAGE_MONTHS_MAX] = { true, true, true, true, true, true, true };
	struct page_snapshot view = read_page(page).view;
	for (size_t i = 0; i < view.month_count; i++) {
		bool one[PAGE_MONTHS_MAX] = { false };
		const struct page_month *month = &view.months[i];
		one[i] = true;
		if (!month->is_read)
			assert_ok(page_history_read(db, &view, together ? all : one, i, &arena,
						    &error));
		text = arena_printf(&arena, "%s%s:", text, month->name);
		for (size_t j = 0; j < month->earlier_count; j++) {
			const struct page_incident *row =
				&month->incidents[month->incident_count + j];
			text = arena_printf(&arena, "%s %lld%s", text, (long long)row->row.id,
					    row->inside ? "in" : "");
		}
		text = arena_printf(&arena, "%s\n", text);
	}
	return text;
}

/* As of 2026-03-20: an open incident fills all months since it began, and one that is over those
 * that have a row. */
static void a_month_has_what_goes_on_in_it(void **state)
{
	(void)state;
	struct shown_page shown = add_shown_page();
	struct instant august = { at(1, 0).s - 212 * 86400 };
	int64_t open = add_incident(shown.web, "open", august, (struct instant){ 0 });
	assert_string_equal(earlier_text(shown.page, false),
			    arena_printf(&arena,
					 "2026-03: %lld\n2026-02: %lld\n2026-01: %lld\n"
					 "2025-12: %lld\n2025-11: %lld\n2025-10: %lld\n"
					 "2025-09: %lld\n",
					 (long long)open, (long long)open, (long long)open,
					 (long long)open, (long long)open, (long long)open,
					 (long long)open));
	/* It ended in the first second of December, which has nothing of it. */
	execute("UPDATE incidents SET ended_at = '2025-12-01 00:00:00'");
	int64_t reported = add_reported(shown.account, "reported", 1);
	execute("UPDATE incidents SET started_at = '2025-09-05', ended_at = '2025-10-01 00:00:01' "
		"WHERE cause = 'reported'");
	cover(reported, shown.web, 0, 3);
	int64_t notice = add_reported(shown.account, "notice", 1);
	execute("UPDATE incidents SET started_at = '2025-11-30', ended_at = '2026-02-02' "
		"WHERE cause = 'notice'");
	name_page(notice, shown.page);
	add_incident(shown.unshown, "unshown", august, (struct instant){ 0 });
	count_months();
	for (int months = 1; months < 7; months++)
		execute("INSERT IGNORE INTO incident_months (monitor_id, month, revision) "
			"VALUES (%lld, '2025-08-01' + INTERVAL %d MONTH, 1)",
			(long long)shown.web, months);
	for (int together = 0; together < 2; together++)
		assert_string_equal(
			earlier_text(shown.page, together),
			arena_printf(&arena,
				     "2026-02: %lld\n2026-01: %lld\n2025-12: %lld\n"
				     "2025-11: %lld\n2025-10: %lld %lldin\n2025-09: %lldin\n"
				     "2025-08:\n",
				     (long long)notice, (long long)notice, (long long)notice,
				     (long long)open, (long long)reported, (long long)open,
				     (long long)open));
}

/* Of the listed updates those of one incident. */
static const char *listed_text(const struct db_list *list, int64_t incident_id)
{
	const struct incident_update_row *rows = list->rows;
	const char *text = "";
	for (size_t i = 0; i < list->count; i++)
		if (rows[i].incident_id == incident_id)
			text = arena_printf(&arena, "%s %s/%lld", text, rows[i].update.body,
					    (long long)rows[i].total);
	return text;
}

static void updates_are_the_same_few_or_many(void **state)
{
	enum { MANY = INCIDENT_UPDATES_SHOWN_MAX + 10, INCIDENTS = 3 };
	struct db_list few, many;
	int64_t ids[INCIDENTS];
	(void)state;
	int64_t web = add_monitor(add_account("one"), "web");
	for (int i = 0; i < INCIDENTS; i++)
		ids[i] = add_incident(web, arena_printf(&arena, "c%d", i), at(1, 0), at(2, 0));
	for (int i = 0; i < MANY; i++)
		add_update(ids[0], arena_printf(&arena, "u%d", i));
	add_update(ids[1], "alone");
	uint64_t before = db_queries(db);
	assert_ok(incident_updates_list(db, ids, INCIDENTS, &arena, &few, &error));
	assert_int_equal(db_queries(db) - before, 1);
	assert_int_equal(few.count, INCIDENT_UPDATES_SHOWN_MAX + 1);
	assert_string_equal(listed_text(&few, ids[1]), " alone/1");
	assert_memory_equal(listed_text(&few, ids[0]), " u59/60 u58/60", 14);
	for (int i = 0; i < MANY; i++)
		add_update(ids[2], arena_printf(&arena, "v%d", i));
	assert_ok(incident_updates_list(db, ids, INCIDENTS, &arena, &many, &error));
	assert_int_equal(many.count, 2 * INCIDENT_UPDATES_SHOWN_MAX + 1);
	for (int i = 0; i < 2; i++)
		assert_string_equal(listed_text(&few, ids[i]), listed_text(&many, ids[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_month_has_what_goes_on_in_it),
		DATABASE_TEST(a_month_is_the_same_alone_and_among_others),
		DATABASE_TEST(a_month_shows_its_newest_incidents_and_counts_all),
		DATABASE_TEST(the_current_month_is_the_same_by_ids_as_by_the_index),
		DATABASE_TEST(the_current_month_has_updates_that_the_page_lacks),
		DATABASE_TEST(updates_are_the_same_few_or_many),
	};
	return RUN_ON_DATABASE(tests);
}
