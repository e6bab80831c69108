/* Checks and frees the addresses of pages: for mirror/receive/receive.c. */
#ifndef MIRROR_RECEIVE_RECEIVE_ADDRESS_H
#define MIRROR_RECEIVE_RECEIVE_ADDRESS_H

#include "mirror/manifest.h"
#include "mirror/receive/plan.h"
#include "mirror/receive/receiver.h"
#include "publish/page/page_state.h"

/* The addresses of all pages that the manifest does not name. receive_check_address() reads them
 * when it first needs them. */
struct receive_owners {
	const struct manifest *manifest;
	const struct plan *left; /* the plan of a process that died */
	bool is_read;
	struct receive_owner {
		int64_t page_id;
		const char *slug;
		const char *domain;
	} * rows;
	size_t count;
	size_t room;
};

bool receive_names(const struct manifest *manifest, int64_t page_id);
/* Checks that the page may take the address. E_INVALID: the address belongs to a page that the
 * manifest does not name. */
enum result receive_check_address(const struct receiver *receiver, struct receive_owners *owners,
				  const struct page_address *address,
				  const struct page_state *state, struct error *error) MUST_USE;
/* Sets left_slug and left_domain of `page`: addresses that it gives up and that no page of the
 * manifest takes over. */
void receive_find_left(const struct manifest *manifest, const struct page_state *state,
		       struct plan_page *page);
/* Removes a page, even on a full disk. Returns OK if the page does not exist. */
enum result receive_gone(const struct receiver *receiver, int64_t page_id, struct error *error)
	MUST_USE;

#endif
