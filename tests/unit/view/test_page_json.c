/* The JSON documents of snapshots made by hand, as programs read them: systems and incidents. */
#include "unit/view/page_json_sample.h"

enum { NOON = PAGE_JSON_NOON };

static void a_group_is_a_component_before_its_first_system(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	systems[3].open = &down.row;
	systems[3].impact = INCIDENT_MAJOR_OUTAGE;
	struct json_object *root = read_document(&snapshot, "components");
	assert_int_equal(5, length_at(root, "components"));
	assert_text(root, "components.0.name", "Web");
	assert_text(root, "components.0.group", "false");
	assert_text(root, "components.0.group_id", "null");
	assert_text(root, "components.0.position", "1");
	assert_text(root, "components.1.name", "Inner");
	assert_text(root, "components.1.group", "true");
	assert_text(root, "components.1.components", "[ \"12\", \"14\" ]");
	assert_text(root, "components.1.position", "2");
	assert_text(root, "components.1.status", "major_outage");
	assert_text(root, "components.2.name", "Mail");
	assert_text(root, "components.2.position", "1");
	assert_text(root, "components.2.group_id", text_at(root, "components.1.id"));
	assert_text(root, "components.3.name", "Shop");
	assert_text(root, "components.3.position", "3");
	assert_text(root, "components.4.position", "2");
	assert_text(root, "components.4.start_date", "2026-11-19");
	/* The other fields of a group are those of its systems. */
	assert_text(root, "components.1.created_at", text_at(root, "components.4.created_at"));
	assert_text(root, "components.1.updated_at", text_at(root, "components.4.updated_at"));
	json_object_put(root);
}

static void a_group_without_data_has_no_state(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	systems[1].known_since.s = systems[3].known_since.s = 0;
	struct json_object *root = read_document(&snapshot, "components");
	assert_text(root, "components.1.status", "");
	assert_text(root, "components.2.status", "");
	assert_text(root, "components.2.start_date", "null");
	json_object_put(root);
}

static void ids_stay_whatever_the_address(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	struct json_object *root = read_document(&snapshot, "summary");
	snapshot.url = "https://other.example/";
	snapshot.page.slug = "other";
	snapshot.page.domain = "other.example";
	struct json_object *moved = read_document(&snapshot, "summary");
	static const char *const ids[] = {
		"page.id",
		"components.1.id",
		"incidents.0.id",
		"incidents.0.page_id",
		"incidents.0.incident_updates.2.id",
		"scheduled_maintenances.0.id",
	};
	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		assert_text(moved, ids[i], text_at(root, ids[i]));
	assert_text(moved, "incidents.0.shortlink", "https://other.example/incidents/7");
	json_object_put(root);
	json_object_put(moved);
}

static void an_incident_has_its_course(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	struct json_object *root = read_document(&snapshot, "unresolved");
	assert_text(root, "incidents.0.id", "7");
	assert_text(root, "incidents.0.status", "monitoring");
	assert_text(root, "incidents.0.created_at", "2026-11-20T11:55:10Z");
	assert_text(root, "incidents.0.started_at", "2026-11-20T11:55:00Z");
	assert_text(root, "incidents.0.updated_at", "2026-11-20T11:59:30Z");
	assert_text(root, "incidents.0.monitoring_at", "2026-11-20T11:59:00Z");
	assert_text(root, "incidents.0.resolved_at", "null");
	assert_text(root, "incidents.0.postmortem_body", "null");
	assert_text(root, "incidents.0.components.0.name", "Web");
	assert_text(root, "incidents.0.components.1.group_id",
		    text_at(root, "incidents.0.components.1.group_id"));
	assert_int_equal(3, length_at(root, "incidents.0.incident_updates"));
#define NEWEST "incidents.0.incident_updates.0."
	assert_text(root, NEWEST "id", "33");
	assert_text(root, NEWEST "incident_id", "7");
	assert_text(root, NEWEST "body", "A fix is in place.");
	assert_text(root, NEWEST "created_at", "2026-11-20T11:59:00Z");
	assert_text(root, NEWEST "display_at", "2026-11-20T11:59:00Z");
	assert_text(root, NEWEST "updated_at", "2026-11-20T11:59:30Z");
	assert_text(root, NEWEST "affected_components.0.old_status", "partial_outage");
	assert_text(root, NEWEST "affected_components.1.new_status", "degraded_performance");
#define OLDEST "incidents.0.incident_updates.2."
	assert_text(root, OLDEST "status", "investigating");
	assert_text(root, OLDEST "affected_components.0.code", "11");
	assert_text(root, OLDEST "affected_components.0.name", "Web");
	assert_text(root, OLDEST "affected_components.0.old_status", "operational");
	assert_text(root, OLDEST "affected_components.0.new_status", "partial_outage");
	json_object_put(root);
}

