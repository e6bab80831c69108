/*
 * What registries say of domains, by RDAP: which server to ask (RFC 9224), and the end of a
 * registration (RFC 9083). Responses are somebody else's: anything but a date that is stated
 * for the domain is "unknown".
 */
#ifndef CHECK_RDAP_H
#define CHECK_RDAP_H

#include "base/arena.h"
#include "base/clock.h"
#include "domain/monitor/check_settings.h"

enum { RDAP_DOMAIN_SIZE = 254 };

/*
 * The domain that was registered, "example.co.uk" of "www.example.co.uk", in ASCII and lower case,
 * by the list of public suffixes; suffixes of private bodies, such as github.io, are domains, too.
 * False: the host is an address, a suffix or no name. Of one thread at a time.
 */
bool rdap_domain_of(const char *host, char domain[RDAP_DOMAIN_SIZE]);
/* The same of the URL of a monitor. False also for heartbeats. */
bool rdap_domain_of_url(int64_t type, const char *url, char domain[RDAP_DOMAIN_SIZE]);

/*
 * The URL at which the registry tells about the domain, owned by the arena: `bootstrap` is the
 * JSON of IANA; NULL stands for a list of a few large registries. NULL: the registry has no RDAP.
 */
const char *rdap_url(const char *bootstrap, const char *domain, struct arena *arena);
/* Whether the text is such a list. */
bool rdap_bootstrap_is_valid(const char *text);

/* The end of the registration in the response for the domain; of several the last. False: it is
 * not known. */
bool rdap_expiry(struct str response, const char *domain, struct instant *date);

#endif
