/* The screens to report an incident, and to show an incident with its updates. */
#ifndef VIEW_CONSOLE_CONSOLE_INCIDENT_HTML_H
#define VIEW_CONSOLE_CONSOLE_INCIDENT_HTML_H

#include "domain/incident/pending_update.h"
#include "domain/notify/subscriber.h"
#include "view/console/console_form_html.h"
#include "view/page/page_message.h"

/* An update that waits for the approval of a second person. */
struct console_pending_row {
	const struct pending_update *update;
	/* The members of the request that sent the update: labels and values. A row without a name
	 * ends them. */
	const struct word_value *members;
	bool may_publish, may_decline;
	const char *form_key;
};
struct console_pending {
	const struct console_pending_row *rows;
	size_t count;
};
/* Appends the first waiting update, and further updates until the screen gets too large. */
void console_put_pending(struct buf *out, const struct console_view *view,
			 const struct console_pending *pending);

struct console_report {
	struct console_inputs inputs;
	const char *form_key;
	const char *search;  /* the text of the search for systems; "": none */
	int64_t template_id; /* the template that has filled in the form; 0: none */
	bool has_more;	     /* not all systems are shown */
	const struct console_option *templates; /* templates with which the report can begin */
	size_t template_count;
	struct audience audience;
};
void console_report_html(struct buf *out, const struct console_view *view,
			 const struct console_report *report);

struct console_incident {
	const struct incident_resource *incident; /* the incident with its updates */
	const struct console_screen *buttons;
	const struct principal *principal;
	bool may_respond;
	const char *form_key;
	struct console_inputs reply;
	struct console_inputs edit;	     /* the title and the post-mortem */
	const enum console_sentence *notice; /* NULL: none */
	int64_t waiting_id;		     /* the update whose messages are not sent yet */
	/* seconds until the messages of the update waiting_id are sent; 0 or less: none wait */
	int64_t wait_s;
	struct audience audience;
	struct console_pending pending;
	const enum console_sentence *problem; /* NULL: none */
};
void console_incident_html(struct buf *out, const struct console_view *view,
			   const struct console_incident *screen);

/* Appends to a preview the mail for subscribers, or a sentence that they get no mail. */
void console_put_message(struct buf *out, const struct console_view *view,
			 const struct page_snapshot *snapshot,
			 const struct page_message_event *events, size_t count);
/* Appends the feed entry of an incident or a maintenance window, if the feeds have one. */
void console_put_feed_entry(struct buf *out, const struct console_view *view,
			    const struct page_snapshot *snapshot, bool is_window, int64_t id);

/* Returns the title of an incident. If it has none, returns a sentence such as "MONITOR is
 * down". */
const char *console_incident_title(const struct console_view *view,
				   const struct incident *incident);

/* Appends the impact, the start and the phase of the incident. */
void console_put_incident_state(struct buf *out, const struct console_view *view,
				const struct incident_resource *shown);
/* Appends a sentence that says who gets the message. It stands beside a button that publishes. */
void console_put_audience(struct buf *out, const struct console_view *view,
			  const struct audience *audience);
/* Appends a link to the incident on a page, if a page shows the incident. */
void console_put_incident_link(struct buf *out, const struct console_view *view,
			       const struct incident_resource *shown);

#endif
