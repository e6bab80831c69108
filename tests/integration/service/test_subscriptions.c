/* Subscriptions of visitors, and what operators do with the subscribers of a page. */
#include "integration/lib/service.h"

#include "access/signed_id.h"
#include "base/buf.h"
#include "service/bounces.h"
#include "service/subscribers.h"
#include "service/subscriptions.h"

static int64_t account, page, web, mail;

static void make_world(void)
{
	account = add_account("one");
	page = add_page(account, "one");
	web = add_monitor(account, "web");
	mail = add_monitor(account, "mail");
	show_monitor(page, web, 1);
	show_monitor(page, mail, 2);
	service.principal = (struct principal){ .type = PRINCIPAL_SYSTEM, .label = "" };
}

static struct subscriber_input input_of(const char *address, int64_t *monitor)
{
	return (struct subscriber_input){ address, { monitor, monitor ? 1 : 0 } };
}

static enum result subscribe(const char *address, int64_t *monitor)
{
	const struct subscriber_input input = input_of(address, monitor);
	return service_subscribe(&service, "one", &input, true);
}

static struct subscription subscription_of(const char *address)
{
	struct subscription subscription = {
		.id = select_number("SELECT id FROM subscribers WHERE address = '%s'", address)
	};
	assert_ok(service_read_key(&service, &subscription.key));
	return subscription;
}

static void asking_stores_an_unconfirmed_subscriber(void **state)
{
	(void)state;
	make_world();
	assert_ok(subscribe("Ann@example.org", &mail));
	assert_rows(arena_printf(&arena, "%ld|%ld|0|Ann@example.org|0|2026-03-05 10:00:00|-|-",
				 (long)account, (long)page),
		    "SELECT account_id, page_id, type, address, takes_all, created_at, "
		    "confirmed_at, suspended_at FROM subscribers");
	assert_rows(arena_printf(&arena, "%ld", (long)mail),
		    "SELECT monitor_id FROM subscriber_monitors");
	assert_rows("1|subscriber.asked|0|-|2026-03-05 10:00:00",
		    "SELECT lane, kind, state, outbox_id, due_at FROM deliveries");
	/* Until the receiver confirms, the newest request counts. */
	assert_ok(subscribe("ann@example.org", NULL));
	assert_rows("Ann@example.org|1", "SELECT address, takes_all FROM subscribers");
	assert_rows("0|2",
		    "SELECT COUNT(*), (SELECT COUNT(*) FROM deliveries) FROM subscriber_monitors");
	/* An address that was asked too often gets no message, and the same outcome. */
	const struct subscriber_input input = input_of("ann@example.org", NULL);
	assert_ok(service_subscribe(&service, "one", &input, false));
	assert_rows("2", "SELECT COUNT(*) FROM deliveries");
	assert_rows("0", "SELECT COUNT(*) FROM events");
}

static void asking_again_changes_no_confirmed_subscriber(void **state)
{
	struct subscription subscription;
	(void)state;
	make_world();
	assert_ok(subscribe("ann@example.org", &mail));
	subscription = subscription_of("ann@example.org");
	assert_ok(service_confirm_subscription(&service, &subscription));
	service.now.s += 60;
	assert_ok(subscribe("ANN@example.org", &web));
	assert_ok(subscribe("ann@example.org", NULL));
	assert_rows("0|2026-03-05 10:00:00", "SELECT takes_all, confirmed_at FROM subscribers");
	assert_rows(arena_printf(&arena, "%ld", (long)mail),
		    "SELECT monitor_id FROM subscriber_monitors");
	/* The receiver learns that he is subscribed. */
	assert_rows("3", "SELECT COUNT(*) FROM deliveries");
}

static void wrong_requests_store_nothing(void **state)
{
	(void)state;
	make_world();
	int64_t other = add_monitor(account, "other"), none = 999999999;
	assert_result(E_INVALID, subscribe("nonsense", NULL));
	assert_true(violations_has(&violations, "address"));
	assert_result(E_INVALID, subscribe("a@example.org", &other));
	assert_true(violations_has(&violations, "monitor_ids"));
	assert_result(E_INVALID, subscribe("a@example.org", &none));
	const struct subscriber_input input = input_of("a@example.org", NULL);
	assert_result(E_NOT_FOUND, service_subscribe(&service, "none", &input, true));
	execute("UPDATE status_pages SET allow_subscribers = 0");
	assert_result(E_NOT_FOUND, subscribe("a@example.org", NULL));
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM deliveries) FROM subscribers");
}

