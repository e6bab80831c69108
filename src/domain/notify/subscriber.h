/*
 * Subscribers: visitors of a page who receive messages about it, by e-mail or at a webhook of
 * their own (contract section 14).
 */
#ifndef DOMAIN_NOTIFY_SUBSCRIBER_H
#define DOMAIN_NOTIFY_SUBSCRIBER_H

#include "base/field.h"
#include "base/violation.h"

/* In the order of subscriber_type_words. The database stores the numbers. */
enum subscriber_type { SUBSCRIBER_EMAIL, SUBSCRIBER_WEBHOOK, SUBSCRIBER_ANY_TYPE = -1 };
extern const char *const subscriber_type_words[];
/* In the order of subscriber_state_words: "unconfirmed", "confirmed", "suspended". */
enum subscriber_state {
	SUBSCRIBER_UNCONFIRMED,
	SUBSCRIBER_CONFIRMED,
	SUBSCRIBER_SUSPENDED,
	SUBSCRIBER_ANY_STATE = -1
};
extern const char *const subscriber_state_words[];

enum {
	SUBSCRIBERS_OF_PAGE_MAX = 100000,
	/* An unconfirmed subscriber is deleted after this time. */
	SUBSCRIBER_UNCONFIRMED_S = 7 * 86400,
	SUBSCRIBER_BOUNCES_MAX = 2, /* this number of bounces suspends a subscriber */
	/* If the last bounce is older than so many seconds, the next bounce counts as the first. */
	SUBSCRIBER_BOUNCES_S = 30 * 86400,
	SUBSCRIBER_GROUP_S = 30, /* events within so many seconds become one message */
	SUBSCRIBER_ASKS_MAX = 3, /* the most messages per hour that ask an address to confirm */
	SUBSCRIBER_ASKS_OF_NETWORK_MAX = 20, /* the most requests per hour from one network */
	SUBSCRIBER_ASKS_OF_PAGE_MAX = 1000,  /* the most requests per hour at one page */
};

struct subscriber {
	int64_t id;
	int64_t account_id;
	int64_t page_id;
	int type;
	const char *address;	  /* as mail_address_ascii() returns it, or an https URL */
	const char *address_hash; /* the same for all spellings of the address */
	/* The subscriber hears of the whole page; otherwise only of the systems in monitor_ids. */
	bool takes_all_monitors;
	struct id_list monitor_ids;
	int state; /* derived from the times below */
	struct instant created_at;
	struct instant confirmed_at; /* 0: not confirmed yet */
	struct instant suspended_at; /* 0: not suspended */
	const char *suspension;	     /* why the subscriber is suspended; NULL: not suspended */
	int64_t bounces;
};
extern const struct fields subscriber_resource_fields;
extern const struct fields subscriber_fields; /* for operators: with account and page */

/* The numbers of receivers of an incident's update, shown to the people who write the update. */
struct audience {
	int64_t by_mail; /* subscribers */
	int64_t by_webhook;
	int64_t channels; /* alert channels */
	int64_t pending;  /* texts about the incident that wait for approval */
	bool is_bound;	  /* the numbers are upper bounds, since the systems are not known yet */
	bool sends_messages, sends_mail; /* whether the service sends messages, and mail */
};

/* What a visitor or an operator sends to add a subscriber. */
struct subscriber_input {
	const char *address;
	struct id_list monitor_ids; /* no ids: the whole page */
};
extern const struct fields subscriber_input_fields;

/* Sets type, address and address_hash of the subscriber from the text that a person has entered.
 * Returns false, with a violation, if the text is neither an address of e-mail nor an https URL. */
bool subscriber_set_address(struct subscriber *subscriber, const char *text, struct arena *arena,
			    struct violations *violations) MUST_USE;

/* Sets monitor_ids to the sorted ids, and takes_all_monitors to true if there are no ids. */
void subscriber_set_monitors(struct subscriber *subscriber, struct id_list monitor_ids);

#endif
