/*
 * All updates of an incident or a maintenance window, newest first, for the feeds and the JSON. The
 * list has the posted updates, and derived updates for a start or an end about which nobody has
 * posted an update.
 */
#ifndef VIEW_PAGE_PAGE_UPDATES_H
#define VIEW_PAGE_PAGE_UPDATES_H

#include "domain/page/page_snapshot.h"

struct page_update {
	const char *id; /* unique among the updates of the page, and permanent */
	bool is_postmortem;
	int phase; /* enum update_phase; PHASE_RESOLVED for a post-mortem */
	const char *body;
	bool is_plain; /* the body is plain text, otherwise CommonMark */
	struct instant at;
	struct instant edited_at; /* 0: never edited */
	const char *impacts;	  /* see struct posted_update */
};

struct page_update_list {
	struct page_update *rows; /* newest first; at least one */
	size_t count;
};

/*
 * Lists the updates of an incident. Derives an update for the start if the incident is detected or
 * has no posted updates. Derives an update for the end if nobody has posted one. A post-mortem is
 * the first update in the list.
 */
struct page_update_list page_incident_updates(const struct page_snapshot *snapshot,
					      const struct page_incident *shown,
					      struct arena *arena);
struct page_update_list page_maintenance_updates(const struct page_maintenance *maintenance,
						 struct arena *arena);

/* Returns the time of the last change of the incident or of one of its updates. */
struct instant page_incident_changed_at(const struct page_incident *shown);

#endif
