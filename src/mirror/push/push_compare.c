/* Finds the pages to be sent: in the journal, or by a comparison with the pages of the mirror. */
#include <stdlib.h>
#include <string.h>

#include "base/field.h"
#include "mirror/push/push_round.h"
#include "mirror/push/unconfirmed.h"
#include "publish/folder/filled.h"
#include "publish/folder/gone.h"

/* The limit of memory for reading a page's note. */
enum { NOTE_ARENA_MAX_BYTES = 8 << 20 };

/*
 * Whether visitors of the mirror lose something by the change: an address, access without a
 * password, or access with the former password.
 */
static bool is_tightened(const struct mirror_row *row, const struct page_look *look)
{
	if (row->state == MIRROR_ROW_NONE)
		return false;
	return row->address != look->address || row->access != look->access ||
	       (look->place == PAGES_PRIVATE && row->place != PAGES_PRIVATE);
}

/* Records a page of the mirror that has no note on this disk and is not known to be deleted. A
 * comparison judges all such pages together. Outside of a comparison, makes a comparison due. */
static void note_missing(struct pusher *pusher, const struct mirror_row *row)
{
	struct push_missing *missing = pusher->missing;
	if (row->state == MIRROR_ROW_NONE)
		return;
	if (!missing) {
		pusher->is_comparing = true;
		return;
	}
	if (filled_names(&pusher->dir, row->page_id))
		return;
	missing->ids = arena_grow(&pusher->arena, missing->ids, missing->count, &missing->room,
				  sizeof(*missing->ids));
	missing->ids[missing->count++] = row->page_id;
}

/* Adds the page to the waiting pages if the mirror does not have the page's present version. */
static enum result consider(struct pusher *pusher, int64_t page_id, struct arena *arena,
			    struct error *error)
{
	const struct target_kind *kind = pusher->target.kind;
	struct page_look look;
	struct mirror_row row;
	enum result result = page_copy_look(&pusher->dir, page_id, arena, &look, error);
	if (result == OK)
		result = mirror_table_find(&pusher->table, page_id, &row, error);
	if (result != OK)
		return result;
	if (look.is_missing) {
		note_missing(pusher, &row);
		return OK;
	}
	bool is_gone = look.is_gone || (kind->is_public_only && look.place == PAGES_PRIVATE);
	if (is_gone ? row.state == MIRROR_ROW_NONE
		    : row.state == MIRROR_ROW_CONFIRMED && mirror_row_is_of(&row, look.version)) {
		/* The mirror has this version. But it may have received the page before the
		 * publisher wrote the page's former addresses. So send the former addresses
		 * again. */
		pusher->is_shared_due = true;
		return OK;
	}
	/*
	 * A page without a version is being written. It is urgent, because its publisher may have
	 * to hide it.
	 */
	bool is_urgent = is_gone || !look.version[0] || is_tightened(&row, &look);
	if (!pending_add(&pusher->pending, page_id, clock_now(), is_urgent))
		pusher->is_comparing = true;
	return OK;
}

/* Handles an entry of the journal. page_id is the changed page, or 0 if somebody has asked for a
 * comparison. If the mirror's command copies all pages, only counts the page. */
static enum result note_change(struct pusher *pusher, int64_t page_id, struct arena *arena,
			       struct error *error)
{
	if (page_id == 0)
		pusher->is_comparing = true;
	else if (!pusher->target.kind->is_whole)
		return consider(pusher, page_id, arena, error);
	else if (!pending_add(&pusher->pending, page_id, clock_now(), false))
		pusher->is_comparing = true;
	/* Somebody has asked for a comparison: run it even if the last attempt has just failed. */
	if (page_id == 0)
		pusher->retry.until_ms = 0;
	return OK;
}

static enum result open_journal(struct pusher *pusher, struct error *error)
{
	journal_close(&pusher->journal);
	pusher->is_comparing = true;
	return journal_open(&pusher->journal, &pusher->dir, error);
}

enum result push_read_journal(struct pusher *pusher, struct error *error)
{
	enum { IDS_MAX = 256 };
	/* Use a separate arena. A batch calls this function while its data are in pusher->arena. */
	struct arena arena CLEANUP(arena_done);
	int64_t ids[IDS_MAX];
	size_t count = IDS_MAX;
	arena_init(&arena, NOTE_ARENA_MAX_BYTES);
	enum result result = pusher->journal.fd < 0 ? open_journal(pusher, error) : OK;
	while (result == OK && count == IDS_MAX) {
		if (journal_read(&pusher->journal, ids, IDS_MAX, &count) != OK)
			return open_journal(pusher, error);
		for (size_t i = 0; result == OK && i < count; i++) {
			result = note_change(pusher, ids[i], &arena, error);
			arena_reset(&arena);
		}
	}
	return result;
}

/*
 * Adds the row of a page of the mirror to the fresh table. Keeps the address and access of the old
 * row if the mirror has the version that the pusher sent.
 */
