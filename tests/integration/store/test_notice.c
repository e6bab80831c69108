/* Messages to subscribers: who hears of an event, which events a message has, and what follows. */
#include "integration/lib/database.h"

#include <pthread.h>
#include <unistd.h>

#include "store/notify/notice.h"
#include "store/notify/subscriber.h"

enum { HOUR = 3600, LEASED_S = 15 };

static int64_t account, page, web, mail;

static void make_world(void)
{
	account = add_account("one");
	page = add_page(account, "one");
	web = add_monitor(account, "web");
	mail = add_monitor(account, "mail");
	show_monitor(page, web, 1);
	show_monitor(page, mail, 2);
}

static int64_t add_typed(int64_t owner, int64_t at_page, enum subscriber_type type)
{
	static int count;
	return execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		       "takes_all, created_at, confirmed_at) VALUES (%1$ld, %2$ld, %3$d, 'a%4$d', "
		       "SHA2('a%4$d', 256), 1, '2026-03-05 09:00:00', '2026-03-05 10:00:00')",
		       (long)owner, (long)at_page, (int)type, ++count);
}

static int64_t add_subscriber(int64_t owner, int64_t at_page)
{
	return add_typed(owner, at_page, SUBSCRIBER_EMAIL);
}

static void hears_of(int64_t subscriber, int64_t monitor)
{
	execute("UPDATE subscribers SET takes_all = 0 WHERE id = %ld", (long)subscriber);
	execute("INSERT INTO subscriber_monitors (subscriber_id, monitor_id) VALUES (%ld, %ld)",
		(long)subscriber, (long)monitor);
}

/* At 10:00 and so many seconds. */
static struct instant after(int64_t seconds)
{
	return (struct instant){ at(5, 10).s + seconds };
}

static struct notice_event new_event_of(const char *kind, int64_t object_id, int64_t seconds)
{
	char text[INSTANT_TEXT_SIZE];
	struct notice_event event = { .account_id = account,
				      .kind = kind,
				      .object_id = object_id,
				      .at = after(seconds),
				      .payload = "{}" };
	event.outbox_id = execute(
		"INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at, "
		"is_expanded, subscribers_after) VALUES (%ld, '%s', %ld, '%s', '{}', NOW(), 1, 0)",
		(long)account, kind, (long)object_id, instant_format_sql(event.at, text));
	return event;
}

static struct notice_event new_event(int64_t seconds)
{
	return new_event_of("incident.reported", 7, seconds);
}

static struct notice_scope of_monitors(int64_t *ids, size_t count)
{
	return (struct notice_scope){ .monitors = { ids, count } };
}

static void make(const struct notice_event *event, const struct notice_scope *scope)
{
	assert_committed(notices_make(db, event, scope, after(0), &error));
}

/* Tells of the system so many seconds after 10:00. */
static struct notice_event tell(int64_t seconds)
{
	struct notice_event event = new_event(seconds);
	const struct notice_scope scope = of_monitors(&web, 1);
	make(&event, &scope);
	return event;
}

static const char *receivers(int64_t outbox_id)
{
	return select_text("SELECT COALESCE(GROUP_CONCAT(subscriber_id ORDER BY id), '') "
			   "FROM deliveries WHERE outbox_id = %ld",
			   (long)outbox_id);
}

static const char *text_of_id(int64_t id)
{
	return arena_printf(&arena, "%ld", (long)id);
}

/* The leased messages, as "outbox ids of a message/try ". */
static const char *leased_in(enum delivery_lane lane, struct instant now, int64_t number)
{
	const struct delivery_lease lease = {
		.lease = number, .now = now, .until = { now.s + LEASED_S }, .most = 64
	};
	struct db_list found;
	const char *text = "";
	assert_ok(notices_lease(db, lane, &lease, &arena, &found, &error));
	const struct leased_notice *rows = found.rows;
	for (size_t i = 0; i < found.count; i++) {
		bool is_last = i + 1 == found.count || rows[i + 1].message_id != rows[i].message_id;
		text = arena_printf(&arena, "%s%ld", text, (long)rows[i].outbox_id);
		text = is_last ? arena_printf(&arena, "%s/%ld ", text, (long)rows[i].tries)
			       : arena_printf(&arena, "%s+", text);
	}
	return text;
}

static const char *leased(struct instant now, int64_t number)
{
	return leased_in(LANE_SUBSCRIBER_MAIL, now, number);
}

