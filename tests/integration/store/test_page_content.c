#include "integration/lib/page_content.h"

static void a_page_is_read_whole(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = add_page(account, "the-slug");
	execute("UPDATE status_pages SET name = 'The name', privacy = 2, password_hash = 'hash', "
		"domain = 'page.test', logo_file = 'logo-1.png', logo_dark_file = 'dark-1.png', "
		"favicon_file = 'favicon-2.ico', header_image_file = 'header-4.png', "
		"logo_height = 64, accent_color = '#1f6feb', color_scheme = 'dark', "
		"support_text = 'Support', "
		"website_url = 'https://w.test/', contact_url = 'https://c.test/', "
		"custom_css = 'css', custom_js = 'js', meta_title = 'Title', "
		"meta_description = 'Description', noindex = 1, show_causes = 0, "
		"time_zone = 'Asia/Kathmandu', language = 'de'");
	execute("UPDATE page_revisions SET revision = 9");
	struct page_content content = read_page(id);
	const struct status_page *page = &content.view.page;
	assert_true(content.is_row_read && content.is_found);
	assert_int_equal(content.epoch, select_number("SELECT epoch FROM timeline"));
	assert_int_equal(content.view.now.s, at(20, 10).s);
	assert_int_equal(page->id, id);
	assert_int_equal(page->account_id, account);
	assert_int_equal(page->revision, 9);
	assert_string_equal(page->name, "The name");
	assert_string_equal(page->slug, "the-slug");
	assert_int_equal(page->privacy, PRIVACY_PASSWORD);
	assert_string_equal(page->password_hash, "hash");
	assert_string_equal(page->domain, "page.test");
	assert_string_equal(page->logo_file, "logo-1.png");
	assert_string_equal(page->logo_dark_file, "dark-1.png");
	assert_string_equal(page->favicon_file, "favicon-2.ico");
	assert_string_equal(page->header_image_file, "header-4.png");
	assert_int_equal(page->logo_height, 64);
	assert_string_equal(page->accent_color, "#1f6feb");
	assert_string_equal(page->color_scheme, "dark");
	assert_string_equal(page->support_text, "Support");
	assert_string_equal(page->website_url, "https://w.test/");
	assert_string_equal(page->contact_url, "https://c.test/");
	assert_string_equal(page->custom_css, "css");
	assert_string_equal(page->custom_js, "js");
	assert_string_equal(page->meta_title, "Title");
	assert_string_equal(page->meta_description, "Description");
	assert_true(page->noindex && !page->show_causes);
	assert_string_equal(page->time_zone, "Asia/Kathmandu");
	assert_string_equal(page->language, "de");
	execute("UPDATE status_pages SET domain_lost_at = NOW()");
	assert_null(read_page(id).view.page.domain);
}

/* A link of the page; `rest` are label, expires_at and withdrawn_at. */
static long add_link(int64_t page, const char *rest)
{
	return (long)execute("INSERT INTO page_links (page_id, actor_type, actor_id, actor_label, "
			     "created_at, label, expires_at, withdrawn_at) "
			     "VALUES (%ld, 'key', 1, '', NOW(), %s)",
			     (long)page, rest);
}

static void add_key(int64_t account, const char *hash, const char *revoked_at,
		    const char *expires_at)
{
	execute("INSERT INTO api_keys (account_id, key_hash, label, revoked_at, expires_at, "
		"created_at) VALUES (%ld, UNHEX(RPAD('%s', 64, '0')), '', %s, %s, NOW())",
		(long)account, hash, revoked_at, expires_at);
}

static void a_page_that_is_not_public_has_its_withdrawn_links(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = add_page(account, "p");
	execute("UPDATE status_pages SET privacy = 1");
	assert_null(read_page(id).view.page.withdrawn_links);
	add_link(id, "'valid', '2027-01-01', NULL");
	add_link(id, "'expired', '2026-01-01', '2026-01-01'");
	long first = add_link(id, "'withdrawn', '2027-01-01', NOW()"),
	     second = add_link(id, "'withdrawn', '2027-01-01', NOW()");
	add_link(add_page(account, "q"), "'other', '2027-01-01', NOW()");
	assert_string_equal(read_page(id).view.page.withdrawn_links,
			    arena_printf(&arena, "%ld,%ld", first, second));
}

