/* URLs that people enter, for links or for checks. */
#ifndef DOMAIN_WEB_URL_H
#define DOMAIN_WEB_URL_H

#include <stdbool.h>

#include "base/arena.h"

enum { WEB_URL_MAX_BYTES = 2048 };

/* Returns whether the text is an absolute http or https URL (RFC 3986) with a host, and has at most
 * WEB_URL_MAX_BYTES. Non-ASCII letters need no percent-encoding. */
bool web_url_is_valid(const char *url);
/* Like web_url_is_valid(), but also allows `mailto:` with an address. */
bool web_url_is_contact(const char *url);

/* Returns whether the scheme of the URL is https, in lower case. */
bool web_url_is_https(const char *url);
/* Returns the host of a valid URL in lower case, owned by the arena; NULL: the URL has no host. */
const char *web_url_host(struct arena *arena, const char *url);
/* Returns whether a valid URL has a user or a password before its host. */
bool web_url_has_user(const char *url);
/* Returns whether both URLs (valid, or NULL) have the same text up to the path: scheme, host and
 * port, without regard to case. */
bool web_url_is_same_server(const char *one, const char *other);

#endif
