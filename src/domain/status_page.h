/*
 * A status page and the rules of its fields (contract section 5).
 *
 * Pure: no database, no disk. What needs them, whether a slug is free, say,
 * is asked by the caller.
 */
#ifndef DOMAIN_STATUS_PAGE_H
#define DOMAIN_STATUS_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/violation.h"
#include "base/field.h"
#include "domain/domain_proof.h"
#include "domain/site.h"

enum status_page_privacy { PRIVACY_PUBLIC, PRIVACY_PRIVATE, PRIVACY_PASSWORD };

enum {
	STATUS_PAGE_SLUG_MAX = 64,
	STATUS_PAGE_MONITORS_MAX = 1000,
	STATUS_PAGE_PASSWORD_MAX_BYTES = 128,
	STATUS_PAGE_LOGO_MAX_BYTES = 2 << 20,
	STATUS_PAGE_LOGO_MAX_PX = 4096,
	STATUS_PAGE_FAVICON_MAX_BYTES = 512 << 10,
	STATUS_PAGE_FAVICON_MAX_PX = 1024,
};

struct status_page {
	int64_t id;
	int64_t account_id;
	int64_t version;  /* grows when what the API shows of it changes */
	int64_t revision; /* grows when anything that its files show changes */
	const char *name;
	const char *slug;
	struct id_list monitor_ids;
	int privacy; /* enum status_page_privacy */
	bool has_password;
	const char *password_hash;
	const char *domain;
	struct domain_proof domain_proof;
	const char *logo_file; /* name of the published file; NULL for none */
	const char *favicon_file;
	const char *website_url;
	const char *contact_url;
	const char *custom_css;
	const char *custom_js;
	const char *meta_title;
	const char *meta_description;
	bool noindex;
	bool show_causes; /* the causes of incidents without a title are public */
	struct instant created_at;
	struct instant updated_at;

	/* Where it is seen, given the installation's address; set by app/, not stored. */
	const char *url;
	const char *logo_url;
	const char *favicon_url;
};

/* What a client may send on create and update. */
struct status_page_input {
	const char *name;
	const char *slug;
	struct id_list monitor_ids;
	int privacy;
	const char *password;
	const char *domain;
	struct field_file *logo;
	struct field_file *favicon;
	bool remove_logo;
	bool remove_favicon;
	const char *website_url;
	const char *contact_url;
	const char *custom_css;
	const char *custom_js;
	const char *meta_title;
	const char *meta_description;
	bool noindex;
	bool show_causes;
};

/* The members that a client may set, in the order of the documentation. */
extern const struct fields status_page_create_fields; /* name and slug required */
extern const struct fields status_page_update_fields;
/* The members of the resource that clients read; a list has fewer. */
extern const struct fields status_page_resource_fields;
extern const struct fields status_page_listed_fields;

/*
 * Brings the input into its stored form (slug in lower case, domain in ASCII)
 * and adds a fault for each value that no page may have. The names of the site
 * are nobody's domain.
 */
void status_page_check(struct status_page_input *input, const struct site *site,
		       struct arena *arena, struct violations *violations);

/*
 * Whether the bytes may be a page's logo, or favicon; else a fault. On success
 * *name is the file's name, "logo-1f0c….png": it changes with the content, so
 * that the file can be cached for ever. Owned by the arena.
 */
bool status_page_check_image(const char *field, const void *bytes, size_t len, const char **name,
			     struct arena *arena, struct violations *violations);

/*
 * Sets what was sent (a bit for each row of status_page_update_fields, as
 * http/form has it) on the page. Files and the password are the caller's.
 */
void status_page_merge(struct status_page *page, const struct status_page_input *input,
		       uint64_t sent);

/*
 * Where a page is seen, with a slash at its end: on its own domain, with the
 * scheme and port of the installation's address, or below that address. An
 * installation whose address is not known (NULL) gives "/s/slug/".
 */
const char *status_page_url(const struct status_page *page, const char *base_url,
			    struct arena *arena);
/* The same below the installation's address, whether the page has a domain or not. */
const char *status_page_shared_url(const struct status_page *page, const char *base_url,
				   struct arena *arena);
/* Whether it is seen at its domain: it has one that the site can show, and that is not lost.
 * Else it is seen below the installation's address alone. */
bool status_page_is_at_domain(const struct status_page *page, const struct site *site);

/* The bit of the field of that name in `sent`. */
uint64_t status_page_sent_bit(const char *name);

#endif
