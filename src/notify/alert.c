#include "notify/alert.h"

#include <stdio.h>
#include <string.h>

#include "base/secret.h"
#include "base/str.h"
#include "domain/incident/incident.h"
#include "store/outbox.h"
#include "wire/json.h"
#include "wire/json_read.h"

/* The data from which an alert is made. */
struct reading {
	const struct leased_delivery *delivery;
	struct json_object *root;
	struct json_object *object; /* the incident, window or monitor */
	struct arena *arena;
};

/* Returns the text of a member of the object; "" if it is null. */
static const char *text_of(const struct reading *reading, const char *key)
{
	const char *text = json_text(json_member(reading->object, key), reading->arena);
	return text ? text : "";
}

/*
 * Returns a text such as "Checkout, Login and 7 more". `count` is the number of all names. `rows`
 * may have fewer names.
 */
static const char *joined(const struct reading *reading, struct json_object *rows, size_t count)
{
	enum { NAMED = 20 };
	const char *text = "";
	size_t there = json_length(rows), named = there > NAMED ? NAMED : there;
	for (size_t i = 0; i < named; i++) {
		const char *name =
			json_text(json_member(json_item(rows, i), "name"), reading->arena);
		if (name)
			text = arena_printf(reading->arena, "%s%s%s", text, *text ? ", " : "",
					    name);
	}
	return count > named && named > 0
		       ? arena_printf(reading->arena, "%s and %zu more", text, count - named)
		       : text;
}

/* Returns a text such as "1 h 15 min" or "40 s". */
static const char *duration_text(struct arena *arena, int64_t s)
{
	if (s < 60)
		return arena_printf(arena, "%lld s", (long long)s);
	if (s < 3600)
		return arena_printf(arena, "%lld min", (long long)(s / 60));
	if (s < 86400)
		return arena_printf(arena, "%lld h %lld min", (long long)(s / 3600),
				    (long long)(s % 3600 / 60));
	return arena_printf(arena, "%lld d %lld h", (long long)(s / 86400),
			    (long long)(s % 86400 / 3600));
}

static int64_t number_of(const struct reading *reading, const char *key)
{
	int64_t number = 0;
	const char *text = text_of(reading, key);
	(void)str_to_int64(str_from(text), &number);
	return number;
}

/* Returns "Investigating" for "investigating". */
static const char *capital(struct arena *arena, const char *word)
{
	char *text = arena_strdup(arena, word);
	if (*text >= 'a' && *text <= 'z')
		*text = (char)(*text - 'a' + 'A');
	return text;
}

static const char *labelled(struct arena *arena, const char *label, const char *text)
{
	return *text ? arena_printf(arena, "%s%s", label, text) : "";
}

/* Joins the lines that are not empty. */
static const char *lines_of(struct arena *arena, const char *first, const char *second,
			    const char *third)
{
	const char *const lines[] = { first, second, third };
	const char *text = "";
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		if (*lines[i])
			text = arena_printf(arena, "%s%s%s", text, *text ? "\n" : "", lines[i]);
	return text;
}

static void tell_incident(const struct reading *reading, struct alert *alert)
{
	struct arena *arena = reading->arena;
	const char *title = text_of(reading, "title"), *phase = text_of(reading, "phase");
	const char *text = json_text(json_member(reading->root, "text"), arena);
	const char *name = *alert->systems ? alert->systems : "A system";
	bool is_reported = strcmp(text_of(reading, "kind"), "reported") == 0;
	alert->cause = text_of(reading, "cause");
	alert->is_over = strcmp(text_of(reading, "status"), "resolved") == 0;
	alert->is_minor = strcmp(text_of(reading, "impact"), "major_outage") != 0 &&
			  strcmp(text_of(reading, "impact"), "") != 0;
	switch (alert->event) {
	case ALERT_DOWN:
		alert->title = arena_printf(arena, "%s is %s%s", name,
					    alert->is_minor ? "slow or failing" : "down",
					    reading->delivery->round > 0 ? ", still" : "");
		alert->text = lines_of(arena, title, labelled(arena, "Cause: ", alert->cause),
				       labelled(arena, "Depends on it: ", alert->dependents));
		return;
	case ALERT_UP:
		if (is_reported)
			alert->title = arena_printf(arena, "Resolved: %s", title);
		else
			alert->title =
				arena_printf(arena, "%s is up again after %s", name,
					     duration_text(arena, number_of(reading, "duration")));
		alert->text = text ? text : "";
		return;
	case ALERT_ACKNOWLEDGED:
		alert->title = arena_printf(arena, "%s: %s",
					    strcmp(alert->kind, "incident.acknowledged") == 0
						    ? "Acknowledged"
						    : "No longer acknowledged",
					    *title ? title : name);
		alert->text = text ? text : "";
		return;
	default:
		alert->title = arena_printf(arena, "%s: %s",
					    *phase ? capital(arena, phase) : "Update",
					    *title ? title : name);
		/* The event of a reported incident has the incident's title as its text. The alert
		 * then shows the text of the first update. */
		if (!text || strcmp(text, title) == 0)
			text = text_of(reading, "comment");
		alert->text = text;
	}
}

