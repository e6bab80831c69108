#include "publish/page_writer.h"

#include <string.h>

#include "base/secret.h"
#include "access/page_access.h"
#include "store/page_history.h"
#include "store/publication.h"
#include "view/page.h"
#include "wire/gzip.h"

/* The files that the database stores: logo and favicon. */
enum { STORED_MAX = 2 };

/* A smaller file fits into one packet, compressed or not. */
enum { COMPRESS_MIN_BYTES = 1400 };

struct writing {
	const struct publisher *publisher;
	const struct publish_order *order;
	struct page_snapshot *snapshot;
	struct pages_batch batch;
	struct buf text;   /* of the file that is being written */
	struct buf packed; /* the same, compressed */
};

static const struct page_file *file_named(const struct page_file *files, size_t count,
					  const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (files[i].name && strcmp(files[i].name, name) == 0)
			return &files[i];
	return NULL;
}

/* Adds the pictures: kept from the disk, else from the caller, else from the database. */
static enum result put_pictures(struct writing *writing, struct error *error)
{
	const struct status_page *page = &writing->snapshot->page;
	const struct publish_order *order = writing->order;
	const char *wanted[STORED_MAX] = { page->logo_file, page->favicon_file };
	struct page_file stored[STORED_MAX];
	size_t stored_count = 0;
	bool is_read = false;
	for (size_t i = 0; i < STORED_MAX; i++) {
		/* The name carries the hash of the content: a file of that name needs no update. */
		if (!wanted[i] || pages_batch_keep(&writing->batch, wanted[i]))
			continue;
		const struct page_file *file =
			file_named(order->at_hand, order->at_hand_count, wanted[i]);
		enum result result = OK;
		if (!file && !is_read) {
			is_read = true;
			result = publication_files(writing->publisher->db, page->id,
						   writing->publisher->arena, stored, &stored_count,
						   error);
		}
		if (result != OK)
			return result;
		if (!file)
			file = file_named(stored, stored_count, wanted[i]);
		if (!file)
			return error_log(error, E_FAILED, "publish: %s is not in the database",
					 wanted[i]);
		result = pages_batch_add(&writing->batch, file->name, file->data, file->len, error);
		if (result != OK)
			return result;
	}
	return OK;
}

static const char *packed_name(const struct writing *writing, const char *name)
{
	return arena_printf(writing->publisher->arena, "%s.gz", name);
}

/* Adds the text as a file, and beside it a compressed twin for clients that accept gzip. */
static enum result put_text(struct writing *writing, const char *name, struct error *error)
{
	struct buf *text = &writing->text, *packed = &writing->packed;
	bool is_packed = writing->batch.place != PAGES_PRIVATE && text->len >= COMPRESS_MIN_BYTES;
	buf_clear(packed);
	if (is_packed)
		gzip_add(packed, text->data, text->len);
	if (!buf_ok(text) || !buf_ok(packed))
		return error_log(error, E_FAILED, "publish: %s is too large", name);
	enum result result = pages_batch_add(&writing->batch, name, text->data ? text->data : "",
					     text->len, error);
	if (result == OK && is_packed)
		result = pages_batch_add(&writing->batch, packed_name(writing, name), packed->data,
					 packed->len, error);
	buf_clear(text);
	return result;
}

/* Takes over a text that the disk has already; false: it has none of that name. */
static bool keep_text(struct writing *writing, const char *name)
{
	if (!pages_batch_keep(&writing->batch, name))
		return false;
	/* Small texts, and those of pages that are not public, have no compressed twin. */
	(void)pages_batch_keep(&writing->batch, packed_name(writing, name));
	return true;
}

/* Adds a file whose name carries the hash of its content. */
static enum result put_asset(struct writing *writing, const char *name, const char *text,
			     struct error *error)
{
	if (!name || keep_text(writing, name))
		return OK;
	buf_puts(&writing->text, text);
	return put_text(writing, name, error);
}

static enum result put_assets(struct writing *writing, struct error *error)
{
	struct arena *arena = writing->publisher->arena;
	const struct status_page *page = &writing->snapshot->page;
	enum result result = put_asset(writing, page_style_name(arena), page_style(), error);
	if (result == OK)
		result = put_asset(writing, page_script_name(arena), page_script(), error);
	if (result == OK)
		result = put_asset(writing, page_custom_name(arena, page->custom_css, "css"),
				   page->custom_css, error);
	if (result == OK)
		result = put_asset(writing, page_custom_name(arena, page->custom_js, "js"),
				   page->custom_js, error);
	return result;
}

/* The digest of all that the pages of months show besides incidents: if it changes, all of them
 * must be written. */
static const char *frame_digest(const struct writing *writing)
{
	struct arena *arena = writing->publisher->arena;
	struct page_snapshot frame = *writing->snapshot;
	struct page_month empty = { .name = "" };
	struct buf text CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	frame.months = &empty;
	frame.month_count = 1;
	frame.now = (struct instant){ 0 };
	page_history(&text, &frame, 0, arena);
	buf_printf(&text, "%d\n", frame.page.show_causes);
	for (size_t i = 0; i < frame.monitor_count; i++)
		buf_printf(&text, "%lld %s\n", (long long)frame.monitors[i].id,
			   frame.monitors[i].name);
	return secret_hash_hex(arena, text.data, text.len, 32);
}

