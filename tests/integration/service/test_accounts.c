/* The operations on monitors and accounts, and the events of those on keys. */
#include "integration/lib/service.h"

#include "service/accounts.h"
#include "service/keys.h"
#include "service/monitors.h"

#define INDEX "public/s/p/index.html"

struct place {
	int64_t account, monitor;
};

/* A monitor "web" on the page "p", which "without" does not show. */
static struct place place(void)
{
	int64_t account = add_account("one"), monitor = add_monitor(account, "web");
	show_monitor(add_page(account, "p"), monitor, 1);
	add_page(account, "without");
	return (struct place){ account, monitor };
}

static struct field_set sent_fields(void)
{
	return FIELD_SET(MONITOR_FIELD_name, MONITOR_FIELD_url, MONITOR_FIELD_label,
			 MONITOR_FIELD_known_since);
}

static void a_monitor_is_added_with_an_event(void **state)
{
	(void)state;
	struct monitor monitor;
	const struct monitor_input input = { .name = " Website ",
					     .url = "https://web.test/",
					     .label = " instance=web ",
					     .known_since = at(1, 0) };
	int64_t account = add_account("one");
	assert_ok(service_add_monitor(&service, account, &input, sent_fields(), &monitor));
	assert_rows(arena_printf(&arena,
				 "%ld|%ld|Website|https://web.test/|instance=web|"
				 "2026-03-01 00:00:00|2026-03-05 10:00:00|2026-03-05 10:00:00",
				 (long)monitor.id, (long)account),
		    "SELECT id, account_id, name, url, label, known_since, created_at, updated_at "
		    "FROM monitors");
	assert_one_event(account, "monitor.created", monitor.id, monitor.id, "Website");
	const struct monitor_input same_label = { .name = "N",
						  .url = "https://n.test/",
						  .label = "instance=web" };
	assert_result(E_CONFLICT,
		      service_add_monitor(&service, account, &same_label, sent_fields(), &monitor));
	assert_true(violations_has(&violations, "label"));
}

static void a_monitor_that_may_not_be_added_is_refused(void **state)
{
	(void)state;
	struct monitor monitor;
	int64_t account = add_account("one");
	const struct monitor_input wrong = {
		.name = " ", .url = "ftp://web.test/", .label = "no label", .known_since = at(6, 0)
	};
	assert_result(E_INVALID,
		      service_add_monitor(&service, account, &wrong, sent_fields(), &monitor));
	assert_true(violations_has(&violations, "name"));
	assert_true(violations_has(&violations, "url"));
	assert_true(violations_has(&violations, "label"));
	assert_true(violations_has(&violations, "known_since"));
	violations = (struct violations){ .arena = &arena };
	add_monitor(account, "first");
	config.most_monitors = 1;
	const struct monitor_input input = { .name = "N", .url = "https://web.test/" };
	assert_result(E_QUOTA_EXCEEDED,
		      service_add_monitor(&service, account, &input, sent_fields(), &monitor));
	assert_true(violations_has(&violations, "monitors"));
	assert_rows("1|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM events) FROM monitors");
}

static enum result set_name(int64_t id, const char *name)
{
	struct monitor monitor;
	return service_update_monitor(&service, id, &(struct monitor_input){ .name = name },
				      FIELD_SET(MONITOR_FIELD_name), &monitor);
}

static enum result set_label(int64_t id, const char *label)
{
	struct monitor monitor;
	return service_update_monitor(&service, id, &(struct monitor_input){ .label = label },
				      FIELD_SET(MONITOR_FIELD_label), &monitor);
}

static void a_new_name_is_published(void **state)
{
	(void)state;
	struct place here = place();
	assert_ok(set_name(here.monitor, "New name"));
	assert_rows("New name|2026-03-05 10:00:00", "SELECT name, updated_at FROM monitors");
	assert_one_event(here.account, "monitor.renamed", here.monitor, here.monitor, "New name");
	assert_published(INDEX, "New name");
	assert_false(is_published("public/s/without"));
	assert_result(E_INVALID, set_name(here.monitor, ""));
	assert_true(violations_has(&violations, "name"));
	assert_rows("New name|1", "SELECT name, (SELECT COUNT(*) FROM events) FROM monitors");
}

static void a_label_is_set_and_removed(void **state)
{
	(void)state;
	struct place here = place();
	int64_t other = add_monitor(here.account, "other");
	assert_ok(set_label(here.monitor, "instance=web"));
	assert_rows("web|instance=web|2026-03-05 10:00:00\nother|-|2026-01-03 00:00:00",
		    "SELECT name, label, updated_at FROM monitors ORDER BY id");
	assert_one_event(here.account, "monitor.labelled", here.monitor, here.monitor,
			 "instance=web");
	assert_false(is_published(INDEX));
	assert_result(E_CONFLICT, set_label(other, "instance=web"));
	assert_result(E_INVALID, set_label(other, "no label"));
	assert_true(violations_has(&violations, "label"));
	violations = (struct violations){ .arena = &arena };
	forget_events();
	assert_ok(set_label(here.monitor, NULL));
	assert_rows("web|-\nother|-", "SELECT name, label FROM monitors ORDER BY id");
	assert_one_event(here.account, "monitor.labelled", here.monitor, here.monitor, NULL);
}

