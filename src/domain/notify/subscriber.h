/*
 * Subscribers: visitors of a page who receive messages about it, by e-mail or at a webhook of
 * their own (contract section 14).
 */
#ifndef DOMAIN_NOTIFY_SUBSCRIBER_H
#define DOMAIN_NOTIFY_SUBSCRIBER_H

#include "base/field.h"
#include "base/violation.h"

/* In the order of subscriber_type_words; the database has the numbers. */
enum subscriber_type { SUBSCRIBER_EMAIL, SUBSCRIBER_WEBHOOK, SUBSCRIBER_ANY_TYPE = -1 };
extern const char *const subscriber_type_words[];
/* unconfirmed, confirmed, suspended */
enum subscriber_state {
	SUBSCRIBER_UNCONFIRMED,
	SUBSCRIBER_CONFIRMED,
	SUBSCRIBER_SUSPENDED,
	SUBSCRIBER_ANY_STATE = -1
};
extern const char *const subscriber_state_words[];

enum {
	SUBSCRIBERS_OF_PAGE_MAX = 100000,
	SUBSCRIBER_UNCONFIRMED_S = 7 * 86400, /* then an unconfirmed subscriber is deleted */
	SUBSCRIBER_BOUNCES_MAX = 2,	      /* so many bounces suspend a subscriber */
	SUBSCRIBER_BOUNCES_S = 30 * 86400,    /* a bounce that comes later counts as the first */
	SUBSCRIBER_GROUP_S = 30, /* events that follow each other so soon are one message */
	SUBSCRIBER_ASKS_MAX = 3, /* messages to an address that ask for its confirmation, an hour */
	SUBSCRIBER_ASKS_OF_NETWORK_MAX = 20, /* requests from a network, an hour */
	SUBSCRIBER_ASKS_OF_PAGE_MAX = 1000,  /* requests at a page, an hour */
};

struct subscriber {
	int64_t id;
	int64_t account_id;
	int64_t page_id;
	int type;
	const char *address;	  /* as mail_address_ascii() gives it, or an https URL */
	const char *address_hash; /* of all writings of the same address */
	bool takes_all_monitors;  /* hears of the whole page; otherwise of these systems: */
	struct id_list monitor_ids;
	int state; /* derived from the times */
	struct instant created_at;
	struct instant confirmed_at; /* 0: not yet */
	struct instant suspended_at; /* 0: it is not */
	const char *suspension;	     /* why the subscriber is suspended; NULL: it is not */
	int64_t bounces;
};
extern const struct fields subscriber_resource_fields;
extern const struct fields subscriber_fields; /* for operators: with account and page */

/* Who hears of an update of an incident, for the people who write it. */
struct audience {
	int64_t by_mail; /* subscribers */
	int64_t by_webhook;
	int64_t channels; /* alert channels */
	int64_t pending;  /* texts about the incident that wait for a second person */
	bool is_bound;	  /* so many at most: the systems are not known yet */
	bool sends_messages, sends_mail; /* whether the service does */
};

/* What a visitor or an operator enters. */
struct subscriber_input {
	const char *address;
	struct id_list monitor_ids; /* none: the whole page */
};
extern const struct fields subscriber_input_fields;

/*
 * Sets type, address and address_hash of the subscriber from the text that a person has entered.
 * False: the text is neither an address of e-mail nor an https URL; a violation says so.
 */
bool subscriber_set_address(struct subscriber *subscriber, const char *text, struct arena *arena,
			    struct violations *violations) MUST_USE;

/* Sets takes_all_monitors and monitor_ids, whose ids it sorts; without ids the subscriber hears of
 * the whole page. */
void subscriber_set_monitors(struct subscriber *subscriber, struct id_list monitor_ids);

#endif
