/* The kinds of events: a word for each kind of change (contract section 14). An event never
 * contains a secret. */
#ifndef DOMAIN_EVENT_H
#define DOMAIN_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/field.h"

/* In the order of the words in event.c. */
enum event_kind {
	EVENT_NONE, /* nothing was changed: there is no event */
	EVENT_INCIDENT_OPENED,
	EVENT_INCIDENT_ACKNOWLEDGED,
	EVENT_INCIDENT_UNACKNOWLEDGED,
	EVENT_INCIDENT_COMMENTED,
	EVENT_INCIDENT_BACKDATED,
	EVENT_INCIDENT_RESOLVED,
	EVENT_INCIDENT_RECORDED, /* added after its end */
	EVENT_INCIDENT_IMPORTED,
	EVENT_INCIDENT_REPORTED, /* people opened it */
	/* Title, impact, times or other fields were changed. The updates and the postmortem have
	 * the events below. */
	EVENT_INCIDENT_UPDATED,
	EVENT_INCIDENT_UPDATE_POSTED,
	EVENT_INCIDENT_UPDATE_EDITED,
	EVENT_INCIDENT_UPDATE_WITHDRAWN,
	EVENT_INCIDENT_UPDATE_PENDING, /* a text waits for a second person */
	EVENT_INCIDENT_UPDATE_APPROVED,
	EVENT_INCIDENT_UPDATE_DECLINED,
	EVENT_INCIDENT_REOPENED,
	EVENT_INCIDENT_POSTMORTEM, /* the postmortem was written, changed or removed */
	EVENT_INCIDENT_DELETED,
	EVENT_STATUS_PAGE_CREATED,
	EVENT_STATUS_PAGE_UPDATED,
	EVENT_STATUS_PAGE_DELETED,
	EVENT_DOMAIN_PROVEN,   /* the domain of a status page */
	EVENT_DOMAIN_LOST,     /* its proof was missing for too long */
	EVENT_DOMAIN_RESTORED, /* the page has its lost domain again: no proof is required now */
	EVENT_DOMAIN_TAKEN,    /* the domain was lost, and another page has proven it */
	EVENT_LINK_CREATED,    /* a signed link of a status page */
	EVENT_LINK_WITHDRAWN,
	/* An operator has added or deleted a subscriber of a status page. When visitors subscribe,
	 * there is no event. */
	EVENT_SUBSCRIBER_CREATED,
	EVENT_SUBSCRIBERS_IMPORTED,
	EVENT_SUBSCRIBER_DELETED,
	EVENT_MONITOR_CREATED,
	EVENT_MONITOR_RENAMED,
	EVENT_MONITOR_LABELLED,
	EVENT_MONITOR_UPDATED, /* other fields than name and label */
	EVENT_MONITOR_RETIRED,
	/* The certificate, or the domain, of a monitor expires soon or has expired. */
	EVENT_CERTIFICATE_EXPIRING,
	EVENT_DOMAIN_EXPIRING,
	EVENT_ISSUER_CHANGED, /* the certificate of a monitor has another issuer */
	EVENT_MONITOR_DELETED,
	EVENT_MAINTENANCE_SCHEDULED,
	EVENT_MAINTENANCE_UPDATED,  /* fields of the window were changed */
	EVENT_MAINTENANCE_REMINDER, /* an occurrence begins soon */
	/* Three events of an occurrence: it has begun, its work is being verified, it is over. */
	EVENT_MAINTENANCE_STARTED,
	EVENT_MAINTENANCE_VERIFYING,
	EVENT_MAINTENANCE_COMPLETED,
	EVENT_MAINTENANCE_CANCELLED, /* one occurrence, or all occurrences of a window */
	EVENT_MAINTENANCE_UPDATE_POSTED,
	EVENT_MAINTENANCE_UPDATE_EDITED,
	EVENT_MAINTENANCE_UPDATE_WITHDRAWN,
	EVENT_MAINTENANCE_DELETED,
	EVENT_KEY_CREATED,
	EVENT_KEY_UPDATED,
	EVENT_KEY_REVOKED,
	EVENT_ACCOUNT_CREATED,
	EVENT_ACCOUNT_UPDATED, /* needs_second_factor was changed */
	EVENT_ACCOUNT_DELETED,
	EVENT_CHECKER_CUT_OFF, /* no anchor of the checker responds: it cannot judge monitors */
	EVENT_CHECKER_RECONNECTED,
	EVENT_CHANNEL_CREATED, /* an alert channel */
	EVENT_CHANNEL_UPDATED,
	EVENT_CHANNEL_DELETED,
	EVENT_CHANNEL_SUSPENDED, /* its receiver refuses messages */
	EVENT_USER_CREATED,
	EVENT_USER_UPDATED, /* another role, or the person's own language, colours and time zone */
	EVENT_USER_LINKED,  /* a link was made to set a password or to sign in */
	EVENT_USER_RECOVERY_LINKED, /* a link that also removes the app and the passkeys */
	EVENT_USER_PASSWORD_SET,
	EVENT_USER_DISABLED,
	EVENT_USER_ENABLED,
	EVENT_USER_DELETED,    /* deleted, or has no role in the account any more */
	EVENT_USER_FACTOR_SET, /* an authenticator app, or new recovery codes */
	EVENT_USER_FACTOR_REMOVED,
	EVENT_USER_PASSKEY_ADDED,
	EVENT_USER_PASSKEY_REMOVED, /* one of them, or all */
	EVENT_SESSION_STARTED,	    /* a user signed in to the console */
	EVENT_SESSION_ENDED,	    /* the user signed out */
	EVENT_TEMPLATE_CREATED,
	EVENT_TEMPLATE_UPDATED,
	EVENT_TEMPLATE_DELETED,
	EVENT_KINDS
};