static void an_update_changes_the_fields_that_were_sent(void **state)
{
	(void)state;
	struct place here = place();
	struct monitor monitor;
	const struct monitor_input input = { .name = "unused",
					     .url = "https://new.test/",
					     .label = "a=b",
					     .known_since = at(2, 0) };
	assert_ok(service_update_monitor(&service, here.monitor, &input,
					 FIELD_SET(MONITOR_FIELD_url, MONITOR_FIELD_known_since),
					 &monitor));
	assert_rows("web|https://new.test/|-|2026-03-02 00:00:00|2026-03-05 10:00:00",
		    "SELECT name, url, label, known_since, updated_at FROM monitors");
	assert_string_equal(monitor.name, "web");
	assert_string_equal(monitor.url, "https://new.test/");
	assert_one_event(here.account, "monitor.updated", here.monitor, here.monitor, "web");
	assert_true(is_published(INDEX));
	forget_events();
	assert_ok(service_update_monitor(&service, here.monitor, &input,
					 FIELD_SET(MONITOR_FIELD_name, MONITOR_FIELD_label),
					 &monitor));
	assert_string_equal(
		events(),
		arena_printf(&arena, "%s\n%s",
			     event_text("monitor.renamed", here.monitor, here.monitor, "unused"),
			     event_text("monitor.labelled", here.monitor, here.monitor, "a=b")));
	forget_events();
	assert_ok(service_update_monitor(&service, here.monitor, &input, sent_fields(), &monitor));
	assert_string_equal(events(), "");
}

static int64_t open_incident(struct place here)
{
	return execute("INSERT INTO incidents (account_id, monitor_id, title, cause, started_at, "
		       "created_at, updated_at) VALUES (%ld, %ld, 'The title', 'c', "
		       "'2026-03-05 01:00:00', '2026-03-05 01:00:00', '2026-03-05 01:00:00')",
		       (long)here.account, (long)here.monitor);
}

static void a_retired_monitor_ends_its_incident_and_is_published(void **state)
{
	(void)state;
	struct place here = place();
	int64_t incident = open_incident(here);
	execute("UPDATE monitors SET label = 'a=b'");
	assert_ok(service_retire_monitor(&service, here.monitor));
	assert_rows("web|2026-03-05 10:00:00|-", "SELECT name, retired_at, label FROM monitors");
	assert_rows("2026-03-05 10:00:00", "SELECT ended_at FROM incidents");
	assert_string_equal(
		events(),
		arena_printf(&arena, "%s\n%s",
			     event_text("incident.resolved", incident, here.monitor, NULL),
			     event_text("monitor.retired", here.monitor, here.monitor, "web")));
	assert_published(INDEX, "The title");
	assert_null(strstr(published("public/s/p/summary.json"), "\"name\":\"web\""));
	assert_rows("0", "SELECT COUNT(*) FROM page_revisions WHERE unpublished_since IS NOT NULL");
	forget_events();
	struct place idle = { here.account, add_monitor(here.account, "idle") };
	show_monitor(select_number("SELECT id FROM status_pages WHERE slug = 'without'"),
		     idle.monitor, 1);
	assert_ok(service_retire_monitor(&service, idle.monitor));
	assert_one_event(here.account, "monitor.retired", idle.monitor, idle.monitor, "idle");
	assert_true(is_published("public/s/without/index.html"));
}

static void a_removed_monitor_takes_its_incidents_and_is_published(void **state)
{
	(void)state;
	struct place here = place();
	struct place kept = { here.account, add_monitor(here.account, "kept") };
	open_incident(here);
	open_incident(kept);
	execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, "
		"created_at, updated_at) SELECT %ld, %ld, 'c', NOW(), NOW(), NOW(), NOW() "
		"FROM seq_1_to_1500",
		(long)here.account, (long)here.monitor);
	assert_ok(set_name(here.monitor, "Its name"));
	assert_published(INDEX, "Its name");
	forget_events();
	assert_ok(service_remove_monitor(&service, here.monitor));
	assert_rows("kept|1", "SELECT name, (SELECT COUNT(*) FROM incidents) FROM monitors");
	assert_one_event(here.account, "monitor.deleted", here.monitor, here.monitor, "Its name");
	assert_true(is_published(INDEX));
	assert_null(strstr(published(INDEX), "Its name"));
	assert_result(E_NOT_FOUND, service_remove_monitor(&service, here.monitor));
}