/* The digest of a month's page, which names its neighbours. */
static const char *month_digest(const struct writing *writing, size_t at, const char *frame)
{
	const struct page_snapshot *snapshot = writing->snapshot;
	const char *newer = at > 0 ? snapshot->months[at - 1].name : "";
	const char *older = at + 1 < snapshot->month_count ? snapshot->months[at + 1].name : "";
	const char *text = arena_printf(writing->publisher->arena, "%s %lld %s %s", frame,
					(long long)snapshot->months[at].revision, newer, older);
	return secret_hash_hex(writing->publisher->arena, text, strlen(text), 32);
}

static enum result put_months(struct writing *writing, const struct page_state *before,
			      struct page_state *after, struct error *error)
{
	struct arena *arena = writing->publisher->arena;
	struct page_snapshot *snapshot = writing->snapshot;
	const char *frame = snapshot->month_count > 0 ? frame_digest(writing) : NULL;
	bool *is_wanted = ARENA_ARRAY(arena, snapshot->month_count, bool);
	struct arena history CLEANUP(arena_done);
	arena_init(&history, arena->cap_bytes);
	after->months = ARENA_ARRAY(arena, snapshot->month_count, struct month_state);
	after->month_count = snapshot->month_count;
	for (size_t i = 0; i < snapshot->month_count; i++) {
		const char *name = snapshot->months[i].name,
			   *digest = month_digest(writing, i, frame);
		after->months[i] = (struct month_state){ name, digest };
		is_wanted[i] = !page_state_has_month(before, name, digest) ||
			       !keep_text(writing, page_month_file(arena, name));
	}
	enum result result = OK;
	for (size_t i = 0; result == OK && i < snapshot->month_count; i++) {
		if (!is_wanted[i])
			continue;
		if (!snapshot->months[i].is_read) {
			/* The months before this one are in the batch already. */
			arena_reset(&history);
			result = page_history_read(writing->publisher->db, snapshot, is_wanted, i,
						   &history, error);
		}
		if (result != OK)
			break;
		page_history(&writing->text, snapshot, i, &history);
		result = put_text(writing, page_month_file(arena, snapshot->months[i].name), error);
	}
	return result;
}

static enum result put_documents(struct writing *writing, struct error *error)
{
	struct arena *arena = writing->publisher->arena;
	enum result result = OK;
	for (size_t i = 0; result == OK && page_document(i); i++) {
		page_json(&writing->text, writing->snapshot, i, arena);
		result = put_text(writing, arena_printf(arena, "%s.json", page_document(i)), error);
	}
	if (result != OK)
		return result;
	page_badge(&writing->text, writing->snapshot, arena);
	result = put_text(writing, "badge.svg", error);
	if (result != OK)
		return result;
	page_feed(&writing->text, writing->snapshot, arena);
	return put_text(writing, "feed.atom", error);
}

/* Adds the files that only some pages have and that visitors do not ask for. */
static enum result put_marks(struct writing *writing, struct error *error)
{
	const struct status_page *page = &writing->snapshot->page;
	enum result result = OK;
	if (writing->batch.place == PAGES_PRIVATE) {
		page_access_write(&writing->text, page);
		result = put_text(writing, PAGE_ACCESS_FILE, error);
	}
	if (result == OK && page->domain && writing->batch.place != PAGES_PRIVATE) {
		page_robots(&writing->text);
		result = put_text(writing, "robots.txt", error);
	}
	return result;
}

static enum result put_all(struct writing *writing, const struct page_state *before,
			   struct page_state *after, struct error *error)
{
	enum result result = put_marks(writing, error);
	if (result == OK)
		result = put_pictures(writing, error);
	if (result == OK)
		result = put_assets(writing, error);
	if (result == OK)
		result = put_months(writing, before, after, error);
	if (result == OK)
		result = put_documents(writing, error);
	if (result != OK)
		return result;
	/* Last, since it refers to the others. */
	page_html(&writing->text, writing->snapshot, writing->publisher->arena);
	return put_text(writing, PAGE_FIRST_FILE, error);
}

/* Records for the service which page the domain belongs to. */
static enum result record_host(const struct writing *writing, const struct pages_dir *dir,
			       struct error *error)
{
	const struct status_page *page = &writing->snapshot->page;
	return pages_dir_put(dir, PAGES_HOST, page->domain, PAGES_HOST_FILE, str_from(page->slug),
			     writing->publisher->arena, error);
}

static enum pages_place place_of(const struct status_page *page)
{
	if (page->privacy != PRIVACY_PUBLIC)
		return PAGES_PRIVATE;
	return page->noindex ? PAGES_NOINDEX : PAGES_PUBLIC;
}

