/*
 * All writers of incidents, in a random order: after each change the tables that follow from
 * incidents agree with the incidents, and what pages and readers of events are told covers it.
 * Two writers of the same monitors then write at once.
 */
#include "integration/lib/service.h"

#include <pthread.h>
#include <stdlib.h>

#include "domain/incident/incident_report.h"
#include "service/incident/incident_import.h"
#include "service/incident/incident_reports.h"
#include "service/incident/incidents.h"
#include "service/incident/observations.h"
#include "service/monitors.h"
#include "store/incident/incident.h"
#include "store/incident/incident_write.h"
#include "store/monitor/monitor.h"

enum { MONITORS = 5, PAGES = 3, STEPS = 250 };

static int64_t account, monitors[MONITORS], pages[PAGES];
static uint64_t seed;

static int64_t pick(int64_t below)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (int64_t)(seed >> 33) % below;
}

/* Pages that show some of the monitors, in different orders; no page shows the last one. */
static void make_world(void)
{
	account = add_account("one");
	for (int i = 0; i < MONITORS; i++)
		monitors[i] = add_monitor(account, arena_printf(&arena, "m%d", i));
	for (int i = 0; i < PAGES; i++) {
		pages[i] = add_page(account, arena_printf(&arena, "p%d", i));
		for (int j = 0; j < MONITORS - 1; j++)
			if ((i + j) % PAGES != 0)
				show_monitor(pages[i], monitors[j], MONITORS - j);
	}
	act_as_key(account);
	config.most_incidents_per_day = 100000;
	service_hold_publishing(&service);
}

/* Some of the monitors, in any order, each once. */
static struct id_list some_monitors(int64_t least)
{
	static int64_t ids[MONITORS];
	size_t count = 0, from = (size_t)pick(MONITORS);
	for (size_t i = 0; i < MONITORS; i++)
		if (monitors[(from + 2 * i) % MONITORS] > 0 && pick(2) == 1)
			ids[count++] = monitors[(from + 2 * i) % MONITORS];
	for (size_t i = 0; count < (size_t)least && i < MONITORS; i++)
		if (monitors[i] > 0)
			ids[count++] = monitors[i];
	return (struct id_list){ ids, count };
}

/* A time of December to March, before now. */
static struct instant some_time(void)
{
	return (struct instant){ at(5, 9).s - pick(90 * 24) * 3600 };
}

static int64_t some_incident(const char *where)
{
	int64_t count = select_number("SELECT COUNT(*) FROM incidents WHERE %s", where);
	return count == 0 ? 0
			  : select_number("SELECT id FROM incidents WHERE %s ORDER BY id "
					  "LIMIT %ld, 1",
					  where, (long)pick(count));
}

static enum result report(void)
{
	struct incident_resource incident;
	int64_t page = pages[pick(PAGES)];
	struct incident_report sent = { .title = "Reported",
					.monitor_ids = some_monitors(0),
					.impact = (int)pick(4),
					.body = pick(2) ? "First" : NULL,
					.started_at = some_time() };
	if (sent.monitor_ids.count == 0 || pick(3) == 0)
		sent.status_page_ids = (struct id_list){ &page, 1 };
	if (pick(2)) {
		sent.ended_at = sent.started_at;
		sent.ended_at.s += pick(40 * 24) * 3600;
	}
	return service_report_incident(&service, &sent, FIELD_SET_NONE, &incident);
}

static enum result post(void)
{
	struct incident_posting posting;
	struct id_list named = some_monitors(1);
	struct incident_post sent = { .body = "More",
				      .impact = (int)pick(4),
				      .phase = (int)pick(4) };
	struct field_set fields = FIELD_SET(POST_SENT_IMPACT, POST_SENT_PHASE);
	if (pick(2))
		sent.monitor_ids = named;
	return service_post_update(&service, some_incident("monitor_id IS NULL"), &sent, fields,
				   &posting);
}

