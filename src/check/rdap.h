/*
 * Reads the answers of registries about domains, by RDAP: the server to ask (RFC 9224), and the end
 * of a registration (RFC 9083). Responses are not trusted: only a date that is stated for the
 * domain itself is used; otherwise the end is unknown.
 */
#ifndef CHECK_RDAP_H
#define CHECK_RDAP_H

#include "base/arena.h"
#include "base/clock.h"
#include "domain/monitor/check_settings.h"

enum { RDAP_DOMAIN_SIZE = 254 };

/*
 * Finds the domain under which a host is registered: "example.co.uk" for "www.example.co.uk", in
 * ASCII and lower case, by the list of public suffixes. Suffixes of private bodies, such as
 * github.io, count as domains. False: the host is an address, a suffix or no name. To be called by
 * one thread at a time.
 */
bool rdap_domain_of(const char *host, char domain[RDAP_DOMAIN_SIZE]);
/* Does the same for the host of a monitor's URL. False also for heartbeats. */
bool rdap_domain_of_url(int64_t type, const char *url, char domain[RDAP_DOMAIN_SIZE]);

/*
 * Returns the URL at which the registry describes the domain, owned by the arena. `bootstrap` is
 * IANA's JSON; NULL stands for a list of a few large registries. Returns NULL if the registry has
 * no RDAP.
 */
const char *rdap_url(const char *bootstrap, const char *domain, struct arena *arena);
/* Returns whether the text is a list of registries, as rdap_url() takes it. */
bool rdap_bootstrap_is_valid(const char *text);

/* Reads the end of the registration from the response for the domain; the last one, if there are
 * several. False: the end is not known. */
bool rdap_expiry(struct str response, const char *domain, struct instant *date);

#endif