static void a_page_that_is_not_public_has_the_marks_of_keys(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = add_page(account, "p");
	add_key(account, "FF0A", "NULL", "NULL");
	add_key(account, "0A1B", "NULL", "'2027-01-01'");
	add_key(account, "0A1C", "NULL", "NULL");
	add_key(account, "B00", "NOW()", "NULL");
	add_key(account, "C00", "NULL", "'2026-01-01'");
	add_key(add_account("two"), "D00", "NULL", "NULL");
	assert_null(read_page(id).view.page.key_marks);
	execute("UPDATE status_pages SET privacy = 2");
	assert_string_equal(read_page(id).view.page.key_marks, "0a1ff0");
	execute("UPDATE api_keys SET revoked_at = NOW()");
	assert_string_equal(read_page(id).view.page.key_marks, "");
}

static void a_page_that_is_deleted_is_not_found(void **state)
{
	(void)state;
	int64_t page = add_page(add_account("one"), "p");
	uint64_t before = db_queries(db);
	struct page_content content = read_page(page + 1000);
	assert_true(content.is_row_read && !content.is_found);
	/* START, the page, and ROLLBACK. */
	assert_int_equal(db_queries(db) - before, 3);
}

static void monitors_come_in_the_order_of_the_page(void **state)
{
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p");
	int64_t web = add_monitor(account, "web"), mail = add_monitor(account, "mail"),
		gone = add_monitor(account, "gone");
	show_monitor(page, mail, 1);
	show_monitor(page, web, 2);
	show_monitor(page, gone, 3);
	show_monitor(add_page(account, "q"), add_monitor(account, "unshown"), 1);
	execute("UPDATE monitors SET description = 'It sends', known_since = '2026-01-05 "
		"00:00:00', "
		"retired_at = IF(name = 'gone', NOW(), NULL)");
	struct page_snapshot view = read_page(page).view;
	assert_int_equal(view.monitor_ids.count, 3);
	assert_int_equal(view.monitor_count, 2);
	assert_int_equal(view.monitors[0].id, mail);
	assert_string_equal(view.monitors[0].name, "mail");
	assert_string_equal(view.monitors[0].description, "It sends");
	assert_int_equal(view.monitors[0].position, 1);
	assert_int_equal(view.monitors[0].created_at.s,
			 select_number("SELECT UNIX_TIMESTAMP('2026-01-02')"));
	assert_int_equal(view.monitors[0].updated_at.s,
			 select_number("SELECT UNIX_TIMESTAMP('2026-01-03')"));
	assert_int_equal(view.monitors[0].known_since.s,
			 select_number("SELECT UNIX_TIMESTAMP('2026-01-05')"));
	assert_int_equal(view.monitors[1].id, web);
	/* A lower position of the monitor itself comes first. */
	execute("UPDATE monitors SET position = 1 WHERE name = 'mail'");
	view = read_page(page).view;
	assert_int_equal(view.monitors[0].id, web);
	assert_int_equal(view.monitors[1].id, mail);
}

