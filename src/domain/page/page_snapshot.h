/*
 * The data of a page at one moment: the rows that store/ loads, and the values that
 * page_snapshot_derive() computes from them.
 */
#ifndef DOMAIN_PAGE_PAGE_SNAPSHOT_H
#define DOMAIN_PAGE_PAGE_SNAPSHOT_H

#include "domain/page/image.h"
#include "domain/incident/incident.h"
#include "domain/monitor/response_time.h"
#include "domain/page/status_page.h"
#include "domain/page/uptime.h"

enum {
	PAGE_RECENT_DAYS = 14,
	/* The most incidents of a day that the page itself shows. The page of the month also shows
	 * the rest. */
	PAGE_DAY_INCIDENTS_MAX = 10,
	PAGE_NEWEST_MAX = 25,		 /* the most incidents in the feeds; open ones are added */
	PAGE_MONTHS_MAX = 240,		 /* the most months of history (the newest) */
	PAGE_MONTH_IDS_MAX = 80,	 /* the most incidents of this month to look up by id */
	PAGE_MONTH_INCIDENTS_MAX = 1000, /* the most incidents of a month (the newest) */
	PAGE_MONTH_EARLIER_MAX = 100,	 /* the most incidents from before a month (the newest) */
	PAGE_MONTH_TEXT_MAX_BYTES = 1 << 20, /* the most bytes of texts on a month's page */
	PAGE_OUTAGES_MAX = 500000,	     /* the most incidents in the days of the bars */
	PAGE_RESPONSE_HOURS = 24,	     /* how many full hours of response times a page has */
	PAGE_RESPONSE_DELAY_S = 30,  /* an hour is stored within so many seconds after its end */
	PAGE_GAPS_MAX = 500000,	     /* the most gaps in the days of the bars */
	PAGE_MAINTENANCES_MAX = 300, /* the most occurrences on a page, with texts */
	PAGE_MONTH_MAINTENANCES_MAX = 1000, /* the most occurrences of a month (the newest) */
	PAGE_WINDOWS_MAX = 100000, /* the most occurrences: planned, or in the days of the bars */
	PAGE_REPORTS_MAX = 120,	   /* the most months with reports (the newest) */
	PAGE_MONITORS_MAX = 20000, /* the most monitors of a page, with the retired ones */
};

/* An incident as a page shows it. */
struct page_incident {
	struct incident row; /* has only the page's monitors, and no lists of ids */
	struct posted_updates updates;
	size_t update_total; /* includes the updates that are too old for the page */
	/*
	 * Of a detected incident: the reported incident inside which the page shows it. NULL: none.
	 */
	const struct page_incident *inside;
	/* On the page of a month: the window that excuses the whole detected incident; NULL:
	 * none. */
	const struct page_maintenance *during;
	bool lacks_texts; /* its texts were not read: the page only counts the incident, or uses its
			     times */
};

struct page_monitor {
	int64_t id;
	int64_t position; /* the system's position in the page's list */
	const char *name;
	const char *group;	 /* the heading above the system; NULL: none */
	const char *description; /* NULL: none */
	struct instant created_at;
	struct instant updated_at; /* when its name or state last changed */
	/* When maintenance of the monitor last began or ended, or one of its windows last changed;
	 * 0: unknown. page_snapshot_derive() adds starts and ends that follow from the clock. */
	struct instant maintained_at;
	struct instant known_since; /* the start of its record; 0: no state was ever observed */
	bool is_retired;	    /* page_snapshot_derive() removes retired monitors */

	/* page_snapshot_derive() sets the members from here on. */
	/* The open incident with the worst impact; NULL: no open incident has an impact. */
	const struct incident *open;
	int impact; /* enum incident_impact: the impact of `open` on the monitor */
	/* The monitor is down now, and this counts against uptime: see uptime_is_down(). */
	bool is_down;
	struct instant unobserved_since;	    /* the start of the present gap; 0: no gap */
	const struct page_maintenance *maintenance; /* the occurrence in progress; NULL: none */
	struct uptime_day days[UPTIME_DAYS];
};

/* An occurrence of a maintenance window on the page (contract section 12). */
struct page_maintenance {
	int64_t id;	   /* the id of the occurrence: unique and permanent */
	int64_t window_id; /* the id of the maintenance in the API */
	const char *title;
	const char *body; /* CommonMark; NULL: none */
	int status;	  /* enum update_phase, from PHASE_SCHEDULED on */
	struct instant starts_at;
	struct instant ends_at;
	struct instant created_at;
	struct instant updated_at;
	int64_t sequence;  /* the number of changes of the window: SEQUENCE of RFC 5545 */
	bool is_auto;	   /* the clock starts and ends it */
	bool is_withdrawn; /* the window was deleted, or its rule no longer has the occurrence */
	bool is_off_ahead; /* derived: cancelled, and its planned start is still ahead */
	struct incident_monitor *monitors; /* the page's monitors; impact is not used */
	size_t monitor_count;
	struct posted_update *updates; /* newest first */
	size_t update_count;
};

