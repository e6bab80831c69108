/* Everything that a page shows, at one moment. */
#ifndef DOMAIN_PAGE_SNAPSHOT_H
#define DOMAIN_PAGE_SNAPSHOT_H

#include "domain/incident.h"
#include "domain/status_page.h"
#include "domain/uptime.h"

enum {
	PAGE_RECENT_DAYS = 14,
	PAGE_DAY_INCIDENTS_MAX = 10,	 /* of a day on the page itself; its month has the rest */
	PAGE_NEWEST_MAX = 25,		 /* in feed.atom and incidents.json, whatever their age */
	PAGE_MONTHS_MAX = 240,		 /* of history, the newest */
	PAGE_MONTH_INCIDENTS_MAX = 1000, /* of a month, the newest */
	PAGE_MONTH_TEXT_MAX_BYTES = 2 << 20, /* of those, as many as say that much */
	PAGE_INTERVALS_MAX = 500000,	     /* incidents of the days of the bars */
};

struct page_monitor {
	int64_t id;
	int64_t position; /* in the page's list */
	const char *name;
	struct instant created_at;
	struct instant updated_at;   /* of the newest change of its name or state */
	struct instant known_since;  /* the start of its record; 0: no state was ever reported */
	bool is_retired;	     /* only while the view is read */
	const struct incident *open; /* its open incident; NULL: none */
	struct uptime_day days[UPTIME_DAYS];
};

/* A month (UTC) in which incidents began. */
struct page_month {
	struct instant start;
	int64_t revision; /* grows with every change of one of them */
	const char *name; /* "2026-11" */

	/* Newest first, and only for writing the month itself. */
	bool is_read;
	const struct incident **incidents;
	size_t incident_count;
	size_t total;
};

struct page_snapshot {
	struct status_page page;
	struct instant now; /* as of when */
	const char *url;    /* of the page, with a slash at its end */

	struct page_monitor *monitors; /* in display order */
	size_t monitor_count;
	size_t down_count;
	size_t no_data_count;

	/* Open ones, and those that ended in the last PAGE_RECENT_DAYS: newest first. Texts have
	 * the open ones, and PAGE_DAY_INCIDENTS_MAX of each day. */
	const struct incident **incidents;
	size_t incident_count;

	/* The newest PAGE_NEWEST_MAX by their start, whatever their age: newest first. */
	const struct incident **newest;
	size_t newest_count;

	struct page_month *months; /* newest first */
	size_t month_count;
};

/*
 * What the page calls an incident: its title, else where the page shows causes its cause,
 * behind the monitor's name; else "Checkout is down". Owned by the arena.
 */
const char *page_incident_name(const struct page_snapshot *view, const struct incident *incident,
			       struct arena *arena);

/* The states of a system, by their names in the widely read JSON, and one more. */
enum system_state { SYSTEM_NO_DATA, SYSTEM_OPERATIONAL, SYSTEM_MAJOR_OUTAGE };
enum system_state page_monitor_state(const struct page_monitor *monitor);
/* "no_data", "operational", "major_outage" */
const char *system_state_name(enum system_state state);

/*
 * When the clock makes the page wrong, though nothing changes: at midnight, when the days
 * move on, and while an incident is open after some minutes, when today's bar and the
 * percentage have changed. After `now`, and at most a day.
 */
struct instant page_snapshot_due(const struct page_snapshot *view);

/* From when on the page shows the incidents that have ended. */
struct instant page_recent_start(struct instant now);

/* "All systems operational", and so on. Owned by the arena. */
const char *page_snapshot_summary(const struct page_snapshot *view, struct arena *arena);

/*
 * How serious an outage of so many systems of the page is, in the words of the widely read
 * JSON: "critical" from half of them on, "major" from a tenth on, else "minor"; "none" for
 * no system.
 */
const char *page_snapshot_impact(const struct page_snapshot *view, size_t affected);

#endif
