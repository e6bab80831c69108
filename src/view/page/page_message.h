/*
 * Messages to the subscribers of a page: the news of the page, in the words and the zone of the
 * page. A message shows the state of the page at the moment when the message is made. So a
 * corrected text is sent as corrected, and a withdrawn text is not sent.
 */
#ifndef VIEW_PAGE_PAGE_MESSAGE_H
#define VIEW_PAGE_PAGE_MESSAGE_H

#include "base/buf.h"
#include "domain/event.h"
#include "domain/page/page_snapshot.h"

struct page_message_event {
	enum event_kind kind;
	int64_t object_id; /* an incident, or a maintenance window */
	struct instant at;
	const char *text;	  /* the text of the update; NULL: none */
	struct instant starts_at; /* the start of the occurrence of the window; 0: any occurrence */
};

struct page_message {
	const char *subject; /* plain text with the name of the page; owned by the arena */
	const char *title;   /* the subject without the name of the page */
	const char *thread;  /* the same for all messages about an object: "incident-7" */
	const char *colour;  /* see view/mail_html.h */
	/* The incident of the first event; NULL: the event is about `window`. */
	const struct page_incident *incident;
	const struct page_maintenance *window;
};

/*
 * Appends the content as HTML for e-mail. Returns false if the page shows nothing of these events.
 */
bool page_message_make(struct buf *html, const struct page_snapshot *snapshot,
		       const struct page_message_event *events, size_t count, struct arena *arena,
		       struct page_message *message) MUST_USE;
/*
 * Appends the incident or window of a message as JSON, in the shape that receivers of status
 * webhooks expect. `unsubscribe` is a URL. If the message is about several occurrences of a window,
 * the JSON has only the first.
 */
void page_message_json(struct buf *out, const struct page_snapshot *snapshot,
		       const struct page_message *message, const char *unsubscribe,
		       struct arena *arena);

#endif
