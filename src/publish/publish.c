#include "publish/publish.h"

#include <stdlib.h>
#include <string.h>

#include "publish/gate.h"
#include "store/page_content.h"
#include "store/publication.h"
#include "view/page.h"

/* The two pictures. */
enum { STORED_MAX = 2 };

/* All that a page's folder has. */
enum { NAMES_MAX = 16 };
struct names {
	const char *names[NAMES_MAX];
	size_t count;
};

struct writing {
	const struct publisher *publisher;
	const struct pages_dir *dir;
	const struct page_view *view;
	bool is_public;
	struct names names; /* what has been written, or was there and right */
	struct buf text;    /* of the file at hand */
};

static const struct page_file *file_named(const struct page_file *files, size_t count,
					  const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (files[i].name && strcmp(files[i].name, name) == 0)
			return &files[i];
	return NULL;
}

static enum result put(struct writing *writing, const char *name, const void *data, size_t len,
		       struct error *error)
{
	writing->names.names[writing->names.count++] = name;
	return pages_dir_put(writing->dir, writing->is_public, writing->view->page.slug, name, data,
			     len, error);
}

/* Whether a file whose name carries its content's hash is there: then it is right. */
static bool is_there(struct writing *writing, const char *name)
{
	if (!pages_dir_has(writing->dir, writing->is_public, writing->view->page.slug, name))
		return false;
	writing->names.names[writing->names.count++] = name;
	return true;
}

/* The pictures that are not there yet, from what is at hand or from the database. */
static enum result put_pictures(struct writing *writing, const struct page_file *at_hand,
				size_t at_hand_count, struct error *error)
{
	const struct status_page *page = &writing->view->page;
	const char *wanted[STORED_MAX] = { page->logo_file, page->favicon_file };
	struct page_file stored[STORED_MAX];
	size_t stored_count = 0;
	bool is_read = false;
	for (size_t i = 0; i < STORED_MAX; i++) {
		if (!wanted[i] || is_there(writing, wanted[i]))
			continue;
		const struct page_file *file = file_named(at_hand, at_hand_count, wanted[i]);
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
		result = put(writing, file->name, file->data, file->len, error);
		if (result != OK)
			return result;
	}
	return OK;
}

static enum result put_text(struct writing *writing, const char *name, struct error *error)
{
	if (!buf_ok(&writing->text))
		return error_log(error, E_FAILED, "publish: %s is too large", name);
	enum result result = put(writing, name, writing->text.data, writing->text.len, error);
	buf_clear(&writing->text);
	return result;
}

static enum result put_assets(struct writing *writing, struct error *error)
{
	struct arena *arena = writing->publisher->arena;
	const char *style = page_style_name(arena), *script = page_script_name(arena);
	enum result result = OK;
	if (!is_there(writing, style)) {
		page_style(&writing->text);
		result = put_text(writing, style, error);
	}
	if (result == OK && !is_there(writing, script)) {
		page_script(&writing->text);
		result = put_text(writing, script, error);
	}
	return result;
}

static enum result put_views(struct writing *writing, struct error *error)
{
	static const char *const documents[] = { "summary", "status", "components", "incidents" };
	struct arena *arena = writing->publisher->arena;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < ARRAY_LEN(documents); i++) {
		page_json(&writing->text, writing->view, documents[i], arena);
		result = put_text(writing, arena_printf(arena, "%s.json", documents[i]), error);
	}
	if (result != OK)
		return result;
	page_badge(&writing->text, writing->view, arena);
	result = put_text(writing, "badge.svg", error);
	if (result != OK)
		return result;
	page_feed(&writing->text, writing->view, arena);
	result = put_text(writing, "feed.atom", error);
	if (result != OK)
		return result;
	if (!writing->is_public) {
		gate_write(&writing->text, &writing->view->page);
		result = put_text(writing, GATE_FILE, error);
	}
	if (result != OK)
		return result;
	/* Last, since it names the others. */
	page_html(&writing->text, writing->view, arena);
	return put_text(writing, "index.html", error);
}

static enum result write_page(const struct publisher *publisher, const struct pages_dir *dir,
			      struct page_view *view, const struct page_file *at_hand,
			      size_t at_hand_count, struct error *error)
{
	bool is_public = view->page.privacy == PRIVACY_PUBLIC;
	struct writing writing = {
		.publisher = publisher,
		.dir = dir,
		.view = view,
		.is_public = is_public,
		.text = BUF_INIT(PAGE_FILE_MAX_BYTES),
	};
	view->url = arena_printf(publisher->arena, "%s/s/%s/",
				 publisher->base_url ? publisher->base_url : "", view->page.slug);
	/* First what must not be seen any more, then what is new. */
	enum result result = pages_dir_keep(dir, !is_public, view->page.slug, NULL, 0, error);
	if (result == OK)
		result = put_pictures(&writing, at_hand, at_hand_count, error);
	if (result == OK)
		result = put_assets(&writing, error);
	if (result == OK)
		result = put_views(&writing, error);
	buf_done(&writing.text);
	if (result == OK)
		result = pages_dir_keep(dir, is_public, view->page.slug, writing.names.names,
					writing.names.count, error);
	return result == OK ? publication_mark(publisher->db, &view->page, publisher->now, error)
			    : result;
}

static enum result remove_folders(const struct pages_dir *dir, const char *slug,
				  struct error *error)
{
	enum result result = pages_dir_keep(dir, true, slug, NULL, 0, error);
	return result == OK ? pages_dir_keep(dir, false, slug, NULL, 0, error) : result;
}

