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

/*
 * A column of a statement on status_pages: a line for each former address of the page, "slug old"
 * or "domain status.example.org". An address that a page has now is not among them.
 */
#define FORMER_ADDRESSES \
	"(SELECT GROUP_CONCAT(CONCAT(f.kind, ' ', f.name) ORDER BY f.left_at DESC, f.kind " \
	"SEPARATOR '\n') FROM former_addresses f WHERE f.page_id = status_pages.id " \
	"AND NOT EXISTS (SELECT 1 FROM status_pages t WHERE t.slug = f.name AND f.kind = 'slug') " \
	"AND NOT EXISTS (SELECT 1 FROM status_pages t WHERE t.domain = f.name " \
	"AND f.kind = 'domain')) AS former"

#endif
