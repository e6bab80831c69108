/* A configuration file against what there is, and its application. */
#include "integration/lib/service.h"

#include "base/secret.h"
#include "ctl/configuration/configuration_file.h"

static struct configuration wanted;
static struct configuration_order order;
static struct configuration_plan plan;
static int64_t account;

static bool no_file(void *context, const char *path, size_t max_bytes, struct str *content,
		    const char **why)
{
	(void)context;
	(void)path;
	(void)max_bytes;
	(void)content;
	*why = "there are no files";
	return false;
}

/* Reads a file, in which ' stands for ". */
static void want(const char *text)
{
	static const struct configuration_files files = { no_file, NULL };
	char *json = arena_strdup(&arena, text);
	for (char *c = json; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	violations_init(&violations, &arena);
	assert_ok(configuration_read(str_from(json), &files, &arena, &wanted, &violations, &error));
	assert_int_equal(0, violations.count);
	order = (struct configuration_order){ .wanted = &wanted };
	service.principal.account_id = account;
}

static void start(void)
{
	account = add_account("one");
}

#define assert_plan(add, change, remove) \
	do { \
		assert_ok(service_plan_configuration(&service, &order, &plan)); \
		assert_int_equal((add), plan.counts[PLAN_ADD]); \
		assert_int_equal((change), plan.counts[PLAN_CHANGE]); \
		assert_int_equal((remove), plan.counts[PLAN_REMOVE]); \
	} while (0)

static void apply(const char *text)
{
	want(text);
	assert_ok(service_plan_configuration(&service, &order, &plan));
	assert_ok(service_apply_configuration(&service, &order, &plan));
	assert_ok(service.publishing.result);
}

static void assert_violation(const char *field, const char *message)
{
	assert_int_equal(1, violations.count);
	assert_string_equal(field, violations.first->field);
	assert_string_equal(message, violations.first->message);
}

#define PAGES \
	"SELECT p.slug, GROUP_CONCAT(m.name ORDER BY s.position) FROM status_pages p " \
	"LEFT JOIN status_page_monitors s ON s.status_page_id = p.id " \
	"LEFT JOIN monitors m ON m.id = s.monitor_id GROUP BY p.id ORDER BY p.id"

static const char shop[] =
	"{'monitors': [{'name': 'Web', 'url': 'https://web.test/', 'group': 'Shop'},"
	" {'name': 'Mail', 'label': 'service=mail'}], 'status_pages': [{'slug': 'Shop',"
	" 'name': 'The shop', 'monitors': ['Mail', 'Web', 'Mail'], 'privacy': 2,"
	" 'password': 'secret'}, {'slug': 'empty', 'name': 'Empty'}]}";

static void a_file_is_applied_once(void **state)
{
	(void)state;
	start();
	want(shop);
	assert_plan(4, 0, 0);
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM events) FROM monitors");
	apply(shop);
	assert_rows("Web|https://web.test/|Shop|-|2026-03-05 10:00:00\n"
		    "Mail|-|-|service=mail|2026-03-05 10:00:00",
		    "SELECT name, url, `group`, label, created_at FROM monitors ORDER BY id");
	assert_rows("shop|Mail,Web\nempty|-", PAGES);
	assert_rows("monitor.created|Web|operator\nmonitor.created|Mail|operator\n"
		    "status_page.created|The shop|operator\nstatus_page.created|Empty|operator",
		    "SELECT kind, detail, actor_type FROM events ORDER BY id");
	assert_true(is_published("public/s/empty/index.html"));
	assert_rows("0", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
	forget_events();
	const char *hash =
		select_text("SELECT password_hash FROM status_pages WHERE slug = 'shop'");
	want(shop);
	assert_plan(0, 0, 0);
	apply(shop);
	assert_rows(hash, "SELECT password_hash FROM status_pages WHERE slug = 'shop'");
	assert_string_equal("", events());
}

static void only_what_differs_is_changed(void **state)
{
	(void)state;
	start();
	apply(shop);
	forget_events();
	apply("{'monitors': [{'name': 'Web', 'url': null, 'group': 'Shop'}],"
	      "'status_pages': [{'slug': 'shop', 'name': 'The shop', 'monitors': ['Web'],"
	      "'password': 'other', 'noindex': true}]}");
	assert_rows("monitor.updated|Web\nstatus_page.updated|monitor_ids, password, noindex",
		    "SELECT kind, detail FROM events ORDER BY id");
	assert_rows("Web|-|Shop\nMail|-|-", "SELECT name, url, `group` FROM monitors ORDER BY id");
	assert_rows("shop|Web\nempty|-", PAGES);
	bool is_right = false;
	const char *hash =
		select_text("SELECT password_hash FROM status_pages WHERE slug = 'shop'");
	assert_int_equal(OK, secret_password_matches(hash, STR("other"), &is_right));
	assert_true(is_right);
}

static void pages_show_what_has_changed_of_their_monitors(void **state)
{
	(void)state;
	start();
	apply("{'monitors': [{'name': 'a'}, {'name': 'b'}], 'status_pages': [{'slug': 'p',"
	      "'name': 'P', 'monitors': ['a', 'b']}, {'slug': 'q', 'name': 'Q'}]}");
	const char *other =
		select_text("SELECT r.revision FROM page_revisions r JOIN status_pages p "
			    "ON p.id = r.page_id WHERE p.slug = 'q'");
	apply("{'monitors': [{'name': 'a', 'description': 'For partners'},"
	      "{'name': 'b', 'description': 'For us'}]}");
	assert_published("public/s/p/index.html", "For partners");
	assert_published("public/s/p/index.html", "For us");
	assert_rows(other, "SELECT r.revision FROM page_revisions r JOIN status_pages p "
			   "ON p.id = r.page_id WHERE p.slug = 'q'");
}

static void nothing_is_changed_if_anything_is_wrong(void **state)
{
	(void)state;
	start();
	int64_t other = add_account("other");
	execute("UPDATE status_pages SET domain = 'taken.test' WHERE id = %ld",
		(long)add_page(other, "taken"));
	add_monitor(other, "theirs");
	add_monitor(account, "twin");
	add_monitor(account, "twin");
	want("{'monitors': [{'name': 'a', 'label': 'x=1'}, {'name': 'b', 'label': 'x=1'},"
	     "{'name': 'a', 'url': 'ftp://x'}, {'name': 'twin'}], 'status_pages': ["
	     "{'slug': 'taken', 'name': 'T', 'monitors': ['a', 'theirs', 'twin']},"
	     "{'slug': 'taken', 'name': 'T'}, {'slug': 'c', 'name': 'C', 'domain': 'taken.test'},"
	     "{'slug': 'd'}, {'slug': 'e', 'name': 'E', 'privacy': 2}, {'slug': 'f', 'name': 'F',"
	     "'domain': 'F.test'}, {'slug': 'g', 'name': 'G', 'domain': 'f.test'}]}");
	assert_result(E_INVALID, service_plan_configuration(&service, &order, &plan));
	const char *text = "";
	for (const struct violation *one = violations.first; one; one = one->next)
		text = arena_printf(&arena, "%s%s: %s\n", text, one->field, one->message);
	assert_string_equal(
		"monitors[2].name: The name is already used by monitors[0].\n"
		"monitors[2].url: The url field must be an absolute http or https URL.\n"
		"monitors[3].name: The account has 2 monitors of this name: rename all but one.\n"
		"monitors[0].label: The label has already been taken.\n"
		"monitors[1].label: The label has already been taken.\n"
		"status_pages[0].monitors[0]: There are several monitors a.\n"
		"status_pages[0].monitors[1]: There is no monitor theirs.\n"
		"status_pages[0].monitors[2]: There are several monitors twin.\n"
		"status_pages[1].slug: The slug is already used by status_pages[0].\n"
		"status_pages[3].name: The name field is required.\n"
		"status_pages[4].password: The password field is required when privacy is 2.\n"
		"status_pages[2].domain: The domain has already been taken.\n"
		"status_pages[5].domain: The domain has already been taken.\n"
		"status_pages[6].domain: The domain has already been taken.\n",
		text);
	want("{'status_pages': [{'slug': 'taken', 'name': 'T'}]}");
	assert_result(E_INVALID, service_plan_configuration(&service, &order, &plan));
	assert_violation("status_pages[0].slug", "The slug has already been taken.");
	assert_rows("3|1|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM status_pages), "
			     "(SELECT COUNT(*) FROM events) FROM monitors");
}

static void a_failure_in_the_middle_changes_nothing(void **state)
{
	(void)state;
	start();
	want(shop);
	assert_plan(4, 0, 0);
	break_events();
	assert_result(E_FAILED, service_apply_configuration(&service, &order, &plan));
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM status_pages) FROM monitors");
	assert_false(is_published("public/s/empty/index.html"));
}

