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
	/* The state of a system in maintenance is that of domain/page_snapshot.c. */
	assert_string_equal(indicator, page_monitor_state(&systems[0]) == SYSTEM_UNDER_MAINTENANCE
					       ? "maintenance"
					       : "none");
	json_object_put(root);
	systems[1].open = &down;
	systems[1].impact = INCIDENT_MAJOR_OUTAGE;
	root = read_document(&snapshot, "status");
	assert_text(root, "status.indicator", "major");
	json_object_put(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(windows_are_listed_by_their_state, page_json_start),
		cmocka_unit_test_setup(a_window_has_its_times_and_updates, page_json_start),
		cmocka_unit_test_setup(the_indicator_names_maintenance_if_nothing_is_worse,
				       page_json_start),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
