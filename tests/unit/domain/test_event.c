#include "unit/lib/unit.h"

#include "domain/event.h"
#include "domain/account/principal.h"

static void each_kind_is_found_by_its_word(void **state)
{
	(void)state;
	for (int kind = EVENT_NONE + 1; kind < EVENT_KINDS; kind++) {
		const char *word = event_kind_word((enum event_kind)kind);
		assert_int_equal(event_kind_of(word), kind);
		assert_non_null(strchr(word, '.'));
	}
	assert_int_equal(event_kind_of("incident"), EVENT_NONE);
	assert_int_equal(event_kind_of(""), EVENT_NONE);
	assert_int_equal(event_kind_of("INCIDENT.opened"), EVENT_NONE);
}

static void a_kind_names_its_object(void **state)
{
	(void)state;
	static const struct {
		enum event_kind kind;
		const char *word;
		const char *object;
		const char *action;
	} cases[] = {
		{ EVENT_INCIDENT_OPENED, "incident.opened", "incident", "opened" },
		{ EVENT_INCIDENT_DELETED, "incident.deleted", "incident", "deleted" },
		{ EVENT_STATUS_PAGE_UPDATED, "status_page.updated", "status_page", "updated" },
		/* A page's domain is part of the page's story. */
		{ EVENT_DOMAIN_PROVEN, "domain.proven", "status_page", "proven" },
		{ EVENT_DOMAIN_TAKEN, "domain.taken", "status_page", "taken" },
		{ EVENT_MONITOR_CREATED, "monitor.created", "monitor", "created" },
		{ EVENT_KEY_CREATED, "key.created", "key", "created" },
		{ EVENT_ACCOUNT_CREATED, "account.created", "account", "created" },
		{ EVENT_MONITOR_RETIRED, "monitor.retired", "monitor", "retired" },
		{ EVENT_CERTIFICATE_EXPIRING, "monitor.certificate_expiring", "monitor",
		  "certificate_expiring" },
		{ EVENT_DOMAIN_EXPIRING, "monitor.domain_expiring", "monitor", "domain_expiring" },
		{ EVENT_ISSUER_CHANGED, "monitor.issuer_changed", "monitor", "issuer_changed" },
		{ EVENT_KEY_REVOKED, "key.revoked", "key", "revoked" },
		{ EVENT_ACCOUNT_DELETED, "account.deleted", "account", "deleted" },
		{ EVENT_CHECKER_CUT_OFF, "checker.cut_off", "account", "cut_off" },
		{ EVENT_CHECKER_RECONNECTED, "checker.reconnected", "account", "reconnected" },
		{ EVENT_CHANNEL_CREATED, "alert_channel.created", "alert_channel", "created" },
		{ EVENT_CHANNEL_SUSPENDED, "alert_channel.suspended", "alert_channel",
		  "suspended" },
		{ EVENT_USER_CREATED, "user.created", "user", "created" },
		{ EVENT_SESSION_ENDED, "session.ended", "user", "ended" },
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		enum event_object object = event_kind_object(cases[i].kind);
		assert_string_equal(event_kind_word(cases[i].kind), cases[i].word);
		assert_string_equal(event_object_words[object], cases[i].object);
		assert_string_equal(event_action(cases[i].word), cases[i].action);
	}
}

static void an_actor_has_a_text(void **state)
{
	(void)state;
	static const struct {
		enum principal_type type;
		int64_t id;
		const char *label;
		const char *text;
	} cases[] = {
		{ PRINCIPAL_KEY, 7, "deploy", "key 7 (deploy)" },
		{ PRINCIPAL_KEY, 7, "", "key 7" },
		{ PRINCIPAL_OPERATOR, 0, "daymarkctl", "daymarkctl" },
		{ PRINCIPAL_SYSTEM, 0, "", "system" },
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *type = principal_type_word(cases[i].type);
		assert_string_equal(principal_text(type, cases[i].id, cases[i].label, &arena),
				    cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_found_by_its_word),
		cmocka_unit_test(a_kind_names_its_object),
		cmocka_unit_test(an_actor_has_a_text),
	};
	return RUN_WITH_ARENA(tests);
}