static void a_page_has_a_bounded_number_of_subscribers(void **state)
{
	struct subscriber added;
	(void)state;
	make_world();
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at, confirmed_at) SELECT %ld, %ld, 0, CONCAT('s', seq, "
		"'@example.org'), SHA2(CONCAT('s', seq, '@example.org'), 256), 1, NOW(), NOW() "
		"FROM seq_1_to_%d",
		(long)account, (long)page, SUBSCRIBERS_OF_PAGE_MAX);
	/* A visitor learns nothing, and known ones are still known. */
	assert_ok(subscribe("new@example.org", NULL));
	assert_ok(subscribe("s7@example.org", NULL));
	assert_rows("1", "SELECT COUNT(*) FROM deliveries");
	act_as_key(account);
	const struct subscriber_input input = input_of("new@example.org", NULL);
	assert_result(E_INVALID, service_add_subscriber(&service, page, &input, &added));
	assert_true(violations_has(&violations, "address"));
	struct subscriber_import import = { .csv = STR("address\nnew@example.org\n") };
	violations_init(&violations, &arena);
	assert_result(E_INVALID, service_import_subscribers(&service, page, &import));
	assert_true(violations_has(&violations, "file"));
	assert_int_equal(SUBSCRIBERS_OF_PAGE_MAX,
			 select_number("SELECT COUNT(*) FROM subscribers"));
}

static void the_link_confirms_changes_and_ends(void **state)
{
	struct subscription subscription;
	(void)state;
	make_world();
	assert_ok(subscribe("ann@example.org", NULL));
	assert_ok(subscribe("https://hooks.example.org/x", NULL));
	subscription = subscription_of("ann@example.org");
	assert_ok(service_show_subscription(&service, &subscription));
	assert_string_equal("ann@example.org", subscription.subscriber.address);
	assert_string_equal("one", subscription.page.slug);
	assert_int_equal(2, subscription.system_count);
	assert_int_equal(web, subscription.systems[0].id);
	assert_null(subscription.secret);
	assert_rows("-\n-", "SELECT confirmed_at FROM subscribers");
	assert_ok(service_confirm_subscription(&service, &subscription));
	assert_rows("2026-03-05 10:00:00\n-", "SELECT confirmed_at FROM subscribers ORDER BY id");
	const struct id_list ids = { &web, 1 };
	assert_ok(service_change_subscription(&service, &ids, &subscription));
	assert_rows("0\n1", "SELECT takes_all FROM subscribers ORDER BY id");
	int64_t other = add_monitor(account, "other");
	const struct id_list wrong = { &other, 1 };
	assert_result(E_INVALID, service_change_subscription(&service, &wrong, &subscription));
	assert_rows(arena_printf(&arena, "%ld", (long)web),
		    "SELECT monitor_id FROM subscriber_monitors");
	const struct id_list all = { NULL, 0 };
	assert_ok(service_change_subscription(&service, &all, &subscription));
	assert_rows("1|0", "SELECT MIN(takes_all), (SELECT COUNT(*) FROM subscriber_monitors) "
			   "FROM subscribers");
	for (int i = 0; i < 2; i++)
		assert_ok(service_end_subscription(&service, &subscription));
	assert_rows("1|https://hooks.example.org/x|1",
		    "SELECT COUNT(*), MIN(address), (SELECT COUNT(*) FROM deliveries) "
		    "FROM subscribers");
	assert_result(E_NOT_FOUND, service_confirm_subscription(&service, &subscription));
	assert_result(E_NOT_FOUND, service_show_subscription(&service, &subscription));
	subscription = subscription_of("https://hooks.example.org/x");
	assert_ok(service_show_subscription(&service, &subscription));
	assert_memory_equal("whsec_", subscription.secret, 6);
	assert_memory_equal("whpk_", subscription.public_key, 5);
}

static struct subscriber add(const char *address, int64_t *monitor)
{
	struct subscriber added;
	const struct subscriber_input input = input_of(address, monitor);
	assert_ok(service_add_subscriber(&service, page, &input, &added));
	return added;
}

