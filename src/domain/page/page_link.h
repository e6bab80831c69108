/* A signed link to a page that is not public. Everyone who has the link can open the page. */
#ifndef DOMAIN_PAGE_PAGE_LINK_H
#define DOMAIN_PAGE_PAGE_LINK_H

#include "base/field.h"

#define PAGE_LINK_MIN_S	    INT64_C(60)
#define PAGE_LINK_MAX_S	    (INT64_C(400) * 86400)
#define PAGE_LINK_DEFAULT_S (INT64_C(7) * 86400)

enum {
	PAGE_LINK_LABEL_MAX_CHARS = 255,
	/* A page has at most this many links that have not expired. Withdrawn links count, because
	 * the page's access record names them. */
	PAGE_LINKS_MAX = 400,
};

/* The columns of a link. The URL is computed from the signing key and is not stored. */
struct page_link {
	int64_t id;
	int64_t page_id;
	const char *label; /* NULL: none */
	/* The principal that made the link: see struct principal. */
	const char *actor_type;
	int64_t actor_id;	 /* 0: none */
	const char *actor_label; /* NULL: none */
	struct instant created_at;
	struct instant expires_at;
	const char *url; /* NULL unless the link was just created */
};

/* The input of create. */
struct page_link_input {
	int64_t expires_in; /* in seconds */
	const char *label;
};

extern const struct fields page_link_create_fields;
extern const struct fields page_link_created_fields; /* the response to create */
extern const struct fields page_link_fields;	     /* of a link in a list */

#endif
