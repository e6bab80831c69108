#include "integration/lib/pages.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metrics.h"
#include "publish/deleted.h"
#include "publish/due.h"
#include "publish/folder/gone.h"
#include "publish/publish.h"
#include "publish/recheck.h"

/* A public page "p" of two monitors, one of which has a title and a cause of an open incident. */
static int64_t page_with_rows(void)
{
	int64_t account = add_account("one"), page = add_page(account, "p");
	int64_t web = add_monitor(account, "web"), mail = add_monitor(account, "mail"),
		other = add_monitor(account, "unshown");
	show_monitor(page, mail, 1);
	show_monitor(page, web, 2);
	execute("UPDATE monitors SET known_since = '2026-01-01 00:00:00'");
	execute("INSERT INTO incidents (account_id, monitor_id, title, cause, comment, started_at, "
		"created_at, updated_at) VALUES "
		"(%1$ld, %2$ld, 'Public title', 'Inner cause', 'A comment', '2026-03-05 08:00:00', "
		"'2026-03-05 08:00:00', '2026-03-05 08:00:00'), "
		"(%1$ld, %3$ld, 'Not shown here', 'c', NULL, '2026-03-05 08:00:00', "
		"'2026-03-05 08:00:00', '2026-03-05 08:00:00')",
		(long)account, (long)web, (long)other);
	execute("UPDATE status_pages SET name = 'Our page', meta_title = 'The meta title', "
		"meta_description = 'The meta description', website_url = 'https://site.test/', "
		"contact_url = 'https://contact.test/'");
	execute("UPDATE page_revisions SET revision = 3, "
		"unpublished_since = '2026-03-05 09:00:00'");
	return page;
}

static void a_page_has_what_its_rows_say(void **state)
{
	(void)state;
	int64_t page = page_with_rows();
	publish(page);
	const char *html = "public/s/p/index.html";
	assert_shows(html, "The meta title</title>");
	assert_shows(html, "content=\"The meta description\"");
	assert_shows(html, "Our page");
	assert_shows(html, "https://site.test/");
	assert_shows(html, "https://contact.test/");
	assert_shows(html, "Public title");
	assert_shows(html, "A comment");
	assert_hides(html, "Inner cause");
	assert_hides(html, "Not shown here");
	assert_hides(html, "noindex");
	const char *shown = text_of("public/s/p/summary.json");
	assert_true(strstr(shown, "\"name\":\"mail\"") < strstr(shown, "\"name\":\"web\""));
	assert_non_null(strstr(shown, "\"name\":\"mail\""));
	assert_shows("public/s/p/summary.json", "\"major_outage\"");
	assert_shows("public/s/p/summary.json", "https://status.test/s/p/");
	assert_shows("public/s/p/feed.atom", "Public title");
	assert_true(is_published("public/s/p/badge.svg"));
	assert_rows("3|-|1", "SELECT revision, unpublished_since, "
			     "next_change_at > '2026-03-05 10:00:00' FROM page_revisions");
}

static void causes_are_shown_where_the_page_says_so(void **state)
{
	(void)state;
	int64_t page = page_with_rows();
	execute("UPDATE status_pages SET show_causes = 1, noindex = 1");
	execute("UPDATE incidents SET title = NULL");
	publish(page);
	assert_shows("noindex/s/p/index.html", "Inner cause");
	assert_shows("noindex/s/p/index.html", "noindex");
	assert_false(is_published("public/s/p"));
}

static void change_page(const char *sets)
{
	execute("UPDATE status_pages SET %s", sets);
	execute("UPDATE page_revisions SET revision = revision + 1");
}