/* "11 old new, 12 old new" of the update, 0 being the newest. */
static const char *changes_of(struct json_object *root, int update)
{
	const char *text = "";
	const char *list =
		arena_printf(&arena, "incidents.0.incident_updates.%d.affected_components", update);
	for (size_t i = 0; i < length_at(root, list); i++) {
		const char *row = arena_printf(&arena, "%s.%zu.", list, i);
		text = arena_printf(&arena, "%s%s%s %s %s", text, i > 0 ? ", " : "",
				    text_at(root, arena_printf(&arena, "%scode", row)),
				    text_at(root, arena_printf(&arena, "%sold_status", row)),
				    text_at(root, arena_printf(&arena, "%snew_status", row)));
	}
	return text;
}

static void an_update_tells_what_it_changed(void **state)
{
	(void)state;
	static const struct {
		const char *oldest, *middle, *newest; /* as they are stored */
		int phase;			      /* of the one in the middle */
		const char *told[3];		      /* newest first */
	} rows[] = {
		/* The second update added a system. A system of another page is not shown. */
		{ "11:0:2",
		  "11:2:3,12:0:1,999:0:3",
		  "11:3:2,12:1:1,999:3:3",
		  PHASE_IDENTIFIED,
		  { "11 major_outage partial_outage, 12 degraded_performance degraded_performance",
		    "11 partial_outage major_outage, 12 operational degraded_performance",
		    "11 operational partial_outage" } },
		/* Of an update of an older version only what the next one found is known. */
		{ NULL,
		  NULL,
		  "11:3:2,12:0:1",
		  PHASE_IDENTIFIED,
		  { "11 major_outage partial_outage, 12 operational degraded_performance",
		    "11 major_outage major_outage, 12 operational operational",
		    "11 operational major_outage, 12 operational operational" } },
		/* An update that ends the incident leaves all systems operational. */
		{ "11:0:3,12:0:3",
		  "11:3:3,12:3:3",
		  "11:3:2,12:3:1",
		  PHASE_RESOLVED,
		  { "11 operational partial_outage, 12 operational degraded_performance",
		    "11 major_outage operational, 12 major_outage operational",
		    "11 operational major_outage, 12 operational major_outage" } },
		/* No texts of ours. */
		{ "x",
		  "11:9:1",
		  "11:1",
		  PHASE_IDENTIFIED,
		  { "11 partial_outage partial_outage, 12 degraded_performance "
		    "degraded_performance",
		    "11 partial_outage partial_outage, 12 degraded_performance "
		    "degraded_performance",
		    "11 operational partial_outage, 12 operational degraded_performance" } },
	};
	struct page_snapshot snapshot = snapshot_of();
	struct posted_update before[3];
	memcpy(before, posts, sizeof(before));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		posts[0].impacts = rows[i].newest;
		posts[1].impacts = rows[i].middle;
		posts[1].phase = rows[i].phase;
		posts[2].impacts = rows[i].oldest;
		struct json_object *root = read_document(&snapshot, "unresolved");
		for (int at = 0; at < 3; at++)
			assert_string_equal(rows[i].told[at], changes_of(root, at));
		json_object_put(root);
	}
	memcpy(posts, before, sizeof(before));
}

static void an_end_and_a_post_mortem_are_updates(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	reported.row.ended_at.s = NOON - 10;
	reported.row.updated_at.s = NOON - 5;
	struct json_object *root = read_document(&snapshot, "incidents");
	assert_text(root, "incidents.0.status", "resolved");
	assert_text(root, "incidents.0.resolved_at", "2026-11-20T11:59:50Z");
	assert_int_equal(4, length_at(root, "incidents.0.incident_updates"));
	assert_text(root, NEWEST "id", "7-resolved");
	assert_text(root, NEWEST "affected_components.0.old_status", "partial_outage");
	assert_text(root, NEWEST "affected_components.0.new_status", "operational");
	json_object_put(root);
	reported.row.postmortem = "# What we learnt";
	root = read_document(&snapshot, "incidents");
	assert_text(root, "incidents.0.status", "postmortem");
	assert_text(root, "incidents.0.postmortem_body", "# What we learnt");
	assert_text(root, "incidents.0.postmortem_published_at", "2026-11-20T11:59:55Z");
	assert_text(root, NEWEST "status", "postmortem");
	assert_text(root, NEWEST "body", "# What we learnt");
	assert_text(root, "incidents.0.incident_updates.1.status", "resolved");
	json_object_put(root);
	root = read_document(&snapshot, "unresolved");
	assert_int_equal(0, length_at(root, "incidents"));
	json_object_put(root);
	/* An end that was posted is not derived again. */
	posts[0].phase = PHASE_RESOLVED;
	reported.row.postmortem = NULL;
	root = read_document(&snapshot, "incidents");
	assert_text(root, NEWEST "id", "33");
	assert_int_equal(3, length_at(root, "incidents.0.incident_updates"));
	json_object_put(root);
	posts[0].phase = PHASE_MONITORING;
}

