#include "view/json/page_json_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/secret.h"
#include "wire/json.h"

/* The keywords of /api/v2/ for the states of systems. */
static const char *const state_names[] = {
	[SYSTEM_NO_DATA] = "",
	[SYSTEM_OPERATIONAL] = "operational",
	[SYSTEM_UNDER_MAINTENANCE] = "under_maintenance",
	[SYSTEM_DEGRADED_PERFORMANCE] = "degraded_performance",
	[SYSTEM_PARTIAL_OUTAGE] = "partial_outage",
	[SYSTEM_MAJOR_OUTAGE] = "major_outage",
};
const char *page_json_id(int64_t id, struct arena *arena)
{
	return arena_printf(arena, "%lld", (long long)id);
}

void page_json_add_member(struct buf *out, const char *name)
{
	if (buf_ok(out))
		out->len--;
	buf_printf(out, ",\"%s\":", name);
}

const char *page_json_state(enum system_state state)
{
	return state_names[state];
}

static int by_group(const void *a, const void *b)
{
	const struct page_monitor *const *left = a, *const *right = b;
	int order = strcmp((*left)->group, (*right)->group);
	/* Keeps the display order within a group, which is the order in memory. */
	return order != 0 ? order : (*left > *right) - (*left < *right);
}

static int by_first_member(const void *a, const void *b)
{
	const struct page_json_group *left = a, *right = b;
	return (left->members[0] > right->members[0]) - (left->members[0] < right->members[0]);
}

/* Returns the id of a group. The id is made from the group's name, and changes with the name. */
static const char *group_id(const struct page_snapshot *snapshot, const char *name,
			    struct arena *arena)
{
	enum { DIGITS = 12 };
	const char *text = arena_printf(arena, "group %lld %s", (long long)snapshot->page.id, name);
	return arena_printf(arena, "g%s", secret_hash_hex(arena, text, strlen(text), DIGITS));
}

static void make_groups(struct page_json_index *index, const struct page_snapshot *snapshot,
			struct arena *arena)
{
	size_t count = 0, total = snapshot->monitor_count;
	const struct page_monitor **grouped =
		ARENA_ARRAY(arena, total, const struct page_monitor *);
	size_t *members = ARENA_ARRAY(arena, total, size_t);
	for (size_t i = 0; i < total; i++)
		if (snapshot->monitors[i].group)
			grouped[count++] = &snapshot->monitors[i];
	if (count == 0)
		return;
	qsort(grouped, count, sizeof(const struct page_monitor *), by_group);
	index->groups = ARENA_ARRAY(arena, count, struct page_json_group);
	for (size_t i = 0; i < count; i++) {
		members[i] = (size_t)(grouped[i] - snapshot->monitors);
		if (i == 0 || strcmp(grouped[i - 1]->group, grouped[i]->group) != 0)
			index->groups[index->group_count++] = (struct page_json_group){
				.name = grouped[i]->group,
				.id = group_id(snapshot, grouped[i]->group, arena),
				.members = &members[i],
			};
		index->groups[index->group_count - 1].count++;
	}
	qsort(index->groups, index->group_count, sizeof(*index->groups), by_first_member);
	for (size_t i = 0; i < index->group_count; i++)
		for (size_t j = 0; j < index->groups[i].count; j++)
			index->places[index->groups[i].members[j]] =
				(struct page_json_place){ &index->groups[i], (int64_t)j + 1 };
}

struct page_json_index *page_json_index_make(const struct page_snapshot *snapshot,
					     struct arena *arena)
{
	struct page_json_index *index = ARENA_ARRAY(arena, 1, struct page_json_index);
	size_t total = snapshot->monitor_count;
	int64_t position = 1;
	index->places = ARENA_ARRAY(arena, total, struct page_json_place);
	index->monitors = page_monitor_index_of(snapshot, arena);
	make_groups(index, snapshot, arena);
	for (size_t i = 0; i < total; i++) {
		struct page_json_place *place = &index->places[i];
		if (!place->group)
			place->position = position++;
		else if (place->group->members[0] == i)
			position++; /* the group takes a position */
	}
	return index;
}

struct component {
	const char *id, *name, *status;
	struct instant created_at, updated_at;
	const char *start_date; /* 2026-11-20 */
	int64_t position;
	const char *description, *group_id;
	bool showcase, group, only_show_if_degraded;
	const char *page_id;
};

