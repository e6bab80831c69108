/* The addresses of a page in the pages folder: the folders of its slug and of its domain. */
#ifndef PUBLISH_PAGE_PAGE_ADDRESS_H
#define PUBLISH_PAGE_PAGE_ADDRESS_H

#include "publish/folder/pages_dir.h"

struct page_address {
	const char *slug;
	const char *domain;	/* NULL: none */
	enum pages_place place; /* PAGES_PUBLIC, PAGES_NOINDEX or PAGES_PRIVATE */
};

/* Returns the place of the files for the page's own domain; PAGES_PLACES: the page has no such
 * files. */
enum pages_place page_address_domain_place(const struct page_address *address);
/* Removes the folders of a slug, or of a domain, from all places. */
enum result page_address_remove(const struct pages_dir *dir, const char *folder, bool is_domain,
				struct error *error) MUST_USE;
/* Does the same as page_address_remove(), but keeps the redirect from a former address. */
enum result page_address_remove_files(const struct pages_dir *dir, const char *folder,
				      bool is_domain, struct error *error) MUST_USE;
/* Removes the page's folders from all places except those of `address`. Keeps PAGES_HOST. */
enum result page_address_remove_elsewhere(const struct pages_dir *dir,
					  const struct page_address *address, struct error *error)
	MUST_USE;
/* Writes the file in PAGES_HOST that names the page of the domain. */
enum result page_address_record_host(const struct pages_dir *dir,
				     const struct page_address *address, struct arena *arena,
				     struct error *error) MUST_USE;

#endif
