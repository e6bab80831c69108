#include "notify/sender.h"

#include <stdlib.h>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/loop_job.h"
#include "base/memory.h"
#include "base/metrics.h"
#include "base/secret.h"
#include "notify/channel_value.h"
#include "notify/courier.h"
#include "notify/expand.h"
#include "store/notify/delivery.h"

enum {
	LANES = 16,
	LANES_OF_ACCOUNT = LANES / 4,
	LOOK_MS = 500, /* between looks for rows that are due */
	REMIND_S = 30, /* between looks for reminders, */
	PRUNE_S = 600, /* and for rows that are too old */
	LEASE_S = 4 * COURIER_LIMIT_S,
	ARENA_MAX_BYTES = 512 << 20,
	LANE_MAX_BYTES = 64 << 20,
};

/* A thread that sends a message. */
struct lane {
	struct sender *sender;
	struct loop_job job;
	struct courier *courier;
	bool is_busy;
	struct arena arena; /* of the message */
	struct leased_delivery delivery;
	struct courier_outcome outcome;
	int64_t lease;
	bool is_readable; /* the message could be made */
};

struct sender {
	struct loop *loop;
	const struct config *config;
	struct db *db;
	struct loop_timer look;
	struct lane lanes[LANES];
	struct instant reminded_at, pruned_at;
	struct backoff backoff;
	bool stops_when_idle, is_leaving;
	struct sender_count count;
	enum result result; /* of the last turn */
	struct error error;
};

static struct leased_delivery copy_of(const struct leased_delivery *from, struct arena *arena)
{
	struct leased_delivery copy = *from;
	copy.kind = arena_strdup(arena, from->kind);
	copy.payload = arena_strdup(arena, from->payload);
	copy.sealed_value = arena_strdup(arena, from->sealed_value);
	return copy;
}

/* In the thread of the lane. */
static void send_message(void *context)
{
	struct lane *lane = context;
	const struct leased_delivery *delivery = &lane->delivery;
	struct alert_channel channel = { .id = delivery->channel_id,
					 .account_id = delivery->account_id,
					 .type = (int)delivery->type };
	struct signing_key key;
	struct alert alert;
	lane->is_readable = false;
	lane->outcome = (struct courier_outcome){ .response = "the message cannot be made" };
	if (delivery->type < 0 || delivery->type >= ALERT_CHANNEL_TYPES ||
	    !alert_of_delivery(delivery, &lane->arena, &alert))
		return;
	if (!signing_key_load(lane->sender->config->pages_dir, &key) ||
	    !channel_value_open(&channel.value, channel.account_id, delivery->sealed_value, &key,
				&lane->arena)) {
		lane->outcome.response = "the value of the channel cannot be decrypted";
		return;
	}
	lane->is_readable = true;
	courier_send(lane->courier, &channel, &alert, &lane->arena, &lane->outcome);
}

struct storing {
	struct delivery_outcome outcome;
	struct instant now;
};

static enum result store_work(struct db *db, void *context, struct error *error)
{
	const struct storing *storing = context;
	return delivery_store(db, &storing->outcome, storing->now, error);
}

static void note(struct sender *sender, enum delivery_state state)
{
	metrics_add(METRIC_DELIVERIES, METRIC_LABELS((uint16_t)state), 1);
	if (state == DELIVERY_SENT)
		sender->count.sent++;
	else if (state == DELIVERY_QUEUED)
		sender->count.waiting++;
	else
		sender->count.failed++;
}

/* Stores what came of a message. If the database is away, the lease ends, and the message is sent
 * again. */
