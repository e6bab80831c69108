/* Sends the pages that wait. */
#include <stdio.h>
#include <string.h>

#include "mirror/push/push_round.h"

/* The limits of a batch. All files of its pages are open at the same time. */
enum {
	BATCH_PAGES_MAX = 32,
	BATCH_FILES_MAX = 600,
	BATCH_BYTES_MAX = 16 << 20,
	BATCH_HALVES_MAX = 5,	   /* the fifth halving leaves one page per batch */
	HOLD_MS = 10000,	   /* wait before a refused page is tried again */
	HOLD_UNFINISHED_MS = 5000, /* wait before a page that could not be read is tried again */
	HOLD_URGENT_MS = 1000,	   /* the same wait, but for an urgent page */
};

struct batch {
	struct pending_page taken[BATCH_PAGES_MAX];
	struct page_copy pages[BATCH_PAGES_MAX];
	struct page_copy *list[BATCH_PAGES_MAX];
	struct page_look looks[BATCH_PAGES_MAX];
	size_t count;
	size_t file_count;
	size_t bytes;
};

static void batch_close(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		page_copy_close(&batch->pages[i]);
	batch->count = 0;
}

/* Lets the page wait `ms` before its next attempt. The mirror meanwhile gets other pages. */
static void hold_page(struct pusher *pusher, const struct pending_page *page, int64_t ms,
		      const struct error *error)
{
	pusher->has_held = true;
	pusher->status.failed_at = clock_now();
	snprintf(pusher->status.error, sizeof(pusher->status.error), "page %lld: %.300s",
		 (long long)page->page_id, error_text(error));
	if (page->is_urgent)
		ms = HOLD_URGENT_MS;
	if (!pending_put_back(&pusher->pending, page, clock_ms() + ms))
		pusher->is_comparing = true;
}

/* Opens a page for the batch. E_FAILED: the table cannot be read. */
static enum result add_page(struct pusher *pusher, struct batch *batch,
			    const struct pending_page *taken, struct error *error)
{
	int64_t page_id = taken->page_id;
	struct page_copy *copy = &batch->pages[batch->count];
	struct page_look *look = &batch->looks[batch->count];
	struct mirror_row row;
	struct error failure = { 0 };
	enum result result = page_copy_look(&pusher->dir, page_id, &pusher->arena, look, &failure);
	if (result == OK)
		result = page_copy_open(&pusher->dir, page_id, &pusher->arena, copy, &failure);
	if (result != OK) {
		hold_page(pusher, taken, HOLD_UNFINISHED_MS, &failure);
		return OK;
	}
	if (pusher->target.kind->is_public_only && copy->place == PAGES_PRIVATE) {
		page_copy_close(copy);
		*copy = (struct page_copy){ .page_id = page_id, .is_gone = true };
	}
	result = mirror_table_find(&pusher->table, page_id, &row, error);
	if (result != OK || (copy->is_gone && row.state == MIRROR_ROW_NONE)) {
		page_copy_close(copy);
		return result;
	}
	for (size_t i = 0; i < copy->file_count; i++)
		batch->bytes += copy->files[i].size;
	batch->file_count += copy->file_count;
	batch->taken[batch->count] = *taken;
	batch->list[batch->count++] = copy;
	return OK;
}

static enum result fill(struct pusher *pusher, struct batch *batch, bool is_urgent,
			struct error *error)
{
	const size_t pages_max = BATCH_PAGES_MAX >> pusher->batch_halves;
	const size_t bytes_max = BATCH_BYTES_MAX >> pusher->batch_halves;
	struct pending_page page;
	enum result result = OK;
	while (result == OK && batch->count < pages_max && batch->file_count < BATCH_FILES_MAX &&
	       batch->bytes < bytes_max &&
	       pending_take(&pusher->pending, is_urgent, clock_ms(), &page))
		result = add_page(pusher, batch, &page, error);
	return result;
}

/* Records that the mirror may have the pages. Call it before they are sent: if the process dies,
 * the record must already be on the disk. */
static enum result mark_sent(struct pusher *pusher, const struct batch *batch, struct error *error)
{
	enum result result = OK;
	bool is_new = false;
	for (size_t i = 0; result == OK && i < batch->count; i++) {
		struct mirror_row row;
		result = mirror_table_find(&pusher->table, batch->pages[i].page_id, &row, error);
		is_new |= row.state == MIRROR_ROW_NONE;
		row.state = MIRROR_ROW_SENT;
		if (result == OK)
			result = mirror_table_put(&pusher->table, &row, error);
	}
	return result == OK && is_new ? mirror_table_sync(&pusher->table, error) : result;
}

/*
 * Records the version that the mirror has confirmed, with the address and access of `look`. `look`
 * was read before the copy was opened. If the page was published in between, `look` is older, and
 * the page's next change may count as urgent although it is not.
 */
