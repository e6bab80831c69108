/* What all operations share: the transaction, its retries, and the Idempotency-Key. */
#include "integration/lib/service.h"

#include <mysql.h>
#include <pthread.h>
#include <unistd.h>

#include "service/incident/incidents.h"
#include "service/monitors.h"
#include "service/page/status_pages.h"

static struct status_page_change named(const char *name, const char *slug)
{
	return (struct status_page_change){
		.input = { .name = name, .slug = slug },
		.sent = FIELD_SET(status_page_place("name"), status_page_place("slug")),
	};
}

static enum result create_page(const char *slug)
{
	struct status_page_change change = named("The name", slug);
	struct status_page page;
	return service_create_status_page(&service, &change, &page);
}

static int64_t key_account(void)
{
	int64_t account = add_account("one");
	act_as_key(account);
	use_caller();
	return account;
}

static void the_response_is_rendered_before_the_commit(void **state)
{
	(void)state;
	key_account();
	caller.render_result = E_FAILED;
	assert_result(E_FAILED, create_page("s"));
	assert_int_equal(caller.tries, 1);
	assert_null(caller.body);
	assert_rows("0|0|0", "SELECT (SELECT COUNT(*) FROM status_pages), "
			     "(SELECT COUNT(*) FROM page_revisions), "
			     "(SELECT COUNT(*) FROM events)");
	assert_false(is_published("public/s/s/index.html"));
}

static void the_caller_may_refuse_what_was_found(void **state)
{
	(void)state;
	int64_t account = key_account(), id = add_page(account, "s");
	struct status_page_change change = named("New", "t");
	struct status_page page;
	caller.admit_result = E_PRECONDITION_FAILED;
	assert_result(E_PRECONDITION_FAILED,
		      service_update_status_page(&service, id, &change, &page));
	assert_result(E_PRECONDITION_FAILED, service_delete_status_page(&service, id, &page));
	assert_result(E_PRECONDITION_FAILED, create_page("x"));
	assert_int_equal(caller.admits, 3);
	assert_rows("Page s|0", "SELECT name, (SELECT COUNT(*) FROM events) FROM status_pages");
}

/* A write that is left to the end, which notes what it finds. */
struct left {
	const char *name;
	bool is_rendered;
	int64_t events;
};
static struct left *in_order[SERVICE_LAST_MAX + 2];
static size_t left_count;

static enum result left_work(struct service *own, void *context)
{
	struct left *left = context;
	const struct event_query query = { .kind = "monitor.renamed" };
	left->is_rendered = caller.body != NULL;
	in_order[left_count++] = left;
	return event_count(own->db, &query, own->arena, &left->events, own->error);
}

static enum result leaving_work(struct service *own, void *context)
{
	struct left *left = context;
	enum result result = OK;
	left_count = 0;
	service_add_event(own, &(struct event_change){ .kind = EVENT_MONITOR_RENAMED,
						       .account_id = own->principal.account_id,
						       .object_id = 1 });
	for (; result == OK && left->name; left++)
		result = service_write_last(own, left_work, left);
	return result;
}

static void what_is_left_runs_in_order_behind_events_and_response(void **state)
{
	struct left left[] = { { "a", false, 0 }, { "b", false, 0 }, { NULL, false, 0 } };
	(void)state;
	key_account();
	assert_ok(service_transact(&service, PERMISSION_EDIT, leaving_work, left, left));
	assert_int_equal(left_count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_ptr_equal(in_order[i], &left[i]);
		assert_true(left[i].is_rendered);
		assert_int_equal(left[i].events, 1);
	}
}

static void too_many_writes_that_are_left_run_at_once(void **state)
{
	struct left left[SERVICE_LAST_MAX + 2] = { 0 };
	(void)state;
	key_account();
	for (size_t i = 0; i <= SERVICE_LAST_MAX; i++)
		left[i].name = "x";
	assert_ok(service_transact(&service, PERMISSION_EDIT, leaving_work, left, left));
	assert_int_equal(left_count, SERVICE_LAST_MAX + 1);
	for (size_t i = 0; i <= SERVICE_LAST_MAX; i++) {
		assert_ptr_equal(in_order[i], &left[i]);
		assert_int_equal(left[i].is_rendered, i == SERVICE_LAST_MAX);
	}
}

static enum result refused_work(struct service *own, void *context)
{
	(void)context;
	return error_log(own->error, E_REFUSED, "refused");
}

