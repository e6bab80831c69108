/* Signed links of pages: who made them, when they expire, and whether they are withdrawn. */
#ifndef STORE_PAGE_PAGE_LINK_H
#define STORE_PAGE_PAGE_LINK_H

#include "db/db.h"
#include "domain/page/page_link.h"
#include "domain/account/principal.h"
#include "domain/page/status_page.h"
#include "store/list.h"

/* For a SELECT on status_pages: a column with the ids of the page's withdrawn links that have not
 * expired, then a comma. PAGE_LINK_ROWS has its field. The argument is the present time. */
#define PAGE_LINK_COLUMNS \
	"(SELECT GROUP_CONCAT(l.id ORDER BY l.id) FROM page_links l " \
	"WHERE l.page_id = status_pages.id AND l.expires_at > ? AND l.withdrawn_at IS NOT NULL) " \
	"AS withdrawn_links, "
#define PAGE_LINK_ROWS FIELD(struct status_page, withdrawn_links),

/* Selects the page to which links belong, by its slug or by its id. */
struct page_link_owner {
	int64_t account_id; /* 0: any */
	int64_t page_id;
	const char *slug; /* NULL: find the page by page_id */
	bool is_locked;
};
/* Reads id, account_id, slug, version, allow_subscribers, name, language, and the domain unless the
 * page has lost it. E_NOT_FOUND: there is no such page. */
enum result page_link_owner_find(struct db *db, const struct page_link_owner *owner,
				 struct arena *arena, struct status_page *page, struct error *error)
	MUST_USE;

/* Inserts the link, and sets link->id. The caller has locked the page. E_QUOTA_EXCEEDED, with a
 * text for the client: the page already has PAGE_LINKS_MAX links. */
enum result page_link_insert(struct db *db, struct page_link *link, struct error *error) MUST_USE;

enum page_link_sort { PAGE_LINK_BY_ID, PAGE_LINK_BY_EXPIRES_AT };
struct page_link_list {
	struct page_link *rows;
	size_t count;
	int64_t total; /* the number of rows, ignoring limit and offset */
};
/*
 * Reads the links of the page query->owner_id that are neither expired nor withdrawn.
 * query->account_id 0: the page may be of any account. A search looks in the label. sort_by is enum
 * page_link_sort; the limit is at most PAGE_LINKS_MAX. One statement. E_NOT_FOUND: the account has
 * no such page.
 */
enum result page_link_list(struct db *db, const struct list_query *query, struct arena *arena,
			   struct page_link_list *list, struct error *error) MUST_USE;

/*
 * Finds the link link->id of the page link->page_id, and locks it. E_NOT_FOUND: there is no such
 * link, or it is expired or withdrawn.
 */
enum result page_link_lock(struct db *db, struct page_link *link, struct instant now,
			   struct arena *arena, struct error *error) MUST_USE;
enum result page_link_withdraw(struct db *db, int64_t id, struct instant now, struct error *error)
	MUST_USE;

#endif
