/*
 * A status page and the rules of its fields (contract section 5).
 *
 * The functions use no database and no disk. The caller makes the checks that need a database, such
 * as whether a slug is free.
 */
#ifndef DOMAIN_PAGE_STATUS_PAGE_H
#define DOMAIN_PAGE_STATUS_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/violation.h"
#include "base/field.h"
#include "base/zone.h"
#include "domain/page/brand.h"
#include "domain/page/domain_proof.h"
#include "domain/page/site.h"
#include "domain/page/status_page_fields.h"

enum status_page_privacy { PRIVACY_PUBLIC, PRIVACY_PRIVATE, PRIVACY_PASSWORD };

enum {
	STATUS_PAGE_SLUG_MAX = 64,
	STATUS_PAGE_MONITORS_MAX = 1000,
	STATUS_PAGE_PASSWORD_MAX_BYTES = 128,
	STATUS_PAGE_LOGO_MAX_BYTES = 2 << 20,
	STATUS_PAGE_LOGO_MAX_PX = 4096,
	STATUS_PAGE_LOGO_HEIGHT = 48, /* pixels; the default for a new page */
	STATUS_PAGE_LOGO_HEIGHT_MIN = 16,
	STATUS_PAGE_LOGO_HEIGHT_MAX = 160,
	STATUS_PAGE_HEADER_MAX_BYTES = 1 << 20,
	STATUS_PAGE_SUPPORT_MAX = 1000,
	STATUS_PAGE_FAVICON_MAX_BYTES = 512 << 10,
	STATUS_PAGE_FAVICON_MAX_PX = 1024,
};

/* The words of `privacy`, and the languages of pages as BCP 47 tags, the default first. NULL ends
 * each list. view/words has a table of texts for each language. */
extern const char *const status_page_privacy_words[]; /* "0", "1", "2" */
extern const char *const status_page_languages[];

/* The fields of a page that are pictures: "logo", "logo_dark", "header_image", "favicon". */
enum { STATUS_PAGE_PICTURES = 4 };
extern const char *const status_page_pictures[STATUS_PAGE_PICTURES];

/* `privacy` is an enum status_page_privacy. The code in app/ sets `url` and the addresses of
 * pictures. */
struct status_page {
	STATUS_PAGE_FIELDS(FIELD_MEMBER, , 0)
	int64_t account_id;
	int64_t version;  /* grows with each change that the API shows */
	int64_t revision; /* grows with each change that the published files show */
	const char *password_hash;
	/* Used only for publishing: see access/page_access.h. */
	const char *withdrawn_links;
	const char *key_marks;
	struct domain_proof domain_proof;
	const char *logo_file; /* the name of the published file; NULL: none */
	const char *logo_dark_file;
	const char *header_image_file;
	const char *favicon_file;
};

/* The input of create and update. */
struct status_page_input {
	STATUS_PAGE_FIELDS(FIELD_INPUT, , 0)
};

/* The index of each field in the forms of create and update: STATUS_PAGE_FIELD_name, ... */
enum status_page_field { STATUS_PAGE_FIELDS(FIELD_PLACE, STATUS_PAGE_FIELD_, 0) };

/* The members that a client may set, in the order of the documentation. */
extern const struct fields status_page_create_fields; /* name and slug required */
extern const struct fields status_page_update_fields;
/* The fields of the resource that clients read; a list has fewer fields. */
extern const struct fields status_page_resource_fields;
extern const struct fields status_page_listed_fields;

/*
 * Converts the input to its stored form: the slug in lower case, the domain in ASCII. Adds a
 * violation for each value that no page may have. A page's domain cannot be a host name of the
 * service.
 */
void status_page_check(struct status_page_input *input, const struct site *site,
		       struct arena *arena, struct violations *violations);

/*
 * Checks the bytes of the picture `field` ("logo"). Returns false, with a violation, if the page
 * cannot have this picture. Sets *name to the name of the published file, "logo-1f0c….png", owned
 * by the arena. The name contains a hash of the bytes, so caches may keep the file for ever.
 */
bool status_page_check_image(const char *field, const void *bytes, size_t len, const char **name,
			     struct arena *arena, struct violations *violations);

/* Adds violations of the rules that combine several fields. `page` is the page after
 * status_page_merge(). */
void status_page_check_merged(const struct status_page *page, const struct status_page_input *input,
			      struct violations *violations);

/* Adds a violation for each change that only owners of the account may make. `page` is the page
 * after status_page_merge(). `before` is the page before the change. When a page is created,
 * `before` is an empty page with id 0. */
void status_page_check_owner(const struct status_page *before, const struct status_page *page,
			     const struct status_page_input *input, struct field_set sent,
			     struct violations *violations);

/* Returns a pointer to the member of `page` that has the file name of this picture. */
const char **status_page_file(struct status_page *page, const char *picture);

/* Copies the sent fields from the input to the page `row`. `sent` is the set of sent fields from
 * form_decode(), by their index in status_page_update_fields. The caller stores the files and the
 * password. */
void status_page_merge(struct status_page *row, const struct status_page_input *input,
		       struct field_set sent);

/* Returns a new page with the defaults of its fields. */
struct status_page status_page_new(int64_t account_id, struct instant now);

/* Returns the time zone of the page's days; UTC if the system does not know the zone. */
const struct zone *status_page_zone(const struct status_page *page);

/* Returns the page's URL, with a slash at its end. A page with a domain is at its domain, with the
 * scheme and the port of base_url (base_url NULL: https). Any other page is below base_url
 * (base_url NULL: the result is "/s/slug/"). */
const char *status_page_url(const struct status_page *page, const char *base_url,
			    struct arena *arena);
/* Returns status_page_url() for the page with this `address`: "SLUG/DOMAIN", or "SLUG/" without a
 * domain. Returns NULL if `address` is NULL. */
const char *status_page_url_of(const char *address, const char *base_url, struct arena *arena);
/* Returns the URL below base_url, even if the page has a domain. */
const char *status_page_shared_url(const struct status_page *page, const char *base_url,
				   struct arena *arena);
/* Returns whether the page is served at its domain: it has a domain that the site allows, and the
 * proof of the domain is not lost. Otherwise the page is served only below base_url. */
bool status_page_is_at_domain(const struct status_page *page, const struct site *site);

/* Returns whether the text is a slug in its stored form. */
bool status_page_is_slug(const char *text);

/* Returns the index of the field with this name in the forms of create and update. */
size_t status_page_place(const char *name);

#endif
