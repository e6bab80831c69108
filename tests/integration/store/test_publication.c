#include "integration/lib/database.h"

#include "store/page/publication.h"

static const char *slugs(const struct publication_list *list)
{
	const char *text = "";
	for (size_t i = 0; i < list->count; i++)
		text = arena_printf(&arena, "%s%s%s", text, i > 0 ? " " : "", list->rows[i].slug);
	return text;
}

/* A page that is published, up to a revision and until a moment of its own. */
static int64_t published_page(int64_t account, const char *slug)
{
	int64_t id = add_page(account, slug);
	execute("UPDATE page_revisions SET revision = 5, next_change_at = '2026-03-10 00:00:00' "
		"WHERE page_id = %ld",
		(long)id);
	return id;
}

static void make_due(int64_t id, const char *since)
{
	execute("UPDATE page_revisions SET unpublished_since = '%s' WHERE page_id = %ld", since,
		(long)id);
}

static void a_page_is_found_by_its_slug(void **state)
{
	struct publication found = { 0 };
	(void)state;
	int64_t account = add_account("one"), id = published_page(account, "mine");
	published_page(account, "other");
	execute("UPDATE status_pages SET domain = 'mine.example' WHERE id = %ld", (long)id);
	make_due(id, "2026-03-02 00:00:00");
	assert_ok(publication_find(db, "mine", &arena, &found, &error));
	assert_int_equal(found.id, id);
	assert_int_equal(found.epoch, select_number("SELECT epoch FROM timeline WHERE id = 1"));
	assert_int_equal(found.revision, 5);
	assert_string_equal(found.slug, "mine");
	assert_string_equal(found.domain, "mine.example");
	assert_int_equal(found.unpublished_since.s, at(2, 0).s);
	execute("UPDATE status_pages SET domain_lost_at = NOW()");
	assert_ok(publication_find(db, "mine", &arena, &found, &error));
	assert_null(found.domain);
	assert_result(E_NOT_FOUND, publication_find(db, "none", &arena, &found, &error));
}

static void addresses_are_taken_while_pages_have_them(void **state)
{
	struct publication_taken taken;
	(void)state;
	published_page(add_account("one"), "mine");
	execute("UPDATE status_pages SET domain = 'mine.example'");
	assert_ok(publication_taken(db, "mine", "none.example", &arena, &taken, &error));
	assert_true(taken.is_slug_taken && !taken.is_domain_taken);
	assert_ok(publication_taken(db, "none", "mine.example", &arena, &taken, &error));
	assert_true(!taken.is_slug_taken && taken.is_domain_taken);
	execute("UPDATE status_pages SET domain_lost_at = NOW()");
	assert_ok(publication_taken(db, "mine", "mine.example", &arena, &taken, &error));
	assert_true(taken.is_slug_taken && !taken.is_domain_taken);
	assert_ok(publication_taken(db, NULL, NULL, &arena, &taken, &error));
	assert_false(taken.is_slug_taken || taken.is_domain_taken);
}

static const char *queried(struct publication_query query, int64_t after)
{
	struct publication_list list;
	assert_ok(publication_list(db, &query, after, &arena, &list, &error));
	return slugs(&list);
}

static void the_list_has_what_was_asked_for(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	int64_t monitor = add_monitor(one, "web");
	int64_t a = published_page(one, "a"), b = published_page(one, "b"),
		c = published_page(two, "c"), d = published_page(one, "d");
	make_due(b, "2026-03-05 00:00:00");
	make_due(c, "2026-03-04 00:00:00");
	show_monitor(a, monitor, 1);
	show_monitor(b, monitor, 1);
	struct publication_query all = { .is_all = true, .now = at(9, 0) };
	assert_string_equal(queried(all, 0), "a b c d");
	assert_string_equal(queried(all, b), "c d");
	assert_string_equal(queried((struct publication_query){ .now = at(9, 0) }, 0), "b c");
	struct publication_query of_monitor = { .monitor_ids = &monitor,
						.monitor_count = 1,
						.now = at(9, 0) };
	assert_string_equal(queried(of_monitor, 0), "b");
	struct publication_query of_account = { .account_id = two, .now = at(9, 0) };
	assert_string_equal(queried(of_account, 0), "c");
	/* The clock has changed a page at its moment, and where it is further ahead than a day. */
	struct publication_query later = { .now = at(10, 0) };
	execute("UPDATE page_revisions SET next_change_at = '2026-03-10 00:00:01' WHERE page_id = "
		"%ld",
		(long)d);
	assert_string_equal(queried(later, 0), "a b c");
	execute("UPDATE page_revisions SET next_change_at = '2026-03-11 00:00:00' WHERE page_id = "
		"%ld",
		(long)d);
	assert_string_equal(queried(later, 0), "a b c");
	execute("UPDATE page_revisions SET next_change_at = '2026-03-11 00:00:01' WHERE page_id = "
		"%ld",
		(long)d);
	assert_string_equal(queried(later, 0), "a b c d");
}

