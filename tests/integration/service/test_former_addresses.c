/* Former slugs and domains of pages: the rows, and what the disk has of them. */
#include "integration/lib/service.h"

#include "publish/publish.h"
#include "service/page/status_pages.h"
#include "store/page/former_address.h"

static const char rows[] = "SELECT kind, name, page_id FROM former_addresses ORDER BY kind, name";

static struct status_page page;

/* NULL: the value is not sent; "": it is removed. */
static void update(int64_t id, const char *slug, const char *domain)
{
	struct status_page_change change = { .input = { .slug = slug } };
	if (slug)
		field_set_add(&change.sent, status_page_place("slug"));
	if (domain)
		field_set_add(&change.sent, status_page_place("domain"));
	change.input.domain = domain && domain[0] != '\0' ? domain : NULL;
	assert_ok(service_update_status_page(&service, id, &change, &page));
}

static void set_privacy(int64_t id, int privacy)
{
	struct status_page_change change = { .input = { .privacy = privacy, .password = "secret" },
					     .sent = FIELD_SET(status_page_place("privacy"),
							       status_page_place("password")) };
	assert_ok(service_update_status_page(&service, id, &change, &page));
}

static int64_t create(const char *slug)
{
	struct status_page_change change = { .input = { .name = "A page", .slug = slug },
					     .sent = FIELD_SET(status_page_place("name"),
							       status_page_place("slug")) };
	assert_ok(service_create_status_page(&service, &change, &page));
	return page.id;
}

static const char *id_text(int64_t id)
{
	return arena_printf(&arena, "%lld", (long long)id);
}

static int start(void **state)
{
	int failed = service_clear(state);
	act_as_key(add_account("one"));
	return failed;
}
#define FORMER_TEST(function) cmocka_unit_test_setup(function, start)

static void addresses_that_are_given_up_are_kept(void **state)
{
	(void)state;
	int64_t id = create("old");
	update(id, NULL, "old.test");
	assert_rows("", rows);
	assert_false(is_published("former/old/page"));
	update(id, "new", "new.test");
	assert_rows(arena_printf(&arena, "domain|old.test|%1$s\nslug|old|%1$s", id_text(id)), rows);
	assert_string_equal(id_text(id), published("former/old/page"));
	assert_string_equal(id_text(id), published("former-host/old.test/page"));
	/* An update that leaves the address as it is stores nothing. */
	update(id, "new", "new.test");
	update(id, NULL, "");
	assert_rows(arena_printf(&arena,
				 "domain|new.test|%1$s\ndomain|old.test|%1$s\nslug|old|%1$s",
				 id_text(id)),
		    rows);
	assert_string_equal(id_text(id), published("former-host/new.test/page"));
}

static void a_page_that_comes_back_has_its_address(void **state)
{
	(void)state;
	int64_t id = create("old");
	update(id, "new", NULL);
	update(id, "old", NULL);
	assert_false(is_published("former/old/page"));
	assert_string_equal(id_text(id), published("former/new/page"));
	update(id, "third", NULL);
	assert_string_equal(id_text(id), published("former/old/page"));
	assert_string_equal(id_text(id), published("former/new/page"));
}

static void another_page_that_takes_the_address_ends_it(void **state)
{
	(void)state;
	int64_t first = create("old");
	update(first, "new", NULL);
	int64_t second = create("old");
	assert_false(is_published("former/old/page"));
	assert_true(is_published("public/s/old/index.html"));
	/* The first page does not take it back. */
	update(first, "newer", NULL);
	assert_false(is_published("former/old/page"));
	assert_string_equal(id_text(first), published("former/new/page"));
	/* The page that had the address last is redirected to. */
	update(second, "second", NULL);
	assert_string_equal(id_text(second), published("former/old/page"));
	update(first, "newest", NULL);
	assert_string_equal(id_text(second), published("former/old/page"));
}

static void a_page_that_is_deleted_is_not_redirected_to(void **state)
{
	(void)state;
	int64_t first = create("old"), second;
	update(first, "new", NULL);
	second = create("old");
	assert_ok(service_delete_status_page(&service, second, &page));
	/* Nor is the page that had the address before. */
	assert_rows("", rows);
	update(first, "newer", NULL);
	assert_false(is_published("former/old/page"));
	assert_ok(service_delete_status_page(&service, first, &page));
	assert_rows("", rows);
	assert_false(is_published(arena_printf(&arena, "state/%s/page", id_text(first))));
}

static void a_private_page_has_no_former_addresses(void **state)
{
	(void)state;
	int64_t id = create("old");
	update(id, "new", NULL);
	set_privacy(id, PRIVACY_PRIVATE);
	assert_false(is_published("former/old/page"));
	set_privacy(id, PRIVACY_PASSWORD);
	assert_string_equal(id_text(id), published("former/old/page"));
	set_privacy(id, PRIVACY_PRIVATE);
	update(id, "newer", NULL);
	assert_false(is_published("former/old/page"));
	assert_false(is_published("former/new/page"));
	set_privacy(id, PRIVACY_PUBLIC);
	assert_string_equal(id_text(id), published("former/new/page"));
}

