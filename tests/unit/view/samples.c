#include "unit/view/samples.h"

#include <string.h>

#include "base/attr.h"

#define NOON SAMPLE_NOON
enum { MINUTE = 60, HOUR = 3600, INCIDENTS_MAX = 16, OUTAGES_MAX = 64 };

static const char *const names[] = {
	"Website",	 "Checkout",	  "Payments",	    "Customer accounts", "Search",
	"Product pages", "Order history", "E-mail",	    "Push messages",	 "Text messages",
	"Public API",	 "Webhooks",	  "Developer docs", "Sandbox",		 "Images",
	"Video",	 "Downloads",	  "Reports",	    "Data export",	 "Support chat",
};
static const char *const groups[] = {
	NULL, "Shop", "Messages", "Developers", "Media", "Back office"
};

static struct page_snapshot make(size_t count, struct arena *arena)
{
	struct page_snapshot snapshot = {
		.page = { .id = 1,
			  .name = "Example Cloud",
			  .website_url = "https://example.org/",
			  .contact_url = "mailto:help@example.org",
			  .time_zone = "UTC",
			  .language = "en",
			  .created_at = { NOON - 300 * DAY_S },
			  .updated_at = { NOON - 300 * DAY_S } },
		.now = { NOON },
		.url = "https://status.example.org/s/cloud/",
		.monitor_count = count,
	};
	snapshot.monitors = ARENA_ARRAY(arena, count, struct page_monitor);
	snapshot.incidents = ARENA_ARRAY(arena, INCIDENTS_MAX, struct page_incident);
	snapshot.outages = ARENA_ARRAY(arena, OUTAGES_MAX, struct page_outage);
	snapshot.maintenances = ARENA_ARRAY(arena, INCIDENTS_MAX, struct page_maintenance);
	for (size_t i = 0; i < count; i++)
		snapshot.monitors[i] = (struct page_monitor){
			.id = (int64_t)i + 1,
			.name = i < ARRAY_LEN(names)
					? names[i]
					: arena_printf(arena, "%s %zu", names[i % ARRAY_LEN(names)],
						       i / ARRAY_LEN(names) + 1),
			.known_since = { NOON - 400 * DAY_S },
		};
	static struct page_month months[] = {
		{ .start = { 1793491200 }, .name = "2026-11" },
		{ .start = { 1790812800 }, .name = "2026-10" },
		{ .start = { 1788220800 }, .name = "2026-09" },
		{ .start = { 1785542400 }, .name = "2026-08" },
	};
	snapshot.months = months;
	snapshot.month_count = ARRAY_LEN(months);
	return snapshot;
}

static void put_in_groups(struct page_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		snapshot->monitors[i].group =
			groups[i * ARRAY_LEN(groups) / snapshot->monitor_count];
}

static struct page_incident *add_incident(struct page_snapshot *snapshot,
					  struct page_incident incident)
{
	struct page_incident *added = &snapshot->incidents[snapshot->incident_count++];
	*added = incident;
	added->row.id = 40 + (int64_t)snapshot->incident_count;
	added->row.cause = "";
	added->row.updated_at = incident.row.started_at;
	return added;
}

static void add_impact(struct page_snapshot *snapshot, int64_t monitor_id, int impact, int64_t from,
		       int64_t to)
{
	snapshot->outages[snapshot->outage_count++] = (struct page_outage){
		.monitor_id = monitor_id,
		.interval = { .from = { from }, .to = { to }, .impact = impact },
	};
}

static void add_outage(struct page_snapshot *snapshot, int64_t monitor_id, int64_t from, int64_t to)
{
	add_impact(snapshot, monitor_id, INCIDENT_MAJOR_OUTAGE, from, to);
}

