/*
 * The data of a page, as of one moment: an array for each kind of row that store/ loads, and the
 * values that page_snapshot_derive() derives from the rows.
 */
#ifndef DOMAIN_PAGE_SNAPSHOT_H
#define DOMAIN_PAGE_SNAPSHOT_H

#include "domain/image.h"
#include "domain/incident.h"
#include "domain/response_time.h"
#include "domain/status_page.h"
#include "domain/uptime.h"

enum {
	PAGE_RECENT_DAYS = 14,
	PAGE_DAY_INCIDENTS_MAX = 10, /* of a day on the page itself; its month has the rest */
	PAGE_NEWEST_MAX = 25,	     /* in feed.atom and incidents.json, besides open incidents */
	PAGE_MONTHS_MAX = 240,	     /* of history, the newest */
	PAGE_MONTH_IDS_MAX = 80,     /* incidents of the current month that are looked up by id */
	PAGE_MONTH_INCIDENTS_MAX = 1000, /* of a month, the newest */
	PAGE_MONTH_EARLIER_MAX = 100,	 /* of earlier months that go on in the month, the newest */
	PAGE_MONTH_TEXT_MAX_BYTES = 1 << 20, /* texts of the incidents of a month's page */
	PAGE_OUTAGES_MAX = 500000,	     /* incidents in the days of the bars */
	PAGE_RESPONSE_HOURS = 24,	     /* whole hours of response times, the last */
	PAGE_RESPONSE_DELAY_S = 30,	     /* behind an hour until the checker has stored it */
	PAGE_GAPS_MAX = 500000,		     /* in the days of the bars */
	PAGE_MAINTENANCES_MAX = 300,	     /* occurrences with texts: the next, and the newest */
	PAGE_MONTH_MAINTENANCES_MAX = 1000,  /* of a month, the newest */
	PAGE_WINDOWS_MAX = 100000,	     /* occurrences in the days of the bars, and ahead */
	PAGE_MONITORS_MAX = 20000, /* rows: STATUS_PAGE_MONITORS_MAX, and retired monitors */
};

/* An incident as a page shows it. */
struct page_incident {
	struct incident row; /* with the monitors that the page shows, without lists of ids */
	struct posted_updates updates;
	size_t update_total; /* with the updates that are too old for the page */
	/* The reported incident that a detected one is shown inside; NULL: beside. */
	const struct page_incident *inside;
	/* The window of a month that excuses all of a detected incident; NULL: none. */
	const struct page_maintenance *during;
	bool lacks_texts; /* not read: the page only counts the incident, or has its times */
};

struct page_monitor {
	int64_t id;
	int64_t position; /* in the page's list */
	const char *name;
	const char *group;	 /* the heading that it is shown under; NULL: none */
	const char *description; /* NULL: none */
	struct instant created_at;
	struct instant updated_at; /* of the newest change of its name or state */
	/* The newest begin or end of maintenance, or change of a window; 0: unknown. Derived from
	 * windows that the clock has moved. */
	struct instant maintained_at;
	struct instant known_since; /* the start of its record; 0: no state was ever observed */
	bool is_retired;	    /* true only before page_snapshot_derive() */

	/* Derived. */
	const struct incident *open; /* its open incident of the worst impact; NULL: no open
					incident has an impact */
	int impact;   /* enum incident_impact: the impact of `open` on this monitor */
	bool is_down; /* the time counts as down now: see uptime_is_down() */
	struct instant unobserved_since; /* the start of the gap that goes on; 0: none does */
	const struct page_maintenance *maintenance; /* in progress; NULL: none */
	struct uptime_day days[UPTIME_DAYS];
};

