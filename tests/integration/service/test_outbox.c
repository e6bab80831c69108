/* The outbox: which events have a row, what it tells, and who may read it. */
#include "integration/lib/service.h"

#include <pthread.h>

#include "domain/incident/incident_report.h"
#include "service/incident/incident_reports.h"
#include "service/incident/incidents.h"
#include "service/incident/observations.h"
#include "service/maintenance/maintenances.h"
#include "store/outbox.h"

static int64_t account, web, mail;

static void make_world(bool has_outbox)
{
	account = add_account("one");
	web = add_monitor(account, "web");
	mail = add_monitor(account, "mail");
	config.has_outbox = has_outbox;
	config.most_incidents_per_day = 1000;
	config.most_maintenances = 10;
	act_as_key(account);
	service_hold_publishing(&service);
}

static int64_t report(int64_t page)
{
	struct incident_resource incident;
	int64_t ids[] = { mail, web };
	const struct incident_report sent = {
		.title = "Slow \"mail\"",
		.monitor_ids = { ids, 2 },
		.status_page_ids = { &page, page > 0 ? 1 : 0 },
		.impact = INCIDENT_PARTIAL_OUTAGE,
		.body = "We look into it.",
		.started_at = at(4, 0),
	};
	assert_ok(service_report_incident(&service, &sent, FIELD_SET_NONE, &incident));
	return incident.row.id;
}

static struct incident_posting post(int64_t id, int phase)
{
	struct incident_posting posting;
	const struct incident_post sent = { .body = "It is over.", .phase = phase };
	assert_ok(service_post_update(&service, id, &sent, FIELD_SET(POST_SENT_PHASE), &posting));
	return posting;
}

static void observe(enum observed_state state, int hour)
{
	const struct observation observation = { .account_id = account,
						 .monitor_id = web,
						 .title = "Web is down",
						 .cause = "Timeout",
						 .at = at(4, hour) };
	struct observed observed;
	assert_ok(service_observe(&service, state, &observation, &observed));
}

/* clang-format off */
#define VALUE(path) "JSON_UNQUOTE(JSON_EXTRACT(payload, '$." path "'))"
#define INCIDENT_SHOWN \
	"SELECT kind, " VALUE("text") ", " VALUE("incident.title") ", " \
	VALUE("incident.status") ", " VALUE("incident.phase") ", " VALUE("incident.impact") ", " \
	VALUE("incident.started_at") ", " VALUE("incident.ended_at") ", " \
	VALUE("incident.monitors") " FROM outbox ORDER BY id"
#define MAINTENANCE_SHOWN \
	"SELECT kind, " VALUE("maintenance.title") ", " VALUE("occurrence.starts_at") ", " \
	VALUE("occurrence.ends_at") ", " VALUE("monitors") " FROM outbox ORDER BY id"
/* clang-format on */

static void nothing_is_written_while_nothing_reads(void **state)
{
	(void)state;
	make_world(false);
	post(report(0), PHASE_RESOLVED);
	observe(OBSERVED_DOWN, 3);
	assert_rows("0", "SELECT COUNT(*) FROM outbox");
}

static void an_incident_is_told_as_it_is_after_the_change(void **state)
{
	(void)state;
	make_world(true);
	int64_t page = add_page(account, "p");
	post(report(page), PHASE_RESOLVED);
	const char *both =
		arena_printf(&arena,
			     "[{\"id\": %ld, \"name\": \"mail\", \"impact\": \"partial_outage\"}, "
			     "{\"id\": %ld, \"name\": \"web\", \"impact\": \"partial_outage\"}]",
			     (long)mail, (long)web);
	assert_rows(
		arena_printf(
			&arena,
			"incident.reported|Slow \"mail\"|Slow \"mail\"|acknowledged|investigating|"
			"partial_outage|2026-03-04T00:00:00Z|null|%1$s\n"
			"incident.resolved|It is over.|Slow \"mail\"|resolved|resolved|"
			"partial_outage|2026-03-04T00:00:00Z|2026-03-05T10:00:00Z|%1$s",
			both),
		INCIDENT_SHOWN);
	assert_rows(arena_printf(&arena, "[%ld]", (long)page),
		    "SELECT DISTINCT " VALUE("incident.status_page_ids") " FROM outbox");
	assert_rows("p/", "SELECT DISTINCT " VALUE("page_address") " FROM outbox");
	assert_rows("2026-03-05 10:00:00|1", "SELECT DISTINCT at, at = due_at FROM outbox");
}

