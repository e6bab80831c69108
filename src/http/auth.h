/* The form of the Authorization header (RFC 6750 2.1) and of Daymark's keys. */
#ifndef HTTP_AUTH_H
#define HTTP_AUTH_H

#include <stdbool.h>

#include "base/secret.h"
#include "base/str.h"

/* "dm_" and 43 URL-safe characters. */
enum { API_KEY_CHARS = 3 + SECRET_TOKEN_SIZE - 1 };

/*
 * The key of `Bearer <key>`, the scheme in any letter case. False when the
 * header is absent (NULL), of another scheme, or holds nothing that could be
 * a key: then no database need be asked.
 */
bool auth_bearer(const char *header, struct str *key);
/* Whether it brings a key at all, right or wrong or no key. Not so of other schemes. */
bool auth_is_bearer(const char *header);

#endif