/* The kinds of objects by which filters select events. */
enum event_object {
	EVENT_OF_INCIDENT,
	EVENT_OF_STATUS_PAGE,
	EVENT_OF_MONITOR,
	EVENT_OF_MAINTENANCE,
	EVENT_OF_KEY,
	EVENT_OF_ACCOUNT,
	EVENT_OF_CHANNEL,
	EVENT_OF_USER,
	EVENT_OF_TEMPLATE,
	EVENT_OBJECTS
};

/*
 * Returns whether the event may be sent to alert channels and subscribers (store/outbox.h).
 * Corrections are not sent, and neither are events about things that were over before the service
 * knew of them.
 */
bool event_is_told(enum event_kind kind);
/* Returns whether the event may also be sent to the subscribers of pages. */
bool event_is_public(enum event_kind kind);
/* Returns a word such as "incident.opened"; "" for EVENT_NONE. */
const char *event_kind_word(enum event_kind kind);
/* Returns the kind that the word names; EVENT_NONE for any other text. */
enum event_kind event_kind_of(const char *word);
/* Returns the part of the word behind the dot, such as "opened". */
const char *event_action(const char *word);
enum event_object event_kind_object(enum event_kind kind);
/* All words, NULL-terminated: the word of a kind is at kind - 1. */
extern const char *const event_kind_words[];
/* "incident", "status_page", ...; NULL-terminated, in the order of enum event_object. */
extern const char *const event_object_words[];

/* An event as it is read from the database. */
struct event {
	int64_t id;
	int64_t account_id; /* 0: an event of the installation */
	const char *kind;   /* "incident.opened" */
	const char *object; /* "incident" */
	int64_t object_id;
	const char *actor_type;	 /* "key", "operator", "system", "user", "checker" */
	int64_t actor_id;	 /* 0: none */
	const char *actor_label; /* "": none */
	struct instant at;
	const char *address;	/* NULL: none */
	const char *request_id; /* NULL: none */
	const char *detail;	/* NULL: none */
};
extern const struct fields event_fields; /* for clients */

#endif
