#include "publish/due.h"

#include <stdlib.h>
#include <string.h>

#include "base/backoff.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/metrics.h"
#include "base/sorted.h"
#include "store/page/publication.h"

enum {
	ROUND_PAGES_MAX = 1000,
	ROW_MAX_BYTES = 1024, /* the memory for a row of the list: a slug and a domain */
	FORGET_MS = 600000,   /* no due page waits so long for its next attempt */
};

static const struct backoff_rule page_rule = { .first_ms = 1000,
					       .most_ms = 60000,
					       .spread = BACKOFF_SPREAD };

struct due_failure {
	int64_t page_id;
	struct backoff backoff;
	bool is_told;
};

void due_done(struct due *due)
{
	free(due->failures);
	due->failures = NULL;
	due->failure_count = due->failure_room = 0;
}

/* Returns the index of the page's failure, or the index at which to insert it. */
static size_t place_of(const struct due *due, int64_t page_id)
{
	return SORTED_PLACE(struct due_failure, page_id, due->failures, due->failure_count,
			    page_id);
}

static struct due_failure *failure_of(const struct due *due, int64_t page_id)
{
	size_t at = place_of(due, page_id);
	bool is_there = at < due->failure_count && due->failures[at].page_id == page_id;
	return is_there ? &due->failures[at] : NULL;
}

static struct due_failure *add_failure(struct due *due, int64_t page_id)
{
	size_t at = place_of(due, page_id);
	due->failures = memory_grow(due->failures, &due->failure_room, due->failure_count + 1,
				    sizeof(*due->failures));
	memmove(&due->failures[at + 1], &due->failures[at],
		(due->failure_count - at) * sizeof(*due->failures));
	due->failure_count++;
	due->failures[at] = (struct due_failure){ .page_id = page_id };
	return &due->failures[at];
}

static void remove_failure(struct due *due, struct due_failure *failure)
{
	size_t at = (size_t)(failure - due->failures);
	due->failure_count--;
	memmove(failure, failure + 1, (due->failure_count - at) * sizeof(*failure));
}

/* Removes failures whose next attempt was due FORGET_MS ago. These pages are not due any more: they
 * were deleted, or another process has published them. */
static void forget_failures(struct due *due)
{
	size_t kept = 0;
	for (size_t i = 0; i < due->failure_count; i++)
		if (due->failures[i].backoff.until_ms > clock_ms() - FORGET_MS)
			due->failures[kept++] = due->failures[i];
	due->failure_count = kept;
}

static void delay_page(struct due *due, int64_t page_id)
{
	struct due_failure *failure = failure_of(due, page_id);
	if (!failure)
		failure = add_failure(due, page_id);
	backoff_fail(&failure->backoff, &page_rule, clock_ms());
}

static void note_page(struct due *due, const struct publication *row, const struct error *reason)
{
	struct due_failure *failure = failure_of(due, row->id);
	bool was_told = failure && failure->is_told;
	if (was_told != (reason != NULL) && due->tell)
		due->tell(due->context, row->slug, reason);
	if (reason) {
		delay_page(due, row->id);
		failure_of(due, row->id)->is_told = true;
	} else if (failure) {
		remove_failure(due, failure);
	}
}

/*
 * Notes that the database did not mark a page as published, which ends the round: the database
 * probably accepts no writes at all. The page waits like a page that failed. If only the row of
 * this page is locked, the next round publishes the other pages.
 */
static void note_refusal(struct due *due, const struct publication *row, const struct error *reason,
			 enum result result)
{
	delay_page(due, row->id);
	due->refused_page = row->id;
	due->refused = error_log(&due->refusal, result, "page %s: %s", row->slug,
				 reason->log[0] != '\0' ? reason->log : error_text(reason));
}

/* The next pages of the list. A page that waits after a failure is skipped. */
struct due_group {
	const struct publication *rows[PUBLISH_GROUP_MAX];
	struct publish_order orders[PUBLISH_GROUP_MAX];
	struct publish_outcome outcomes[PUBLISH_GROUP_MAX];
	size_t count;
};

