/* The work of the planning thread: it makes messages and stores their outcomes. */
#include "notify/mailing_parts.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/secret.h"
#include "notify/expand.h"
#include "store/snapshot/page_content.h"

static void note(struct mailing *mailing, enum delivery_state state, int64_t count)
{
	metrics_add(METRIC_DELIVERIES, METRIC_LABELS((uint16_t)state), (uint64_t)count);
	if (state == DELIVERY_SENT)
		mailing->stored.sent += count;
	else if (state == DELIVERY_QUEUED)
		mailing->stored.waiting += count;
	else
		mailing->stored.failed += count;
}

/* Counts the free lanes of the kind. */
static size_t free_lanes(const struct mailing *mailing, enum delivery_lane kind)
{
	size_t count = 0;
	for (size_t i = 0; i < LANES; i++)
		count += mailing->lanes[i].kind == kind && mailing->seen[i] == LANE_FREE;
	return count;
}

/* Stores the outcomes of messages. The lanes keep the outcomes while the database cannot be
 * reached. */
static enum result store_outcomes(struct mailing *mailing, struct error *error)
{
	enum result result = OK;
	for (size_t i = 0; i < LANES && result == OK; i++) {
		struct mailing_lane *lane = &mailing->lanes[i];
		if (mailing->seen[i] != LANE_SENT)
			continue;
		result = notices_commit(mailing->db, mailing->lease, lane->outcomes, lane->count,
					error);
		if (result != OK)
			break;
		for (size_t j = 0; j < lane->count; j++)
			if (!lane->outcomes[j].is_unsent)
				note(mailing, lane->outcomes[j].verdict.state, 1);
		arena_reset(&lane->arena);
		lane->count = 0;
		mailing->seen[i] = lane->state = LANE_FREE;
	}
	if (result == OK && free_lanes(mailing, LANE_SUBSCRIBER_MAIL) == LANES_OF_KIND &&
	    free_lanes(mailing, LANE_SUBSCRIBER_WEBHOOK) == LANES_OF_KIND)
		sent_journal_clear(&mailing->journal);
	return result;
}

static enum result recover(struct mailing *mailing, struct error *error)
{
	enum result result = mailing->is_recovered
				     ? OK
				     : sent_journal_recover(&mailing->journal, mailing->db, error);
	mailing->is_recovered = result == OK;
	return result;
}

static enum result renew(struct mailing *mailing, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	const struct instant now = clock_now();
	struct delivery_lease lease = { .lease = mailing->lease, .until = { now.s + LEASE_S } };
	arena_init(&arena, LANE_MAX_BYTES);
	if (now.s >= mailing->renewed_at.s && now.s - mailing->renewed_at.s < RENEW_S)
		return OK;
	mailing->renewed_at = now;
	lease.busy.ids = ARENA_ARRAY(&arena, LANES * MESSAGES_OF_LANE, int64_t);
	for (size_t i = 0; i < LANES; i++)
		for (size_t j = 0; mailing->seen[i] != LANE_FREE && j < mailing->lanes[i].count;
		     j++)
			lease.busy.ids[lease.busy.count++] =
				mailing->lanes[i].messages[j].message_id;
	enum result result = deliveries_renew(mailing->db, &lease, &arena, error);
	for (size_t i = 0; result == OK && i < LANES; i++)
		if (mailing->seen[i] != LANE_FREE)
			mailing->lanes[i].leased_until_ms = clock_ms() + LEASE_S * 1000;
	return result;
}

static enum result expand_work(struct db *db, void *context, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct notice_event event;
	struct notice_scope scope;
	bool *is_more = context;
	arena_init(&arena, LANE_MAX_BYTES);
	enum result result = notice_next(db, &arena, &event, error);
	*is_more = result == OK;
	if (result == E_NOT_FOUND)
		return OK;
	if (result == OK)
		result = expand_read_scope(event.payload, &arena, &scope, error);
	return result == OK ? notices_make(db, &event, &scope, clock_now(), error) : result;
}

static size_t lanes_of(const struct mailing *mailing, enum delivery_lane kind, int64_t account_id)
{
	size_t count = 0;
	for (size_t i = 0; i < LANES; i++)
		count += mailing->lanes[i].kind == kind && mailing->seen[i] != LANE_FREE &&
			 mailing->lanes[i].account_id == account_id;
	return count;
}

/* Returns a lane of the kind that can take another message of the account; NULL: all lanes are
 * busy, or the account has its share of lanes. */
static struct mailing_lane *lane_for(struct mailing *mailing, enum delivery_lane kind,
				     int64_t account_id, size_t per_lane)
{
	struct mailing_lane *free_lane = NULL;
	for (size_t i = 0; i < LANES; i++) {
		struct mailing_lane *lane = &mailing->lanes[i];
		if (lane->kind != kind)
			continue;
		if (mailing->seen[i] == LANE_FILLED && lane->account_id == account_id &&
		    lane->count < per_lane)
			return lane;
		if (mailing->seen[i] == LANE_FREE)
			free_lane = lane;
	}
	if (!free_lane || lanes_of(mailing, kind, account_id) >= LANES_OF_ACCOUNT)
		return NULL;
	free_lane->account_id = account_id;
	free_lane->leased_until_ms = mailing->leased_until_ms;
	mailing->seen[free_lane - mailing->lanes] = free_lane->state = LANE_FILLED;
	return free_lane;
}