static void incidents_are_recent_for_two_weeks(void **state)
{
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p"),
		web = add_monitor(account, "web"), unshown = add_monitor(account, "unshown");
	struct instant first = { at(20, 0).s - (PAGE_RECENT_DAYS - 1) * DAY_S };
	show_monitor(page, web, 1);
	add_incident(web, "edge", at(1, 0), first);
	add_incident(web, "past", at(2, 0), (struct instant){ first.s - 1 });
	add_incident(web, "open", at(19, 0), (struct instant){ 0 });
	add_incident(unshown, "unshown", at(19, 0), at(19, 1));
	struct page_snapshot view = read_page(page).view;
	assert_string_equal(causes(view.incidents, view.incident_count), "open edge");
	assert_string_equal(causes(view.newest, view.newest_count), "open past edge");
	assert_int_equal(view.outage_count, 3);
	for (size_t i = 0; i < view.outage_count; i++)
		if (view.outages[i].interval.to.s == 0)
			assert_string_equal(view.outages[i].title, "Title of open");
	execute("UPDATE incidents SET title = NULL WHERE cause = 'edge'");
	assert_null(read_page(page).view.outages[0].title);
	execute("UPDATE incidents SET title = 'Title of edge' WHERE cause = 'edge'");
	assert_ptr_equal(view.monitors[0].open, &view.incidents[0]);
	for (int i = 0; i < 2; i++) {
		const struct page_incident *edge = i == 0 ? &view.incidents[1] : &view.newest[2];
		assert_int_equal(edge->row.id,
				 select_number("SELECT id FROM incidents WHERE cause = 'edge'"));
		assert_int_equal(edge->row.monitor_id, web);
		assert_string_equal(edge->row.monitor_name, "web");
		assert_string_equal(edge->row.title, "Title of edge");
		assert_string_equal(edge->row.comment, "Comment on edge");
		assert_int_equal(edge->row.started_at.s, at(1, 0).s);
		assert_int_equal(edge->row.acknowledged_at.s, at(6, 6).s);
		assert_int_equal(edge->row.ended_at.s, first.s);
		assert_int_equal(edge->row.updated_at.s, at(7, 7).s);
	}
}

static void the_texts_of_a_day_and_the_newest_are_bounded(void **state)
{
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p"),
		web = add_monitor(account, "web");
	show_monitor(page, web, 1);
	for (int i = 0; i < PAGE_NEWEST_MAX + 1; i++) {
		struct instant start = { at(18, 0).s + 600 * i };
		add_incident(web, arena_printf(&arena, "c%d", i), start,
			     (struct instant){ start.s + 60 });
	}
	struct page_snapshot view = read_page(page).view;
	assert_int_equal(view.incident_count, PAGE_NEWEST_MAX + 1);
	assert_int_equal(view.newest_count, PAGE_NEWEST_MAX);
	assert_string_equal(view.newest[0].row.cause, "c25");
	assert_string_equal(view.newest[PAGE_NEWEST_MAX - 1].row.cause, "c1");
	for (size_t i = 0; i < view.incident_count; i++) {
		bool has_text = i < PAGE_DAY_INCIDENTS_MAX;
		assert_int_equal(view.incidents[i].row.cause[0] != '\0', has_text);
		assert_int_equal(view.incidents[i].row.title != NULL, has_text);
	}
}

/* Those inside of a reported one take no place of a day from those that the page lists. */
static void the_texts_of_a_day_are_of_what_it_lists(void **state)
{
	(void)state;
	enum { INSIDE = PAGE_DAY_INCIDENTS_MAX + 2 };
	struct shown_page shown = add_shown_page();
	add_incident(shown.mail, "listed", at(18, 0), at(18, 1));
	int64_t reported = add_incident(shown.unshown, "reported", at(18, 1), at(18, 9));
	execute("UPDATE incidents SET monitor_id = NULL WHERE id = %lld", (long long)reported);
	execute("INSERT INTO incident_monitors (incident_id, position, account_id, monitor_id, "
		"impact, lesser_impact, has_outage, started_at, ended_at) SELECT id, 0, "
		"account_id, %lld, 3, 0, 0, started_at, ended_at FROM incidents WHERE id = %lld",
		(long long)shown.web, (long long)reported);
	for (int i = 0; i < INSIDE; i++) {
		struct instant start = { at(18, 2).s + 600 * i };
		add_incident(shown.web, "inside", start, (struct instant){ start.s + 60 });
	}
	struct page_snapshot view = read_page(shown.page).view;
	assert_int_equal(view.incident_count, INSIDE + 2);
	for (size_t i = 0; i < view.incident_count; i++) {
		const struct page_incident *row = &view.incidents[i];
		bool has_texts = i < PAGE_DAY_INCIDENTS_MAX || i >= INSIDE;
		assert_int_equal(row->inside != NULL, i < INSIDE);
		assert_int_equal(row->row.title != NULL, has_texts);
		assert_int_equal(row->lacks_texts, !has_texts);
	}
	assert_string_equal(view.incidents[INSIDE + 1].row.title, "Title of listed");
}