static void labels_and_domains_can_be_exchanged(void **state)
{
	(void)state;
	start();
	apply("{'monitors': [{'name': 'a', 'label': 'x=1'}, {'name': 'b', 'label': 'x=2'}],"
	      "'status_pages': [{'slug': 'a', 'name': 'A', 'domain': 'a.test'},"
	      "{'slug': 'b', 'name': 'B', 'domain': 'b.test'}]}");
	apply("{'monitors': [{'name': 'a', 'label': 'x=2'}, {'name': 'b', 'label': 'x=1'}],"
	      "'status_pages': [{'slug': 'a', 'domain': 'b.test'},"
	      "{'slug': 'b', 'domain': 'a.test'}]}");
	assert_rows("a|x=2\nb|x=1", "SELECT name, label FROM monitors ORDER BY name");
	assert_rows("a|b.test\nb|a.test", "SELECT slug, domain FROM status_pages ORDER BY slug");
	/* A domain goes from a page that is removed to a new one. */
	want("{'status_pages': [{'slug': 'a'}, {'slug': 'c', 'name': 'C', 'domain': 'a.test'}]}");
	order.prunes = true;
	assert_plan(1, 0, 1);
	assert_ok(service_apply_configuration(&service, &order, &plan));
	assert_rows("a|b.test\nc|a.test", "SELECT slug, domain FROM status_pages ORDER BY slug");
}

