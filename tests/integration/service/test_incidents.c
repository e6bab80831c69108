#include "integration/lib/service.h"

#include "service/incident/incident_import.h"
#include "service/incident/incidents.h"

struct place {
	int64_t account, monitor, incident;
};

#define INDEX "public/s/p/index.html"

/* A monitor with an open incident, on the page "p"; the principal is a key of its account. */
static struct place place(void)
{
	struct place place = { .account = add_account("one") };
	place.monitor = add_monitor(place.account, "web");
	show_monitor(add_page(place.account, "p"), place.monitor, 1);
	place.incident = execute("INSERT INTO incidents (account_id, monitor_id, title, cause, "
				 "started_at, created_at, updated_at) VALUES (%ld, %ld, "
				 "'The title', 'The cause', '2026-03-04 00:00:00', "
				 "'2026-03-04 00:00:00', '2026-03-04 00:00:00')",
				 (long)place.account, (long)place.monitor);
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"VALUES (%ld, 0, %ld, 1)",
		(long)place.monitor, (long)place.account);
	act_as_key(place.account);
	return place;
}

#define ROW	   "SELECT comment, acknowledged_at, ended_at, updated_at, revision FROM incidents"
#define ROW_BEFORE "-|-|-|2026-03-04 00:00:00|1"

static enum result update(int64_t id, struct incident_update update)
{
	struct incident_resource incident;
	return service_update_incident(&service, id, &update, &incident);
}

static struct incident_update commented(const char *comment)
{
	return (struct incident_update){ .input = { .comment = comment },
					 .sent = FIELD_SET(INCIDENT_SENT_COMMENT) };
}

static struct incident_update acknowledged(bool is_acknowledged)
{
	return (struct incident_update){ .input = { .acknowledged_at = is_acknowledged },
					 .sent = FIELD_SET(INCIDENT_SENT_ACKNOWLEDGED) };
}

static void a_comment_is_stored_with_an_event_and_published(void **state)
{
	struct incident_resource incident;
	(void)state;
	struct place here = place();
	const struct incident_update change = commented("On it");
	assert_ok(service_update_incident(&service, here.incident, &change, &incident));
	assert_string_equal(incident.row.comment, "On it");
	assert_int_equal(incident.row.revision, 2);
	assert_rows("On it|-|-|2026-03-05 10:00:00|2", ROW);
	assert_one_event(here.account, "incident.commented", here.incident, here.monitor, "On it");
	assert_published(INDEX, "On it");
	assert_rows("1", "SELECT unpublished_since IS NULL FROM page_revisions");
	/* The same again stores nothing, and publishes what an earlier worker may have left. */
	unpublish("p");
	assert_ok(update(here.incident, commented("On it")));
	assert_published(INDEX, "On it");
	assert_rows("2|1", "SELECT revision, (SELECT COUNT(*) FROM events) FROM incidents");
}

static void an_acknowledgement_is_given_and_withdrawn(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(update(here.incident, acknowledged(true)));
	assert_rows("-|2026-03-05 10:00:00|-|2026-03-05 10:00:00|2", ROW);
	assert_one_event(here.account, "incident.acknowledged", here.incident, here.monitor, NULL);
	forget_events();
	assert_ok(update(here.incident, acknowledged(false)));
	assert_rows("-|-|-|2026-03-05 10:00:00|3", ROW);
	assert_one_event(here.account, "incident.unacknowledged", here.incident, here.monitor,
			 NULL);
	forget_events();
	/* Both at once are one event, which has the comment. */
	struct incident_update both = acknowledged(true);
	both.input.comment = "On it";
	field_set_add(&both.sent, INCIDENT_SENT_COMMENT);
	assert_ok(update(here.incident, both));
	assert_one_event(here.account, "incident.acknowledged", here.incident, here.monitor,
			 "On it");
	assert_rows("1|1", "SELECT status, total FROM incident_counts WHERE total <> 0");
}

static void a_resolved_incident_is_not_acknowledged(void **state)
{
	(void)state;
	struct place here = place();
	execute("UPDATE incidents SET ended_at = '2026-03-04 01:00:00'");
	assert_result(E_INVALID, update(here.incident, acknowledged(true)));
	assert_true(violations_has(&violations, "acknowledged_at"));
	assert_rows("-|-|2026-03-04 01:00:00|2026-03-04 00:00:00|1", ROW);
	assert_string_equal(events(), "");
}

static enum result resolve(int64_t incident_id, int64_t monitor_id, struct instant at, bool *is_new)
{
	struct incident incident;
	const struct incident_resolution resolution = { incident_id, monitor_id, at };
	return service_resolve_incident(&service, &resolution, &incident, is_new);
}