/* An occurrence of a window, with only the data that the days of the bars need. */
struct page_window {
	int64_t maintenance_id;
	struct uptime_interval interval; /* `to` is 0: in progress, with unknown end */
	int64_t id;			 /* the id of the occurrence */
	const char *title;
	struct instant ends_at; /* the planned end, if the end is unknown */
};
struct page_window_monitor {
	int64_t monitor_id;
	int64_t maintenance_id;
};
/* The times at which monitors were in maintenance. */
struct page_windows {
	struct page_window *rows; /* in progress or completed; sorted by maintenance_id and start */
	size_t count;
	struct page_window_monitor *monitors; /* sorted by monitor_id and maintenance_id */
	size_t monitor_count;
};

/* An interval with an impact on a monitor, in the days of the bars. */
struct page_outage {
	int64_t monitor_id;
	struct uptime_interval interval;
	bool is_reported;	 /* reported by people, not detected by monitoring */
	bool is_rest;		 /* continues another interval of its incident without a gap */
	struct instant began_at; /* the start of its incident, if it is before interval.from;
				    otherwise 0 */
	const char *title;	 /* the title of its incident; NULL: none */
	int64_t incident_id;
	struct instant ended_at; /* the end of its incident; 0: open */
	/* Derived, for the first `outage_count` rows: windows excuse the time from excused_from to
	 * `interval.from`; 0: they excuse nothing. */
	struct instant excused_from;
};

/* An interval in the days of the bars in which nobody observed the monitor. */
struct page_gap {
	int64_t monitor_id;
	struct uptime_interval interval; /* is_gap is true; `to` 0: the gap goes on */
};

/* A month (UTC) in which incidents began or went on, or that had maintenance. */
struct page_month {
	struct instant start;
	int64_t revision; /* grows with every change of its incidents or windows */
	const char *name; /* "2026-11" */

	/* The members below are loaded only for the page of the month. */
	bool is_read;
	struct page_incident *incidents;
	size_t incident_count;
	size_t total; /* all incidents of the month; its page has incident_count of them */
	/* After the first incident_count rows, `incidents` has this many rows of incidents that
	 * began before the month and lasted into it. */
	size_t earlier_count;
	/* Occurrences in the month that are in progress, completed or cancelled; newest first. */
	struct page_maintenance *maintenances;
	size_t maintenance_count;
};

/* A month in the page's time zone that has a report: see domain/page/page_report.h. */
struct page_report_month {
	struct instant from, to; /* local midnights; `to` is the start of the next month */
	/* The month's first day at 00:00 UTC. The name of the month is made from this time. */
	struct instant start;
	const char *name; /* "2026-10" */
};

struct page_snapshot {
	struct status_page page;
	struct instant now;		       /* the moment of the snapshot */
	struct uptime_calendar calendar;       /* by `now` and the page's zone */
	struct instant month_start, month_end; /* of the current month, in UTC like all months */
	const char *url;		       /* the page's address, with a slash at its end */
	bool takes_subscribers; /* visitors may subscribe; set when the page is published */
	/* The sizes of the page's pictures, set when the page is published; width 0: unknown. */
	struct image logo, logo_dark, header_image, favicon;
	const char *preview_file; /* set when the page is published; NULL: no preview */

	struct id_list monitor_ids;    /* all monitors, including retired ones; in display order */
	struct page_monitor *monitors; /* in display order */
	size_t monitor_count;
	size_t down_count;    /* derived: monitors with an open incident of any impact */
	size_t no_data_count; /* derived: monitors in the state SYSTEM_NO_DATA */

	struct page_outage *outages; /* in any order */
	size_t outage_count;
	/* Derived: the number of further outages after the first `outage_count`. Windows excuse
	 * them as a whole. */
	size_t excused_count;

	struct page_gap *gaps; /* in any order */
	size_t gap_count;

	bool has_response_times; /* the page shows response times */
	/* Sorted by monitor and hour. Monitors of other pages are included. */
	struct response_time *response_times;
	size_t response_time_count;

	/*
	 * The open incidents, and the incidents that ended in the last PAGE_RECENT_DAYS. Open
	 * incidents and the first PAGE_DAY_INCIDENTS_MAX of each day have texts; other incidents
	 * have an empty cause and no texts. A reported incident is a single row, with all its
	 * monitors. page_snapshot_derive() sorts the incidents, newest first.
	 */
	struct page_incident *incidents;
	size_t incident_count;

