/* The second person: what waits, who publishes it, and what becomes of it. */
#include "integration/lib/service.h"

#include <pthread.h>

#include "http/form.h"
#include "service/incident/incident_reports.h"
#include "service/incident/incidents.h"
#include "service/incident/pending_updates.h"
#include "service/page/status_pages.h"
#include "store/incident/pending_update.h"
#include "wire/json_pairs.h"

#define INDEX "public/s/p/index.html"

enum { ADA = 11, BEA, CY };

static int64_t account, page, web, incident_id, update_id;

static void act_as(int64_t user, const char *name, enum role role)
{
	service.principal = (struct principal){ .type = PRINCIPAL_USER,
						.id = user,
						.account_id = account,
						.role = role,
						.label = name };
	violations_init(&violations, &arena);
	error = (struct error){ 0 };
}

static enum result post(const char *body, int phase)
{
	const struct incident_post sent = { .body = body, .phase = phase };
	struct incident_posting posting;
	return service_post_update(&service, incident_id, &sent, FIELD_SET(0, POST_SENT_PHASE),
				   &posting);
}

static enum result edit(const char *body)
{
	const struct incident_edit sent = { .body = body };
	struct incident_posting posting;
	return service_edit_update(&service, incident_id, update_id, &sent,
				   FIELD_SET(EDIT_SENT_BODY), &posting);
}

static enum result report(const char *title)
{
	const struct incident_report sent = { .title = title,
					      .monitor_ids = { &web, 1 },
					      .impact = INCIDENT_MAJOR_OUTAGE,
					      .body = "The report" };
	struct incident_resource incident;
	enum result result =
		service_report_incident(&service, &sent,
					FIELD_SET(REPORT_SENT_TITLE, REPORT_SENT_MONITORS,
						  REPORT_SENT_IMPACT, REPORT_SENT_BODY),
					&incident);
	if (result == OK && !service.held)
		update_id = incident.updates.rows[0].id;
	if (result == OK && !service.held)
		incident_id = incident.row.id;
	return result;
}

/* Reads and decodes the request, as the console does. */
static enum result publish_text(struct service *by, int64_t id)
{
	struct pending_update pending;
	struct form form;
	struct field_set sent = FIELD_SET_NONE;
	size_t bytes;
	enum result result = pending_update_find(by->db, by->principal.account_id, id, by->arena,
						 &pending, by->error);
	if (result != OK)
		return service_publish_pending(by, NULL, NULL, sent);
	form_init(&form, *pending_request_fields(pending.kind, &bytes), by->arena);
	void *input = arena_alloc(by->arena, bytes);
	assert_ok(json_decode(str_from(pending.request), by->arena, &form.sink, by->error));
	form_decode(&form, input, &sent, by->violations);
	assert_int_equal(by->violations->count, 0);
	return service_publish_pending(by, &pending, input, sent);
}

/* A page with an open incident, which demands a second person from now on. */
static void make_page(void)
{
	account = add_account("one");
	page = add_page(account, "p");
	web = add_monitor(account, "web");
	show_monitor(page, web, 1);
	act_as(ADA, "ada", ROLE_RESPONDER);
	assert_ok(report("Web is slow"));
	execute("UPDATE status_pages SET needs_second_person = 1 WHERE id = %ld", (long)page);
	forget_events();
}

static void a_text_waits_until_another_person_publishes_it(void **state)
{
	(void)state;
	make_page();
	assert_ok(post("We know.", PHASE_IDENTIFIED));
	assert_non_null(service.held);
	const int64_t id = service.held->id;
	assert_rows(arena_printf(&arena,
				 "1|%ld|-|{\"body\":\"We know.\",\"phase\":\"identified\"}|"
				 "user|11|ada|2026-03-05 10:00:00",
				 (long)incident_id),
		    "SELECT kind, incident_id, update_id, request, author_type, author_id, "
		    "author_label, created_at FROM pending_updates");
	assert_rows("The report", "SELECT body FROM incident_updates");
	assert_null(strstr(published(INDEX), "We know."));
	/* The author cannot, nor a reader, a key or the operator. */
	assert_result(E_FORBIDDEN, publish_text(&service, id));
	act_as(BEA, "bea", ROLE_READER);
	assert_result(E_FORBIDDEN, publish_text(&service, id));
	act_as_key(account);
	assert_result(E_FORBIDDEN, publish_text(&service, id));
	act_as_operator();
	assert_result(E_NOT_FOUND, publish_text(&service, id));
	act_as(BEA, "bea", ROLE_OWNER);
	service.principal.account_id = add_account("two");
	assert_result(E_NOT_FOUND, publish_text(&service, id));
	act_as(BEA, "bea", ROLE_RESPONDER);
	service.now = at(5, 11);
	assert_ok(publish_text(&service, id));
	assert_null(service.held);
	assert_rows("1|We know.|2026-03-05 11:00:00",
		    "SELECT phase, body, at FROM incident_updates ORDER BY id DESC LIMIT 1");
	assert_rows("0", "SELECT COUNT(*) FROM pending_updates");
	assert_published(INDEX, "We know.");
	assert_rows("incident.update_pending|ada|{\"body\":\"We know.\",\"phase\":\"identified\"}\n"
		    "incident.update_approved|bea|user 11 (ada)\n"
		    "incident.update_posted|bea|We know.",
		    "SELECT kind, actor_label, detail FROM events ORDER BY id");
	assert_result(E_NOT_FOUND, publish_text(&service, id));
}