static void store_outcome(int64_t lease, struct instant now, struct notice_outcome outcome)
{
	outcome.subscriber_id = select_number("SELECT subscriber_id FROM deliveries WHERE id = %ld",
					      (long)outcome.message_id);
	assert_committed(notices_store(db, lease, &outcome, 1, now, &error));
}

static int64_t first_delivery(void)
{
	return select_number("SELECT MIN(id) FROM deliveries");
}

static void confirmed_subscribers_of_pages_with_the_system_hear(void **state)
{
	(void)state;
	make_world();
	int64_t other_page = add_page(account, "two"), other = add_account("two");
	int64_t foreign_page = add_page(other, "three"), foreign_web = add_monitor(other, "x");
	show_monitor(foreign_page, foreign_web, 1);
	int64_t all = add_subscriber(account, page), some = add_subscriber(account, page);
	int64_t deaf = add_subscriber(account, page),
		elsewhere = add_subscriber(account, other_page);
	int64_t late = add_subscriber(account, page), foreign = add_subscriber(other, foreign_page);
	execute("UPDATE subscribers SET confirmed_at = NULL WHERE id = %ld",
		(long)add_subscriber(account, page));
	execute("UPDATE subscribers SET suspended_at = NOW() WHERE id = %ld",
		(long)add_subscriber(account, page));
	execute("UPDATE subscribers SET confirmed_at = '2026-03-05 10:00:01' WHERE id = %ld",
		(long)late);
	hears_of(some, web);
	hears_of(deaf, mail);
	int64_t both[] = { web, foreign_web };
	struct notice_event event = new_event(0);
	struct notice_scope scope = of_monitors(both, 2);
	make(&event, &scope);
	assert_string_equal(arena_printf(&arena, "%ld,%ld", (long)all, (long)some),
			    receivers(event.outbox_id));
	assert_rows("0|1|3|incident.reported|7|2026-03-05 10:00:30|2026-03-05 10:00:30|1",
		    "SELECT state, lane, event, kind, object_id, due_at, first_due_at, "
		    "account_id = %ld FROM deliveries WHERE subscriber_id = %ld",
		    (long)account, (long)all);
	assert_rows("-|1", "SELECT subscribers_after, is_expanded FROM outbox WHERE id = %ld",
		    (long)event.outbox_id);
	/* A second sender that expands the same row adds nothing. */
	make(&event, &scope);
	assert_rows("2", "SELECT COUNT(*) FROM deliveries");
	/* A notice names pages. */
	event = new_event(0);
	int64_t named[] = { other_page, foreign_page };
	scope = (struct notice_scope){ .pages = { named, 2 } };
	make(&event, &scope);
	assert_string_equal(text_of_id(elsewhere), receivers(event.outbox_id));
	assert_int_not_equal(foreign, 0);
}

static void a_notice_of_systems_is_not_for_subscribers_of_others(void **state)
{
	(void)state;
	make_world();
	int64_t all = add_subscriber(account, page), some = add_subscriber(account, page);
	hears_of(some, mail);
	struct notice_event event = new_event(0);
	struct notice_scope scope = of_monitors(&web, 1);
	scope.pages = (struct id_list){ &page, 1 };
	make(&event, &scope);
	assert_string_equal(text_of_id(all), receivers(event.outbox_id));
	/* A notice without systems is for all. */
	event = new_event(0);
	scope.monitors.count = 0;
	make(&event, &scope);
	assert_string_equal(arena_printf(&arena, "%ld,%ld", (long)all, (long)some),
			    receivers(event.outbox_id));
}

/* A system that the page does not show any more. */
static void who_hears_depends_on_what_the_page_shows(void **state)
{
	(void)state;
	make_world();
	int64_t some = add_subscriber(account, page);
	hears_of(some, web);
	execute("DELETE FROM status_page_monitors WHERE monitor_id = %ld", (long)web);
	struct notice_event event = tell(0);
	assert_string_equal("", receivers(event.outbox_id));
	int64_t both[] = { web, mail };
	event = new_event(0);
	struct notice_scope scope = of_monitors(both, 2);
	make(&event, &scope);
	assert_string_equal("", receivers(event.outbox_id));
}

