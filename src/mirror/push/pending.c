#include "mirror/push/pending.h"

#include <search.h>
#include <stdlib.h>

#include "base/field.h"

/* The tree compares rows by page_id: `page` must be the first member of a row, and page_id the
 * first member of `page`. */
struct pending_row {
	struct pending_page page;
	TAILQ_ENTRY(pending_row) others;
};

void pending_done(struct pending *pending)
{
	tdestroy(pending->by_id, free);
	*pending = (struct pending){ 0 };
}

/* Returns NULL if there is no memory. */
static struct pending_row *add_row(struct pending *pending, int64_t page_id, uint32_t since)
{
	struct pending_row *row = malloc(sizeof(*row));
	if (!row)
		return NULL;
	*row = (struct pending_row){ .page = { .page_id = page_id, .since = since } };
	if (!tsearch(row, &pending->by_id, id_order)) {
		free(row);
		return NULL;
	}
	if (pending->count++ == 0)
		TAILQ_INIT(&pending->rows);
	TAILQ_INSERT_TAIL(&pending->rows, row, others);
	return row;
}

static struct pending_page *find_or_add(struct pending *pending, int64_t page_id, uint32_t since,
					bool *is_new)
{
	struct pending_row **found = tfind(&page_id, &pending->by_id, id_order);
	struct pending_row *row = found ? *found : NULL;
	*is_new = !row;
	if (!row && pending->count < PENDING_MAX)
		row = add_row(pending, page_id, since);
	return row ? &row->page : NULL;
}

static void make_urgent(struct pending *pending, struct pending_page *page)
{
	pending->urgent_count += !page->is_urgent;
	page->is_urgent = true;
}

bool pending_add(struct pending *pending, int64_t page_id, struct instant now, bool is_urgent)
{
	bool is_new;
	struct pending_page *page = find_or_add(pending, page_id, (uint32_t)now.s, &is_new);
	if (!page)
		return false;
	page->not_before_ms = 0;
	if (is_urgent)
		make_urgent(pending, page);
	return true;
}

bool pending_put_back(struct pending *pending, const struct pending_page *page,
		      int64_t not_before_ms)
{
	bool is_new;
	struct pending_page *there = find_or_add(pending, page->page_id, page->since, &is_new);
	if (!there)
		return false;
	if (is_new)
		there->not_before_ms = not_before_ms;
	if (page->since < there->since)
		there->since = page->since;
	if (page->is_urgent)
		make_urgent(pending, there);
	return true;
}

/* Returns the first due page; NULL: no page is due. */
static struct pending_row *find_due(const struct pending *pending, bool is_urgent, int64_t now_ms)
{
	size_t others = pending->count - pending->urgent_count;
	struct pending_row *row;
	if ((is_urgent ? pending->urgent_count : others) == 0)
		return NULL;
	TAILQ_FOREACH(row, &pending->rows, others)
	if (row->page.is_urgent == is_urgent && row->page.not_before_ms <= now_ms)
		return row;
	return NULL;
}

bool pending_take(struct pending *pending, bool is_urgent, int64_t now_ms,
		  struct pending_page *taken)
{
	struct pending_row *row = find_due(pending, is_urgent, now_ms);
	if (!row)
		return false;
	*taken = row->page;
	pending->urgent_count -= row->page.is_urgent;
	pending->count--;
	tdelete(row, &pending->by_id, id_order);
	TAILQ_REMOVE(&pending->rows, row, others);
	free(row);
	return true;
}

bool pending_has_urgent(const struct pending *pending, int64_t now_ms)
{
	return find_due(pending, true, now_ms) != NULL;
}

struct instant pending_oldest(const struct pending *pending)
{
	const struct pending_row *row;
	int64_t oldest = 0;
	TAILQ_FOREACH(row, &pending->rows, others)
	if (oldest == 0 || row->page.since < oldest)
		oldest = row->page.since;
	return (struct instant){ oldest };
}