static enum result correct(void)
{
	struct incident_resource incident;
	struct incident_update update = {
		.input = { .title = pick(2) ? "One" : "Two",
			   .impact = (int)pick(4),
			   .started_at = some_time(),
			   .comment = pick(2) ? "Comment" : "Other",
			   .acknowledged_at = pick(2) == 1,
			   .monitor_ids = some_monitors(1) },
	};
	switch (pick(5)) {
	case 0:
		update.sent = FIELD_SET(INCIDENT_SENT_TITLE, INCIDENT_SENT_COMMENT);
		break;
	case 1:
		update.sent = FIELD_SET(INCIDENT_SENT_STARTED);
		break;
	case 2:
		update.sent = FIELD_SET(INCIDENT_SENT_MONITORS, INCIDENT_SENT_IMPACT);
		break;
	case 3:
		update.sent = FIELD_SET(INCIDENT_SENT_ENDED); /* opens it again */
		break;
	default:
		update.sent = FIELD_SET(INCIDENT_SENT_ACKNOWLEDGED);
	}
	return service_update_incident(&service, some_incident("1"), &update, &incident);
}

static enum result resolve(void)
{
	struct incident incident;
	bool is_new;
	const struct incident_resolution resolution = { .incident_id = some_incident("1"),
							.at = some_time() };
	return service_resolve_incident(&service, &resolution, &incident, &is_new);
}

static enum result delete (void) {
	struct incident incident;
	return service_delete_incident(&service, some_incident("1"), &incident);
}

static struct observation some_observation(void)
{
	struct observation observation = { .account_id = account,
					   .monitor_id = some_monitors(1).ids[0],
					   .cause = "Timeout",
					   .at = some_time(),
					   .has_impact = pick(2) == 1,
					   .impact = (int)pick(4) };
	return observation;
}

static enum result observe(void)
{
	struct observation observation = some_observation();
	struct observed observed;
	observation.is_now = pick(3) == 0;
	return service_observe(&service, (enum observed_state)pick(2), &observation, &observed);
}

static enum result observe_alerts(void)
{
	enum { ALERTS = 6 };
	struct alert_observation rows[ALERTS];
	const struct alert_group group = { "group", "Many are down" };
	struct arena try;
	arena_init(&try, 1 << 20);
	for (size_t i = 0; i < ALERTS; i++) {
		rows[i] = (struct alert_observation){ .observation = some_observation() };
		rows[i].source = arena_printf(&arena, "s%ld-%ld", (long)pick(4),
					      (long)rows[i].observation.monitor_id);
		if (pick(2))
			rows[i].observation.ended_at.s = rows[i].observation.at.s + pick(50) * 3600;
	}
	struct alert_observations alerts = { .account_id = account,
					     .rows = rows,
					     .count = ALERTS,
					     .alert_count = ALERTS,
					     .group = pick(2) ? &group : NULL,
					     .arena = &try };
	enum result result = service_observe_alerts(&service, &alerts);
	arena_done(&try);
	return result;
}

static enum result import(void)
{
	struct incident rows[3];
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		rows[i] = (struct incident){ .monitor_id = some_monitors(1).ids[0],
					     .cause = "Imported",
					     .comment = pick(2) ? "Comment" : NULL,
					     .started_at = some_time() };
		rows[i].ended_at.s = rows[i].started_at.s + pick(40 * 24) * 3600;
	}
	const struct incident_batch batch = { .account_id = account, .rows = rows, .count = 3 };
	return service_import_incidents(&service, &batch);
}

/* Retires a monitor, or removes it with its incidents. Another one takes its place. */
static enum result remove_monitor(void)
{
	size_t place = (size_t)pick(MONITORS);
	int64_t id = monitors[place];
	if (pick(4) > 0)
		return OK;
	enum result result = pick(2) ? service_retire_monitor(&service, id)
				     : service_remove_monitor(&service, id);
	monitors[place] = add_monitor(account, "new");
	show_monitor(pages[pick(PAGES)], monitors[place], (int)(MONITORS + monitors[place]));
	return result;
}

typedef enum result writer(void);
static const struct {
	const char *name;
	writer *write;
} writers[] = {
	{ "report", report },	      { "post", post },	    { "correct", correct },
	{ "resolve", resolve },	      { "delete", delete }, { "observe", observe },
	{ "alerts", observe_alerts }, { "import", import }, { "remove", remove_monitor },
};

#define SYSTEMS \
	"(SELECT id AS incident_id, monitor_id, started_at, ended_at, revision FROM incidents " \
	"WHERE monitor_id IS NOT NULL UNION ALL SELECT x.incident_id, x.monitor_id, " \
	"x.started_at, x.ended_at, i.revision FROM incident_monitors x " \
	"JOIN incidents i ON i.id = x.incident_id WHERE x.monitor_id IS NOT NULL)"

