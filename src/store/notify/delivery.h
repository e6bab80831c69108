/*
 * Deliveries. A sender makes them of claimed rows of the outbox. It does so in the transaction that
 * finishes these rows, so that each event has one delivery for each channel. A sender then leases
 * due deliveries, sends them, and stores the outcomes. If a sender dies, the next sender takes its
 * deliveries when the lease is over. So a message may be sent twice, with the same id.
 *
 * The messages of a channel are sent one at a time and in their order, so that "up" never overtakes
 * "down". A delivery waits while an older one of its channel is tried again.
 */
#ifndef STORE_NOTIFY_DELIVERY_H
#define STORE_NOTIFY_DELIVERY_H

#include "domain/notify/delivery.h"
#include "store/notify/alert_channel.h"
#include "store/outbox.h"

/* For conditions on the index deliveries_lane_due, which begins with the lane. */
#define ANY_LANE "lane IN (0, 1, 2) AND "

/* A row of the outbox of which channels may hear. */
struct delivery_event {
	int64_t outbox_id;
	int64_t account_id;
	enum alert_event event;
	const char *kind;
	int64_t object_id;
	struct instant at;
	struct id_list monitors; /* that the event concerns; none: the whole account, and for
				  * ALERT_CHECKER the channels of any monitor, too */
	bool is_update;		 /* channels that hear of updates hear of it as well */
};

/*
 * In a transaction: makes the deliveries of the events, which are sorted by outbox_id. Withdraws
 * unsent deliveries that the events contradict: a delayed "down", all that follows it, and its
 * "up". A channel hears of nothing that happened before it was created. The number of statements
 * does not depend on the number of channels.
 */
enum result deliveries_make(struct db *db, const struct delivery_event *events, size_t count,
			    struct instant now, struct error *error) MUST_USE;

/* A delivery to be sent, with all data for its message. */
struct leased_delivery {
	int64_t id;
	int64_t account_id;
	int64_t channel_id;
	int64_t round; /* of a reminder: from 1 */
	int64_t event; /* enum alert_event */
	const char *kind;
	int64_t object_id;
	int64_t tries; /* including this one */
	struct instant first_due_at;
	struct instant at;    /* of the event */
	const char *payload;  /* see store/outbox.h */
	int64_t is_withdrawn; /* the update whose text the delivery has does not exist any more */
	int64_t type;
	const char *sealed_value;
};
struct delivery_lease {
	int64_t lease; /* a random number above 0 */
	struct instant now;
	struct instant until;
	size_t most;		      /* at most DELIVERY_LEASE_MAX */
	struct id_list busy_accounts; /* accounts that have too many under way: sorted */
	struct id_list busy;	      /* deliveries that the caller sends: sorted */
};
enum { DELIVERY_LEASE_MAX = 64 };
/* Appends the condition that a delivery `d` is neither busy nor of a busy account. */
void delivery_lease_leaves_out(struct sql_build *sql, const struct delivery_lease *lease,
			       struct arena *arena);
/* Leases the deliveries of the ids that are still due. One statement. */
enum result delivery_lease_take(struct db *db, const struct delivery_lease *lease,
				const struct id_list *ids, struct arena *arena, struct error *error)
	MUST_USE;
/* Leases due deliveries: first deliveries that were not tried before, then the oldest. Up to four
 * statements, outside a transaction. */
enum result deliveries_lease(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			     struct db_list *rows, struct error *error) MUST_USE;

/* Lengthens the lease of deliveries, unless another sender has taken them. One statement. */
enum result deliveries_renew(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			     struct error *error) MUST_USE;

/* The outcome of a try. */
struct delivery_outcome {
	int64_t id;
	int64_t account_id;
	int64_t channel_id;
	int64_t lease;
	struct delivery_verdict verdict;
	int status;
	const char *response; /* NULL: nothing */
};
/* Stores the outcome, unless another sender has taken the delivery since. A suspension of the
 * channel is an event. In a transaction. */
enum result delivery_store(struct db *db, const struct delivery_outcome *outcome,
			   struct instant now, struct error *error) MUST_USE;

/* Queues reminders of incidents that are still open. One statement. */
enum result deliveries_remind(struct db *db, struct instant now, struct error *error) MUST_USE;
/* Suspends the queued deliveries of a channel. */
enum result deliveries_suspend(struct db *db, int64_t channel_id, struct instant now,
			       struct error *error) MUST_USE;
/* Queues the suspended deliveries of a channel again, if they first became due in the last
 * DELIVERY_TRIED_S. */
enum result deliveries_resume(struct db *db, int64_t channel_id, struct instant now,
			      struct error *error) MUST_USE;
/* Deletes old deliveries, and rows of the outbox that have none. *is_more: call it again. */
enum result deliveries_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;

/* The query of the list for clients. */

struct delivery_query {
	struct list_query list;
	int state;	    /* enum delivery_state */
	int64_t channel_id; /* 0: any */
	int64_t subscriber_id;
};
struct delivery_list {
	struct delivery *rows; /* owned by the arena */
	size_t count;
	int64_t total;
};
enum result deliveries_list(struct db *db, const struct delivery_query *query, struct arena *arena,
			    struct delivery_list *list, struct error *error) MUST_USE;
/* Lists up to 1,000 deliveries above after_id, of the account (0: of all). */
enum result deliveries_after(struct db *db, int64_t account_id, int64_t after_id,
			     struct arena *arena, struct delivery_list *list, struct error *error)
	MUST_USE;
/* Finds a delivery, and locks it if for_update. E_NOT_FOUND. */
enum result delivery_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			  struct arena *arena, struct delivery *delivery, struct error *error)
	MUST_USE;
/* Makes the delivery due now. */
enum result delivery_retry(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;

/* The state of the deliveries of all accounts, for doctor and metrics. */
struct delivery_health {
	int64_t queued;
	int64_t oldest_s; /* how long the oldest due delivery waits; 0: none */
	int64_t failed;	  /* in the last 24 hours */
	int64_t suspended_channels;
	int64_t unexpanded_s; /* how long the oldest row of the outbox waits for a sender; 0: none
			       */
};
enum result delivery_health_read(struct db *db, struct instant now, struct delivery_health *health,
				 struct error *error) MUST_USE;

#endif
