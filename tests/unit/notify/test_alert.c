/* What messages say, of the payloads of events. */
#include "unit/lib/unit.h"

#include <stdio.h>

#include "base/str.h"
#include "notify/alert.h"

#define INCIDENT(more) \
	"{\"text\":null,\"incident\":{\"id\":7,\"title\":null,\"cause\":\"Timeout\"," \
	"\"impact\":\"major_outage\",\"kind\":\"detected\",\"phase\":\"investigating\"," \
	"\"duration\":4500,\"monitor\":{\"id\":2,\"name\":\"Web\"}" more "}}"
#define REPORT(impact, phase) \
	"{\"text\":\"We look into it.\",\"incident\":{\"id\":7,\"title\":\"Slow mail\"," \
	"\"cause\":null,\"impact\":\"" impact "\",\"kind\":\"reported\",\"phase\":\"" phase "\"," \
	"\"monitors\":[{\"id\":2,\"name\":\"Mail\"},{\"id\":3,\"name\":\"Web \\\"2\\\"\"}]}}"
#define WINDOW(occurrence) \
	"{\"text\":\"New disk\",\"maintenance\":{\"title\":\"New disk\"," \
	"\"next_starts_at\":\"2026-03-06T02:00:00Z\",\"next_ends_at\":\"2026-03-06T03:00:00Z\"}," \
	"\"monitors\":[{\"id\":2,\"name\":\"Web\"}],\"occurrence\":" occurrence "}"

#define DEPENDENTS(cause, rows, count) \
	"{\"incident\":{\"cause\":" cause ",\"impact\":\"major_outage\"," \
	"\"monitor\":{\"name\":\"Web\"}},\"dependents\":[" rows "],\"dependent_count\":" count "}"
#define CHECKER(location, until) \
	"{\"text\":null,\"checker\":{\"location\":" location "," \
	"\"cut_off_since\":\"2026-03-05T07:00:00Z\",\"cut_off_until\":" until "}}"

static struct alert alert_of(const char *kind, enum alert_event event, int64_t round,
			     const char *payload)
{
	const struct leased_delivery delivery = {
		.id = 5,
		.event = event,
		.round = round,
		.kind = kind,
		.object_id = 7,
		.payload = payload,
		.at = { 1772700000 },
	};
	struct alert alert;
	assert_true(alert_of_delivery(&delivery, "https://status.test", &arena, &alert));
	assert_string_equal("delivery-5", alert.id);
	assert_string_equal(kind, alert.kind);
	assert_string_equal(payload, alert.payload);
	assert_int_equal(1772700000, alert.at.s);
	return alert;
}