static void an_incident_is_resolved_once(void **state)
{
	bool is_new = false;
	(void)state;
	struct place here = place();
	assert_ok(resolve(here.incident, 0, at(5, 3), &is_new));
	assert_true(is_new);
	assert_rows("-|-|2026-03-05 03:00:00|2026-03-05 10:00:00|2", ROW);
	assert_one_event(here.account, "incident.resolved", here.incident, here.monitor, NULL);
	assert_published(INDEX, "The title");
	assert_rows("2|1", "SELECT status, total FROM incident_counts WHERE total <> 0");
	unpublish("p");
	assert_ok(resolve(here.incident, 0, at(5, 4), &is_new));
	assert_false(is_new);
	assert_published(INDEX, "The title");
	assert_rows("-|-|2026-03-05 03:00:00|2026-03-05 10:00:00|2", ROW);
	assert_rows("1", "SELECT COUNT(*) FROM events");
}

static void the_open_incident_of_a_monitor_is_resolved(void **state)
{
	bool is_new = false;
	(void)state;
	struct place here = place();
	assert_ok(resolve(0, here.monitor, at(5, 3), &is_new));
	assert_true(is_new);
	assert_one_event(here.account, "incident.resolved", here.incident, here.monitor, NULL);
	assert_result(E_NOT_FOUND, resolve(0, here.monitor, at(5, 3), &is_new));
}

static void a_deleted_incident_leaves_its_events(void **state)
{
	struct incident incident;
	(void)state;
	struct place here = place();
	assert_ok(service_delete_incident(&service, here.incident, &incident));
	assert_string_equal(incident.cause, "The cause");
	assert_rows("0", "SELECT COUNT(*) FROM incidents");
	assert_one_event(here.account, "incident.deleted", here.incident, here.monitor,
			 "The cause");
	assert_true(is_published(INDEX));
	assert_null(strstr(published(INDEX), "The title"));
	assert_result(E_NOT_FOUND, service_delete_incident(&service, here.incident, &incident));
	assert_rows("1", "SELECT COUNT(*) FROM events");
}

static void incidents_of_other_accounts_are_unknown(void **state)
{
	struct incident incident;
	bool is_new;
	(void)state;
	struct place here = place();
	act_as_key(add_account("two"));
	assert_result(E_NOT_FOUND, update(here.incident, commented("Stolen")));
	assert_result(E_NOT_FOUND, resolve(here.incident, 0, at(5, 3), &is_new));
	assert_result(E_NOT_FOUND, resolve(0, here.monitor, at(5, 3), &is_new));
	assert_result(E_NOT_FOUND, service_delete_incident(&service, here.incident, &incident));
	assert_rows(ROW_BEFORE, ROW);
	assert_string_equal(events(), "");
	act_as_operator();
	assert_ok(update(here.incident, commented("By the operator")));
	assert_one_event(here.account, "incident.commented", here.incident, here.monitor,
			 "By the operator");
}

static void an_operation_whose_event_fails_changes_nothing(void **state)
{
	struct incident incident;
	bool is_new;
	(void)state;
	struct place here = place();
	break_events();
	assert_result(E_FAILED, update(here.incident, commented("On it")));
	assert_result(E_FAILED, resolve(here.incident, 0, at(5, 3), &is_new));
	assert_result(E_FAILED, service_delete_incident(&service, here.incident, &incident));
	assert_rows(ROW_BEFORE, ROW);
	assert_rows("0|1", "SELECT status, total FROM incident_counts");
	assert_rows("1|-", "SELECT revision, unpublished_since FROM page_revisions");
	assert_false(is_published(INDEX));
}

static struct incident_batch batch_of(struct place here, const struct incident *rows, size_t count)
{
	return (struct incident_batch){ .account_id = here.account,
					.rows = rows,
					.count = count,
					.file = { .hash = { 1 }, .lines_done = 40 } };
}

static void a_batch_is_imported_whole_and_published_at_the_end(void **state)
{
	(void)state;
	struct place here = place();
	act_as_operator();
	const struct incident rows[] = { { .monitor_id = here.monitor,
					   .title = "Former title",
					   .cause = "Former",
					   .started_at = at(1, 0),
					   .ended_at = at(1, 1) } };
	const struct incident_batch batch = batch_of(here, rows, 1);
	assert_ok(service_import_incidents(&service, &batch));
	assert_false(is_published(INDEX));
	int64_t id = select_number("SELECT MAX(id) FROM incidents");
	assert_one_event(here.account, "incident.imported", id, here.monitor, "Former");
	assert_rows("40|2026-03-05 10:00:00",
		    "SELECT lines_done, updated_at FROM incident_imports WHERE account_id = %ld",
		    (long)here.account);
	service_publish_imported(&service);
	assert_published(INDEX, "Former title");
}

static struct incident *imported_rows(int64_t a, int64_t b)
{
	static struct incident rows[2];
	rows[0] = (struct incident){ .monitor_id = a,
				     .title = "T1",
				     .cause = "C1",
				     .comment = "M1",
				     .started_at = { at(1, 23).s - 29 * 86400 },
				     .acknowledged_at = { at(1, 23).s - 29 * 86400 + 1800 },
				     .ended_at = { at(1, 1).s - 28 * 86400 } };
	rows[1] = (struct incident){ .monitor_id = b,
				     .cause = "C2",
				     .started_at = { at(2, 0).s - 28 * 86400 },
				     .ended_at = { at(2, 1).s - 28 * 86400 } };
	return rows;
}

