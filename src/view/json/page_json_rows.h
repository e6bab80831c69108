/* The rows of the JSON documents: components, incidents, maintenances. Only for src/view. */
#ifndef VIEW_JSON_PAGE_JSON_ROWS_H
#define VIEW_JSON_PAGE_JSON_ROWS_H

#include "view/page.h"

/* A group of systems, which has a heading on the page. In /api/v2/ it is a component that lists
 * other components. */
struct page_json_group {
	const char *name;
	const char *id;
	size_t *members; /* indexes of monitors, in display order */
	size_t count;
};

/* The groups of a page's systems, and the group and position of each system. */
struct page_json_index {
	struct page_json_group *groups; /* in the order of their first systems */
	size_t group_count;
	struct page_json_place {
		const struct page_json_group *group; /* NULL: none */
		int64_t position; /* in the group, or among groups and systems without a group */
	} * places;		  /* by the index of the monitor */
	struct page_monitor_index monitors;
};

struct page_json_index *page_json_index_make(const struct page_snapshot *snapshot,
					     struct arena *arena);

/* Returns the keyword of /api/v2/ for a system's state. The keyword for an unknown state is "". */
const char *page_json_state(enum system_state state);
const char *page_json_impact(enum page_impact impact);
/* Returns the id as a string, as in the JSON of /api/v2/. */
const char *page_json_id(int64_t id, struct arena *arena);
/* Removes the closing brace of a printed object, and appends the name of a further member. */
void page_json_add_member(struct buf *out, const char *name);

/* Begins a message to a webhook: appends an object with the members "meta" and "page". The caller
 * adds the incident or window with page_json_add_member(). */
void page_json_about_message(struct buf *out, const struct page_snapshot *snapshot,
			     const char *unsubscribe, struct arena *arena);
/* Appends a system as a component. Before the first system of a group, appends the component of the
 * group. */
void page_json_component(struct buf *out, const struct page_snapshot *snapshot,
			 const struct page_json_index *index, size_t at, struct arena *arena);
/* Appends a list of those monitors that the page shows. */
void page_json_systems(struct buf *out, const struct page_snapshot *snapshot,
		       const struct page_json_index *index, const struct incident_monitor *monitors,
		       size_t count, struct arena *arena);
/* Each function appends an object. */
void page_json_incident(struct buf *out, const struct page_snapshot *snapshot,
			const struct page_json_index *index, const struct page_incident *shown,
			struct arena *arena);
void page_json_maintenance(struct buf *out, const struct page_snapshot *snapshot,
			   const struct page_json_index *index,
			   const struct page_maintenance *maintenance, struct arena *arena);

#endif
