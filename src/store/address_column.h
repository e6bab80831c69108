/* The SQL column with the address at which visitors find a status page. */
#ifndef STORE_ADDRESS_COLUMN_H
#define STORE_ADDRESS_COLUMN_H

/* "SLUG/DOMAIN" of the row `p` of status_pages, for status_page_url_of(). DOMAIN is empty if the
 * page has no domain or has lost it. */
#define PAGE_ADDRESS \
	"CONCAT(p.slug, '/', IF(p.domain_lost_at IS NULL, COALESCE(p.domain, ''), '')) "

#endif