/* An incident of monitoring. */
static struct page_incident *add_detected(struct page_snapshot *snapshot, int64_t monitor_id,
					  int64_t from, int64_t to)
{
	add_outage(snapshot, monitor_id, from, to);
	return add_incident(snapshot,
			    (struct page_incident){ .row = { .monitor_id = monitor_id,
							     .impact = INCIDENT_MAJOR_OUTAGE,
							     .started_at = { from },
							     .ended_at = { to } } });
}

static struct incident_monitor *cover(const struct page_snapshot *snapshot,
				      struct incident_monitor *monitors, size_t count)
{
	for (size_t i = 0; i < count; i++)
		monitors[i].name = snapshot->monitors[monitors[i].id - 1].name;
	return monitors;
}
#define COVER(snapshot, array, its_incident) \
	do { \
		(its_incident)->monitors = cover((snapshot), (array), ARRAY_LEN(array)); \
		(its_incident)->monitor_count = ARRAY_LEN(array); \
	} while (0)
#define POST(array, its_incident) \
	do { \
		(its_incident)->updates = (struct posted_updates){ (array), ARRAY_LEN(array) }; \
	} while (0)

static struct posted_update replica_updates[] = {
	{ .id = 9,
	  .phase = PHASE_RESOLVED,
	  .at = { NOON - 5 * DAY_S + 95 * MINUTE },
	  .impacts = "8:1:1,9:2:2",
	  .body = "All queues are empty, and delivery times are normal again. We will publish a "
		  "post-mortem this week." },
	{ .id = 8,
	  .phase = PHASE_MONITORING,
	  .at = { NOON - 5 * DAY_S + 60 * MINUTE },
	  .body = "The new database primary accepts writes. We are watching the queues." },
	{ .id = 7,
	  .phase = PHASE_INVESTIGATING,
	  .at = { NOON - 5 * DAY_S + 8 * MINUTE },
	  .body = "E-mails are delivered late." },
};

static const char postmortem[] =
	"## Summary\n\nOn 15 November, e-mails were delivered **up to 95 minutes late**. No "
	"message "
	"was lost.\n\n## What happened\n\n1. The primary database ran out of disk space at "
	"12:00 UTC.\n2. The fail-over waited for a replica that was behind.\n3. Workers retried "
	"with `backoff = 0`, which delayed the recovery.\n\n```\nERROR 1114 (HY000): The table "
	"'queue' is full\n```\n\n> \"The alert for disk space went to a mailbox that nobody "
	"reads.\"\n\n## What we change\n\n- Alerts for disk space page the person on call.\n- "
	"Retries wait longer each time, see [our notes](https://example.org/notes).\n- The queue "
	"has a disk of its own.\n";

/* Some weeks with good and bad days. */
static void add_past(struct page_snapshot *snapshot)
{
	static struct incident_monitor mail[] = { { .id = 8,
						    .impact = INCIDENT_DEGRADED_PERFORMANCE },
						  { .id = 9, .impact = INCIDENT_PARTIAL_OUTAGE } };
	struct page_incident *late = add_incident(
		snapshot,
		(struct page_incident){ .row = { .kind = INCIDENT_REPORTED,
						 .title = "E-mails are delivered late",
						 .impact = INCIDENT_PARTIAL_OUTAGE,
						 .started_at = { NOON - 5 * DAY_S },
						 .ended_at = { NOON - 5 * DAY_S + 95 * MINUTE },
						 .postmortem = postmortem } });
	if (snapshot->monitor_count > 8)
		COVER(snapshot, mail, &late->row);
	POST(replica_updates, late);
	add_detected(snapshot, 2, NOON - 9 * DAY_S, NOON - 9 * DAY_S + 4 * MINUTE);
	add_detected(snapshot, 2, NOON - 9 * DAY_S + HOUR, NOON - 9 * DAY_S + HOUR + 50);
	add_detected(snapshot, 3, NOON - 11 * DAY_S, NOON - 10 * DAY_S)->row.comment =
		"A certificate had expired. It is renewed by a program now.";
	add_outage(snapshot, 2, NOON - 40 * DAY_S, NOON - 40 * DAY_S + 3 * HOUR);
	add_outage(snapshot, 1, NOON - 62 * DAY_S, NOON - 62 * DAY_S + 14 * HOUR);
	add_outage(snapshot, 5, NOON - 63 * DAY_S, NOON - 63 * DAY_S + 20 * MINUTE);
}