static void reports_edits_and_changes_wait_too(void **state)
{
	(void)state;
	make_page();
	const int64_t first = incident_id;
	assert_ok(edit("The edited report"));
	assert_int_equal(service.held->kind, PENDING_EDIT);
	const int64_t begin = service.held->id;
	assert_ok(report("Mail is down"));
	assert_int_equal(service.held->kind, PENDING_REPORT);
	const struct incident_update texts = {
		.input = { .postmortem = "The reason", .acknowledged_at = true },
		.sent = FIELD_SET(INCIDENT_SENT_postmortem, INCIDENT_SENT_ACKNOWLEDGED)
	};
	struct incident_resource incident;
	assert_ok(service_update_incident(&service, first, &texts, &incident));
	assert_int_equal(service.held->kind, PENDING_CHANGE);
	assert_rows("1|-|The report",
		    "SELECT COUNT(*), MAX(postmortem), MAX(comment) FROM incidents");
	act_as(BEA, "bea", ROLE_RESPONDER);
	for (int64_t id = begin; id < begin + 3; id++)
		assert_ok(publish_text(&service, id));
	assert_rows("Web is slow|The reason|The edited report\nMail is down|-|The report",
		    "SELECT title, postmortem, comment FROM incidents ORDER BY id");
	assert_rows("0", "SELECT COUNT(*) FROM pending_updates");
	assert_rows("Web is slow\nMail is down\nWeb is slow",
		    "SELECT i.title FROM events e JOIN incidents i ON i.id = e.object_id "
		    "WHERE e.kind = 'incident.update_approved' ORDER BY e.id");
}

static void a_key_waits_and_monitoring_and_the_operator_do_not(void **state)
{
	(void)state;
	struct incident_resource incident;
	struct incident_posting posting;
	const struct incident_update mine = { .input = { .acknowledged_at = false },
					      .sent = FIELD_SET(INCIDENT_SENT_ACKNOWLEDGED) };
	make_page();
	act_as_key(account);
	assert_ok(post("By a key", PHASE_MONITORING));
	assert_non_null(service.held);
	act_as_operator();
	assert_ok(post("By the operator", PHASE_MONITORING));
	assert_null(service.held);
	/* Who has it, and the withdrawal of a text. */
	act_as(ADA, "ada", ROLE_RESPONDER);
	assert_ok(service_update_incident(&service, incident_id, &mine, &incident));
	assert_null(service.held);
	assert_ok(service_withdraw_update(&service, incident_id, update_id, &posting));
	assert_null(service.held);
	/* Another page does not demand it. */
	execute("UPDATE status_page_monitors SET status_page_id = %ld",
		(long)add_page(account, "q"));
	assert_ok(post("Not on that page", PHASE_MONITORING));
	assert_null(service.held);
}

static void the_present_state_decides(void **state)
{
	(void)state;
	struct incident incident;
	const struct incident_post promise = { .body = "Soon", .next_update_at = at(5, 12) };
	struct incident_posting posting;
	make_page();
	assert_ok(service_post_update(&service, incident_id, &promise, FIELD_SET(0, 5), &posting));
	const int64_t id = service.held->id;
	assert_ok(post("Later", PHASE_MONITORING));
	act_as(BEA, "bea", ROLE_RESPONDER);
	service.now = at(5, 13);
	assert_result(E_INVALID, publish_text(&service, id));
	assert_true(violations_has(&violations, "next_update_at"));
	assert_rows("2", "SELECT COUNT(*) FROM pending_updates");
	/* It can still be declined. */
	struct pending_update declined;
	act_as(CY, "cy", ROLE_RESPONDER);
	assert_ok(service_decline_pending(&service, id, &declined));
	assert_rows("cy|user 11 (ada)", "SELECT actor_label, detail FROM events "
					"WHERE kind = 'incident.update_declined'");
	/* The others die with the incident. */
	assert_ok(service_delete_incident(&service, incident_id, &incident));
	assert_rows("0", "SELECT COUNT(*) FROM pending_updates");
}