static void end_message(void *context)
{
	struct lane *lane = context;
	struct sender *sender = lane->sender;
	const struct leased_delivery *delivery = &lane->delivery;
	struct error error = { 0 };
	uint32_t random;
	secret_random(&random, sizeof(random));
	struct instant now = clock_now();
	struct storing storing = {
		.outcome = { .id = delivery->id,
			     .channel_id = delivery->channel_id,
			     .lease = lane->lease,
			     .status = lane->outcome.result.status,
			     .response = lane->outcome.response },
		.now = now,
	};
	storing.outcome.verdict = lane->is_readable
					  ? delivery_judge(&lane->outcome.result, delivery->tries,
							   now.s - delivery->created_at.s, random)
					  : (struct delivery_verdict){ .state = DELIVERY_FAILED };
	enum result result = db_transact(sender->db, DB_WRITE, store_work, &storing, &error);
	if (result != OK)
		log_warn("notify", "the outcome of delivery %lld is not stored: %s",
			 (long long)delivery->id, error_text(&error));
	note(sender, storing.outcome.verdict.state);
	if (storing.outcome.verdict.suspends_channel)
		log_warn("notify", "channel %lld is suspended, since its receiver said: %s",
			 (long long)delivery->channel_id, lane->outcome.response);
	arena_reset(&lane->arena);
	lane->is_busy = false;
	loop_timer_set(sender->loop, &sender->look, clock_ms());
}

static size_t count_lanes(const struct sender *sender, int64_t account_id)
{
	size_t count = 0;
	for (size_t i = 0; i < LANES; i++)
		count += sender->lanes[i].is_busy &&
			 (account_id == 0 || sender->lanes[i].delivery.account_id == account_id);
	return count;
}

static struct lane *free_lane(struct sender *sender)
{
	for (size_t i = 0; i < LANES; i++)
		if (!sender->lanes[i].is_busy)
			return &sender->lanes[i];
	return NULL;
}

/* Leases due deliveries, one for each free lane, and sends them. *is_more: there may be more. */
static enum result send_due(struct sender *sender, bool *is_more, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	int64_t busy[LANES];
	struct db_list found = { 0 };
	struct instant now = clock_now();
	struct delivery_lease lease = { .now = now,
					.until = { now.s + LEASE_S },
					.most = LANES - count_lanes(sender, 0),
					.busy_accounts = { busy, 0 } };
	*is_more = false;
	if (lease.most == 0)
		return OK;
	for (size_t i = 0; i < LANES; i++)
		if (sender->lanes[i].is_busy &&
		    count_lanes(sender, sender->lanes[i].delivery.account_id) >= LANES_OF_ACCOUNT)
			busy[lease.busy_accounts.count++] = sender->lanes[i].delivery.account_id;
	id_list_settle(&lease.busy_accounts);
	/* An account without a lane gets no more than its part at once. */
	if (lease.most > LANES_OF_ACCOUNT)
		lease.most = LANES_OF_ACCOUNT;
	arena_init(&arena, ARENA_MAX_BYTES);
	secret_random(&lease.lease, sizeof(lease.lease));
	lease.lease = (lease.lease & INT64_MAX) | 1;
	enum result result = deliveries_lease(sender->db, &lease, &arena, &found, error);
	const struct leased_delivery *rows = found.rows;
	for (size_t i = 0; result == OK && i < found.count; i++) {
		struct lane *lane = free_lane(sender);
		lane->is_busy = true;
		lane->lease = lease.lease;
		lane->delivery = copy_of(&rows[i], &lane->arena);
		loop_job_start(&lane->job);
	}
	*is_more = result == OK && found.count > 0;
	return result;
}

static enum result tend(struct sender *sender, struct error *error)
{
	struct instant now = clock_now();
	bool is_more = true;
	enum result result = OK;
	if (now.s - sender->reminded_at.s >= REMIND_S || now.s < sender->reminded_at.s) {
		result = deliveries_remind(sender->db, now, error);
		sender->reminded_at = now;
	}
	if (now.s - sender->pruned_at.s < PRUNE_S && now.s >= sender->pruned_at.s)
		return result;
	while (result == OK && is_more)
		result = deliveries_prune(sender->db, now, &is_more, error);
	sender->pruned_at = now;
	return result;
}

