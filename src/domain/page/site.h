/*
 * The site: the host names of the installation. They come from base_url, from its aliases (the
 * setting `hosts`), and from the console's own URL. No page can have one of these names as its
 * domain. Otherwise the page would share an origin with the API and with all other pages.
 */
#ifndef DOMAIN_PAGE_SITE_H
#define DOMAIN_PAGE_SITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/config/config.h"

struct site {
	bool has_domains;   /* base_url is set; otherwise no page can have a domain */
	const char **hosts; /* in ASCII; IP addresses and names without a dot are left out */
	size_t count;
};

/* Sets the members from the configuration. Call it once, when a process starts or reads its
 * configuration again. */
void site_init(struct site *site, const struct config *config, struct arena *arena);

/* Returns whether the name, in the form of domain_name_ascii(), belongs to the installation. */
bool site_owns(const struct site *site, const char *name);
/* Returns whether visitors can see a page at this domain; false if `domain` or `site` is NULL. */
bool site_shows(const struct site *site, const char *domain);

#endif
