/* Renders a page's files from its snapshot: for visitors, feed readers and programs. The functions
 * do no I/O. */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include "base/buf.h"
#include "base/str.h"
#include "domain/page/page_report.h"

enum { PAGE_FILE_MAX_BYTES = 16 << 20 };

/* The files that all pages share. Reports use PAGE_REPORT_STYLE in addition to the page's style
 * sheet. */
enum page_asset { PAGE_STYLE, PAGE_SCRIPT, PAGE_REPORT_STYLE, PAGE_ASSETS };
const char *page_asset(enum page_asset asset);
/* Returns the name of the file, which has a hash of the content. */
const char *page_asset_name(enum page_asset asset);
/* The style sheet of a page. It is PAGE_STYLE, or PAGE_STYLE changed for the page's colours, colour
 * schemes and height of the logo. The name has a hash of these settings. */
const char *page_style_name_of(const struct status_page *page, struct arena *arena);
void page_style_of(struct buf *out, const struct status_page *page);
/* Returns the name of the file for the page's own CSS or JavaScript, with a hash of `text`.
 * `extension`: "css" or "js". NULL: `text` is NULL. */
const char *page_custom_name(struct arena *arena, const char *text, const char *extension);

/* Returns a UUID (RFC 9562 5.8) that depends only on the name. */
const char *page_uuid(const char *name, struct arena *arena);

/* Appends index.html, which is complete without the script. `arena` is for scratch memory, here and
 * below. */
