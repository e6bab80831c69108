/* Sends what waits. */
#include <stdio.h>
#include <string.h>

#include "mirror/push_round.h"

/* A batch holds the files of its pages open. */
enum {
	BATCH_PAGES_MAX = 32,
	BATCH_FILES_MAX = 600,
	BATCH_BYTES_MAX = 16 << 20,
	HOLD_S = 10,	       /* before a page that was refused is tried again */
	HOLD_UNFINISHED_S = 5, /* before a page that could not be read is */
};

struct batch {
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

/* The page waits for its next turn; the mirror works. */
static void hold(struct pusher *pusher, int64_t page_id, int64_t seconds, const struct error *error)
{
	struct instant now = clock_now();
	pusher->has_held = true;
	pusher->status.failed_at = now;
	snprintf(pusher->status.error, sizeof(pusher->status.error), "page %lld: %.300s",
		 (long long)page_id, error_text(error));
	if (!pending_hold(&pusher->pending, page_id, now, seconds))
		pusher->is_comparing = true;
}

/* Opens a page for the batch. E_FAILED: the table cannot be read. */
static enum result add_page(struct pusher *pusher, struct batch *batch, int64_t page_id,
			    struct error *error)
{
	struct page_copy *copy = &batch->pages[batch->count];
	struct page_look *look = &batch->looks[batch->count];
	struct mirror_row row;
	struct error failure = { 0 };
	enum result result = page_copy_look(&pusher->dir, page_id, &pusher->arena, look, &failure);
	if (result == OK)
		result = page_copy_open(&pusher->dir, page_id, &pusher->arena, copy, &failure);
	if (result != OK) {
		hold(pusher, page_id, HOLD_UNFINISHED_S, &failure);
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
	batch->list[batch->count++] = copy;
	return OK;
}

static enum result fill(struct pusher *pusher, struct batch *batch, struct error *error)
{
	int64_t page_id;
	enum result result = OK;
	while (result == OK && batch->count < BATCH_PAGES_MAX &&
	       batch->file_count < BATCH_FILES_MAX && batch->bytes < BATCH_BYTES_MAX &&
	       pending_take(&pusher->pending, clock_now(), &page_id))
		result = add_page(pusher, batch, page_id, error);
	return result;
}

/* Others must know that the mirror may have the pages, also after a crash. */
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

/* The look is of the version that was sent, or an older one: then the next comparison of the page
 * takes it for tightened, which is only earlier than needed. */
static enum result mark_confirmed(struct pusher *pusher, const struct page_copy *copy,
				  const struct page_look *look, struct error *error)
{
	struct mirror_row row = { .page_id = copy->page_id };
	if (!copy->is_gone) {
		row.state = MIRROR_ROW_CONFIRMED;
		row.place = (uint8_t)copy->place;
		row.address = look->address;
		row.access = look->access;
		if (!secret_from_hex(str_from(copy->version), row.version, sizeof(row.version)))
			row.state = MIRROR_ROW_SENT;
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
 * The mirror has refused a batch: the others must not wait for the page that it refuses. Pages that
 * are refused alone are tried again later; so a page may have an address that another page gives up
 * only now. If all are refused, or one page after another, the mirror refuses everything.
 */
static enum result send_each(struct pusher *pusher, struct batch *batch, struct error *error)
{
	enum { REFUSALS_MAX = 2 };
	enum result result = OK;
	for (size_t i = 0; i < batch->count && (result == OK || result == E_REFUSED); i++) {
		result = send_pages(pusher, batch, i, 1, error);
		pusher->refusals = result == E_REFUSED ? pusher->refusals + 1 : 0;
		if (result == E_REFUSED)
			hold(pusher, batch->pages[i].page_id, HOLD_S, error);
	}
	bool is_everything = pusher->refusals >= REFUSALS_MAX &&
			     pusher->refusals >= (int)batch->count;
	return result == E_REFUSED && !is_everything ? OK : result;
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
	if (result == OK)
		return OK;
	for (size_t i = 0; i < batch->count; i++)
		if (!pending_add(&pusher->pending, batch->pages[i].page_id, clock_now(), false))
			pusher->is_comparing = true;
	return result;
}

/* A command sends everything; changes during the run are for the next one. */
static enum result send_whole(struct pusher *pusher, struct error *error)
{
	struct target *target = &pusher->target;
	int64_t page_id;
	enum result result = target->kind->send(target, NULL, 0, error);
	while (result == OK && pending_take(&pusher->pending, clock_now(), &page_id))
		pusher->sent++;
	pusher->is_run_due = result != OK;
	return result;
}

enum result push_batch(struct pusher *pusher, struct error *error)
{
	/* Large for a stack; a pusher has one thread. */
	struct batch *batch = ARENA_NEW(&pusher->arena, struct batch);
	if (pusher->target.kind->is_whole)
		return send_whole(pusher, error);
	enum result result = fill(pusher, batch, error);
	if (result == OK && batch->count > 0)
		result = send_batch(pusher, batch, error);
	batch_close(batch);
	arena_reset(&pusher->arena);
	return result;
}
