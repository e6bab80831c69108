/* The operations on alert channels and deliveries. */
#include "integration/lib/service.h"

#include "access/signing_key.h"
#include "base/secret.h"
#include "notify/channel_value.h"
#include "service/alert_channels.h"
#include "service/monitors.h"
#include "service/resource/resource.h"

#define URL	   "https://hooks.example.com/secret-path"
#define KEY	   "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
#define OTHER_KEY  "whsec_YWJjZGVmMDEyMzQ1Njc4OTAxMjM0NTY3"
#define SENT(name) FIELD_SET(ALERT_CHANNEL_FIELD_##name)

static int64_t account;

static void make_world(void)
{
	account = add_account("one");
	act_as_key(account);
}

static struct alert_channel add(void)
{
	struct alert_channel channel;
	const struct alert_channel_input input = { .name = " Hook ",
						   .type = ALERT_WEBHOOK,
						   .value = { .url = URL, .secret = KEY },
						   .takes_all_monitors = true };
	struct field_set sent = SENT(name);
	field_set_add(&sent, ALERT_CHANNEL_FIELD_type);
	field_set_add(&sent, ALERT_CHANNEL_FIELD_value);
	field_set_add(&sent, ALERT_CHANNEL_FIELD_takes_all_monitors);
	assert_ok(service_add_alert_channel(&service, account, &input, sent, &channel));
	return channel;
}

/* The value as a sender opens it. */
static struct alert_channel_value opened(int64_t owner, int64_t id)
{
	struct alert_channel_value value;
	struct signing_key key;
	assert_ok(service_read_key(&service, &key));
	const char *sealed =
		select_text("SELECT sealed_value FROM alert_channels WHERE id = %ld", (long)id);
	if (!channel_value_open(&value, owner, sealed, &key, &arena))
		value = (struct alert_channel_value){ 0 };
	return value;
}

static void a_channel_is_stored_with_its_value_sealed(void **state)
{
	(void)state;
	make_world();
	const struct alert_channel channel = add();
	assert_string_equal("Hook", channel.name);
	assert_string_equal("hooks.example.com", channel.address);
	assert_null(channel.value.url);
	assert_null(channel.value.secret);
	assert_rows(arena_printf(&arena, "%ld|Hook|0|hooks.example.com|1|1|-|0|0", (long)account),
		    "SELECT account_id, name, type, address, is_enabled, takes_all_monitors, "
		    "events, delay, reminder FROM alert_channels");
	assert_rows("0",
		    "SELECT COUNT(*) FROM alert_channels WHERE sealed_value LIKE '%%secret%%'");
	assert_string_equal(URL, opened(account, channel.id).url);
	assert_string_equal(KEY, opened(account, channel.id).secret);
	/* A row that was copied to another account cannot be opened there. */
	assert_null(opened(account + 1, channel.id).url);
	assert_one_event(account, "alert_channel.created", channel.id, 0, "Hook");
}

static void a_wrong_channel_is_not_stored(void **state)
{
	struct alert_channel channel;
	struct field_set sent = SENT(name);
	(void)state;
	make_world();
	const struct alert_channel_input input = { .name = "x", .type = ALERT_TELEGRAM };
	field_set_add(&sent, ALERT_CHANNEL_FIELD_type);
	assert_result(E_INVALID,
		      service_add_alert_channel(&service, account, &input, sent, &channel));
	assert_true(violations_has(&violations, "value.token"));
	assert_true(violations_has(&violations, "value.chat_id"));
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM events) FROM alert_channels");
}

static void an_account_has_a_hundred_channels(void **state)
{
	struct alert_channel channel;
	(void)state;
	make_world();
	add();
	execute("INSERT INTO alert_channels (account_id, name, type, address, sealed_value, "
		"is_enabled, takes_all_monitors, delay, reminder, created_at, updated_at) "
		"SELECT account_id, name, type, address, sealed_value, 0, 0, 0, 0, NOW(), NOW() "
		"FROM alert_channels, seq_1_to_%d",
		ALERT_CHANNELS_OF_ACCOUNT_MAX - 2);
	add();
	struct field_set sent = SENT(name);
	const struct alert_channel_input input = { .name = "x", .value.url = URL };
	field_set_add(&sent, ALERT_CHANNEL_FIELD_value);
	assert_result(E_QUOTA_EXCEEDED,
		      service_add_alert_channel(&service, account, &input, sent, &channel));
	assert_true(violations_has(&violations, "alert_channels"));
	/* Another account has its own hundred. */
	violations = (struct violations){ .arena = &arena };
	account = add_account("two");
	act_as_key(account);
	add();
}

