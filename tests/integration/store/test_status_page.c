#include "integration/lib/database.h"

#include "store/monitor/monitor.h"
#include "store/page/status_page.h"

/* A page with a value of its own in every column. */
static struct status_page full_page(int64_t account)
{
	return (struct status_page){
		.account_id = account,
		.name = "The name",
		.slug = "the-slug",
		.privacy = PRIVACY_PASSWORD,
		.password_hash = "hash-of-password",
		.domain = "domain.example",
		.domain_proof = { .proven_at = at(1, 1),
				  .checked_at = at(2, 2),
				  .missing_since = at(3, 3),
				  .lost_at = at(4, 4) },
		.logo_file = "logo-1.png",
		.logo_dark_file = "logodark-3.png",
		.header_image_file = "header-4.png",
		.favicon_file = "favicon-2.ico",
		.logo_height = 64,
		.accent_color = "#1f6feb",
		.color_scheme = "dark",
		.support_text = "The support",
		.website_url = "https://website.example/",
		.contact_url = "https://contact.example/",
		.custom_css = "css{}",
		.custom_js = "js()",
		.meta_title = "The title",
		.meta_description = "The description",
		.noindex = true,
		.show_causes = false,
		.time_zone = "Asia/Kathmandu",
		.language = "de",
		.created_at = at(5, 5),
		.updated_at = at(6, 6),
	};
}

#define ALL_COLUMNS \
	"name, slug, privacy, password_hash, domain, domain_proven_at, domain_checked_at, " \
	"domain_missing_since, domain_lost_at, logo_file, logo_dark_file, favicon_file, " \
	"header_image_file, logo_height, accent_color, color_scheme, support_text, " \
	"website_url, " \
	"contact_url, custom_css, custom_js, meta_title, meta_description, noindex, show_causes, " \
	"time_zone, language, " \
	"p.created_at, p.updated_at, r.unpublished_since"
#define FULL_ROW \
	"The name|the-slug|2|hash-of-password|domain.example|2026-03-01 01:00:00|" \
	"2026-03-02 02:00:00|2026-03-03 03:00:00|2026-03-04 04:00:00|logo-1.png|logodark-3.png|" \
	"favicon-2.ico|header-4.png|64|#1f6feb|dark|The support|" \
	"https://website.example/|https://contact.example/|css{}|js()|The title|" \
	"The description|1|0|Asia/Kathmandu|de|2026-03-05 05:00:00|2026-03-06 " \
	"06:00:00|2026-03-06 06:00:00"

static void a_new_page_has_each_value_in_its_column(void **state)
{
	(void)state;
	struct status_page page = full_page(add_account("one"));
	assert_committed(status_page_insert(db, &page, &error));
	assert_true(page.id > 0 && page.has_password && page.version == 1);
	assert_rows(FULL_ROW,
		    "SELECT " ALL_COLUMNS " FROM " PAGES_AND_REVISIONS " WHERE p.account_id = %ld",
		    (long)page.account_id);
	assert_rows("1|1|1", "SELECT p.version, r.revision, r.account_id = p.account_id "
			     "FROM " PAGES_AND_REVISIONS);
	assert_rows("1", "SELECT changed_at > UTC_TIMESTAMP() - INTERVAL 1 HOUR AND "
			 "next_change_at < NOW() AND deleted_at IS NULL FROM page_revisions");
}

static void a_new_page_may_lack_what_is_optional(void **state)
{
	(void)state;
	struct status_page page = { .account_id = add_account("one"),
				    .name = "N",
				    .slug = "s",
				    .show_causes = true,
				    .time_zone = "UTC",
				    .color_scheme = "auto",
				    .language = "en",
				    .created_at = at(5, 5),
				    .updated_at = at(6, 6) };
	assert_committed(status_page_insert(db, &page, &error));
	assert_false(page.has_password);
	assert_rows(
		"N|s|0|-|-|-|-|-|-|-|-|-|-|0|-|auto|-|-|-|-|-|-|-|0|1|UTC|en|2026-03-05 05:00:00|"
		"2026-03-06 06:00:00|2026-03-06 06:00:00",
		"SELECT " ALL_COLUMNS " FROM " PAGES_AND_REVISIONS);
}