static void many_subscribers_take_several_steps(void **state)
{
	enum { COUNT = 2 * NOTICE_SUBSCRIBERS_MAX + 1 };
	struct notice_event found;
	(void)state;
	make_world();
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at, confirmed_at) SELECT %ld, %ld, 0, 'a', SHA2(seq, 256), 1, "
		"'2026-03-05', '2026-03-05' FROM seq_1_to_%d",
		(long)account, (long)page, COUNT);
	struct notice_event first = new_event(0), second = new_event(1);
	const struct notice_scope scope = of_monitors(&web, 1);
	for (int i = 0; i < 3; i++) {
		assert_ok(db_begin(db, DB_WRITE, &error));
		assert_ok(notice_next(db, &arena, &found, &error));
		assert_int_equal(first.outbox_id, found.outbox_id);
		uint64_t before = db_queries(db);
		assert_ok(notices_make(db, &found, &scope, after(0), &error));
		assert_int_equal(i < 2 ? 2 + NOTICE_SUBSCRIBERS_MAX / 512 : 3,
				 db_queries(db) - before);
		assert_ok(db_commit(db, &error));
		int64_t made = select_number("SELECT COUNT(*) FROM deliveries");
		assert_int_equal(i < 2 ? (i + 1) * NOTICE_SUBSCRIBERS_MAX : COUNT, made);
	}
	assert_rows("1", "SELECT COUNT(DISTINCT subscriber_id) = COUNT(*) FROM deliveries");
	/* The rows follow in their order. */
	assert_ok(db_begin(db, DB_WRITE, &error));
	assert_ok(notice_next(db, &arena, &found, &error));
	assert_int_equal(second.outbox_id, found.outbox_id);
	assert_ok(notices_make(db, &found, &(struct notice_scope){ 0 }, after(0), &error));
	assert_result(E_NOT_FOUND, notice_next(db, &arena, &found, &error));
	assert_ok(db_commit(db, &error));
}

static void statements_do_not_grow_with_systems(void **state)
{
	enum { MONITORS = 1000 };
	(void)state;
	make_world();
	add_subscriber(account, page);
	int64_t *ids = ARENA_ARRAY(&arena, MONITORS, int64_t);
	for (int i = 0; i < MONITORS; i++)
		ids[i] = web + i;
	struct notice_event event = new_event(0);
	struct notice_scope scope = of_monitors(ids, MONITORS);
	assert_ok(db_begin(db, DB_WRITE, &error));
	uint64_t before = db_queries(db);
	assert_ok(notices_make(db, &event, &scope, after(0), &error));
	assert_int_equal(3, db_queries(db) - before);
	assert_ok(db_commit(db, &error));
	assert_rows("1", "SELECT COUNT(*) FROM deliveries");
}

/* The clock of the machine that wrote the event was an hour ahead. */
static void an_event_of_the_future_does_not_wait_for_it(void **state)
{
	(void)state;
	make_world();
	add_subscriber(account, page);
	tell(HOUR);
	assert_rows("2026-03-05 10:00:30", "SELECT due_at FROM deliveries");
	execute("UPDATE subscribers SET confirmed_at = '2026-03-05 09:00:00'");
	tell(-HOUR);
	assert_rows("2026-03-05 10:00:00", "SELECT MIN(due_at) FROM deliveries");
}

static void events_that_follow_soon_are_one_message(void **state)
{
	(void)state;
	make_world();
	add_subscriber(account, page);
	int64_t one = tell(0).outbox_id, two = tell(29).outbox_id;
	assert_string_equal("", leased(after(29), 1));
	const char *both = arena_printf(&arena, "%ld+%ld/1 ", (long)one, (long)two);
	assert_string_equal(both, leased(after(30), 1));
	/* Later events do not join: each try sends the same ones. */
	int64_t three = tell(31).outbox_id;
	assert_string_equal("", leased(after(44), 2));
	assert_string_equal(arena_printf(&arena, "%ld+%ld/2 ", (long)one, (long)two),
			    leased(after(45), 2));
	store_outcome(
		2, after(46),
		(struct notice_outcome){ .message_id = first_delivery(),
					 .verdict = { .state = DELIVERY_QUEUED, .wait_s = HOUR },
					 .status = 451,
					 .response = "later" });
	assert_string_equal("", leased(after(45 + HOUR), 3));
	assert_string_equal(arena_printf(&arena, "%ld+%ld/3 ", (long)one, (long)two),
			    leased(after(46 + HOUR), 3));
	store_outcome(3, after(46 + HOUR),
		      (struct notice_outcome){ .message_id = first_delivery(),
					       .verdict.state = DELIVERY_SENT,
					       .status = 250,
					       .response = "ok" });
	assert_rows(arena_printf(&arena,
				 "%ld|1|3|250|ok|2026-03-05 11:00:46\n"
				 "%ld|1|3|250|ok|2026-03-05 11:00:46\n%ld|0|0|0|-|-",
				 (long)one, (long)two, (long)three),
		    "SELECT outbox_id, state, tries, status, response, tried_at FROM deliveries "
		    "ORDER BY id");
	assert_string_equal(arena_printf(&arena, "%ld/1 ", (long)three),
			    leased(after(46 + HOUR), 4));
}