static void what_monitoring_reports_has_the_name_of_its_system(void **state)
{
	(void)state;
	make_world(true);
	observe(OBSERVED_DOWN, 3);
	observe(OBSERVED_UP, 5);
	const char *systems = arena_printf(
		&arena, "[{\"id\": %ld, \"name\": \"web\", \"impact\": \"major_outage\"}]",
		(long)web);
	assert_rows(
		arena_printf(&arena,
			     "incident.opened|Timeout|Web is down|unresolved|investigating|"
			     "major_outage|2026-03-04T03:00:00Z|null|%1$s\n"
			     "incident.resolved|null|Web is down|resolved|resolved|major_outage|"
			     "2026-03-04T03:00:00Z|2026-03-04T05:00:00Z|%1$s",
			     systems),
		INCIDENT_SHOWN);
	assert_rows("null", "SELECT DISTINCT " VALUE("page_address") " FROM outbox");
	execute("DELETE FROM outbox");
	show_monitor(add_page(account, "p"), web, 1);
	observe(OBSERVED_DOWN, 6);
	observe(OBSERVED_UP, 7);
	assert_rows("p/", "SELECT DISTINCT " VALUE("page_address") " FROM outbox");
	/* An outage that is over when it is first heard of is no news. */
	execute("DELETE FROM outbox");
	observe(OBSERVED_DOWN, 1);
	assert_rows("1|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM outbox) FROM events "
			   "WHERE kind = 'incident.recorded'");
}

static void depends(int64_t id, int64_t owner, int64_t on)
{
	execute("INSERT INTO monitor_checks (monitor_id, account_id, type, `interval`, timeout, "
		"confirmations, recoveries, slow_ms, depends_on_id, request_method, cache_buster, "
		"follow_redirects, verify_tls, alert_condition, json_operator, dns_type, "
		"ssl_alert_days, domain_alert_days, period, grace, changed_at) VALUES (%ld, %ld, "
		"2, 60, 7, 3, 2, 800, %ld, 0, 0, 1, 1, 0, 0, 0, 14, 0, 0, 60, '2026-03-01')",
		(long)id, (long)owner, (long)on);
}

#define DEPENDENTS \
	"SELECT " VALUE("dependents") ", " VALUE("dependent_count") " FROM outbox ORDER BY id"

static void a_system_that_is_down_is_told_with_its_dependents(void **state)
{
	(void)state;
	make_world(true);
	observe(OBSERVED_DOWN, 1);
	observe(OBSERVED_UP, 2);
	assert_rows("[]|0\n-|-", DEPENDENTS);
	execute("DELETE FROM outbox");
	int64_t login = add_monitor(account, "login"), shop = add_monitor(account, "shop"),
		retired = add_monitor(account, "retired"), cart = add_monitor(account, "cart");
	depends(shop, account, login);
	depends(login, account, web);
	depends(mail, account, web);
	depends(cart, account, retired);
	depends(retired, account, web);
	execute("UPDATE monitors SET retired_at = '2026-03-01' WHERE id = %ld", (long)retired);
	/* A circle that was stored by two writers at once. */
	depends(web, account, shop);
	observe(OBSERVED_DOWN, 3);
	observe(OBSERVED_UP, 4);
	assert_rows(arena_printf(&arena,
				 "[{\"id\": %ld, \"name\": \"mail\"}, {\"id\": %ld, \"name\": "
				 "\"login\"}, {\"id\": %ld, \"name\": \"shop\"}]|3\n-|-",
				 (long)mail, (long)login, (long)shop),
		    DEPENDENTS);
}

static void the_names_of_dependents_are_bounded(void **state)
{
	(void)state;
	make_world(true);
	for (int i = 0; i < OUTBOX_DEPENDENTS_MAX + 5; i++)
		depends(add_monitor(account, arena_printf(&arena, "m%d", i)), account, web);
	/* The monitors of others cannot depend on it. */
	int64_t other = add_account("two");
	depends(add_monitor(other, "other"), other, web);
	observe(OBSERVED_DOWN, 3);
	assert_rows(
		"20|25|m0|m19",
		"SELECT JSON_LENGTH(payload, '$.dependents'), " VALUE("dependent_count") ", " VALUE(
			"dependents[0].name") ", " VALUE("dependents[19].name") " FROM outbox");
}