static enum result leaves_refused_work(struct service *own, void *context)
{
	enum result result = leaving_work(own, context);
	return result == OK ? service_write_last(own, refused_work, NULL) : result;
}

static void a_write_that_is_left_and_fails_fails_the_operation(void **state)
{
	struct left left[] = { { "a", false, 0 }, { NULL, false, 0 } };
	(void)state;
	key_account();
	assert_result(E_REFUSED,
		      service_transact(&service, PERMISSION_EDIT, leaves_refused_work, left, left));
	assert_null(caller.body);
	assert_rows("0", "SELECT COUNT(*) FROM events");
	assert_ok(create_page("s"));
	assert_int_equal(left_count, 1);
}

/* Each operation checks by itself, whatever called it. */
static void an_operation_needs_its_permission(void **state)
{
	struct left left[] = { { "a", false, 0 }, { NULL, false, 0 } };
	(void)state;
	key_account();
	service.principal.role = ROLE_RESPONDER;
	assert_result(E_FORBIDDEN,
		      service_transact(&service, PERMISSION_EDIT, leaving_work, left, left));
	assert_result(E_FORBIDDEN, create_page("s"));
	assert_null(caller.body);
	assert_rows("0|0",
		    "SELECT (SELECT COUNT(*) FROM events), (SELECT COUNT(*) FROM status_pages)");
	assert_ok(service_transact(&service, PERMISSION_RESPOND, leaving_work, left, left));
	service.principal.role = ROLE_OWNER;
	assert_ok(create_page("s"));
}

static void a_key_runs_its_write_once(void **state)
{
	(void)state;
	int64_t account = key_account();
	use_idempotency_key(account, "k", "create s");
	assert_ok(create_page("s"));
	assert_rows(arena_printf(&arena, "%ld|201|X-Test: yes\n|rendered 1|2026-03-05 10:00:00|1",
				 (long)account),
		    "SELECT account_id, status, headers, body, created_at, "
		    "request_hash <> key_hash FROM idempotency_keys");
	assert_published("public/s/s/index.html", "The name");
	/* The worker that ran it may have died before publishing. */
	unpublish("s");
	show_monitor(select_number("SELECT id FROM status_pages"), add_monitor(account, "web"), 1);
	use_caller();
	use_idempotency_key(account, "k", "create s");
	assert_result(E_REPLAYED, create_page("s"));
	assert_int_equal(caller.tries, 0);
	assert_int_equal(caller.replayed_status, 201);
	assert_string_equal(caller.body, "rendered 1");
	assert_published("public/s/s/index.html", "The name");
	assert_rows("1|1|1", "SELECT (SELECT COUNT(*) FROM status_pages), "
			     "(SELECT COUNT(*) FROM events), "
			     "(SELECT COUNT(*) FROM idempotency_keys)");
}

static void a_key_is_of_one_request_and_one_account(void **state)
{
	(void)state;
	int64_t account = key_account();
	use_idempotency_key(account, "k", "create s");
	assert_ok(create_page("s"));
	use_idempotency_key(account, "k", "create t");
	assert_result(E_CONFLICT, create_page("t"));
	assert_int_equal(caller.replayed_status, 0);
	int64_t other = add_account("two");
	act_as_key(other);
	use_idempotency_key(other, "k", "create t");
	assert_ok(create_page("t"));
	assert_rows("s|1\nt|1", "SELECT slug, version FROM status_pages ORDER BY id");
}

static void a_key_that_failed_or_expired_may_be_used_again(void **state)
{
	(void)state;
	int64_t account = key_account();
	caller.render_result = E_FAILED;
	use_idempotency_key(account, "k", "create s");
	assert_result(E_FAILED, create_page("s"));
	assert_rows("0", "SELECT COUNT(*) FROM idempotency_keys");
	caller.render_result = OK;
	assert_ok(create_page("s"));
	/* A day later to the second the key is still known, and a second later it is not. */
	execute("UPDATE idempotency_keys SET created_at = '2026-03-04 10:00:00'");
	assert_result(E_REPLAYED, create_page("s"));
	execute("UPDATE idempotency_keys SET created_at = '2026-03-04 09:59:59'");
	use_idempotency_key(account, "k", "create t");
	assert_ok(create_page("t"));
	assert_rows("2|1", "SELECT (SELECT COUNT(*) FROM status_pages), "
			   "(SELECT COUNT(*) FROM idempotency_keys)");
}