static void a_page_goes_where_its_privacy_says(void **state)
{
	(void)state;
	int64_t page = page_with_rows();
	execute("UPDATE status_pages SET domain = 'page.test', domain_proven_at = NOW()");
	publish(page);
	assert_true(is_published("public/s/p/index.html") &&
		    is_published("public/d/page.test/index.html"));
	assert_true(is_published("host/page.test"));
	change_page("privacy = 1");
	publish(page);
	assert_true(is_published("private/p/index.html"));
	assert_false(is_published("public/s/p") || is_published("public/d/page.test"));
	change_page("privacy = 0, slug = 'q', domain = NULL");
	publish(page);
	assert_true(is_published("public/s/q/index.html"));
	assert_false(is_published("private/p") || is_published("public/s/p") ||
		     is_published("host/page.test"));
	execute("DELETE FROM status_pages");
	publish(page);
	assert_false(is_published("public/s/q"));
	assert_false(is_published(arena_printf(&arena, "state/%ld", (long)page)));
}

static void files_of_a_page_are_its_own(void **state)
{
	(void)state;
	int64_t page = page_with_rows();
	int64_t other = add_page(select_number("SELECT MIN(id) FROM accounts"), "other");
	execute("INSERT INTO status_page_files (status_page_id, kind, name, bytes) VALUES "
		"(%1$ld, 'logo', 'logo-1.png', 'LOGO'), (%1$ld, 'favicon', 'favicon-2.ico', "
		"'ICON'), "
		"(%2$ld, 'logo', 'logo-3.png', 'OTHER')",
		(long)page, (long)other);
	execute("UPDATE status_pages SET logo_file = 'logo-1.png', favicon_file = 'favicon-2.ico', "
		"custom_css = 'b{color:red}', custom_js = 'run()' WHERE id = %ld",
		(long)page);
	publish(page);
	assert_string_equal(text_of("public/s/p/logo-1.png"), "LOGO");
	assert_string_equal(text_of("public/s/p/favicon-2.ico"), "ICON");
	assert_shows("public/s/p/index.html", "logo-1.png");
	assert_shows("public/s/p/index.html", "favicon-2.ico");
	assert_hides("public/s/p/index.html", "color:red");
	assert_false(is_published("public/s/p/logo-3.png") || is_published("public/s/other"));
	change_page("logo_file = NULL");
	publish(page);
	assert_false(is_published("public/s/p/logo-1.png"));
}

static void months_behind_the_page_have_files_of_their_own(void **state)
{
	(void)state;
	int64_t page = page_with_rows(), monitor = select_number("SELECT MIN(id) FROM monitors");
	execute("INSERT INTO incidents (account_id, monitor_id, title, cause, started_at, "
		"ended_at, "
		"created_at, updated_at) SELECT account_id, id, 'Long ago', 'c', "
		"'2025-11-30 23:30:00', '2025-12-01 00:30:00', NOW(), NOW() FROM monitors "
		"WHERE id = %ld",
		(long)monitor);
	execute("INSERT INTO incident_months (monitor_id, month, revision) VALUES "
		"(%1$ld, '2025-11-01', 1), (%1$ld, '2026-03-01', 1)",
		(long)monitor);
	publish(page);
	assert_shows("public/s/p/2025-11.html", "Long ago");
	assert_shows("public/s/p/2026-03.html", "Public title");
	assert_hides("public/s/p/2026-03.html", "Long ago");
	assert_hides("public/s/p/index.html", "Long ago");
}

static bool goes_on(void *context)
{
	(void)context;
	return true;
}

