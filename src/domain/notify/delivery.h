/*
 * A delivery is a message about an event for one receiver. This file also has the rules for the
 * outcome of a try to send it (contract section 14).
 */
#ifndef DOMAIN_NOTIFY_DELIVERY_H
#define DOMAIN_NOTIFY_DELIVERY_H

#include "base/field.h"

/* In the order of delivery_state_words. The database stores the numbers. */
enum delivery_state {
	DELIVERY_QUEUED,	 /* waits for its first or its next try */
	DELIVERY_SENT,		 /* the receiver has accepted it */
	DELIVERY_FAILED,	 /* is not tried again */
	DELIVERY_SUSPENDED,	 /* the channel is suspended, or disabled */
	DELIVERY_WITHDRAWN,	 /* what it reports was over before it was sent */
	DELIVERY_ANY_STATE = -1, /* in a query: any state */
};
extern const char *const delivery_state_words[];

/* The queues of deliveries. Deliveries in different lanes never wait for each other. The database
 * stores the numbers. */
enum delivery_lane { LANE_CHANNEL, LANE_SUBSCRIBER_MAIL, LANE_SUBSCRIBER_WEBHOOK };

struct delivery {
	int64_t id;
	int64_t account_id;
	int64_t channel_id;	  /* 0: for a subscriber */
	const char *channel_name; /* NULL: for a subscriber */
	int64_t subscriber_id;	  /* 0: for a channel */
	const char *subscriber_address;
	const char *kind; /* the kind of the event */
	int64_t object_id;
	int state;
	int64_t tries;
	int64_t status;	      /* the status of the last response; 0: there was no response */
	const char *response; /* the receiver's text, or why there was no response */
	struct instant created_at;
	struct instant due_at; /* when the next try is due; 0: there is no further try */
	struct instant tried_at;
};
extern const struct fields delivery_resource_fields;
extern const struct fields delivery_fields; /* for operators: with the account */

enum {
	DELIVERY_KEPT_S = 30 * 86400, /* how long deliveries are kept after their end */
	DELIVERY_TRIED_S = 86400,     /* how long a message is tried again */
	DELIVERY_RESPONSE_MAX_BYTES = 1000,
};

/* The result of a try. */
struct delivery_try {
	int status; /* the status of HTTP or SMTP; 0: no response came */
	bool is_accepted;
	bool is_mail;	       /* the status is of SMTP */
	bool is_final;	       /* each later try would fail */
	int64_t retry_after_s; /* the wait that the receiver asks for; 0: none */
};

/* What a try changes: the state of the delivery, the time of its next try, and the channel. */
struct delivery_verdict {
	enum delivery_state state;
	int64_t wait_s;	       /* of a queued delivery: the wait until the next try */
	bool suspends_channel; /* the receiver refuses all messages of the channel */
};

/*
 * Returns the verdict on a try. `tries` includes this try; `age_s` is the time since the message
 * was first due. After a temporary failure the message is sent again, until it is DELIVERY_TRIED_S
 * old, and not earlier than the receiver asks for. Any other failure is final. The HTTP statuses
 * 401, 403, 404 and 410 suspend the channel and the delivery.
 */
struct delivery_verdict delivery_judge(const struct delivery_try *result, int64_t tries,
				       int64_t age_s, uint32_t random);

#endif
