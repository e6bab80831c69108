/* The Authorization header (RFC 6750 section 2.1) with Daymark's API keys. */
#ifndef HTTP_AUTH_H
#define HTTP_AUTH_H

#include <stdbool.h>

#include "base/secret.h"
#include "base/str.h"

/* The length of a key: "dm_" and 43 URL-safe characters. */
enum { API_KEY_CHARS = 3 + SECRET_TOKEN_SIZE - 1 };

/*
 * Sets *key to the key in `Bearer <key>`. The scheme is case-insensitive. Returns false if the
 * header is NULL, has another scheme, or has a text that cannot be a key. The caller then needs no
 * query.
 */
bool auth_bearer(const char *header, struct str *key);
/* Sets *text to the text after the scheme Bearer, even if it is not a key. Returns false if there
 * is no text, or another scheme. */
bool auth_bearer_text(const char *header, struct str *text);
/* Returns whether the header has the scheme Bearer, even with an invalid key. */
bool auth_is_bearer(const char *header);

#endif
