#include "mirror/push/pending.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 64 };

void pending_done(struct pending *pending)
{
	free(pending->rows);
	free(pending->index);
	*pending = (struct pending){ 0 };
}

/* The slot of the page in the index, or the free slot for the page. */
static size_t place_of(const struct pending *pending, int64_t page_id)
{
	size_t mask = pending->index_room - 1;
	size_t at = (size_t)((uint64_t)page_id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
	while (pending->index[at] != 0 && pending->rows[pending->index[at] - 1].page_id != page_id)
		at = (at + 1) & mask;
	return at;
}

static void make_index(struct pending *pending)
{
	memset(pending->index, 0, pending->index_room * sizeof(*pending->index));
	for (size_t i = 0; i < pending->end; i++)
		if (pending->rows[i].page_id != 0)
			pending->index[place_of(pending, pending->rows[i].page_id)] =
				(uint32_t)i + 1;
}

/* Drops the rows of taken pages. */
static void compact(struct pending *pending)
{
	size_t kept = 0;
	for (size_t i = pending->begin; i < pending->end; i++)
		if (pending->rows[i].page_id != 0)
			pending->rows[kept++] = pending->rows[i];
	pending->begin = 0;
	pending->end = kept;
	make_index(pending);
}

/* The index has four times as many slots as pages, so that each search is short and ends. */
static bool grow(struct pending *pending)
{
	size_t room = pending->room > 0 ? 2 * pending->room : ROOM_MIN;
	struct pending_page *rows = realloc(pending->rows, room * sizeof(*rows));
	if (rows)
		pending->rows = rows;
	uint32_t *index = rows ? realloc(pending->index, 4 * room * sizeof(*index)) : NULL;
	if (!index)
		return false;
	pending->index = index;
	pending->index_room = 4 * room;
	pending->room = room;
	make_index(pending);
	return true;
}

static bool make_room(struct pending *pending)
{
	if (pending->end < pending->room)
		return true;
	if (pending->count >= PENDING_MAX)
		return false;
	if (pending->room > 0)
		compact(pending);
	return 2 * pending->end < pending->room || grow(pending);
}

static struct pending_page *find(const struct pending *pending, int64_t page_id)
{
	size_t number = pending->index_room > 0 ? pending->index[place_of(pending, page_id)] : 0;
	return number > 0 ? &pending->rows[number - 1] : NULL;
}

static struct pending_page *find_or_add(struct pending *pending, int64_t page_id, uint32_t since,
					bool *is_new)
{
	struct pending_page *page = find(pending, page_id);
	*is_new = !page;
	if (page)
		return page;
	if (!make_room(pending))
		return NULL;
	pending->rows[pending->end] = (struct pending_page){ .page_id = page_id, .since = since };
	pending->index[place_of(pending, page_id)] = (uint32_t)pending->end + 1;
	pending->count++;
	return &pending->rows[pending->end++];
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

/* Removes the page from the index, and moves the pages behind its slot: open addressing would stop
 * at the free slot, and not find them. */
static void drop_from_index(struct pending *pending, int64_t page_id)
{
	size_t mask = pending->index_room - 1, at = place_of(pending, page_id);
	pending->index[at] = 0;
	for (size_t i = (at + 1) & mask; pending->index[i] != 0; i = (i + 1) & mask) {
		uint32_t number = pending->index[i];
		pending->index[i] = 0;
		pending->index[place_of(pending, pending->rows[number - 1].page_id)] = number;
	}
}

static void take_row(struct pending *pending, struct pending_page *page)
{
	drop_from_index(pending, page->page_id);
	pending->urgent_count -= page->is_urgent;
	pending->count--;
	page->page_id = 0;
	while (pending->begin < pending->end && pending->rows[pending->begin].page_id == 0)
		pending->begin++;
}

/* NULL: no page is due. */
static struct pending_page *find_due(const struct pending *pending, bool is_urgent, int64_t now_ms)
{
	size_t others = pending->count - pending->urgent_count;
	if ((is_urgent ? pending->urgent_count : others) == 0)
		return NULL;
	for (size_t i = pending->begin; i < pending->end; i++) {
		struct pending_page *page = &pending->rows[i];
		if (page->page_id != 0 && page->is_urgent == is_urgent &&
		    page->not_before_ms <= now_ms)
			return page;
	}
	return NULL;
}

bool pending_take(struct pending *pending, bool is_urgent, int64_t now_ms,
		  struct pending_page *taken)
{
	struct pending_page *page = find_due(pending, is_urgent, now_ms);
	if (!page)
		return false;
	*taken = *page;
	take_row(pending, page);
	return true;
}

bool pending_has_urgent(const struct pending *pending, int64_t now_ms)
{
	return find_due(pending, true, now_ms) != NULL;
}

struct instant pending_oldest(const struct pending *pending)
{
	int64_t oldest = 0;
	for (size_t i = pending->begin; i < pending->end; i++)
		if (pending->rows[i].page_id != 0 &&
		    (oldest == 0 || pending->rows[i].since < oldest))
			oldest = pending->rows[i].since;
	return (struct instant){ oldest };
}