/* The body of a webhook tells of one object. */
static void a_webhook_gets_a_message_for_each_object(void **state)
{
	const struct notice_scope scope = of_monitors(&web, 1);
	(void)state;
	make_world();
	int64_t hook = add_typed(account, page, SUBSCRIBER_WEBHOOK),
		person = add_subscriber(account, page);
	struct notice_event events[] = { new_event_of("incident.reported", 7, 0),
					 new_event_of("maintenance.scheduled", 7, 1),
					 new_event_of("incident.reported", 8, 2),
					 new_event_of("incident.update_posted", 7, 3) };
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		make(&events[i], &scope);
	long first = (long)events[0].outbox_id;
	assert_string_equal(
		arena_printf(&arena, "%ld+%ld+%ld+%ld/1 ", first, first + 1, first + 2, first + 3),
		leased(after(60), 1));
	const char *wanted[] = { arena_printf(&arena, "%ld+%ld/1 ", first, first + 3),
				 arena_printf(&arena, "%ld/1 ", first + 1),
				 arena_printf(&arena, "%ld/1 ", first + 2) };
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		assert_string_equal(wanted[i], leased_in(LANE_SUBSCRIBER_WEBHOOK, after(60), 2));
		store_outcome(2, after(60),
			      (struct notice_outcome){
				      .message_id = select_number(
					      "SELECT MIN(id) FROM deliveries WHERE state = 0 "
					      "AND subscriber_id = %ld",
					      (long)hook),
				      .verdict.state = DELIVERY_SENT });
	}
	assert_int_not_equal(person, 0);
}

static void ask(int64_t subscriber, enum subscriber_type type)
{
	const struct subscriber asked = { .id = subscriber,
					  .account_id = account,
					  .type = (int)type };
	assert_committed(notice_ask(db, &asked, after(0), &error));
}

static void a_request_to_confirm_stays_alone(void **state)
{
	(void)state;
	make_world();
	int64_t subscriber = add_subscriber(account, page);
	ask(subscriber, SUBSCRIBER_EMAIL);
	int64_t one = tell(0).outbox_id;
	ask(subscriber, SUBSCRIBER_EMAIL);
	int64_t two = tell(0).outbox_id;
	const char *wanted[] = { "0/1 ", arena_printf(&arena, "%ld+%ld/1 ", (long)one, (long)two),
				 "0/1 " };
	/* The request is due at once. */
	assert_string_equal(wanted[0], leased(after(0), 1));
	for (int i = 0; i < 3; i++) {
		store_outcome(1, after(60),
			      (struct notice_outcome){
				      .message_id = select_number("SELECT MIN(id) FROM deliveries "
								  "WHERE state = 0"),
				      .verdict.state = DELIVERY_SENT });
		if (i < 2)
			assert_string_equal(wanted[i + 1], leased(after(60), 1));
	}
	assert_rows("0", "SELECT COUNT(*) FROM deliveries WHERE state = 0");
}

static void what_was_not_sent_is_due_at_once(void **state)
{
	(void)state;
	make_world();
	add_subscriber(account, page);
	int64_t one = tell(0).outbox_id, two = tell(1).outbox_id;
	const char *both = arena_printf(&arena, "%ld+%ld/1 ", (long)one, (long)two);
	assert_string_equal(both, leased(after(60), 1));
	store_outcome(1, after(61),
		      (struct notice_outcome){ .message_id = first_delivery(), .is_unsent = true });
	assert_rows("0|0|2026-03-05 10:01:01\n0|0|2026-03-05 10:01:01",
		    "SELECT state, tries, due_at FROM deliveries ORDER BY id");
	int64_t three = tell(2).outbox_id;
	assert_string_equal(both, leased(after(61), 2));
	/* An outcome of a lease that is over changes nothing. */
	store_outcome(1, after(62),
		      (struct notice_outcome){ .message_id = first_delivery(),
					       .verdict.state = DELIVERY_FAILED });
	assert_rows("0\n0\n0", "SELECT state FROM deliveries ORDER BY id");
	assert_int_not_equal(three, 0);
}