/* Leased messages of one kind, for which the content is made page by page. */
struct batch {
	struct mailing *mailing;
	enum delivery_lane kind;
	size_t per_lane;
	struct signing_key key;
	struct arena arena;
	const struct leased_notice *rows; /* sorted by page, message and id */
	size_t count;
	/* messages that are not sent now: withdrawn, failed, or to be leased again */
	struct notice_outcome *unsent;
	size_t unsent_count;
};

static void give_up(struct batch *batch, const struct leased_notice *notice,
		    enum delivery_state state)
{
	batch->unsent[batch->unsent_count++] = (struct notice_outcome){
		.message_id = notice->message_id,
		.subscriber_id = notice->subscriber_id,
		.is_unsent = true,
		.verdict.state = state,
	};
}

/* Counts a failed attempt for a message that cannot be made, because its page cannot be read or the
 * message is too large. A later attempt follows, so the messages of other pages need not wait. */
static void fail(struct batch *batch, const struct leased_notice *notice, const char *why)
{
	const struct delivery_try failed = { 0 };
	const int64_t age_s = clock_now().s - notice->first_due_at.s;
	uint32_t random;
	secret_random(&random, sizeof(random));
	batch->unsent[batch->unsent_count++] = (struct notice_outcome){
		.message_id = notice->message_id,
		.subscriber_id = notice->subscriber_id,
		.verdict = delivery_judge(&failed, notice->tries, age_s, random),
		.response = why,
	};
}

/* The last content. The next message often has the same events, and then uses it again. */
struct made {
	const struct leased_notice *events;
	size_t count;
	bool is_told;
	struct notice_content content;
};

static bool is_same(const struct made *made, const struct leased_notice *events, size_t count)
{
	bool is_same = made->count == count;
	for (size_t i = 0; is_same && i < count; i++)
		is_same = made->events[i].outbox_id == events[i].outbox_id;
	return is_same;
}

static void take_message(struct batch *batch, const struct page_snapshot *snapshot,
			 const struct leased_notice *events, size_t count, struct made *made)
{
	const struct config *config = batch->mailing->config;
	if (!is_same(made, events, count)) {
		*made = (struct made){ .events = events, .count = count };
		made->is_told =
			notice_content_make(snapshot, events, count, &batch->arena, &made->content);
	}
	if (!made->is_told) {
		give_up(batch, events, DELIVERY_WITHDRAWN);
		return;
	}
	struct mailing_lane *lane =
		lane_for(batch->mailing, batch->kind, events->account_id, batch->per_lane);
	if (!lane || !arena_has_room(&lane->arena))
		give_up(batch, events, DELIVERY_QUEUED);
	else if (notice_message_make(&made->content, events, config, &batch->key, &lane->arena,
				     &lane->messages[lane->count]))
		lane->count++;
	else
		fail(batch, events, "the message is too large");
}

/* Makes the messages of a page from the rows of the page. */
static enum result take_page(struct batch *batch, const struct leased_notice *rows, size_t count,
			     struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct mailing *mailing = batch->mailing;
	const struct page_content_query query = { &rows->page_id, 1, clock_now(), 0 };
	struct page_content_list list = { 0 };
	struct made made = { 0 };
	arena_init(&arena, MAILING_PAGE_MAX_BYTES);
	enum result result = page_content_read(mailing->db, &query, &arena, &list, error);
	if (result == E_FAILED || result == E_TOO_LARGE) {
		log_warn("notify", "page %lld: %s", (long long)rows->page_id, error_text(error));
		for (size_t i = 0; i < count; i++)
			if (i == 0 || rows[i].message_id != rows[i - 1].message_id)
				fail(batch, &rows[i], "the page cannot be read");
		return OK;
	}
	if (result != OK)
		return result;
	struct page_content *content = &list.rows[0];
	struct status_page *page = &content->view.page;
	if (!site_shows(&mailing->site, page->domain))
		page->domain = NULL;
	if (content->is_found)
		content->view.url = status_page_url(page, mailing->config->base_url, &arena);
	for (size_t from = 0, size; from < count; from += size) {
		for (size = 1;
		     from + size < count && rows[from + size].message_id == rows[from].message_id;)
			size++;
		if (!content->is_found || !page->allow_subscribers)
			give_up(batch, rows + from, DELIVERY_WITHDRAWN);
		else if (arena_has_room(&batch->arena))
			take_message(batch, &content->view, rows + from, size, &made);
		else
			give_up(batch, rows + from, DELIVERY_QUEUED);
	}
	return OK;
}