static void what_the_file_lacks_is_removed_on_demand(void **state)
{
	(void)state;
	start();
	apply(shop);
	int64_t mail = select_number("SELECT id FROM monitors WHERE name = 'Mail'");
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) VALUES (%ld, %ld, 'x', '2026-03-01', '2026-03-02', NOW(), "
		"NOW())",
		(long)account, (long)mail);
	execute("INSERT INTO incident_counts (account_id, monitor_id, status, total) "
		"VALUES (%ld, %ld, 2, 1)",
		(long)account, (long)mail);
	static const char less[] = "{'monitors': [{'name': 'Web'}]}";
	want(less);
	assert_plan(0, 0, 0);
	/* The file says nothing about pages. */
	order.prunes = true;
	assert_plan(0, 0, 1);
	const struct planned_list *monitors = &plan.lists[CONFIGURED_MONITORS];
	assert_int_equal(1, monitors->rows[monitors->count - 1].before.monitor.incident_count);
	order.keeps_history = true;
	assert_ok(service_apply_configuration(&service, &order, &plan));
	assert_rows("Web|0\nMail|1",
		    "SELECT name, retired_at IS NOT NULL FROM monitors ORDER BY id");
	assert_rows("1", "SELECT COUNT(*) FROM incidents");
	want("{'monitors': [], 'status_pages': [{'slug': 'shop'}]}");
	order.prunes = true;
	assert_plan(0, 0, 2);
	assert_true(is_published("public/s/empty/index.html"));
	assert_ok(service_apply_configuration(&service, &order, &plan));
	assert_rows("Mail", "SELECT name FROM monitors");
	assert_rows("shop|Mail", PAGES);
	assert_false(is_published("public/s/empty/index.html"));
}

