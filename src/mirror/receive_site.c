#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "mirror/receive.h"
#include "publish/folder.h"
#include "publish/former_address.h"
#include "publish/page_state.h"
#include "publish/pages_batch.h"

enum { ID_MAX_BYTES = 20 };

static enum result receive_secret(const struct receiver *receiver, const char *secret,
				  struct error *error)
{
	struct signing_key key;
	struct str text = str_from(secret);
	bool is_found;
	enum result result = signing_key_read(receiver->dir.root_fd, &key, &is_found, error);
	bool is_same = result == OK && is_found &&
		       str_eq_nocase(text, str_from(secret_to_hex(receiver->arena, key.bytes,
								  sizeof(key.bytes))));
	return is_same ? OK : signing_key_import(receiver->dir.root_fd, text, error);
}

/* Records a former address; everything is synced afterwards. */
static enum result put_former(const struct receiver *receiver,
			      const struct site_copy_former *former, enum pages_place place,
			      struct error *error)
{
	struct arena *arena = receiver->arena;
	const char *id = arena_printf(arena, "%lld", (long long)former->page_id), *recorded;
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	enum result result = pages_dir_load(&receiver->dir, place, former->name,
					    FORMER_ADDRESS_FILE, ID_MAX_BYTES, arena, &recorded,
					    error);
	if (result != OK || (recorded && strcmp(recorded, id) == 0))
		return result;
	result = pages_batch_open(&batch, &receiver->dir, place, former->name, arena, error);
	batch.closes_files = true;
	if (result == OK)
		result = pages_batch_add(&batch, FORMER_ADDRESS_FILE, str_from(id), NULL, error);
	return result == OK ? pages_batch_commit(&batch, error) : result;
}

/* Removes the records that the origin does not have. */
static enum result remove_others(const struct receiver *receiver, const struct site_copy *site,
				 bool is_domain, struct error *error)
{
	enum pages_place place = is_domain ? PAGES_FORMER_HOST : PAGES_FORMER;
	const char **kept = ARENA_ARRAY(receiver->arena, site->count + 1, const char *);
	size_t count = 0;
	struct pages_names there;
	for (size_t i = 0; i < site->count; i++)
		if (site->former[i].is_domain == is_domain)
			kept[count++] = site->former[i].name;
	qsort(kept, count, sizeof(*kept), str_compare_texts);
	enum result result =
		pages_dir_folders(&receiver->dir, place, receiver->arena, &there, error);
	for (size_t i = 0; result == OK && i < there.count; i++)
		if (!bsearch(&there.names[i], kept, count, sizeof(*kept), str_compare_texts))
			result = pages_dir_remove(&receiver->dir, place, there.names[i], error);
	return result;
}

enum result receive_site(const struct receiver *receiver, const struct site_copy *site,
			 struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	enum result result = pages_dir_lock_all(&receiver->dir, &lock, error);
	if (result == OK)
		result = receive_secret(receiver, site->secret, error);
	for (size_t i = 0; result == OK && i < site->count; i++)
		result = put_former(receiver, &site->former[i],
				    site->former[i].is_domain ? PAGES_FORMER_HOST : PAGES_FORMER,
				    error);
	if (result == OK)
		result = remove_others(receiver, site, false, error);
	if (result == OK)
		result = remove_others(receiver, site, true, error);
	if (result == OK && syncfs(receiver->dir.root_fd) != 0)
		result = folder_failed(error, "cannot sync", "the file system");
	return result;
}

/* "7 <version>", or "7 -" if a file of page 7 is missing or another than was sent. */
static enum result list_page(const struct receiver *receiver, const char *id, struct arena *arena,
			     struct buf *out, struct error *error)
{
	struct page_state state;
	int64_t page_id;
	if (!str_to_int64(str_from(id), &page_id))
		return OK;
	enum result result = page_state_read(&receiver->dir, page_id, arena, &state, error);
	if (result != OK)
		return result;
	bool is_intact = state.is_whole && state.version &&
			 page_state_is_intact(&receiver->dir, &state, arena);
	buf_printf(out, "%s %s\n", id, is_intact ? state.version : "-");
	return OK;
}

enum result receive_list(const struct receiver *receiver, struct buf *out, struct error *error)
{
	enum { PAGE_ARENA_MAX_BYTES = 16 << 20 };
	struct arena arena CLEANUP(arena_done);
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct pages_names ids = { 0 };
	struct plan left;
	arena_init(&arena, PAGE_ARENA_MAX_BYTES);
	enum result result = pages_dir_lock_all(&receiver->dir, &lock, error);
	if (result == OK)
		result = receive_finish(receiver, &left, error);
	if (result == OK)
		result = pages_dir_folders(&receiver->dir, PAGES_STATE, receiver->arena, &ids,
					   error);
	for (size_t i = 0; result == OK && i < ids.count; i++) {
		arena_reset(&arena);
		result = list_page(receiver, ids.names[i], &arena, out, error);
	}
	return result == OK && !buf_ok(out)
		       ? error_log(error, E_FAILED, "mirror: no memory for the list of pages")
		       : result;
}
