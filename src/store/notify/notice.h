/*
 * Notices: the deliveries to subscribers. One or several deliveries make one message to a
 * subscriber, if their events followed each other within SUBSCRIBER_GROUP_S. The first delivery of
 * a message, the head, has the state and the lease. All deliveries of the message have the id of
 * the head as message_id. The events of a message are fixed when the message is first leased, so
 * that each try sends the same events. A message to a webhook has the events of only one object.
 *
 * A request to confirm a subscription is a delivery without a row of the outbox.
 */
#ifndef STORE_NOTIFY_NOTICE_H
#define STORE_NOTIFY_NOTICE_H

#include "domain/notify/subscriber.h"
#include "store/notify/delivery.h"

/* The kind of a delivery that asks the subscriber to confirm the subscription, or that informs a
 * confirmed subscriber about the subscription. */
#define NOTICE_ASKS "subscriber.asked"

/* Queues a message that asks the subscriber to confirm. Call it in a transaction. */
enum result notice_ask(struct db *db, const struct subscriber *subscriber, struct instant now,
		       struct error *error) MUST_USE;

/* A row of the outbox with an event that is told to subscribers. */
struct notice_event {
	int64_t outbox_id;
	int64_t account_id;
	const char *kind;
	int64_t object_id;
	struct instant at;
	const char *payload;
	int64_t subscribers_after; /* deliveries were made for all subscribers with ids up to this
				      id */
};
/* Reads and locks the oldest row of the outbox for which some subscribers still lack deliveries.
 * E_NOT_FOUND: there is none. */
enum result notice_next(struct db *db, struct arena *arena, struct notice_event *event,
			struct error *error) MUST_USE;
/*
 * The monitors and the pages that an event concerns. A subscriber is told of the event if the
 * subscriber's page shows one of these monitors, or is one of these pages. A subscriber who has
 * chosen single monitors is told only of events that concern a chosen monitor, or no monitor.
 */
struct notice_scope {
	struct id_list monitors;
	struct id_list pages;
};
struct audience_query {
	int64_t account_id;
	int64_t incident_id;		  /* 0: a new incident */
	const struct notice_scope *scope; /* NULL: all subscribers and channels of the account */
	struct instant now;
};
/* Counts the subscribers and channels that would be told of an update, and the texts that wait for
 * a second person. One statement. */
enum result notice_audience(struct db *db, const struct audience_query *query, struct arena *arena,
			    struct audience *audience, struct error *error) MUST_USE;
enum { NOTICE_SUBSCRIBERS_MAX = 2048 };
/*
 * Makes deliveries for the next subscribers, at most NOTICE_SUBSCRIBERS_MAX. Sets the row's
 * subscribers_after to the id of the last subscriber. Call it in the transaction of notice_next().
 * Runs two statements, and one for each 512 subscribers.
 */
enum result notices_make(struct db *db, const struct notice_event *event,
			 const struct notice_scope *scope, struct instant now, struct error *error)
	MUST_USE;

/* A delivery of a leased message. */
struct leased_notice {
	int64_t id;
	int64_t message_id;
	int64_t account_id;
	int64_t page_id;
	int64_t subscriber_id;
	int64_t type; /* enum subscriber_type */
	const char *address;
	bool is_confirmed;
	int64_t outbox_id; /* 0: the kind is NOTICE_ASKS */
	const char *kind;
	int64_t object_id;
	int64_t tries; /* the number of tries to send the message, including the present try */
	struct instant first_due_at;
	struct instant at;   /* the time of the event */
	const char *payload; /* see store/outbox.h; NULL: the kind is NOTICE_ASKS */
};
/* Leases up to lease->most messages of the lane, and reads their deliveries: a list of struct
 * leased_notice, by message and id. Runs up to five statements. Call it outside a transaction. */
enum result notices_lease(struct db *db, enum delivery_lane lane,
			  const struct delivery_lease *lease, struct arena *arena,
			  struct db_list *rows, struct error *error) MUST_USE;

/* The outcome of one try to send a message. */
struct notice_outcome {
	int64_t message_id;
	int64_t subscriber_id;
	struct delivery_verdict verdict;
	bool is_unsent; /* the sender made no try, so the message is due again at once */
	int status;
	const char *response; /* the receiver's response; NULL: none */
	bool is_bounce;	      /* the receiver's server does not know the address */
	bool is_confirmed;    /* a webhook has returned the challenge */
};
/* Stores the outcomes, except those of messages that another sender has leased in the meantime.
 * Runs one statement for each 64 outcomes, and some for each subscriber who is suspended, bounces
 * or is confirmed. Call it in a transaction. */
enum result notices_store(struct db *db, int64_t lease, const struct notice_outcome *outcomes,
			  size_t count, struct instant now, struct error *error) MUST_USE;
/* Calls notices_store() in a separate transaction. */
enum result notices_commit(struct db *db, int64_t lease, const struct notice_outcome *outcomes,
			   size_t count, struct error *error) MUST_USE;

#endif
