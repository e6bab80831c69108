/* Deliveries: who hears of an event, who sends it when, and what stays. */
#include "integration/lib/database.h"

#include <pthread.h>

#include "store/notify/delivery.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

static int64_t account;

/* A channel that takes all monitors, and hears of everything at once. */
static int64_t add_channel(int64_t owner)
{
	return execute("INSERT INTO alert_channels (account_id, name, type, address, sealed_value, "
		       "is_enabled, takes_all_monitors, delay, reminder, created_at, updated_at) "
		       "VALUES (%ld, 'c', 1, 'a', 's', 1, 1, 0, 0, '2026-01-01', NOW())",
		       (long)owner);
}

static void make_world(void)
{
	account = add_account("one");
}

static int64_t add_event(int64_t owner, const char *kind, int64_t object_id)
{
	return execute("INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at) "
		       "VALUES (%ld, '%s', %ld, '2026-03-05 10:00:00', '{\"n\":1}', "
		       "'2026-03-05 10:00:00')",
		       (long)owner, kind, (long)object_id);
}

static struct delivery_event event_of(int64_t outbox_id, enum alert_event event)
{
	return (struct delivery_event){
		.outbox_id = outbox_id,
		.account_id = account,
		.event = event,
		.kind = event == ALERT_UP ? "incident.resolved" : "incident.opened",
		.object_id = 7,
		.at = at(5, 10),
	};
}

static struct delivery_event new_event(enum alert_event event)
{
	return event_of(add_event(account, "incident.opened", 7), event);
}

static void make(const struct delivery_event *event, struct instant now)
{
	assert_committed(deliveries_make(db, event, 1, now, &error));
}

static struct id_list ids_from(int64_t first, size_t count)
{
	struct id_list list = { ARENA_ARRAY(&arena, count + 1, int64_t), count };
	for (size_t i = 0; i < count; i++)
		list.ids[i] = first + (int64_t)i;
	return list;
}

/* The leased deliveries, as "id of the channel/try". */
static const char *leased_by(const struct delivery_lease *asked)
{
	struct delivery_lease lease = *asked;
	lease.until = (struct instant){ lease.now.s + 2 * MINUTE };
	struct db_list found;
	const char *text = "";
	assert_ok(deliveries_lease(db, &lease, &arena, &found, &error));
	const struct leased_delivery *rows = found.rows;
	for (size_t i = 0; i < found.count; i++)
		text = arena_printf(&arena, "%s%ld/%ld ", text, (long)rows[i].channel_id,
				    (long)rows[i].tries);
	return text;
}

static const char *leased(struct instant now, int64_t number)
{
	return leased_by(&(struct delivery_lease){ .lease = number, .now = now, .most = 16 });
}

static void store(int64_t id, int64_t lease, struct delivery_verdict verdict, struct instant now)
{
	const struct delivery_outcome outcome = {
		.id = id,
		.account_id = account,
		.channel_id =
			select_number("SELECT channel_id FROM deliveries WHERE id = %ld", (long)id),
		.lease = lease,
		.verdict = verdict,
		.status = 418,
		.response = "words",
	};
	assert_committed(delivery_store(db, &outcome, now, &error));
}

static int64_t newest(void)
{
	return select_number("SELECT MAX(id) FROM deliveries");
}

static const char *states(void)
{
	return select_text("SELECT GROUP_CONCAT(state ORDER BY id) FROM deliveries");
}

static void channels_of_any_monitor_hear_of_the_checker(void **state)
{
	(void)state;
	make_world();
	int64_t all = add_channel(account), some = add_channel(account),
		deaf = add_channel(account);
	/* That no monitor names. */
	add_channel(account);
	add_channel(add_account("two"));
	execute("UPDATE alert_channels SET takes_all_monitors = 0 WHERE id <> %ld", (long)all);
	execute("INSERT INTO monitor_channels (monitor_id, channel_id) VALUES (%ld, %ld), "
		"(%ld, %ld)",
		(long)add_monitor(account, "web"), (long)some, (long)add_monitor(account, "shop"),
		(long)deaf);
	execute("UPDATE alert_channels SET events = 'down,up' WHERE id = %ld", (long)deaf);
	execute("UPDATE alert_channels SET events = 'checker' WHERE id = %ld", (long)some);
	struct delivery_event event = new_event(ALERT_CHECKER);
	event.kind = "checker.cut_off";
	make(&event, at(5, 10));
	assert_rows(arena_printf(&arena, "%ld|6|checker.cut_off\n%ld|6|checker.cut_off", (long)all,
				 (long)some),
		    "SELECT channel_id, event, kind FROM deliveries ORDER BY channel_id");
	/* An event of the whole account is not for channels of single monitors. */
	execute("DELETE FROM deliveries");
	event = new_event(ALERT_UPDATES);
	make(&event, at(5, 10));
	assert_rows(arena_printf(&arena, "%ld", (long)all), "SELECT channel_id FROM deliveries");
}