static void maintenance_is_told_with_its_occurrence(void **state)
{
	bool is_more;
	struct maintenance_shown shown;
	(void)state;
	make_world(true);
	int64_t ids[] = { web };
	const struct maintenance_input input = { .title = "New disk",
						 .starts_at = "2026-03-06T02:00:00Z",
						 .ends_at = at(6, 3),
						 .auto_transition = true,
						 .monitor_ids = { ids, 1 } };
	assert_ok(service_add_maintenance(&service, account, &input, FIELD_SET_NONE, &shown));
	assert_ok(service_maintenance_clock(db, &config, at(6, 2), &is_more, &error));
	assert_ok(service_maintenance_clock(db, &config, at(6, 4), &is_more, &error));
	const char *shared = arena_printf(
		&arena,
		"New disk|2026-03-06T02:00:00Z|2026-03-06T03:00:00Z|[{\"id\": %ld, \"name\": "
		"\"web\"}]",
		(long)web);
	assert_rows(arena_printf(&arena,
				 "maintenance.scheduled|%1$s\nmaintenance.started|%1$s\n"
				 "maintenance.completed|%1$s",
				 shared),
		    MAINTENANCE_SHOWN);
	assert_rows("1", "SELECT COUNT(*) = (SELECT COUNT(*) FROM events "
			 "WHERE object = 'maintenance') FROM outbox");
}

/* The outbox changes nothing else: the text of an incident is no news of its monitor. */
static void a_text_leaves_the_monitor_as_it_is(void **state)
{
	(void)state;
	make_world(false);
	for (int i = 0; i < 2; i++) {
		config.has_outbox = i == 1;
		int64_t day = 4 + i;
		const struct observation observation = { .account_id = account,
							 .monitor_id = i == 0 ? web : mail,
							 .title = "It is down",
							 .cause = "Timeout",
							 .at = at((int)day, 1) };
		struct observed observed;
		assert_ok(service_observe(&service, OBSERVED_DOWN, &observation, &observed));
		execute("UPDATE monitors SET updated_at = '2026-01-01'");
		post(observed.incident_id, PHASE_IDENTIFIED);
		assert_rows("2", "SELECT COUNT(*) FROM monitors WHERE updated_at = '2026-01-01'");
		post(observed.incident_id, PHASE_RESOLVED);
		assert_rows("1", "SELECT COUNT(*) FROM monitors WHERE updated_at = '2026-01-01'");
	}
}

static void add_rows(int count)
{
	execute("INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at) "
		"SELECT %ld, 'incident.opened', seq, '2026-03-05 09:00:00', '{}', "
		"'2026-03-05 09:00:00' FROM seq_1_to_%d",
		(long)account, count);
}

static struct id_list ids_of(const struct db_list *found)
{
	const struct outbox_row *rows = found->rows;
	struct id_list ids = { ARENA_ARRAY(&arena, found->count, int64_t), found->count };
	for (size_t i = 0; i < found->count; i++)
		ids.ids[i] = rows[i].id;
	return ids;
}

/* A reader that claims and finishes until nothing is left. */
struct reader {
	struct db *db;
	int64_t claim;
	size_t claimed;
	enum result result;
	pthread_t thread;
};

static void *run_reader(void *argument)
{
	struct reader *reader = argument;
	struct error mine = { 0 };
	struct arena memory;
	size_t count = 1;
	arena_init(&memory, 8 << 20);
	while (reader->result == OK && count > 0) {
		const struct outbox_claim claim = { reader->claim, at(5, 10), at(5, 11) };
		struct db_list rows;
		reader->result = outbox_claim(reader->db, &claim, 7, &memory, &rows, &mine);
		const struct outbox_row *found = rows.rows;
		struct id_list ids = { ARENA_ARRAY(&memory, rows.count, int64_t), rows.count };
		for (size_t i = 0; i < rows.count; i++)
			ids.ids[i] = found[i].id;
		if (reader->result == OK)
			reader->result = outbox_finish(reader->db, &claim, &ids, &mine);
		reader->claimed += rows.count;
		count = rows.count;
		arena_reset(&memory);
	}
	arena_done(&memory);
	return NULL;
}

static void readers_share_the_rows(void **state)
{
	enum { ROWS = 400 };
	struct reader readers[2] = { { .claim = 11 }, { .claim = 12 } };
	(void)state;
	make_world(true);
	add_rows(ROWS);
	for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
		readers[i].db = database_connect();
		assert_int_equal(pthread_create(&readers[i].thread, NULL, run_reader, &readers[i]),
				 0);
	}
	for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
		assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
		db_free(readers[i].db);
		assert_int_equal(readers[i].result, OK);
	}
	/* Each row once; a reader may stop early, when the other one has just claimed the rest. */
	assert_int_equal(readers[0].claimed + readers[1].claimed, ROWS);
	assert_rows("0", "SELECT COUNT(*) FROM outbox");
}

