/*
 * Messages to the subscribers of a page, in the language and the time zone of the page. A message
 * is made from the newest snapshot. So it has the corrected text of an update that was edited after
 * the event, and has no update that was withdrawn.
 */
#ifndef VIEW_PAGE_PAGE_MESSAGE_H
#define VIEW_PAGE_PAGE_MESSAGE_H

#include "base/buf.h"
#include "domain/event.h"
#include "domain/page/page_snapshot.h"

struct page_message_event {
	enum event_kind kind;
	int64_t object_id; /* the id of an incident or a maintenance window */
	struct instant at;
	const char *text;	  /* the text of the update; NULL: none */
	struct instant starts_at; /* the start of the occurrence of the window; 0: any occurrence */
};

struct page_message {
	const char *subject; /* plain text with the name of the page; owned by the arena */
	const char *title;   /* the subject without the name of the page */
	const char *thread;  /* "incident-7"; mails about one object have the same thread */
	const char *colour;  /* see view/mail_html.h */
	/* the incident of the first event; NULL: the first event is about `window` */
	const struct page_incident *incident;
	const struct page_maintenance *window;
};

/* Appends the content as HTML for mail. Returns false if the page shows none of the events. */
bool page_message_make(struct buf *html, const struct page_snapshot *snapshot,
		       const struct page_message_event *events, size_t count, struct arena *arena,
		       struct page_message *message) MUST_USE;
/*
 * Appends the message's incident or window as JSON, in the format that receivers of status webhooks
 * expect. `unsubscribe` is a URL. If the message is about several occurrences of a window, the JSON
 * has only the first occurrence.
 */
void page_message_json(struct buf *out, const struct page_snapshot *snapshot,
		       const struct page_message *message, const char *unsubscribe,
		       struct arena *arena);

#endif