static void a_channel_hears_of_its_monitors_or_of_all(void **state)
{
	(void)state;
	make_world();
	int64_t web = add_monitor(account, "web"), mail = add_monitor(account, "mail");
	int64_t all = add_channel(account), listed = add_channel(account);
	int64_t off = add_channel(account), few = add_channel(account);
	add_channel(add_account("other"));
	execute("UPDATE alert_channels SET takes_all_monitors = 0 WHERE id = %ld", (long)listed);
	execute("UPDATE alert_channels SET is_enabled = 0 WHERE id = %ld", (long)off);
	execute("UPDATE alert_channels SET events = 'up, updates' WHERE id = %ld", (long)few);
	execute("INSERT INTO monitor_channels (monitor_id, channel_id) VALUES (%ld, %ld)",
		(long)web, (long)listed);
	struct delivery_event event = new_event(ALERT_DOWN);
	/* Without monitors: of the whole account. */
	make(&event, at(5, 10));
	event = new_event(ALERT_DOWN);
	event.monitors = ids_from(mail, 1);
	make(&event, at(5, 10));
	event = new_event(ALERT_UP);
	event.monitors = ids_from(web, 1);
	make(&event, at(5, 10));
	/* An end with a text is also an update. */
	execute("UPDATE alert_channels SET events = 'updates' WHERE id = %ld", (long)few);
	make(&event, at(5, 10));
	event = new_event(ALERT_UP);
	event.monitors = ids_from(mail, 1);
	make(&event, at(5, 10));
	event = new_event(ALERT_UP);
	event.monitors = ids_from(mail, 1);
	event.is_update = true;
	make(&event, at(5, 10));
	const char *wanted = arena_printf(&arena,
					  "%ld|0|1\n%ld|0|1\n%ld|1|1\n%ld|1|1\n%ld|1|1\n"
					  "%ld|1|1\n%ld|1|1\n%ld|1|1",
					  (long)all, (long)all, (long)all, (long)listed, (long)few,
					  (long)all, (long)all, (long)few);
	assert_rows(wanted,
		    "SELECT channel_id, event, account_id = %ld FROM deliveries "
		    "ORDER BY outbox_id, channel_id",
		    (long)account);
}

static void a_new_channel_hears_nothing_of_before(void **state)
{
	struct delivery_event event;
	(void)state;
	make_world();
	add_channel(account);
	execute("UPDATE alert_channels SET created_at = '2026-03-05 10:00:01'");
	event = new_event(ALERT_DOWN);
	make(&event, at(5, 11));
	assert_rows("0", "SELECT COUNT(*) FROM deliveries");
	execute("UPDATE alert_channels SET created_at = '2026-03-05 10:00:00'");
	make(&event, at(5, 11));
	assert_rows("1", "SELECT COUNT(*) FROM deliveries");
}

static void an_event_has_one_delivery_for_each_channel(void **state)
{
	enum { MONITORS = 1000 };
	(void)state;
	make_world();
	int64_t channel = add_channel(account);
	execute("INSERT INTO monitors (account_id, name, url, position, is_paused, created_at, "
		"updated_at) SELECT %ld, CONCAT('m', seq), '', 0, 0, NOW(), NOW() FROM "
		"seq_1_to_%d",
		(long)account, MONITORS);
	execute("INSERT INTO monitor_channels SELECT id, %ld FROM monitors", (long)channel);
	struct delivery_event event = new_event(ALERT_DOWN);
	event.monitors = ids_from(select_number("SELECT MIN(id) FROM monitors"), MONITORS);
	make(&event, at(5, 10));
	assert_rows("1", "SELECT COUNT(*) FROM deliveries");
	/* A sender that was slow expands the event again. */
	make(&event, at(5, 11));
	assert_rows("1|2026-03-05 10:00:00", "SELECT COUNT(*), MAX(created_at) FROM deliveries");
	execute("UPDATE alert_channels SET takes_all_monitors = 0");
	execute("DELETE FROM monitor_channels");
	event = new_event(ALERT_DOWN);
	event.monitors = ids_from(select_number("SELECT MIN(id) FROM monitors"), MONITORS);
	make(&event, at(5, 10));
	assert_rows("1", "SELECT COUNT(*) FROM deliveries");
}