static void the_newest_may_be_older_than_the_bars(void **state)
{
	(void)state;
	int64_t account = add_account("one"), web = add_monitor(account, "web");
	int64_t page = add_page(account, "p");
	show_monitor(page, web, 1);
	for (int i = 0; i < PAGE_NEWEST_MAX + 1; i++) {
		struct instant start = { at(1, 0).s - 400 * 86400 + 600 * i };
		add_incident(web, arena_printf(&arena, "c%d", i), start,
			     (struct instant){ start.s + 60 });
	}
	struct page_snapshot view = read_page(page).view;
	assert_int_equal(view.newest_count, PAGE_NEWEST_MAX);
	assert_string_equal(view.newest[0].row.cause, "c25");
	assert_string_equal(view.newest[PAGE_NEWEST_MAX - 1].row.cause, "c1");
}

/* The statements that the page takes. */
static uint64_t check_newest(int64_t page, const char *first, const char *last)
{
	uint64_t before = db_queries(db);
	struct page_snapshot view = read_page(page).view;
	assert_int_equal(view.newest_count, PAGE_NEWEST_MAX);
	assert_string_equal(view.newest[0].row.cause, first);
	assert_string_equal(view.newest[PAGE_NEWEST_MAX - 1].row.cause, last);
	return db_queries(db) - before;
}

static void old_incidents_are_read_only_if_the_young_are_few(void **state)
{
	(void)state;
	enum { MONITORS = 6, OLD = 20 * MONITORS };
	int64_t monitors[MONITORS], account = add_account("one"), page = add_page(account, "p");
	for (int i = 0; i < MONITORS; i++) {
		monitors[i] = add_monitor(account, arena_printf(&arena, "m%d", i));
		show_monitor(page, monitors[i], i + 1);
	}
	for (int i = 0; i < OLD; i++) {
		struct instant start = { at(1, 0).s - 400 * 86400 + 600 * i };
		add_incident(monitors[i % MONITORS], arena_printf(&arena, "c%d", i), start,
			     (struct instant){ start.s + 60 });
	}
	/* Without counts the monitors are taken to have few incidents, and are read at once. */
	uint64_t at_once = check_newest(page, "c119", "c95");
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"SELECT monitor_id, status, account_id, COUNT(*) FROM incidents "
		"GROUP BY monitor_id, status, account_id");
	assert_int_equal(at_once + 1, check_newest(page, "c119", "c95"));
	for (int i = OLD; i < OLD + PAGE_NEWEST_MAX; i++) {
		struct instant start = { at(1, 0).s + 600 * i };
		add_incident(monitors[i % MONITORS], arena_printf(&arena, "c%d", i), start,
			     (struct instant){ start.s + 60 });
	}
	assert_int_equal(at_once, check_newest(page, "c144", "c120"));
	/* A monitor with many incidents is read from its newest end. */
	execute("UPDATE incident_counts SET total = 2000 WHERE monitor_id = %lld",
		(long long)monitors[0]);
	assert_int_equal(at_once, check_newest(page, "c144", "c120"));
	execute("DELETE FROM incidents WHERE cause = 'c144' OR cause = 'c120'");
	assert_int_equal(at_once + 1, check_newest(page, "c143", "c118"));
}

