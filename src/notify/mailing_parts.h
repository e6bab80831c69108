/* The parts of mailing.c, each for one thread. Only for mailing*.c. */
#ifndef NOTIFY_MAILING_PARTS_H
#define NOTIFY_MAILING_PARTS_H

#include <stdatomic.h>

#include "base/backoff.h"
#include "base/loop_job.h"
#include "domain/page/site.h"
#include "notify/courier.h"
#include "notify/mailing.h"
#include "notify/notice_message.h"
#include "notify/sent_journal.h"

enum {
	LANES_OF_KIND = 8,
	LANES_OF_ACCOUNT = LANES_OF_KIND * 3 / 4,
	KINDS = 2, /* mail and webhooks */
	LANES = KINDS * LANES_OF_KIND,
	MESSAGES_OF_LANE = 32,
	LANE_S = 5, /* seconds after which a lane begins no further message */
	LOOK_MS = 500,
	LEASE_S = 15,
	RENEW_S = 5,
	LANE_MAX_BYTES = 256 << 20,
	MAILING_PAGE_MAX_BYTES = 256 << 20, /* memory for the content of a page */
};

/* A thread that sends some messages. */
struct mailing_lane {
	struct mailing *mailing;
	struct loop_job job;
	struct courier *courier;
	enum delivery_lane kind;
	/* While `seen` has LANE_SENDS for a lane, the planning thread may read only the lane's
	 * account_id, count and message ids, which do not change. It may set only
	 * leased_until_ms. */
	enum lane_state { LANE_FREE, LANE_FILLED, LANE_SENDS, LANE_SENT } state;
	struct arena arena; /* owns the messages */
	int64_t account_id;
	atomic_llong leased_until_ms; /* a time of clock_ms() */
	struct notice_message messages[MESSAGES_OF_LANE];
	struct notice_outcome outcomes[MESSAGES_OF_LANE];
	size_t count;
};

struct mailing {
	struct loop *loop;
	const struct config *config;
	struct site site;
	struct arena arena; /* owns the site */
	struct db *db;	    /* used only by the planning thread */
	struct loop_job plan;
	struct loop_timer look;
	struct mailing_lane lanes[LANES];
	enum lane_state seen[LANES]; /* the states when planning began */
	int64_t lease;
	int64_t leased_until_ms; /* the end of the newest lease, in milliseconds of clock_ms() */
	struct sent_journal journal;
	bool is_recovered; /* sent_journal_recover() has succeeded */
	struct instant renewed_at;
	struct backoff backoff;
	struct sender_count *count;
	struct sender_count stored; /* counts outcomes that the last mailing_plan() stored */
	enum result result;
	struct error error;
	bool is_planning, is_more, has_work;
	atomic_bool is_leaving;
};

/* Sends the messages of a lane, which is the context. Runs in the lane's thread. */
void mailing_send(void *context);
/* Stores the outcomes of messages, makes deliveries, and fills free lanes. The context is the
 * mailing. Runs in the planning thread. */
void mailing_plan(void *context);

#endif