static enum result mark_confirmed(struct pusher *pusher, const struct page_copy *copy,
				  const struct page_look *look, struct error *error)
{
	struct mirror_row before, row = { .page_id = copy->page_id };
	enum result result = mirror_table_find(&pusher->table, copy->page_id, &before, error);
	if (result != OK)
		return result;
	/* A deletion, a new address or a new place may also change the former addresses, which are
	 * part of the shared data. */
	pusher->is_shared_due |= copy->is_gone || before.address != look->address ||
				 before.place != (uint8_t)copy->place;
	if (!copy->is_gone) {
		mirror_row_confirm(&row, copy->version);
		row.place = (uint8_t)copy->place;
		row.address = look->address;
		row.access = look->access;
	}
	pusher->sent++;
	return mirror_table_put(&pusher->table, &row, error);
}

static enum result send_pages(struct pusher *pusher, struct batch *batch, size_t begin,
			      size_t count, struct error *error)
{
	struct target *target = &pusher->target;
	enum result result = target->kind->send(target, &batch->list[begin], count, error);
	for (size_t i = begin; result == OK && i < begin + count; i++)
		result = mark_confirmed(pusher, &batch->pages[i], &batch->looks[i], error);
	return result;
}

/*
 * After the mirror has refused a batch, sends each page alone, so that a refused page does not stop
 * the other pages. Tries refused pages later: another page may give up their address until then.
 * Returns E_REFUSED only if the mirror refused all pages of the batch, and at least REFUSALS_MAX
 * pages in a row: the fault is then the mirror's, not a page's.
 */
static enum result send_each(struct pusher *pusher, struct batch *batch, struct error *error)
{
	enum { REFUSALS_MAX = 2 };
	enum result result = OK;
	for (size_t i = 0; i < batch->count && (result == OK || result == E_REFUSED); i++) {
		result = send_pages(pusher, batch, i, 1, error);
		pusher->refusals = result == E_REFUSED ? pusher->refusals + 1 : 0;
		if (result == E_REFUSED)
			hold_page(pusher, &batch->taken[i], HOLD_MS, error);
	}
	bool is_everything = pusher->refusals >= REFUSALS_MAX &&
			     pusher->refusals >= (int)batch->count;
	return result == E_REFUSED && !is_everything ? OK : result;
}

/* Halves the limits of the next batch if the mirror was unavailable: a smaller batch is faster on a
 * slow connection. Doubles the limits after a success. */
static void adapt(struct pusher *pusher, enum result result)
{
	if (result == E_UNAVAILABLE && pusher->batch_halves < BATCH_HALVES_MAX)
		pusher->batch_halves++;
	else if (result == OK && pusher->batch_halves > 0)
		pusher->batch_halves--;
}

static enum result send_batch(struct pusher *pusher, struct batch *batch, struct error *error)
{
	enum result result = mark_sent(pusher, batch, error);
	if (result == OK)
		result = batch->count > 1 ? send_pages(pusher, batch, 0, batch->count, error)
					  : E_REFUSED;
	if (result == E_REFUSED)
		result = send_each(pusher, batch, error);
	else
		pusher->refusals = 0;
	adapt(pusher, result);
	if (result == OK)
		return OK;
	for (size_t i = 0; i < batch->count; i++)
		if (!pending_put_back(&pusher->pending, &batch->taken[i], 0))
			pusher->is_comparing = true;
	/* E_RETRY is no failure: send() stopped because urgent pages are due. */
	return result == E_RETRY ? OK : result;
}

/* Runs the mirror's command, which copies all pages. Changes during the run wait for the next
 * run. */
static enum result send_whole(struct pusher *pusher, struct error *error)
{
	struct target *target = &pusher->target;
	struct pending_page page;
	enum result result = target->kind->send(target, NULL, 0, error);
	while (result == OK && pending_take(&pusher->pending, false, clock_ms(), &page))
		pusher->sent++;
	pusher->is_run_due = result != OK;
	return result;
}

/* Whether an urgent page is due, so that the present batch must stop. */
static bool has_urgent(void *context)
{
	struct pusher *pusher = context;
	struct error ignored = { 0 };
	return push_read_journal(pusher, &ignored) == OK &&
	       pending_has_urgent(&pusher->pending, clock_ms());
}

enum result push_batch(struct pusher *pusher, bool is_urgent, struct error *error)
{
	/* A batch is too large for the stack. Nothing else uses the pusher's arena now, because a
	 * pusher has one thread. */
	struct batch *batch = ARENA_NEW(&pusher->arena, struct batch);
	if (pusher->target.kind->is_whole)
		return send_whole(pusher, error);
	pusher->target.gives_way = is_urgent ? NULL : has_urgent;
	pusher->target.context = pusher;
	enum result result = fill(pusher, batch, is_urgent, error);
	if (result == OK && batch->count > 0)
		result = send_batch(pusher, batch, error);
	batch_close(batch);
	arena_reset(&pusher->arena);
	return result;
}