/* The statements that make the deliveries of so many events. */
static uint64_t statements_for(size_t events, size_t channels)
{
	struct delivery_event *rows = ARENA_ARRAY(&arena, events, struct delivery_event);
	execute("DELETE FROM outbox");
	while ((size_t)select_number("SELECT COUNT(*) FROM alert_channels") < channels)
		add_channel(account);
	for (size_t i = 0; i < events; i++)
		rows[i] = new_event(ALERT_UPDATES);
	uint64_t before = db_queries(db);
	assert_committed(deliveries_make(db, rows, events, at(5, 10), &error));
	uint64_t used = db_queries(db) - before;
	assert_int_equal((int64_t)(events * channels),
			 select_number("SELECT COUNT(*) FROM deliveries"));
	return used;
}

static void statements_do_not_grow_with_channels_or_events(void **state)
{
	(void)state;
	make_world();
	uint64_t one = statements_for(1, 1);
	assert_true(one <= 5);
	assert_int_equal(one, statements_for(64, 1));
	/* A statement adds up to 64 deliveries. */
	assert_int_equal(one + 1, statements_for(1, 100));
	assert_int_equal(one + 500 * 100 / 64, statements_for(500, 100));
}

static void a_delayed_outage_that_is_over_is_withdrawn(void **state)
{
	(void)state;
	make_world();
	int64_t patient = add_channel(account), hasty = add_channel(account);
	execute("UPDATE alert_channels SET delay = 600 WHERE id = %ld", (long)patient);
	struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	assert_rows("2026-03-05 10:10:00\n2026-03-05 10:00:00",
		    "SELECT due_at FROM deliveries ORDER BY channel_id");
	event = new_event(ALERT_UP);
	make(&event, (struct instant){ at(5, 10).s + 5 * MINUTE });
	/* Neither is told to the patient channel, both to the other. */
	assert_rows(arena_printf(&arena, "%ld|4\n%ld|4\n%ld|0\n%ld|0", (long)patient, (long)patient,
				 (long)hasty, (long)hasty),
		    "SELECT channel_id, state FROM deliveries ORDER BY channel_id, id");
	/* Another incident's end is told. */
	event = new_event(ALERT_DOWN);
	event.object_id = 8;
	make(&event, at(5, 10));
	event = new_event(ALERT_UP);
	event.object_id = 9;
	make(&event, at(5, 10));
	assert_rows("0\n0", "SELECT state FROM deliveries WHERE object_id > 7 AND channel_id = %ld",
		    (long)patient);
	/* After the delay both are told. */
	event = new_event(ALERT_UP);
	event.object_id = 8;
	make(&event, (struct instant){ at(5, 10).s + 10 * MINUTE });
	assert_rows("0\n0", "SELECT state FROM deliveries WHERE object_id = 8 AND channel_id = %ld",
		    (long)patient);
}

static void a_channel_sends_in_order(void **state)
{
	(void)state;
	make_world();
	int64_t channel = add_channel(account);
	struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	int64_t first = newest();
	event = new_event(ALERT_UPDATES);
	make(&event, at(5, 10));
	const char *once = arena_printf(&arena, "%ld/1 ", (long)channel);
	assert_string_equal(once, leased(at(5, 10), 1));
	/* The second waits while the first is sent, and while it is tried again. */
	assert_string_equal("", leased(at(5, 10), 2));
	store(first, 1, (struct delivery_verdict){ .state = DELIVERY_QUEUED, .wait_s = HOUR },
	      at(5, 10));
	assert_string_equal("", leased((struct instant){ at(5, 11).s - 1 }, 3));
	assert_string_equal(arena_printf(&arena, "%ld/2 ", (long)channel), leased(at(5, 11), 4));
	store(first, 4, (struct delivery_verdict){ .state = DELIVERY_SENT }, at(5, 11));
	assert_string_equal(once, leased(at(5, 11), 5));
	assert_rows("418|words|1", "SELECT status, response, state FROM deliveries WHERE id = %ld",
		    (long)first);
}