static void a_change_keeps_secrets_and_ends_a_suspension(void **state)
{
	struct alert_channel channel, changed;
	(void)state;
	make_world();
	channel = add();
	int64_t event = execute("INSERT INTO outbox (account_id, kind, object_id, at, payload, "
				"due_at, is_expanded) VALUES (%ld, 'incident.opened', 7, "
				"'2026-03-05 09:00:00', '{}', '2026-03-05 09:00:00', 1)",
				(long)account);
	execute("INSERT INTO deliveries (account_id, outbox_id, channel_id, event, kind, "
		"object_id, "
		"state, created_at, due_at, first_due_at) VALUES (%ld, %ld, %ld, 0, "
		"'incident.opened', 7, 3, '2026-03-05 09:00:00', '2026-03-05 09:00:00', "
		"'2026-03-05 09:00:00')",
		(long)account, (long)event, (long)channel.id);
	execute("UPDATE alert_channels SET suspended_at = NOW(), suspension = 'gone'");
	const struct alert_channel_input input = { .value.url = "https://new.example.com/" };
	assert_ok(
		service_update_alert_channel(&service, channel.id, &input, SENT(value), &changed));
	assert_null(changed.value.url);
	assert_string_equal("new.example.com", changed.address);
	assert_string_equal("https://new.example.com/", opened(account, channel.id).url);
	assert_string_equal(KEY, opened(account, channel.id).secret);
	assert_rows("-|-", "SELECT suspended_at, suspension FROM alert_channels");
	assert_rows("0|2026-03-05 10:00:00", "SELECT state, due_at FROM deliveries");
	/* Another type gets none of the former secrets. */
	const struct alert_channel_input other = { .type = ALERT_SLACK };
	assert_result(E_INVALID, service_update_alert_channel(&service, channel.id, &other,
							      SENT(type), &changed));
	assert_true(violations_has(&violations, "value.url"));
	assert_rows("0", "SELECT type FROM alert_channels");
}

static void a_new_secret_keeps_the_former_one(void **state)
{
	struct alert_channel channel, changed;
	struct alert_channel_list list;
	(void)state;
	make_world();
	channel = add();
	const struct alert_channel_input input = { .value = { .url = URL, .secret = OTHER_KEY } };
	assert_ok(
		service_update_alert_channel(&service, channel.id, &input, SENT(value), &changed));
	assert_null(changed.value.secret);
	assert_null(changed.value.former_secret);
	const struct alert_channel_value stored = opened(account, channel.id);
	assert_string_equal(OTHER_KEY, stored.secret);
	assert_string_equal(KEY, stored.former_secret);
	assert_string_equal("2026-03-05T10:00:00Z", stored.rotated_at);
	assert_ok(alert_channels_after(db, account, 0, &arena, &list, &error));
	assert_ok(alert_channels_present(&service, list.rows, list.count));
	assert_null(list.rows[0].value.former_secret);
}

static void the_channels_of_others_are_not_found(void **state)
{
	struct alert_channel channel, changed;
	struct delivery delivery;
	struct alert_test test;
	(void)state;
	make_world();
	channel = add();
	act_as_key(add_account("two"));
	const struct alert_channel_input input = { .name = "mine" };
	assert_result(E_NOT_FOUND, service_update_alert_channel(&service, channel.id, &input,
								SENT(name), &changed));
	assert_result(E_NOT_FOUND, service_delete_alert_channel(&service, channel.id, &changed));
	assert_result(E_NOT_FOUND, service_test_alert_channel(&service, channel.id, &test));
	assert_result(E_NOT_FOUND, service_retry_delivery(&service, 1, &delivery));
	assert_rows("Hook", "SELECT name FROM alert_channels");
}

