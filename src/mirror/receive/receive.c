#include "mirror/receive/receive.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "domain/page/published_file.h"
#include "mirror/receive/receive_address.h"
#include "mirror/receive/receive_origin.h"
#include "mirror/receive/received_page.h"
#include "publish/folder/folder.h"

struct receiving {
	const struct receiver *receiver;
	const struct manifest *manifest;
	struct received_page *arrivals; /* the pages of the manifest, except pages that are gone */
	size_t count;
	struct plan left; /* the plan of a process that died */
	struct plan plan;
	size_t own_count; /* the number of pages of this request in `plan`; pages from `left`
			     follow them */
	struct buf *missing;
	struct error *error;
};

static void receiving_close(struct receiving *receiving)
{
	for (size_t i = 0; i < receiving->count; i++)
		close_fd(&receiving->arrivals[i].folder_fd);
}

/* Plans one page, and writes its files that are not in place. */
static enum result plan_page(struct receiving *receiving, const struct received_page *arrival)
{
	const struct page_copy *copy = arrival->copy;
	struct arena *arena = receiving->receiver->arena;
	struct plan_page *page = &receiving->plan.pages[receiving->plan.count++];
	enum result result = OK;
	*page = (struct plan_page){
		.page_id = copy->page_id,
		.version = copy->version,
		.address = arrival->address,
		.files = ARENA_ARRAY(arena, copy->file_count, struct plan_file),
	};
	receive_find_left(receiving->manifest, &arrival->state, page);
	for (size_t i = 0; result == OK && i < copy->file_count; i++)
		result = received_page_plan_file(arrival, &copy->files[i],
						 &page->files[page->file_count++],
						 receiving->missing, receiving->error);
	return result;
}

/* Removes the temporary files of a plan that will not be carried out. */
static void drop_plan(const struct receiving *receiving)
{
	for (size_t i = 0; i < receiving->own_count; i++) {
		const struct plan_page *page = &receiving->plan.pages[i];
		for (size_t at = 0; at < page->file_count; at++)
			if (page->files[at].temporary)
				unlinkat(receiving->receiver->dir.new_fd, page->files[at].temporary,
					 0);
	}
}

/* Saves the plan. Adds the pages of `left` that have failed again, except pages of the manifest. */
static enum result save_plan(struct receiving *receiving)
{
	const struct receiver *receiver = receiving->receiver;
	struct plan *plan = &receiving->plan;
	for (size_t i = 0; i < receiving->left.count; i++) {
		const struct plan_page *page = &receiving->left.pages[i];
		if (page->outcome == E_FAILED && !receive_names(receiving->manifest, page->page_id))
			plan->pages[plan->count++] = *page;
	}
	if (plan->count == 0)
		return receiving->left.count > 0 ? plan_remove(receiver, receiving->error) : OK;
	return plan_save(receiver, plan, receiving->error);
}

static enum result make_plan(struct receiving *receiving)
{
	enum result result = OK;
	for (size_t i = 0; result == OK && i < receiving->count; i++)
		if (!received_page_is_current(&receiving->arrivals[i]))
			result = plan_page(receiving, &receiving->arrivals[i]);
	receiving->own_count = receiving->plan.count;
	if (result == OK && receiving->own_count > 0 &&
	    syncfs(receiving->receiver->dir.new_fd) != 0)
		result = folder_failed(receiving->error, "cannot sync", "the file system");
	if (result == OK)
		result = save_plan(receiving);
	if (result != OK)
		drop_plan(receiving);
	return result;
}

/* If a public page becomes private, moves its files to the received files, index.html first.
 * Visitors must not see the page while the mirror still lacks files. */
static enum result hide(const struct receiving *receiving, const struct received_page *arrival)
{
	const struct receiver *receiver = receiving->receiver;
	const struct page_state *state = &arrival->state;
	if (arrival->address.place != PAGES_PRIVATE || state->place >= PAGES_STATE ||
	    !pages_place_is_public(state->place))
		return OK;
	int fd CLEANUP(close_fd) = folder_open(receiver->dir.place_fds[state->place], state->slug);
	enum result result = OK;
	for (size_t i = state->file_count; fd >= 0 && result == OK && i > 0; i--) {
		uint8_t sha256[SECRET_HASH_BYTES];
		struct stat status;
		const char *name = state->files[i - 1].name;
		if (fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		    secret_from_hex(str_from(state->files[i - 1].digest), sha256, sizeof(sha256)))
			result = incoming_take(receiver, sha256, fd, name, receiving->error);
	}
	const struct page_address nowhere = { state->slug, state->domain, PAGES_PRIVATE };
	enum result removed =
		page_address_remove_elsewhere(&receiver->dir, &nowhere, receiving->error);
	return result == OK ? removed : result;
}

