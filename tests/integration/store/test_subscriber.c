/* Subscribers of pages: rows, lists, and the end of those who do not confirm. */
#include "integration/lib/database.h"

#include "store/notify/subscriber.h"

static int64_t account, page, web, mail;

static void make_world(void)
{
	account = add_account("one");
	page = add_page(account, "one");
	web = add_monitor(account, "web");
	mail = add_monitor(account, "mail");
	show_monitor(page, mail, 1);
	show_monitor(page, web, 2);
}

static struct subscriber subscriber_of(const char *address, enum subscriber_type type)
{
	return (struct subscriber){
		.account_id = account,
		.page_id = page,
		.type = (int)type,
		.address = address,
		.address_hash = arena_printf(&arena, "%s-hash", address),
		.takes_all_monitors = true,
		.created_at = at(5, 10),
		.confirmed_at = type == SUBSCRIBER_WEBHOOK ? at(5, 11) : (struct instant){ 0 },
	};
}

static int64_t add(struct subscriber *rows, size_t count)
{
	int64_t added = -1;
	assert_committed(subscribers_add(db, rows, count, &arena, &added, &error));
	return added;
}

static void known_addresses_stay_as_they_are(void **state)
{
	(void)state;
	make_world();
	struct subscriber rows[] = { subscriber_of("a", SUBSCRIBER_EMAIL),
				     subscriber_of("b", SUBSCRIBER_WEBHOOK) };
	assert_int_equal(2, add(rows, 2));
	rows[0].confirmed_at = at(6, 10);
	rows[0].address = "A";
	struct subscriber again[] = { rows[0], subscriber_of("c", SUBSCRIBER_EMAIL), rows[1] };
	assert_int_equal(1, add(again, 3));
	assert_rows(arena_printf(&arena,
				 "%1$ld|%2$ld|0|a|a-hash|1|2026-03-05 10:00:00|-|-|-|0|-\n"
				 "%1$ld|%2$ld|1|b|b-hash|1|2026-03-05 10:00:00|2026-03-05 "
				 "11:00:00|-|-|0|-\n"
				 "%1$ld|%2$ld|0|c|c-hash|1|2026-03-05 10:00:00|-|-|-|0|-",
				 (long)account, (long)page),
		    "SELECT account_id, page_id, type, address, address_hash, takes_all, "
		    "created_at, confirmed_at, suspended_at, suspension, bounces, bounced_at "
		    "FROM subscribers ORDER BY id");
	/* Another page has its own. */
	again[0].page_id = add_page(account, "two");
	assert_int_equal(1, add(again, 1));
	assert_int_equal(0, add(again, 0));
}

static void a_subscriber_hears_of_systems_of_the_page(void **state)
{
	struct subscriber found, row;
	struct db_list systems;
	(void)state;
	make_world();
	row = subscriber_of("a", SUBSCRIBER_EMAIL);
	add(&row, 1);
	const struct subscriber_place place = { .page_id = page, .address_hash = "a-hash" };
	assert_ok(subscriber_find(db, &place, &arena, &found, &error));
	assert_true(found.takes_all_monitors);
	assert_int_equal(0, found.monitor_ids.count);
	assert_int_equal(SUBSCRIBER_UNCONFIRMED, found.state);
	int64_t both[] = { web, mail };
	found.takes_all_monitors = false;
	found.monitor_ids = (struct id_list){ both, 2 };
	assert_committed(subscriber_put_monitors(db, &found, &arena, &error));
	assert_ok(subscriber_find(db, &place, &arena, &found, &error));
	assert_int_equal(2, found.monitor_ids.count);
	assert_int_equal(web, found.monitor_ids.ids[0]);
	both[0] = add_monitor(account, "other");
	found.monitor_ids = (struct id_list){ both, 2 };
	assert_transaction(E_NOT_FOUND, subscriber_put_monitors(db, &found, &arena, &error));
	assert_ok(subscribers_systems(db, page, &arena, &systems, &error));
	const struct subscriber_system *rows = systems.rows;
	assert_int_equal(2, systems.count);
	assert_int_equal(mail, rows[0].id);
	assert_string_equal("mail", rows[0].name);
	/* A system that is deleted is in no list any more. */
	execute("DELETE FROM monitors WHERE id = %ld", (long)web);
	assert_ok(subscriber_find(db, &place, &arena, &found, &error));
	assert_int_equal(1, found.monitor_ids.count);
	assert_false(found.takes_all_monitors);
	/* Other places. */
	const struct subscriber_place wrong[] = {
		{ .page_id = page + 1, .id = found.id },
		{ .account_id = account + 1, .id = found.id },
		{ .page_id = page, .id = found.id + 1 },
	};
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_result(E_NOT_FOUND, subscriber_find(db, &wrong[i], &arena, &found, &error));
}

static const char *listed(const struct subscriber_query *query)
{
	struct subscriber_list list;
	const char *text = "";
	assert_ok(subscribers_list(db, query, &arena, &list, &error));
	for (size_t i = 0; i < list.count; i++)
		text = arena_printf(&arena, "%s%s ", text, list.rows[i].address);
	return arena_printf(&arena, "%sof %ld", text, (long)list.total);
}

