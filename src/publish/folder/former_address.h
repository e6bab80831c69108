/*
 * The former addresses of pages, on the disk. With them the program redirects requests without the
 * database. DIR/former/<slug>/page and DIR/former-host/<domain>/page contain the id of the page.
 * The page's note has its present address. A private page has no such files: a request for its
 * former address is answered like a request for an address that never existed.
 */
#ifndef PUBLISH_FOLDER_FORMER_ADDRESS_H
#define PUBLISH_FOLDER_FORMER_ADDRESS_H

#include "publish/page/pages_reader.h"
#include "publish/publish.h"
#include "store/snapshot/page_content.h"

#define FORMER_ADDRESS_FILE "page"

/* Updates the files of the page's former addresses. The caller must have locked the page. */
enum result former_addresses_write(const struct pages_dir *dir, const struct page_content *content,
				   const struct site *site, struct arena *arena,
				   struct error *error) MUST_USE;
/* Removes the files of former addresses that are now addresses of this page. They may belong to
 * other pages. */
enum result former_addresses_end(const struct pages_dir *dir, const struct status_page *page,
				 struct error *error) MUST_USE;
/* The present address of a page, found by a former slug (PAGES_FORMER) or a former domain
 * (PAGES_FORMER_HOST). */
struct former_address {
	const char *slug; /* NULL: there is no such page, or visitors must not see it */
	const char *domain;
};
enum result former_address_find(const struct pages_reader *reader, enum pages_place place,
				const char *name, struct arena *arena, struct former_address *found,
				struct error *error) MUST_USE;

#endif