#define IMPORTED_EVENT "incident.imported|incident|" EVENT_SOURCE_TEXT "|2026-03-05 10:00:00|1|"

static void many_are_imported_at_once(void **state)
{
	(void)state;
	int64_t account = add_account("one"), a = add_monitor(account, "a"),
		b = add_monitor(account, "b");
	int64_t page = add_page(account, "shows"), foreign = add_page(add_account("two"), "theirs");
	show_monitor(page, a, 1);
	show_monitor(foreign, a, 1);
	execute("UPDATE monitors SET known_since = '2026-02-01 00:00:00'");
	act_as_key(account);
	struct incident_batch batch = { .account_id = account,
					.rows = imported_rows(a, b),
					.count = 2 };
	assert_ok(service_import_incidents(&service, &batch));
	assert_rows("a|T1|C1|M1|2026-01-31 23:00:00|2026-01-31 23:30:00|2026-02-01 01:00:00|"
		    "2026-03-05 10:00:00|2026-03-05 10:00:00\n"
		    "b|-|C2|-|2026-02-02 00:00:00|-|2026-02-02 01:00:00|2026-03-05 10:00:00|"
		    "2026-03-05 10:00:00",
		    "SELECT m.name, i.title, i.cause, i.comment, i.started_at, i.acknowledged_at, "
		    "i.ended_at, i.created_at, i.updated_at FROM incidents i "
		    "JOIN monitors m ON m.id = i.monitor_id ORDER BY i.id");
	assert_rows("a|2|1\nb|2|1", "SELECT m.name, c.status, c.total FROM incident_counts c "
				    "JOIN monitors m ON m.id = c.monitor_id ORDER BY m.id");
	/* The months of the start, and those in which it goes on. */
	assert_rows("a|2026-01-01\na|2026-02-01\nb|2026-02-01",
		    "SELECT m.name, h.month FROM incident_months h "
		    "JOIN monitors m ON m.id = h.monitor_id ORDER BY m.id, h.month");
	assert_rows("a|2026-01-31 23:00:00\nb|2026-02-01 00:00:00",
		    "SELECT name, known_since FROM monitors ORDER BY id");
	assert_rows(IMPORTED_EVENT "a|C1\n" IMPORTED_EVENT "b|C2",
		    "SELECT e.kind, e.object, " EVENT_SOURCE_SHOWN ", e.at, "
		    "e.account_id = i.account_id, m.name, e.detail FROM events e "
		    "JOIN incidents i ON i.id = e.object_id "
		    "JOIN monitors m ON m.id = e.monitor_id AND m.id = i.monitor_id "
		    "ORDER BY e.id");
	assert_rows("shows|2|2026-03-05 10:00:00\ntheirs|1|-",
		    "SELECT p.slug, r.revision, r.unpublished_since "
		    "FROM " PAGES_AND_REVISIONS " ORDER BY p.id");
	batch.rows = imported_rows(a, add_monitor(add_account("3"), "c"));
	assert_result(E_INVALID, service_import_incidents(&service, &batch));
	assert_rows("2", "SELECT COUNT(*) FROM incidents");
}

static void a_batch_with_a_foreign_monitor_stores_nothing(void **state)
{
	(void)state;
	struct place here = place();
	act_as_operator();
	const struct incident rows[] = {
		{ .monitor_id = here.monitor,
		  .cause = "Former",
		  .started_at = at(1, 0),
		  .ended_at = at(1, 1) },
		{ .monitor_id = add_monitor(add_account("two"), "theirs"),
		  .cause = "Theirs",
		  .started_at = at(1, 0),
		  .ended_at = at(1, 1) },
	};
	const struct incident_batch batch = batch_of(here, rows, 2);
	assert_result(E_INVALID, service_import_incidents(&service, &batch));
	assert_rows("1|0|0", "SELECT (SELECT COUNT(*) FROM incidents), "
			     "(SELECT COUNT(*) FROM events), "
			     "(SELECT COUNT(*) FROM incident_imports)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_comment_is_stored_with_an_event_and_published),
		SERVICE_TEST(an_acknowledgement_is_given_and_withdrawn),
		SERVICE_TEST(a_resolved_incident_is_not_acknowledged),
		SERVICE_TEST(an_incident_is_resolved_once),
		SERVICE_TEST(the_open_incident_of_a_monitor_is_resolved),
		SERVICE_TEST(a_deleted_incident_leaves_its_events),
		SERVICE_TEST(incidents_of_other_accounts_are_unknown),
		SERVICE_TEST(an_operation_whose_event_fails_changes_nothing),
		SERVICE_TEST(a_batch_is_imported_whole_and_published_at_the_end),
		SERVICE_TEST(many_are_imported_at_once),
		SERVICE_TEST(a_batch_with_a_foreign_monitor_stores_nothing),
	};
	return RUN_ON_DATABASE(tests);
}