/* What the database says before a change. */
static void remember(void)
{
	execute("DROP TEMPORARY TABLE IF EXISTS was, was_systems, was_months, was_pages, changed, "
		"touched");
	execute("CREATE TEMPORARY TABLE was AS SELECT id, revision FROM incidents");
	execute("CREATE TEMPORARY TABLE was_systems AS SELECT * FROM " SYSTEMS " systems");
	execute("CREATE TEMPORARY TABLE was_months AS SELECT * FROM incident_months");
	execute("CREATE TEMPORARY TABLE was_pages AS SELECT page_id, revision FROM page_revisions");
	execute("DELETE FROM events");
}

static void compare(void)
{
	execute("CREATE TEMPORARY TABLE changed AS SELECT i.id FROM incidents i "
		"LEFT JOIN was w ON w.id = i.id "
		"WHERE w.id IS NULL OR w.revision <> i.revision");
	execute("INSERT INTO changed SELECT w.id FROM was w LEFT JOIN incidents i ON i.id = w.id "
		"WHERE i.id IS NULL");
	/* The systems of changed incidents as they were and as they are. */
	execute("CREATE TEMPORARY TABLE touched AS SELECT s.* FROM " SYSTEMS " s "
		"JOIN changed c ON c.id = s.incident_id "
		"JOIN monitors m ON m.id = s.monitor_id");
	execute("INSERT INTO touched SELECT s.* FROM was_systems s "
		"JOIN changed c ON c.id = s.incident_id "
		"JOIN monitors m ON m.id = s.monitor_id");
}

/* Each query counts what is wrong. */
static const struct {
	const char *what;
	const char *query;
	bool is_of_removals; /* also after a monitor was removed, which is one event */
} rules[] = {
	{ "an event of each changed incident",
	  "SELECT COUNT(*) FROM changed c WHERE NOT EXISTS (SELECT 1 FROM events e "
	  "WHERE e.object = 'incident' AND e.object_id = c.id)",
	  false },
	{ "no event of another incident",
	  "SELECT COUNT(*) FROM events e WHERE e.object = 'incident' "
	  "AND e.object_id NOT IN (SELECT id FROM changed)",
	  true },
	{ "the month of each start",
	  "SELECT COUNT(*) FROM touched t LEFT JOIN incident_months h "
	  "ON h.monitor_id = t.monitor_id AND h.month = DATE_FORMAT(t.started_at, '%Y-%m-01') "
	  "LEFT JOIN was_months w ON w.monitor_id = h.monitor_id AND w.month = h.month "
	  "WHERE h.month IS NULL OR h.revision <= COALESCE(w.revision, 0)",
	  false },
	{ "the month of each end",
	  "SELECT COUNT(*) FROM touched t LEFT JOIN incident_months h "
	  "ON h.monitor_id = t.monitor_id AND h.month = DATE_FORMAT(t.ended_at, '%Y-%m-01') "
	  "LEFT JOIN was_months w ON w.monitor_id = h.monitor_id AND w.month = h.month "
	  "WHERE t.ended_at > DATE_FORMAT(t.ended_at, '%Y-%m-01') "
	  "AND (h.month IS NULL OR h.revision <= COALESCE(w.revision, 0))",
	  false },
	{ "the mark of each page",
	  "SELECT COUNT(*) FROM touched t JOIN status_page_monitors s "
	  "ON s.monitor_id = t.monitor_id JOIN page_revisions r ON r.page_id = s.status_page_id "
	  "JOIN was_pages w ON w.page_id = r.page_id WHERE r.revision <= w.revision",
	  true },
	{ "the mark of each page that a notice names",
	  "SELECT COUNT(*) FROM changed c JOIN incident_pages g ON g.incident_id = c.id "
	  "JOIN page_revisions r ON r.page_id = g.status_page_id "
	  "JOIN was_pages w ON w.page_id = r.page_id WHERE r.revision <= w.revision",
	  true },
	{ "the start of each record",
	  "SELECT COUNT(*) FROM incidents i JOIN monitors m ON m.id = i.monitor_id "
	  "WHERE m.known_since IS NULL OR m.known_since > i.started_at",
	  true },
	{ "the start of each record that people began",
	  "SELECT COUNT(*) FROM incident_monitors x JOIN monitors m ON m.id = x.monitor_id "
	  "WHERE (x.has_outage = 1 OR x.lesser_impact > 0) "
	  "AND (m.known_since IS NULL OR m.known_since > x.started_at)",
	  true },
	{ "the times of each system",
	  "SELECT COUNT(*) FROM incident_monitors x JOIN incidents i ON i.id = x.incident_id "
	  "WHERE NOT (x.started_at <=> i.started_at AND x.ended_at <=> i.ended_at "
	  "AND x.acknowledged_at <=> i.acknowledged_at AND x.account_id = i.account_id)",
	  true },
	{ "one first place of each reported incident",
	  "SELECT COUNT(*) FROM incidents i WHERE i.monitor_id IS NULL AND 1 <> "
	  "(SELECT COUNT(*) FROM incident_monitors x "
	  "WHERE x.incident_id = i.id AND x.position = 0)",
	  true },
	{ "the impact of each reported incident",
	  "SELECT COUNT(*) FROM incidents i JOIN (SELECT incident_id, MAX(impact) AS worst "
	  "FROM incident_monitors WHERE monitor_id IS NOT NULL GROUP BY incident_id) x "
	  "ON x.incident_id = i.id WHERE x.worst <> i.impact",
	  true },
	{ "the month of each notice",
	  "SELECT COUNT(*) FROM incident_pages g JOIN incidents i ON i.id = g.incident_id "
	  "WHERE g.is_shown <> (g.month = DATE_FORMAT(i.started_at, '%Y-%m-01')) "
	  "OR (g.is_shown = 1 AND (g.started_at <> i.started_at OR g.ends_at <> i.ends_at))",
	  true },
	{ "no row of a removed incident",
	  "SELECT (SELECT COUNT(*) FROM incident_updates WHERE incident_id NOT IN "
	  "(SELECT id FROM incidents)) + (SELECT COUNT(*) FROM incident_pages "
	  "WHERE incident_id <> 0 AND incident_id NOT IN (SELECT id FROM incidents))",
	  true },
};