static void a_domain_whose_proof_was_lost_is_not_kept(void **state)
{
	(void)state;
	int64_t id = create("old");
	update(id, NULL, "old.test");
	execute("UPDATE status_pages SET domain_lost_at = '2026-03-04 00:00:00'");
	update(id, NULL, "");
	assert_rows("", rows);
	assert_false(is_published("former-host/old.test/page"));
}

static void a_rejected_update_stores_nothing(void **state)
{
	(void)state;
	int64_t id = create("old");
	create("taken");
	struct status_page_change change = { .input.slug = "taken",
					     .sent = FIELD_SET(status_page_place("slug")) };
	assert_result(E_INVALID, service_update_status_page(&service, id, &change, &page));
	assert_rows("", rows);
}

static void only_the_newest_are_kept(void **state)
{
	(void)state;
	enum { RENAMES = 60, KEPT = 40 };
	int64_t id = create("s-0");
	for (int i = 1; i <= RENAMES; i++) {
		service.now.s++;
		update(id, arena_printf(&arena, "s-%d", i), NULL);
	}
	assert_int_equal(KEPT, select_number("SELECT COUNT(*) FROM former_addresses"));
	assert_rows("s-20|s-59",
		    "SELECT (SELECT name FROM former_addresses ORDER BY left_at LIMIT 1), "
		    "(SELECT name FROM former_addresses ORDER BY left_at DESC LIMIT 1)");
}

/* Former addresses of another page of the account, a second apart. */
static void fill_account(int64_t id, int count)
{
	execute("INSERT INTO former_addresses (kind, name, page_id, left_at) "
		"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
		"SELECT 'domain', CONCAT('d', i, '.test'), %lld, "
		"'2020-01-01 00:00:00' + INTERVAL i SECOND FROM n",
		count, (long long)id);
}

static void an_account_has_a_bounded_number(void **state)
{
	(void)state;
	enum { MAX = FORMER_ADDRESSES_OF_ACCOUNT_MAX };
	static const char count[] = "SELECT COUNT(*) FROM former_addresses";
	int64_t id = create("first"), other = create("second");
	execute("SET SESSION max_recursive_iterations = 100000");
	fill_account(other, MAX - 1);
	update(id, "first-2", NULL);
	assert_int_equal(MAX, select_number(count));
	/* The oldest one of the account goes, whichever page has had it. */
	update(id, "first-3", NULL);
	assert_int_equal(MAX, select_number(count));
	assert_rows("0", "SELECT COUNT(*) FROM former_addresses WHERE name = 'd1.test'");
	assert_rows("first|first-2", "SELECT MIN(name), MAX(name) FROM former_addresses "
				     "WHERE kind = 'slug'");
	/* Another account has its own. */
	act_as_key(add_account("two"));
	int64_t theirs = create("theirs");
	update(theirs, "theirs-2", NULL);
	assert_int_equal(MAX + 1, select_number(count));
}

/* As a former version left it: the rest goes with the next changes. */
static void an_account_with_too_many_may_rename_pages(void **state)
{
	(void)state;
	int64_t id = create("first"), other = create("second");
	execute("SET SESSION max_recursive_iterations = 100000");
	fill_account(other, FORMER_ADDRESSES_OF_ACCOUNT_MAX + 100);
	update(id, "first-2", NULL);
	update(id, "first-3", NULL);
	assert_int_equal(FORMER_ADDRESSES_OF_ACCOUNT_MAX,
			 select_number("SELECT COUNT(*) FROM former_addresses"));
	assert_rows("d103.test", "SELECT name FROM former_addresses ORDER BY left_at LIMIT 1");
}

static void the_disk_loses_what_the_database_has_dropped(void **state)
{
	(void)state;
	struct publisher publisher = { .db = db,
				       .path = config.pages_dir,
				       .site = service.site,
				       .now = service.now,
				       .arena = &arena };
	struct publish_run run = { 0 };
	int64_t id = create("s-0");
	for (int i = 1; i <= 45; i++) {
		service.now.s++;
		update(id, arena_printf(&arena, "s-%d", i), NULL);
	}
	assert_true(is_published("former/s-0/page"));
	assert_ok(publish_sweep(&publisher, &run, &error));
	assert_false(is_published("former/s-0/page"));
	assert_false(is_published("former/s-4/page"));
	assert_true(is_published("former/s-5/page"));
	assert_true(is_published("former/s-44/page"));
	assert_int_equal(5, run.removed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FORMER_TEST(addresses_that_are_given_up_are_kept),
		FORMER_TEST(a_page_that_comes_back_has_its_address),
		FORMER_TEST(another_page_that_takes_the_address_ends_it),
		FORMER_TEST(a_page_that_is_deleted_is_not_redirected_to),
		FORMER_TEST(a_private_page_has_no_former_addresses),
		FORMER_TEST(a_domain_whose_proof_was_lost_is_not_kept),
		FORMER_TEST(a_rejected_update_stores_nothing),
		FORMER_TEST(only_the_newest_are_kept),
		FORMER_TEST(an_account_has_a_bounded_number),
		FORMER_TEST(an_account_with_too_many_may_rename_pages),
		FORMER_TEST(the_disk_loses_what_the_database_has_dropped),
	};
	return RUN_ON_DATABASE(tests);
}
