/* The column with the address at which visitors find a page. */
#ifndef STORE_ADDRESS_COLUMN_H
#define STORE_ADDRESS_COLUMN_H

/* "SLUG/DOMAIN" of the page `p`, as status_page_url_of() takes it. */
#define PAGE_ADDRESS \
	"CONCAT(p.slug, '/', IF(p.domain_lost_at IS NULL, COALESCE(p.domain, ''), '')) "

#endif