static void an_operator_adds_and_deletes(void **state)
{
	struct subscriber added, deleted;
	(void)state;
	make_world();
	act_as_key(account);
	added = add("ann@example.org", &web);
	assert_int_equal(SUBSCRIBER_CONFIRMED, added.state);
	assert_false(added.takes_all_monitors);
	assert_one_event(account, "subscriber.created", page, 0,
			 arena_printf(&arena, "subscriber %ld", (long)added.id));
	forget_events();
	const struct subscriber_input again = input_of("ANN@example.org", NULL);
	assert_result(E_INVALID, service_add_subscriber(&service, page, &again, &deleted));
	int64_t other = add_monitor(account, "other");
	const struct subscriber_input wrong = input_of("b@example.org", &other);
	assert_result(E_INVALID, service_add_subscriber(&service, page, &wrong, &deleted));
	assert_rows("1", "SELECT COUNT(*) FROM subscribers");
	/* Another account, and another page of the same account. */
	int64_t second = add_page(account, "two");
	assert_result(E_NOT_FOUND, service_delete_subscriber(&service, second, added.id, &deleted));
	act_as_key(add_account("two"));
	assert_result(E_NOT_FOUND, service_delete_subscriber(&service, page, added.id, &deleted));
	assert_result(E_NOT_FOUND, service_add_subscriber(&service, page, &again, &deleted));
	act_as_key(account);
	assert_ok(service_delete_subscriber(&service, page, added.id, &deleted));
	assert_one_event(account, "subscriber.deleted", page, 0,
			 arena_printf(&arena, "subscriber %ld", (long)added.id));
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM subscriber_monitors) "
			   "FROM subscribers");
}

static void import_is(const char *csv, int64_t added, int64_t skipped)
{
	struct subscriber_import import = { .csv = str_from(csv) };
	assert_ok(service_import_subscribers(&service, page, &import));
	assert_int_equal(added, import.added);
	assert_int_equal(skipped, import.skipped);
}

static void what_was_exported_can_be_imported(void **state)
{
	static const char *const addresses[] = { "ann@example.org", "=1+1@example.org",
						 "'+a@example.org", "-b@example.org",
						 "https://hooks.example.org/?a=\"x\",y" };
	struct buf csv CLEANUP(buf_done) = BUF_INIT(1 << 20);
	(void)state;
	make_world();
	act_as_key(account);
	for (size_t i = 0; i < ARRAY_LEN(addresses) - 1; i++)
		add(addresses[i], i == 0 ? &web : NULL);
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at) VALUES (%ld, %ld, 0, 'new@example.org', '0', 1, NOW())",
		(long)account, (long)page);
	assert_ok(service_export_subscribers(&service, page, &csv));
	buf_putc(&csv, '\0');
	assert_non_null(strstr(csv.data, "address,type,state,confirmed_at,monitor_ids\r\n"));
	assert_non_null(strstr(csv.data,
			       arena_printf(&arena,
					    "ann@example.org,email,confirmed,2026-03-05T10:00:00Z,"
					    "%ld\r\n",
					    (long)web)));
	/* No value begins like a formula. */
	assert_non_null(strstr(csv.data, "\r\n'=1+1@example.org,"));
	assert_non_null(strstr(csv.data, "\r\n''+a@example.org,"));
	assert_non_null(strstr(csv.data, "\r\n'-b@example.org,"));
	const char *before = arena_strdup(
		&arena, select_text("SELECT address FROM subscribers "
				    "WHERE confirmed_at IS NOT NULL ORDER BY address"));
	execute("DELETE FROM subscribers");
	import_is(csv.data, 4, 1);
	assert_string_equal(before, select_text("SELECT address FROM subscribers ORDER BY "
						"address"));
	import_is(csv.data, 0, 5);
	/* Other accounts. */
	act_as_key(add_account("two"));
	struct subscriber_import import = { .csv = STR("address\na@example.org\n") };
	assert_result(E_NOT_FOUND, service_import_subscribers(&service, page, &import));
	assert_result(E_NOT_FOUND, service_export_subscribers(&service, page, &csv));
}

static void a_wrong_line_is_named_and_nothing_is_imported(void **state)
{
	static const struct {
		const char *csv, *words;
	} rows[] = {
		{ "", "line 1" },
		{ "mail\na@example.org\n", "line 1: the header has no column address" },
		{ "address\na@example.org\n\nnone\n", "line 4" },
		{ "state,address\nconfirmed\n", "line 2: the row is too short" },
		{ "address\n\"open\n", "line 3" },
		{ "address\nb@example.org\r\nhttp://x.example/\r\n", "line 3" },
	};
	(void)state;
	make_world();
	act_as_key(account);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct subscriber_import import = { .csv = str_from(rows[i].csv) };
		violations_init(&violations, &arena);
		assert_result(E_INVALID, service_import_subscribers(&service, page, &import));
		assert_string_equal("file", violations.first->field);
		if (!strstr(violations.first->message, rows[i].words))
			fail_msg("%s", violations.first->message);
	}
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM events) FROM subscribers");
}

