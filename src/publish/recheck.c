#include "publish/recheck.h"

#include "base/clock.h"
#include "publish/folder/boot.h"
#include "publish/page/page_state.h"
#include "store/page/publication.h"

static bool goes_on(const struct publish_run *run)
{
	return !run->goes_on || run->goes_on(run->context);
}

static void end(struct recheck *recheck)
{
	if (recheck->dir.shared)
		pages_dir_close(&recheck->dir);
	recheck->after = (struct publication_turn){ 0 };
	recheck->is_compared = false;
	recheck->filled_to = 0;
	recheck->failed_count = 0;
	recheck->run.failed = 0;
}

/* Publishes one page. If the page fails, counts the failure and sets *has_failed. Returns OK, or a
 * failure that ends the round. */
static enum result publish(struct recheck *recheck, const struct publisher *publisher, int64_t id,
			   bool *has_failed, struct error *error)
{
	struct publish_run *run = &recheck->run;
	struct error failure = { 0 };
	enum result result =
		publish_page(publisher, &(struct publish_order){ .page_id = id }, &failure);
	*has_failed = result != OK;
	if (publish_ends(run, result)) {
		*error = failure;
		return result;
	}
	run->published += result == OK;
	run->failed += result != OK;
	return OK;
}

static enum result check_pages(struct recheck *recheck, const struct publisher *publisher,
			       bool *is_more, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publication_turn_list list = { 0 };
	enum result result;
	bool has_failed;
	arena_init(&arena, PUBLICATION_LIST_MAX_BYTES);
	do {
		arena_reset(&arena);
		result = publication_in_turn(publisher->db, &recheck->after, &arena, &list, error);
		for (size_t i = 0; result == OK && i < list.count; i++) {
			*is_more = !goes_on(&recheck->run);
			if (*is_more)
				return OK;
			result = publish(recheck, publisher, list.rows[i].id, &has_failed, error);
			if (result == OK)
				recheck->after = list.rows[i];
		}
	} while (result == OK && list.count == PUBLICATION_LIST_MAX);
	return result;
}

static enum result compare(struct recheck *recheck, const struct publisher *publisher,
			   bool *is_more, struct error *error)
{
	enum { AGAIN_MS = 3600000 };
	enum result result = check_pages(recheck, publisher, is_more, error);
	if (result != OK || *is_more)
		return result;
	recheck->is_compared = true;
	if (recheck->run.failed == 0)
		return boot_record(&recheck->dir, publisher->settings, error);
	recheck->again_ms = clock_ms() + AGAIN_MS;
	(void)error_log(&recheck->failure, E_FAILED, "%zu pages could not be compared",
			recheck->run.failed);
	return OK;
}

/* Whether the disk has the page's present revision, all files are unchanged, and the page is not
 * due. */
static bool is_there(const struct recheck *recheck, const struct publisher *publisher,
		     const struct publication *row)
{
	struct arena arena CLEANUP(arena_done);
	struct page_state state;
	struct error ignored = { 0 };
	arena_init(&arena, publisher->arena->cap_bytes);
	return page_state_read(&recheck->dir, row->id, &arena, &state, &ignored) == OK &&
	       state.is_known &&
	       page_state_is_current(&recheck->dir, &state, row, publisher->now, &arena);
}

static enum result fill_page(struct recheck *recheck, const struct publisher *publisher,
			     const struct publication *row, struct error *error)
{
	bool has_failed = false;
	enum result result = is_there(recheck, publisher, row)
				     ? OK
				     : publish(recheck, publisher, row->id, &has_failed, error);
	if (result != OK)
		return result;
	if (has_failed && recheck->failed_count++ < FILLED_FAILED_MAX)
		recheck->failed_ids[recheck->failed_count - 1] = row->id;
	recheck->filled_to = row->id;
	return OK;
}

/* Publishes the pages in the order of their ids. In the order of publication_in_turn(), a page
 * could be missed when another page is deleted during the run. */
static enum result fill_pages(struct recheck *recheck, const struct publisher *publisher,
			      bool *is_more, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct publication_query query = { .is_all = true, .now = publisher->now };
	struct publication_list list = { 0 };
	enum result result;
	arena_init(&arena, PUBLICATION_LIST_MAX_BYTES);
	do {
		arena_reset(&arena);
		result = publication_list(publisher->db, &query, recheck->filled_to, &arena, &list,
					  error);
		for (size_t i = 0; result == OK && i < list.count; i++) {
			*is_more = !goes_on(&recheck->run);
			if (*is_more)
				return OK;
			result = fill_page(recheck, publisher, &list.rows[i], error);
		}
	} while (result == OK && list.count == PUBLICATION_LIST_MAX);
	return result;
}

/* Fills the folder. Marks it as filled even if some pages cannot be published, so that mirrors get
 * the other pages. */
static enum result fill(struct recheck *recheck, const struct publisher *publisher, bool *is_more,
			struct error *error)
{
	enum result result = fill_pages(recheck, publisher, is_more, error);
	/* If the folder was lost or replaced during the round, fill the new folder. */
	if (result == OK && !*is_more)
		*is_more = !pages_dir_is_current(&recheck->dir, publisher->path);
	if (result != OK || *is_more)
		return result;
	size_t failed = recheck->failed_count;
	if (failed > 0)
		(void)error_log(&recheck->failure, E_FAILED, "%zu pages could not be published",
				failed);
	return failed <= FILLED_FAILED_MAX
		       ? filled_mark(&recheck->dir, recheck->failed_ids, failed, error)
		       : OK;
}

/* Opens the folder if a round is due or has begun. If the folder was lost since the last call,
 * begins another round. Leaves the folder closed if there is nothing to do. */
static enum result begin(struct recheck *recheck, const struct publisher *publisher,
			 struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	const char *path = publisher->path;
	if (recheck->dir.shared && pages_dir_is_current(&recheck->dir, path))
		return OK;
	end(recheck);
	enum result result = pages_dir_open(&dir, path, error);
	if (result != OK || (filled_is(&dir) && !boot_is_new(&dir, publisher->settings)))
		return result;
	if (filled_is(&dir) && clock_ms() < recheck->again_ms) {
		*error = recheck->failure;
		return E_FAILED;
	}
	recheck->failure = (struct error){ 0 };
	recheck->dir = dir;
	dir = PAGES_DIR_CLOSED;
	return OK;
}

enum result recheck_some(struct recheck *recheck, const struct publisher *publisher, bool *is_more,
			 struct error *error)
{
	*is_more = false;
	enum result result = begin(recheck, publisher, error);
	if (result != OK || !recheck->dir.shared)
		return result;
	if (!recheck->is_compared && boot_is_new(&recheck->dir, publisher->settings))
		result = compare(recheck, publisher, is_more, error);
	if (result == OK && !*is_more && !filled_is(&recheck->dir))
		result = fill(recheck, publisher, is_more, error);
	/* If the folder was emptied or replaced during this call, the failure does not count. */
	if (result == E_FAILED && !pages_dir_is_current(&recheck->dir, publisher->path)) {
		*is_more = true;
		return OK;
	}
	if (result != OK || *is_more)
		return result;
	end(recheck);
	*error = recheck->failure;
	return recheck->failure.log[0] ? E_FAILED : OK;
}

void recheck_done(struct recheck *recheck)
{
	end(recheck);
}