static void months_are_counted_over_the_monitors_of_the_page(void **state)
{
	(void)state;
	struct shown_page shown = add_shown_page();
	execute("INSERT INTO incident_months (monitor_id, month, revision) VALUES "
		"(%1$ld, '2026-01-01', 2), (%1$ld, '2026-03-01', 3), (%2$ld, '2026-03-01', 4), "
		"(%3$ld, '2026-03-01', 9), (%3$ld, '2026-02-01', 9)",
		(long)shown.web, (long)shown.mail, (long)shown.unshown);
	struct page_snapshot view = read_page(shown.page).view;
	assert_int_equal(view.month_count, 2);
	assert_string_equal(view.months[0].name, "2026-03");
	assert_int_equal(view.months[0].start.s, at(1, 0).s);
	assert_int_equal(view.months[0].revision, 7);
	assert_string_equal(view.months[1].name, "2026-01");
	assert_int_equal(view.months[1].revision, 2);
}

static void add_gap(int64_t monitor, const char *from, const char *to)
{
	execute("INSERT INTO monitor_gaps (monitor_id, started_at, ended_at, ends_at) "
		"VALUES (%ld, '%s', %s, COALESCE(%s, '9999-12-31'))",
		(long)monitor, from, to, to);
}

static void gaps_are_those_of_the_days_and_cost_one_statement(void **state)
{
	(void)state;
	struct shown_page shown = add_shown_page();
	execute("UPDATE monitors SET known_since = '2025-01-01'");
	/* The first day of the bars is 2025-12-21. */
	add_gap(shown.web, "2025-12-20 00:00:00", "'2025-12-20 23:59:59'");
	uint64_t before = db_queries(db);
	struct page_snapshot view = read_page(shown.page).view;
	uint64_t cost = db_queries(db) - before;
	assert_int_equal(view.gap_count, 0);
	add_gap(shown.web, "2025-12-20 00:00:01", "'2025-12-21 01:00:00'");
	add_gap(shown.mail, "2026-03-20 04:00:00", "NULL");
	add_gap(shown.mail, "2026-03-19 00:00:00", "'2026-03-20 00:00:00'");
	add_gap(shown.unshown, "2026-03-20 04:00:00", "NULL");
	before = db_queries(db);
	view = read_page(shown.page).view;
	assert_int_equal(db_queries(db) - before, cost + 1);
	assert_int_equal(view.gap_count, 3);
	const struct page_monitor *web = &view.monitors[0], *mail = &view.monitors[1];
	assert_int_equal(web->days[0].unobserved_s, 3600);
	assert_int_equal(page_monitor_state(web), SYSTEM_OPERATIONAL);
	assert_int_equal(mail->days[UPTIME_DAYS - 2].unobserved_s, DAY_S);
	assert_int_equal(mail->days[UPTIME_DAYS - 1].unobserved_s, 6 * 3600);
	assert_int_equal(mail->unobserved_since.s, at(20, 4).s);
	assert_int_equal(page_monitor_state(mail), SYSTEM_NO_DATA);
	/* Each page of a set has the gaps of its own monitors. */
	int64_t other = add_page(shown.account, "other");
	show_monitor(other, shown.web, 1);
	const int64_t ids[] = { other, shown.page };
	const struct page_content_query query = { ids, 2, at(20, 10), 0 };
	struct page_content_list list;
	assert_ok(page_content_read(db, &query, &arena, &list, &error));
	assert_int_equal(list.rows[0].view.gap_count, 1);
	assert_int_equal(list.rows[1].view.gap_count, 3);
}

static void add_hour(int64_t monitor, const char *hour, int failures)
{
	execute("INSERT INTO monitor_hours (monitor_id, hour, checks, failures, response_sum_ms, "
		"response_min_ms, response_max_ms) VALUES (%ld, '%s', 60, %d, 6000, 70, 130)",
		(long)monitor, hour, failures);
}