static void responses_count_against_the_quota(void **state)
{
	(void)state;
	int64_t account = key_account();
	config.most_response_mb_per_day = 1;
	execute("UPDATE account_usage SET used_today = UNIX_TIMESTAMP() DIV 86400 * 1099511627776 "
		"+ (1 << 20) - 5 WHERE quota = 'responses'");
	use_idempotency_key(account, "k", "create s");
	assert_result(E_QUOTA_EXCEEDED, create_page("s"));
	assert_rows("0|0", "SELECT (SELECT COUNT(*) FROM status_pages), "
			   "(SELECT COUNT(*) FROM events)");
}

/* Two transactions that each want what the other has locked. */
static int64_t wanted_by_other;
static pthread_t other_thread;

static void *lock_in_other_order(void *unused)
{
	(void)unused;
	mysql_thread_init();
	/* Waits for the service's transaction. */
	execute("UPDATE incidents SET cause = cause WHERE id = %ld", (long)wanted_by_other);
	execute("ROLLBACK");
	mysql_thread_end();
	return NULL;
}

/* The transaction of the service has locked the incident; now it wants the secret. */
static void run_into_deadlock(void)
{
	struct sql_build sql;
	struct error failure = { 0 };
	caller.render_result = OK;
	if (caller.tries > 1)
		return;
	assert_int_equal(pthread_create(&other_thread, NULL, lock_in_other_order, NULL), 0);
	sql_start(&sql, SQL("UPDATE secrets SET value = 'mine' WHERE name = 'wanted'"));
	caller.render_result = db_write(db, &sql, NULL, &failure);
}

static void a_deadlock_is_tried_again_and_leaves_one_event(void **state)
{
	struct incident_resource incident;
	(void)state;
	int64_t account = key_account(), monitor = add_monitor(account, "web");
	show_monitor(add_page(account, "p"), monitor, 1);
	wanted_by_other = execute("INSERT INTO incidents (account_id, monitor_id, cause, "
				  "started_at, created_at, updated_at) "
				  "VALUES (%ld, %ld, 'c', NOW(), NOW(), NOW())",
				  (long)account, (long)monitor);
	execute("INSERT INTO secrets (name, value, created_at) VALUES ('wanted', '', NOW())");
	/* The server rolls back the transaction that has changed fewer rows: not this one. */
	execute("BEGIN");
	execute("UPDATE secrets SET value = 'theirs'");
	execute("INSERT INTO secrets (name, value, created_at) SELECT seq, '', NOW() "
		"FROM seq_1_to_500");
	caller.in_transaction = run_into_deadlock;
	const struct incident_update update = { .input = { .comment = "On it" },
						.sent = FIELD_SET(INCIDENT_SENT_COMMENT) };
	enum result result = service_update_incident(&service, wanted_by_other, &update, &incident);
	assert_int_equal(pthread_join(other_thread, NULL), 0);
	assert_ok(result);
	assert_int_equal(caller.tries, 2);
	assert_string_equal(caller.body, "rendered 2");
	assert_one_event(account, "incident.commented", wanted_by_other, monitor, "On it");
	assert_rows("On it|2", "SELECT comment, revision FROM incidents");
	assert_published("public/s/p/index.html", "On it");
}

static int64_t deadlocks(void)
{
	return select_number("SELECT variable_value FROM information_schema.global_status "
			     "WHERE variable_name = 'INNODB_DEADLOCKS'");
}

static void *lock_when_the_service_waits(void *unused)
{
	/* The server renews this table when nobody has read it for 100 ms. */
	enum { TRIES = 200, PAUSE_US = 150000 };
	(void)unused;
	mysql_thread_init();
	for (int i = 0; i < TRIES; i++) {
		if (select_number("SELECT COUNT(*) FROM information_schema.innodb_trx "
				  "WHERE trx_state = 'LOCK WAIT'") > 0)
			break;
		usleep(PAUSE_US);
	}
	execute("UPDATE monitors SET url = 'https://theirs.test/'");
	execute("ROLLBACK");
	mysql_thread_end();
	return NULL;
}