static void each_event_has_its_sentence(void **state)
{
	static const struct {
		const char *kind;
		enum alert_event event;
		int64_t round;
		const char *payload, *title, *text, *systems;
	} rows[] = {
		{ "incident.opened", ALERT_DOWN, 0, INCIDENT(""), "Web is down", "Cause: Timeout",
		  "Web" },
		{ "incident.opened", ALERT_DOWN, 2, INCIDENT(""), "Web is down, still",
		  "Cause: Timeout", "Web" },
		{ "incident.opened", ALERT_DOWN, 0,
		  "{\"incident\":{\"title\":\"No logins\",\"cause\":\"Timeout\","
		  "\"impact\":\"major_outage\",\"monitor\":{\"name\":\"Web\"}}}",
		  "Web is down", "No logins\nCause: Timeout", "Web" },
		{ "incident.opened", ALERT_DOWN, 0,
		  "{\"incident\":{\"title\":\"No logins\",\"cause\":null}}", "A system is down",
		  "No logins", "" },
		{ "incident.opened", ALERT_DOWN, 0,
		  DEPENDENTS("\"Timeout\"", "{\"name\":\"Login\"}", "1"), "Web is down",
		  "Cause: Timeout\nDepends on it: Login", "Web" },
		{ "incident.opened", ALERT_DOWN, 1,
		  DEPENDENTS("null", "{\"name\":\"Login\"},{\"name\":\"Checkout\"}", "9"),
		  "Web is down, still", "Depends on it: Login, Checkout and 7 more", "Web" },
		{ "incident.opened", ALERT_DOWN, 0, DEPENDENTS("null", "", "0"), "Web is down", "",
		  "Web" },
		{ "incident.opened", ALERT_DOWN, 0, DEPENDENTS("null", "", "\"x\""), "Web is down",
		  "", "Web" },
		{ "incident.resolved", ALERT_UP, 0, INCIDENT(""),
		  "Web is up again after 1 h 15 min", "", "Web" },
		{ "incident.acknowledged", ALERT_ACKNOWLEDGED, 0, INCIDENT(""), "Acknowledged: Web",
		  "", "Web" },
		{ "incident.unacknowledged", ALERT_ACKNOWLEDGED, 0, INCIDENT(""),
		  "No longer acknowledged: Web", "", "Web" },
		{ "incident.reported", ALERT_UPDATES, 0, REPORT("partial_outage", "investigating"),
		  "Investigating: Slow mail", "We look into it.", "Mail, Web \"2\"" },
		{ "incident.resolved", ALERT_UP, 0, REPORT("partial_outage", "resolved"),
		  "Resolved: Slow mail", "We look into it.", "Mail, Web \"2\"" },
		{ "maintenance.scheduled", ALERT_MAINTENANCE, 0, WINDOW("null"),
		  "Maintenance is planned: New disk",
		  "From 2026-03-06T02:00:00Z to 2026-03-06T03:00:00Z", "Web" },
		{ "maintenance.started", ALERT_MAINTENANCE, 0,
		  WINDOW("{\"starts_at\":\"2026-03-13T02:00:00Z\",\"ends_at\":null}"),
		  "Maintenance has begun: New disk", "From 2026-03-13T02:00:00Z to -", "Web" },
		{ "monitor.certificate_expiring", ALERT_CERTIFICATE, 0,
		  "{\"text\":\"in 14 days\",\"monitor\":{\"id\":2,\"name\":\"Web %s\"}}",
		  "The certificate of Web %s expires", "in 14 days", "Web %s" },
		{ "monitor.domain_expiring", ALERT_CERTIFICATE, 0,
		  "{\"text\":null,\"monitor\":{\"id\":2,\"name\":\"Web\"}}",
		  "The domain of Web expires", "", "Web" },
		{ "monitor.issuer_changed", ALERT_CERTIFICATE, 0,
		  "{\"text\":null,\"monitor\":{\"id\":2,\"name\":\"Web\"}}",
		  "The certificate of Web has another issuer", "", "Web" },
		{ "checker.cut_off", ALERT_CHECKER, 0, CHECKER("null", "null"),
		  "The checker is cut off",
		  "None of its anchors has responded since 2026-03-05T07:00:00Z. It knows no state "
		  "of a "
		  "system.",
		  "" },
		{ "checker.reconnected", ALERT_CHECKER, 0,
		  CHECKER("null", "\"2026-03-05T08:05:10Z\""),
		  "The checker is connected again after 1 h 5 min",
		  "It was cut off from 2026-03-05T07:00:00Z to 2026-03-05T08:05:10Z", "" },
		{ "checker.cut_off", ALERT_CHECKER, 0, CHECKER("\"berlin\"", "null"),
		  "The checker of the location berlin is cut off",
		  "It has said nothing since 2026-03-05T07:00:00Z. It knows no state "
		  "of a "
		  "system.",
		  "" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct alert alert =
			alert_of(rows[i].kind, rows[i].event, rows[i].round, rows[i].payload);
		if (strcmp(rows[i].title, alert.title) != 0 ||
		    strcmp(rows[i].text, alert.text) != 0 ||
		    strcmp(rows[i].systems, alert.systems) != 0)
			fail_msg("row %zu: %s / %s / %s", i, alert.title, alert.text,
				 alert.systems);
	}
}

static void messages_of_an_object_have_one_subject(void **state)
{
	(void)state;
	assert_string_equal("daymark-incident-7",
			    alert_of("incident.opened", ALERT_DOWN, 0, INCIDENT("")).subject);
	assert_string_equal("daymark-incident-7",
			    alert_of("incident.resolved", ALERT_UP, 0, INCIDENT("")).subject);
	assert_string_equal(
		"daymark-maintenance-7",
		alert_of("maintenance.started", ALERT_MAINTENANCE, 0, WINDOW("null")).subject);
	assert_string_equal(
		"daymark-checker-7",
		alert_of("checker.cut_off", ALERT_CHECKER, 0, CHECKER("null", "null")).subject);
	assert_string_equal("daymark-checker-7-berlin", alert_of("checker.cut_off", ALERT_CHECKER,
								 0, CHECKER("\"berlin\"", "null"))
								.subject);
	assert_string_equal("daymark-monitor-7",
			    alert_of("monitor.issuer_changed", ALERT_CERTIFICATE, 0,
				     "{\"monitor\":{\"name\":\"Web\"}}")
				    .subject);
}

static void a_resolved_incident_is_over(void **state)
{
	(void)state;
	assert_false(alert_of("incident.opened", ALERT_DOWN, 0, INCIDENT("")).is_over);
	/* Also for an update that follows. */
	assert_true(alert_of("incident.update_posted", ALERT_UPDATES, 0,
			     INCIDENT(",\"status\":\"resolved\""))
			    .is_over);
	assert_true(
		alert_of("maintenance.completed", ALERT_MAINTENANCE, 0, WINDOW("null")).is_over);
	assert_false(alert_of("maintenance.started", ALERT_MAINTENANCE, 0, WINDOW("null")).is_over);
	assert_false(
		alert_of("checker.cut_off", ALERT_CHECKER, 0, CHECKER("null", "null")).is_over);
	assert_true(
		alert_of("checker.reconnected", ALERT_CHECKER, 0, CHECKER("null", "null")).is_over);
}

static void an_incident_has_the_address_of_its_page(void **state)
{
	static const struct {
		const char *address, *base_url, *url;
	} rows[] = {
		{ "\"shop/\"", "https://status.test", "https://status.test/s/shop/incidents/7" },
		{ "\"shop/shop.test\"", "https://status.test", "https://shop.test/incidents/7" },
		{ "\"shop/shop.test\"", NULL, "https://shop.test/incidents/7" },
		{ "\"shop/\"", NULL, NULL },
		{ "null", "https://status.test", NULL },
		{ "7", "https://status.test", NULL },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct alert alert;
		const struct leased_delivery delivery = {
			.kind = "incident.opened",
			.object_id = 7,
			.payload = arena_printf(&arena, "{\"page_address\":%s}", rows[i].address),
		};
		assert_true(alert_of_delivery(&delivery, rows[i].base_url, &arena, &alert));
		if (!rows[i].url != !alert.url ||
		    (alert.url && strcmp(rows[i].url, alert.url) != 0))
			fail_msg("row %zu: %s", i, alert.url ? alert.url : "none");
	}
}

static void durations_are_short(void **state)
{
	static const struct {
		const char *s, *text;
	} rows[] = {
		{ "0", "0 s" },		 { "59", "59 s" },
		{ "60", "1 min" },	 { "3599", "59 min" },
		{ "3600", "1 h 0 min" }, { "86399", "23 h 59 min" },
		{ "86400", "1 d 0 h" },	 { "900000", "10 d 10 h" },
		{ "null", "0 s" },	 { "\"no number\"", "0 s" },
		{ "1e9", "0 s" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *payload = arena_printf(
			&arena, "{\"incident\":{\"duration\":%s,\"monitor\":{\"name\":\"W\"}}}",
			rows[i].s);
		assert_string_equal(arena_printf(&arena, "W is up again after %s", rows[i].text),
				    alert_of("incident.resolved", ALERT_UP, 0, payload).title);
	}
}

static void a_lesser_impact_is_minor(void **state)
{
	(void)state;
	assert_false(alert_of("incident.opened", ALERT_DOWN, 0, INCIDENT("")).is_minor);
	const struct alert minor = alert_of("incident.opened", ALERT_DOWN, 0,
					    "{\"incident\":{\"impact\":\"degraded_performance\","
					    "\"monitor\":{\"name\":\"Web\"}}}");
	assert_true(minor.is_minor);
	assert_string_equal("Web is slow or failing", minor.title);
}

/* A later version may write other payloads: no message says less than that something happened. */
static void payloads_of_other_shapes_make_a_message(void **state)
{
	static const char *const payloads[] = {
		"{}",
		"{\"incident\":null,\"text\":[]}",
		"{\"incident\":[],\"monitors\":{}}",
		"{\"incident\":{\"title\":{},\"monitor\":[],\"monitors\":[null,7,{\"name\":3}]}}",
		"{\"maintenance\":7,\"occurrence\":\"x\",\"monitors\":[[]]}",
		"{\"monitor\":{\"name\":null}}",
	};
	static const struct {
		const char *kind;
		enum alert_event event;
	} events[] = {
		{ "incident.opened", ALERT_DOWN },
		{ "incident.resolved", ALERT_UP },
		{ "incident.acknowledged", ALERT_ACKNOWLEDGED },
		{ "incident.updated", ALERT_UPDATES },
		{ "maintenance.started", ALERT_MAINTENANCE },
		{ "monitor.issuer_changed", ALERT_CERTIFICATE },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(payloads); i++)
		for (size_t j = 0; j < ARRAY_LEN(events); j++) {
			const struct alert alert =
				alert_of(events[j].kind, events[j].event, 0, payloads[i]);
			assert_true(strlen(alert.title) > 8);
			assert_non_null(alert.text);
			assert_non_null(alert.cause);
			assert_non_null(alert.systems);
		}
}

static void what_is_no_object_makes_none(void **state)
{
	static const char *const payloads[] = { "", "null", "[]", "{", "{\"incident\":}", "7" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(payloads); i++) {
		const struct leased_delivery delivery = { .kind = "incident.opened",
							  .payload = payloads[i] };
		struct alert alert;
		assert_false(alert_of_delivery(&delivery, "https://status.test", &arena, &alert));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_has_its_sentence),
		cmocka_unit_test(messages_of_an_object_have_one_subject),
		cmocka_unit_test(a_resolved_incident_is_over),
		cmocka_unit_test(an_incident_has_the_address_of_its_page),
		cmocka_unit_test(durations_are_short),
		cmocka_unit_test(a_lesser_impact_is_minor),
		cmocka_unit_test(payloads_of_other_shapes_make_a_message),
		cmocka_unit_test(what_is_no_object_makes_none),
	};
	return RUN_WITH_ARENA(tests);
}