static void check_listed(const struct status_page *page, const struct status_page *expected)
{
	assert_int_equal(page->id, expected->id);
	assert_int_equal(page->account_id, expected->account_id);
	assert_string_equal(page->name, "The name");
	assert_string_equal(page->slug, "the-slug");
	assert_int_equal(page->privacy, PRIVACY_PASSWORD);
	assert_true(page->has_password);
	assert_string_equal(page->domain, "domain.example");
	assert_int_equal(page->domain_proof.proven_at.s, at(1, 1).s);
	assert_int_equal(page->domain_proof.checked_at.s, at(2, 2).s);
	assert_int_equal(page->domain_proof.missing_since.s, at(3, 3).s);
	assert_int_equal(page->domain_proof.lost_at.s, at(4, 4).s);
	assert_string_equal(page->logo_file, "logo-1.png");
	assert_string_equal(page->logo_dark_file, "logodark-3.png");
	assert_string_equal(page->favicon_file, "favicon-2.ico");
	assert_string_equal(page->header_image_file, "header-4.png");
	assert_int_equal(page->logo_height, 64);
	assert_string_equal(page->accent_color, "#1f6feb");
	assert_string_equal(page->color_scheme, "dark");
	assert_string_equal(page->support_text, "The support");
	assert_string_equal(page->website_url, "https://website.example/");
	assert_string_equal(page->contact_url, "https://contact.example/");
	assert_string_equal(page->meta_title, "The title");
	assert_string_equal(page->meta_description, "The description");
	assert_true(page->noindex);
	assert_false(page->show_causes);
	assert_string_equal(page->time_zone, "Asia/Kathmandu");
	assert_string_equal(page->language, "de");
	assert_int_equal(page->created_at.s, at(5, 5).s);
	assert_int_equal(page->updated_at.s, at(6, 6).s);
}

