/* The Authorization header (RFC 6750 section 2.1) with Daymark's API keys. */
#ifndef HTTP_AUTH_H
#define HTTP_AUTH_H

#include <stdbool.h>

#include "base/secret.h"
#include "base/str.h"

/* The length of a key: "dm_" and 43 URL-safe characters. */
enum { API_KEY_CHARS = 3 + SECRET_TOKEN_SIZE - 1 };

/*
 * Sets *key to the key of `Bearer <key>`. The scheme is case-insensitive. Returns false if there is
 * no header (NULL), if it has another scheme, or if the text has not the form of a key. Then the
 * caller need not query the database.
 */
bool auth_bearer(const char *header, struct str *key);
/* Sets *text to the text after the Bearer scheme, which need not be a key. Returns false if no text
 * follows, or if the header has another scheme. */
bool auth_bearer_text(const char *header, struct str *text);
/* Whether the header has the Bearer scheme, even with an invalid key. */
bool auth_is_bearer(const char *header);

#endif
