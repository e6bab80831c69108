/*
 * Deliveries: the messages about events, one for each channel or subscriber. A sender makes
 * deliveries from claimed rows of the outbox. It does so in the transaction that finishes these
 * rows, so that each event has one delivery for each channel. A sender then leases due deliveries,
 * sends them, and stores the outcomes. If a sender dies, another sender leases its deliveries when
 * their lease is over. So a message may be sent twice, with the same id.
 *
 * The messages of a channel are sent one at a time and in their order, so that "up" never overtakes
 * "down". A delivery waits while an older delivery of its channel is due or is to be tried again.
 */
#ifndef STORE_NOTIFY_DELIVERY_H
#define STORE_NOTIFY_DELIVERY_H

#include "domain/notify/delivery.h"
#include "store/notify/alert_channel.h"
#include "store/outbox.h"

/* Begins a condition that uses the index deliveries_lane_due, whose first column is the lane. */
#define ANY_LANE "lane IN (0, 1, 2) AND "

/* The event of a claimed row of the outbox, for which deliveries are made. */
struct delivery_event {
	int64_t outbox_id;
	int64_t account_id;
	enum alert_event event;
	const char *kind;
	int64_t object_id;
	struct instant at;
	/* The monitors that the event concerns. An event without monitors goes to the channels that
	 * take all monitors. An ALERT_CHECKER also goes to each channel that at least one monitor
	 * has. */
	struct id_list monitors;
	bool is_update; /* the event also goes to channels that want updates */
};

/*
 * Makes the deliveries of the events, which must be sorted by outbox_id. Call it in a transaction.
 * If an outage has ended before its delayed "down" was sent, withdraws the "down", the "up", and
 * the deliveries between them. A channel gets no events that are older than the channel. The number
 * of statements does not depend on the number of channels.
 */
enum result deliveries_make(struct db *db, const struct delivery_event *events, size_t count,
			    struct instant now, struct error *error) MUST_USE;

/* A delivery to be sent, with all data for its message. */
struct leased_delivery {
	int64_t id;
	int64_t account_id;
	int64_t channel_id;
	int64_t round; /* the number of the reminder, from 1; 0: the event is no reminder */
	int64_t event; /* enum alert_event */
	const char *kind;
	int64_t object_id;
	int64_t tries; /* the number of tries, including the present try */
	struct instant first_due_at;
	struct instant at;    /* the time of the event */
	const char *payload;  /* see store/outbox.h */
	int64_t is_withdrawn; /* the message is about a posted update that was deleted */
	int64_t type;
	const char *sealed_value;
};
struct delivery_lease {
	int64_t lease; /* a random number above 0 */
	struct instant now;
	struct instant until;
	size_t most;		      /* at most DELIVERY_LEASE_MAX */
	struct id_list busy_accounts; /* sorted; accounts with too many deliveries in progress */
	struct id_list busy;	      /* sorted; deliveries that the caller is sending */
};
enum { DELIVERY_LEASE_MAX = 64 };
/* Appends the condition that a delivery `d` is neither busy nor of a busy account. */
void delivery_lease_leaves_out(struct sql_build *sql, const struct delivery_lease *lease,
			       struct arena *arena);
/* Leases the deliveries of `ids` that are still due. One statement. */
enum result delivery_lease_take(struct db *db, const struct delivery_lease *lease,
				const struct id_list *ids, struct arena *arena, struct error *error)
	MUST_USE;
/* Leases due deliveries: first deliveries that were not tried before, then the oldest. Returns a
 * list of struct leased_delivery. Runs up to four statements. Call it outside a transaction. */
enum result deliveries_lease(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			     struct db_list *rows, struct error *error) MUST_USE;

/* Extends the lease of the deliveries lease->busy, except those that another sender has leased. One
 * statement. */
enum result deliveries_renew(struct db *db, const struct delivery_lease *lease, struct arena *arena,
			     struct error *error) MUST_USE;

/* The outcome of one try to send a delivery. */
struct delivery_outcome {
	int64_t id;
	int64_t account_id;
	int64_t channel_id;
	int64_t lease;
	struct delivery_verdict verdict;
	int status;
	const char *response; /* the receiver's response; NULL: none */
};
/* Stores the outcome, unless another sender has leased the delivery in the meantime. If the verdict
 * suspends the channel, does so, and appends an event. Call it in a transaction. */
enum result delivery_store(struct db *db, const struct delivery_outcome *outcome,
			   struct instant now, struct error *error) MUST_USE;

/* Queues the due reminders of open incidents that nobody has acknowledged. Runs one statement if no
 * reminder is due. */
enum result deliveries_remind(struct db *db, struct instant now, struct error *error) MUST_USE;
/* Sets the queued deliveries of a channel to the state suspended. */
enum result deliveries_suspend(struct db *db, int64_t channel_id, struct instant now,
			       struct error *error) MUST_USE;
/* Queues the suspended deliveries of a channel again, except those that first became due more than
 * DELIVERY_TRIED_S ago. */
enum result deliveries_resume(struct db *db, int64_t channel_id, struct instant now,
			      struct error *error) MUST_USE;
/* Deletes deliveries older than DELIVERY_KEPT_S, and finished rows of the outbox that have no
 * deliveries. If *is_more is true, call it again. */
enum result deliveries_prune(struct db *db, struct instant now, bool *is_more, struct error *error)
	MUST_USE;

/* The query of a list of deliveries, for clients. */

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
/* Lists up to 1,000 deliveries of the account (0: of all accounts) with ids above after_id. */
enum result deliveries_after(struct db *db, int64_t account_id, int64_t after_id,
			     struct arena *arena, struct delivery_list *list, struct error *error)
	MUST_USE;
/* Finds a delivery of the account (0: of any account), and locks it if for_update. E_NOT_FOUND:
 * there is none. */
enum result delivery_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
			  struct arena *arena, struct delivery *delivery, struct error *error)
	MUST_USE;
/* Makes the delivery due now. */
enum result delivery_retry(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;

/* The state of the deliveries of all accounts, for `daymarkctl doctor` and metrics. */
struct delivery_health {
	int64_t queued;
	int64_t oldest_s; /* seconds since the oldest due delivery became due; 0: none is due */
	int64_t failed;	  /* deliveries that failed in the last 24 hours */
	int64_t suspended_channels;
	int64_t unexpanded_s; /* seconds for which the oldest row of the outbox has waited for a
				 sender; 0: no row waits */
};
enum result delivery_health_read(struct db *db, struct instant now, struct delivery_health *health,
				 struct error *error) MUST_USE;

#endif