static void what_is_delayed_holds_nothing_back(void **state)
{
	(void)state;
	make_world();
	int64_t channel = add_channel(account);
	execute("UPDATE alert_channels SET delay = 600");
	struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	event = new_event(ALERT_UPDATES);
	event.object_id = 8;
	make(&event, at(5, 10));
	assert_string_equal(arena_printf(&arena, "%ld/1 ", (long)channel), leased(at(5, 10), 1));
	assert_int_equal(
		1, select_number("SELECT tries FROM deliveries WHERE id = %ld", (long)newest()));
	/* What happens to the same incident comes behind its "down". */
	event = new_event(ALERT_UPDATES);
	make(&event, at(5, 10));
	assert_rows("2026-03-05 10:10:00|7",
		    "SELECT due_at, object_id FROM deliveries "
		    "WHERE id = %ld",
		    (long)newest());
}

static void a_lease_that_is_over_is_taken_again(void **state)
{
	(void)state;
	make_world();
	int64_t channel = add_channel(account);
	const struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	assert_string_equal(arena_printf(&arena, "%ld/1 ", (long)channel), leased(at(5, 10), 1));
	assert_string_equal("", leased((struct instant){ at(5, 10).s + 119 }, 2));
	assert_string_equal(arena_printf(&arena, "%ld/2 ", (long)channel),
			    leased((struct instant){ at(5, 10).s + 120 }, 3));
	/* The first sender was only slow: what it stores changes nothing. */
	store(newest(), 1, (struct delivery_verdict){ .state = DELIVERY_FAILED }, at(5, 11));
	assert_string_equal("0", states());
	store(newest(), 3, (struct delivery_verdict){ .state = DELIVERY_SENT }, at(5, 11));
	assert_string_equal("1", states());
	store(newest(), 3, (struct delivery_verdict){ .state = DELIVERY_FAILED }, at(5, 11));
	assert_string_equal("1", states());
}

static void a_lease_can_be_renewed(void **state)
{
	(void)state;
	make_world();
	add_channel(account);
	const struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	leased(at(5, 10), 1);
	struct delivery_lease lease = { .lease = 2,
					.until = at(5, 11),
					.busy = ids_from(newest(), 1) };
	/* Another sender has it. */
	assert_ok(deliveries_renew(db, &lease, &arena, &error));
	assert_rows("2026-03-05 10:02:00", "SELECT due_at FROM deliveries");
	lease.lease = 1;
	assert_ok(deliveries_renew(db, &lease, &arena, &error));
	assert_rows("2026-03-05 11:00:00", "SELECT due_at FROM deliveries");
	assert_string_equal("", leased((struct instant){ at(5, 11).s - 1 }, 3));
	/* The sending is over. */
	store(newest(), 1, (struct delivery_verdict){ .state = DELIVERY_SENT }, at(5, 10));
	assert_ok(deliveries_renew(db, &lease, &arena, &error));
	assert_rows("2026-03-05 10:00:00", "SELECT due_at FROM deliveries");
}

struct taker {
	struct db *db;
	int64_t number;
	size_t taken;
	enum result result;
	pthread_t thread;
};

static void *take_all(void *argument)
{
	struct taker *taker = argument;
	struct arena memory;
	struct error mine = { 0 };
	size_t count = 1;
	arena_init(&memory, 8 << 20);
	for (int empty = 0; taker->result == OK && empty < 3; empty += count == 0) {
		const struct delivery_lease lease = {
			.lease = taker->number, .now = at(5, 10), .until = at(5, 12), .most = 4
		};
		struct db_list found = { 0 };
		taker->result = deliveries_lease(taker->db, &lease, &memory, &found, &mine);
		taker->taken += count = found.count;
		arena_reset(&memory);
	}
	arena_done(&memory);
	return NULL;
}