static const char *due(struct instant settled, size_t limit)
{
	struct publication_list list;
	struct publication_due_query query = { settled, at(10, 0), limit };
	assert_ok(publication_due(db, &query, &arena, &list, &error));
	return slugs(&list);
}

/* The clock was set back after the change; a younger change is being published by its request. */
static void a_change_of_the_future_is_due(void **state)
{
	(void)state;
	int64_t one = add_account("one");
	make_due(published_page(one, "past"), "2026-03-09 00:00:00");
	make_due(published_page(one, "young"), "2026-03-10 00:00:01");
	make_due(published_page(one, "ahead"), "2026-07-10 00:00:00");
	assert_string_equal(due(at(10, 0), 10), "past ahead");
}

static void accounts_take_turns_and_the_clock_comes_last(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	published_page(two, "clock");
	int64_t fresh = published_page(two, "fresh");
	execute("UPDATE page_revisions SET next_change_at = '2026-03-10 12:00:00' WHERE page_id = "
		"%ld",
		(long)fresh);
	make_due(published_page(one, "a3"), "2026-03-03 00:00:00");
	make_due(published_page(one, "a1"), "2026-03-01 00:00:00");
	make_due(published_page(one, "a2"), "2026-03-02 00:00:00");
	make_due(published_page(two, "b1"), "2026-03-06 00:00:00");
	struct instant any = { 0 };
	assert_string_equal(due(any, 10), "a1 b1 a2 a3 clock");
	assert_string_equal(due(any, 3), "a1 b1 a2");
	assert_string_equal(due(at(3, 0), 10), "a1 a2 a3 clock");
	assert_string_equal(due((struct instant){ at(3, 0).s - 1 }, 10), "a1 a2 clock");
}

static void a_change_of_a_monitor_marks_its_pages(void **state)
{
	(void)state;
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	int64_t page = published_page(account, "shows");
	published_page(account, "without");
	show_monitor(page, monitor, 1);
	struct publication_change change = { .monitor_id = monitor, .now = at(7, 0) };
	assert_committed(publication_mark_dirty(db, &change, &error));
	const char *query = "SELECT p.slug, r.revision, p.version, r.unpublished_since "
			    "FROM " PAGES_AND_REVISIONS " ORDER BY p.slug";
	assert_rows("shows|6|1|2026-03-07 00:00:00\nwithout|5|1|-", "%s", query);
	assert_rows("2026-03-07 00:00:00|-", "SELECT updated_at, known_since FROM monitors");
	/* The oldest change is what counts, and a clock that goes back changes no time. */
	change = (struct publication_change){ .monitor_id = monitor,
					      .is_shown_by_api = true,
					      .known_since = at(4, 0),
					      .now = at(6, 0) };
	assert_committed(publication_mark_dirty(db, &change, &error));
	assert_rows("shows|7|2|2026-03-07 00:00:00\nwithout|5|1|-", "%s", query);
	assert_rows("2026-03-07 00:00:00|2026-03-04 00:00:00",
		    "SELECT updated_at, known_since FROM monitors");
	change.known_since = at(5, 0);
	assert_committed(publication_mark_dirty(db, &change, &error));
	assert_rows("2026-03-04 00:00:00", "SELECT known_since FROM monitors");
	change.known_since = at(3, 0);
	assert_committed(publication_mark_dirty(db, &change, &error));
	assert_rows("2026-03-03 00:00:00", "SELECT known_since FROM monitors");
}