#define ROW(member) FIELD(struct component, member)
static const struct field component_rows[] = {
	ROW(id),	 ROW(name),	  ROW(status),	 ROW(created_at),
	ROW(updated_at), ROW(start_date), ROW(position), ROW(description),
	ROW(showcase),	 ROW(group_id),	  ROW(group),	 ROW(only_show_if_degraded),
	ROW(page_id),
};
#undef ROW

/* Returns the date on which the system's history begins, in the page's time zone; NULL: unknown. */
static const char *start_date(const struct page_snapshot *snapshot,
			      const struct page_monitor *monitor, struct arena *arena)
{
	if (monitor->known_since.s == 0)
		return NULL;
	struct local_time date =
		zone_local(status_page_zone(&snapshot->page), monitor->known_since);
	return arena_printf(arena, "%04d-%02d-%02d", date.year, date.month, date.day);
}

static void print_system(struct buf *out, const struct page_snapshot *snapshot,
			 const struct page_json_index *index, size_t at, struct arena *arena)
{
	const struct page_monitor *monitor = &snapshot->monitors[at];
	const struct page_json_place *place = &index->places[at];
	const struct component row = {
		.id = page_json_id(monitor->id, arena),
		.name = monitor->name,
		.status = page_json_state(page_monitor_state(monitor)),
		.created_at = monitor->created_at,
		.updated_at = page_monitor_changed_at(monitor),
		.start_date = start_date(snapshot, monitor, arena),
		.position = place->position,
		.description = monitor->description,
		.group_id = place->group ? place->group->id : NULL,
		.showcase = true,
		.page_id = page_json_id(snapshot->page.id, arena),
	};
	json_print_fields(out, FIELDS(component_rows), &row);
}

/* Returns the position of the group among the other groups and the systems without a group. */
static int64_t group_position(const struct page_json_index *index,
			      const struct page_json_group *group)
{
	size_t first = group->members[0];
	int64_t position = 1;
	for (size_t i = 0; i < first; i++)
		position += !index->places[i].group || index->places[i].group->members[0] == i;
	return position;
}

/* The state of a group is the worst state of its systems. */
static void print_group(struct buf *out, const struct page_snapshot *snapshot,
			const struct page_json_index *index, const struct page_json_group *group,
			struct arena *arena)
{
	const struct page_monitor *first = &snapshot->monitors[group->members[0]];
	enum system_state worst = SYSTEM_NO_DATA;
	struct component row = {
		.id = group->id,
		.name = group->name,
		.created_at = first->created_at,
		.updated_at = page_monitor_changed_at(first),
		.position = group_position(index, group),
		.group = true,
		.page_id = page_json_id(snapshot->page.id, arena),
	};
	for (size_t i = 0; i < group->count; i++) {
		const struct page_monitor *monitor = &snapshot->monitors[group->members[i]];
		enum system_state state = page_monitor_state(monitor);
		worst = state > worst ? state : worst;
		if (monitor->created_at.s < row.created_at.s)
			row.created_at = monitor->created_at;
		if (page_monitor_changed_at(monitor).s > row.updated_at.s)
			row.updated_at = page_monitor_changed_at(monitor);
	}
	row.status = page_json_state(worst);
	json_print_fields(out, FIELDS(component_rows), &row);
	page_json_add_member(out, "components");
	for (size_t i = 0; i < group->count; i++)
		buf_printf(out, "%s\"%lld\"", i == 0 ? "[" : ",",
			   (long long)snapshot->monitors[group->members[i]].id);
	buf_puts(out, "]}");
}

void page_json_component(struct buf *out, const struct page_snapshot *snapshot,
			 const struct page_json_index *index, size_t at, struct arena *arena)
{
	const struct page_json_group *group = index->places[at].group;
	if (group && group->members[0] == at) {
		print_group(out, snapshot, index, group, arena);
		buf_putc(out, ',');
	}
	print_system(out, snapshot, index, at, arena);
}

void page_json_systems(struct buf *out, const struct page_snapshot *snapshot,
		       const struct page_json_index *index, const struct incident_monitor *monitors,
		       size_t count, struct arena *arena)
{
	bool is_first = true;
	buf_putc(out, '[');
	for (size_t i = 0; i < count; i++) {
		const struct page_monitor *found =
			page_monitor_find(&index->monitors, monitors[i].id);
		if (!found)
			continue;
		if (!is_first)
			buf_putc(out, ',');
		is_first = false;
		print_system(out, snapshot, index, (size_t)(found - snapshot->monitors), arena);
	}
	buf_putc(out, ']');
}