static void two_senders_never_take_the_same(void **state)
{
	enum { CHANNELS = 90 };
	struct taker takers[2] = { { .number = 11 }, { .number = 12 } };
	(void)state;
	make_world();
	for (int i = 0; i < CHANNELS; i++)
		add_channel(account);
	const struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	for (size_t i = 0; i < ARRAY_LEN(takers); i++) {
		takers[i].db = database_connect();
		assert_int_equal(0, pthread_create(&takers[i].thread, NULL, take_all, &takers[i]));
	}
	for (size_t i = 0; i < ARRAY_LEN(takers); i++) {
		assert_int_equal(0, pthread_join(takers[i].thread, NULL));
		db_free(takers[i].db);
		assert_int_equal(OK, takers[i].result);
	}
	assert_int_equal(CHANNELS, takers[0].taken + takers[1].taken);
	assert_rows("90|1|1", "SELECT COUNT(*), MIN(tries), MAX(tries) FROM deliveries");
}

static void accounts_that_have_too_many_are_left_out(void **state)
{
	(void)state;
	make_world();
	int64_t first = account, mine = add_channel(first);
	const struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	account = add_account("two");
	int64_t other = add_channel(account);
	const struct delivery_event later = new_event(ALERT_DOWN);
	make(&later, at(5, 10));
	assert_string_equal(
		arena_printf(&arena, "%ld/1 ", (long)other),
		leased_by(&(struct delivery_lease){ .lease = 1,
						    .now = at(5, 10),
						    .most = 16,
						    .busy_accounts = ids_from(first, 1) }));
	/* Nor what the caller still sends. */
	const struct delivery_lease busy = {
		.lease = 2,
		.now = at(5, 10),
		.most = 16,
		.busy = ids_from(select_number("SELECT id FROM deliveries WHERE channel_id = %ld",
					       (long)mine),
				 1),
	};
	assert_string_equal("", leased_by(&busy));
	assert_string_equal(
		arena_printf(&arena, "%ld/1 ", (long)mine),
		leased_by(&(struct delivery_lease){ .lease = 3, .now = at(5, 10), .most = 1 }));
}

enum { HANGING = 50, LANES = 4, LIMIT_S = 30 };

/* Sends as many messages as an account may have under way. The receiver of `quick` responds, the
 * others never do. Whether `quick` was among them; *now becomes the time of the next ones. */
static bool sends_to(int64_t quick, struct instant *now)
{
	const struct instant began = *now;
	const struct delivery_lease lease = {
		.lease = began.s, .now = began, .until = { began.s + MINUTE }, .most = LANES
	};
	struct db_list found;
	bool is_sent = false;
	assert_ok(deliveries_lease(db, &lease, &arena, &found, &error));
	const struct leased_delivery *rows = found.rows;
	assert_in_range(found.count, 0, LANES);
	now->s += LIMIT_S;
	for (size_t i = 0; i < found.count; i++) {
		const struct delivery_try outcome = { .is_accepted = rows[i].channel_id == quick };
		is_sent |= outcome.is_accepted;
		store(rows[i].id, lease.lease,
		      delivery_judge(&outcome, rows[i].tries, now->s - rows[i].first_due_at.s, 0),
		      *now);
	}
	return is_sent;
}

static void receivers_that_hang_starve_no_channel_of_their_account(void **state)
{
	(void)state;
	make_world();
	for (int i = 0; i < HANGING; i++)
		add_channel(account);
	int64_t quick = add_channel(account);
	struct instant now = at(5, 10);
	struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, now);
	/* Nothing is known of the receivers: each has one try before any has two. */
	for (int sent = LANES; !sends_to(quick, &now); sent += LANES)
		assert_in_range(sent, LANES, HANGING);
	assert_rows("0", "SELECT COUNT(*) FROM deliveries WHERE tries = 0");
	/* Then those that did not respond wait for the others, whenever they are due. */
	for (int i = 0; i < 20; i++) {
		event = event_of(add_event(account, "incident.opened", 8 + i), ALERT_DOWN);
		event.object_id = 8 + i;
		make(&event, now);
		assert_true(select_number("SELECT COUNT(*) FROM deliveries WHERE state = 0 "
					  "AND tries > 0 AND due_at <= '2026-03-05 10:00:00' "
					  "+ INTERVAL %ld SECOND",
					  (long)(now.s - at(5, 10).s)) > 0);
		assert_true(sends_to(quick, &now));
	}
	/* They are tried again meanwhile. */
	while (select_number("SELECT MIN(tries) FROM deliveries WHERE object_id = 7 "
			     "AND state = 0") < 3)
		sends_to(quick, &now);
}