static void the_stored_files_of_a_page(void **state)
{
	struct page_file files[STATUS_PAGE_PICTURES];
	size_t count = 9;
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p"),
		other = add_page(account, "q");
	execute("INSERT INTO status_page_files (status_page_id, kind, name, bytes) VALUES "
		"(%1$ld, 'logo', 'logo-1.png', 'LOGO'), (%1$ld, 'favicon', 'favicon-1.ico', "
		"'ICON!'), (%1$ld, 'logo_dark', 'logodark-1.png', 'DARK'), "
		"(%1$ld, 'header_image', 'header-1.png', 'TOP'), "
		"(%2$ld, 'logo', NULL, NULL)",
		(long)page, (long)other);
	assert_ok(publication_files(db, page, &arena, files, &count, &error));
	assert_int_equal(count, 4);
	assert_string_equal(files[0].kind, "favicon");
	assert_string_equal(files[0].name, "favicon-1.ico");
	assert_int_equal(files[0].len, 5);
	assert_memory_equal(files[0].data, "ICON!", 5);
	assert_string_equal(files[1].kind, "header_image");
	assert_memory_equal(files[1].data, "TOP", 3);
	assert_string_equal(files[2].kind, "logo");
	assert_string_equal(files[2].name, "logo-1.png");
	assert_memory_equal(files[2].data, "LOGO", 4);
	assert_string_equal(files[3].kind, "logo_dark");
	assert_string_equal(files[3].name, "logodark-1.png");
	assert_memory_equal(files[3].data, "DARK", 4);
	assert_ok(publication_files(db, other, &arena, files, &count, &error));
	assert_int_equal(count, 0);
}

static const char *noted(int64_t id)
{
	return select_text("SELECT revision, unpublished_since, next_change_at "
			   "FROM page_revisions WHERE page_id = %ld",
			   (long)id);
}

static enum result mark_published(const struct status_page *page, struct instant next_change)
{
	struct publication_mark mark = { page->id, page->revision, next_change };
	return publication_mark_all_published(db, &mark, 1, &arena, &error);
}

static void what_was_published_is_noted_unless_a_change_came_meanwhile(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = published_page(account, "p"),
		other = published_page(account, "q");
	make_due(id, "2026-03-02 00:00:00");
	execute("UPDATE page_revisions SET revision = 7 WHERE page_id = %ld", (long)id);
	const struct status_page old = { .id = id, .revision = 6 },
				 new = { .id = id, .revision = 7 };
	assert_committed(mark_published(&old, at(8, 0)));
	assert_string_equal(noted(id), "7|2026-03-02 00:00:00|2026-03-10 00:00:00");
	assert_committed(mark_published(&new, at(9, 0)));
	assert_string_equal(noted(id), "7|-|2026-03-09 00:00:00");
	/* Whoever read it before and is late changes nothing. */
	assert_committed(mark_published(&old, at(8, 0)));
	assert_string_equal(noted(id), "7|-|2026-03-09 00:00:00");
	assert_string_equal(noted(other), "5|-|2026-03-10 00:00:00");
}

static void the_backlog_begins_with_the_oldest(void **state)
{
	struct publication_list list;
	(void)state;
	int64_t account = add_account("one");
	published_page(account, "done");
	make_due(published_page(account, "new"), "2026-03-03 00:00:00");
	make_due(published_page(account, "old"), "2026-03-01 00:00:00");
	assert_ok(publication_backlog(db, &arena, &list, &error));
	assert_string_equal(slugs(&list), "old new");
	assert_int_equal(list.rows[0].unpublished_since.s, at(1, 0).s);
}

static const char *changes(struct publication_place after)
{
	struct publication_change_list list;
	const char *text = "";
	assert_ok(publication_changes(db, &after, &arena, &list, &error));
	for (size_t i = 0; i < list.count; i++)
		text = arena_printf(&arena, "%s%s%s", text, i > 0 ? " " : "",
				    list.rows[i].is_deleted ? "(deleted)" : list.rows[i].slug);
	return text;
}

static void change_at(int64_t id, const char *moment)
{
	execute("UPDATE page_revisions SET changed_at = '%s' WHERE page_id = %ld", moment,
		(long)id);
}

static void followers_read_changes_from_where_they_were(void **state)
{
	(void)state;
	int64_t account = add_account("one"), a = published_page(account, "a"),
		b = published_page(account, "b"), c = published_page(account, "c");
	change_at(a, "2026-03-03 00:00:00");
	change_at(b, "2026-03-02 00:00:00");
	change_at(c, "2026-03-03 00:00:00");
	assert_string_equal(changes((struct publication_place){ .changed_at = { 1 } }), "b a c");
	assert_string_equal(changes((struct publication_place){ at(2, 0), b }), "a c");
	assert_string_equal(changes((struct publication_place){ at(3, 0), a }), "c");
	assert_string_equal(changes((struct publication_place){ at(3, 0), c }), "");
	execute("DELETE FROM status_pages WHERE slug = 'a'");
	assert_string_equal(changes((struct publication_place){ at(2, 0), b }), "(deleted) c");
}

