/* Puts the pages of a plan in place. */
#include <unistd.h>

#include "base/log.h"
#include "domain/page/status_page.h"
#include "mirror/receive/plan.h"
#include "publish/folder/former_address.h"
#include "publish/page/page_state.h"
#include "publish/page/pages_batch.h"

/* Adds the files of the page to the batch. A process that died may have placed some of them. */
static enum result gather(struct pages_batch *batch, const struct plan_page *page,
			  struct error *error)
{
	for (size_t i = 0; i < page->file_count; i++) {
		const struct plan_file *file = &page->files[i];
		if (pages_batch_has(batch, file->name, file->stamp))
			pages_batch_keep(batch, file->name, file->stamp);
		else if (file->temporary &&
			 folder_has(batch->dir->new_fd, file->temporary, file->stamp))
			pages_batch_adopt(batch, file->name, file->temporary, file->stamp);
		else
			return error_log(error, E_NOT_FOUND, "mirror: %s of page %lld is lost",
					 file->name, (long long)page->page_id);
	}
	return OK;
}

static enum result place_files(const struct receiver *receiver, const struct plan_page *page,
			       struct error *error)
{
	const struct page_address *address = &page->address;
	enum pages_place by_domain = page_address_domain_place(address);
	struct pages_batch batch CLEANUP(pages_batch_close) = { .folder_fd = -1 };
	enum result result = pages_batch_open(&batch, &receiver->dir, address->place, address->slug,
					      receiver->arena, error);
	batch.keeps_files = true;
	if (result == OK)
		result = gather(&batch, page, error);
	if (result == OK)
		result = pages_batch_commit(&batch, error);
	if (result == OK && address->domain)
		result = page_address_record_host(&receiver->dir, address, receiver->arena, error);
	if (result == OK && by_domain != PAGES_PLACES)
		result = pages_batch_mirror(&batch, by_domain, address->domain, error);
	return result;
}

/* Removes the page from all other places and addresses. Keeps its former addresses, which are part
 * of the shared data: the origin may have sent them already. */
static enum result remove_rest(const struct receiver *receiver, const struct plan_page *page,
			       struct error *error)
{
	enum result result = page_address_remove_elsewhere(&receiver->dir, &page->address, error);
	if (page->left_slug &&
	    page_address_remove_files(&receiver->dir, page->left_slug, false, error) != OK)
		result = E_FAILED;
	if (page->left_domain &&
	    page_address_remove_files(&receiver->dir, page->left_domain, true, error) != OK)
		result = E_FAILED;
	return result;
}

/* Writes the note of the page, with the hash of each file. So the origin need not send these files
 * again. */
static enum result write_note(const struct receiver *receiver, const struct plan_page *page,
			      struct error *error)
{
	struct page_note note CLEANUP(page_note_close) = PAGE_NOTE_CLOSED;
	struct page_state state = {
		.is_whole = true,
		.slug = page->address.slug,
		.domain = page->address.domain,
		.place = page->address.place,
		.version = page->version,
		.files = ARENA_ARRAY(receiver->arena, page->file_count, struct file_state),
		.file_count = page->file_count,
	};
	for (size_t i = 0; i < page->file_count; i++)
		state.files[i] = (struct file_state){ page->files[i].name, page->files[i].digest,
						      page->files[i].stamp, "-" };
	enum result result = page_note_open(&note, &receiver->dir, page->page_id, &state,
					    receiver->arena, error);
	return result == OK ? page_note_commit(&note, error) : result;
}

static enum result place_page(const struct receiver *receiver, const struct plan_page *page,
			      struct error *error)
{
	const struct status_page taken = { .slug = page->address.slug,
					   .domain = page->address.domain };
	bool is_private = page->address.place == PAGES_PRIVATE;
	enum result result = is_private ? remove_rest(receiver, page, error) : OK;
	if (result == OK)
		result = place_files(receiver, page, error);
	if (result == OK)
		result = former_addresses_end(&receiver->dir, &taken, error);
	if (result == OK && !is_private)
		result = remove_rest(receiver, page, error);
	return result == OK ? write_note(receiver, page, error) : result;
}

enum result plan_carry_out(const struct receiver *receiver, struct plan *plan, size_t count,
			   struct error *error)
{
	enum result result = OK;
	bool is_left = false;
	for (size_t i = 0; i < plan->count; i++) {
		struct plan_page *page = &plan->pages[i];
		struct error failure = { 0 };
		page->outcome = place_page(receiver, page, &failure);
		if (page->outcome == OK)
			continue;
		/* E_NOT_FOUND: a file is lost, so a later attempt fails, too. The page is then not
		 * intact, and the origin sends it again. */
		if (page->outcome != E_NOT_FOUND) {
			page->outcome = E_FAILED;
			is_left = true;
		}
		log_warn("mirror", "page %lld cannot be put in place: %s", (long long)page->page_id,
			 error_text(&failure));
		if (i < count) {
			*error = failure;
			result = E_FAILED;
		}
	}
	if (syncfs(receiver->dir.new_fd) != 0)
		return folder_failed(error, "cannot sync", "the file system");
	if (is_left)
		return result;
	enum result removed = plan_remove(receiver, error);
	return removed != OK ? removed : result;
}