static enum result copy_row(const struct pusher *pusher, struct mirror_table *fresh,
			    const struct target_page *page, struct error *error)
{
	struct mirror_row row;
	enum result result = mirror_table_find(&pusher->table, page->page_id, &row, error);
	if (result != OK)
		return result;
	if (row.state == MIRROR_ROW_NONE || !mirror_row_is_of(&row, page->version))
		row = (struct mirror_row){ .page_id = page->page_id, .place = PAGES_PLACES };
	mirror_row_confirm(&row, page->version);
	return mirror_table_put(fresh, &row, error);
}

static enum result take_list(struct pusher *pusher, const struct target_pages *pages,
			     struct error *error)
{
	struct mirror_table fresh CLEANUP(mirror_table_close) = MIRROR_TABLE_CLOSED;
	enum result result = mirror_table_begin(&fresh, pusher->folder_fd, pages->count, error);
	for (size_t i = 0; result == OK && i < pages->count; i++)
		if (pages->rows[i].page_id > 0)
			result = copy_row(pusher, &fresh, &pages->rows[i], error);
	return result == OK ? mirror_table_replace(&pusher->table, &fresh, error) : result;
}

/* Considers each page of this disk. `list` has the mirror's pages, sorted by id. Sets found[] for
 * each page of the list that is on this disk, too. */
static enum result consider_own(struct pusher *pusher, const struct target_pages *list, bool *found,
				struct arena *arena, struct error *error)
{
	struct pages_names folders;
	enum result result =
		pages_dir_folders(&pusher->dir, PAGES_STATE, &pusher->arena, &folders, error);
	pusher->missing->has_no_notes = result == OK && folders.count == 0;
	for (size_t i = 0; result == OK && i < folders.count; i++) {
		struct target_page page = { 0 };
		if (!str_to_int64(str_from(folders.names[i]), &page.page_id) || page.page_id <= 0)
			continue;
		const struct target_page *at = list->count > 0
						       ? bsearch(&page, list->rows, list->count,
								 sizeof(*list->rows), id_order)
						       : NULL;
		if (at)
			found[at - list->rows] = true;
		result = consider(pusher, page.page_id, arena, error);
		arena_reset(arena);
	}
	return result;
}

/*
 * Judges pages that the mirror has and this disk lacks. The database does not have them either,
 * because this folder is filled. If there are few such pages, they are removed from the mirror. If
 * there are many, an origin with newer data may have sent them, so their removal waits for a
 * person. If this disk has no note at all, somebody has removed the notes, but not the mark of a
 * filled folder. In this case the folder is filled again, once.
 */
static enum result judge_missing(struct pusher *pusher, const struct push_missing *missing,
				 size_t pages, struct arena *arena, struct error *error)
{
	bool are_lost = missing->count > 0 && missing->has_no_notes;
	/* Add the pages of recent comparisons: if the folder loses its pages one by one, each
	 * comparison alone finds few. */
	size_t judged = missing->count > 0 ? pusher->judged_count + missing->count : 0;
	bool are_many = are_lost || gone_are_many(judged, pages);
	if (are_lost && pusher->unconfirmed_count == 0)
		filled_forget(&pusher->dir);
	enum result result = unconfirmed_write(pusher->folder_fd, missing->ids,
					       are_many ? missing->count : 0, error);
	pusher->unconfirmed_count = are_many ? missing->count : 0;
	if (result != OK || are_many)
		return result;
	pusher->judged_count = judged;
	result = gone_add_all(&pusher->dir, missing->ids, missing->count, error);
	for (size_t i = 0; result == OK && i < missing->count; i++) {
		result = consider(pusher, missing->ids[i], arena, error);
		arena_reset(arena);
	}
	return result;
}

static enum result consider_all(struct pusher *pusher, const struct target_pages *list,
				struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct push_missing missing = { 0 };
	bool *found = ARENA_ARRAY(&pusher->arena, list->count, bool);
	arena_init(&arena, NOTE_ARENA_MAX_BYTES);
	pusher->missing = &missing;
	enum result result = consider_own(pusher, list, found, &arena, error);
	/* Consider the pages of the mirror that this disk does not have. */
	for (size_t i = 0; result == OK && i < list->count; i++) {
		if (!found[i] && list->rows[i].page_id > 0)
			result = consider(pusher, list->rows[i].page_id, &arena, error);
		arena_reset(&arena);
	}
	pusher->missing = NULL;
	return result == OK ? judge_missing(pusher, &missing, list->count, &arena, error) : result;
}

enum result push_compare(struct pusher *pusher, struct error *error)
{
	struct target *target = &pusher->target;
	struct target_pages list = { 0 };
	/* Open the journal first, so that it contains all changes during the comparison. */
	enum result result = open_journal(pusher, error);
	if (result != OK)
		return result;
	if (target->kind->is_whole) {
		pusher->is_comparing = false;
		pusher->is_run_due = true;
		return OK;
	}
	result = target->kind->list(target, &pusher->arena, &list, error);
	if (result == OK && list.count > 0)
		qsort(list.rows, list.count, sizeof(*list.rows), id_order);
	if (result == OK)
		result = take_list(pusher, &list, error);
	if (result == OK) {
		pusher->is_comparing = false;
		result = consider_all(pusher, &list, error);
	}
	/* The comparison failed before it had compared all pages, so it stays due. */
	if (result != OK)
		pusher->is_comparing = true;
	arena_reset(&pusher->arena);
	return result;
}