static void rows_of_a_dead_reader_are_read_again(void **state)
{
	struct db_list dead, living;
	(void)state;
	make_world(true);
	add_rows(5);
	const struct outbox_claim first = { 1, at(5, 10), at(5, 11) };
	assert_ok(outbox_claim(db, &first, 3, &arena, &dead, &error));
	assert_int_equal(dead.count, 3);
	assert_int_equal(((struct outbox_row *)dead.rows)[0].tries, 1);
	/* Until its time is over the rows are its own. */
	const struct outbox_claim second = { 2, { at(5, 11).s - 1 }, at(5, 12) };
	assert_ok(outbox_claim(db, &second, 10, &arena, &living, &error));
	assert_int_equal(living.count, 2);
	const struct outbox_claim third = { 3, at(5, 11), at(5, 13) };
	assert_ok(outbox_claim(db, &third, 10, &arena, &living, &error));
	assert_int_equal(living.count, 3);
	assert_int_equal(((struct outbox_row *)living.rows)[0].tries, 2);
	/* It was not dead: what it has sent stays the other's to finish. */
	const struct id_list ids = ids_of(&dead);
	assert_ok(outbox_finish(db, &first, &ids, &error));
	assert_rows("5", "SELECT COUNT(*) FROM outbox");
	assert_ok(outbox_finish(db, &third, &ids, &error));
	assert_rows("2", "SELECT COUNT(*) FROM outbox");
}

static size_t claimed_at(struct instant now, struct instant until)
{
	static int64_t number = 100;
	struct db_list rows;
	const struct outbox_claim claim = { ++number, now, until };
	assert_ok(outbox_claim(db, &claim, 10, &arena, &rows, &error));
	return rows.count;
}

/* Rows of a clock that was ahead, and was set back. */
static void rows_of_the_future_are_due(void **state)
{
	(void)state;
	make_world(true);
	add_rows(3);
	assert_int_equal(claimed_at(at(7, 10), at(7, 11)), 3);
	/* The reader has died. Another clock may differ by as much as a claim lasts. */
	assert_int_equal(claimed_at(at(7, 10), at(7, 11)), 0);
	assert_int_equal(claimed_at(at(5, 10), at(9, 0)), 3);
	/* The claim for days has ended after an hour. */
	assert_int_equal(claimed_at((struct instant){ at(5, 11).s - 1 }, at(5, 12)), 0);
	assert_int_equal(claimed_at(at(5, 11), at(5, 12)), 3);
	execute("UPDATE outbox SET at = '2026-03-08', due_at = '2026-03-08', claim = 0");
	assert_int_equal(claimed_at(at(5, 12), at(5, 13)), 3);
}

/* A transaction that adds a row, and is slow, delays no reader. */
static void rows_that_are_not_committed_are_left(void **state)
{
	struct db_list rows;
	(void)state;
	make_world(true);
	add_rows(2);
	execute("START TRANSACTION");
	add_rows(3);
	const struct outbox_claim claim = { 1, at(5, 10), at(5, 11) };
	assert_ok(outbox_claim(db, &claim, 10, &arena, &rows, &error));
	execute("COMMIT");
	assert_int_equal(rows.count, 2);
}

static void only_rows_that_nobody_can_claim_are_deleted(void **state)
{
	struct db_list rows;
	bool is_more = true;
	(void)state;
	make_world(true);
	add_rows(600);
	struct instant last = { at(5, 9).s + OUTBOX_CLAIMABLE_S - 1 }, over = { last.s + 1 };
	assert_ok(outbox_prune(db, last, &is_more, &error));
	assert_false(is_more);
	const struct outbox_claim claim = { 1, last, { last.s + 60 } };
	assert_ok(outbox_claim(db, &claim, 1, &arena, &rows, &error));
	assert_int_equal(rows.count, 1);
	const struct outbox_claim late = { 2, over, { over.s + 60 } };
	assert_ok(outbox_claim(db, &late, 600, &arena, &rows, &error));
	assert_int_equal(rows.count, 0);
	assert_ok(outbox_prune(db, over, &is_more, &error));
	assert_true(is_more);
	assert_ok(outbox_prune(db, over, &is_more, &error));
	assert_false(is_more);
	assert_rows("0", "SELECT COUNT(*) FROM outbox");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(nothing_is_written_while_nothing_reads),
		SERVICE_TEST(an_incident_is_told_as_it_is_after_the_change),
		SERVICE_TEST(what_monitoring_reports_has_the_name_of_its_system),
		SERVICE_TEST(a_system_that_is_down_is_told_with_its_dependents),
		SERVICE_TEST(the_names_of_dependents_are_bounded),
		SERVICE_TEST(maintenance_is_told_with_its_occurrence),
		SERVICE_TEST(a_text_leaves_the_monitor_as_it_is),
		SERVICE_TEST(readers_share_the_rows),
		SERVICE_TEST(rows_of_a_dead_reader_are_read_again),
		SERVICE_TEST(rows_of_the_future_are_due),
		SERVICE_TEST(rows_that_are_not_committed_are_left),
		SERVICE_TEST(only_rows_that_nobody_can_claim_are_deleted),
	};
	return RUN_ON_DATABASE(tests);
}
