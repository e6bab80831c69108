#include "publish/page/page_address.h"

#include <string.h>

#include "domain/page/status_page.h"
#include "publish/page/pages_batch.h"

enum pages_place page_address_domain_place(const struct page_address *address)
{
	if (!address->domain || address->place == PAGES_PRIVATE)
		return PAGES_PLACES;
	return address->place == PAGES_NOINDEX ? PAGES_NOINDEX_DOMAIN : PAGES_DOMAIN;
}

/* Removes the folder from all places before `end` that have folders of this kind (is_domain). */
static enum result remove_before(const struct pages_dir *dir, enum pages_place end,
				 const char *folder, bool is_domain, struct error *error)
{
	enum result result = OK;
	/* Go on after a failure: the page may be public in another place. */
	for (enum pages_place place = 0; place < end; place++)
		if (pages_place_is_by_domain(place) == is_domain &&
		    pages_dir_remove(dir, place, folder, error) != OK)
			result = E_FAILED;
	return result;
}

enum result page_address_remove(const struct pages_dir *dir, const char *folder, bool is_domain,
				struct error *error)
{
	return remove_before(dir, PAGES_STATE, folder, is_domain, error);
}

enum result page_address_remove_files(const struct pages_dir *dir, const char *folder,
				      bool is_domain, struct error *error)
{
	return remove_before(dir, PAGES_FORMER, folder, is_domain, error);
}

enum result page_address_remove_elsewhere(const struct pages_dir *dir,
					  const struct page_address *address, struct error *error)
{
	enum result result = OK;
	/* Continue after a failure: the page may be public in the next place. */
	for (enum pages_place place = 0; place < PAGES_HOST; place++) {
		bool is_by_domain = pages_place_is_by_domain(place);
		const char *folder = is_by_domain ? address->domain : address->slug;
		enum pages_place own = is_by_domain ? page_address_domain_place(address)
						    : address->place;
		if (folder && place != own && pages_dir_remove(dir, place, folder, error) != OK)
			result = E_FAILED;
	}
	return result;
}

enum result page_address_record_host(const struct pages_dir *dir,
				     const struct page_address *address, struct arena *arena,
				     struct error *error)
{
	const char *slug = NULL;
	enum result result = pages_dir_load(dir, PAGES_HOST, address->domain, PAGES_HOST_FILE,
					    STATUS_PAGE_SLUG_MAX, arena, &slug, error);
	if (result == OK && slug && strcmp(slug, address->slug) == 0)
		return OK;
	return pages_dir_put(dir, PAGES_HOST, address->domain, PAGES_HOST_FILE,
			     str_from(address->slug), arena, error);
}