static void a_run_publishes_what_is_due_and_its_bound_holds(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	for (int i = 0; i < 3; i++)
		add_page(account, arena_printf(&arena, "p%d", i));
	execute("UPDATE page_revisions SET unpublished_since = '2026-03-05 09:00:00', "
		"next_change_at = '2026-03-06 00:00:00'");
	struct publisher all = publisher();
	struct publish_allowance allowance = { 2, clock_ms() + 60000 };
	struct publish_run run = { .allowance = &allowance };
	assert_ok(publish_run(&all, &run, &error));
	assert_int_equal(run.published, 2);
	assert_true(run.is_cut);
	assert_true(is_published("public/s/p0") && is_published("public/s/p1") &&
		    !is_published("public/s/p2"));
	assert_rows("1", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
	/* The time is a bound, too. */
	allowance = (struct publish_allowance){ 2, clock_ms() - 1 };
	run = (struct publish_run){ .allowance = &allowance };
	assert_ok(publish_run(&all, &run, &error));
	assert_int_equal(run.published, 0);
	assert_true(run.is_cut);
	run = (struct publish_run){ 0 };
	assert_ok(publish_run(&all, &run, &error));
	assert_int_equal(run.published, 1);
	assert_int_equal(run.failed, 0);
	assert_false(run.is_cut);
	run = (struct publish_run){ .is_all = true };
	assert_ok(publish_run(&all, &run, &error));
	assert_int_equal(run.published, 3);
}

static const char *told = "";

static void tell(void *context, const char *slug, const struct error *failure)
{
	(void)context;
	told = arena_printf(&arena, "%s%s%s ", told, slug, failure ? " fails" : " works");
}

static void rounds_publish_what_is_due_and_try_failures_again(void **state)
{
	bool is_more = false;
	(void)state;
	int64_t account = add_account("one");
	add_page(account, "a");
	add_page(account, "b");
	add_page(account, "settling");
	execute("UPDATE " PAGES_AND_REVISIONS " SET r.next_change_at = '2026-03-06 00:00:00', "
		"r.unpublished_since = IF(p.slug = 'settling', '2026-03-05 09:59:59', "
		"'2026-03-05 09:00:00')");
	struct pages_dir dir;
	assert_ok(pages_dir_open(&dir, pages_folder, &error));
	pages_dir_close(&dir);
	const char *blocked = path_of("public/s/a");
	int file = open(blocked, O_CREAT | O_WRONLY, 0644);
	assert_true(file >= 0);
	close(file);
	struct due due = { .publisher = publisher(), .goes_on = goes_on, .tell = tell };
	told = "";
	struct instant settled = { at(5, 10).s - 2 };
	assert_ok(due_round(&due, at(5, 10), settled, &is_more, &error));
	assert_true(is_published("public/s/b/index.html"));
	assert_false(is_published("public/s/settling"));
	/* A failure is told once, and is tried again after a while. */
	assert_ok(
		due_round(&due, (struct instant){ at(5, 10).s + 3600 }, settled, &is_more, &error));
	assert_string_equal(told, "a fails ");
	assert_int_equal(unlink(blocked), 0);
	for (int i = 0; i < 600 && strcmp(told, "a fails ") == 0; i++) {
		assert_ok(due_round(&due, at(5, 20), (struct instant){ 0 }, &is_more, &error));
		usleep(50000);
	}
	assert_string_equal(told, "a fails a works ");
	assert_true(is_published("public/s/a/index.html") &&
		    is_published("public/s/settling/index.html"));
	assert_rows("0", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
	due_done(&due);
}

static void a_sweep_removes_folders_of_no_page_and_no_others(void **state)
{
	(void)state;
	publish(page_with_rows());
	static const char *const strays[] = { "public/s/stray",	 "public/d/stray.test",
					      "noindex/s/stray", "private/stray",
					      "state/999999999", "public/s/stray2" };
	for (size_t i = 0; i < ARRAY_LEN(strays); i++)
		assert_int_equal(mkdir(path_of(strays[i]), 0755), 0);
	struct publisher all = publisher();
	struct publish_run run = { .is_sweeping = true, .goes_on = goes_on };
	assert_ok(publish_run(&all, &run, &error));
	assert_int_equal(run.removed, ARRAY_LEN(strays));
	for (size_t i = 0; i < ARRAY_LEN(strays); i++)
		assert_false(is_published(strays[i]));
	assert_true(is_published("public/s/p/index.html"));
	assert_shows("public/s/p/index.html", "Public title");
}

/* As after the death of the request that deleted them. */
static void what_is_left_of_deleted_pages_goes_at_once(void **state)
{
	(void)state;
	int64_t account = add_account("one"), gone = add_page(account, "gone"),
		ahead = add_page(account, "ahead"), fresh = add_page(account, "fresh"),
		kept = add_page(account, "kept");
	struct publisher all = publisher();
	publish(gone);
	publish(ahead);
	publish(fresh);
	publish(kept);
	execute("DELETE FROM status_pages WHERE id <> %ld", (long)kept);
	execute("UPDATE page_revisions SET deleted_at = UTC_TIMESTAMP() - INTERVAL 3 SECOND "
		"WHERE page_id = %ld",
		(long)gone);
	/* The clock has been set back since. */
	execute("UPDATE page_revisions SET deleted_at = UTC_TIMESTAMP() + INTERVAL 2 HOUR "
		"WHERE page_id = %ld",
		(long)ahead);
	execute("UPDATE page_revisions SET deleted_at = UTC_TIMESTAMP() + INTERVAL 1 SECOND "
		"WHERE page_id = %ld",
		(long)fresh);
	assert_ok(publish_deleted(&all, &error));
	assert_false(is_published("public/s/gone"));
	assert_false(is_published(arena_printf(&arena, "state/%ld", (long)gone)));
	assert_false(is_published("public/s/ahead"));
	/* Its own request is removing it. */
	assert_true(is_published("public/s/fresh/index.html"));
	assert_true(is_published("public/s/kept/index.html"));
}

/* Makes a page, and keeps it locked as its publisher would. */
static void keep_page_locked(struct pages_dir *dir, struct pages_lock *lock)
{
	int64_t page = page_with_rows();
	publish(page);
	assert_ok(pages_dir_open(dir, pages_folder, &error));
	assert_ok(pages_dir_lock_page(dir, page, lock, &error));
}

static void a_sweep_leaves_what_publishers_have_locked_to_the_next_one(void **state)
{
	(void)state;
	static const char *const strays[] = { "public/s/stray", "former/stray", "new/stray" };
	struct pages_dir dir;
	struct pages_lock lock;
	struct publisher all = publisher();
	keep_page_locked(&dir, &lock);
	for (size_t i = 0; i < ARRAY_LEN(strays); i++) {
		struct publish_run run = { .patience_ms = 1 };
		const char *path = path_of(strays[i]);
		bool is_file = strcmp(strays[i], "new/stray") == 0;
		assert_int_equal(is_file ? mknod(path, S_IFREG | 0600, 0) : mkdir(path, 0755), 0);
		assert_ok(publish_sweep(&all, &run, &error));
		assert_true(run.is_crowded && run.is_cut);
		assert_true(is_published(strays[i]));
		pages_dir_unlock(&lock);
		run = (struct publish_run){ .patience_ms = 1 };
		assert_ok(publish_sweep(&all, &run, &error));
		assert_false(run.is_crowded || run.is_cut);
		assert_false(is_published(strays[i]));
		assert_ok(pages_dir_lock_page(&dir, 1, &lock, &error));
	}
	pages_dir_unlock(&lock);
	pages_dir_close(&dir);
}

static void a_deletion_leaves_what_publishers_have_locked_to_the_next_one(void **state)
{
	(void)state;
	struct pages_dir dir;
	struct pages_lock lock;
	struct publisher all = publisher();
	keep_page_locked(&dir, &lock);
	execute("DELETE FROM status_pages");
	execute("UPDATE page_revisions SET deleted_at = UTC_TIMESTAMP() - INTERVAL 3 SECOND");
	all.until_ms = clock_ms() + 1;
	assert_ok(publish_deleted(&all, &error));
	assert_true(is_published("public/s/p/index.html"));
	pages_dir_unlock(&lock);
	all.until_ms = clock_ms() + 60000;
	assert_ok(publish_deleted(&all, &error));
	assert_false(is_published("public/s/p"));
	pages_dir_close(&dir);
}

static size_t count_new_files(void)
{
	struct pages_dir dir;
	struct pages_names names = { 0 };
	assert_ok(pages_dir_open(&dir, pages_folder, &error));
	const struct pages_dir new = { .place_fds = { dir.new_fd } };
	assert_ok(pages_dir_folders(&new, PAGES_PUBLIC, &arena, &names, &error));
	pages_dir_close(&dir);
	return names.count;
}

/* As a page that takes longer than the request may. */
static void a_page_without_time_stays_as_it_was(void **state)
{
	(void)state;
	int64_t page = page_with_rows();
	struct publisher late = publisher();
	const struct publish_order order = { .page_id = page };
	publish(page);
	change_page("name = 'Renamed'");
	late.until_ms = 1;
	assert_result(E_TOO_SLOW, publish_page(&late, &order, &error));
	assert_shows("public/s/p/index.html", "Our page");
	assert_int_equal(count_new_files(), 0);
	/* Several pages at once. */
	struct publish_order orders[] = {
		order,
		{ .page_id = add_page(select_number("SELECT account_id FROM status_pages"), "q") }
	};
	struct publish_outcome outcomes[ARRAY_LEN(orders)];
	publish_group(&late, orders, ARRAY_LEN(orders), outcomes);
	for (size_t i = 0; i < ARRAY_LEN(orders); i++)
		assert_int_equal(outcomes[i].result, E_TOO_SLOW);
	assert_false(is_published("public/s/q/index.html"));
	publish(page);
	assert_shows("public/s/p/index.html", "Renamed");
	/* What must not be seen goes all the same. */
	change_page("privacy = 1");
	assert_result(E_TOO_SLOW, publish_page(&late, &order, &error));
	assert_false(is_published("public/s/p"));
	publish(page);
	assert_true(is_published("private/p/index.html"));
}

static bool is_known_gone(int64_t page)
{
	struct pages_dir dir;
	bool is_gone;
	assert_ok(pages_dir_open(&dir, pages_folder, &error));
	assert_ok(gone_has(&dir, page, &is_gone, &error));
	pages_dir_close(&dir);
	return is_gone;
}

/* However the publisher learns of it. Mirrors remove a page for this reason alone. */
static void a_page_that_the_database_does_not_have_is_noted_as_gone(void **state)
{
	(void)state;
	int64_t account = add_account("one"), requested = add_page(account, "requested"),
		swept = add_page(account, "swept"), followed = add_page(account, "followed"),
		left = add_page(account, "left"), kept = add_page(account, "kept");
	const int64_t all_pages[] = { requested, swept, followed, left, kept };
	struct publisher all = publisher(), follower = publisher();
	struct publish_run sweep = { .is_sweeping = true };
	for (size_t i = 0; i < ARRAY_LEN(all_pages); i++)
		publish(all_pages[i]);
	assert_int_equal(0, mkdir(path_of("mirror"), 0700));
	execute("DELETE FROM status_pages WHERE id = %ld", (long)requested);
	publish(requested);
	assert_true(is_known_gone(requested) && !is_known_gone(swept));
	execute("DELETE FROM status_pages WHERE id = %ld", (long)followed);
	follower.is_follower = true;
	assert_ok(publish_page(&follower, &(struct publish_order){ .page_id = followed }, &error));
	assert_true(is_known_gone(followed));
	execute("DELETE FROM status_pages WHERE id IN (%ld, %ld)", (long)swept, (long)left);
	/* Only a folder without a note is left of it. */
	assert_int_equal(0, remove(path_of(arena_printf(&arena, "state/%ld/page", (long)left))));
	assert_ok(publish_run(&all, &sweep, &error));
	assert_true(is_known_gone(swept) && is_known_gone(left));
	assert_false(is_known_gone(kept));
}

/* An empty database, or an older one, has no row of a page that it has not deleted. */
static void pages_that_the_database_has_lost_stay(void **state)
{
	(void)state;
	enum { PAGES = 6 };
	int64_t account = add_account("one"), ids[PAGES];
	struct publisher all = publisher();
	struct publish_run sweep = { 0 }, person = { .is_all = true };
	for (int i = 0; i < PAGES; i++) {
		ids[i] = add_page(account, arena_printf(&arena, "p%d", i));
		publish(ids[i]);
	}
	assert_int_equal(0, mkdir(arena_printf(&arena, "%s/mirror", pages_folder), 0700));
	/* A few go, but mirrors judge for themselves. */
	execute("DELETE FROM status_pages WHERE id = %ld", (long)ids[0]);
	execute("DELETE FROM page_revisions WHERE page_id = %ld", (long)ids[0]);
	assert_ok(publish_sweep(&all, &sweep, &error));
	assert_false(is_published("public/s/p0"));
	assert_false(is_known_gone(ids[0]));
	/* The database deletes a page, and has lost the others. */
	execute("DELETE FROM status_pages");
	execute("DELETE FROM page_revisions WHERE page_id <> %ld", (long)ids[1]);
	assert_result(E_FAILED, publish_sweep(&all, &sweep, &error));
	assert_int_equal(sweep.lost, PAGES - 2);
	for (int i = 1; i < PAGES; i++)
		assert_true(is_published(arena_printf(&arena, "public/s/p%d/index.html", i)));
	assert_ok(publish_sweep(&all, &person, &error));
	assert_false(is_published("public/s/p5"));
	assert_true(is_known_gone(ids[1]) && !is_known_gone(ids[5]));
	/* A database that was restored gives ids again. */
	execute("UPDATE page_revisions SET deleted_at = NULL");
	execute("INSERT INTO status_pages (id, account_id, name, slug, created_at, updated_at) "
		"SELECT %ld, %ld, 'x', 'only', NOW(), NOW()",
		(long)ids[1], (long)account);
	publish(ids[1]);
	assert_false(is_known_gone(ids[1]));
	/* One page, and all that there is. */
	execute("DELETE FROM status_pages");
	execute("DELETE FROM page_revisions");
	assert_result(E_FAILED, publish_sweep(&all, &sweep, &error));
	assert_true(is_published("public/s/only/index.html"));
}

/* The note is the sweep's reason to repeat the removal. */
static void a_deletion_that_cannot_be_noted_keeps_its_note(void **state)
{
	(void)state;
	int64_t page = page_with_rows();
	struct publisher all = publisher();
	publish(page);
	assert_int_equal(0, mkdir(path_of("mirror"), 0700));
	assert_int_equal(0, mkdir(path_of("gone"), 0700));
	execute("DELETE FROM status_pages WHERE id = %ld", (long)page);
	const struct publish_order order = { .page_id = page };
	assert_result(E_FAILED, publish_page(&all, &order, &error));
	assert_false(is_published("public/s/p/index.html"));
	assert_true(is_published(arena_printf(&arena, "state/%ld", (long)page)));
	assert_int_equal(0, rmdir(path_of("gone")));
	publish(page);
	assert_false(is_published(arena_printf(&arena, "state/%ld", (long)page)));
	assert_true(is_known_gone(page));
}

static bool one_page(void *context)
{
	int *left = context;
	return (*left)-- > 0;
}

static void lose_folder(void)
{
	assert_int_equal(
		0, system(arena_printf(&arena, "find '%s' -mindepth 1 -delete", pages_folder)));
}

static void a_folder_is_filled_whenever_it_was_lost(void **state)
{
	struct publisher all = publisher();
	static struct recheck recheck;
	int left = 1;
	bool is_more;
	(void)state;
	recheck = (struct recheck){ .run = { .goes_on = one_page, .context = &left } };
	int64_t account = add_account("one");
	add_page(account, "a");
	add_page(account, "b");
	assert_ok(recheck_some(&recheck, &all, &is_more, &error));
	assert_true(is_more && is_published("public/s/a/index.html") && !is_published("filled"));
	/* Lost in the middle of a round: what was published is gone. */
	lose_folder();
	left = 9;
	assert_ok(recheck_some(&recheck, &all, &is_more, &error));
	assert_true(!is_more && is_published("public/s/a/index.html") &&
		    is_published("public/s/b/index.html"));
	assert_true(is_published("filled"));
	/* A folder that is filled costs no statement. */
	uint64_t statements = db_queries(db);
	assert_ok(recheck_some(&recheck, &all, &is_more, &error));
	assert_int_equal(statements, db_queries(db));
	/* Its notes alone are lost. */
	assert_int_equal(0, system(arena_printf(&arena, "rm -r '%s/state'", pages_folder)));
	assert_ok(recheck_some(&recheck, &all, &is_more, &error));
	assert_true(is_published("filled") && is_published("state"));
	/* One page cannot be published: the others are there, and the mark names it. */
	lose_folder();
	struct pages_dir dir;
	assert_ok(pages_dir_open(&dir, pages_folder, &error));
	pages_dir_close(&dir);
	int file = open(path_of("public/s/a"), O_CREAT | O_WRONLY, 0644);
	assert_true(file >= 0);
	close(file);
	assert_result(E_FAILED, recheck_some(&recheck, &all, &is_more, &error));
	assert_true(is_published("public/s/b/index.html"));
	assert_shows("filled", "\n");
	recheck_done(&recheck);
}

static void a_page_that_fails_stops_no_other(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	add_page(account, "a");
	add_page(account, "b");
	execute("UPDATE page_revisions SET unpublished_since = '2026-03-05 09:00:00'");
	struct publisher all = publisher();
	struct pages_dir dir;
	assert_ok(pages_dir_open(&dir, pages_folder, &error));
	pages_dir_close(&dir);
	/* A file stands where the folder has to be. */
	int file = open(path_of("public/s/a"), O_CREAT | O_WRONLY, 0644);
	assert_true(file >= 0);
	close(file);
	struct publish_run run = { 0 };
	assert_result(E_FAILED, publish_run(&all, &run, &error));
	assert_int_equal(run.failed, 1);
	assert_int_equal(run.published, 1);
	assert_true(is_published("public/s/b/index.html"));
	assert_rows("a|1\nb|0", "SELECT p.slug, r.unpublished_since IS NOT NULL "
				"FROM " PAGES_AND_REVISIONS " ORDER BY p.slug");
}

static void a_monitors_pages_are_published_and_no_others(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	show_monitor(add_page(account, "shows"), monitor, 1);
	add_page(account, "without");
	execute("UPDATE page_revisions SET unpublished_since = '2026-03-05 09:00:00'");
	struct publisher all = publisher();
	struct publish_run run = { .monitor_ids = &monitor, .monitor_count = 1 };
	assert_ok(publish_run(&all, &run, &error));
	assert_true(is_published("public/s/shows") && !is_published("public/s/without"));
}

static void a_follower_notes_nothing_in_its_database(void **state)
{
	(void)state;
	int64_t page = page_with_rows();
	struct publisher follower = publisher();
	follower.is_follower = true;
	const struct publish_order order = { .page_id = page };
	assert_ok(publish_page(&follower, &order, &error));
	assert_true(is_published("public/s/p/index.html"));
	assert_rows("3|2026-03-05 09:00:00|1970-01-02 00:00:00",
		    "SELECT revision, unpublished_since, next_change_at FROM page_revisions");
}

static void pages_are_marked_when_their_caller_says_so(void **state)
{
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p");
	add_page(account, "q");
	add_page(account, "r");
	execute("UPDATE page_revisions SET revision = 3, "
		"unpublished_since = '2026-03-05 09:00:00'");
	struct publish_rest rest = { .arena = &arena };
	struct publisher later = publisher();
	later.rest = &rest;
	assert_ok(publish_run(&later, &(struct publish_run){ 0 }, &error));
	assert_int_equal(rest.count, 3);
	assert_true(is_published("public/s/p/index.html") && is_published("public/s/r/index.html"));
	assert_rows("3", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
	/* So are the files freed that it replaces. */
	size_t before = rest.replaced.count;
	execute("UPDATE status_pages SET name = 'Other' WHERE id = %ld", (long)page);
	assert_ok(publish_page(&later, &(struct publish_order){ .page_id = page }, &error));
	assert_true(rest.replaced.count > before);
	/* A change that came after the files stays unpublished. */
	execute("UPDATE page_revisions SET revision = 4 WHERE page_id = %ld", (long)page);
	assert_ok(publish_finish(&later, &error));
	assert_int_equal(rest.count, 0);
	assert_int_equal(rest.replaced.count, 0);
	assert_rows("p|2026-03-05 09:00:00\nq|-\nr|-",
		    "SELECT p.slug, r.unpublished_since FROM " PAGES_AND_REVISIONS
		    " ORDER BY p.slug");
	/* The caller dies before it marks: the publisher does. */
	const struct publish_order order = { .page_id = page };
	assert_ok(publish_page(&later, &order, &error));
	bool is_more;
	struct due due = { .publisher = publisher(), .goes_on = goes_on };
	assert_ok(due_round(&due, at(5, 10), at(5, 10), &is_more, &error));
	assert_rows("0", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
	due_done(&due);
}

/* The age of the oldest change that waits, as /metrics has it at the time. */
static void assert_oldest(int64_t now_s, int64_t age_s)
{
	struct buf body = BUF_INIT(1 << 20);
	const struct metrics_output output = { .body = &body };
	metrics_print(&output, now_s);
	const char *line = arena_printf(
		&arena, "\ndaymark_oldest_unpublished_change_seconds %lld\n", (long long)age_s);
	if (!body.data || !strstr(body.data, line))
		fail_msg("no \"%s\" in: %s", line + 1, body.data ? body.data : "");
	buf_done(&body);
}

static void metrics_have_the_age_of_the_oldest_change(void **state)
{
	bool is_more;
	(void)state;
	int64_t account = add_account("one");
	add_page(account, "a");
	add_page(account, "b");
	add_page(account, "clock");
	execute("UPDATE " PAGES_AND_REVISIONS " SET r.next_change_at = '2026-03-05 00:00:00', "
		"r.unpublished_since = CASE p.slug WHEN 'a' THEN '2026-03-05 09:00:00' "
		"WHEN 'b' THEN '2026-03-05 09:30:00' ELSE NULL END");
	struct pages_dir dir;
	assert_ok(pages_dir_open(&dir, pages_folder, &error));
	pages_dir_close(&dir);
	metrics_open(pages_folder, true);
	const char *blocked = path_of("public/s/a");
	int file = open(blocked, O_CREAT | O_WRONLY, 0644);
	assert_true(file >= 0);
	close(file);
	struct due due = { .publisher = publisher(), .goes_on = goes_on };
	struct instant now = at(5, 10);
	/* The page that fails stays; the clock makes the third one due, but nobody has changed it.
	 */
	for (int round = 0; round < 2; round++) {
		assert_ok(due_round(&due, now, now, &is_more, &error));
		assert_oldest(now.s, 3600);
		/* It grows while nobody can look, such as without the database. */
		assert_oldest(now.s + 500, 4100);
	}
	assert_int_equal(unlink(blocked), 0);
	execute("UPDATE page_revisions SET unpublished_since = NULL");
	assert_ok(due_round(&due, now, now, &is_more, &error));
	assert_oldest(now.s, 0);
	due_done(&due);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PAGES_TEST(a_page_has_what_its_rows_say),
		PAGES_TEST(metrics_have_the_age_of_the_oldest_change),
		PAGES_TEST(causes_are_shown_where_the_page_says_so),
		PAGES_TEST(a_page_goes_where_its_privacy_says),
		PAGES_TEST(files_of_a_page_are_its_own),
		PAGES_TEST(months_behind_the_page_have_files_of_their_own),
		PAGES_TEST(a_run_publishes_what_is_due_and_its_bound_holds),
		PAGES_TEST(rounds_publish_what_is_due_and_try_failures_again),
		PAGES_TEST(a_sweep_removes_folders_of_no_page_and_no_others),
		PAGES_TEST(what_is_left_of_deleted_pages_goes_at_once),
		PAGES_TEST(a_sweep_leaves_what_publishers_have_locked_to_the_next_one),
		PAGES_TEST(a_deletion_leaves_what_publishers_have_locked_to_the_next_one),
		PAGES_TEST(a_page_without_time_stays_as_it_was),
		PAGES_TEST(a_page_that_the_database_does_not_have_is_noted_as_gone),
		PAGES_TEST(a_deletion_that_cannot_be_noted_keeps_its_note),
		PAGES_TEST(pages_that_the_database_has_lost_stay),
		PAGES_TEST(a_folder_is_filled_whenever_it_was_lost),
		PAGES_TEST(a_page_that_fails_stops_no_other),
		PAGES_TEST(a_monitors_pages_are_published_and_no_others),
		PAGES_TEST(a_follower_notes_nothing_in_its_database),
		PAGES_TEST(pages_are_marked_when_their_caller_says_so),
	};
	return RUN_ON_DATABASE(tests);
}