static void tell_maintenance(const struct reading *reading, struct alert *alert)
{
	static const struct {
		const char *kind, *text;
	} words[] = {
		{ "maintenance.scheduled", "Maintenance is planned" },
		{ "maintenance.updated", "Maintenance was changed" },
		{ "maintenance.reminder", "Maintenance begins soon" },
		{ "maintenance.started", "Maintenance has begun" },
		{ "maintenance.verifying", "Maintenance is being verified" },
		{ "maintenance.completed", "Maintenance is completed" },
		{ "maintenance.cancelled", "Maintenance was cancelled" },
	};
	struct arena *arena = reading->arena;
	struct json_object *occurrence = json_member(reading->root, "occurrence");
	const char *what = "Maintenance";
	const char *text = json_text(json_member(reading->root, "text"), arena);
	const char *from = json_text(json_member(occurrence, "starts_at"), arena);
	const char *until = json_text(json_member(occurrence, "ends_at"), arena);
	const char *title = text_of(reading, "title");
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(alert->kind, words[i].kind) == 0)
			what = words[i].text;
	alert->is_over = strcmp(alert->kind, "maintenance.completed") == 0 ||
			 strcmp(alert->kind, "maintenance.cancelled") == 0;
	if (!from) {
		from = text_of(reading, "next_starts_at");
		until = text_of(reading, "next_ends_at");
	}
	alert->title = arena_printf(arena, "%s: %s", what, title);
	alert->text = arena_printf(arena, "From %s to %s%s%s", from, until ? until : "-",
				   text && strcmp(text, title) != 0 ? "\n" : "",
				   text && strcmp(text, title) != 0 ? text : "");
}

static void tell_monitor(const struct reading *reading, struct alert *alert)
{
	const char *text = json_text(json_member(reading->root, "text"), reading->arena);
	bool is_of_domain = strcmp(alert->kind, "monitor.domain_expiring") == 0;
	bool is_of_issuer = strcmp(alert->kind, "monitor.issuer_changed") == 0;
	alert->systems = text_of(reading, "name");
	alert->title = arena_printf(reading->arena, "The %s of %s %s",
				    is_of_domain ? "domain" : "certificate", alert->systems,
				    is_of_issuer ? "has another issuer" : "expires");
	alert->text = text ? text : "";
}

static int64_t seconds_of(const char *time)
{
	struct instant at = { 0 };
	(void)instant_parse(str_from(time), &at);
	return at.s;
}

static void tell_checker(const struct reading *reading, struct alert *alert)
{
	struct arena *arena = reading->arena;
	const char *location = text_of(reading, "location");
	const char *since = text_of(reading, "cut_off_since");
	const char *until = text_of(reading, "cut_off_until");
	const char *name = *location
				   ? arena_printf(arena, "The checker of the location %s", location)
				   : "The checker";
	if (*location)
		alert->subject = arena_printf(arena, "%s-%s", alert->subject, location);
	alert->is_over = strcmp(alert->kind, "checker.reconnected") == 0;
	alert->title =
		alert->is_over
			? arena_printf(arena, "%s is connected again after %s", name,
				       duration_text(arena, seconds_of(until) - seconds_of(since)))
			: arena_printf(arena, "%s is cut off", name);
	if (alert->is_over)
		alert->text = arena_printf(arena, "It was cut off from %s to %s", since, until);
	else
		alert->text = arena_printf(arena, "%s since %s. It knows no state of a system.",
					   *location ? "It has said nothing"
						     : "None of its anchors has responded",
					   since);
}