static struct page_snapshot finish(struct page_snapshot *snapshot, struct arena *arena)
{
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct page_incident *incident = &snapshot->incidents[i];
		for (size_t j = 0; j < incident->row.monitor_count; j++) {
			add_impact(snapshot, incident->row.monitors[j].id,
				   incident->row.monitors[j].impact, incident->row.started_at.s,
				   incident->row.ended_at.s);
			snapshot->outages[snapshot->outage_count - 1].title = incident->row.title;
		}
	}
	/* Its own copy, since the order changes. */
	snapshot->newest = ARENA_ARRAY(arena, INCIDENTS_MAX, struct page_incident);
	snapshot->newest_count = snapshot->incident_count;
	if (snapshot->incident_count > 0)
		memcpy(snapshot->newest, snapshot->incidents,
		       snapshot->incident_count * sizeof(*snapshot->newest));
	page_snapshot_derive(snapshot, arena);
	return *snapshot;
}

static struct page_snapshot make_one_well(struct arena *arena)
{
	struct page_snapshot snapshot = make(1, arena);
	snapshot.page.name = "Website status";
	return finish(&snapshot, arena);
}

static struct page_snapshot make_new(struct arena *arena)
{
	struct page_snapshot snapshot = make(3, arena);
	snapshot.month_count = 0;
	snapshot.monitors[0].known_since = (struct instant){ NOON - 26 * HOUR };
	snapshot.monitors[1].known_since = snapshot.monitors[2].known_since = (struct instant){ 0 };
	return finish(&snapshot, arena);
}

static struct page_snapshot make_five_degraded(struct arena *arena)
{
	static struct incident_monitor covered[] = { { .id = 3,
						       .impact = INCIDENT_DEGRADED_PERFORMANCE } };
	static struct posted_update updates[] = {
		{ .id = 1,
		  .phase = PHASE_IDENTIFIED,
		  .at = { NOON - 12 * MINUTE },
		  .body = "Our payment provider responds slowly. Payments succeed, but may take a "
			  "minute." },
	};
	struct page_snapshot snapshot = make(5, arena);
	snapshot.monitors[0].description = "The shop, and all that visitors see";
	snapshot.monitors[3].group = snapshot.monitors[4].group = "Behind the shop";
	struct page_incident *slow = add_incident(
		&snapshot,
		(struct page_incident){ .row = { .kind = INCIDENT_REPORTED,
						 .title = "Payments take longer than usual",
						 .impact = INCIDENT_DEGRADED_PERFORMANCE,
						 .phase = PHASE_IDENTIFIED,
						 .next_update_at = { NOON + 30 * MINUTE },
						 .started_at = { NOON - 40 * MINUTE } } });
	COVER(&snapshot, covered, &slow->row);
	POST(updates, slow);
	add_past(&snapshot);
	return finish(&snapshot, arena);
}

static struct page_snapshot make_twenty_well(struct arena *arena)
{
	struct page_snapshot snapshot = make(20, arena);
	put_in_groups(&snapshot);
	return finish(&snapshot, arena);
}