static void response_times_are_those_of_the_last_whole_hours(void **state)
{
	(void)state;
	struct shown_page shown = add_shown_page();
	add_hour(shown.web, "2026-03-19 08:00:00", 0);
	add_hour(shown.web, "2026-03-19 09:00:00", 0);
	add_hour(shown.web, "2026-03-20 08:00:00", 20);
	/* It ended this second: the checker may not have stored all of it. */
	add_hour(shown.web, "2026-03-20 09:00:00", 0);
	add_hour(shown.mail, "2026-03-20 08:00:00", 60);
	add_hour(shown.unshown, "2026-03-20 08:00:00", 0);
	uint64_t before = db_queries(db);
	struct page_snapshot view = read_page(shown.page).view;
	uint64_t cost = db_queries(db) - before;
	assert_false(view.has_response_times);
	assert_int_equal(view.response_time_count, 0);
	execute("UPDATE status_pages SET show_response_times = 1");
	before = db_queries(db);
	view = read_page(shown.page).view;
	assert_int_equal(db_queries(db) - before, cost + 1);
	assert_int_equal(view.response_time_count, 3);
	const struct response_time *first = &view.response_times[0],
				   *last = &view.response_times[1], *mail = last + 1;
	assert_int_equal(first->monitor_id, shown.web);
	assert_int_equal(first->at.s, at(19, 9).s);
	assert_int_equal(last->at.s, at(20, 8).s);
	assert_int_equal(last->checks, 60);
	assert_int_equal(last->failures, 20);
	assert_int_equal(last->average_ms, 150);
	assert_int_equal(last->min_ms, 70);
	assert_int_equal(last->max_ms, 130);
	assert_int_equal(mail->monitor_id, shown.mail);
	assert_int_equal(mail->average_ms, 0);
	/* A page beside it, which shows none, costs nothing and shows none. */
	int64_t other = add_page(shown.account, "other");
	show_monitor(other, shown.unshown, 1);
	const int64_t ids[] = { other, shown.page };
	const struct page_content_query query = { ids, 2, at(20, 10), 0 };
	struct page_content_list list;
	assert_ok(page_content_read(db, &query, &arena, &list, &error));
	assert_false(list.rows[0].view.has_response_times);
	assert_int_equal(list.rows[1].view.response_time_count, 3);
}

/* The days of a page begin at midnight of its zone, alone and in a set with pages of other zones.
 */
static void assert_same_day(const struct uptime_day *a, const struct uptime_day *b)
{
	assert_int_equal(a->length_s, b->length_s);
	assert_int_equal(a->known_s, b->known_s);
	assert_int_equal(a->down_s, b->down_s);
	assert_int_equal(a->degraded_s, b->degraded_s);
	assert_int_equal(a->excluded_s, b->excluded_s);
	assert_int_equal(a->worst, b->worst);
	assert_int_equal(a->is_known, b->is_known);
	assert_int_equal(a->has_outage, b->has_outage);
	assert_int_equal(a->is_excluded, b->is_excluded);
	assert_int_equal(a->unobserved_s, b->unobserved_s);
}