enum result publish_page(const struct publisher *publisher, int64_t page_id,
			 const char *former_slug, const struct page_file *at_hand, size_t count,
			 struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close);
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct page_content content = { 0 };
	enum result result = pages_dir_open(&dir, publisher->path, error);
	if (result == OK)
		result = former_slug ? pages_dir_lock_all(&dir, &lock, error)
				     : pages_dir_lock_page(&dir, page_id, &lock, error);
	/* Asked under the lock: whoever has taken the former slug meanwhile keeps its folder. */
	if (result == OK)
		result = page_content_read(publisher->db, page_id, former_slug, publisher->now,
					   publisher->arena, &content, error);
	if (result == OK && content.is_found)
		result = write_page(publisher, &dir, &content.view, at_hand, count, error);
	if (result == OK && former_slug && !content.is_slug_taken)
		result = remove_folders(&dir, former_slug, error);
	return result;
}

static enum result retire(const struct publisher *publisher, const struct pages_dir *dir,
			  const char *slug, bool *is_removed, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct publication taken;
	enum result result = pages_dir_lock_all(dir, &lock, error);
	if (result == OK)
		result = publication_find(publisher->db, slug, publisher->arena, &taken, error);
	*is_removed = result == E_MISSING;
	return *is_removed ? remove_folders(dir, slug, error) : result;
}

enum result publish_monitor(const struct publisher *publisher, int64_t monitor_id,
			    struct error *error)
{
	struct publication_query query = { .monitor_id = monitor_id, .now = publisher->now };
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	enum result result;
	do {
		result = publication_list(publisher->db, &query, after_id, publisher->arena, &list,
					  error);
		for (size_t i = 0; result == OK && i < list.count; i++) {
			after_id = list.rows[i].id;
			result = publish_page(publisher, after_id, NULL, NULL, 0, error);
		}
	} while (result == OK && list.count == PUBLICATION_LIST_MAX);
	return result;
}

enum result publish_retire(const struct publisher *publisher, const char *slug,
			   struct error *error)
{
	struct pages_dir dir CLEANUP(pages_dir_close);
	bool is_removed;
	enum result result = pages_dir_open(&dir, publisher->path, error);
	return result == OK ? retire(publisher, &dir, slug, &is_removed, error) : result;
}

static enum result run_pages(const struct publisher *publisher, struct publish_run *run,
			     struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, publisher->arena->cap_bytes);
	struct publisher own = *publisher;
	struct publication_query query = { .is_all = run->is_all, .now = publisher->now };
	struct publication_list list = { 0 };
	own.arena = &arena;
	int64_t after_id = 0;
	do {
		arena_reset(&arena);
		enum result result =
			publication_list(own.db, &query, after_id, &arena, &list, error);
		if (result != OK)
			return result;
		for (size_t i = 0; i < list.count; i++) {
			struct error failure = { 0 };
			after_id = list.rows[i].id;
			result = publish_page(&own, after_id, NULL, NULL, 0, &failure);
			run->published += result == OK;
			run->failed += result != OK;
			if (result != OK)
				*error = failure;
			if (run->progress)
				run->progress(run->context, list.rows[i].slug,
					      result == OK ? NULL : &failure);
			if (result == E_UNAVAILABLE)
				return result;
		}
	} while (list.count > 0);
	return OK;
}

static int compare_slugs(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Takes from `slugs` those that pages have; what stays is left over. */
static enum result drop_known(const struct publisher *publisher, struct slug_list *slugs,
			      struct error *error)
{
	struct publication_query query = { .is_all = true, .now = publisher->now };
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	if (slugs->count == 0)
		return OK;
	qsort(slugs->slugs, slugs->count, sizeof(*slugs->slugs), compare_slugs);
	bool *is_known = ARENA_ARRAY(publisher->arena, slugs->count, bool);
	do {
		enum result result = publication_list(publisher->db, &query, after_id,
						      publisher->arena, &list, error);
		if (result != OK)
			return result;
		for (size_t i = 0; i < list.count; i++) {
			const char **found = bsearch(&list.rows[i].slug, slugs->slugs, slugs->count,
						     sizeof(*slugs->slugs), compare_slugs);
			if (found)
				is_known[found - slugs->slugs] = true;
			after_id = list.rows[i].id;
		}
	} while (list.count > 0);
	size_t left = 0;
	for (size_t i = 0; i < slugs->count; i++)
		if (!is_known[i])
			slugs->slugs[left++] = slugs->slugs[i];
	slugs->count = left;
	return OK;
}

static enum result run_leftovers(const struct publisher *publisher, struct publish_run *run,
				 bool is_public, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct pages_dir dir CLEANUP(pages_dir_close);
	struct slug_list slugs;
	arena_init(&arena, publisher->arena->cap_bytes);
	struct publisher own = *publisher;
	own.arena = &arena;
	enum result result = pages_dir_open(&dir, own.path, error);
	if (result == OK)
		result = pages_dir_slugs(&dir, is_public, &arena, &slugs, error);
	if (result == OK)
		result = drop_known(&own, &slugs, error);
	for (size_t i = 0; result == OK && i < slugs.count; i++) {
		bool is_removed;
		result = retire(&own, &dir, slugs.slugs[i], &is_removed, error);
		run->removed += is_removed && result == OK;
		run->failed += result == E_FAILED;
		if (result == E_FAILED)
			result = OK;
	}
	return result;
}

enum result publish_run(const struct publisher *publisher, struct publish_run *run,
			struct error *error)
{
	enum result result = run_pages(publisher, run, error);
	if (result == OK && run->is_sweeping)
		result = run_leftovers(publisher, run, true, error);
	if (result == OK && run->is_sweeping)
		result = run_leftovers(publisher, run, false, error);
	return result == OK && run->failed > 0 ? E_FAILED : result;
}