static void one_of_several_can_be_sent_again(void **state)
{
	(void)state;
	make_world();
	add_subscriber(account, page);
	int64_t one = tell(0).outbox_id, two = tell(1).outbox_id;
	leased(after(60), 1);
	store_outcome(1, after(61),
		      (struct notice_outcome){ .message_id = first_delivery(),
					       .verdict.state = DELIVERY_FAILED });
	int64_t second = select_number("SELECT MAX(id) FROM deliveries");
	assert_committed(delivery_retry(db, second, after(90), &error));
	assert_string_equal(arena_printf(&arena, "%ld/1 ", (long)two), leased(after(90), 2));
	store_outcome(
		2, after(91),
		(struct notice_outcome){ .message_id = second, .verdict.state = DELIVERY_SENT });
	assert_rows("2\n1", "SELECT state FROM deliveries ORDER BY id");
	assert_int_not_equal(one, 0);
}

struct sending {
	struct db *db;
	int64_t lease;
	size_t count;
	enum result result;
};

static void *lease_all(void *context)
{
	struct sending *sending = context;
	struct arena own CLEANUP(arena_done);
	struct error own_error = { 0 };
	struct db_list found = { 0 };
	const struct delivery_lease lease = {
		.lease = sending->lease, .now = after(60), .until = after(120), .most = 64
	};
	arena_init(&own, 64 << 20);
	do {
		sending->result = notices_lease(sending->db, LANE_SUBSCRIBER_MAIL, &lease, &own,
						&found, &own_error);
		sending->count += found.count;
	} while (sending->result == OK && found.count > 0);
	return NULL;
}

static void two_senders_never_take_the_same(void **state)
{
	enum { COUNT = 500, SENDERS = 4 };
	struct sending senders[SENDERS];
	pthread_t threads[SENDERS];
	size_t count = 0;
	(void)state;
	make_world();
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at, confirmed_at) SELECT %ld, %ld, 0, 'a', SHA2(seq, 256), 1, "
		"'2026-03-05', '2026-03-05' FROM seq_1_to_%d",
		(long)account, (long)page, COUNT);
	tell(0);
	tell(1);
	for (int i = 0; i < SENDERS; i++) {
		senders[i] = (struct sending){ .db = database_connect(), .lease = i + 1 };
		assert_int_equal(0, pthread_create(&threads[i], NULL, lease_all, &senders[i]));
	}
	for (int i = 0; i < SENDERS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(OK, senders[i].result);
		count += senders[i].count;
		db_free(senders[i].db);
	}
	/* A sender may find nothing while others hold what it found. */
	lease_all(&(struct sending){ .db = db, .lease = 9 });
	assert_rows("500|500|1", "SELECT COUNT(*), SUM(message_id = id), MIN(lease) > 0 "
				 "FROM deliveries WHERE tries = 1");
	assert_true(count <= (size_t)2 * COUNT);
}

static bool has_waiting_transaction(void)
{
	return select_number("SELECT COUNT(*) FROM information_schema.innodb_trx "
			     "WHERE trx_state = 'LOCK WAIT'") > 0;
}

/* Else the event would belong to a message that another sender has made without it. */
static void a_sender_without_the_lease_joins_nothing(void **state)
{
	struct sending late = { .db = database_connect(), .lease = 2 };
	pthread_t thread;
	(void)state;
	make_world();
	add_subscriber(account, page);
	tell(0);
	/* Another sender leases the message, and the late one has found it meanwhile. */
	execute("BEGIN");
	execute("UPDATE deliveries SET lease = 1, tries = 1, message_id = id, "
		"due_at = '2026-03-05 10:02:00'");
	assert_int_equal(0, pthread_create(&thread, NULL, lease_all, &late));
	for (int i = 0; i < 200 && !has_waiting_transaction(); i++)
		usleep(150000);
	execute("INSERT INTO deliveries (account_id, outbox_id, subscriber_id, lane, event, kind, "
		"object_id, state, created_at, due_at, first_due_at) SELECT account_id, NULL, "
		"subscriber_id, lane, event, 'incident.update_posted', 7, 0, created_at, "
		"'2026-03-05 10:01:30', '2026-03-05 10:01:30' FROM deliveries");
	int64_t event = new_event(45).outbox_id;
	execute("UPDATE deliveries SET outbox_id = %ld WHERE outbox_id IS NULL", (long)event);
	execute("COMMIT");
	pthread_join(thread, NULL);
	db_free(late.db);
	assert_int_equal(OK, late.result);
	assert_rows("1|1\n0|0", "SELECT message_id = id, lease FROM deliveries ORDER BY id");
}