static void a_suspended_channel_keeps_its_messages(void **state)
{
	struct alert_channel_list list;
	struct delivery_health health;
	(void)state;
	make_world();
	int64_t channel = add_channel(account);
	struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	int64_t refused = newest();
	event = new_event(ALERT_UPDATES);
	make(&event, at(5, 10));
	leased(at(5, 10), 1);
	store(refused, 1,
	      (struct delivery_verdict){ .state = DELIVERY_SUSPENDED, .suspends_channel = true },
	      at(5, 10));
	assert_rows("2026-03-05 10:00:00|words", "SELECT suspended_at, suspension FROM "
						 "alert_channels");
	assert_string_equal("3,3", states());
	event = new_event(ALERT_UP);
	make(&event, at(5, 11));
	assert_string_equal("3,3,3", states());
	assert_string_equal("", leased(at(5, 12), 2));
	assert_ok(alert_channels_suspended(db, 10, &arena, &list, &error));
	assert_int_equal(1, list.count);
	assert_int_equal(channel, list.rows[0].id);
	assert_ok(delivery_health_read(db, at(5, 12), &health, &error));
	assert_int_equal(1, health.suspended_channels);
	assert_int_equal(0, health.failed);
	/* What is older than a day is not told any more. */
	execute("UPDATE deliveries SET first_due_at = '2026-03-04 12:00:00' WHERE id = %ld",
		(long)refused + 1);
	execute("UPDATE alert_channels SET suspended_at = NULL");
	assert_committed(deliveries_resume(db, channel, at(5, 12), &error));
	assert_string_equal("0,3,0", states());
	assert_string_equal(arena_printf(&arena, "%ld/2 ", (long)channel), leased(at(5, 12), 3));
}

/* The time in which a message is tried again begins when it is due, after its delay. */
static void a_delay_takes_no_time_of_the_tries(void **state)
{
	struct db_list found;
	(void)state;
	make_world();
	int64_t channel = add_channel(account);
	execute("UPDATE alert_channels SET delay = 86400");
	struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(5, 10));
	/* An update comes behind it, and has as much time. */
	event = new_event(ALERT_UPDATES);
	make(&event, at(5, 11));
	assert_rows("2026-03-06 10:00:00\n2026-03-06 10:00:00",
		    "SELECT first_due_at FROM deliveries ORDER BY id");
	const struct delivery_lease lease = {
		.lease = 1, .now = at(6, 12), .until = at(6, 13), .most = 16
	};
	assert_ok(deliveries_lease(db, &lease, &arena, &found, &error));
	assert_int_equal(1, found.count);
	const struct leased_delivery *row = found.rows;
	assert_int_equal(at(6, 10).s, row->first_due_at.s);
	store(row->id, 1, (struct delivery_verdict){ .state = DELIVERY_QUEUED, .wait_s = HOUR },
	      at(6, 12));
	assert_rows("2026-03-06 10:00:00|2026-03-06 13:00:00",
		    "SELECT first_due_at, due_at FROM deliveries WHERE id = %ld", (long)row->id);
	/* A channel that is disabled and enabled does not shorten the delay, and loses nothing. */
	event = new_event(ALERT_DOWN);
	event.object_id = 8;
	event.at = at(6, 11);
	make(&event, at(6, 11));
	assert_committed(deliveries_suspend(db, channel, at(6, 12), &error));
	assert_committed(deliveries_resume(db, channel, at(6, 12), &error));
	assert_rows("2026-03-06 12:00:00\n2026-03-06 12:00:00\n2026-03-07 11:00:00",
		    "SELECT due_at FROM deliveries ORDER BY id");
	/* By hand it begins anew. */
	assert_ok(delivery_retry(db, row->id, at(9, 10), &error));
	assert_rows("2026-03-05 10:00:00|2026-03-09 10:00:00",
		    "SELECT created_at, first_due_at FROM deliveries WHERE id = %ld",
		    (long)row->id);
}

