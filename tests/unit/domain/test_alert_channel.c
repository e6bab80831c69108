/* The rules of alert channels, and when their messages are due. */
#include "unit/lib/unit.h"

#include <stdio.h>

#include "base/str.h"
#include "base/violation.h"
#include "domain/notify/alert_channel.h"

#define URL    "https://hooks.example.com/T0/B0?sig=x"
/* 24, 64, 23 and 65 bytes in base64. */
#define KEY_24 "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
#define KEY_64 \
	"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2" \
	"RlZg=="
#define KEY_23 "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY="
#define KEY_65 \
	"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2" \
	"RlZjA="

static struct violations violations;

/* The fields with violations, each with a blank before it. */
static const char *fields_of(void)
{
	const char *text = "";
	for (const struct violation *one = violations.first; one; one = one->next)
		text = arena_printf(&arena, "%s %s", text, one->field);
	return text;
}

static void each_type_has_its_members(void **state)
{
	static const struct {
		int type;
		struct alert_channel_value value;
		const char *wrong;
	} rows[] = {
		{ ALERT_WEBHOOK, { .url = URL }, "" },
		{ ALERT_WEBHOOK, { .url = URL, .secret = KEY_24 }, "" },
		{ ALERT_WEBHOOK, { .secret = KEY_24 }, " value.url" },
		{ ALERT_WEBHOOK,
		  { .url = URL, .token = "t", .topic = "t" },
		  " value.token value.topic" },
		{ ALERT_SLACK, { .url = URL }, "" },
		{ ALERT_SLACK, { .url = URL, .secret = KEY_24 }, " value.secret" },
		{ ALERT_SLACK, { 0 }, " value.url" },
		{ ALERT_TEAMS, { .url = URL }, "" },
		{ ALERT_TEAMS, { .url = URL, .body = "{}" }, " value.body" },
		{ ALERT_DISCORD, { .url = URL }, "" },
		{ ALERT_DISCORD, { .url = URL, .chat_id = "1" }, " value.chat_id" },
		{ ALERT_MATTERMOST, { .url = URL }, "" },
		{ ALERT_MATTERMOST, { .url = URL, .server = URL }, " value.server" },
		{ ALERT_TELEGRAM, { .token = "1:a", .chat_id = "-100" }, "" },
		{ ALERT_TELEGRAM, { .token = "1:a" }, " value.chat_id" },
		{ ALERT_TELEGRAM, { .url = URL }, " value.url value.token value.chat_id" },
		{ ALERT_NTFY, { .topic = "t" }, "" },
		{ ALERT_NTFY, { .topic = "t", .server = "http://ntfy.test", .token = "tk" }, "" },
		{ ALERT_NTFY, { .server = "ntfy.test" }, " value.topic value.server" },
		{ ALERT_PAGERDUTY, { .routing_key = "k" }, "" },
		{ ALERT_TELEGRAM, { .token = "1:a", .chat_id = "1", .server = URL }, "" },
		{ ALERT_TELEGRAM, { .token = "1: a", .chat_id = "1" }, " value.token" },
		{ ALERT_PAGERDUTY, { .routing_key = "k", .server = "http://p.test" }, "" },
		{ ALERT_PAGERDUTY, { .token = "k" }, " value.token value.routing_key" },
		{ ALERT_GOOGLE_CHAT, { .url = URL }, "" },
		{ ALERT_GOOGLE_CHAT, { 0 }, " value.url" },
		{ ALERT_CUSTOM, { .url = URL, .body = "{}" }, "" },
		{ ALERT_CUSTOM, { .url = URL }, " value.body" },
		{ ALERT_CUSTOM, { .body = "{}" }, " value.url" },
		{ ALERT_EMAIL, { .email = "ops@example.org" }, "" },
		{ ALERT_EMAIL, { .url = URL }, " value.url value.email" },
		{ ALERT_EMAIL, { .email = "ops" }, " value.email" },
		/* Addresses */
		{ ALERT_SLACK, { .url = "ftp://hooks.example.com/" }, " value.url" },
		{ ALERT_SLACK, { .url = "hooks.example.com" }, " value.url" },
		{ ALERT_SLACK, { .url = "https://user@hooks.example.com/" }, " value.url" },
		{ ALERT_NTFY,
		  { .topic = "t", .server = "https://u:p@ntfy.test" },
		  " value.server" },
		/* Secrets */
		{ ALERT_WEBHOOK, { .url = URL, .secret = KEY_64 }, "" },
		{ ALERT_WEBHOOK, { .url = URL, .secret = KEY_23 }, " value.secret" },
		{ ALERT_WEBHOOK, { .url = URL, .secret = KEY_65 }, " value.secret" },
		{ ALERT_WEBHOOK, { .url = URL, .secret = KEY_24 "=" }, " value.secret" },
		{ ALERT_WEBHOOK, { .url = URL, .secret = KEY_24 " " }, " value.secret" },
		{ ALERT_WEBHOOK,
		  { .url = URL, .secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3" },
		  " value.secret" },
		{ ALERT_WEBHOOK, { .url = URL, .secret = "whsec_" }, " value.secret" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct alert_channel channel = { .type = rows[i].type,
						       .value = rows[i].value };
		violations_init(&violations, &arena);
		alert_channel_check_whole(&channel, &violations);
		if (strcmp(rows[i].wrong, fields_of()) != 0)
			fail_msg("row %zu:%s", i, fields_of());
	}
}

static void quiet_hours_need_both_ends(void **state)
{
	struct alert_channel channel = { .type = ALERT_SLACK, .value.url = URL };
	(void)state;
	channel.quiet_from = "22:00";
	violations_init(&violations, &arena);
	alert_channel_check_whole(&channel, &violations);
	assert_string_equal(" quiet_until", fields_of());
	channel.quiet_until = "07:00";
	violations_init(&violations, &arena);
	alert_channel_check_whole(&channel, &violations);
	assert_string_equal("", fields_of());
	channel.quiet_from = NULL;
	alert_channel_check_whole(&channel, &violations);
	assert_string_equal(" quiet_from", fields_of());
}

static void wrong_values_are_named(void **state)
{
	static const struct {
		struct alert_channel_input input;
		const char *wrong;
	} rows[] = {
		{ { .events = "down, up,acknowledged,updates,maintenance,certificate,checker" },
		  "" },
		{ { .events = "" }, "" },
		{ { .events = "down,gone" }, " events" },
		{ { .events = "Down" }, " events" },
		{ { .events = "," }, " events" },
		{ { .quiet_from = "00:00", .quiet_until = "23:59" }, "" },
		{ { .quiet_from = "24:00", .quiet_until = "12:60" }, " quiet_from quiet_until" },
		{ { .quiet_from = "7:00", .quiet_until = "007:0" }, " quiet_from quiet_until" },
		{ { .time_zone = "Europe/Berlin" }, "" },
		{ { .time_zone = "Europe/Atlantis" }, " time_zone" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct alert_channel_input input = rows[i].input;
		violations_init(&violations, &arena);
		alert_channel_check(&input, alert_channel_update_fields, FIELD_SET_NONE, &arena,
				    &violations);
		if (strcmp(rows[i].wrong, fields_of()) != 0)
			fail_msg("row %zu:%s", i, fields_of());
	}
}

static const struct instant now = { 1772700000 };

static void secrets_stay_until_they_are_sent(void **state)
{
	const struct alert_channel_value before = { .url = URL, .secret = KEY_24 };
	struct alert_channel channel = { .type = ALERT_WEBHOOK, .value = before };
	(void)state;
	alert_channel_merge_value(&channel,
				  &(struct alert_channel_value){ .url = "https://b.test/" }, false,
				  now, &arena);
	assert_string_equal("https://b.test/", channel.value.url);
	assert_string_equal(KEY_24, channel.value.secret);
	assert_string_equal("b.test", channel.address);
	alert_channel_merge_value(&channel, &(struct alert_channel_value){ 0 }, false, now, &arena);
	assert_string_equal("https://b.test/", channel.value.url);
	/* The new type would send them elsewhere. */
	channel.type = ALERT_SLACK;
	alert_channel_merge_value(&channel, &(struct alert_channel_value){ 0 }, true, now, &arena);
	assert_null(channel.value.url);
	assert_null(channel.value.secret);
	/* What is no secret is replaced. */
	channel = (struct alert_channel){ .type = ALERT_NTFY,
					  .value = { .topic = "t", .server = URL, .token = "k" } };
	alert_channel_merge_value(&channel,
				  &(struct alert_channel_value){ .topic = "u", .server = URL },
				  false, now, &arena);
	assert_string_equal("u", channel.value.topic);
	assert_string_equal("k", channel.value.token);
	assert_string_equal("u", channel.address);
	/* Another server would get them. */
	alert_channel_merge_value(&channel, &(struct alert_channel_value){ .topic = "u" }, false,
				  now, &arena);
	assert_null(channel.value.server);
	assert_null(channel.value.token);
	channel = (struct alert_channel){ .type = ALERT_TELEGRAM,
					  .value = { .token = "k", .chat_id = "1" } };
	alert_channel_merge_value(&channel,
				  &(struct alert_channel_value){ .chat_id = "1", .server = URL },
				  false, now, &arena);
	assert_string_equal(URL, channel.value.server);
	assert_null(channel.value.token);
}

static void a_secret_that_is_replaced_is_the_former_one(void **state)
{
	static const struct {
		const char *sent, *secret, *former, *rotated_at;
		int64_t after_s;
		bool is_other_type;
	} rows[] = {
		{ KEY_24, KEY_24, NULL, NULL, 0, false },
		{ NULL, KEY_24, NULL, NULL, 1, false },
		{ KEY_24, KEY_24, NULL, NULL, 2, false },
		{ KEY_64, KEY_64, KEY_24, "2026-03-05T08:40:03Z", 3, false },
		{ NULL, KEY_64, KEY_24, "2026-03-05T08:40:03Z", 4, false },
		{ KEY_64, KEY_64, KEY_24, "2026-03-05T08:40:03Z", 5, false },
		{ KEY_24, KEY_24, KEY_64, "2026-03-05T08:40:06Z", 6, false },
		{ KEY_64, KEY_64, NULL, NULL, 7, true },
	};
	struct alert_channel channel = { .type = ALERT_WEBHOOK };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct alert_channel_value sent = { .url = URL, .secret = rows[i].sent };
		const struct instant at = { now.s + rows[i].after_s };
		alert_channel_merge_value(&channel, &sent, rows[i].is_other_type, at, &arena);
		assert_string_equal(rows[i].secret, channel.value.secret);
		const char *const wanted[] = { rows[i].former, rows[i].rotated_at };
		const char *const found[] = { channel.value.former_secret,
					      channel.value.rotated_at };
		for (size_t j = 0; j < ARRAY_LEN(wanted); j++)
			assert_string_equal(wanted[j] ? wanted[j] : "-", found[j] ? found[j] : "-");
	}
}

static void responses_have_no_secrets(void **state)
{
	struct alert_channel channel = { .value = { "a", "b", "c", "d", "e", "f", "g", "h", "i",
						    "j", "k" } };
	(void)state;
	alert_channel_hide(&channel);
	assert_null(channel.value.url);
	assert_null(channel.value.token);
	assert_null(channel.value.routing_key);
	assert_null(channel.value.secret);
	assert_null(channel.value.former_secret);
	assert_null(channel.value.rotated_at);
	assert_string_equal("e", channel.value.chat_id);
	assert_string_equal("h", channel.value.email);
	assert_string_equal("i", channel.value.body);
}

static void a_channel_hears_of_what_it_names(void **state)
{
	const struct alert_channel all = { 0 }, some = { .events = "down, certificate" };
	(void)state;
	for (int event = 0; event < ALERT_EVENTS; event++) {
		assert_true(alert_channel_hears(&all, (enum alert_event)event));
		assert_int_equal(event == ALERT_DOWN || event == ALERT_CERTIFICATE,
				 alert_channel_hears(&some, (enum alert_event)event));
	}
	assert_false(alert_channel_hears(&all, ALERT_NO_EVENT));
	assert_false(alert_channel_hears(&some, ALERT_NO_EVENT));
}

/* Each event that is told has a word for channels, and no other event has. */
static void events_that_are_told_are_heard(void **state)
{
	static const struct {
		enum event_kind kind;
		enum alert_event event;
	} rows[] = {
		{ EVENT_INCIDENT_OPENED, ALERT_DOWN },
		{ EVENT_INCIDENT_RESOLVED, ALERT_UP },
		{ EVENT_INCIDENT_ACKNOWLEDGED, ALERT_ACKNOWLEDGED },
		{ EVENT_INCIDENT_UNACKNOWLEDGED, ALERT_ACKNOWLEDGED },
		{ EVENT_INCIDENT_UPDATE_POSTED, ALERT_UPDATES },
		{ EVENT_MAINTENANCE_STARTED, ALERT_MAINTENANCE },
		{ EVENT_CERTIFICATE_EXPIRING, ALERT_CERTIFICATE },
		{ EVENT_DOMAIN_EXPIRING, ALERT_CERTIFICATE },
		{ EVENT_ISSUER_CHANGED, ALERT_CERTIFICATE },
		{ EVENT_CHECKER_CUT_OFF, ALERT_CHECKER },
		{ EVENT_CHECKER_RECONNECTED, ALERT_CHECKER },
		{ EVENT_KEY_CREATED, ALERT_NO_EVENT },
		{ EVENT_CHANNEL_SUSPENDED, ALERT_NO_EVENT },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (alert_event_of(rows[i].kind) != rows[i].event)
			fail_msg("row %zu", i);
	for (int kind = 1; kind < EVENT_KINDS; kind++)
		if (event_is_told((enum event_kind)kind))
			assert_int_not_equal(ALERT_NO_EVENT, alert_event_of((enum event_kind)kind));
}

static struct instant instant_at(const char *text)
{
	struct instant at;
	assert_true(instant_parse(str_from(text), &at));
	return at;
}

static void messages_wait_for_the_end_of_quiet_hours(void **state)
{
	static const struct {
		const char *from, *until, *zone, *at, *due;
	} rows[] = {
		/* Within a day. */
		{ "12:00", "14:00", NULL, "2026-03-04T11:59:59Z", "2026-03-04T11:59:59Z" },
		{ "12:00", "14:00", NULL, "2026-03-04T12:00:00Z", "2026-03-04T14:00:00Z" },
		{ "12:00", "14:00", NULL, "2026-03-04T13:59:59Z", "2026-03-04T14:00:00Z" },
		{ "12:00", "14:00", NULL, "2026-03-04T14:00:00Z", "2026-03-04T14:00:00Z" },
		/* Across midnight, the end of a month and of a year. */
		{ "22:00", "07:00", NULL, "2026-03-04T21:59:59Z", "2026-03-04T21:59:59Z" },
		{ "22:00", "07:00", NULL, "2026-03-04T22:00:00Z", "2026-03-05T07:00:00Z" },
		{ "22:00", "07:00", NULL, "2026-02-28T23:59:59Z", "2026-03-01T07:00:00Z" },
		{ "22:00", "07:00", NULL, "2026-12-31T23:00:00Z", "2027-01-01T07:00:00Z" },
		{ "22:00", "07:00", NULL, "2026-03-05T00:00:00Z", "2026-03-05T07:00:00Z" },
		{ "22:00", "07:00", NULL, "2026-03-05T06:59:59Z", "2026-03-05T07:00:00Z" },
		{ "22:00", "07:00", NULL, "2026-03-05T07:00:00Z", "2026-03-05T07:00:00Z" },
		{ "22:00", "00:00", NULL, "2026-03-04T23:59:59Z", "2026-03-05T00:00:00Z" },
		/* None */
		{ "22:00", "22:00", NULL, "2026-03-04T22:00:00Z", "2026-03-04T22:00:00Z" },
		{ NULL, NULL, NULL, "2026-03-04T22:00:00Z", "2026-03-04T22:00:00Z" },
		/* In the zone, whose day may be another one. */
		{ "22:00", "07:00", "Europe/Berlin", "2026-01-10T20:59:59Z",
		  "2026-01-10T20:59:59Z" },
		{ "22:00", "07:00", "Europe/Berlin", "2026-01-10T21:00:00Z",
		  "2026-01-11T06:00:00Z" },
		{ "22:00", "07:00", "America/New_York", "2026-07-11T02:00:00Z",
		  "2026-07-11T11:00:00Z" },
		/* The night in which clocks go forward is an hour shorter. */
		{ "22:00", "07:00", "Europe/Berlin", "2026-03-28T21:00:00Z",
		  "2026-03-29T05:00:00Z" },
		{ "22:00", "07:00", "America/New_York", "2026-03-08T03:00:00Z",
		  "2026-03-08T11:00:00Z" },
		/* 02:30 does not exist that night: half an hour after the gap began. */
		{ "22:00", "02:30", "Europe/Berlin", "2026-03-28T21:00:00Z",
		  "2026-03-29T01:30:00Z" },
		/* The night in which clocks go back is an hour longer. */
		{ "22:00", "07:00", "Europe/Berlin", "2026-10-24T20:00:00Z",
		  "2026-10-25T06:00:00Z" },
		{ "22:00", "07:00", "America/New_York", "2026-11-01T02:00:00Z",
		  "2026-11-01T12:00:00Z" },
		/* 02:15 comes twice, and 02:30 after each. */
		{ "02:00", "02:30", "Europe/Berlin", "2026-10-25T00:15:00Z",
		  "2026-10-25T00:30:00Z" },
		{ "02:00", "02:30", "Europe/Berlin", "2026-10-25T01:15:20Z",
		  "2026-10-25T01:30:00Z" },
		{ "01:00", "01:30", "America/New_York", "2026-11-01T06:29:59Z",
		  "2026-11-01T06:30:00Z" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct alert_channel channel = { .quiet_from = rows[i].from,
						       .quiet_until = rows[i].until,
						       .time_zone = rows[i].zone };
		const struct instant at = instant_at(rows[i].at);
		char text[INSTANT_TEXT_SIZE];
		const struct instant due = alert_channel_due(&channel, ALERT_UP, at, at);
		if (due.s != instant_at(rows[i].due).s)
			fail_msg("row %zu: %s", i, instant_format(due, text));
	}
}

/* Minute by minute through both nights of each zone: no message is due in quiet hours, and none
 * before its time. */
static void no_minute_of_a_quiet_night_is_due(void **state)
{
	static const char *const zones[] = { "Europe/Berlin", "America/New_York",
					     "Australia/Lord_Howe" };
	static const char *const days[] = { "2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z",
					    "2026-03-07T12:00:00Z", "2026-10-31T12:00:00Z",
					    "2026-04-04T00:00:00Z", "2026-10-03T00:00:00Z" };
	(void)state;
	for (size_t zone = 0; zone < ARRAY_LEN(zones); zone++)
		for (size_t day = 0; day < ARRAY_LEN(days); day++)
			for (int64_t minute = 0; minute < 48 * 60; minute++) {
				const struct alert_channel channel = { .quiet_from = "22:00",
								       .quiet_until = "06:00",
								       .time_zone = zones[zone] };
				const struct instant at = { instant_at(days[day]).s + minute * 60 };
				const struct instant due =
					alert_channel_due(&channel, ALERT_UP, at, at);
				const struct instant again =
					alert_channel_due(&channel, ALERT_UP, due, due);
				assert_true(due.s >= at.s && due.s <= at.s + 9 * 3600);
				assert_true(again.s == due.s);
			}
}

static void only_an_outage_is_delayed(void **state)
{
	const struct alert_channel channel = { .delay = 300 };
	const struct instant at = instant_at("2026-03-04T10:00:00Z");
	const struct instant late = { at.s + 301 };
	(void)state;
	for (int event = 0; event < ALERT_EVENTS; event++)
		assert_int_equal(at.s + (event == ALERT_DOWN ? 300 : 0),
				 alert_channel_due(&channel, (enum alert_event)event, at, at).s);
	/* The sender was away. */
	assert_int_equal(late.s, alert_channel_due(&channel, ALERT_DOWN, at, late).s);
	/* The delay ends in quiet hours. */
	const struct alert_channel quiet = { .delay = 300,
					     .quiet_from = "10:05",
					     .quiet_until = "11:00" };
	assert_int_equal(at.s + 3600, alert_channel_due(&quiet, ALERT_DOWN, at, at).s);
	assert_int_equal(at.s, alert_channel_due(&quiet, ALERT_UP, at, at).s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_has_its_members),
		cmocka_unit_test(quiet_hours_need_both_ends),
		cmocka_unit_test(wrong_values_are_named),
		cmocka_unit_test(secrets_stay_until_they_are_sent),
		cmocka_unit_test(a_secret_that_is_replaced_is_the_former_one),
		cmocka_unit_test(responses_have_no_secrets),
		cmocka_unit_test(a_channel_hears_of_what_it_names),
		cmocka_unit_test(events_that_are_told_are_heard),
		cmocka_unit_test(messages_wait_for_the_end_of_quiet_hours),
		cmocka_unit_test(no_minute_of_a_quiet_night_is_due),
		cmocka_unit_test(only_an_outage_is_delayed),
	};
	return RUN_WITH_ARENA(tests);
}