static void monitors_of_other_accounts_are_unknown(void **state)
{
	(void)state;
	struct place here = place();
	act_as_key(add_account("two"));
	assert_result(E_NOT_FOUND, set_name(here.monitor, "Stolen"));
	assert_result(E_NOT_FOUND, set_label(here.monitor, "a=b"));
	assert_result(E_NOT_FOUND, service_retire_monitor(&service, here.monitor));
	assert_result(E_NOT_FOUND, service_remove_monitor(&service, here.monitor));
	assert_rows("web|-|-|2026-01-03 00:00:00",
		    "SELECT name, label, retired_at, updated_at FROM monitors");
	assert_string_equal(events(), "");
}

static void an_operation_whose_event_fails_changes_nothing(void **state)
{
	struct created_key created;
	(void)state;
	struct place here = place();
	const struct monitor_input input = { .name = "N", .url = "https://n.test/" };
	const struct key_input key_input = { .label = "deploy" };
	const struct account_input account_input = { .name = "two" };
	struct monitor monitor;
	struct api_key key;
	struct key_revocation revoked;
	struct account account;
	assert_ok(service_create_key(&service, here.account, &key_input, FIELD_SET_NONE, &created));
	key = created.key;
	open_incident(here);
	break_events();
	assert_result(E_FAILED,
		      service_add_monitor(&service, here.account, &input, sent_fields(), &monitor));
	assert_result(E_FAILED, set_name(here.monitor, "New"));
	assert_result(E_FAILED, set_label(here.monitor, "a=b"));
	assert_result(E_FAILED, service_retire_monitor(&service, here.monitor));
	assert_result(E_FAILED, service_remove_monitor(&service, here.monitor));
	assert_rows("web|-|-|2026-01-03 00:00:00",
		    "SELECT name, label, retired_at, updated_at FROM monitors");
	assert_rows("1", "SELECT COUNT(*) FROM incidents WHERE ended_at IS NULL");
	assert_result(E_FAILED, service_revoke_key(&service, key.id, false, &revoked));
	assert_result(E_FAILED, service_create_key(&service, here.account, &key_input,
						   FIELD_SET_NONE, &created));
	assert_rows("deploy|-", "SELECT label, revoked_at FROM api_keys");
	assert_result(E_FAILED, service_add_account(&service, &account_input, &account));
	assert_result(E_FAILED, service_close_account(&service, here.account, "one"));
	assert_rows("one|-", "SELECT name, removed_at FROM accounts");
}

static enum result add_account_named(const char *name, struct account *account)
{
	return service_add_account(&service, &(struct account_input){ .name = name }, account);
}

static void an_account_is_added_and_closed(void **state)
{
	struct account account, other;
	(void)state;
	assert_ok(add_account_named(" Acme ", &account));
	int64_t id = account.id;
	assert_rows(arena_printf(&arena, "%ld|Acme|2026-03-05 10:00:00|-", (long)id),
		    "SELECT id, name, created_at, removed_at FROM accounts");
	assert_rows("8", "SELECT COUNT(*) FROM account_usage");
	assert_one_event(id, "account.created", id, 0, "Acme");
	assert_result(E_CONFLICT, add_account_named(" Acme", &other));
	assert_string_equal(other.name, "Acme");
	assert_result(E_INVALID, add_account_named("17", &other));
	assert_true(violations_has(&violations, "name"));
	violations = (struct violations){ .arena = &arena };
	assert_result(E_INVALID, add_account_named(NULL, &other));
	assert_true(violations_has(&violations, "name"));
	violations = (struct violations){ .arena = &arena };
	assert_ok(add_account_named("Other", &other));
	forget_events();
	assert_ok(service_close_account(&service, id, "Acme"));
	assert_rows("Acme|2026-03-05 10:00:00\nOther|-",
		    "SELECT name, removed_at FROM accounts ORDER BY id");
	/* Of the installation, so that it stays when the account's rows are deleted. */
	assert_one_event(0, "account.deleted", id, 0, "Acme");
	assert_result(E_NOT_FOUND, service_close_account(&service, 999999999, "None"));
	assert_rows("1", "SELECT COUNT(*) FROM events");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_monitor_is_added_with_an_event),
		SERVICE_TEST(a_monitor_that_may_not_be_added_is_refused),
		SERVICE_TEST(a_new_name_is_published),
		SERVICE_TEST(a_label_is_set_and_removed),
		SERVICE_TEST(an_update_changes_the_fields_that_were_sent),
		SERVICE_TEST(a_retired_monitor_ends_its_incident_and_is_published),
		SERVICE_TEST(a_removed_monitor_takes_its_incidents_and_is_published),
		SERVICE_TEST(monitors_of_other_accounts_are_unknown),
		SERVICE_TEST(an_operation_whose_event_fails_changes_nothing),
		SERVICE_TEST(an_account_is_added_and_closed),
	};
	return RUN_ON_DATABASE(tests);
}