static enum result hide_all(const struct receiving *receiving)
{
	enum result result = OK;
	for (size_t i = 0; i < receiving->count; i++)
		if (hide(receiving, &receiving->arrivals[i]) != OK)
			result = E_FAILED;
	return result;
}

/* Removes received files that are now files of pages, because their content is on the disk twice.
 * Keeps files with a hash in their names, which many pages share. */
static void forget_used(const struct receiving *receiving)
{
	for (size_t i = 0; i < receiving->count; i++) {
		const struct page_copy *copy = receiving->arrivals[i].copy;
		for (size_t at = 0; at < copy->file_count; at++) {
			if (!published_file_is_hashed(copy->files[at].name))
				incoming_forget(receiving->receiver, copy->files[at].sha256);
		}
	}
}

/* Reads the page's state on the disk, and opens the page's folder. */
static enum result meet(const struct receiver *receiver, const struct page_copy *copy,
			struct received_page *arrival, struct error *error)
{
	/* Drop a domain that is a name of this site. An older configuration may have allowed it. */
	const char *domain = site_shows(receiver->site, copy->domain) ? copy->domain : NULL;
	*arrival = (struct received_page){
		.receiver = receiver,
		.copy = copy,
		.address = { copy->slug, domain, copy->place },
		.folder_fd = -1,
	};
	const struct page_state *state = &arrival->state;
	enum result result = page_state_read(&receiver->dir, copy->page_id, receiver->arena,
					     &arrival->state, error);
	if (result != OK || !state->is_whole || state->place != copy->place ||
	    strcmp(state->slug, copy->slug) != 0)
		return result;
	arrival->folder_fd = folder_open(receiver->dir.place_fds[copy->place], copy->slug);
	return arrival->folder_fd >= 0 || errno == ENOENT
		       ? OK
		       : folder_failed(error, "cannot open the folder", copy->slug);
}

/* Reads the states of the pages in the manifest. Removes the pages that are gone. */
static enum result meet_all(struct receiving *receiving)
{
	const struct receiver *receiver = receiving->receiver;
	enum result result = OK;
	for (size_t i = 0; result == OK && i < receiving->manifest->count; i++) {
		const struct page_copy *copy = &receiving->manifest->pages[i];
		result = copy->is_gone
				 ? receive_gone(receiver, copy->page_id, receiving->error)
				 : meet(receiver, copy, &receiving->arrivals[receiving->count++],
					receiving->error);
	}
	return result;
}

enum result receive_finish(const struct receiver *receiver, struct plan *left, struct error *error)
{
	struct error failure = { 0 };
	enum result result = plan_load(receiver, left, error);
	if (result == OK && left->count > 0 &&
	    plan_carry_out(receiver, left, left->count, &failure) != OK)
		log_warn("mirror", "pages are left to be put in place: %s", error_text(&failure));
	return result;
}

static enum result check_addresses(struct receiving *receiving)
{
	struct receive_owners owners = { .manifest = receiving->manifest,
					 .left = &receiving->left };
	enum result result = OK;
	for (size_t i = 0; result == OK && i < receiving->count; i++)
		result = receive_check_address(receiving->receiver, &owners,
					       &receiving->arrivals[i].address,
					       &receiving->arrivals[i].state, receiving->error);
	return result;
}

static enum result receive_locked(struct receiving *receiving)
{
	struct arena *arena = receiving->receiver->arena;
	enum result result =
		receive_finish(receiving->receiver, &receiving->left, receiving->error);
	if (result == OK)
		result = meet_all(receiving);
	if (result == OK)
		result = check_addresses(receiving);
	if (result != OK)
		return result;
	receiving->plan.pages =
		ARENA_ARRAY(arena, receiving->count + receiving->left.count, struct plan_page);
	for (size_t i = 0; i < receiving->count; i++)
		if (received_page_find_missing(&receiving->arrivals[i], receiving->missing) != OK)
			result = E_PRECONDITION_FAILED;
	if (result == OK)
		result = make_plan(receiving);
	if (result != OK) {
		enum result hidden = hide_all(receiving);
		return hidden == OK ? result : hidden;
	}
	if (receiving->plan.count > 0)
		result = plan_carry_out(receiving->receiver, &receiving->plan, receiving->own_count,
					receiving->error);
	if (result == OK)
		forget_used(receiving);
	return result;
}

enum result receive_pages(const struct receiver *receiver, const struct manifest *manifest,
			  struct buf *missing, struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct receiving receiving CLEANUP(receiving_close) = {
		.receiver = receiver,
		.manifest = manifest,
		.arrivals = ARENA_ARRAY(receiver->arena, manifest->count, struct received_page),
		.missing = missing,
		.error = error,
	};
	enum result result = pages_dir_lock_all(&receiver->dir, &lock, error);
	if (result == OK)
		result = receive_admit(receiver, false, error);
	if (result == OK)
		result = receive_locked(&receiving);
	return result == OK ? receive_digest_add(receiver, manifest->sha256, error) : result;
}
