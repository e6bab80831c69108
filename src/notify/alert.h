/* The content of a message to an alert channel, the same for every service. */
#ifndef NOTIFY_ALERT_H
#define NOTIFY_ALERT_H

#include "domain/notify/alert_channel.h"
#include "store/notify/delivery.h"

/* Plain texts, owned by the arena or constant. Never NULL, except where a member says so. */
struct alert {
	enum alert_event event;
	const char *kind;	/* the word of the event */
	const char *id;		/* "delivery-7": all attempts of a delivery have the same id */
	const char *subject;	/* "daymark-incident-7": all messages about one object, such as
				   an incident, have the same subject */
	const char *title;	/* "Checkout is down" */
	const char *text;	/* further sentences, one per line; "": none */
	const char *systems;	/* names, separated by commas; "": none */
	const char *cause;	/* "": none */
	const char *dependents; /* the names of systems that depend on the system that is down */
	const char *url;	/* the URL of the incident on its page; NULL: none */
	const char *payload;	/* the JSON of the event (store/outbox.h); NULL: none */
	bool is_minor;		/* the system is not down, but works badly */
	bool is_over;		/* the incident or the maintenance is over */
	struct instant at;
};

/* Makes the alert from the payload of a delivery. `base_url` is the setting, or NULL: the alert
 * then has a URL only if the incident's page has a domain. Returns false if the payload cannot be
 * read, or if memory is short. */
bool alert_of_delivery(const struct leased_delivery *delivery, const char *base_url,
		       struct arena *arena, struct alert *alert) MUST_USE;
/* Returns a test message, which says that the channel works. */
struct alert alert_of_test(struct instant now, struct arena *arena);

#endif