static void a_change_is_read_whole(void **state)
{
	struct publication_change_list list;
	const struct publication_place start = { .changed_at = { 1 } };
	struct publication_feed feed;
	(void)state;
	assert_ok(publication_feed(db, &arena, &feed, &error));
	assert_int_equal(feed.latest_change.s, 0);
	int64_t account = add_account("one"), id = published_page(account, "a");
	change_at(published_page(account, "b"), "2026-03-04 00:00:00");
	change_at(id, "2026-03-03 00:00:00");
	assert_ok(publication_feed(db, &arena, &feed, &error));
	assert_int_equal(feed.epoch, select_number("SELECT epoch FROM timeline"));
	assert_int_equal(feed.latest_change.s, at(4, 0).s);
	assert_ok(publication_changes(db, &start, &arena, &list, &error));
	assert_int_equal(list.count, 2);
	assert_int_equal(list.rows[0].id, id);
	assert_int_equal(list.rows[0].epoch, feed.epoch);
	assert_int_equal(list.rows[0].revision, 5);
	assert_string_equal(list.rows[0].slug, "a");
	assert_int_equal(list.rows[0].changed_at.s, at(3, 0).s);
	assert_false(list.rows[0].is_deleted);
}

static void rows_without_a_page_are_marked_as_deleted(void **state)
{
	(void)state;
	int64_t account = add_account("one"), first = published_page(account, "first");
	execute("INSERT INTO page_revisions (page_id, account_id, changed_at, unpublished_since) "
		"VALUES (%ld, %ld, '2026-01-01 00:00:00', '2026-01-01 00:00:00')",
		(long)first + 1000, (long)account);
	for (int i = 0; i < 2; i++) {
		assert_ok(publication_mark_orphans(db, &error));
		assert_rows(arena_printf(&arena, "%ld|%ld|5|-|1\n%ld|%ld|1|-|0", (long)first,
					 (long)account, (long)first + 1000, (long)account),
			    "SELECT page_id, account_id, revision, unpublished_since, "
			    "deleted_at IS NULL FROM page_revisions ORDER BY page_id");
	}
	/* Followers learn of it. */
	assert_rows("1", "SELECT COUNT(*) FROM page_revisions "
			 "WHERE changed_at > UTC_TIMESTAMP() - INTERVAL 1 HOUR");
}

static void rows_of_deleted_pages_are_forgotten_after_an_hour(void **state)
{
	(void)state;
	int64_t account = add_account("one"), old = published_page(account, "old"),
		new = published_page(account, "new");
	published_page(account, "kept");
	execute("UPDATE page_revisions SET deleted_at = UTC_TIMESTAMP() - INTERVAL 61 MINUTE "
		"WHERE page_id = %ld",
		(long)old);
	execute("UPDATE page_revisions SET deleted_at = UTC_TIMESTAMP() - INTERVAL 50 MINUTE "
		"WHERE page_id = %ld",
		(long)new);
	assert_ok(publication_forget_deleted(db, &error));
	assert_rows("new\nkept", "SELECT p.slug FROM " PAGES_AND_REVISIONS " ORDER BY p.id");
}

static void deleted_pages_are_not_due(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = published_page(account, "gone");
	make_due(id, "2026-03-01 00:00:00");
	assert_string_equal(due((struct instant){ 0 }, 10), "gone");
	execute("UPDATE page_revisions SET deleted_at = NOW()");
	assert_string_equal(due((struct instant){ 0 }, 10), "");
	assert_committed(publication_mark_deleted(db, add_account("two"), id, &error));
	assert_rows("2026-03-01 00:00:00", "SELECT unpublished_since FROM page_revisions");
	assert_committed(publication_mark_deleted(db, account, id, &error));
	assert_rows("-", "SELECT unpublished_since FROM page_revisions");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_page_is_found_by_its_slug),
		DATABASE_TEST(addresses_are_taken_while_pages_have_them),
		DATABASE_TEST(the_list_has_what_was_asked_for),
		DATABASE_TEST(a_change_of_the_future_is_due),
		DATABASE_TEST(accounts_take_turns_and_the_clock_comes_last),
		DATABASE_TEST(a_change_of_a_monitor_marks_its_pages),
		DATABASE_TEST(the_stored_files_of_a_page),
		DATABASE_TEST(what_was_published_is_noted_unless_a_change_came_meanwhile),
		DATABASE_TEST(the_backlog_begins_with_the_oldest),
		DATABASE_TEST(followers_read_changes_from_where_they_were),
		DATABASE_TEST(a_change_is_read_whole),
		DATABASE_TEST(rows_without_a_page_are_marked_as_deleted),
		DATABASE_TEST(rows_of_deleted_pages_are_forgotten_after_an_hour),
		DATABASE_TEST(deleted_pages_are_not_due),
	};
	return RUN_ON_DATABASE(tests);
}