static void a_receiver_that_refuses_is_suspended_with_all_messages(void **state)
{
	(void)state;
	make_world();
	int64_t hook = add_typed(account, page, SUBSCRIBER_WEBHOOK);
	tell(0);
	leased_in(LANE_SUBSCRIBER_WEBHOOK, after(60), 1);
	tell(50);
	store_outcome(1, after(61),
		      (struct notice_outcome){
			      .message_id = first_delivery(),
			      .verdict = { .state = DELIVERY_SUSPENDED, .suspends_channel = true },
			      .status = 410,
			      .response = "gone" });
	assert_rows("2026-03-05 10:01:01|gone", "SELECT suspended_at, suspension FROM subscribers");
	assert_rows("3|410\n3|0", "SELECT state, status FROM deliveries ORDER BY id");
	/* The later words do not replace the first. */
	assert_committed(subscriber_suspend(db, hook, "again", after(90), &error));
	assert_rows("gone", "SELECT suspension FROM subscribers");
	struct notice_event event = tell(70);
	assert_string_equal("", receivers(event.outbox_id));
}

static void a_webhook_that_returns_the_challenge_is_confirmed_once(void **state)
{
	(void)state;
	make_world();
	int64_t hook = add_typed(account, page, SUBSCRIBER_WEBHOOK);
	execute("UPDATE subscribers SET confirmed_at = NULL, bounces = 1");
	for (int i = 0; i < 2; i++) {
		ask(hook, SUBSCRIBER_WEBHOOK);
		assert_string_equal("0/1 ",
				    leased_in(LANE_SUBSCRIBER_WEBHOOK, after(60 + i), i + 1));
		store_outcome(i + 1, after(60 + i),
			      (struct notice_outcome){
				      .message_id = select_number("SELECT MAX(id) FROM deliveries"),
				      .verdict.state = DELIVERY_SENT,
				      .is_confirmed = true });
		/* Anybody can ask again: the subscriber would lose what happened meanwhile. */
		assert_rows("2026-03-05 10:01:00|0",
			    "SELECT confirmed_at, bounces FROM subscribers");
	}
	execute("UPDATE subscribers SET suspended_at = NOW(), suspension = 'gone'");
	assert_committed(subscriber_confirm(db, hook, after(90), &error));
	assert_rows("2026-03-05 10:01:30|-|-",
		    "SELECT confirmed_at, suspended_at, suspension FROM subscribers");
}

static void bounce(int64_t subscriber, struct instant now)
{
	assert_committed(subscriber_bounce(db, subscriber, "550 unknown", now, &error));
}

static void two_bounces_on_different_days_suspend(void **state)
{
	(void)state;
	make_world();
	int64_t subscriber = add_subscriber(account, page);
	tell(0);
	leased(after(60), 1);
	store_outcome(1, after(60),
		      (struct notice_outcome){ .message_id = first_delivery(),
					       .verdict.state = DELIVERY_FAILED,
					       .status = 550,
					       .response = "550 unknown",
					       .is_bounce = true });
	assert_rows("1|2026-03-05 10:01:00|-", "SELECT bounces, bounced_at, suspended_at "
					       "FROM subscribers");
	bounce(subscriber, after(23 * HOUR));
	assert_rows("1|2026-03-05 10:01:00|-", "SELECT bounces, bounced_at, suspended_at "
					       "FROM subscribers");
	tell(70);
	bounce(subscriber, after(25 * HOUR));
	assert_rows("2|2026-03-06 11:00:00|550 unknown", "SELECT bounces, suspended_at, suspension "
							 "FROM subscribers");
	assert_rows("2\n3", "SELECT state FROM deliveries ORDER BY id");
	/* The clock was ahead when the last one came. */
	execute("UPDATE subscribers SET bounces = 0, bounced_at = '2026-03-07 10:00:00'");
	bounce(subscriber, after(25 * HOUR));
	assert_rows("1", "SELECT bounces FROM subscribers");
}

static void the_messages_of_a_deleted_subscriber_are_not_sent(void **state)
{
	(void)state;
	make_world();
	int64_t subscriber = add_subscriber(account, page);
	tell(0);
	leased(after(60), 1);
	int64_t message = first_delivery();
	assert_committed(subscriber_delete(db, subscriber, &error));
	assert_rows("0", "SELECT COUNT(*) FROM deliveries");
	const struct notice_outcome outcome = { .message_id = message,
						.subscriber_id = subscriber,
						.verdict.state = DELIVERY_SENT,
						.is_confirmed = true };
	assert_committed(notices_store(db, 1, &outcome, 1, after(61), &error));
	assert_rows("0", "SELECT COUNT(*) FROM subscribers");
}