static int row_order(const void *a, const void *b)
{
	const struct leased_notice *left = a, *right = b;
	int order = (left->page_id > right->page_id) - (left->page_id < right->page_id);
	if (order == 0)
		order = (left->message_id > right->message_id) -
			(left->message_id < right->message_id);
	return order != 0 ? order : (left->id > right->id) - (left->id < right->id);
}

static enum result take_batch(struct batch *batch, struct db_list *found, struct error *error)
{
	enum result result = OK;
	struct leased_notice *rows = found->rows;
	if (found->count == 0)
		return OK;
	qsort(rows, found->count, sizeof(*rows), row_order);
	batch->unsent = ARENA_ARRAY(&batch->arena, found->count, struct notice_outcome);
	for (size_t from = 0, size; result == OK && from < found->count; from += size) {
		for (size = 1;
		     from + size < found->count && rows[from + size].page_id == rows[from].page_id;)
			size++;
		result = renew(batch->mailing, error);
		if (result == OK)
			result = take_page(batch, rows + from, size, error);
	}
	/* After a failure, store nothing: the messages are leased again when their lease has
	 * expired. */
	if (result == OK && batch->unsent_count > 0)
		result = notices_commit(batch->mailing->db, batch->mailing->lease, batch->unsent,
					batch->unsent_count, error);
	for (size_t i = 0; result == OK && i < batch->unsent_count; i++)
		if (batch->unsent[i].verdict.state == DELIVERY_WITHDRAWN)
			note(batch->mailing, DELIVERY_WITHDRAWN, 1);
	return result;
}

static void batch_done(struct batch *batch)
{
	arena_done(&batch->arena);
}

static enum result fill(struct mailing *mailing, enum delivery_lane kind, bool *is_more,
			struct error *error)
{
	struct batch batch CLEANUP(batch_done) = {
		.mailing = mailing,
		.kind = kind,
		/* A webhook may hang, and further messages of its lane would have to wait. */
		.per_lane = kind == LANE_SUBSCRIBER_MAIL ? MESSAGES_OF_LANE : 1,
	};
	const size_t lanes = free_lanes(mailing, kind);
	const struct instant now = clock_now();
	struct delivery_lease lease = {
		.lease = mailing->lease,
		.now = now,
		.until = { now.s + LEASE_S },
		.most = (lanes < LANES_OF_ACCOUNT ? lanes : LANES_OF_ACCOUNT) * batch.per_lane
	};
	struct db_list found = { 0 };
	arena_init(&batch.arena, MAILING_PAGE_MAX_BYTES);
	if (lanes == 0 || !signing_key_load(mailing->config->pages_dir, &batch.key))
		return OK;
	lease.busy.ids = ARENA_ARRAY(&batch.arena, LANES * MESSAGES_OF_LANE, int64_t);
	lease.busy_accounts.ids = ARENA_ARRAY(&batch.arena, LANES, int64_t);
	for (size_t i = 0; i < LANES; i++) {
		const struct mailing_lane *lane = &mailing->lanes[i];
		if (lane->kind != kind || mailing->seen[i] == LANE_FREE)
			continue;
		for (size_t j = 0; j < lane->count; j++)
			lease.busy.ids[lease.busy.count++] = lane->messages[j].message_id;
		if (lanes_of(mailing, kind, lane->account_id) >= LANES_OF_ACCOUNT)
			lease.busy_accounts.ids[lease.busy_accounts.count++] = lane->account_id;
	}
	id_list_settle(&lease.busy);
	id_list_settle(&lease.busy_accounts);
	mailing->leased_until_ms = clock_ms() + LEASE_S * 1000;
	enum result result = notices_lease(mailing->db, kind, &lease, &batch.arena, &found, error);
	*is_more |= found.count > 0;
	return result == OK ? take_batch(&batch, &found, error) : result;
}

void mailing_plan(void *context)
{
	struct mailing *mailing = context;
	struct error *error = &mailing->error;
	mailing->stored = (struct sender_count){ 0 };
	mailing->is_more = false;
	enum result result = recover(mailing, error);
	if (result == OK)
		result = store_outcomes(mailing, error);
	if (mailing->is_leaving) {
		mailing->result = result;
		return;
	}
	if (result == OK)
		result = renew(mailing, error);
	enum result expanded = result;
	if (result == OK)
		expanded =
			db_transact(mailing->db, DB_WRITE, expand_work, &mailing->is_more, error);
	/* Messages that exist are sent even if expand_work() failed. Without a mail server, mail
	 * waits until a server is configured. */
	if (result == OK && mailing->config->mail_server)
		result = fill(mailing, LANE_SUBSCRIBER_MAIL, &mailing->is_more, error);
	if (result == OK)
		result = fill(mailing, LANE_SUBSCRIBER_WEBHOOK, &mailing->is_more, error);
	mailing->result = result == OK ? expanded : result;
}
