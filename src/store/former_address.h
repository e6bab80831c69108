/*
 * The slugs and domains that pages have given up, in MySQL: requests for them are redirected to the
 * page until another page takes the address. A row is of the page that had the address last.
 */
#ifndef STORE_FORMER_ADDRESS_H
#define STORE_FORMER_ADDRESS_H

#include "db/db.h"
#include "domain/status_page.h"

/* The newest addresses of a page that are kept. */
enum { FORMER_ADDRESSES_MAX = 40 };

/* Those that a page gives up with an update; NULL: it keeps this one. */
struct former_addresses {
	int64_t page_id;
	const char *slug;
	const char *domain;
	struct instant now;
};

/* Stores them by two statements; by none if there is nothing to store. */
enum result former_addresses_put(struct db *db, const struct former_addresses *addresses,
				 struct error *error) MUST_USE;

/* A column of a statement on status_pages: whether the page has given up any address. */
#define HAS_FORMER_ADDRESSES \
	"EXISTS (SELECT 1 FROM former_addresses f WHERE f.page_id = status_pages.id) AS " \
	"has_former"

/* The former addresses of a page. */
struct former_address_list {
	int64_t page_id;
	/* A line for each, the newest first: "slug old" or "domain status.example.org". An address
	 * that a page has now is not among them. */
	const char *addresses;
};
/* A list of struct former_address_list, by page; at most 512 ids. */
enum result former_addresses_list(struct db *db, const int64_t *page_ids, size_t count,
				  struct arena *arena, struct db_list *list, struct error *error)
	MUST_USE;

#endif
