#include "publish/publish.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_FILES_MAX = 2 };

/* The stored files that the folder must have. */
static size_t wanted_names(const struct publication *page, const char *names[PAGE_FILES_MAX])
{
	size_t count = 0;
	if (page->logo_file)
		names[count++] = page->logo_file;
	if (page->favicon_file)
		names[count++] = page->favicon_file;
	return count;
}

static const struct page_file *file_named(const struct page_file *files, size_t count,
					  const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (files[i].name && strcmp(files[i].name, name) == 0)
			return &files[i];
	return NULL;
}

/* Writes what is not there yet. File names carry their content's hash, so one that is there is right. */
static enum result write_files(const struct publisher *publisher, const struct pages_dir *dir,
			       const struct publication *page, const struct page_file *at_hand,
			       size_t at_hand_count, struct error *error)
{
	struct page_file stored[PAGE_FILES_MAX];
	size_t stored_count = 0;
	bool is_read = false;
	const char *names[PAGE_FILES_MAX];
	size_t count = wanted_names(page, names);
	bool is_public = page->privacy == PRIVACY_PUBLIC;
	for (size_t i = 0; i < count; i++) {
		if (pages_dir_has(dir, is_public, page->slug, names[i]))
			continue;
		const struct page_file *file = file_named(at_hand, at_hand_count, names[i]);
		enum result result = OK;
		if (!file && !is_read) {
			is_read = true;
			result = publication_files(publisher->db, page->id, publisher->arena,
						   stored, &stored_count, error);
		}
		if (result != OK)
			return result;
		if (!file)
			file = file_named(stored, stored_count, names[i]);
		if (!file)
			return error_log(error, E_FAILED, "publish: %s is not in the database",
					 names[i]);
		result = pages_dir_put(dir, is_public, page->slug, file->name, file->data,
				       file->len, error);
		if (result != OK)
			return result;
	}
	return OK;
}

static enum result write_page(const struct publisher *publisher, const struct pages_dir *dir,
			      const struct publication *page, const struct page_file *at_hand,
			      size_t at_hand_count, struct error *error)
{
	bool is_public = page->privacy == PRIVACY_PUBLIC;
	const char *names[PAGE_FILES_MAX];
	size_t count = wanted_names(page, names);
	/* First what must not be seen any more, then what is new. */
	enum result result = pages_dir_keep(dir, !is_public, page->slug, NULL, 0, error);
	if (result == OK)
		result = write_files(publisher, dir, page, at_hand, at_hand_count, error);
	if (result == OK)
		result = pages_dir_keep(dir, is_public, page->slug, names, count, error);
	return result == OK ? publication_mark(publisher->db, page, error) : result;
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
	struct publication_list found = { 0 };
	bool is_former_taken = false;
	enum result result = pages_dir_open(&dir, publisher->path, error);
	if (result == OK)
		result = former_slug ? pages_dir_lock_all(&dir, &lock, error)
				     : pages_dir_lock_page(&dir, page_id, &lock, error);
	/* Asked under the lock: whoever has taken the former slug meanwhile keeps its folder. */
	if (result == OK)
		result = publication_find(publisher->db, page_id, former_slug, publisher->arena,
					  &found, error);
	for (size_t i = 0; result == OK && i < found.count; i++) {
		const struct publication *page = &found.rows[i];
		is_former_taken |= former_slug && strcmp(page->slug, former_slug) == 0;
		if (page->id == page_id)
			result = write_page(publisher, &dir, page, at_hand, count, error);
	}
	if (result == OK && former_slug && !is_former_taken)
		result = remove_folders(&dir, former_slug, error);
	return result;
}

static enum result retire(const struct publisher *publisher, const struct pages_dir *dir,
			  const char *slug, bool *is_removed, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct publication_list found = { 0 };
	enum result result = pages_dir_lock_all(dir, &lock, error);
	if (result == OK)
		result = publication_find(publisher->db, 0, slug, publisher->arena, &found, error);
	*is_removed = result == OK && found.count == 0;
	return *is_removed ? remove_folders(dir, slug, error) : result;
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
	struct publisher own = { publisher->db, publisher->path, &arena };
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	do {
		arena_reset(&arena);
		enum result result =
			publication_list(own.db, after_id, run->is_all, &arena, &list, error);
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
	struct publication_list list = { 0 };
	int64_t after_id = 0;
	if (slugs->count == 0)
		return OK;
	qsort(slugs->slugs, slugs->count, sizeof(*slugs->slugs), compare_slugs);
	bool *is_known = ARENA_ARRAY(publisher->arena, slugs->count, bool);
	do {
		enum result result = publication_list(publisher->db, after_id, true,
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
	struct publisher own = { publisher->db, publisher->path, &arena };
	enum result result = pages_dir_open(&dir, own.path, error);
	if (result == OK)
		result = pages_dir_slugs(&dir, is_public, &arena, &slugs, error);
	if (result == OK)
		result = drop_known(&own, &slugs, error);
	for (size_t i = 0; result == OK && i < slugs.count; i++) {
		bool is_removed;
		result = retire(&own, &dir, slugs.slugs[i], &is_removed, error);
		run->removed += is_removed;
	}
	return result;
}

enum result publish_run(const struct publisher *publisher, struct publish_run *run,
			struct error *error)
{
	enum result result = run_pages(publisher, run, error);
	if (result == OK)
		result = run_leftovers(publisher, run, true, error);
	if (result == OK)
		result = run_leftovers(publisher, run, false, error);
	return result == OK && run->failed > 0 ? E_FAILED : result;
}