static struct posted_update outage_updates[] = {
	{ .id = 6,
	  .phase = PHASE_MONITORING,
	  .impacts = "2:3:3,3:3:2,4:3:3,5:2:1,11:2:2",
	  .at = { NOON - 9 * MINUTE },
	  .body = "Traffic flows through the **Frankfurt** region again. Checkout and payments "
		  "recover, and we are watching error rates." },
	{ .id = 5,
	  .phase = PHASE_IDENTIFIED,
	  .at = { NOON - 35 * MINUTE },
	  .edited_at = { NOON - 30 * MINUTE },
	  .body = "A change of our network configuration cut two regions off. We are taking it "
		  "back:\n\n- Frankfurt: in progress\n- Dublin: next" },
	{ .id = 4,
	  .phase = PHASE_IDENTIFIED,
	  .at = { NOON - 62 * MINUTE },
	  .body = "We have found the cause and are preparing a fix." },
	{ .id = 3,
	  .phase = PHASE_INVESTIGATING,
	  .at = { NOON - 85 * MINUTE },
	  .impacts = "2:3:3,3:2:3,4:0:3,11:0:2,5:0:1",
	  .body = "More systems are affected than we first saw." },
	{ .id = 2,
	  .phase = PHASE_INVESTIGATING,
	  .at = { NOON - 98 * MINUTE },
	  .body = "We are looking into errors at checkout." },
};

static struct page_snapshot make_outage(struct arena *arena)
{
	static struct incident_monitor covered[] = {
		{ .id = 2, .impact = INCIDENT_MAJOR_OUTAGE },
		{ .id = 3, .impact = INCIDENT_MAJOR_OUTAGE },
		{ .id = 4, .impact = INCIDENT_MAJOR_OUTAGE },
		{ .id = 11, .impact = INCIDENT_PARTIAL_OUTAGE },
		{ .id = 5, .impact = INCIDENT_DEGRADED_PERFORMANCE },
	};
	struct page_snapshot snapshot = make(20, arena);
	put_in_groups(&snapshot);
	struct page_incident *large = add_incident(
		&snapshot,
		(struct page_incident){ .row = { .kind = INCIDENT_REPORTED,
						 .title = "Errors at checkout, payments and log-in",
						 .impact = INCIDENT_MAJOR_OUTAGE,
						 .phase = PHASE_MONITORING,
						 .next_update_at = { NOON - 2 * MINUTE },
						 .started_at = { NOON - 101 * MINUTE } } });
	COVER(&snapshot, covered, &large->row);
	POST(outage_updates, large);
	add_detected(&snapshot, 2, NOON - 100 * MINUTE, 0);
	add_detected(&snapshot, 3, NOON - 97 * MINUTE, 0);
	add_detected(&snapshot, 18, NOON - 20 * MINUTE, 0);
	add_past(&snapshot);
	return finish(&snapshot, arena);
}

static struct page_snapshot make_twenty_ten(struct arena *arena)
{
	struct page_snapshot snapshot = make(20, arena);
	for (int64_t i = 0; i < 4; i++)
		add_detected(&snapshot, 12 + i, NOON - (2 + 2 * i) * DAY_S,
			     NOON - (2 + 2 * i) * DAY_S + (7 + 40 * i) * MINUTE);
	add_detected(&snapshot, 7, NOON - 50 * MINUTE, 0);
	add_past(&snapshot);
	return finish(&snapshot, arena);
}

static struct page_snapshot make_two_hundred_well(struct arena *arena)
{
	struct page_snapshot snapshot = make(200, arena);
	return finish(&snapshot, arena);
}

static struct page_snapshot make_two_hundred_groups(struct arena *arena)
{
	struct page_snapshot snapshot = make(200, arena);
	put_in_groups(&snapshot);
	add_detected(&snapshot, 2, NOON - 30 * MINUTE, 0);
	add_detected(&snapshot, 55, NOON - 25 * MINUTE, 0);
	add_past(&snapshot);
	return finish(&snapshot, arena);
}

/* 100 systems in 30 groups. */
static struct page_snapshot make_hundred_groups(struct arena *arena)
{
	struct page_snapshot snapshot = make(100, arena);
	for (size_t i = 0; i < snapshot.monitor_count; i++)
		snapshot.monitors[i].group =
			arena_printf(arena, "Region %02zu", i * 30 / snapshot.monitor_count + 1);
	add_impact(&snapshot, 35, INCIDENT_DEGRADED_PERFORMANCE, NOON - 20 * DAY_S,
		   NOON - 20 * DAY_S + 95 * MINUTE);
	add_detected(&snapshot, 55, NOON - 25 * MINUTE, 0);
	add_past(&snapshot);
	return finish(&snapshot, arena);
}