	/* The PAGE_NEWEST_MAX incidents that began last, whatever their age.
	 * page_snapshot_derive() adds all open incidents, and sorts newest first. */
	struct page_incident *newest;
	size_t newest_count;

	/* Some incidents have no updates, because the updates of other incidents left no room. */
	bool lacks_updates;

	/* The incidents that began in the current month, in any order. The list has all of them if
	 * it has at most PAGE_MONTH_IDS_MAX ids. A longer list is not used. */
	struct id_list month_ids;

	/*
	 * The occurrences in progress, then the scheduled ones, then those cancelled before their
	 * start, then those of the last PAGE_RECENT_DAYS, newest first. Each occurrence of a
	 * recurring window is a row.
	 */
	struct page_maintenance *maintenances;
	size_t maintenance_count;
	/* Only for calendars: occurrences that the page does not show, and that were cancelled or
	 * deleted in the last MAINTENANCE_CANCELLED_DAYS. */
	struct page_maintenance *withdrawn;
	size_t withdrawn_count;
	bool has_maintenance; /* any monitor of the page has, or had, a window */

	struct page_windows windows;

	struct page_month *months; /* newest first */
	size_t month_count;
	bool has_earlier; /* an incident of an earlier month lasts into the current month */

	struct page_report_month *reports; /* newest first; set when the page is published */
	size_t report_count;

	/* The time at which the publisher deletes a file that the page has replaced; 0: there is no
	 * such file. Set after publishing. */
	struct instant replaced_until;

	struct page_texts_kept *kept_texts; /* rendered texts (page_markdown.c); NULL: none */
};

/* Returns the first moment after the month. */
struct instant page_month_end(const struct page_month *month);
/* Returns whether the incident began before the month and touches the month, as far as is known at
 * `now`. */
bool page_month_has_earlier(const struct page_month *month, const struct incident *incident,
			    struct instant now);

/* Sets `calendar`, month_start and month_end. Loaders call it before page_snapshot_derive(),
 * because they need these values. */
void page_snapshot_set_calendar(struct page_snapshot *snapshot);

/*
 * Sorts the incidents, and derives from the loaded arrays: the days and the open incident of each
 * monitor, the counts, the names of the incidents' monitors, and which incidents are shown inside
 * others. Removes retired monitors from `monitors`: the page does not show them as systems, but
 * shows their incidents. Scratch memory comes from the arena.
 */
void page_snapshot_derive(struct page_snapshot *snapshot, struct arena *arena);

/* All monitors of the snapshot, for look-ups by id. */
struct page_monitor_index {
	struct page_monitor **by_id;
	size_t count;
};
struct page_monitor_index page_monitor_index_of(const struct page_snapshot *snapshot,
						struct arena *arena);
/* Returns the monitor with this id; NULL: the snapshot does not have the monitor. */
struct page_monitor *page_monitor_find(const struct page_monitor_index *index, int64_t id);

/* Sorts the incidents, newest first. */
void page_incidents_sort(struct page_incident *incidents, size_t count);

/* Sets `inside` of each detected incident to the newest reported incident of its monitor that
 * overlaps with it. Call it after the rows have their final order, since `inside` points to a row.
 */
void page_incidents_nest(struct page_incident *incidents, size_t count, struct arena *arena);

/* Returns the end of the last hour with response times on pages. */
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

/* Returns when the system's name, state or maintenance last changed. */
struct instant page_monitor_changed_at(const struct page_monitor *monitor);

/* How serious the state of the page is when `affected` systems have an impact: critical for half of
 * the systems or more, major for a tenth or more, minor for fewer. */
enum page_impact { IMPACT_NONE, IMPACT_MINOR, IMPACT_MAJOR, IMPACT_CRITICAL };
enum page_impact page_snapshot_impact(const struct page_snapshot *snapshot, size_t affected);

/*
 * Returns the time at which the files of the page go stale even if no row changes. The result is
 * after `now`, and at most a day later. The files go stale at midnight in the page's zone, when a
 * percentage or a bar changes, when a window begins or ends, when a promised update is overdue, and
 * when a replaced file is to be deleted. If the page shows response times, they go stale after each
 * hour. While an incident is open, they go stale after some minutes.
 */
struct instant page_snapshot_due(const struct page_snapshot *snapshot);

/*
 * Returns whether the incident touches the range from `from` (included) to `to` (excluded). An
 * incident without a length touches the moment of its start. An open incident touches all moments
 * from its start to `now`. If its start is after `now`, because the clock was set back, it touches
 * `now`.
 */
bool page_incident_touches(const struct incident *incident, struct instant from, struct instant to,
			   struct instant now);

/* Returns the start of the recent days. The page shows a resolved incident that ended at or after
 * this time. */
struct instant page_recent_start(const struct page_snapshot *snapshot);

#endif
