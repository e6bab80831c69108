/*
 * Deliveries: a message of an event for one receiver, and what follows from a try to send it
 * (contract section 14).
 */
#ifndef DOMAIN_NOTIFY_DELIVERY_H
#define DOMAIN_NOTIFY_DELIVERY_H

#include "base/field.h"

/* In the order of delivery_state_words; the database has the numbers. */
enum delivery_state {
	DELIVERY_QUEUED,	 /* to be sent, or to be tried again */
	DELIVERY_SENT,		 /* the receiver has accepted it */
	DELIVERY_FAILED,	 /* it is not tried again */
	DELIVERY_SUSPENDED,	 /* its channel is suspended, or disabled */
	DELIVERY_WITHDRAWN,	 /* before it was sent, what it says was over */
	DELIVERY_ANY_STATE = -1, /* of a query */
};
extern const char *const delivery_state_words[];

/* Deliveries of different lanes never wait for each other. The database has the numbers. */
enum delivery_lane { LANE_CHANNEL, LANE_SUBSCRIBER_MAIL, LANE_SUBSCRIBER_WEBHOOK };

struct delivery {
	int64_t id;
	int64_t account_id;
	int64_t channel_id;	  /* 0: for a subscriber */
	const char *channel_name; /* NULL: for a subscriber */
	int64_t subscriber_id;	  /* 0: for a channel */
	const char *subscriber_address;
	const char *kind; /* of the event */
	int64_t object_id;
	int state;
	int64_t tries;
	int64_t status;	      /* of the last response; 0: there was none */
	const char *response; /* what the receiver said, or why there was no response */
	struct instant created_at;
	struct instant due_at; /* of the next try; 0: there is none */
	struct instant tried_at;
};
extern const struct fields delivery_resource_fields;
extern const struct fields delivery_fields; /* for operators: with the account */

enum {
	DELIVERY_KEPT_S = 30 * 86400, /* after its end */
	DELIVERY_TRIED_S = 86400,     /* for so long a message is tried again */
	DELIVERY_RESPONSE_MAX_BYTES = 1000,
};

/* The result of a try. */
struct delivery_try {
	int status; /* of HTTP or SMTP; 0: no response came */
	bool is_accepted;
	bool is_mail;	       /* the status is of SMTP */
	bool is_final;	       /* no later try can do better */
	int64_t retry_after_s; /* that the receiver asks for; 0: none */
};

/* What follows. */
struct delivery_verdict {
	enum delivery_state state;
	int64_t wait_s;	       /* of a queued one: until the next try */
	bool suspends_channel; /* the receiver refuses all messages of the channel */
};

/*
 * `tries` includes this try, and `age_s` is the time since the message was due first. A failure
 * that may pass is tried again until DELIVERY_TRIED_S, at the earliest when the receiver says so;
 * other statuses are final. 401, 403, 404 and 410 suspend the channel, and the message with it.
 */
struct delivery_verdict delivery_judge(const struct delivery_try *result, int64_t tries,
				       int64_t age_s, uint32_t random);

#endif
