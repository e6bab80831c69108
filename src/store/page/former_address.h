/* The former slugs and domains of pages, in MySQL. Requests for a former address are redirected to
 * the page until another page takes the address. A row belongs to the last page that had the
 * address. */
#ifndef STORE_PAGE_FORMER_ADDRESS_H
#define STORE_PAGE_FORMER_ADDRESS_H

#include "db/db.h"
#include "domain/page/status_page.h"

enum {
	FORMER_ADDRESSES_MAX = 40, /* the most addresses of a page; the newest are kept */
	/* The most addresses of all pages of an account, which may have 1,000 pages. The newest
	 * addresses are kept. */
	FORMER_ADDRESSES_OF_ACCOUNT_MAX = 10000,
	FORMER_ADDRESS_NAMES_MAX = 512, /* the most names for former_addresses_find() */
};

/* The addresses that a page gives up with an update. A slug of NULL: the page keeps its slug. A
 * domain of NULL: the page keeps its domain. */
struct former_addresses {
	int64_t account_id;
	int64_t page_id;
	const char *slug;
	const char *domain;
	struct instant now;
};

/* Stores the addresses. Then deletes the oldest addresses of the page and of the account if there
 * are more than the limits. Runs three statements, and a fourth if the account has too many
 * addresses. Runs none if `addresses` has neither slug nor domain. */
enum result former_addresses_put(struct db *db, const struct former_addresses *addresses,
				 struct error *error) MUST_USE;

/* A column of a SELECT on status_pages: whether the page has given up any address. */
#define HAS_FORMER_ADDRESSES \
	"EXISTS (SELECT 1 FROM former_addresses f WHERE f.page_id = status_pages.id) AS " \
	"has_former"

/* The former addresses of a page. */
struct former_address_list {
	int64_t page_id;
	/* A line for each address, newest first: "slug old" or "domain status.example.org". Omits
	 * addresses that any page has now. */
	const char *addresses;
};
/* Reads the former addresses of up to 512 pages: rows of struct former_address_list, one for each
 * page that has former addresses. */
enum result former_addresses_list(struct db *db, const int64_t *page_ids, size_t count,
				  struct arena *arena, struct db_list *list, struct error *error)
	MUST_USE;

/* A former address. */
struct former_address_row {
	const char *kind; /* "slug" or "domain" */
	const char *name;
};
/* Finds the names that are former slugs (`kind` is "slug") or former domains ("domain"): rows of
 * struct former_address_row. */
enum result former_addresses_find(struct db *db, const char *kind, const char *const *names,
				  size_t count, struct arena *arena, struct db_list *list,
				  struct error *error) MUST_USE;

#endif