/* A message of more events than a sender reads at once. */
static void a_message_is_read_whole_or_not_at_all(void **state)
{
	enum { EVENTS = 300, RECEIVERS = 30 };
	struct db_list found;
	(void)state;
	make_world();
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at, confirmed_at) SELECT %ld, %ld, 0, 'a', SHA2(seq, 256), 1, "
		"'2026-03-05', '2026-03-05' FROM seq_1_to_%d",
		(long)account, (long)page, RECEIVERS);
	for (int i = 0; i < EVENTS; i++)
		tell(0);
	const struct delivery_lease lease = {
		.lease = 1, .now = after(60), .until = after(75), .most = 64
	};
	assert_ok(notices_lease(db, LANE_SUBSCRIBER_MAIL, &lease, &arena, &found, &error));
	assert_in_range(found.count, EVENTS, RECEIVERS * EVENTS - 1);
	assert_int_equal(0, found.count % EVENTS);
}

/* What a thread does ROUNDS times, with its own connection. */
enum { ROUNDS = 60 };
struct worker {
	struct db *db;
	enum result (*run)(struct db *db, struct arena *own, struct error *own_error);
	int failures;
};

static enum result expand_work(struct db *its, void *context, struct error *own_error)
{
	struct notice_event event;
	const struct notice_scope scope = of_monitors(&web, 1);
	enum result result = notice_next(its, context, &event, own_error);
	if (result == OK)
		result = notices_make(its, &event, &scope, after(60), own_error);
	return result == E_NOT_FOUND ? OK : result;
}

static enum result expand(struct db *its, struct arena *own, struct error *own_error)
{
	return db_transact(its, DB_WRITE, expand_work, own, own_error);
}

static enum result delete_work(struct db *its, void *context, struct error *own_error)
{
	struct id_list ids = { 0 };
	struct sql_build sql;
	sql_start(&sql, SQL("SELECT id FROM subscribers WHERE id % 2 = 0 ORDER BY id LIMIT 1"));
	enum result result = db_read_ids(its, &sql, 1, context, &ids, own_error);
	if (result != OK || ids.count == 0)
		return result;
	return subscriber_delete(its, ids.ids[0], own_error);
}

static enum result end_subscription(struct db *its, struct arena *own, struct error *own_error)
{
	return db_transact(its, DB_WRITE, delete_work, own, own_error);
}

struct leased {
	struct notice_outcome outcomes[64];
	size_t count;
};

static enum result store_work(struct db *its, void *context, struct error *own_error)
{
	const struct leased *leased = context;
	return notices_store(its, 5, leased->outcomes, leased->count, after(61), own_error);
}

static enum result send(struct db *its, struct arena *own, struct error *own_error)
{
	const struct delivery_lease lease = {
		.lease = 5, .now = after(60), .until = after(120), .most = 64
	};
	struct leased leased = { .count = 0 };
	struct db_list found;
	enum result result =
		notices_lease(its, LANE_SUBSCRIBER_MAIL, &lease, own, &found, own_error);
	const struct leased_notice *rows = found.rows;
	for (size_t i = 0; result == OK && i < found.count; i++)
		if (i == 0 || rows[i].message_id != rows[i - 1].message_id)
			leased.outcomes[leased.count++] = (struct notice_outcome){
				.message_id = rows[i].message_id,
				.subscriber_id = rows[i].subscriber_id,
				.verdict.state = DELIVERY_SENT,
				.is_bounce = i % 2 == 0,
			};
	return result == OK ? db_transact(its, DB_WRITE, store_work, &leased, own_error) : result;
}

static void *work(void *context)
{
	struct worker *worker = context;
	for (int i = 0; i < ROUNDS; i++) {
		struct arena own CLEANUP(arena_done);
		struct error own_error = { 0 };
		arena_init(&own, 64 << 20);
		if (worker->run(worker->db, &own, &own_error) != OK) {
			print_error("%s\n", own_error.log);
			worker->failures++;
		}
	}
	return NULL;
}

