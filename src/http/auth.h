/* The Authorization header (RFC 6750 section 2.1) with Daymark's API keys. */
#ifndef HTTP_AUTH_H
#define HTTP_AUTH_H

#include <stdbool.h>

#include "base/secret.h"
#include "base/str.h"

/* "dm_" and 43 URL-safe characters. */
enum { API_KEY_CHARS = 3 + SECRET_TOKEN_SIZE - 1 };

/*
 * Gives the key of `Bearer <key>`; the scheme is case-insensitive. False: no header (NULL), another
 * scheme, or a text that cannot be a key. So the database need not be queried for such a text.
 */
bool auth_bearer(const char *header, struct str *key);
/* Sets *text to any text after the Bearer scheme. False: no text follows, or the scheme is
 * another. */
bool auth_bearer_text(const char *header, struct str *text);
/* Whether the header has the Bearer scheme, even with an invalid key. */
bool auth_is_bearer(const char *header);

#endif