static void a_page_is_read_as_it_was_stored(void **state)
{
	struct status_page found = { 0 };
	struct status_page_list list;
	(void)state;
	struct status_page page = full_page(add_account("one"));
	assert_committed(status_page_insert(db, &page, &error));
	execute("UPDATE status_pages SET version = 7");
	assert_ok(status_page_find(db, page.account_id, page.id, false, &arena, &found, &error));
	check_listed(&found, &page);
	assert_int_equal(found.version, 7);
	assert_string_equal(found.custom_css, "css{}");
	assert_string_equal(found.custom_js, "js()");
	const struct status_page_query query = { .list.account_id = page.account_id,
						 .list.limit = 10 };
	assert_ok(status_page_list(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	check_listed(&list.rows[0], &page);
	assert_int_equal(list.rows[0].version, 7);
	assert_null(list.rows[0].custom_css);
	assert_null(list.rows[0].custom_js);
}

static void another_accounts_page_is_not_found_changed_or_deleted(void **state)
{
	struct status_page found = { 0 };
	(void)state;
	struct status_page page = full_page(add_account("one"));
	int64_t other = add_account("two");
	assert_committed(status_page_insert(db, &page, &error));
	assert_result(E_NOT_FOUND,
		      status_page_find(db, other, page.id, false, &arena, &found, &error));
	assert_transaction(E_NOT_FOUND,
			   status_page_find(db, other, page.id, true, &arena, &found, &error));
	struct status_page stolen = page;
	stolen.account_id = other;
	stolen.name = "Stolen";
	assert_transaction(E_NOT_FOUND, status_page_update(db, &stolen, &error));
	assert_transaction(E_NOT_FOUND, status_page_delete(db, other, page.id, &error));
	assert_rows(FULL_ROW, "SELECT " ALL_COLUMNS " FROM " PAGES_AND_REVISIONS);
	assert_committed(status_page_delete(db, page.account_id, page.id, &error));
	assert_rows("0", "SELECT COUNT(*) FROM status_pages");
	/* Followers learn of the deletion from the row that stays. */
	assert_rows("1|-", "SELECT deleted_at IS NOT NULL AND changed_at >= deleted_at, "
			   "unpublished_since FROM page_revisions");
}

static void an_update_stores_each_value_and_keeps_the_rest(void **state)
{
	(void)state;
	int64_t account = add_account("one"), id = add_page(account, "before");
	add_page(account, "untouched");
	struct status_page page = full_page(account);
	page.id = id;
	page.version = 1;
	assert_committed(status_page_update(db, &page, &error));
	/* The time of creation is not among them. */
	assert_rows("The name|the-slug|2|hash-of-password|domain.example|2026-03-01 01:00:00|"
		    "2026-03-02 02:00:00|2026-03-03 03:00:00|2026-03-04 04:00:00|logo-1.png|"
		    "logodark-3.png|favicon-2.ico|header-4.png|64|#1f6feb|dark|The support|"
		    "https://website.example/|https://contact.example/"
		    "|css{}|js()|"
		    "The title|The description|1|0|Asia/Kathmandu|de|2026-01-04 00:00:00|"
		    "2026-03-06 06:00:00|2026-03-06 06:00:00",
		    "SELECT " ALL_COLUMNS " FROM " PAGES_AND_REVISIONS " WHERE p.id = %ld",
		    (long)id);
	assert_rows("2|2",
		    "SELECT p.version, r.revision FROM " PAGES_AND_REVISIONS " WHERE p.id = %ld",
		    (long)id);
	assert_int_equal(page.version, 2);
	assert_rows("Page untouched|1|1|-",
		    "SELECT p.name, p.version, r.revision, r.unpublished_since "
		    "FROM " PAGES_AND_REVISIONS " WHERE p.slug = 'untouched'");
	/* Without a new password the stored one stays, and so does the oldest change. */
	page.password_hash = NULL;
	page.updated_at = at(7, 7);
	assert_committed(status_page_update(db, &page, &error));
	assert_rows("hash-of-password|2026-03-07 07:00:00|2026-03-06 06:00:00|3",
		    "SELECT p.password_hash, p.updated_at, r.unpublished_since, p.version "
		    "FROM " PAGES_AND_REVISIONS " WHERE p.id = %ld",
		    (long)id);
}

static void slug_and_domain_belong_to_one_page(void **state)
{
	struct status_page_conflicts conflicts;
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	struct status_page page = full_page(one), same = full_page(two);
	assert_committed(status_page_insert(db, &page, &error));
	assert_transaction(E_CONFLICT, status_page_insert(db, &same, &error));
	assert_ok(status_page_conflicts(db, &same, &arena, &conflicts, &error));
	assert_true(conflicts.is_slug_taken && conflicts.is_domain_taken);
	same.slug = "another";
	assert_ok(status_page_conflicts(db, &same, &arena, &conflicts, &error));
	assert_true(!conflicts.is_slug_taken && conflicts.is_domain_taken);
	assert_transaction(E_CONFLICT, status_page_insert(db, &same, &error));
	same.slug = "the-slug";
	same.domain = NULL;
	assert_ok(status_page_conflicts(db, &same, &arena, &conflicts, &error));
	assert_true(conflicts.is_slug_taken && !conflicts.is_domain_taken);
	/* A page is not in its own way. */
	assert_ok(status_page_conflicts(db, &page, &arena, &conflicts, &error));
	assert_false(conflicts.is_slug_taken || conflicts.is_domain_taken);
}

static struct status_page page_with(int64_t account, int64_t id, int64_t *ids, size_t count)
{
	return (struct status_page){
		.id = id, .account_id = account, .slug = "x", .monitor_ids = { ids, count }
	};
}

static void monitors_are_kept_in_the_order_given(void **state)
{
	struct status_page found = { 0 };
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p"),
		other = add_page(account, "q");
	int64_t a = add_monitor(account, "a"), b = add_monitor(account, "b"),
		c = add_monitor(account, "c");
	int64_t ids[] = { c, a, b };
	show_monitor(other, a, 1);
	struct status_page row = page_with(account, page, ids, 3);
	assert_committed(status_page_add_monitors(db, &row, &arena, &error));
	assert_rows(arena_printf(&arena, "%ld\n%ld\n%ld", (long)c, (long)a, (long)b),
		    "SELECT monitor_id FROM status_page_monitors WHERE status_page_id = %ld "
		    "ORDER BY position",
		    (long)page);
	assert_ok(status_page_find(db, account, page, false, &arena, &found, &error));
	assert_int_equal(found.monitor_ids.count, 3);
	assert_memory_equal(found.monitor_ids.ids, ids, sizeof(ids));
	assert_committed(status_page_clear_monitors(db, page, &error));
	assert_rows(arena_printf(&arena, "%ld", (long)other),
		    "SELECT status_page_id FROM status_page_monitors");
}

static void a_retired_monitor_is_not_of_the_list_and_stays_with_the_page(void **state)
{
	struct status_page found = { 0 };
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p");
	int64_t a = add_monitor(account, "a"), gone = add_monitor(account, "gone");
	show_monitor(page, a, 1);
	show_monitor(page, gone, 2);
	assert_committed(monitor_retire(db, gone, at(1, 0), &error));
	assert_ok(status_page_find(db, account, page, false, &arena, &found, &error));
	assert_int_equal(found.monitor_ids.count, 1);
	assert_int_equal(found.monitor_ids.ids[0], a);
	assert_committed(status_page_clear_monitors(db, page, &error));
	assert_rows(arena_printf(&arena, "%ld", (long)gone),
		    "SELECT monitor_id FROM status_page_monitors");
	int64_t ids[] = { gone };
	struct status_page row = page_with(account, add_page(account, "q"), ids, 1);
	assert_transaction(E_INVALID, status_page_add_monitors(db, &row, &arena, &error));
}

static void monitors_of_another_account_are_unknown(void **state)
{
	struct status_page_conflicts conflicts;
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p");
	int64_t mine = add_monitor(account, "a"), theirs = add_monitor(add_account("two"), "b");
	int64_t ids[] = { theirs, mine, 999999999 };
	struct status_page row = page_with(account, page, ids, 3);
	assert_transaction(E_INVALID, status_page_add_monitors(db, &row, &arena, &error));
	assert_rows("0", "SELECT COUNT(*) FROM status_page_monitors");
	assert_ok(status_page_conflicts(db, &row, &arena, &conflicts, &error));
	assert_int_equal(conflicts.unknown.count, 2);
	assert_int_equal(conflicts.unknown.ids[0], theirs);
	assert_int_equal(conflicts.unknown.ids[1], 999999999);
}

static void files_are_put_and_taken_away_by_kind(void **state)
{
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p");
	const struct page_file both[] = { { "logo", "logo-1.png", "LOGO", 4 },
					  { "favicon", "favicon-1.ico", "ICO\0X", 5 } };
	assert_committed(status_page_put_files(db, page, both, 2, &error));
	assert_rows("favicon|favicon-1.ico|49434F0058\nlogo|logo-1.png|4C4F474F",
		    "SELECT kind, name, HEX(bytes) FROM status_page_files "
		    "WHERE status_page_id = %ld ORDER BY kind",
		    (long)page);
	const struct page_file none = { .kind = "logo" };
	assert_committed(status_page_put_files(db, page, &none, 1, &error));
	assert_rows("favicon|favicon-1.ico|5\nlogo|-|-",
		    "SELECT kind, name, NULLIF(LENGTH(bytes), 0) FROM status_page_files "
		    "ORDER BY kind");
}

/* Three pages whose order by name is not that by id, and one of another account. */
static int64_t listed_account(void)
{
	int64_t account = add_account("one");
	execute("INSERT INTO status_pages (account_id, name, slug, created_at, updated_at) VALUES "
		"(%1$ld, 'Beta', 'b', NOW(), NOW()), (%1$ld, 'Alpha 100%%', 'a', NOW(), NOW()), "
		"(%1$ld, 'Gamma', 'c', NOW(), NOW()), (%2$ld, 'Alpha', 'd', NOW(), NOW())",
		(long)account, (long)add_account("two"));
	return account;
}

static const char *listed(const struct status_page_query *query, int64_t total)
{
	struct status_page_list list;
	const char *slugs = "";
	assert_ok(status_page_list(db, query, &arena, &list, &error));
	assert_int_equal(list.total, total);
	for (size_t i = 0; i < list.count; i++)
		slugs = arena_printf(&arena, "%s%s", slugs, list.rows[i].slug);
	return slugs;
}

static void lists_sort_page_and_filter(void **state)
{
	(void)state;
	int64_t account = listed_account();
	struct status_page_query query = { .list.account_id = account, .list.limit = 10 };
	assert_string_equal(listed(&query, 3), "cab");
	query.list.is_ascending = true;
	assert_string_equal(listed(&query, 3), "bac");
	query.list.sort_by = STATUS_PAGE_BY_NAME;
	assert_string_equal(listed(&query, 3), "abc");
	query.list.is_ascending = false;
	assert_string_equal(listed(&query, 3), "cba");
	query.list.limit = 1;
	query.list.offset = 1;
	assert_string_equal(listed(&query, 3), "b");
	query = (struct status_page_query){ .list.account_id = account,
					    .list.search = "AM",
					    .list.limit = 10 };
	assert_string_equal(listed(&query, 1), "c");
	query.list.search = "0%";
	assert_string_equal(listed(&query, 1), "a");
	query.list.search = "a%a";
	assert_string_equal(listed(&query, 0), "");
	int64_t monitor = add_monitor(account, "m");
	show_monitor(select_number("SELECT id FROM status_pages WHERE slug = 'b'"), monitor, 1);
	query = (struct status_page_query){ .list.account_id = account,
					    .monitor_id = monitor,
					    .list.limit = 10 };
	assert_string_equal(listed(&query, 1), "b");
}

static void pages_of_one_name_follow_their_ids(void **state)
{
	(void)state;
	int64_t account = listed_account();
	execute("UPDATE status_pages SET name = 'Same'");
	struct status_page_query query = { .list.account_id = account,
					   .list.sort_by = STATUS_PAGE_BY_NAME,
					   .list.limit = 10 };
	assert_string_equal(listed(&query, 3), "cab");
	query.list.is_ascending = true;
	assert_string_equal(listed(&query, 3), "bac");
}

static void a_list_takes_one_statement_and_two_past_the_end(void **state)
{
	(void)state;
	struct status_page_query query = { .list.account_id = listed_account(), .list.limit = 2 };
	uint64_t before = db_queries(db);
	assert_string_equal(listed(&query, 3), "ca");
	query.list.offset = 2;
	assert_string_equal(listed(&query, 3), "b");
	assert_int_equal(db_queries(db) - before, 2);
	query.list.offset = 4;
	assert_string_equal(listed(&query, 3), "");
	assert_int_equal(db_queries(db) - before, 4);
	/* Without a page at all, nothing is left to count. */
	query = (struct status_page_query){ .list.account_id = add_account("none"),
					    .list.limit = 2 };
	assert_string_equal(listed(&query, 0), "");
	assert_int_equal(db_queries(db) - before, 5);
}

/* One row for each system: which of them are retired is known without the monitors. */
static void a_list_reads_each_system_once(void **state)
{
	enum { SYSTEMS = 40, OTHER_ROWS_MAX = 10 };
	(void)state;
	int64_t account = add_account("one"), page = add_page(account, "p");
	for (int i = 0; i < SYSTEMS; i++)
		show_monitor(page, add_monitor(account, arena_printf(&arena, "m%d", i)), i);
	struct status_page_query query = { .list.account_id = account, .list.limit = 10 };
	int64_t idle = rows_read();
	idle = rows_read() - idle;
	int64_t before = rows_read();
	assert_string_equal(listed(&query, 1), "p");
	assert_in_range(rows_read() - before - idle, SYSTEMS, SYSTEMS + OTHER_ROWS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_new_page_has_each_value_in_its_column),
		DATABASE_TEST(a_new_page_may_lack_what_is_optional),
		DATABASE_TEST(a_page_is_read_as_it_was_stored),
		DATABASE_TEST(another_accounts_page_is_not_found_changed_or_deleted),
		DATABASE_TEST(an_update_stores_each_value_and_keeps_the_rest),
		DATABASE_TEST(slug_and_domain_belong_to_one_page),
		DATABASE_TEST(monitors_are_kept_in_the_order_given),
		DATABASE_TEST(a_retired_monitor_is_not_of_the_list_and_stays_with_the_page),
		DATABASE_TEST(monitors_of_another_account_are_unknown),
		DATABASE_TEST(files_are_put_and_taken_away_by_kind),
		DATABASE_TEST(lists_sort_page_and_filter),
		DATABASE_TEST(pages_of_one_name_follow_their_ids),
		DATABASE_TEST(a_list_takes_one_statement_and_two_past_the_end),
		DATABASE_TEST(a_list_reads_each_system_once),
	};
	return RUN_ON_DATABASE(tests);
}