/* A maintenance window that the page shows (contract section 12). */
struct page_maintenance {
	int64_t id;	   /* of the occurrence: unique and permanent */
	int64_t window_id; /* the id of the maintenance in the API */
	const char *title;
	const char *body; /* CommonMark; NULL: none */
	int status;	  /* enum update_phase, from PHASE_SCHEDULED on */
	struct instant starts_at;
	struct instant ends_at;
	struct instant created_at;
	struct instant updated_at;
	int64_t sequence;  /* changes of the window since it was made: SEQUENCE of RFC 5545 */
	bool is_auto;	   /* the clock starts and ends it */
	bool is_withdrawn; /* deleted, or dropped by its rule */
	bool is_off_ahead; /* derived: cancelled, and its time is to come */
	struct incident_monitor
		*monitors; /* the monitors that the page shows; impact is not used */
	size_t monitor_count;
	struct posted_update *updates; /* newest first */
	size_t update_count;
};

/* An occurrence of a window, as far as the days of the bars need it. */
struct page_window {
	int64_t maintenance_id;
	struct uptime_interval interval; /* `to` 0: in progress, and nobody knows until when */
};
struct page_window_monitor {
	int64_t monitor_id;
	int64_t maintenance_id;
};
/* When which monitors were in maintenance. */
struct page_windows {
	struct page_window *rows; /* in progress or completed; by maintenance_id and start */
	size_t count;
	struct page_window_monitor *monitors; /* by monitor_id and maintenance_id */
	size_t monitor_count;
};

/* The time of an impact on a monitor in the days of the bars. */
struct page_outage {
	int64_t monitor_id;
	struct uptime_interval interval;
	bool is_reported;	 /* by people, and not by monitoring */
	bool is_rest;		 /* follows another interval of its incident without a gap */
	struct instant began_at; /* its incident, if that was earlier; 0: it was not */
};

/* A time in the days of the bars in which the monitor was not observed. */
struct page_gap {
	int64_t monitor_id;
	struct uptime_interval interval; /* is_gap; `to` 0: it goes on */
};

/* A month (UTC) in which incidents began or went on, or that had maintenance. */
struct page_month {
	struct instant start;
	int64_t revision; /* grows with every change of its incidents or windows */
	const char *name; /* "2026-11" */

	/* Newest first; loaded only to write the page of the month. */
	bool is_read;
	struct page_incident *incidents;
	size_t incident_count;
	size_t total; /* of the month; the page of the month shows incident_count of them */
	/* Last in `incidents`: incidents that began before the month and go on in it. */
	size_t earlier_count;
	/* In progress, completed or cancelled, in the month; newest first. */
	struct page_maintenance *maintenances;
	size_t maintenance_count;
};

struct page_snapshot {
	struct status_page page;
	struct instant now;		       /* the moment of the snapshot */
	struct uptime_calendar calendar;       /* by `now` and the page's zone */
	struct instant month_start, month_end; /* of the current month, in UTC as all months */
	const char *url;		       /* of the page, with a slash at its end */
	/* The sizes of its pictures, when it is published; width 0: not known. */
	struct image logo, logo_dark, favicon;

	struct id_list monitor_ids; /* of all monitors, with retired monitors; in display order */
	struct page_monitor *monitors; /* in display order */
	size_t monitor_count;
	size_t down_count;    /* derived: with an open incident of any impact */
	size_t no_data_count; /* derived */

	struct page_outage *outages; /* in any order */
	size_t outage_count;

	struct page_gap *gaps; /* in any order */
	size_t gap_count;

	bool has_response_times; /* the page shows them */
	/* By monitor and hour, also of other pages' monitors. */
	struct response_time *response_times;
	size_t response_time_count;

	/* The open incidents and those that ended in the last PAGE_RECENT_DAYS. Open incidents and
	 * the first PAGE_DAY_INCIDENTS_MAX of each day have texts; other incidents have an empty
	 * cause and no texts. A reported incident is a single row, with all its monitors. Newest
	 * first once derived. */
	struct page_incident *incidents;
	size_t incident_count;

	/* The newest PAGE_NEWEST_MAX by their start, whatever their age. Once derived also all open
	 * incidents, and newest first. */
	struct page_incident *newest;
	size_t newest_count;

	/* Some incidents lack their updates: the updates of other incidents left no room. */
	bool lacks_updates;