static struct incident_monitor database_monitors[] = { { .id = 2 }, { .id = 3 } };

static struct page_maintenance *add_maintenance(struct page_snapshot *snapshot, int status,
						int64_t from, int64_t to)
{
	struct page_maintenance *added = &snapshot->maintenances[snapshot->maintenance_count++];
	snapshot->has_maintenance = true;
	*added = (struct page_maintenance){
		.id = 3,
		.title = "Database upgrade",
		.body = "We move to a new version of the database. Orders cannot be placed for "
			"about "
			"**ten minutes** at the beginning.",
		.status = status,
		.starts_at = { from },
		.ends_at = { to },
		.created_at = { NOON - 6 * DAY_S },
		.updated_at = { NOON - 6 * DAY_S },
		.monitors = cover(snapshot, database_monitors, ARRAY_LEN(database_monitors)),
		.monitor_count = ARRAY_LEN(database_monitors),
	};
	return added;
}

static struct page_snapshot make_maintenance_announced(struct arena *arena)
{
	struct page_snapshot snapshot = make(8, arena);
	add_maintenance(&snapshot, PHASE_SCHEDULED, NOON + 2 * DAY_S + 10 * HOUR,
			NOON + 2 * DAY_S + 11 * HOUR + 30 * MINUTE);
	struct page_maintenance *second = add_maintenance(
		&snapshot, PHASE_CANCELLED, NOON + 4 * DAY_S, NOON + 4 * DAY_S + 14 * HOUR);
	second->id = 4;
	second->window_id = 1;
	second->title = "Move to another data centre";
	second->body = NULL;
	for (int64_t week = 1; week <= 3; week++)
		add_maintenance(&snapshot, PHASE_SCHEDULED,
				NOON + (7 * week + 2) * DAY_S + 10 * HOUR,
				NOON + (7 * week + 2) * DAY_S + 11 * HOUR)
			->id = 4 + week;
	return finish(&snapshot, arena);
}

/* Twelve systems, an incident and three windows, the first of which begins soon. */
static struct page_snapshot make_twelve(struct arena *arena)
{
	static const char *const titles[] = { "Database upgrade", "New load balancers",
					      "Move to another data centre" };
	static struct incident_monitor covered[] = { { .id = 3, .impact = INCIDENT_MAJOR_OUTAGE } };
	struct page_snapshot snapshot = make(12, arena);
	put_in_groups(&snapshot);
	for (int64_t i = 0; i < 3; i++) {
		int64_t from = NOON + (14 + 30 * i) * HOUR;
		struct page_maintenance *window =
			add_maintenance(&snapshot, PHASE_SCHEDULED, from, from + 2 * HOUR);
		window->id = window->window_id = 3 + i;
		window->title = titles[i];
	}
	struct page_incident *down = add_incident(
		&snapshot,
		(struct page_incident){ .row = { .kind = INCIDENT_REPORTED,
						 .title = "Payments fail",
						 .impact = INCIDENT_MAJOR_OUTAGE,
						 .phase = PHASE_MONITORING,
						 .started_at = { NOON - 101 * MINUTE } } });
	COVER(&snapshot, covered, &down->row);
	POST(outage_updates, down);
	add_past(&snapshot);
	return finish(&snapshot, arena);
}

static struct page_snapshot make_maintenance_running(struct arena *arena)
{
	static struct posted_update updates[] = {
		{ .id = 1,
		  .phase = PHASE_IN_PROGRESS,
		  .at = { NOON - 25 * MINUTE },
		  .body = "The upgrade has begun." },
	};
	struct page_snapshot snapshot = make(8, arena);
	struct page_maintenance *running = add_maintenance(&snapshot, PHASE_IN_PROGRESS,
							   NOON - 25 * MINUTE, NOON + 65 * MINUTE);
	running->updates = updates;
	running->update_count = ARRAY_LEN(updates);
	finish(&snapshot, arena);
	snapshot.monitors[1].maintenance = snapshot.monitors[2].maintenance = running;
	return snapshot;
}