static void an_open_incident_is_told_again(void **state)
{
	(void)state;
	make_world();
	int64_t monitor = add_monitor(account, "web");
	int64_t incident =
		execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
			"created_at, updated_at) VALUES (%ld, %ld, 'c', NOW(), NOW(), NOW())",
			(long)account, (long)monitor);
	add_channel(account);
	execute("UPDATE alert_channels SET reminder = 3600");
	struct delivery_event event = new_event(ALERT_DOWN);
	event.object_id = incident;
	make(&event, at(5, 10));
	assert_committed(deliveries_remind(db, at(6, 10), &error));
	assert_rows("1", "SELECT COUNT(*) FROM deliveries"); /* the first is not sent */
	leased(at(5, 10), 1);
	store(newest(), 1, (struct delivery_verdict){ .state = DELIVERY_SENT }, at(5, 10));
	assert_committed(deliveries_remind(db, (struct instant){ at(5, 11).s - 1 }, &error));
	assert_rows("1", "SELECT COUNT(*) FROM deliveries");
	uint64_t before = db_queries(db);
	assert_ok(deliveries_remind(db, at(5, 11), &error));
	assert_int_equal(2, db_queries(db) - before);
	assert_ok(deliveries_remind(db, at(5, 11), &error));
	assert_rows("0|1|incident.opened\n1|0|incident.opened",
		    "SELECT round, state, kind FROM deliveries ORDER BY id");
	leased(at(5, 11), 2);
	store(newest(), 2, (struct delivery_verdict){ .state = DELIVERY_SENT }, at(5, 11));
	execute("UPDATE incidents SET acknowledged_at = NOW()");
	assert_ok(deliveries_remind(db, at(5, 13), &error));
	assert_rows("2", "SELECT COUNT(*) FROM deliveries");
	execute("UPDATE incidents SET acknowledged_at = NULL, ended_at = NOW()");
	assert_ok(deliveries_remind(db, at(5, 13), &error));
	assert_rows("2", "SELECT COUNT(*) FROM deliveries");
	execute("UPDATE incidents SET ended_at = NULL");
	assert_ok(deliveries_remind(db, at(5, 13), &error));
	assert_rows("0,1,2", "SELECT GROUP_CONCAT(round ORDER BY id) FROM deliveries");
}

static void old_deliveries_go_with_their_events(void **state)
{
	bool is_more;
	(void)state;
	make_world();
	add_channel(account);
	struct delivery_event event = new_event(ALERT_DOWN);
	make(&event, at(1, 0));
	event = new_event(ALERT_UPDATES);
	make(&event, at(1, 0));
	execute("UPDATE outbox SET is_expanded = 1, due_at = '2026-03-01 00:00:00'");
	execute("UPDATE deliveries SET state = 1, due_at = '2026-03-01 00:00:00' WHERE event = 0");
	const struct instant end = { at(1, 0).s + DELIVERY_KEPT_S };
	assert_ok(deliveries_prune(db, end, &is_more, &error));
	assert_rows("2|2", "SELECT COUNT(*), (SELECT COUNT(*) FROM outbox) FROM deliveries");
	/* A message that is still to be sent keeps its event. */
	assert_ok(deliveries_prune(db, (struct instant){ end.s + 1 }, &is_more, &error));
	assert_false(is_more);
	assert_rows("3|1", "SELECT event, (SELECT COUNT(*) FROM outbox) FROM deliveries");
}

static void health_counts_what_is_late(void **state)
{
	struct delivery_health health;
	(void)state;
	make_world();
	assert_ok(delivery_health_read(db, at(5, 10), &health, &error));
	assert_int_equal(0, health.queued + health.oldest_s + health.failed +
				    health.suspended_channels + health.unexpanded_s);
	add_channel(account);
	execute("UPDATE alert_channels SET delay = 3600");
	struct delivery_event event = new_event(ALERT_DOWN);
	assert_ok(delivery_health_read(db, (struct instant){ at(5, 10).s + 130 }, &health, &error));
	assert_int_equal(130, health.unexpanded_s);
	make(&event, at(5, 10));
	execute("UPDATE outbox SET is_expanded = 1");
	/* Within its delay it is not late. */
	assert_ok(delivery_health_read(db, (struct instant){ at(5, 11).s - 1 }, &health, &error));
	assert_int_equal(1, health.queued);
	assert_int_equal(0, health.oldest_s);
	assert_int_equal(0, health.unexpanded_s);
	assert_ok(delivery_health_read(db, (struct instant){ at(5, 11).s + 7 }, &health, &error));
	assert_int_equal(7, health.oldest_s);
	/* Tried, and to be tried again later. */
	leased(at(5, 11), 1);
	store(newest(), 1, (struct delivery_verdict){ .state = DELIVERY_QUEUED, .wait_s = HOUR },
	      at(5, 11));
	assert_ok(delivery_health_read(db, (struct instant){ at(5, 11).s + 9 }, &health, &error));
	assert_int_equal(9, health.oldest_s);
}

