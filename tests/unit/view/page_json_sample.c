#include "unit/view/page_json_sample.h"

#include "base/str.h"

enum { NOON = PAGE_JSON_NOON };

struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);

struct page_incident down = { .row = {
				      .id = 5,
				      .monitor_id = 12,
				      .monitor_name = "Mail",
				      .cause = "",
				      .impact = INCIDENT_MAJOR_OUTAGE,
				      .started_at = { NOON - 600 },
				      .updated_at = { NOON - 600 },
			      } };
struct incident_monitor covered[] = {
	{ 11, "Web", INCIDENT_PARTIAL_OUTAGE },
	{ 12, "Mail", INCIDENT_DEGRADED_PERFORMANCE },
};
struct posted_update posts[] = {
	{ 33, PHASE_MONITORING, "A fix is in place.", { NOON - 60 }, { NOON - 30 } },
	{ 32, PHASE_IDENTIFIED, "A disk is full.", { NOON - 120 }, { 0 } },
	{ 31, PHASE_INVESTIGATING, "Requests *fail*.", { NOON - 300 }, { 0 } },
};
struct page_incident reported;
struct page_monitor systems[4];
struct page_maintenance windows[3];

int page_json_start(void **state)
{
	(void)state;
	reported = (struct page_incident){ .row = {
						   .id = 7,
						   .monitor_name = "",
						   .title = "Orders fail",
						   .cause = "",
						   .kind = INCIDENT_REPORTED,
						   .phase = PHASE_MONITORING,
						   .impact = INCIDENT_PARTIAL_OUTAGE,
						   .monitors = covered,
						   .monitor_count = 2,
						   .created_at = { NOON - 290 },
						   .started_at = { NOON - 300 },
						   .updated_at = { NOON - 60 },
					   },
					   .updates = { posts, 3 } };
	memset(systems, 0, sizeof(systems));
	const char *const names[] = { "Web", "Mail", "Shop", "Search" };
	const char *const groups[] = { NULL, "Inner", NULL, "Inner" };
	for (size_t i = 0; i < 4; i++) {
		systems[i].id = 11 + (int64_t)i;
		systems[i].name = names[i];
		systems[i].group = groups[i];
		systems[i].known_since.s = NOON - 90000;
		systems[i].created_at.s = NOON - 1000 - (int64_t)i;
		systems[i].updated_at.s = NOON - 500 + (int64_t)i;
	}
	memset(windows, 0, sizeof(windows));
	for (int i = 0; i < 3; i++)
		windows[i] = (struct page_maintenance){
			.id = 7 + i,
			.title = "New disks",
			.body = "We replace *all* disks.",
			.status = i == 0   ? PHASE_IN_PROGRESS
				  : i == 1 ? PHASE_SCHEDULED
					   : PHASE_CANCELLED,
			.starts_at = { NOON + i * 100 - 50 },
			.ends_at = { NOON + i * 100 + 500 },
			.created_at = { NOON - 9000 },
			.updated_at = { NOON - 40 },
			.monitors = covered,
			.monitor_count = 1,
		};
	return 0;
}

struct page_snapshot snapshot_of(void)
{
	return (struct page_snapshot){
		.page = { .id = 3, .name = "Our page" },
		.now = { NOON },
		.url = "https://s.example/s/x/",
		.monitors = systems,
		.monitor_count = 4,
		.incidents = &reported,
		.incident_count = 1,
		.newest = &reported,
		.newest_count = 1,
		.maintenances = windows,
		.maintenance_count = 3,
	};
}

struct json_object *read_document(const struct page_snapshot *snapshot, const char *name)
{
	struct page_json_parts parts CLEANUP(page_json_parts_done) = PAGE_JSON_PARTS;
	size_t at = 0;
	while (strcmp(page_document(at), name) != 0)
		at++;
	buf_clear(&out);
	page_json(&out, snapshot, at, &parts, &arena);
	assert_true(buf_ok(&out));
	struct json_object *root = json_tokener_parse(out.data);
	assert_non_null(root);
	return root;
}

struct json_object *find(struct json_object *root, const char *path)
{
	struct str rest = str_from(path), step;
	struct json_object *at = root;
	while (str_split(&rest, '.', &step)) {
		int64_t index;
		if (str_to_int64(step, &index))
			at = json_object_array_get_idx(at, (size_t)index);
		else if (!json_object_object_get_ex(at, arena_strndup(&arena, step.data, step.len),
						    &at))
			fail_msg("%s is missing", path);
	}
	return at;
}

const char *text_at(struct json_object *root, const char *path)
{
	struct json_object *value = find(root, path);
	return value ? json_object_get_string(value) : "null";
}

size_t length_at(struct json_object *root, const char *path)
{
	return json_object_array_length(find(root, path));
}