static void a_channel_is_deleted_with_its_deliveries(void **state)
{
	struct alert_channel channel, deleted;
	struct delivery delivery;
	(void)state;
	make_world();
	channel = add();
	forget_events();
	int64_t event = execute("INSERT INTO outbox (account_id, kind, object_id, at, payload, "
				"due_at, is_expanded) VALUES (%ld, 'incident.opened', 7, NOW(), "
				"'{}', NOW(), 1)",
				(long)account);
	int64_t id = execute("INSERT INTO deliveries (account_id, outbox_id, channel_id, event, "
			     "kind, object_id, state, tries, created_at, due_at, first_due_at) "
			     "VALUES (%ld, %ld, %ld, 0, 'incident.opened', 7, 2, 9, '2026-03-01', "
			     "'2026-03-02', '2026-03-01')",
			     (long)account, (long)event, (long)channel.id);
	assert_ok(service_retry_delivery(&service, id, &delivery));
	assert_int_equal(DELIVERY_QUEUED, delivery.state);
	assert_string_equal("Hook", delivery.channel_name);
	assert_rows("0|0|2026-03-05 10:00:00|0", "SELECT state, tries, due_at, lease FROM "
						 "deliveries");
	assert_ok(service_delete_alert_channel(&service, channel.id, &deleted));
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM deliveries) FROM "
			   "alert_channels");
	assert_one_event(account, "alert_channel.deleted", channel.id, 0, "Hook");
}

static void a_list_has_no_secrets(void **state)
{
	struct alert_channel_list list;
	(void)state;
	make_world();
	add();
	assert_ok(alert_channels_after(db, account, 0, &arena, &list, &error));
	assert_int_equal(1, list.count);
	assert_ok(alert_channels_present(&service, list.rows, list.count));
	assert_null(list.rows[0].value.url);
	assert_null(list.rows[0].value.secret);
}

static void a_monitor_lists_channels_of_its_account(void **state)
{
	(void)state;
	make_world();
	int64_t mine = add().id, monitor = add_monitor(account, "web");
	int64_t first = account;
	account = add_account("two");
	act_as_key(account);
	int64_t foreign = add().id;
	act_as_key(first);
	struct monitor changed;
	int64_t ids[] = { mine, foreign };
	struct monitor_input input = { .alert_channel_ids = { ids, 2 } };
	const struct field_set sent = FIELD_SET(MONITOR_FIELD_alert_channel_ids);
	assert_result(E_INVALID, service_update_monitor(&service, monitor, &input, sent, &changed));
	assert_true(violations_has(&violations, "alert_channel_ids"));
	violations = (struct violations){ .arena = &arena };
	assert_rows("0", "SELECT COUNT(*) FROM monitor_channels");
	input.alert_channel_ids.count = 1;
	assert_ok(service_update_monitor(&service, monitor, &input, sent, &changed));
	assert_rows(arena_printf(&arena, "%ld|%ld", (long)monitor, (long)mine),
		    "SELECT monitor_id, channel_id FROM monitor_channels");
	/* The list is replaced. */
	input.alert_channel_ids.count = 0;
	assert_ok(service_update_monitor(&service, monitor, &input, sent, &changed));
	assert_rows("0", "SELECT COUNT(*) FROM monitor_channels");
}

int main(void)
{
	secret_init();
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_channel_is_stored_with_its_value_sealed),
		SERVICE_TEST(a_wrong_channel_is_not_stored),
		SERVICE_TEST(an_account_has_a_hundred_channels),
		SERVICE_TEST(a_change_keeps_secrets_and_ends_a_suspension),
		SERVICE_TEST(a_new_secret_keeps_the_former_one),
		SERVICE_TEST(the_channels_of_others_are_not_found),
		SERVICE_TEST(a_channel_is_deleted_with_its_deliveries),
		SERVICE_TEST(a_list_has_no_secrets),
		SERVICE_TEST(a_monitor_lists_channels_of_its_account),
	};
	return RUN_ON_DATABASE(tests);
}
