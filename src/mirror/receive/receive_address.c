#include "mirror/receive/receive_address.h"

#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "publish/folder/folder.h"

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

bool receive_names(const struct manifest *manifest, int64_t page_id)
{
	for (size_t i = 0; i < manifest->count; i++)
		if (manifest->pages[i].page_id == page_id)
			return true;
	return false;
}

static void add_owner(struct receive_owners *owners, const struct receive_owner *owner,
		      struct arena *arena)
{
	owners->rows = arena_grow(arena, owners->rows, owners->count, &owners->room,
				  sizeof(*owners->rows));
	owners->rows[owners->count++] = *owner;
}

/* Reads the addresses of all pages that the manifest does not name. */
static enum result read_owners(const struct receiver *receiver, struct receive_owners *owners,
			       struct error *error)
{
	enum { HEAD_MAX_BYTES = 1024 };
	struct arena *arena = receiver->arena;
	struct pages_names ids;
	enum result result = pages_dir_folders(&receiver->dir, PAGES_STATE, arena, &ids, error);
	for (size_t i = 0; result == OK && i < ids.count; i++) {
		char head[HEAD_MAX_BYTES];
		struct page_state state;
		int64_t id;
		int fd CLEANUP(close_fd) = pages_dir_open_file(&receiver->dir, PAGES_STATE,
							       ids.names[i], PAGE_STATE_FILE);
		ssize_t len = fd >= 0 ? read(fd, head, sizeof(head)) : 0;
		if (len <= 0 || !str_to_int64(str_from(ids.names[i]), &id) ||
		    receive_names(owners->manifest, id))
			continue;
		page_state_parse_head((struct str){ head, (size_t)len }, arena, &state);
		const struct receive_owner owner = { id, state.slug, state.domain };
		if (state.is_known)
			add_owner(owners, &owner, arena);
	}
	for (size_t i = 0; i < owners->left->count; i++) {
		const struct plan_page *page = &owners->left->pages[i];
		const struct receive_owner owner = { page->page_id, page->address.slug,
						     page->address.domain };
		if (page->outcome == E_FAILED && !receive_names(owners->manifest, page->page_id))
			add_owner(owners, &owner, arena);
	}
	owners->is_read = true;
	return result;
}

/* Whether a folder with this name exists, so that another page may have this slug or domain. */
static bool is_used(const struct pages_dir *dir, const char *folder, bool is_domain)
{
	for (enum pages_place place = 0; place < PAGES_FORMER; place++)
		if (pages_place_is_by_domain(place) == is_domain &&
		    pages_dir_has_folder(dir, place, folder))
			return true;
	return false;
}

enum result receive_check_address(const struct receiver *receiver, struct receive_owners *owners,
				  const struct page_address *address,
				  const struct page_state *state, struct error *error)
{
	const struct pages_dir *dir = &receiver->dir;
	bool is_slug_new = !is_same(state->slug, address->slug) &&
			   (owners->left->count > 0 || is_used(dir, address->slug, false));
	bool is_domain_new = address->domain && !is_same(state->domain, address->domain) &&
			     (owners->left->count > 0 || is_used(dir, address->domain, true));
	enum result result = OK;
	if ((is_slug_new || is_domain_new) && !owners->is_read)
		result = read_owners(receiver, owners, error);
	for (size_t i = 0; result == OK && i < owners->count; i++) {
		const struct receive_owner *owner = &owners->rows[i];
		if (is_slug_new && is_same(owner->slug, address->slug))
			return error_client(error, E_INVALID,
					    "The slug %s is an address of page %lld.",
					    address->slug, (long long)owner->page_id);
		if (is_domain_new && is_same(owner->domain, address->domain))
			return error_client(error, E_INVALID,
					    "The domain %.160s is an address of page %lld.",
					    address->domain, (long long)owner->page_id);
	}
	return result;
}

void receive_find_left(const struct manifest *manifest, const struct page_state *state,
		       struct plan_page *page)
{
	if (!state->is_known)
		return;
	page->left_slug = is_same(state->slug, page->address.slug) ? NULL : state->slug;
	page->left_domain = is_same(state->domain, page->address.domain) ? NULL : state->domain;
	for (size_t i = 0; i < manifest->count; i++) {
		const struct page_copy *copy = &manifest->pages[i];
		if (is_same(copy->slug, page->left_slug))
			page->left_slug = NULL;
		if (is_same(copy->domain, page->left_domain))
			page->left_domain = NULL;
	}
}

/* Removes index.html first, so that the address shows nothing, even if the process dies before all
 * files are removed. */
static void remove_first_file(const struct pages_dir *dir, const struct page_state *state)
{
	for (enum pages_place place = 0; place < PAGES_HOST; place++) {
		const char *folder = pages_place_is_by_domain(place) ? state->domain : state->slug;
		if (!folder)
			continue;
		int fd CLEANUP(close_fd) = folder_open(dir->place_fds[place], folder);
		if (fd >= 0) {
			unlinkat(fd, PAGE_FIRST_FILE ".gz", 0);
			unlinkat(fd, PAGE_FIRST_FILE, 0);
		}
	}
}

enum result receive_gone(const struct receiver *receiver, int64_t page_id, struct error *error)
{
	const struct pages_dir *dir = &receiver->dir;
	struct page_state state;
	enum result result = page_state_read(dir, page_id, receiver->arena, &state, error);
	if (result != OK)
		return result;
	if (state.is_broken)
		return error_log(error, E_FAILED, "mirror: the note of page %lld is damaged",
				 (long long)page_id);
	if (state.is_known) {
		remove_first_file(dir, &state);
		result = page_address_remove_files(dir, state.slug, false, error);
	}
	if (state.domain && page_address_remove_files(dir, state.domain, true, error) != OK)
		result = E_FAILED;
	return result == OK ? page_state_remove(dir, page_id, receiver->arena, error) : result;
}