static struct page_snapshot make_maintenance_done(struct arena *arena)
{
	struct page_snapshot snapshot = make(8, arena);
	add_maintenance(&snapshot, PHASE_COMPLETED, NOON - 3 * DAY_S,
			NOON - 3 * DAY_S + 90 * MINUTE);
	return finish(&snapshot, arena);
}

static struct page_snapshot make_names(struct arena *arena)
{
	struct page_snapshot snapshot = make(4, arena);
	snapshot.page.name = "حالة الخدمات 🌍 and a rather long name besides, for a company";
	snapshot.monitors[0].name =
		"AveryveryverylongnamewithoutanyblankAveryveryverylongnamewithoutanyblank"
		"Averyveryverylongnamewithoutanyblank";
	snapshot.monitors[1].name = "מערכת הודעות 🚀 (שירות ראשי)";
	snapshot.monitors[2].name =
		"日本語のとても長い監視対象の名前 👩‍🚀 <b>&amp;\"";
	snapshot.monitors[3].group = "مجموعة";
	add_detected(&snapshot, 2, NOON - 30 * MINUTE, 0)->row.title = "השירות אינו זמין";
	return finish(&snapshot, arena);
}

static struct page_snapshot make_notice(struct arena *arena)
{
	static struct posted_update updates[] = {
		{ .id = 1,
		  .phase = PHASE_MONITORING,
		  .at = { NOON - 3 * HOUR },
		  .body = "Messages that ask for your password in our name are **not from us**. "
			  "Do not follow their links.\n\n<script>alert(1)</script>\n\n"
			  "[bad](javascript:alert(1)) [good](https://example.org/) "
			  "![picture](https://example.org/x.png)" },
	};
	struct page_snapshot snapshot = make(2, arena);
	struct page_incident *notice = add_incident(
		&snapshot, (struct page_incident){ .row = { .kind = INCIDENT_REPORTED,
							    .title = "Forged messages in our name",
							    .impact = INCIDENT_IMPACT_NONE,
							    .phase = PHASE_MONITORING,
							    .started_at = { NOON - 4 * HOUR } } });
	POST(updates, notice);
	return finish(&snapshot, arena);
}

static void add_gap(struct page_snapshot *snapshot, int64_t monitor_id, int64_t from, int64_t to)
{
	static struct page_gap gaps[8];
	snapshot->gaps = gaps;
	gaps[snapshot->gap_count++] = (struct page_gap){
		.monitor_id = monitor_id,
		.interval = { .from = { from }, .to = { to }, .is_gap = true },
	};
}

/* The second system is not observed now, and was not three weeks ago; the third is down. */
static struct page_snapshot make_gaps(struct arena *arena)
{
	struct page_snapshot snapshot = make(4, arena);
	add_gap(&snapshot, 2, NOON - 2 * HOUR, 0);
	add_gap(&snapshot, 2, NOON - 25 * DAY_S, NOON - 21 * DAY_S + 3 * HOUR);
	add_gap(&snapshot, 1, NOON - 9 * DAY_S, NOON - 9 * DAY_S + 95 * MINUTE);
	add_gap(&snapshot, 3, NOON - 40 * DAY_S, NOON - 40 * DAY_S + 2 * HOUR);
	add_detected(&snapshot, 3, NOON - 40 * DAY_S + HOUR, NOON - 40 * DAY_S + 3 * HOUR);
	return finish(&snapshot, arena);
}

