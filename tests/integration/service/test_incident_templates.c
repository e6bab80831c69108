/* Templates of incidents: what is stored of them, and reports by a template. */
#include "integration/lib/service.h"

#include "service/incident/incident_reports.h"
#include "service/incident/incident_templates.h"
#include "service/monitors.h"

#define SENT(name) FIELD_SET(INCIDENT_TEMPLATE_FIELD_##name)
#define ROWS \
	"SELECT t.account_id, t.name, t.title, t.body, t.phase, t.impact, t.created_at, " \
	"t.updated_at, (SELECT GROUP_CONCAT(x.monitor_id ORDER BY x.monitor_id) " \
	"FROM incident_template_monitors x WHERE x.template_id = t.id) FROM incident_templates t " \
	"ORDER BY t.id"

static int64_t account, web, mail, foreign;

static void make_world(void)
{
	int64_t other = add_account("other");
	foreign = add_monitor(other, "foreign");
	account = add_account("one");
	web = add_monitor(account, "web_1");
	mail = add_monitor(account, "mail");
	act_as_key(account);
}

static enum result save(int64_t id, const char *name, int64_t first, struct incident_template *row)
{
	int64_t ids[] = { first, web };
	const struct incident_template_input input = {
		.name = name,
		.title = "{system} fails",
		.body = "Since {since}: {cause}",
		.phase = PHASE_MONITORING,
		.impact = INCIDENT_PARTIAL_OUTAGE,
		.monitor_ids = { ids, 2 },
	};
	violations_init(&violations, &arena);
	return service_save_incident_template(&service, id, &input, FIELD_SET_ALL, row);
}

static void a_template_has_its_columns(void **state)
{
	struct incident_template row;
	(void)state;
	make_world();
	assert_ok(save(0, "Outage", mail, &row));
	assert_int_equal(web, row.monitor_ids.ids[0]);
	assert_rows(arena_printf(&arena,
				 "%ld|Outage|{system} fails|Since {since}: {cause}|2|2|"
				 "2026-03-05 10:00:00|2026-03-05 10:00:00|%ld,%ld",
				 (long)account, (long)web, (long)mail),
		    ROWS);
	assert_one_event(account, "incident_template.created", row.id, 0, "Outage");
	forget_events();
	execute("UPDATE incident_templates SET created_at = '2026-03-01', updated_at = "
		"'2026-03-02'");
	const struct incident_template_input input = { .title = "New",
						       .monitor_ids = { &mail, 1 } };
	assert_ok(service_save_incident_template(
		&service, row.id, &input,
		FIELD_SET(INCIDENT_TEMPLATE_FIELD_title, INCIDENT_TEMPLATE_FIELD_monitor_ids),
		&row));
	assert_rows(arena_printf(&arena,
				 "%ld|Outage|New|Since {since}: {cause}|2|2|2026-03-01 00:00:00|"
				 "2026-03-05 10:00:00|%ld",
				 (long)account, (long)mail),
		    ROWS);
	assert_one_event(account, "incident_template.updated", row.id, 0, "Outage");
	forget_events();
	assert_ok(service_delete_incident_template(&service, row.id, &row));
	assert_rows("", ROWS);
	assert_rows("0", "SELECT COUNT(*) FROM incident_template_monitors");
	assert_one_event(account, "incident_template.deleted", row.id, 0, "Outage");
}

static void a_wrong_template_is_not_stored(void **state)
{
	struct incident_template row, second;
	(void)state;
	make_world();
	assert_result(E_INVALID, save(0, "Outage", foreign, &row));
	assert_true(violations_has(&violations, "monitor_ids.0"));
	assert_ok(save(0, "Outage", mail, &row));
	assert_ok(save(0, "Second", mail, &second));
	assert_result(E_CONFLICT, save(0, "OUTAGE", mail, &row));
	assert_true(violations_has(&violations, "name"));
	assert_result(E_CONFLICT, save(second.id, "outage", mail, &row));
	assert_ok(save(second.id, "SECOND", mail, &row));
	config.most_incident_templates = 2;
	assert_result(E_QUOTA_EXCEEDED, save(0, "Third", mail, &row));
	assert_true(violations_has(&violations, "incident_templates"));
	config.most_incident_templates = 0;
	assert_ok(save(0, "Third", mail, &row));
	service.principal.role = ROLE_RESPONDER;
	assert_result(E_FORBIDDEN, save(0, "Fourth", mail, &row));
	assert_result(E_FORBIDDEN, service_delete_incident_template(&service, second.id, &row));
	assert_rows("3", "SELECT COUNT(*) FROM incident_templates");
}

