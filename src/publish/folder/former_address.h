/*
 * The former addresses of pages on the disk, so that the program redirects requests for them
 * without the database: DIR/former/<slug>/page and DIR/former-host/<domain>/page have the id of
 * the page, whose note says where the page is now. Pages that are private have none: a request for
 * their former address is like one for an address that never existed.
 */
#ifndef PUBLISH_FOLDER_FORMER_ADDRESS_H
#define PUBLISH_FOLDER_FORMER_ADDRESS_H

#include "publish/page/pages_reader.h"
#include "publish/publish.h"
#include "store/snapshot/page_content.h"

#define FORMER_ADDRESS_FILE "page"

/* Brings the records of the page's former addresses up to date; the page is locked. */
enum result former_addresses_write(const struct pages_dir *dir, const struct page_content *content,
				   const struct site *site, struct arena *arena,
				   struct error *error) MUST_USE;
/* Removes the records of the addresses that the page has now, which were another page's. */
enum result former_addresses_end(const struct pages_dir *dir, const struct status_page *page,
				 struct error *error) MUST_USE;
/* Where the page of a former slug (PAGES_FORMER) or domain (PAGES_FORMER_HOST) is now. */
struct former_address {
	const char *slug; /* NULL: nowhere */
	const char *domain;
};
enum result former_address_find(const struct pages_reader *reader, enum pages_place place,
				const char *name, struct arena *arena, struct former_address *found,
				struct error *error) MUST_USE;

#endif