/* The place by the page's own domain; PAGES_PLACES: the page has none. */
static enum pages_place domain_place_of(const struct status_page *page)
{
	if (!page->domain || page->privacy != PRIVACY_PUBLIC)
		return PAGES_PLACES;
	return page->noindex ? PAGES_NOINDEX_DOMAIN : PAGES_DOMAIN;
}

/* Removes the page from all places but its own; PAGES_HOST stays. */
static enum result remove_elsewhere(const struct pages_dir *dir, const struct status_page *page,
				    struct error *error)
{
	enum result result = OK;
	/* Continue after a failure: the page may be public in the next place. */
	for (enum pages_place place = 0; place < PAGES_HOST; place++) {
		bool is_by_domain = pages_place_is_by_domain(place);
		const char *folder = is_by_domain ? page->domain : page->slug;
		if (folder && place != (is_by_domain ? domain_place_of(page) : place_of(page)) &&
		    pages_dir_remove(dir, place, folder, error) != OK)
			result = E_FAILED;
	}
	return result;
}

enum result page_failure(enum result result)
{
	return result == E_REFUSED || result == E_RETRY ? E_FAILED : result;
}

static bool has_access_of(const struct pages_dir *dir, const struct status_page *page,
			  struct arena *arena)
{
	struct buf wanted CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	const char *text;
	struct error ignored = { 0 };
	enum result result = pages_dir_read(dir, PAGES_PRIVATE, page->slug, PAGE_ACCESS_FILE,
					    PAGE_FILE_MAX_BYTES, arena, &text, &ignored);
	page_access_write(&wanted, page);
	return result == OK && text &&
	       str_eq(str_from(text), (struct str){ wanted.data, wanted.len });
}

void page_hide(const struct pages_dir *dir, const struct status_page *page, struct arena *arena)
{
	struct error error = { 0 };
	if (page->privacy == PRIVACY_PUBLIC)
		return;
	enum result result = remove_elsewhere(dir, page, &error);
	if (!has_access_of(dir, page, arena))
		result = pages_dir_remove(dir, PAGES_PRIVATE, page->slug, &error);
	/* The caller reports the failure that made it call this. */
	(void)result;
}

/*
 * Records the address before anything is published there: after a crash the next publisher
 * knows which folders to remove if the page has been deleted or moved. Replaces the former
 * record: pages_dir_put() removes the other files of the folder.
 */
static enum result record_address(const struct pages_dir *dir, const struct status_page *page,
				  const struct page_state *state, struct arena *arena,
				  struct error *error)
{
	struct page_state ahead = { .epoch = state->epoch,
				    .revision = state->revision,
				    .slug = page->slug,
				    .domain = page->domain,
				    .place = place_of(page) };
	bool is_recorded = state->is_known && strcmp(state->slug, page->slug) == 0 &&
			   str_eq(str_from(state->domain), str_from(page->domain));
	return is_recorded ? OK : page_state_write(dir, page->id, &ahead, arena, error);
}

static void writing_done(struct writing *writing)
{
	pages_batch_close(&writing->batch);
	buf_done(&writing->text);
	buf_done(&writing->packed);
}

enum result page_write(const struct publisher *publisher, const struct pages_dir *dir,
		       struct page_content *content, const struct page_state *state,
		       const struct publish_order *order, struct error *error)
{
	struct page_snapshot *snapshot = &content->view;
	const struct status_page *page = &snapshot->page;
	struct writing writing CLEANUP(writing_done) = {
		.publisher = publisher,
		.order = order,
		.snapshot = snapshot,
		.batch.folder_fd = -1,
		.text = BUF_INIT(PAGE_FILE_MAX_BYTES),
		.packed = BUF_INIT(PAGE_FILE_MAX_BYTES),
	};
	struct page_state after = {
		.is_whole = true,
		.epoch = content->epoch,
		.revision = page->revision,
		.due = page_snapshot_due(snapshot),
		.slug = page->slug,
		.domain = page->domain,
		.place = place_of(page),
	};
	snapshot->url = status_page_url(page, publisher->base_url, publisher->arena);
	/* Remove first what must not be seen any more; keep a public page until the new files are
	 * there. */
	enum result result = page->privacy == PRIVACY_PUBLIC ? OK
							     : remove_elsewhere(dir, page, error);
	if (result == OK)
		result = record_address(dir, page, state, publisher->arena, error);
	if (result == OK)
		result = pages_batch_open(&writing.batch, dir, place_of(page), page->slug,
					  publisher->arena, error);
	if (result == OK)
		result = put_all(&writing, state, &after, error);
	if (result == OK)
		result = page_state_begin(dir, page->id, publisher->arena, error);
	if (result == OK)
		result = pages_batch_commit(&writing.batch, error);
	if (result == OK && page->domain)
		result = record_host(&writing, dir, error);
	if (result == OK && domain_place_of(page) != PAGES_PLACES)
		result = pages_batch_mirror(&writing.batch, domain_place_of(page), page->domain,
					    error);
	if (result == OK)
		result = remove_elsewhere(dir, page, error);
	if (result == OK)
		result = page_state_write(dir, page->id, &after, publisher->arena, error);
	return page_failure(result);
}