static void check_rules(uint64_t first_seed, int step, const char *name)
{
	int64_t wrong = 0;
	bool is_removal = strcmp(name, "remove") == 0;
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if ((!is_removal || rules[i].is_of_removals) &&
		    select_number("%s", rules[i].query) != 0)
			fail_msg("seed %llu, step %d, %s: %s", (unsigned long long)first_seed, step,
				 name, rules[i].what);
	assert_ok(incident_counts_check(db, &wrong, &error));
	if (wrong != 0)
		fail_msg("seed %llu, step %d, %s: counts", (unsigned long long)first_seed, step,
			 name);
}

static void whatever_writes_incidents_the_rest_agrees(void **state)
{
	static const uint64_t seeds[] = { 1, 7 };
	size_t done[ARRAY_LEN(writers)] = { 0 };
	(void)state;
	for (size_t s = 0; s < ARRAY_LEN(seeds); s++) {
		assert_int_equal(service_clear(NULL), 0);
		make_world();
		seed = seeds[s];
		for (int step = 0; step < STEPS; step++) {
			size_t which = (size_t)pick(ARRAY_LEN(writers));
			remember();
			violations.count = 0;
			enum result result = writers[which].write();
			if (result != OK && result != E_INVALID && result != E_NOT_FOUND)
				fail_msg("%s: %s", writers[which].name, error.log);
			compare();
			done[which] += select_number("SELECT COUNT(*) > 0 FROM changed") > 0;
			check_rules(seeds[s], step, writers[which].name);
			error = (struct error){ 0 };
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(writers); i++)
		if (done[i] < 3)
			fail_msg("%s has changed incidents %zu times", writers[i].name, done[i]);
}

/* A writer with a connection of its own, whose incidents it changes again and again. */
struct rival {
	struct db *db;
	struct error error;
	struct incident incidents[MONITORS];
	size_t count;
	int rounds, retries;
	bool goes_backwards;
	pthread_t thread;
};
enum { ROUNDS = 60 };

/* Changes all incidents of the rival in one transaction: ends them, or opens them again. */
static enum result rewrite(struct rival *rival, struct arena *memory)
{
	struct incident after[MONITORS];
	struct incident_change changes[MONITORS] = { 0 };
	int64_t ids[MONITORS];
	struct id_list locked = { ids, 0 };
	for (size_t i = 0; i < rival->count; i++) {
		size_t place = rival->goes_backwards ? rival->count - 1 - i : i;
		struct incident *incident = &rival->incidents[place];
		after[i] = incident_copy(incident, memory);
		after[i].ended_at = incident->ended_at.s > 0 ? (struct instant){ 0 } : at(4, 4);
		after[i].impact = incident->impact == INCIDENT_MAJOR_OUTAGE
					  ? (int)INCIDENT_DEGRADED_PERFORMANCE
					  : (int)INCIDENT_MAJOR_OUTAGE;
		if (incident->kind == INCIDENT_REPORTED)
			incident_set_impact(&after[i], after[i].impact);
		else
			ids[locked.count++] = incident->monitor_id;
		changes[i] = (struct incident_change){ .before = incident, .after = &after[i] };
	}
	struct incident_set set = { .db = rival->db,
				    .account_id = account,
				    .now = at(5, 5),
				    .error = &rival->error,
				    .rows = changes,
				    .count = rival->count };
	id_list_settle(&locked);
	enum result result = db_begin(rival->db, DB_WRITE, &rival->error);
	if (result == OK)
		result = monitors_lock(rival->db, account, &locked, memory, &rival->error);
	if (result == OK)
		result = incident_write_all(&set);
	if (result == OK)
		result = db_commit(rival->db, &rival->error);
	else
		db_rollback(rival->db);
	for (size_t i = 0; result == OK && i < rival->count; i++)
		rival->incidents[rival->goes_backwards ? rival->count - 1 - i : i] = after[i];
	return result;
}

static void *run_rival(void *argument)
{
	struct rival *rival = argument;
	struct arena memory;
	arena_init(&memory, 64 << 20);
	for (rival->rounds = 0; rival->rounds < ROUNDS; rival->rounds++) {
		enum result result = rewrite(rival, &memory);
		if (result == E_RETRY)
			rival->retries++;
		else if (result != OK)
			break;
	}
	arena_done(&memory);
	return NULL;
}

/* A stored reported incident of all monitors, in one order or the other. */
static struct incident stored_report(bool is_backwards)
{
	struct incident_resource incident;
	int64_t ids[MONITORS];
	for (int i = 0; i < MONITORS; i++)
		ids[i] = monitors[is_backwards ? MONITORS - 1 - i : i];
	const struct incident_report sent = { .title = "Reported",
					      .monitor_ids = { ids, MONITORS },
					      .impact = INCIDENT_MAJOR_OUTAGE,
					      .started_at = at(3, 0) };
	assert_ok(service_report_incident(&service, &sent, FIELD_SET_NONE, &incident));
	return incident_copy(&incident.row, &arena);
}

static void store_detected(struct rival *rival)
{
	for (int i = 0; i < MONITORS; i++) {
		struct incident *incident = &rival->incidents[rival->count++];
		*incident = (struct incident){ .account_id = account,
					       .monitor_id = monitors[i],
					       .cause = "Timeout",
					       .started_at = at(3, 0),
					       .impact = INCIDENT_MAJOR_OUTAGE };
		assert_ok(write_incident(NULL, incident, at(5, 0)));
		incident_list_monitor(incident, &arena);
	}
}

/* People end and reopen two reported incidents while monitoring changes incidents of the same
 * monitors: each waits for the others, and none has to be repeated. */
static void writers_of_the_same_monitors_wait_for_one_another(void **state)
{
	struct rival rivals[3] = { { .goes_backwards = true }, { 0 }, { 0 } };
	int64_t wrong = 0;
	(void)state;
	make_world();
	store_detected(&rivals[0]);
	for (int i = 1; i < 3; i++) {
		rivals[i].incidents[0] = stored_report(i == 2);
		rivals[i].count = 1;
	}
	for (size_t i = 0; i < ARRAY_LEN(rivals); i++) {
		rivals[i].db = database_connect();
		assert_int_equal(pthread_create(&rivals[i].thread, NULL, run_rival, &rivals[i]), 0);
	}
	for (size_t i = 0; i < ARRAY_LEN(rivals); i++) {
		assert_int_equal(pthread_join(rivals[i].thread, NULL), 0);
		db_free(rivals[i].db);
		if (rivals[i].rounds != ROUNDS || rivals[i].retries > 0)
			fail_msg("writer %zu: %d rounds, %d repeated: %s", i, rivals[i].rounds,
				 rivals[i].retries, rivals[i].error.log);
	}
	assert_ok(incident_counts_check(db, &wrong, &error));
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(whatever_writes_incidents_the_rest_agrees),
		SERVICE_TEST(writers_of_the_same_monitors_wait_for_one_another),
	};
	return RUN_ON_DATABASE(tests);
}
