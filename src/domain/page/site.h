/*
 * The site: the host names of the installation, from base_url, its aliases (the setting `hosts`)
 * and the console's own address. No page can have one of these names as its domain. Otherwise the
 * page would share an origin with the API and with all other pages.
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

/* Whether the name, in the form of domain_name_ascii(), belongs to the installation. */
bool site_owns(const struct site *site, const char *name);
/* Whether visitors can see a page at this domain. False if `domain` or `site` is NULL. */
bool site_shows(const struct site *site, const char *domain);

#endif
