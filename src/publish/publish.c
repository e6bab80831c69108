#include "publish/publish.h"

#include "base/clock.h"
#include "publish/page/page_job.h"

/* If a run has an allowance, a group has at most this many pages: the run checks the time only
 * between two groups. */
enum { BOUNDED_GROUP_MAX = 5 };

enum result publish_page(const struct publisher *publisher, const struct publish_order *order,
			 struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct publisher own = *publisher;
	struct page_job job;
	arena_init(&arena, PUBLISH_PAGE_MAX_BYTES);
	own.arena = &arena;
	page_job_start(&job, &own, order, &dir);
	enum result result = pages_dir_open(&dir, publisher->path, error);
	if (result == OK)
		result = page_job_run(&job, error);
	pages_dir_unlock(&job.lock);
	return result;
}

void publish_mark_later(const struct publisher *publisher, struct publication_mark mark)
{
	struct publish_rest *rest = publisher->rest;
	rest->rows =
		arena_grow(rest->arena, rest->rows, rest->count, &rest->room, sizeof(*rest->rows));
	rest->rows[rest->count++] = mark;
}

enum result publish_finish(const struct publisher *publisher, struct error *error)
{
	struct publish_rest *rest = publisher->rest;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < rest->count; i += PUBLICATION_MARKS_MAX) {
		size_t left = rest->count - i;
		result = publication_mark_all_published(
			publisher->db, &rest->rows[i],
			left < PUBLICATION_MARKS_MAX ? left : PUBLICATION_MARKS_MAX,
			publisher->arena, error);
	}
	rest->count = 0;
	replaced_files_free(&rest->replaced);
	return result;
}

/* Whether the run may publish another page. If so, reduces allowance->pages. If not, sets
 * is_cut. */
static bool may_go_on(struct publish_run *run)
{
	struct publish_allowance *allowance = run->allowance;
	if (!allowance)
		return true;
	if (allowance->pages > 0 && clock_ms() < allowance->until_ms) {
		allowance->pages--;
		return true;
	}
	run->is_cut = true;
	return false;
}

bool publish_ends(struct publish_run *run, enum result result)
{
	/* A locked row may cause one refusal. After two refusals in a row the database probably
	 * accepts no writes. */
	enum { REFUSALS_MAX = 2 };
	run->refusals = publish_is_refused(result) ? run->refusals + 1 : 0;
	return result == E_UNAVAILABLE || run->refusals == REFUSALS_MAX;
}

/* Makes an order for a page. For a page with unpublished changes, the order has the revision of the
 * row, so that the page is skipped if another publisher has already published this revision. If
 * is_all, no page is skipped. */
static struct publish_order order_of(const struct publish_run *run, const struct publication *row)
{
	struct publish_order order = { .page_id = row->id };
	if (!run->is_all && row->unpublished_since.s > 0) {
		order.epoch = row->epoch;
		order.revision = row->revision;
	}
	return order;
}

/* Counts the results of a group. Returns the result that ends the run, otherwise OK. */
static enum result count_group(struct publish_run *run, const struct publication *rows,
			       const struct publish_outcome *outcomes, size_t count,
			       struct error *error)
{
	for (size_t i = 0; i < count; i++) {
		enum result result = outcomes[i].result;
		run->is_cut |= result == E_TOO_SLOW;
		if (result == E_TOO_SLOW)
			continue;
		run->published += result == OK;
		run->failed += result != OK;
		if (result != OK)
			*error = outcomes[i].error;
		if (run->progress)
			run->progress(run->context, rows[i].slug,
				      result == OK ? NULL : &outcomes[i].error);
		if (publish_ends(run, result))
			return result;
	}
	return OK;
}

/* Publishes the first pages of the list, and sets *count to their number. */
static enum result run_group(const struct publisher *publisher, struct publish_run *run,
			     const struct publication_list *rest, size_t *count,
			     struct error *error)
{
	struct publish_order orders[PUBLISH_GROUP_MAX];
	struct publish_outcome outcomes[PUBLISH_GROUP_MAX];
	size_t most = run->allowance ? BOUNDED_GROUP_MAX : PUBLISH_GROUP_MAX;
	*count = 0;
	while (*count < rest->count && *count < most && may_go_on(run)) {
		orders[*count] = order_of(run, &rest->rows[*count]);
		++*count;
	}
	publish_group(publisher, orders, *count, outcomes);
	return count_group(run, rest->rows, outcomes, *count, error);
}

static enum result run_list(const struct publisher *publisher, struct publish_run *run,
			    const struct publication_list *list, struct error *error)
{
	enum result result = OK;
	size_t count;
	for (size_t i = 0; result == OK && i < list->count && !run->is_cut; i += count) {
		const struct publication_list rest = { &list->rows[i], list->count - i };
		result = run_group(publisher, run, &rest, &count, error);
	}
	return result;
}

static enum result run_pages(const struct publisher *publisher, struct publish_run *run,
			     struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publication_query query = { .is_all = run->is_all,
					   .monitor_ids = run->monitor_ids,
					   .monitor_count = run->monitor_count,
					   .account_id = run->account_id,
					   .now = publisher->now };
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	enum result result;
	arena_init(&arena, PUBLICATION_LIST_MAX_BYTES);
	do {
		arena_reset(&arena);
		result = publication_list(publisher->db, &query, after_id, &arena, &list, error);
		if (result == OK)
			result = run_list(publisher, run, &list, error);
		if (result == OK && list.count > 0)
			after_id = list.rows[list.count - 1].id;
	} while (result == OK && list.count == PUBLICATION_LIST_MAX && !run->is_cut);
	return result;
}

enum result publish_run(const struct publisher *publisher, struct publish_run *run,
			struct error *error)
{
	enum result result = OK;
	/* Record the deleted pages first: followers learn of deletions from these rows. */
	if (run->is_sweeping)
		result = publication_mark_orphans(publisher->db, error);
	if (result == OK)
		result = run_pages(publisher, run, error);
	if (result == OK && run->is_sweeping)
		result = publish_sweep(publisher, run, error);
	return result == OK && run->failed > 0 ? E_FAILED : result;
}