/* Returns the names of the systems, separated by commas. A detected incident has only one
 * system. */
static const char *systems_of(const struct reading *reading, bool is_window)
{
	struct json_object *object = is_window ? reading->root : reading->object;
	struct json_object *rows = json_member(object, "monitors");
	const char *names = joined(reading, rows, json_length(rows));
	struct json_object *one = json_member(object, "monitor");
	const char *name = *names ? NULL : json_text(json_member(one, "name"), reading->arena);
	return name ? name : names;
}

static const char *dependents_of(const struct reading *reading)
{
	int64_t count = 0;
	(void)json_number_up(json_member(reading->root, "dependent_count"), &count);
	return joined(reading, json_member(reading->root, "dependents"), (size_t)count);
}

/* Returns the URL of the incident; NULL: the incident is on no page, or the page's URL is
 * unknown. */
static const char *url_of(const struct reading *reading, const char *base_url)
{
	const char *address = json_text(json_member(reading->root, "page_address"), reading->arena);
	const struct incident incident = { .id = reading->delivery->object_id,
					   .page_address = address };
	const char *url = incident_url(&incident, base_url, reading->arena);
	return url && str_starts(str_from(url), str_from("http")) ? url : NULL;
}

/* Returns the payload without the text of an update that was withdrawn; NULL: no memory. */
static const char *without_text(const struct reading *reading)
{
	struct json_object *incident = json_member(reading->root, "incident");
	struct buf text CLEANUP(buf_done) = BUF_INIT(OUTBOX_PAYLOAD_MAX_BYTES);
	json_put_null(reading->root, "text");
	if (incident)
		json_put_null(incident, "comment");
	json_print(&text, reading->root);
	return buf_ok(&text) ? arena_strndup(reading->arena, text.data, text.len) : NULL;
}

bool alert_of_delivery(const struct leased_delivery *delivery, const char *base_url,
		       struct arena *arena, struct alert *alert)
{
	struct reading reading = { .delivery = delivery, .arena = arena };
	struct error error = { 0 };
	if (json_read_file(str_from(delivery->payload), &reading.root, &error) != OK)
		return false;
	const char *payload = delivery->is_withdrawn ? without_text(&reading) : delivery->payload;
	enum event_object kind = event_kind_object(event_kind_of(delivery->kind));
	const char *object = kind == EVENT_OF_ACCOUNT ? "checker" : event_object_words[kind];
	bool is_window = kind == EVENT_OF_MAINTENANCE;
	reading.object = json_member(reading.root, object);
	*alert = (struct alert){
		.event = (enum alert_event)delivery->event,
		.kind = delivery->kind,
		.id = arena_printf(arena, "delivery-%lld", (long long)delivery->id),
		.subject = arena_printf(arena, "daymark-%s-%lld", object,
					(long long)delivery->object_id),
		.title = "",
		.text = "",
		.cause = "",
		.systems = systems_of(&reading, is_window),
		.dependents = dependents_of(&reading),
		.url = url_of(&reading, base_url),
		.payload = payload,
		.at = delivery->at,
	};
	if (is_window)
		tell_maintenance(&reading, alert);
	else if (kind == EVENT_OF_MONITOR)
		tell_monitor(&reading, alert);
	else if (kind == EVENT_OF_ACCOUNT)
		tell_checker(&reading, alert);
	else
		tell_incident(&reading, alert);
	json_free(reading.root);
	return true;
}

struct alert alert_of_test(struct instant now, struct arena *arena)
{
	char id[SECRET_ID_SIZE];
	secret_id(id);
	return (struct alert){
		.event = ALERT_UPDATES,
		.kind = "alert_channel.tested",
		.id = arena_printf(arena, "test-%s", id),
		.subject = "daymark-test",
		.title = "Daymark can send messages to this channel",
		.text = "This is a test. Nothing has happened.",
		.systems = "",
		.cause = "",
		.dependents = "",
		.at = now,
	};
}