static void lists_have_filters_and_an_order(void **state)
{
	struct subscriber_list list;
	(void)state;
	make_world();
	struct subscriber rows[] = { subscriber_of("b", SUBSCRIBER_EMAIL),
				     subscriber_of("a_", SUBSCRIBER_WEBHOOK),
				     subscriber_of("ax", SUBSCRIBER_EMAIL) };
	add(rows, 3);
	execute("UPDATE subscribers SET suspended_at = NOW(), suspension = 'x' "
		"WHERE address = 'ax'");
	struct subscriber_query query = { .list = { .account_id = account,
						    .owner_id = page,
						    .limit = 10,
						    .is_ascending = true },
					  .type = SUBSCRIBER_ANY_TYPE,
					  .state = SUBSCRIBER_ANY_STATE };
	assert_string_equal("b a_ ax of 3", listed(&query));
	query.list.sort_by = SUBSCRIBER_BY_ADDRESS;
	query.list.is_ascending = false;
	query.list.limit = 2;
	query.list.offset = 1;
	assert_string_equal("ax a_ of 3", listed(&query));
	query.list.offset = 0;
	query.list.search = "a_";
	assert_string_equal("a_ of 1", listed(&query));
	query.list.search = NULL;
	query.type = SUBSCRIBER_EMAIL;
	assert_string_equal("b ax of 2", listed(&query));
	query.state = SUBSCRIBER_SUSPENDED;
	assert_string_equal("ax of 1", listed(&query));
	query.state = SUBSCRIBER_CONFIRMED;
	assert_string_equal("of 0", listed(&query));
	query.list.account_id = add_account("two");
	assert_result(E_NOT_FOUND, subscribers_list(db, &query, &arena, &list, &error));
	assert_ok(subscribers_after(db, account, 0, 0, &arena, &list, &error));
	assert_int_equal(3, list.count);
	assert_ok(subscribers_after(db, 0, page, list.rows[0].id, &arena, &list, &error));
	assert_int_equal(2, list.count);
	assert_ok(subscribers_after(db, query.list.account_id, page, 0, &arena, &list, &error));
	assert_int_equal(0, list.count);
}

static void those_who_do_not_confirm_are_deleted(void **state)
{
	enum { MANY = 600 };
	bool is_more;
	(void)state;
	make_world();
	struct subscriber rows[] = { subscriber_of("a", SUBSCRIBER_EMAIL),
				     subscriber_of("b", SUBSCRIBER_WEBHOOK) };
	add(rows, 2);
	execute("INSERT INTO deliveries (account_id, subscriber_id, lane, event, kind, object_id, "
		"state, created_at, due_at, first_due_at) SELECT account_id, id, 1, 3, "
		"'subscriber.asked', id, 0, NOW(), NOW(), NOW() FROM subscribers");
	const struct instant end = { at(5, 10).s + SUBSCRIBER_UNCONFIRMED_S };
	assert_ok(subscribers_prune(db, end, &is_more, &error));
	assert_rows("2", "SELECT COUNT(*) FROM subscribers");
	assert_ok(subscribers_prune(db, (struct instant){ end.s + 1 }, &is_more, &error));
	assert_false(is_more);
	assert_rows("b|1", "SELECT address, (SELECT COUNT(*) FROM deliveries) FROM subscribers");
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at) SELECT %ld, %ld, 0, 'x', SHA2(seq, 256), 1, '2026-01-01' "
		"FROM seq_1_to_%d",
		(long)account, (long)page, MANY);
	assert_ok(subscribers_prune(db, end, &is_more, &error));
	assert_true(is_more);
	assert_ok(subscribers_prune(db, end, &is_more, &error));
	assert_false(is_more);
	assert_rows("b", "SELECT address FROM subscribers");
}

static void the_subscribers_of_a_deleted_page_are_deleted_in_steps(void **state)
{
	enum { MANY = 300 };
	bool is_more = true;
	int steps = 0;
	(void)state;
	make_world();
	struct subscriber kept = subscriber_of("kept", SUBSCRIBER_EMAIL);
	kept.page_id = add_page(account, "kept");
	add(&kept, 1);
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at) SELECT %ld, %ld, 0, 'x', SHA2(seq, 256), 1, NOW() "
		"FROM seq_1_to_%d",
		(long)account, (long)page, MANY);
	execute("INSERT INTO deliveries (account_id, subscriber_id, lane, event, kind, object_id, "
		"state, created_at, due_at, first_due_at) SELECT account_id, id, 1, 3, "
		"'subscriber.asked', id, 0, NOW(), NOW(), NOW() FROM subscribers");
	assert_ok(subscribers_prune_pages(db, &is_more, &error));
	assert_false(is_more);
	execute("DELETE FROM status_pages WHERE id = %ld", (long)page);
	assert_rows("301", "SELECT COUNT(*) FROM subscribers");
	do {
		assert_ok(subscribers_prune_pages(db, &is_more, &error));
		steps++;
	} while (is_more && steps < MANY);
	assert_in_range(steps, 3, 10);
	assert_rows("kept|1", "SELECT address, (SELECT COUNT(*) FROM deliveries) FROM subscribers");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(known_addresses_stay_as_they_are),
		DATABASE_TEST(a_subscriber_hears_of_systems_of_the_page),
		DATABASE_TEST(lists_have_filters_and_an_order),
		DATABASE_TEST(those_who_do_not_confirm_are_deleted),
		DATABASE_TEST(the_subscribers_of_a_deleted_page_are_deleted_in_steps),
	};
	return RUN_ON_DATABASE(tests);
}
