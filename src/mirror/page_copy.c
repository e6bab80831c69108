#include "mirror/page_copy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/page_access.h"
#include "publish/folder/gone.h"
#include "publish/page/page_state.h"

enum {
	TRIES_MAX = 3, /* tries without the page's lock */
};

/* Reads the page's note. Sets *note to NULL if the page has no complete note. */
static enum result load_note(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			     const char **note, struct error *error)
{
	return pages_dir_load(dir, PAGES_STATE, page_state_folder(page_id, arena), PAGE_STATE_FILE,
			      PAGE_NOTE_MAX_BYTES, arena, note, error);
}

static void make_version(const char *note, struct arena *arena,
			 char version[PAGE_COPY_VERSION_CHARS + 1])
{
	const char *hex = secret_hash_hex(arena, note, strlen(note), PAGE_COPY_VERSION_CHARS);
	memcpy(version, hex, PAGE_COPY_VERSION_CHARS + 1);
}

enum result page_copy_version(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      char version[PAGE_COPY_VERSION_CHARS + 1], struct error *error)
{
	const char *note = NULL;
	version[0] = '\0';
	enum result result = load_note(dir, page_id, arena, &note, error);
	if (result == OK && note)
		make_version(note, arena, version);
	return result;
}

static uint64_t short_hash(const char *a, const char *b)
{
	struct secret_digest digest;
	uint8_t hash[SECRET_HASH_BYTES];
	uint64_t number;
	secret_digest_init(&digest);
	secret_digest_add(&digest, a, strlen(a) + 1);
	secret_digest_add(&digest, b, strlen(b) + 1);
	secret_digest_end(&digest, hash);
	memcpy(&number, hash, sizeof(number));
	return number;
}

enum result page_copy_look(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			   struct page_look *look, struct error *error)
{
	struct page_state state;
	*look = (struct page_look){ .place = PAGES_PLACES };
	enum result result = page_copy_version(dir, page_id, arena, look->version, error);
	if (result == OK)
		result = page_state_read(dir, page_id, arena, &state, error);
	if (result != OK)
		return result;
	if (!look->version[0] && !state.is_known && !state.is_broken) {
		result = gone_has(dir, page_id, &look->is_gone, error);
		look->is_missing = !look->is_gone;
	}
	if (!look->version[0] || !state.is_known)
		return result;
	look->place = state.place;
	look->address = short_hash(state.slug, state.domain ? state.domain : "");
	for (size_t i = 0; i < state.file_count; i++)
		if (strcmp(state.files[i].name, PAGE_ACCESS_FILE) == 0)
			look->access = short_hash(state.files[i].digest, "");
	return OK;
}

