/*
 * RDAP, the protocol by which registries answer questions about domains. The functions find the
 * server to ask (RFC 9224), and read the end of a registration from its response (RFC 9083).
 * Responses are not trusted: only a date for the domain itself is used.
 */
#ifndef CHECK_RDAP_H
#define CHECK_RDAP_H

#include "base/arena.h"
#include "base/clock.h"
#include "domain/monitor/check_settings.h"

enum { RDAP_DOMAIN_SIZE = 254 };

/*
 * Finds the registered domain of a host by the list of public suffixes: "example.co.uk" for
 * "www.example.co.uk", in ASCII and lower case. Suffixes of private bodies, such as github.io,
 * count as domains. Returns false if the host is an address or a suffix, or is not valid. Only one
 * thread at a time may call the function.
 */
bool rdap_domain_of(const char *host, char domain[RDAP_DOMAIN_SIZE]);
/* Like rdap_domain_of(), for the host of a monitor's URL. Also returns false for heartbeats. */
bool rdap_domain_of_url(int64_t type, const char *url, char domain[RDAP_DOMAIN_SIZE]);

/*
 * Returns the URL at which the registry describes the domain, owned by the arena. `bootstrap` is
 * IANA's JSON; NULL stands for a list of a few large registries. Returns NULL if the registry has
 * no RDAP.
 */
const char *rdap_url(const char *bootstrap, const char *domain, struct arena *arena);
/* Returns whether the text is a list of registries in the form that rdap_url() expects. */
bool rdap_bootstrap_is_valid(const char *text);

/* Sets *date to the end of the domain's registration in the registry's response, or to the latest
 * end if the response has several ends. Returns false if the response has no end. */
bool rdap_expiry(struct str response, const char *domain, struct instant *date);

#endif