static enum result turn(struct sender *sender, bool *is_more, struct error *error)
{
	bool has_rows = false, has_deliveries = false;
	enum result result = expand_outbox(sender->db, &has_rows, error);
	if (result == OK)
		result = tend(sender, error);
	if (result == OK)
		result = send_due(sender, &has_deliveries, error);
	*is_more = has_rows || has_deliveries;
	return result;
}

static void look(void *context)
{
	static const struct backoff_rule rule = { 1000, 30000, BACKOFF_SPREAD };
	struct sender *sender = context;
	struct error error = { 0 };
	bool is_more = false;
	if (sender->is_leaving) {
		if (count_lanes(sender, 0) == 0)
			loop_stop(sender->loop);
		return;
	}
	enum result result = turn(sender, &is_more, &error);
	if (result != OK && sender->result == OK)
		log_warn("notify", "no messages are sent now: %s", error_text(&error));
	else if (result == OK && sender->result != OK)
		log_info("notify", "messages are sent again");
	sender->result = result;
	sender->error = error;
	bool is_idle = result != OK || (!is_more && count_lanes(sender, 0) == 0);
	if (sender->stops_when_idle && is_idle) {
		loop_stop(sender->loop);
		return;
	}
	if (result == OK)
		sender->backoff = (struct backoff){ 0 };
	else
		backoff_fail(&sender->backoff, &rule, clock_ms());
	loop_timer_set(sender->loop, &sender->look,
		       result != OK ? sender->backoff.until_ms
				    : clock_ms() + (is_more ? 0 : LOOK_MS));
}

enum result sender_open(struct sender **sender, struct loop *loop, const struct config *config,
			struct error *error)
{
	struct sender *opened = memory_needed(calloc(1, sizeof(*opened)));
	struct db_login login = db_login_of(config, false);
	enum result result = OK;
	opened->loop = loop;
	opened->config = config;
	opened->db = db_new(&login);
	opened->look = (struct loop_timer){ .call = look, .context = opened };
	for (size_t i = 0; result == OK && i < LANES; i++) {
		struct lane *lane = &opened->lanes[i];
		lane->sender = opened;
		lane->job = (struct loop_job){ .run = send_message,
					       .call = end_message,
					       .context = lane };
		arena_init(&lane->arena, LANE_MAX_BYTES);
		result = courier_open(&lane->courier, config, COURIER_LIMIT_S, error);
		if (result == OK && !loop_job_open(loop, &lane->job))
			result = error_log(error, E_FAILED, "too few threads or descriptors");
	}
	*sender = opened;
	if (result == OK)
		loop_timer_set(loop, &opened->look, clock_ms());
	return result;
}

void sender_stop_when_idle(struct sender *sender)
{
	sender->stops_when_idle = true;
}

struct sender_count sender_counted(const struct sender *sender)
{
	return sender->count;
}

enum result sender_last(const struct sender *sender, struct error *error)
{
	*error = sender->error;
	return sender->result;
}

static void stop(void *context)
{
	loop_stop(context);
}

bool sender_close(struct sender *sender, int64_t ms)
{
	struct loop_timer end = { .call = stop, .context = sender->loop };
	bool is_closed = true;
	sender->is_leaving = true;
	loop_timer_set(sender->loop, &end, clock_ms() + ms);
	loop_timer_set(sender->loop, &sender->look, clock_ms());
	loop_run(sender->loop);
	loop_timer_cancel(sender->loop, &end);
	loop_timer_cancel(sender->loop, &sender->look);
	for (size_t i = 0; i < LANES; i++)
		is_closed = loop_job_close(&sender->lanes[i].job) && is_closed;
	if (!is_closed)
		return false;
	for (size_t i = 0; i < LANES; i++) {
		courier_close(sender->lanes[i].courier);
		arena_done(&sender->lanes[i].arena);
	}
	db_free(sender->db);
	free(sender);
	return true;
}