static void pages_of_several_zones_are_read_together(void **state)
{
	static const char *const zones[] = { "Pacific/Kiritimati", "UTC", "Etc/GMT+12",
					     "America/New_York" };
	enum { ZONES = 4 };
	int64_t pages[ZONES], account = add_account("one"), web = add_monitor(account, "web");
	(void)state;
	for (int i = 0; i < ZONES; i++) {
		pages[i] = add_page(account,
				    zones[i][0] == 'U' ? "u" : arena_printf(&arena, "p%d", i));
		show_monitor(pages[i], web, 1);
		execute("UPDATE status_pages SET time_zone = '%s' WHERE id = %ld", zones[i],
			(long)pages[i]);
	}
	/* An incident each half hour, from before the first day of the first page to behind that
	 * of the last; and the same around the first day of their logs. */
	for (int i = -60; i < 60; i++)
		for (int part = 0; part < 2; part++) {
			int days = part == 0 ? UPTIME_DAYS - 1 : PAGE_RECENT_DAYS - 1;
			struct instant end = { at(20, 0).s - days * DAY_S + 1800 * i };
			add_incident(web, "c", (struct instant){ end.s - 60 }, end);
		}
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"VALUES (%ld, 2, %ld, 240)",
		(long)web, (long)account);
	struct page_content_list list = { 0 };
	const struct page_content_query query = { pages, ZONES, at(20, 10) };
	assert_ok(page_content_read(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, ZONES);
	for (int i = 0; i < ZONES; i++) {
		struct page_snapshot alone = read_page(pages[i]).view, *among = &list.rows[i].view;
		const struct zone *zone = zone_find(zones[i]);
		long first = zone_day_start(zone, at(20, 10), 1 - UPTIME_DAYS).s;
		long recent = zone_day_start(zone, at(20, 10), 1 - PAGE_RECENT_DAYS).s;
		assert_int_equal(alone.calendar.starts[0].s, first);
		assert_int_equal(alone.outage_count,
				 select_number("SELECT COUNT(*) FROM incidents "
					       "WHERE ended_at >= FROM_UNIXTIME(%ld)",
					       first));
		assert_int_equal(alone.incident_count,
				 select_number("SELECT COUNT(*) FROM incidents "
					       "WHERE ended_at >= FROM_UNIXTIME(%ld)",
					       recent));
		assert_int_equal(among->outage_count, alone.outage_count);
		assert_int_equal(among->incident_count, alone.incident_count);
		assert_int_equal(among->newest_count, alone.newest_count);
		for (int day = 0; day < UPTIME_DAYS; day++)
			assert_same_day(&among->monitors[0].days[day],
					&alone.monitors[0].days[day]);
	}
}

/* The texts of a day's first incidents: the days are those of the page. */
static void texts_are_read_for_the_days_of_the_zone(void **state)
{
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p"),
		web = add_monitor(account, "web");
	show_monitor(page, web, 1);
	/* Eight on each side of midnight in Kathmandu, 18:15 UTC: ten of one day in UTC. */
	for (int i = 0; i < 16; i++) {
		struct instant start = { at(12, 18).s + 900 + 60 * (i - 8) };
		add_incident(web, "c", start, (struct instant){ start.s + 30 });
	}
	for (int round = 0; round < 2; round++) {
		size_t texts = 0;
		struct page_snapshot view = read_page(page).view;
		for (size_t i = 0; i < view.incident_count; i++)
			texts += view.incidents[i].row.title != NULL;
		assert_int_equal(view.incident_count, 16);
		assert_int_equal(texts, round == 0 ? PAGE_DAY_INCIDENTS_MAX : 16);
		execute("UPDATE status_pages SET time_zone = 'Asia/Kathmandu'");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_page_is_read_whole),
		DATABASE_TEST(a_page_that_is_not_public_has_its_withdrawn_links),
		DATABASE_TEST(a_page_that_is_not_public_has_the_marks_of_keys),
		DATABASE_TEST(a_page_that_is_deleted_is_not_found),
		DATABASE_TEST(monitors_come_in_the_order_of_the_page),
		DATABASE_TEST(incidents_are_recent_for_two_weeks),
		DATABASE_TEST(the_texts_of_a_day_and_the_newest_are_bounded),
		DATABASE_TEST(the_texts_of_a_day_are_of_what_it_lists),
		DATABASE_TEST(the_newest_may_be_older_than_the_bars),
		DATABASE_TEST(old_incidents_are_read_only_if_the_young_are_few),
		DATABASE_TEST(months_are_counted_over_the_monitors_of_the_page),
		DATABASE_TEST(gaps_are_those_of_the_days_and_cost_one_statement),
		DATABASE_TEST(response_times_are_those_of_the_last_whole_hours),
		DATABASE_TEST(pages_of_several_zones_are_read_together),
		DATABASE_TEST(texts_are_read_for_the_days_of_the_zone),
	};
	return RUN_ON_DATABASE(tests);
}
