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
#include "notify/mailing.h"
#include "store/notify/delivery.h"

enum {
	LANES = 16,
	LANES_OF_ACCOUNT = LANES / 4,
	LOOK_MS = 500, /* between two searches for due rows */
	REMIND_S = 30, /* between two searches for due reminders */
	PRUNE_S = 600, /* between two searches for rows that are too old */
	LEASE_S = 15,  /* seconds until a lease ends; other senders then take over the
			  deliveries of a killed sender */
	RENEW_S = 5,
	ARENA_MAX_BYTES = 512 << 20,
	LANE_MAX_BYTES = 64 << 20,
};

/* A thread that sends a message. */
struct lane {
	struct sender *sender;
	struct loop_job job;
	struct courier *courier;
	bool is_busy;
	bool is_over;	    /* the outcome is to be stored */
	struct arena arena; /* owns the message */
	struct leased_delivery delivery;
	struct courier_outcome outcome;
	struct delivery_verdict verdict;
};

struct sender {
	struct loop *loop;
	const struct config *config;
	struct db *db;
	struct loop_timer look;
	struct lane lanes[LANES];
	struct mailing *mailing; /* sends messages to subscribers */
	int64_t lease;		 /* of this process */
	struct instant reminded_at, pruned_at, renewed_at;
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

/* Whether the delivery has no content, because its update was withdrawn. */
static bool is_void(const struct leased_delivery *delivery)
{
	enum event_kind kind = event_kind_of(delivery->kind);
	return delivery->is_withdrawn &&
	       (kind == EVENT_INCIDENT_UPDATE_POSTED || kind == EVENT_INCIDENT_COMMENTED ||
		kind == EVENT_MAINTENANCE_UPDATE_POSTED);
}

/* Sends the message of the lane. Runs in the thread of the lane. */
static void send_message(void *context)
{
	struct lane *lane = context;
	const struct leased_delivery *delivery = &lane->delivery;
	struct alert_channel channel = { .id = delivery->channel_id,
					 .account_id = delivery->account_id,
					 .type = (int)delivery->type };
	struct signing_key key;
	struct alert alert;
	lane->outcome = (struct courier_outcome){ .result.is_final = true,
						  .response = "the message cannot be made" };
	if (is_void(delivery)) {
		lane->outcome.response = "the update was withdrawn before it was sent";
		return;
	}
	if (delivery->type < 0 || delivery->type >= ALERT_CHANNEL_TYPES ||
	    !alert_of_delivery(delivery, lane->sender->config->base_url, &lane->arena, &alert))
		return;
	/* The key may be readable again soon, so another attempt follows. */
	if (!signing_key_load(lane->sender->config->pages_dir, &key)) {
		lane->outcome = (struct courier_outcome){
			.response = "the key in the pages folder cannot be read"
		};
		return;
	}
	lane->outcome.response = "the value of the channel cannot be decrypted";
	if (!channel_value_open(&channel.value, channel.account_id, delivery->sealed_value, &key,
				&lane->arena))
		return;
	courier_send(lane->courier, &channel, &alert, &key, &lane->arena, &lane->outcome);
}

static void note(struct sender *sender, enum delivery_state state)
{
	metrics_add(METRIC_DELIVERIES, METRIC_LABELS((uint16_t)state), 1);
	if (state == DELIVERY_SENT)
		sender->count.sent++;
	else if (state == DELIVERY_QUEUED)
		sender->count.waiting++;
	else if (state != DELIVERY_WITHDRAWN)
		sender->count.failed++;
}

static void end_message(void *context)
{
	struct lane *lane = context;
	const struct leased_delivery *delivery = &lane->delivery;
	uint32_t random;
	secret_random(&random, sizeof(random));
	if (is_void(delivery))
		lane->verdict = (struct delivery_verdict){ .state = DELIVERY_WITHDRAWN };
	else
		lane->verdict = delivery_judge(&lane->outcome.result, delivery->tries,
					       clock_now().s - delivery->first_due_at.s, random);
	lane->is_over = true;
	loop_timer_set(lane->sender->loop, &lane->sender->look, clock_ms());
}

static enum result store_work(struct db *db, void *context, struct error *error)
{
	const struct lane *lane = context;
	const struct delivery_outcome outcome = { .id = lane->delivery.id,
						  .account_id = lane->delivery.account_id,
						  .channel_id = lane->delivery.channel_id,
						  .lease = lane->sender->lease,
						  .verdict = lane->verdict,
						  .status = lane->outcome.result.status,
						  .response = lane->outcome.response };
	return delivery_store(db, &outcome, clock_now(), error);
}

/* Stores the outcomes of messages. The lanes keep the outcomes while the database cannot be
 * reached. */
static enum result store_outcomes(struct sender *sender, struct error *error)
{
	enum result result = OK;
	for (size_t i = 0; i < LANES && result == OK; i++) {
		struct lane *lane = &sender->lanes[i];
		if (!lane->is_over)
			continue;
		result = db_transact(sender->db, DB_WRITE, store_work, lane, error);
		if (result != OK)
			break;
		note(sender, lane->verdict.state);
		if (lane->verdict.suspends_channel)
			log_warn("notify", "channel %lld is suspended, since its receiver said: %s",
				 (long long)lane->delivery.channel_id, lane->outcome.response);
		arena_reset(&lane->arena);
		lane->is_busy = lane->is_over = false;
	}
	return result;
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

/* Returns the data of the next lease: how many deliveries to lease, and which deliveries this
 * process is already sending. */
static struct delivery_lease lease_of(struct sender *sender, struct arena *arena)
{
	struct instant now = clock_now();
	struct delivery_lease lease = {
		.lease = sender->lease,
		.now = now,
		.until = { now.s + LEASE_S },
		.busy_accounts = { ARENA_ARRAY(arena, LANES, int64_t), 0 },
		.busy = { ARENA_ARRAY(arena, LANES, int64_t), 0 },
	};
	/* The largest number of lanes of an account that has fewer than LANES_OF_ACCOUNT. */
	size_t most = 0;
	for (size_t i = 0; i < LANES; i++) {
		const struct leased_delivery *delivery = &sender->lanes[i].delivery;
		if (!sender->lanes[i].is_busy)
			continue;
		size_t count = count_lanes(sender, delivery->account_id);
		lease.busy.ids[lease.busy.count++] = delivery->id;
		if (count >= LANES_OF_ACCOUNT)
			lease.busy_accounts.ids[lease.busy_accounts.count++] = delivery->account_id;
		else if (count > most)
			most = count;
	}
	/* All new deliveries may belong to the account that has `most` lanes. An account may have
	 * at most LANES_OF_ACCOUNT lanes. */
	size_t idle = LANES - lease.busy.count;
	lease.most = idle < LANES_OF_ACCOUNT - most ? idle : LANES_OF_ACCOUNT - most;
	id_list_settle(&lease.busy_accounts);
	id_list_settle(&lease.busy);
	return lease;
}

/* Whether periodic work is due: *done_at is at least `every_s` seconds ago, or in the future
 * because the clock was set back. If so, sets *done_at to now. */
static bool is_due(struct instant *done_at, int64_t every_s)
{
	struct instant now = clock_now();
	if (now.s >= done_at->s && now.s - done_at->s < every_s)
		return false;
	*done_at = now;
	return true;
}

static enum result renew(struct sender *sender, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, ARENA_MAX_BYTES);
	if (!is_due(&sender->renewed_at, RENEW_S))
		return OK;
	const struct delivery_lease lease = lease_of(sender, &arena);
	return deliveries_renew(sender->db, &lease, &arena, error);
}

/* Leases due deliveries, at most one for each free lane, and sends them. Sets *is_more if other
 * deliveries may be due. */
static enum result send_due(struct sender *sender, bool *is_more, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct db_list found = { 0 };
	arena_init(&arena, ARENA_MAX_BYTES);
	const struct delivery_lease lease = lease_of(sender, &arena);
	*is_more = false;
	if (lease.most == 0)
		return OK;
	enum result result = deliveries_lease(sender->db, &lease, &arena, &found, error);
	const struct leased_delivery *rows = found.rows;
	for (size_t i = 0; result == OK && i < found.count; i++) {
		struct lane *lane = free_lane(sender);
		lane->is_busy = true;
		lane->delivery = copy_of(&rows[i], &lane->arena);
		loop_job_start(&lane->job);
	}
	*is_more = result == OK && found.count > 0;
	return result;
}

static enum result tend(struct sender *sender, struct error *error)
{
	struct instant now = clock_now();
	enum result result = OK;
	if (is_due(&sender->reminded_at, REMIND_S))
		result = deliveries_remind(sender->db, now, error);
	bool is_more = is_due(&sender->pruned_at, PRUNE_S);
	while (result == OK && is_more)
		result = deliveries_prune(sender->db, now, &is_more, error);
	return result;
}

static enum result turn(struct sender *sender, bool *is_more, struct error *error)
{
	bool has_rows = false, has_deliveries = false;
	enum result result = store_outcomes(sender, error);
	if (result == OK)
		result = renew(sender, error);
	if (result == OK)
		result = expand_outbox(sender->db, &has_rows, error);
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
		enum result stored = store_outcomes(sender, &error);
		if (count_lanes(sender, 0) == 0 && mailing_is_idle(sender->mailing))
			loop_stop(sender->loop);
		else if (stored != OK || count_lanes(sender, 0) == 0)
			loop_timer_set(sender->loop, &sender->look, clock_ms() + LOOK_MS);
		return;
	}
	enum result result = turn(sender, &is_more, &error);
	if (result != OK && sender->result == OK)
		log_warn("notify", "no messages are sent now: %s", error_text(&error));
	else if (result == OK && sender->result != OK)
		log_info("notify", "messages are sent again");
	sender->result = result;
	sender->error = error;
	bool is_idle = result != OK || (!is_more && count_lanes(sender, 0) == 0 &&
					mailing_is_done(sender->mailing));
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
	opened->lease = secret_number();
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
	if (result == OK)
		result = mailing_open(&opened->mailing, loop, config, &opened->count, error);
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

bool sender_close(struct sender *sender, int64_t ms)
{
	bool is_closed = true;
	sender->is_leaving = true;
	loop_timer_set(sender->loop, &sender->look, clock_ms());
	mailing_leave(sender->mailing);
	loop_run_until(sender->loop, clock_ms() + ms);
	loop_timer_cancel(sender->loop, &sender->look);
	for (size_t i = 0; i < LANES; i++)
		is_closed = loop_job_close(&sender->lanes[i].job) && is_closed;
	if (!mailing_close(sender->mailing) || !is_closed)
		return false;
	for (size_t i = 0; i < LANES; i++) {
		courier_close(sender->lanes[i].courier);
		arena_done(&sender->lanes[i].arena);
	}
	db_free(sender->db);
	free(sender);
	return true;
}