	/* The incidents that began in the current month, in any order: all of them, unless there
	 * are more than PAGE_MONTH_IDS_MAX. */
	struct id_list month_ids;

	/* In progress, then scheduled (the next first), then over in the last PAGE_RECENT_DAYS
	 * (the newest first). Of a recurring window each occurrence is a row. */
	struct page_maintenance *maintenances;
	size_t maintenance_count;
	/* Cancelled or deleted in the last MAINTENANCE_CANCELLED_DAYS, and cancelled before pages
	 * announced it: for calendars alone. */
	struct page_maintenance *withdrawn;
	size_t withdrawn_count;
	bool has_maintenance; /* there is, or was, a window of a monitor of the page */

	struct page_windows windows;

	struct page_month *months; /* newest first */
	size_t month_count;
	bool has_earlier; /* an incident of an earlier month goes on in the current one */

	/* When a file goes that the page has replaced; 0: there is none. Known once it is
	 * published. */
	struct instant replaced_until;

	struct page_texts_kept *kept_texts; /* of view/page_markdown.c; NULL: none are kept */
};

/* The first moment after the month. */
struct instant page_month_end(const struct page_month *month);
/* Whether the incident began before the month, and goes on in it, as far as is known at `now`. */
bool page_month_has_earlier(const struct page_month *month, const struct incident *incident,
			    struct instant now);

/* Sets the calendar and the current month, which loaders need; page_snapshot_derive() does it
 * otherwise. */
void page_snapshot_set_calendar(struct page_snapshot *snapshot);

/*
 * Sorts the incidents, and derives from the loaded arrays each monitor's days and open incident,
 * the counts, the names of the incidents' monitors, and which incidents are shown inside others.
 * Retired monitors leave `monitors`: they are
 * no systems of the page, but their incidents stay. Scratch memory comes from the arena.
 */
void page_snapshot_derive(struct page_snapshot *snapshot, struct arena *arena);

/* Newest first. */
void page_incidents_sort(struct page_incident *incidents, size_t count);

/*
 * Sets `inside` of each detected incident to the newest reported incident of its monitor that
 * overlaps with it. The rows have their final places.
 */
void page_incidents_nest(struct page_incident *incidents, size_t count, struct arena *arena);

/* The end of the last hour whose response times pages show. */
struct instant page_response_end(struct instant now);

enum system_state {
	SYSTEM_NO_DATA,
	SYSTEM_OPERATIONAL,
	SYSTEM_UNDER_MAINTENANCE,
	SYSTEM_DEGRADED_PERFORMANCE,
	SYSTEM_PARTIAL_OUTAGE,
	SYSTEM_MAJOR_OUTAGE
};
enum system_state page_monitor_state(const struct page_monitor *monitor);

/* The newest change of the system on the page, with its maintenance. */
struct instant page_monitor_changed_at(const struct page_monitor *monitor);

/* How serious it is that so many systems of the page are down: critical from half of them on,
 * major from a tenth on. */
enum page_impact { IMPACT_NONE, IMPACT_MINOR, IMPACT_MAJOR, IMPACT_CRITICAL };
enum page_impact page_snapshot_impact(const struct page_snapshot *snapshot, size_t affected);

/*
 * The time at which the files of the page go stale without a change of rows: at midnight in the
 * page's zone, when a percentage or a bar changes, after each hour if the page shows response
 * times, some minutes later while an incident is open, when a promised update is overdue, and when
 * a replaced file is to be deleted. After `now`, and at most a day.
 */
struct instant page_snapshot_due(const struct page_snapshot *snapshot);

/*
 * Whether the incident touches the time from `from` to before `to`; an incident of no length
 * touches the time of its start. An open incident touches all time up to `now`, and `now` itself
 * even if the clock was set back to before its start.
 */
bool page_incident_touches(const struct incident *incident, struct instant from, struct instant to,
			   struct instant now);

/* The page shows the resolved incidents that ended at this moment or later. */
struct instant page_recent_start(const struct page_snapshot *snapshot);

#endif