static void a_change_of_others_is_not_overwritten(void **state)
{
	(void)state;
	start();
	apply(shop);
	want("{'monitors': [{'name': 'Web', 'group': 'A'}], 'status_pages': []}");
	order.prunes = true;
	assert_plan(0, 1, 3);
	execute("INSERT INTO monitors (account_id, name, created_at, updated_at) "
		"VALUES (%ld, 'New', NOW(), NOW())",
		(long)account);
	assert_result(E_CONFLICT, service_apply_configuration(&service, &order, &plan));
	assert_rows("3|2", "SELECT COUNT(*), (SELECT COUNT(*) FROM status_pages) FROM monitors");
	assert_rows("Shop", "SELECT `group` FROM monitors WHERE name = 'Web'");
	/* Nor is another password. */
	want("{'status_pages': [{'slug': 'shop', 'password': 'new'}]}");
	assert_plan(0, 1, 0);
	execute("UPDATE status_pages SET password_hash = 'x' WHERE slug = 'shop'");
	assert_result(E_CONFLICT, service_apply_configuration(&service, &order, &plan));
	assert_rows("x", "SELECT password_hash FROM status_pages WHERE slug = 'shop'");
}

static void a_change_of_other_fields_by_others_is_kept(void **state)
{
	(void)state;
	start();
	apply(shop);
	want("{'monitors': [{'name': 'Web', 'group': 'A'}, {'name': 'Mail'}],"
	     "'status_pages': [{'slug': 'shop', 'name': 'New'}]}");
	assert_plan(0, 2, 0);
	execute("UPDATE monitors SET description = 'Theirs'");
	execute("UPDATE status_pages SET meta_title = 'Theirs', domain = 'theirs.test' "
		"WHERE slug = 'shop'");
	assert_ok(service_apply_configuration(&service, &order, &plan));
	assert_rows("Web|A|Theirs\nMail|-|Theirs",
		    "SELECT name, `group`, description FROM monitors ORDER BY id");
	assert_rows("New|Theirs|theirs.test", "SELECT name, meta_title, domain FROM status_pages "
					      "WHERE slug = 'shop'");
	/* A field that the file states is not kept, though it was right when it was compared. */
	want("{'monitors': [{'name': 'Web', 'group': 'A'}, {'name': 'Mail', 'url': null,"
	     "'position': 3}]}");
	assert_plan(0, 1, 0);
	execute("UPDATE monitors SET `group` = 'B' WHERE name = 'Web'");
	assert_result(E_CONFLICT, service_apply_configuration(&service, &order, &plan));
	assert_rows("B|0\n-|0", "SELECT `group`, position FROM monitors ORDER BY id");
	/* Neither is a picture that was uploaded meanwhile. */
	want("{'status_pages': [{'slug': 'shop', 'name': 'Newer', 'logo': null}]}");
	assert_plan(0, 1, 0);
	execute("UPDATE status_pages SET logo_file = 'logo-1.png' WHERE slug = 'shop'");
	assert_result(E_CONFLICT, service_apply_configuration(&service, &order, &plan));
	assert_rows("New", "SELECT name FROM status_pages WHERE slug = 'shop'");
}

static void a_quota_is_a_violation(void **state)
{
	(void)state;
	start();
	add_monitor(account, "first");
	config.most_monitors = 2;
	want("{'monitors': [{'name': 'a'}, {'name': 'b'}]}");
	assert_plan(2, 0, 0);
	assert_result(E_INVALID, service_apply_configuration(&service, &order, &plan));
	assert_violation("monitors", "The account may have at most 2 monitors.");
	config.most_monitors = 3;
	assert_ok(service_apply_configuration(&service, &order, &plan));
	assert_rows("3", "SELECT COUNT(*) FROM monitors");
}

/* A file of `count` monitors, and a page of all for each ten. */
static const char *large(int count, const char *group)
{
	const char *monitors = "", *pages = "", *names = "";
	for (int i = 0; i < count; i++) {
		monitors = arena_printf(&arena, "%s%s{'name': 'm%d', 'group': '%s'}", monitors,
					i > 0 ? ", " : "", i, group);
		names = arena_printf(&arena, "%s%s'm%d'", names, i > 0 ? ", " : "", i);
	}
	for (int i = 0; i < count / 10; i++)
		pages = arena_printf(&arena, "%s%s{'slug': 'p%d', 'name': 'P', 'monitors': [%s]}",
				     pages, i > 0 ? ", " : "", i, names);
	return arena_printf(&arena, "{'monitors': [%s], 'status_pages': [%s]}", monitors, pages);
}