/* The rows that the call reads, beside those of the count itself. */
#define ROWS_OF(call) \
	(before = rows_read(), before = rows_read() - before, before += rows_read(), (call), \
	 rows_read() - before)

/* Few rows are read however many messages there are. */
static void hot_statements_use_their_indexes(void **state)
{
	enum { ROWS = 100000, CHANNELS = 20 };
	struct delivery_query query = { .state = DELIVERY_ANY_STATE };
	struct delivery_list list;
	bool is_more;
	int64_t before;
	(void)state;
	make_world();
	int64_t first = add_channel(account);
	for (int i = 1; i < CHANNELS; i++)
		add_channel(account);
	execute("INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at, "
		"is_expanded) "
		"SELECT %ld, 'incident.opened', seq, '2026-03-01', '{}', '2026-03-01', 1 "
		"FROM seq_1_to_%d",
		(long)account, ROWS / CHANNELS);
	execute("INSERT INTO deliveries (account_id, outbox_id, channel_id, event, kind, "
		"object_id, state, tries, created_at, due_at, first_due_at) "
		"SELECT o.account_id, o.id, c.id, 0, o.kind, o.object_id, 1 + o.id %% 2, 1, "
		"'2026-03-01', '2026-03-01', '2026-03-01' "
		"FROM outbox o, alert_channels c");
	select_text("ANALYZE TABLE deliveries");
	assert_int_equal(ROWS, select_number("SELECT COUNT(*) FROM deliveries"));
	const struct delivery_event event = new_event(ALERT_DOWN);
	assert_in_range(ROWS_OF(make(&event, at(5, 10))), 1, 400);
	/* One message each of the channels is due. */
	assert_in_range(ROWS_OF(leased(at(5, 10), 1)), 1, 600);
	assert_rows("16", "SELECT COUNT(*) FROM deliveries WHERE lease = 1");
	assert_in_range(
		ROWS_OF(store(newest(), 1, (struct delivery_verdict){ .state = DELIVERY_SENT },
			      at(5, 10))),
		1, 20);
	assert_in_range(ROWS_OF(assert_ok(deliveries_prune(db, at(5, 10), &is_more, &error))), 0,
			20);
	assert_in_range(ROWS_OF(assert_ok(deliveries_resume(db, first, at(5, 10), &error))), 0, 20);
	/* A list reads the rows that it counts, by an index, and ten rows whole. */
	query.list = (struct list_query){ .account_id = account, .limit = 10 };
	query.state = DELIVERY_QUEUED;
	query.channel_id = first;
	assert_in_range(ROWS_OF(assert_ok(deliveries_list(db, &query, &arena, &list, &error))), 1,
			60);
	assert_int_equal(1, list.total);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(channels_of_any_monitor_hear_of_the_checker),
		DATABASE_TEST(a_channel_hears_of_its_monitors_or_of_all),
		DATABASE_TEST(a_new_channel_hears_nothing_of_before),
		DATABASE_TEST(an_event_has_one_delivery_for_each_channel),
		DATABASE_TEST(statements_do_not_grow_with_channels_or_events),
		DATABASE_TEST(a_delayed_outage_that_is_over_is_withdrawn),
		DATABASE_TEST(a_channel_sends_in_order),
		DATABASE_TEST(what_is_delayed_holds_nothing_back),
		DATABASE_TEST(a_lease_that_is_over_is_taken_again),
		DATABASE_TEST(a_lease_can_be_renewed),
		DATABASE_TEST(two_senders_never_take_the_same),
		DATABASE_TEST(accounts_that_have_too_many_are_left_out),
		DATABASE_TEST(receivers_that_hang_starve_no_channel_of_their_account),
		DATABASE_TEST(a_suspended_channel_keeps_its_messages),
		DATABASE_TEST(a_delay_takes_no_time_of_the_tries),
		DATABASE_TEST(an_open_incident_is_told_again),
		DATABASE_TEST(old_deliveries_go_with_their_events),
		DATABASE_TEST(health_counts_what_is_late),
		DATABASE_TEST(hot_statements_use_their_indexes),
	};
	return RUN_ON_DATABASE(tests);
}