static void a_detected_incident_is_told_from_its_times(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	struct page_incident detected = down;
	snapshot.incidents = snapshot.newest = &detected;
	struct json_object *root = read_document(&snapshot, "incidents");
	assert_text(root, "incidents.0.name", "Mail is down");
	assert_text(root, "incidents.0.status", "investigating");
	assert_text(root, NEWEST "id", "5-started");
	assert_text(root, NEWEST "body", "Mail is down");
	assert_text(root, NEWEST "affected_components.0.code", "12");
	assert_text(root, NEWEST "affected_components.0.new_status", "major_outage");
	assert_text(root, "incidents.0.components.0.name", "Mail");
	json_object_put(root);
	detected.row.acknowledged_at.s = NOON - 500;
	detected.row.comment = "We are on it.";
	root = read_document(&snapshot, "incidents");
	assert_text(root, "incidents.0.status", "investigating");
	assert_text(root, NEWEST "body", "We are on it.");
	json_object_put(root);
	detected.row.ended_at.s = NOON - 100;
	root = read_document(&snapshot, "incidents");
	assert_text(root, "incidents.0.status", "resolved");
	assert_text(root, NEWEST "body", "We are on it.");
	assert_text(root, "incidents.0.incident_updates.1.body", "Mail was down");
	json_object_put(root);
}

static void an_incident_inside_another_is_no_row(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	struct page_incident both[] = { reported, down };
	both[1].inside = &both[0];
	snapshot.incidents = snapshot.newest = both;
	snapshot.incident_count = snapshot.newest_count = 2;
	static const char *const names[] = { "summary", "incidents", "unresolved" };
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct json_object *root = read_document(&snapshot, names[i]);
		assert_int_equal(1, length_at(root, "incidents"));
		assert_text(root, "incidents.0.id", "7");
		json_object_put(root);
	}
}

/* People say less than monitoring has found: the worse holds while that is open. */
static void the_impact_is_the_worse_of_what_is_open(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	struct page_incident both[] = { reported, down };
	both[0].row.ended_at.s = 0;
	both[0].row.impact = INCIDENT_DEGRADED_PERFORMANCE;
	both[1].row.impact = INCIDENT_MAJOR_OUTAGE;
	both[1].inside = &both[0];
	both[1].row.monitor_id = both[0].row.monitors[0].id;
	snapshot.incidents = snapshot.newest = both;
	snapshot.incident_count = snapshot.newest_count = 2;
	struct json_object *root = read_document(&snapshot, "unresolved");
	assert_text(root, "incidents.0.impact", "critical");
	json_object_put(root);
	both[1].row.ended_at = snapshot.now;
	root = read_document(&snapshot, "unresolved");
	assert_text(root, "incidents.0.impact", "minor");
	json_object_put(root);
}

static void the_impact_follows_from_the_systems(void **state)
{
	(void)state;
	static const struct {
		int impact;
		size_t covered, systems;
		const char *name;
	} rows[] = {
		{ INCIDENT_IMPACT_NONE, 2, 4, "none" },
		{ INCIDENT_DEGRADED_PERFORMANCE, 2, 4, "minor" },
		{ INCIDENT_PARTIAL_OUTAGE, 2, 4, "major" },
		{ INCIDENT_MAJOR_OUTAGE, 2, 4, "critical" },
		{ INCIDENT_MAJOR_OUTAGE, 1, 4, "major" },
		{ INCIDENT_MAJOR_OUTAGE, 0, 4, "minor" },
		{ INCIDENT_IMPACT_NONE, 0, 0, "none" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page_snapshot snapshot = snapshot_of();
		reported.row.impact = rows[i].impact;
		reported.row.monitor_count = rows[i].covered;
		snapshot.monitor_count = rows[i].systems;
		struct json_object *root = read_document(&snapshot, "incidents");
		assert_text(root, "incidents.0.impact", rows[i].name);
		json_object_put(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_group_is_a_component_before_its_first_system,
				       page_json_start),
		cmocka_unit_test_setup(a_group_without_data_has_no_state, page_json_start),
		cmocka_unit_test_setup(ids_stay_whatever_the_address, page_json_start),
		cmocka_unit_test_setup(an_incident_has_its_course, page_json_start),
		cmocka_unit_test_setup(an_update_tells_what_it_changed, page_json_start),
		cmocka_unit_test_setup(an_end_and_a_post_mortem_are_updates, page_json_start),
		cmocka_unit_test_setup(a_detected_incident_is_told_from_its_times, page_json_start),
		cmocka_unit_test_setup(an_incident_inside_another_is_no_row, page_json_start),
		cmocka_unit_test_setup(the_impact_is_the_worse_of_what_is_open, page_json_start),
		cmocka_unit_test_setup(the_impact_follows_from_the_systems, page_json_start),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
