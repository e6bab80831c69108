#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "base/fd.h"
#include "mirror/receive/incoming.h"
#include "mirror/receive/receive.h"
#include "mirror/receive/receive_origin.h"
#include "publish/folder/folder.h"
#include "publish/page/page_state.h"

/* Stores the origin's signing key. If the mirror has another key, keeps the mirror's key and sets
 * *is_kept, because cookies and links of visitors are signed with the mirror's key. But if
 * replaces_key is true, replaces the mirror's key. */
static enum result receive_secret(const struct receiver *receiver, const char *secret,
				  bool *is_kept, struct error *error)
{
	struct signing_key key;
	struct str text = str_from(secret);
	bool is_found;
	enum result result = signing_key_read(receiver->dir.root_fd, &key, &is_found, error);
	bool is_same = result == OK && is_found &&
		       str_eq_nocase(text, str_from(secret_to_hex(receiver->arena, key.bytes,
								  sizeof(key.bytes))));
	*is_kept = result == OK && is_found && !is_same && !receiver->replaces_key;
	if (result != OK || is_same || *is_kept)
		return result;
	return signing_key_import(receiver->dir.root_fd, text, error);
}

static void free_data(char **data)
{
	free(*data);
}

/* Computes the hash of a list on the mirror. Returns false if the mirror does not have the list. */
static bool hash_of(int lists_fd, unsigned number, uint8_t hash[SECRET_HASH_BYTES])
{
	char name[FORMER_LIST_NAME_SIZE];
	size_t size;
	former_list_name(number, name);
	int fd CLEANUP(close_fd) = openat(lists_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 && secret_hash_fd(fd, hash, &size) && size <= FORMER_LIST_MAX_BYTES;
}

/* Checks that the received file is a list. Returns E_PRECONDITION_FAILED if the file is missing or
 * damaged. */
static enum result check_list(const struct receiver *receiver, const struct shared_list *list,
			      int fd, struct error *error)
{
	enum { LINE_ARENA_BYTES = 64 << 10 };
	struct arena arena CLEANUP(arena_done);
	uint8_t hash[SECRET_HASH_BYTES];
	struct stat status;
	bool is_there = fd >= 0 && fstat(fd, &status) == 0 &&
			status.st_size <= FORMER_LIST_MAX_BYTES;
	char *data CLEANUP(free_data) = is_there ? malloc((size_t)status.st_size + 1) : NULL;
	const struct str content = { data, data ? (size_t)status.st_size : 0 };
	arena_init(&arena, LINE_ARENA_BYTES);
	bool is_read = data && fd_read_some(fd, data, content.len) == (ssize_t)content.len;
	if (is_read)
		secret_hash(content, hash);
	if (!is_read || memcmp(hash, list->sha256, sizeof(hash)) != 0) {
		/* A loss of power may have emptied or cut the file. */
		incoming_forget(receiver, list->sha256);
		return E_PRECONDITION_FAILED;
	}
	if (!shared_data_is_list(content, list->number, &arena))
		return error_client(error, E_INVALID,
				    "A list has a line that is no former address of this list.");
	return OK;
}

/* Puts a list in place by one rename. Returns E_PRECONDITION_FAILED if the received file is
 * missing. */
static enum result put_list(const struct receiver *receiver, const struct shared_list *list,
			    int lists_fd, struct error *error)
{
	char name[FORMER_LIST_NAME_SIZE];
	former_list_name(list->number, name);
	if (list->size == 0)
		return folder_put(receiver->files_fd, lists_fd, name, STR(""), false, error);
	int fd CLEANUP(close_fd) = incoming_open(receiver, list->sha256);
	enum result result = check_list(receiver, list, fd, error);
	if (result != OK)
		return result;
	if (fsync(fd) != 0)
		return folder_failed(error, "cannot sync the list", name);
	const char *from = secret_to_hex(receiver->arena, list->sha256, sizeof(list->sha256));
	return renameat(receiver->files_fd, from, lists_fd, name) == 0
		       ? OK
		       : folder_failed(error, "cannot rename to", name);
}

/* Puts each list in place separately. If the received file of a list is missing, keeps the old
 * list, and sets *is_missing. */
static enum result put_lists(const struct receiver *receiver, const struct shared_data *data,
			     struct buf *missing, bool *is_missing, struct error *error)
{
	int fd CLEANUP(close_fd) = former_lists_open(receiver->dir.root_fd, true);
	enum result result = fd >= 0 ? OK
				     : folder_failed(error, "cannot make the folder", "former");
	for (size_t i = 0; result == OK && i < data->count; i++) {
		const struct shared_list *list = &data->lists[i];
		uint8_t hash[SECRET_HASH_BYTES];
		if (hash_of(fd, list->number, hash) &&
		    memcmp(hash, list->sha256, sizeof(hash)) == 0)
			continue;
		result = put_list(receiver, list, fd, error);
		if (result != E_PRECONDITION_FAILED)
			continue;
		buf_printf(missing, "%s\n",
			   secret_to_hex(receiver->arena, list->sha256, sizeof(list->sha256)));
		*is_missing = true;
		result = OK;
	}
	if (result == OK && data->count > 0 && fsync(fd) != 0)
		result = folder_failed(error, "cannot sync the folder", "former");
	return result;
}

enum result receive_shared(const struct receiver *receiver, const struct shared_data *data,
			   struct buf *missing, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	bool is_key_kept = false, is_missing = false;
	/* Lock the pages, so that a take-over by another origin waits for this request. */
	enum result result = pages_dir_lock_all(&receiver->dir, &lock, error);
	if (result == OK)
		result = receive_admit(receiver, false, error);
	if (result == OK)
		result = receive_secret(receiver, data->secret, &is_key_kept, error);
	if (result == OK)
		result = put_lists(receiver, data, missing, &is_missing, error);
	if (result == OK && is_missing)
		return E_PRECONDITION_FAILED;
	return result == OK && is_key_kept
		       ? error_client(error, E_CONFLICT, "The mirror has another signing key.")
		       : result;
}

enum result receive_shared_list(const struct receiver *receiver, struct buf *out,
				struct error *error)
{
	struct shared_list list = { 0 };
	int fd CLEANUP(close_fd) = former_lists_open(receiver->dir.root_fd, false);
	enum result result = receive_admit(receiver, false, error);
	if (result != OK)
		return result;
	for (list.number = 0; fd >= 0 && list.number < FORMER_LISTS; list.number++)
		if (hash_of(fd, list.number, list.sha256))
			shared_lists_print(out, &list, receiver->arena);
	return buf_ok(out) ? OK : error_log(error, E_FAILED, "mirror: no memory for the lists");
}

/* Appends "7 <version>", or "7 -" if a file of page 7 is missing or is not the file that was
 * sent. */
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
	const char *digest = NULL;
	enum result result = pages_dir_lock_all(&receiver->dir, &lock, error);
	if (result == OK)
		result = receive_admit(receiver, false, error);
	if (result == OK && receiver->origin.id[0])
		result = receive_digest(receiver, &digest, error);
	if (digest)
		buf_printf(out, "digest %s\n", digest);
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