static struct page_snapshot make_unobserved(struct arena *arena)
{
	struct page_snapshot snapshot = make(3, arena);
	for (int64_t id = 1; id <= 3; id++)
		add_gap(&snapshot, id, NOON - 20 * MINUTE, 0);
	return finish(&snapshot, arena);
}

/* Each system in its own way; the second was down for some hours, the third is new, the fourth has
 * no response times. */
static void add_response_times(struct page_snapshot *snapshot, struct arena *arena)
{
	const int64_t end = page_response_end(snapshot->now).s;
	struct response_time *rows = ARENA_ARRAY(
		arena, snapshot->monitor_count * PAGE_RESPONSE_HOURS, struct response_time);
	snapshot->has_response_times = true;
	snapshot->response_times = rows;
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		for (int64_t hour = 0; hour < PAGE_RESPONSE_HOURS; hour++) {
			int64_t id = snapshot->monitors[i].id;
			int64_t some = (id * 7919 + hour * hour * 104729) % 97;
			bool is_down = i == 1 && hour >= 9 && hour < 12;
			if (i == 3 || (i == 2 && hour < 20) || (i == 1 && hour == 5))
				continue;
			rows[snapshot->response_time_count++] = (struct response_time){
				.monitor_id = id,
				.at = { end - (PAGE_RESPONSE_HOURS - hour) * HOUR },
				.checks = 60,
				.failures = is_down ? 60 : 0,
				.average_ms = is_down ? 0 : 40 * id + some + (hour > 15 ? 60 : 0),
				.min_ms = is_down ? 0 : 20,
				.max_ms = is_down ? 0 : 90 * id + 3 * some,
			};
		}
}

static struct page_snapshot make_times(struct arena *arena)
{
	struct page_snapshot snapshot = make_twenty_well(arena);
	add_response_times(&snapshot, arena);
	return snapshot;
}

static struct page_snapshot make_times_compact(struct arena *arena)
{
	struct page_snapshot snapshot = make_two_hundred_well(arena);
	add_response_times(&snapshot, arena);
	return snapshot;
}

static struct page_snapshot make_branded(struct arena *arena)
{
	struct page_snapshot snapshot = make_five_degraded(arena);
	snapshot.page.accent_color = "#f5a623";
	snapshot.page.logo_height = 80;
	snapshot.page.support_text = "Questions? Write to [support](mailto:help@example.org), "
				     "or call **030 1234**.";
	return snapshot;
}

static struct page_snapshot make_branded_dark(struct arena *arena)
{
	struct page_snapshot snapshot = make_branded(arena);
	snapshot.page.accent_color = "#7c5cff";
	snapshot.page.color_scheme = "dark";
	return snapshot;
}

/* The style sheet names a background for no mode: the page has the light mode alone. */
static struct page_snapshot make_background(struct arena *arena)
{
	struct page_snapshot snapshot = make_five_degraded(arena);
	snapshot.page.custom_css = ":root{--bg:#fff4dd;--card:#fffaf0}";
	return snapshot;
}

const struct sample samples[] = {
	{ "one-well", make_one_well },
	{ "new", make_new },
	{ "five-degraded", make_five_degraded },
	{ "twenty-well", make_twenty_well },
	{ "twenty-ten", make_twenty_ten },
	{ "outage", make_outage },
	{ "two-hundred-well", make_two_hundred_well },
	{ "two-hundred-groups", make_two_hundred_groups },
	{ "hundred-groups", make_hundred_groups },
	{ "twelve", make_twelve },
	{ "maintenance-announced", make_maintenance_announced },
	{ "maintenance-running", make_maintenance_running },
	{ "maintenance-done", make_maintenance_done },
	{ "names", make_names },
	{ "notice", make_notice },
	{ "gaps", make_gaps },
	{ "unobserved", make_unobserved },
	{ "times", make_times },
	{ "times-compact", make_times_compact },
	{ "branded", make_branded },
	{ "branded-dark", make_branded_dark },
	{ "background", make_background },
};
const size_t sample_count = ARRAY_LEN(samples);