static void a_template_belongs_to_its_account(void **state)
{
	struct incident_template row, other;
	(void)state;
	make_world();
	assert_ok(save(0, "Outage", mail, &row));
	act_as_key(account - 1);
	assert_result(E_NOT_FOUND, save(row.id, "x", foreign, &other));
	assert_result(E_NOT_FOUND, service_delete_incident_template(&service, row.id, &other));
	web = foreign;
	assert_ok(save(0, "Outage", foreign, &other));
	assert_rows("Outage|2\nOutage|1",
		    "SELECT t.name, (SELECT COUNT(*) FROM incident_template_monitors x "
		    "WHERE x.template_id = t.id) FROM incident_templates t ORDER BY t.id");
}

static void a_removed_monitor_leaves_the_template(void **state)
{
	struct incident_template row;
	(void)state;
	make_world();
	assert_ok(save(0, "Outage", mail, &row));
	execute("UPDATE monitors SET removed_at = NOW() WHERE id = %ld", (long)web);
	assert_ok(incident_template_find(db, account, row.id, false, &arena, &row, &error));
	assert_int_equal(1, row.monitor_ids.count);
	assert_int_equal(mail, row.monitor_ids.ids[0]);
	execute("DELETE FROM monitors WHERE id = %ld", (long)mail);
	assert_ok(incident_template_find(db, account, row.id, false, &arena, &row, &error));
	assert_int_equal(0, row.monitor_ids.count);
}

static enum result report(int64_t id, struct incident_resource *incident)
{
	const struct incident_report sent = { .template_id = id, .started_at = at(4, 7) };
	violations_init(&violations, &arena);
	return service_report_incident(&service, &sent, FIELD_SET_NONE, incident);
}

static void a_report_takes_the_template(void **state)
{
	struct incident_template row;
	struct incident_resource incident;
	(void)state;
	make_world();
	assert_ok(save(0, "Outage", mail, &row));
	service.principal.role = ROLE_RESPONDER;
	assert_ok(report(row.id, &incident));
	assert_string_equal("Since 2026-03-04T07:00:00Z:", incident.updates.rows[0].body);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, created_at, "
		"updated_at) VALUES (%1$ld, %2$ld, 'late', '2026-03-03', NOW(), NOW()), "
		"(%1$ld, %3$ld, '503 <Busy>', '2026-03-02', NOW(), NOW())",
		(long)account, (long)web, (long)mail);
	assert_ok(report(row.id, &incident));
	assert_rows("web_1, mail fails|Since 2026-03-04T07:00:00Z: 503 \\<Busy\\>|2|2|2",
		    "SELECT i.title, u.body, i.phase, i.impact, (SELECT COUNT(*) "
		    "FROM incident_monitors x WHERE x.incident_id = i.id) FROM incidents i "
		    "JOIN incident_updates u ON u.incident_id = i.id WHERE i.id = %ld",
		    (long)incident.row.id);
}

static void a_report_by_a_template_has_the_limits(void **state)
{
	struct incident_template row;
	struct incident_resource incident;
	(void)state;
	make_world();
	assert_ok(save(0, "Outage", mail, &row));
	execute("UPDATE monitors SET name = REPEAT('n', 245) WHERE id = %ld", (long)mail);
	execute("UPDATE monitors SET name = 'w' WHERE id = %ld", (long)web);
	execute("UPDATE incident_templates SET title = '{system} is bad'");
	assert_ok(report(row.id, &incident));
	execute("UPDATE incident_templates SET title = '{system} is down'");
	assert_result(E_INVALID, report(row.id, &incident));
	assert_true(violations_has(&violations, "title"));
	execute("UPDATE incident_templates SET title = '{cause}'");
	assert_result(E_INVALID, report(row.id, &incident));
	assert_true(violations_has(&violations, "title"));
	assert_result(E_INVALID, report(row.id + 1, &incident));
	assert_true(violations_has(&violations, "template_id"));
	act_as_key(account - 1);
	assert_result(E_INVALID, report(row.id, &incident));
	assert_true(violations_has(&violations, "template_id"));
	assert_rows("1", "SELECT COUNT(*) FROM incidents");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_template_has_its_columns),
		SERVICE_TEST(a_wrong_template_is_not_stored),
		SERVICE_TEST(a_template_belongs_to_its_account),
		SERVICE_TEST(a_removed_monitor_leaves_the_template),
		SERVICE_TEST(a_report_takes_the_template),
		SERVICE_TEST(a_report_by_a_template_has_the_limits),
	};
	return RUN_ON_DATABASE(tests);
}