static void many_at_once_neither_fail_nor_double(void **state)
{
	enum { COUNT = 3000, EVENTS = 20 };
	struct worker workers[] = {
		{ .run = expand }, { .run = expand }, { .run = send }, { .run = end_subscription }
	};
	pthread_t threads[ARRAY_LEN(workers)];
	(void)state;
	make_world();
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at, confirmed_at) SELECT %ld, %ld, 0, 'a', SHA2(seq, 256), 1, "
		"'2026-03-05', '2026-03-05' FROM seq_1_to_%d",
		(long)account, (long)page, COUNT);
	for (int i = 0; i < EVENTS; i++)
		new_event(0);
	for (size_t i = 0; i < ARRAY_LEN(workers); i++) {
		workers[i].db = database_connect();
		assert_int_equal(0, pthread_create(&threads[i], NULL, work, &workers[i]));
	}
	for (size_t i = 0; i < ARRAY_LEN(workers); i++) {
		pthread_join(threads[i], NULL);
		db_free(workers[i].db);
	}
	for (size_t i = 0; i < ARRAY_LEN(workers); i++)
		assert_int_equal(0, workers[i].failures);
	assert_rows("1", "SELECT COUNT(*) = COUNT(DISTINCT outbox_id, subscriber_id) "
			 "FROM deliveries");
}

static void hot_statements_use_their_indexes(void **state)
{
	enum { ROWS = 20000 };
	struct notice_event found;
	int64_t before;
	(void)state;
	make_world();
	execute("INSERT INTO subscribers (account_id, page_id, type, address, address_hash, "
		"takes_all, created_at, confirmed_at) SELECT %ld, %ld, 0, 'a', SHA2(seq, 256), 1, "
		"'2026-03-05', '2026-03-05' FROM seq_1_to_100",
		(long)account, (long)page);
	execute("INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at, "
		"is_expanded) SELECT %ld, 'incident.opened', seq, '2026-03-01', '{}', "
		"'2026-03-01', 1 FROM seq_1_to_%d",
		(long)account, ROWS / 100);
	execute("INSERT INTO deliveries (account_id, outbox_id, subscriber_id, lane, event, kind, "
		"object_id, state, tries, created_at, due_at, first_due_at) SELECT o.account_id, "
		"o.id, s.id, 1, 0, o.kind, o.object_id, 1, 1, '2026-03-01', '2026-03-01', "
		"'2026-03-01' FROM outbox o, subscribers s");
	execute("INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at, "
		"is_expanded) SELECT %ld, 'incident.opened', seq, '2026-03-01', '{}', "
		"'2026-03-01', 1 FROM seq_1_to_%d",
		(long)account, ROWS);
	select_text("ANALYZE TABLE deliveries");
	select_text("ANALYZE TABLE outbox");
	select_text("ANALYZE TABLE subscribers");
	before = rows_read();
	assert_ok(db_begin(db, DB_WRITE, &error));
	assert_result(E_NOT_FOUND, notice_next(db, &arena, &found, &error));
	assert_ok(db_commit(db, &error));
	assert_in_range(rows_read() - before, 0, 20);
	before = rows_read();
	assert_string_equal("", leased(after(0), 1));
	assert_in_range(rows_read() - before, 0, 20);
	tell(0);
	before = rows_read();
	assert_string_not_equal("", leased(after(60), 1));
	assert_in_range(rows_read() - before, 1, 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(confirmed_subscribers_of_pages_with_the_system_hear),
		DATABASE_TEST(a_notice_of_systems_is_not_for_subscribers_of_others),
		DATABASE_TEST(who_hears_depends_on_what_the_page_shows),
		DATABASE_TEST(many_subscribers_take_several_steps),
		DATABASE_TEST(statements_do_not_grow_with_systems),
		DATABASE_TEST(an_event_of_the_future_does_not_wait_for_it),
		DATABASE_TEST(events_that_follow_soon_are_one_message),
		DATABASE_TEST(a_webhook_gets_a_message_for_each_object),
		DATABASE_TEST(a_request_to_confirm_stays_alone),
		DATABASE_TEST(what_was_not_sent_is_due_at_once),
		DATABASE_TEST(one_of_several_can_be_sent_again),
		DATABASE_TEST(two_senders_never_take_the_same),
		DATABASE_TEST(a_sender_without_the_lease_joins_nothing),
		DATABASE_TEST(a_receiver_that_refuses_is_suspended_with_all_messages),
		DATABASE_TEST(a_webhook_that_returns_the_challenge_is_confirmed_once),
		DATABASE_TEST(two_bounces_on_different_days_suspend),
		DATABASE_TEST(the_messages_of_a_deleted_subscriber_are_not_sent),
		DATABASE_TEST(a_message_is_read_whole_or_not_at_all),
		DATABASE_TEST(many_at_once_neither_fail_nor_double),
		DATABASE_TEST(hot_statements_use_their_indexes),
	};
	return RUN_ON_DATABASE(tests);
}