/* Makes a group of rows, beginning at *at, and sets *at to the row after the group. */
static void make_group(struct due *due, const struct publication_list *list, size_t *at,
		       struct due_group *group, bool *is_waiting)
{
	group->count = 0;
	for (; *at < list->count && group->count < PUBLISH_GROUP_MAX; ++*at) {
		const struct publication *row = &list->rows[*at];
		const struct due_failure *failure = failure_of(due, row->id);
		if (failure && failure->backoff.until_ms > clock_ms()) {
			*is_waiting |= row->id == due->refused_page;
			continue;
		}
		group->orders[group->count] = (struct publish_order){ .page_id = row->id };
		group->rows[group->count++] = row;
	}
}

static enum result note_group(struct due *due, const struct due_group *group, bool *is_refused,
			      struct error *error)
{
	for (size_t i = 0; i < group->count && !*is_refused; i++) {
		const struct publication *row = group->rows[i];
		const struct error *reason = &group->outcomes[i].error;
		enum result result = group->outcomes[i].result;
		if (result == E_UNAVAILABLE) {
			*error = *reason;
			return result;
		}
		*is_refused = publish_is_refused(result);
		if (*is_refused)
			note_refusal(due, row, reason, result);
		else
			note_page(due, row, result == OK ? NULL : reason);
		if (result == OK)
			due->refused = OK;
		else
			due->last_failure = *reason;
		due->published += result == OK;
		if (due->progress)
			due->progress(due->context, row->slug, result == OK ? NULL : reason);
	}
	return OK;
}

static enum result publish_list(struct due *due, const struct publisher *publisher,
				const struct publication_list *list, bool *is_cut,
				struct error *error)
{
	bool is_refused = false, is_waiting = false;
	struct due_group group;
	for (size_t at = 0; at < list->count && !is_refused;) {
		make_group(due, list, &at, &group, &is_waiting);
		if (group.count == 0)
			break;
		if (!due->goes_on(due->context)) {
			*is_cut = true;
			return OK;
		}
		publish_group(publisher, group.orders, group.count, group.outcomes);
		enum result result = note_group(due, &group, &is_refused, error);
		if (result != OK)
			return result;
	}
	/* The round reports the refusal again until any page was published, or until the refused
	 * page is not due any more. */
	if (!is_refused && !is_waiting)
		due->refused = OK;
	if (due->refused != OK)
		*error = due->refusal;
	return due->refused;
}

/* Sets the metric METRIC_OLDEST_CHANGE: the time of the oldest unpublished change in the list. */
static void note_oldest(const struct publication_list *list)
{
	int64_t oldest_s = 0;
	for (size_t i = 0; i < list->count; i++) {
		int64_t since_s = list->rows[i].unpublished_since.s;
		if (since_s > 0 && (oldest_s == 0 || since_s < oldest_s))
			oldest_s = since_s;
	}
	metrics_set(METRIC_OLDEST_CHANGE, METRIC_UNLABELLED, oldest_s);
}

enum result due_round(struct due *due, struct instant now, struct instant settled, bool *is_more,
		      struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publisher publisher = due->publisher;
	struct publication_list list = { 0 };
	struct publication_due_query query = {
		.settled = settled,
		.now = now,
		/* Read one row more for each waiting page, so that waiting pages do not displace
		 * others. */
		.limit = ROUND_PAGES_MAX + due->failure_count,
	};
	*is_more = false;
	arena_init(&arena, query.limit * ROW_MAX_BYTES);
	publisher.now = now;
	publisher.arena = &arena;
	forget_failures(due);
	enum result result = publication_due(publisher.db, &query, &arena, &list, error);
	if (result == OK) {
		note_oldest(&list);
		result = publish_list(due, &publisher, &list, is_more, error);
	}
	if (result != OK)
		return result;
	*is_more |= list.count == query.limit;
	return OK;
}