static void the_number_of_texts_is_limited(void **state)
{
	(void)state;
	make_page();
	for (int i = 0; i < PENDING_UPDATES_MAX; i++)
		assert_ok(post("More", PHASE_MONITORING));
	assert_result(E_INVALID, post("Too many", PHASE_MONITORING));
	assert_rows("50", "SELECT COUNT(*) FROM pending_updates");
}

static enum result set_demand(bool is_on)
{
	struct status_page changed;
	struct status_page_change change = { .input = { .needs_second_person = is_on },
					     .sent = FIELD_SET(
						     status_page_place("needs_second_person")) };
	return service_update_status_page(&service, page, &change, &changed);
}

static void an_owner_ends_the_demand(void **state)
{
	(void)state;
	make_page();
	act_as(BEA, "bea", ROLE_EDITOR);
	assert_result(E_INVALID, set_demand(false));
	assert_true(violations_has(&violations, "needs_second_person"));
	act_as(ADA, "ada", ROLE_OWNER);
	assert_ok(set_demand(false));
	assert_rows("status_page.updated|ada|needs_second_person",
		    "SELECT kind, actor_label, detail FROM events");
	assert_ok(post("Alone", PHASE_MONITORING));
	assert_null(service.held);
	act_as(BEA, "bea", ROLE_EDITOR);
	assert_ok(set_demand(true));
	assert_ok(post("Together", PHASE_MONITORING));
	assert_non_null(service.held);
}

struct approver {
	pthread_t thread;
	struct service service;
	struct arena arena;
	struct violations violations;
	struct error error;
	int64_t id;
	enum result result;
};

static void *approve(void *argument)
{
	struct approver *approver = argument;
	approver->result = publish_text(&approver->service, approver->id);
	return NULL;
}

/* Both have read the text before one of them publishes it. */
static void two_approvers_publish_once(void **state)
{
	(void)state;
	struct approver both[2];
	make_page();
	assert_ok(post("Once", PHASE_MONITORING));
	const int64_t id = service.held->id;
	for (int i = 0; i < 2; i++) {
		struct approver *approver = &both[i];
		act_as(BEA + i, "approver", ROLE_RESPONDER);
		*approver = (struct approver){ .service = service, .id = id };
		arena_init(&approver->arena, 16 << 20);
		approver->service.db = database_connect();
		approver->service.arena = &approver->arena;
		approver->service.error = &approver->error;
		approver->service.violations = &approver->violations;
		violations_init(&approver->violations, &approver->arena);
	}
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&both[i].thread, NULL, approve, &both[i]), 0);
	for (int i = 0; i < 2; i++) {
		pthread_join(both[i].thread, NULL);
		db_free(both[i].service.db);
		arena_done(&both[i].arena);
	}
	assert_true((both[0].result == OK && both[1].result == E_NOT_FOUND) ||
		    (both[1].result == OK && both[0].result == E_NOT_FOUND));
	assert_rows("1", "SELECT COUNT(*) FROM incident_updates WHERE body = 'Once'");
}

/* The operation finds that the text is gone even if it was read before. */
static void a_text_is_taken_in_the_transaction(void **state)
{
	(void)state;
	make_page();
	assert_ok(post("Once", PHASE_MONITORING));
	const struct pending_update pending = *service.held;
	act_as(BEA, "bea", ROLE_RESPONDER);
	execute("DELETE FROM pending_updates");
	service.published = &pending;
	assert_result(E_NOT_FOUND, post("Once", PHASE_MONITORING));
	service.published = NULL;
	assert_rows("0", "SELECT COUNT(*) FROM incident_updates WHERE body = 'Once'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_text_waits_until_another_person_publishes_it),
		SERVICE_TEST(reports_edits_and_changes_wait_too),
		SERVICE_TEST(a_key_waits_and_monitoring_and_the_operator_do_not),
		SERVICE_TEST(the_present_state_decides),
		SERVICE_TEST(the_number_of_texts_is_limited),
		SERVICE_TEST(an_owner_ends_the_demand),
		SERVICE_TEST(two_approvers_publish_once),
		SERVICE_TEST(a_text_is_taken_in_the_transaction),
	};
	return RUN_ON_DATABASE(tests);
}