static uint64_t statements_of_plan(const char *text)
{
	uint64_t before = db_queries(db);
	want(text);
	assert_ok(service_plan_configuration(&service, &order, &plan));
	return db_queries(db) - before;
}

static void statements_do_not_grow_with_what_is_compared(void **state)
{
	(void)state;
	start();
	apply(large(10, "a"));
	uint64_t few = statements_of_plan(large(10, "a"));
	assert_int_equal(3, few);
	assert_int_equal(few, statements_of_plan(large(10, "b")));
	apply(large(90, "a"));
	assert_int_equal(few, statements_of_plan(large(90, "a")));
	/* A change costs one statement for each object that it writes. */
	want(large(90, "b"));
	assert_ok(service_plan_configuration(&service, &order, &plan));
	uint64_t before = db_queries(db);
	assert_ok(service_apply_configuration(&service, &order, &plan));
	uint64_t used = db_queries(db) - before;
	assert_in_range(used, 90, 90 + 20);
}

#define DEPENDENCIES \
	"SELECT m.name, d.name FROM monitors m LEFT JOIN monitor_checks k ON k.monitor_id = m.id " \
	"LEFT JOIN monitors d ON d.id = k.depends_on_id ORDER BY m.name"

/* Also of a monitor that the file adds later, and the other way round than before. */
static void monitors_depend_on_others_by_name(void **state)
{
	(void)state;
	start();
	apply("{'monitors': [{'name': 'a', 'depends_on': ' b '}, {'name': 'b', 'type': 'ping',"
	      "'url': 'b.test'}, {'name': 'c', 'depends_on': 'a'}]}");
	assert_rows("a|b\nb|-\nc|a", DEPENDENCIES);
	want("{'monitors': [{'name': 'a', 'depends_on': 'b'}, {'name': 'b', 'depends_on': null}]}");
	assert_plan(0, 0, 0);
	int64_t twin = add_monitor(account, "twin");
	add_monitor(account, "twin");
	want("{'monitors': [{'name': 'a', 'depends_on': 'd'}, {'name': 'b', 'depends_on': "
	     "'twin'}]}");
	assert_result(E_INVALID, service_plan_configuration(&service, &order, &plan));
	assert_int_equal(2, violations.count);
	assert_string_equal("monitors[0].depends_on", violations.first->field);
	assert_string_equal("There is no monitor d.", violations.first->message);
	assert_string_equal("There are several monitors twin.", violations.last->message);
	execute("DELETE FROM monitors WHERE id >= %ld", (long)twin);
	apply("{'monitors': [{'name': 'b', 'depends_on': 'a'}, {'name': 'a', 'depends_on': null},"
	      "{'name': 'c', 'depends_on': 'd'}, {'name': 'd', 'depends_on': 'b'}]}");
	assert_rows("a|-\nb|a\nc|d\nd|b", DEPENDENCIES);
	/* A circle through a monitor that the file does not change. */
	want("{'monitors': [{'name': 'a', 'depends_on': 'c'}]}");
	assert_plan(0, 1, 0);
	assert_result(E_INVALID, service_apply_configuration(&service, &order, &plan));
	assert_string_equal("monitors[0].depends_on", violations.first->field);
	assert_rows("a|-\nb|a\nc|d\nd|b", DEPENDENCIES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_file_is_applied_once),
		SERVICE_TEST(only_what_differs_is_changed),
		SERVICE_TEST(pages_show_what_has_changed_of_their_monitors),
		SERVICE_TEST(nothing_is_changed_if_anything_is_wrong),
		SERVICE_TEST(a_failure_in_the_middle_changes_nothing),
		SERVICE_TEST(labels_and_domains_can_be_exchanged),
		SERVICE_TEST(what_the_file_lacks_is_removed_on_demand),
		SERVICE_TEST(a_change_of_others_is_not_overwritten),
		SERVICE_TEST(a_change_of_other_fields_by_others_is_kept),
		SERVICE_TEST(a_quota_is_a_violation),
		SERVICE_TEST(monitors_depend_on_others_by_name),
		SERVICE_TEST(statements_do_not_grow_with_what_is_compared),
	};
	return RUN_ON_DATABASE(tests);
}