static bool open_file(const struct pages_dir *dir, const struct page_copy *copy, const char *name,
		      struct page_copy_file *file)
{
	struct stat status;
	*file = (struct page_copy_file){ .name = name, .fd = -1 };
	file->fd = pages_dir_open_file(dir, copy->place, copy->slug, name);
	if (file->fd < 0 || fstat(file->fd, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	file->size = (size_t)status.st_size;
	return true;
}

static bool add_file(const struct pages_dir *dir, struct page_copy *copy, const char *name,
		     struct error *error)
{
	errno = 0;
	if (open_file(dir, copy, name, &copy->files[copy->file_count++]))
		return true;
	error_log(error, E_FAILED, "mirror: %s/%s/%s cannot be opened: %s",
		  pages_place_name(copy->place), copy->slug, name, strerror(errno));
	return false;
}

/* Opens the files that a note names. A compressed twin comes before its file, so index.html is
 * last. */
static enum result open_files(const struct pages_dir *dir, const struct page_state *state,
			      struct arena *arena, struct page_copy *copy, struct error *error)
{
	bool is_open = true;
	copy->files = ARENA_ARRAY(arena, 2 * state->file_count, struct page_copy_file);
	for (size_t i = 0; is_open && i < state->file_count; i++) {
		const struct file_state *file = &state->files[i];
		if (strcmp(file->packed, "-") != 0)
			is_open = add_file(dir, copy, arena_printf(arena, "%s.gz", file->name),
					   error);
		is_open = is_open && add_file(dir, copy, file->name, error);
	}
	return is_open ? OK : E_FAILED;
}

/* Opens the files if the note is complete. Sets *is_open to false if there is no complete note, or
 * if the note changed while the files were opened. */
static enum result try_open(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			    struct page_copy *copy, bool *is_open, struct error *error)
{
	const char *before = NULL, *after = NULL;
	struct page_state state;
	struct error failure = { 0 };
	*copy = (struct page_copy){ .page_id = page_id };
	*is_open = false;
	enum result result = load_note(dir, page_id, arena, &before, error);
	if (result != OK || !before)
		return result;
	page_state_parse(before, true, arena, &state);
	if (!state.is_known || state.place == PAGES_PLACES)
		return OK;
	make_version(before, arena, copy->version);
	copy->place = state.place;
	copy->slug = state.slug;
	copy->domain = state.domain;
	enum result opened = open_files(dir, &state, arena, copy, &failure);
	result = load_note(dir, page_id, arena, &after, error);
	*is_open = result == OK && opened == OK && after && strcmp(before, after) == 0;
	if (*is_open)
		return OK;
	page_copy_close(copy);
	*copy = (struct page_copy){ .page_id = page_id };
	/* If the note has not changed, no publisher has replaced the files, so report the
	 * failure. */
	if (result == OK && opened != OK && after && strcmp(before, after) == 0) {
		*error = failure;
		return opened;
	}
	return result;
}

/*
 * Finds out why a page has no complete note. Sets is_gone if the page was deleted, or if its
 * publisher hid it after a failure. Otherwise returns E_RETRY: a publisher has not completed the
 * page. The caller has locked the page.
 */
static enum result judge(const struct pages_dir *dir, struct page_copy *copy, struct arena *arena,
			 struct error *error)
{
	struct page_state state;
	enum result result = page_state_read(dir, copy->page_id, arena, &state, error);
	if (result != OK)
		return result;
	if (state.is_known)
		copy->is_gone = !state.is_whole && !page_state_is_there(dir, &state);
	else if (!state.is_broken)
		result = gone_has(dir, copy->page_id, &copy->is_gone, error);
	if (result != OK)
		return result;
	return copy->is_gone ? OK
			     : error_log(error, E_RETRY,
					 "mirror: page %lld is not published completely yet",
					 (long long)copy->page_id);
}

static enum result open_locked(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			       struct page_copy *copy, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	bool is_open = false;
	enum result result = pages_dir_lock_page(dir, page_id, &lock, error);
	if (result == OK)
		result = try_open(dir, page_id, arena, copy, &is_open, error);
	return result == OK && !is_open ? judge(dir, copy, arena, error) : result;
}

static enum result hash_file(struct page_copy_file *file, struct error *error)
{
	size_t size;
	return secret_hash_fd(file->fd, file->sha256, &size) && size == file->size
		       ? OK
		       : error_log(error, E_FAILED, "mirror: %s cannot be read: %s", file->name,
				   strerror(errno));
}

enum result page_copy_open(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			   struct page_copy *copy, struct error *error)
{
	bool is_open = false;
	enum result result = OK;
	*copy = (struct page_copy){ .page_id = page_id };
	/* Try without the lock first: if a file is replaced while the files are opened, the note
	 * changes. */
	for (int i = 0; result == OK && !is_open && i < TRIES_MAX; i++)
		result = try_open(dir, page_id, arena, copy, &is_open, error);
	if (result == OK && !is_open)
		result = open_locked(dir, page_id, arena, copy, error);
	for (size_t i = 0; result == OK && i < copy->file_count; i++)
		result = hash_file(&copy->files[i], error);
	if (result != OK)
		page_copy_close(copy);
	return result;
}

void page_copy_close(struct page_copy *copy)
{
	for (size_t i = 0; i < copy->file_count; i++)
		if (copy->files[i].fd >= 0)
			close(copy->files[i].fd);
	copy->file_count = 0;
}
