/* Maintenance in the JSON documents, as programs read them. */
#include "unit/view/page_json_sample.h"

static void windows_are_listed_by_their_state(void **state)
{
	(void)state;
	static const struct {
		const char *document;
		const char *ids[3];
	} rows[] = {
		{ "summary", { "m7", "m8" } },
		{ "scheduled-maintenances", { "m7", "m8", "m9" } },
		{ "upcoming", { "m8" } },
		{ "active", { "m7" } },
	};
	struct page_snapshot snapshot = snapshot_of();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_object *root = read_document(&snapshot, rows[i].document);
		size_t count = 0;
		while (count < 3 && rows[i].ids[count]) {
			assert_text(root,
				    arena_printf(&arena, "scheduled_maintenances.%zu.id", count),
				    rows[i].ids[count]);
			count++;
		}
		assert_int_equal(count, length_at(root, "scheduled_maintenances"));
		json_object_put(root);
	}
}

static void a_window_has_its_times_and_updates(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	struct json_object *root = read_document(&snapshot, "scheduled-maintenances");
#define WINDOW "scheduled_maintenances.0."
	assert_text(root, WINDOW "status", "in_progress");
	assert_text(root, WINDOW "impact", "maintenance");
	assert_text(root, WINDOW "scheduled_for", "2026-11-20T11:59:10Z");
	assert_text(root, WINDOW "scheduled_until", "2026-11-20T12:08:20Z");
	assert_text(root, WINDOW "resolved_at", "null");
	assert_text(root, WINDOW "components.0.id", "11");
	assert_text(root, WINDOW "incident_updates.0.status", "in_progress");
	assert_text(root, WINDOW "incident_updates.0.affected_components.0.new_status",
		    "under_maintenance");
	assert_text(root, WINDOW "incident_updates.1.status", "scheduled");
	assert_text(root, WINDOW "incident_updates.1.body", "We replace *all* disks.");
	assert_text(root, "page.updated_at", "2026-11-20T11:59:20Z");
	/* That shape has no word for a cancelled window. */
	assert_text(root, "scheduled_maintenances.2.status", "completed");
	assert_text(root, "scheduled_maintenances.2.resolved_at", "2026-11-20T11:59:20Z");
	json_object_put(root);
}

static void the_indicator_names_maintenance_if_nothing_is_worse(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	systems[0].maintenance = &windows[0];
	struct json_object *root = read_document(&snapshot, "status");
	const char *indicator = text_at(root, "status.indicator");
	/* The state of a system in maintenance is that of domain/page/page_snapshot.c. */
	assert_string_equal(indicator, page_monitor_state(&systems[0]) == SYSTEM_UNDER_MAINTENANCE
					       ? "maintenance"
					       : "none");
	json_object_put(root);
	systems[1].open = &down.row;
	systems[1].impact = INCIDENT_MAJOR_OUTAGE;
	root = read_document(&snapshot, "status");
	assert_text(root, "status.indicator", "major");
	json_object_put(root);
}

static const char *updated_at(const struct page_snapshot *snapshot, const char *document)
{
	struct json_object *root = read_document(snapshot, document);
	const char *text = arena_strdup(&arena, text_at(root, "page.updated_at"));
	json_object_put(root);
	return text;
}

/* Through the life of a window and of an incident: announced, begun, over, and not loaded any more.
 */
static void the_time_of_a_document_never_goes_back(void **state)
{
	(void)state;
	const char *last[8] = { "", "", "", "", "", "", "", "" };
	struct page_snapshot snapshot = snapshot_of();
	snapshot.incidents = snapshot.newest = &down;
	for (int step = 0; step < 7; step++) {
		int64_t at = PAGE_JSON_NOON + step * 1000;
		snapshot.incident_count = snapshot.newest_count = step < 6;
		snapshot.maintenance_count = step < 4;
		if (step == 1 || step == 3)
			windows[0].updated_at.s = at;
		windows[0].status = step == 0  ? PHASE_SCHEDULED
				    : step < 3 ? PHASE_IN_PROGRESS
					       : PHASE_COMPLETED;
		/* As the worker notes it, and as an incident changes its system. */
		if (step == 3)
			systems[0].maintained_at.s = at;
		if (step == 5)
			down.row.updated_at.s = down.row.ended_at.s = systems[1].updated_at.s = at;
		for (size_t i = 0; i < ARRAY_LEN(last); i++) {
			const char *now = updated_at(&snapshot, page_document(i));
			if (strcmp(now, last[i]) < 0)
				fail_msg("step %d: %s was %s, and is %s", step, page_document(i),
					 last[i], now);
			last[i] = now;
		}
	}
	/* An outage is no change of the documents about maintenance. */
	assert_string_equal(updated_at(&snapshot, "active"), "2026-11-20T12:50:00Z");
	assert_string_equal(updated_at(&snapshot, "unresolved"), "2026-11-20T13:23:20Z");
}

static void a_component_has_the_time_of_its_maintenance(void **state)
{
	(void)state;
	struct page_snapshot snapshot = snapshot_of();
	systems[1].maintained_at.s = PAGE_JSON_NOON - 3;
	systems[2].maintained_at.s = PAGE_JSON_NOON - 9000;
	struct json_object *root = read_document(&snapshot, "components");
	/* Web; the group of Mail and Search; Mail; Shop, whose name changed later. */
	assert_text(root, "components.0.updated_at", "2026-11-20T11:51:40Z");
	assert_text(root, "components.1.updated_at", "2026-11-20T11:59:57Z");
	assert_text(root, "components.2.updated_at", "2026-11-20T11:59:57Z");
	assert_text(root, "components.3.updated_at", "2026-11-20T11:51:42Z");
	assert_text(root, "page.updated_at", "2026-11-20T11:59:57Z");
	json_object_put(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(windows_are_listed_by_their_state, page_json_start),
		cmocka_unit_test_setup(the_time_of_a_document_never_goes_back, page_json_start),
		cmocka_unit_test_setup(a_component_has_the_time_of_its_maintenance,
				       page_json_start),
		cmocka_unit_test_setup(a_window_has_its_times_and_updates, page_json_start),
		cmocka_unit_test_setup(the_indicator_names_maintenance_if_nothing_is_worse,
				       page_json_start),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