static void statements_of_an_import_are_few(void **state)
{
	enum { COUNT = 5000 };
	struct buf csv CLEANUP(buf_done) = BUF_INIT(1 << 20);
	(void)state;
	make_world();
	act_as_key(account);
	buf_puts(&csv, "address\n");
	for (int i = 0; i < COUNT; i++)
		buf_printf(&csv, "a%d@example.org\n", i);
	buf_putc(&csv, '\0');
	uint64_t before = db_queries(db);
	import_is(csv.data, COUNT, 0);
	assert_in_range(db_queries(db) - before, 1, 10 + COUNT / 512);
}

static const char *bounce_to(int64_t delivery, enum signed_id_purpose purpose, const char *status)
{
	struct signing_key key;
	assert_ok(service_read_key(&service, &key));
	return arena_printf(
		&arena,
		"To: bounces+%s@example.org\r\nMIME-Version: 1.0\r\nContent-Type: "
		"multipart/report; report-type=delivery-status; boundary=B\r\n\r\n--B\r\n"
		"Content-Type: text/plain\r\n\r\nSorry.\r\n--B\r\nContent-Type: "
		"message/delivery-status\r\n\r\nReporting-MTA: dns; x.example\r\n\r\n"
		"Final-Recipient: rfc822; ann@example.org\r\nAction: failed\r\nStatus: %s\r\n\r\n"
		"--B--\r\n",
		signed_id_make(&key, purpose, delivery, &arena), status);
}

static void a_bounce_counts_by_its_signature(void **state)
{
	enum bounce_outcome outcome;
	(void)state;
	make_world();
	assert_ok(subscribe("ann@example.org", NULL));
	int64_t delivery = select_number("SELECT id FROM deliveries");
	static const struct {
		enum signed_id_purpose purpose;
		const char *status;
		int64_t more;
		enum bounce_outcome outcome;
		const char *bounces;
	} rows[] = {
		{ SIGNED_SUBSCRIBER, "5.1.1", 0, BOUNCE_UNSIGNED, "0" },
		{ SIGNED_HEARTBEAT, "5.1.1", 0, BOUNCE_UNSIGNED, "0" },
		{ SIGNED_BOUNCE, "4.2.2", 0, BOUNCE_IGNORED, "0" },
		{ SIGNED_BOUNCE, "5.2.2", 0, BOUNCE_IGNORED, "0" },
		{ SIGNED_BOUNCE, "5.1.1", 1000, BOUNCE_IGNORED, "0" },
		{ SIGNED_BOUNCE, "5.1.1", 0, BOUNCE_COUNTED, "1" },
		{ SIGNED_BOUNCE, "5.1.1", 0, BOUNCE_COUNTED, "1" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *report =
			bounce_to(delivery + rows[i].more, rows[i].purpose, rows[i].status);
		assert_ok(service_take_bounce(&service, str_from(report), &outcome));
		assert_int_equal(rows[i].outcome, outcome);
		assert_rows(rows[i].bounces, "SELECT bounces FROM subscribers");
	}
	assert_ok(service_take_bounce(&service, STR("x"), &outcome));
	assert_int_equal(BOUNCE_UNSIGNED, outcome);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(asking_stores_an_unconfirmed_subscriber),
		SERVICE_TEST(asking_again_changes_no_confirmed_subscriber),
		SERVICE_TEST(wrong_requests_store_nothing),
		SERVICE_TEST(a_page_has_a_bounded_number_of_subscribers),
		SERVICE_TEST(the_link_confirms_changes_and_ends),
		SERVICE_TEST(an_operator_adds_and_deletes),
		SERVICE_TEST(what_was_exported_can_be_imported),
		SERVICE_TEST(a_wrong_line_is_named_and_nothing_is_imported),
		SERVICE_TEST(statements_of_an_import_are_few),
		SERVICE_TEST(a_bounce_counts_by_its_signature),
	};
	return RUN_ON_DATABASE(tests);
}