void page_html(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/* `html` is an HTML file of a page. Returns its element that shows the time of the snapshot. */
struct str page_html_as_of(struct str html);
/* Returns the name of a month's file: "2026-11.html" for the month "2026-11". */
const char *page_month_file(struct arena *arena, const char *month);
/* Returns the name of a file with the report of a month: "report-2026-10.html", or ".csv". */
const char *page_report_file(struct arena *arena, const struct page_report_month *month,
			     const char *extension);
/* Appends the report of `month`, which is a row of snapshot->reports. */
void page_report(struct buf *out, const struct page_snapshot *snapshot,
		 const struct page_report *report, const struct page_report_month *month,
		 struct arena *arena);
/* Appends the report as CSV (RFC 4180). Its header has names for programs. */
void page_report_csv(struct buf *out, const struct page_snapshot *snapshot,
		     const struct page_report *report, struct arena *arena);
/* Appends the history of the month with index `at`, whose incidents must be loaded. */
void page_history(struct buf *out, const struct page_snapshot *snapshot, size_t at,
		  struct arena *arena);
/*
 * Appends the page of a month that has only sample incidents. Visitors do not see this page. If it
 * differs from the same page of the last publish, all months must be rendered again.
 */
void page_history_frame(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/*
 * Appends feed.atom (RFC 4287), which is also served as history.atom, and history.rss (RSS 2.0).
 * Feed readers know the names history.atom and history.rss from other status pages. The texts,
 * which are the same in both formats, are rendered only once.
 */
struct page_feeds {
	struct buf *atom;
	struct buf *rss;
};
void page_feeds(const struct page_feeds *feeds, const struct page_snapshot *snapshot,
		struct arena *arena);
/* Appends the content of the feeds' entry for an incident or a maintenance window, as HTML. Returns
 * the title of the entry; NULL: the feeds have no such entry. */
const char *page_feed_entry(struct buf *html, const struct page_snapshot *snapshot, bool is_window,
			    int64_t id, struct arena *arena);
/* Appends calendar.ics (RFC 5545), if the page has or had maintenance windows. */
void page_calendar(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/* Appends feed.html, which shows the feed to people: browsers show only the source of feed.atom. */
void page_feed_html(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/*
 * The page for an address that does not exist. Its links begin with "./". When the service sends
 * the file, it replaces "./" by the path of the page's folder, because the address may have any
 * depth. The service also makes pages for other failures from this file: see
 * view/page/page_error.h.
 */
#define PAGE_ERROR_FILE "404.html"
void page_error(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/* Error pages that the web server sends without the program: PAGE_AWAY_FILE while the program does
 * not run, PAGE_REFUSED_FILE for a request that the server rejects. Their links work at any
 * address. */
#define PAGE_AWAY_FILE	  "503.html"
#define PAGE_REFUSED_FILE "400.html"
void page_error_away(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
void page_error_refused(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/* Returns whether the file is an error page. Visitors cannot request it by its name. */
bool page_is_error_file(const char *name);
/* Appends robots.txt (RFC 9309), for a page with its own domain. */
void page_robots(struct buf *out);
/* Append widget.html and widget.js. widget.html is a frame with the state of the page, which other
 * sites may show. widget.js inserts the frame after its own script element. */
void page_widget(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
void page_widget_script(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/* Appends badge.svg, which shows the state of the page as a label and a value. */
void page_badge(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
/*
 * badge-ID.svg and uptime-ID.svg show the state and the uptime of a system. They are not stored as
 * files, because each system would have two files. The page has one file with a line for each
 * system, from which the program makes the requested badge.
 */
#define PAGE_BADGES_FILE "systems.badges"
void page_badges(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena);
bool page_badge_is_of_system(const char *name);
/* Appends the badge with this name. Returns false if the page has no such system. */
bool page_badge_of_system(struct buf *out, struct str badges, const char *name,
			  struct arena *arena);

/*
 * The JSON documents, in the format of /api/v2/ of other status pages. page_document() returns
 * their names, "summary" first, and NULL after the last. A document such as
 * incidents/unresolved.json is stored as unresolved.json, among the other files of the page.
 */
const char *page_document(size_t at);
struct page_json_index;
/* Printed JSON that several documents of a snapshot share, so that it is printed only once. */
struct page_json_parts {
	struct page_json_index *index; /* the arena owns it */
	struct buf components;
	struct buf open_incidents;
	struct buf newest_incidents;
};
#define PAGE_JSON_PARTS \
	((struct page_json_parts){ NULL, BUF_INIT(PAGE_FILE_MAX_BYTES), \
				   BUF_INIT(PAGE_FILE_MAX_BYTES), BUF_INIT(PAGE_FILE_MAX_BYTES) })
void page_json_parts_done(struct page_json_parts *parts);
void page_json(struct buf *out, const struct page_snapshot *snapshot, size_t at,
	       struct page_json_parts *parts, struct arena *arena);

/* Returns the permanent path of an occurrence of a window, below the page: "maintenance/7". */
const char *page_maintenance_path(const struct page_maintenance *maintenance, struct arena *arena);
/* Returns the absolute address of this path. */
const char *page_maintenance_url(const struct page_snapshot *snapshot,
				 const struct page_maintenance *maintenance, struct arena *arena);
/* Appends the page of an occurrence of a window. */
void page_maintenance(struct buf *out, const struct page_snapshot *snapshot,
		      const struct page_maintenance *maintenance, struct arena *arena);
/* Appends the page of a sample window, for the same purpose as page_history_frame(). */
void page_maintenance_frame(struct buf *out, const struct page_snapshot *snapshot,
			    struct arena *arena);

/*
 * Return the permanent path of the incident below the page, "incidents/7", and its absolute
 * address. The address leads to the page of the incident, or redirects to the page of its month;
 * publish/page/page_incidents.h says how the redirections are stored.
 */
const char *page_incident_path(const struct incident *incident, struct arena *arena);
const char *page_incident_url(const struct page_snapshot *snapshot, const struct incident *incident,
			      struct arena *arena);
/* Appends the page of the incident with all its texts. Its links begin with "../". */
void page_incident(struct buf *out, const struct page_snapshot *snapshot,
		   const struct page_incident *shown, struct arena *arena);
/* Appends the pages of two sample incidents, for the same purpose as page_history_frame(). */
void page_incident_frame(struct buf *out, const struct page_snapshot *snapshot,
			 struct arena *arena);
/* Returns whether people have written texts about the incident. Without such texts, the page of the
 * incident would show no more than the page of the month. */
bool page_incident_has_text(const struct page_incident *shown);

#endif
