/* The first screen after the sign-in: the open incidents, with a form to reply in each row. */
#ifndef VIEW_CONSOLE_CONSOLE_NOW_HTML_H
#define VIEW_CONSOLE_CONSOLE_NOW_HTML_H

#include "view/console/console_incident_html.h"

struct console_now_row {
	const struct incident_resource *incident; /* after incident_present() */
	/* the person who has acknowledged the incident; NULL: not known */
	const char *taken_by;
	const char *form_key; /* the Idempotency-Key of the row's form */
	struct console_inputs reply;
};

/* A mirror that does not have the newest state of the pages. */
struct console_mirror {
	const char *name;
	const char *reason;
};

struct console_now {
	const struct console_now_row *rows;
	size_t count;
	int64_t total;
	int64_t page;		  /* the page of the list, from 1 */
	bool has_more;		  /* the list has another page */
	bool may_respond;	  /* the role of the person allows updates */
	struct audience audience; /* who gets messages if all pages of the account are concerned */
	int64_t maintenance_now;  /* how many windows take place now */
	struct instant maintenance_next; /* the start of the next window; 0: none is planned */
	/* The numbers in the sentences about what a person should do. needs[0] is for
	 * CONSOLE_OVERDUE_PROMISES, needs[1] for the next sentence in the enum, and so on. */
	int64_t needs[6];
	/* The time since which a checker has been cut off; 0: none is cut off. */
	struct instant cut_off_since;
	const struct console_mirror *mirrors;
	size_t mirror_count;
	struct console_pending pending;
	const enum console_sentence *notice; /* about a change that was just made; NULL: none */
};

/* Appends the named facts of an object, and the matters that need a person. */
void console_health_html(struct buf *out, const struct console_view *view, struct fields fields,
			 const char *const *names, const void *object,
			 const struct console_now *needs);
void console_now_html(struct buf *out, const struct console_view *view,
		      const struct console_now *now);

#endif
