#include "notify/mailing_parts.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/secret.h"

static void begin_plan(void *context)
{
	struct mailing *mailing = context;
	if (mailing->is_planning)
		return;
	for (size_t i = 0; i < LANES; i++)
		mailing->seen[i] = mailing->lanes[i].state;
	mailing->is_planning = true;
	loop_job_start(&mailing->plan);
}

static bool has_state(const struct mailing *mailing, enum lane_state state)
{
	bool has = false;
	for (size_t i = 0; i < LANES; i++)
		has |= mailing->lanes[i].state == state;
	return has;
}

static void end_plan(void *context)
{
	static const struct backoff_rule rule = { 1000, 30000, BACKOFF_SPREAD };
	struct mailing *mailing = context;
	static const char away[] = "no messages are sent to subscribers now";
	bool was_ok = mailing->backoff.until_ms == 0;
	mailing->is_planning = false;
	mailing->count->sent += mailing->stored.sent;
	mailing->count->failed += mailing->stored.failed;
	mailing->count->waiting += mailing->stored.waiting;
	for (size_t i = 0; i < LANES; i++)
		if (mailing->lanes[i].state == LANE_FILLED) {
			mailing->lanes[i].state = LANE_SENDS;
			loop_job_start(&mailing->lanes[i].job);
		}
	if (mailing->result != OK) {
		if (was_ok)
			log_warn("notify", "%s: %s", away, error_text(&mailing->error));
		backoff_fail(&mailing->backoff, &rule, clock_ms());
	} else {
		mailing->backoff = (struct backoff){ 0 };
	}
	bool has_sent = has_state(mailing, LANE_SENT);
	mailing->has_work = mailing->result == OK &&
			    (mailing->is_more || has_sent || has_state(mailing, LANE_SENDS));
	loop_timer_set(mailing->loop, &mailing->look,
		       mailing->result != OK	      ? mailing->backoff.until_ms
		       : mailing->is_more || has_sent ? clock_ms()
						      : clock_ms() + LOOK_MS);
}

static void end_lane(void *context)
{
	struct mailing_lane *lane = context;
	lane->state = LANE_SENT;
	if (!lane->mailing->is_planning)
		loop_timer_set(lane->mailing->loop, &lane->mailing->look, clock_ms());
}

static enum result open_job(struct loop *loop, struct loop_job *job, struct error *error)
{
	return loop_job_open(loop, job)
		       ? OK
		       : error_log(error, E_FAILED, "too few threads or descriptors");
}

static enum result open_lane(struct mailing *mailing, size_t at, struct error *error)
{
	struct mailing_lane *lane = &mailing->lanes[at];
	lane->mailing = mailing;
	lane->kind = at < LANES_OF_KIND ? LANE_SUBSCRIBER_MAIL : LANE_SUBSCRIBER_WEBHOOK;
	lane->job = (struct loop_job){ .run = mailing_send, .call = end_lane, .context = lane };
	arena_init(&lane->arena, LANE_MAX_BYTES);
	enum result result = courier_open(&lane->courier, mailing->config, COURIER_LIMIT_S, error);
	/* Anybody can subscribe and so choose the receiver. So the courier sends only to public
	 * addresses. */
	if (result == OK && !mailing->config->allow_private_webhooks)
		courier_guard(lane->courier);
	return result == OK ? open_job(mailing->loop, &lane->job, error) : result;
}

enum result mailing_open(struct mailing **mailing, struct loop *loop, const struct config *config,
			 struct sender_count *count, struct error *error)
{
	struct mailing *opened = memory_needed(calloc(1, sizeof(*opened)));
	struct db_login login = db_login_of(config, false);
	arena_init(&opened->arena, 1 << 20);
	site_init(&opened->site, config, &opened->arena);
	opened->loop = loop;
	opened->config = config;
	opened->count = count;
	opened->db = db_new(&login);
	opened->lease = secret_number();
	sent_journal_open(&opened->journal, config->pages_dir, opened->lease);
	opened->has_work = true;
	opened->look = (struct loop_timer){ .call = begin_plan, .context = opened };
	opened->plan =
		(struct loop_job){ .run = mailing_plan, .call = end_plan, .context = opened };
	enum result result = open_job(loop, &opened->plan, error);
	for (size_t i = 0; result == OK && i < LANES; i++)
		result = open_lane(opened, i, error);
	*mailing = opened;
	loop_timer_set(loop, &opened->look, clock_ms());
	return result;
}

void mailing_leave(struct mailing *mailing)
{
	mailing->is_leaving = true;
	loop_timer_set(mailing->loop, &mailing->look, clock_ms());
}

bool mailing_is_idle(const struct mailing *mailing)
{
	return !mailing->is_planning && !has_state(mailing, LANE_SENDS) &&
	       !has_state(mailing, LANE_SENT);
}

bool mailing_is_done(const struct mailing *mailing)
{
	return !mailing->has_work && mailing_is_idle(mailing);
}

bool mailing_close(struct mailing *mailing)
{
	bool is_closed = true;
	if (!mailing)
		return true;
	loop_timer_cancel(mailing->loop, &mailing->look);
	is_closed = loop_job_close(&mailing->plan);
	for (size_t i = 0; i < LANES; i++)
		is_closed = loop_job_close(&mailing->lanes[i].job) && is_closed;
	if (!is_closed)
		return false;
	for (size_t i = 0; i < LANES; i++) {
		courier_close(mailing->lanes[i].courier);
		arena_done(&mailing->lanes[i].arena);
	}
	sent_journal_close(&mailing->journal, !has_state(mailing, LANE_SENT));
	db_free(mailing->db);
	arena_done(&mailing->arena);
	free(mailing);
	return true;
}