static void a_deadlock_after_an_event_leaves_one_of_each(void **state)
{
	pthread_t thread;
	(void)state;
	int64_t account = key_account(), monitor = add_monitor(account, "web");
	show_monitor(add_page(account, "p"), monitor, 1);
	int64_t id = execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
			     "created_at, updated_at) VALUES (%ld, %ld, 'c', "
			     "'2026-03-05 01:00:00', NOW(), NOW())",
			     (long)account, (long)monitor);
	/* The service ends the incident, and then wants the page, which this has locked. */
	execute("BEGIN");
	execute("UPDATE status_pages SET meta_title = 'Theirs'");
	execute("INSERT INTO secrets (name, value, created_at) SELECT seq, '', NOW() "
		"FROM seq_1_to_500");
	int64_t before = deadlocks();
	assert_int_equal(pthread_create(&thread, NULL, lock_when_the_service_waits, NULL), 0);
	enum result result = service_retire_monitor(&service, monitor);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_ok(result);
	assert_int_equal(deadlocks(), before + 1);
	assert_string_equal(events(),
			    arena_printf(&arena, "%s\n%s",
					 event_text("incident.resolved", id, monitor, NULL),
					 event_text("monitor.retired", monitor, monitor, "web")));
}

static void what_is_committed_stands_though_the_disk_refuses(void **state)
{
	(void)state;
	int64_t account = key_account();
	config.pages_dir = "/dev/null/pages";
	assert_ok(create_page("s"));
	assert_int_not_equal(service.publishing.result, OK);
	assert_rows("s|1", "SELECT p.slug, r.unpublished_since IS NOT NULL "
			   "FROM " PAGES_AND_REVISIONS);
	assert_int_equal(select_number("SELECT account_id FROM events"), account);
}

static void a_bounded_request_leaves_pages_to_the_worker(void **state)
{
	struct incident incident;
	(void)state;
	int64_t account = key_account(), monitor = add_monitor(account, "web");
	for (int i = 0; i < 3; i++)
		show_monitor(add_page(account, arena_printf(&arena, "p%d", i)), monitor, 1);
	int64_t id = execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
			     "created_at, updated_at) VALUES (%ld, %ld, 'c', NOW(), NOW(), NOW())",
			     (long)account, (long)monitor);
	config.publish_in_request_pages = 2;
	service.publishing.is_bounded = true;
	assert_ok(service_delete_incident(&service, id, &incident));
	assert_true(service.publishing.is_pending);
	assert_true(is_published("public/s/p0") && is_published("public/s/p1"));
	assert_false(is_published("public/s/p2"));
	/* Nobody waits for the marks of the pages that are published. */
	assert_rows("3", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
	assert_ok(service_finish_publishing(&service, &error));
	assert_rows("p2", "SELECT p.slug FROM " PAGES_AND_REVISIONS
			  " WHERE r.unpublished_since IS NOT NULL");
}

/* Two tries find a value invalid, and have a deadlock after that. */
static enum result find_violation(struct service *own, void *context)
{
	int *tries = context;
	if (++*tries == 3)
		return OK;
	violations_add(own->violations, "monitor_ids.0", "The monitor is invalid.");
	return E_RETRY;
}

static void a_repeated_transaction_finds_violations_anew(void **state)
{
	int tries = 0;
	(void)state;
	key_account();
	violations_add(&violations, "title", "It was found before.");
	assert_ok(service_transact(&service, PERMISSION_EDIT, find_violation, &tries, &tries));
	assert_int_equal(tries, 3);
	assert_int_equal(violations.count, 1);
	assert_null(violations.first->next);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(the_response_is_rendered_before_the_commit),
		SERVICE_TEST(the_caller_may_refuse_what_was_found),
		SERVICE_TEST(an_operation_needs_its_permission),
		SERVICE_TEST(a_key_runs_its_write_once),
		SERVICE_TEST(a_key_is_of_one_request_and_one_account),
		SERVICE_TEST(a_key_that_failed_or_expired_may_be_used_again),
		SERVICE_TEST(responses_count_against_the_quota),
		SERVICE_TEST(what_is_left_runs_in_order_behind_events_and_response),
		SERVICE_TEST(too_many_writes_that_are_left_run_at_once),
		SERVICE_TEST(a_write_that_is_left_and_fails_fails_the_operation),
		SERVICE_TEST(a_deadlock_is_tried_again_and_leaves_one_event),
		SERVICE_TEST(a_deadlock_after_an_event_leaves_one_of_each),
		SERVICE_TEST(a_repeated_transaction_finds_violations_anew),
		SERVICE_TEST(what_is_committed_stands_though_the_disk_refuses),
		SERVICE_TEST(a_bounded_request_leaves_pages_to_the_worker),
	};
	return RUN_ON_DATABASE(tests);
}
