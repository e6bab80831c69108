/*
 * The key that signs cookies, links and asset tokens. It is a file of the pages folder
 * (0600), made when it is first needed.
 */
#ifndef ACCESS_SIGNING_KEY_H
#define ACCESS_SIGNING_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/secret.h"
#include "base/str.h"

struct signing_key {
	uint8_t bytes[SECRET_HASH_BYTES];
};

/* In all functions, folder_fd is a descriptor of the pages folder. */

/*
 * Reads the key, for checking signatures. Sets *is_found to false if there is no key: then nothing
 * has been signed. E_UNAVAILABLE: the key cannot be read. The response must then be 503:
 * without the key, valid cookies and links would be rejected.
 */
enum result signing_key_read(int folder_fd, struct signing_key *key, bool *is_found,
			     struct error *error) MUST_USE;
/* Reads the key of the pages folder. Returns false if there is no key, or if the key or the folder
 * cannot be read. */
bool signing_key_load(const char *pages_dir, struct signing_key *key) MUST_USE;
/* Reads the key of the pages folder; creates a key if the folder has none. E_FAILED: the key can be
 * neither read nor created; the error has a text for the log. */
enum result signing_key_make(int folder_fd, struct signing_key *key, struct error *error) MUST_USE;

/* Sets *text to the key of the pages folder in hexadecimal, for a backup. Creates a key if the
 * folder has none. */
enum result signing_key_export(int folder_fd, struct arena *arena, const char **text,
			       struct error *error) MUST_USE;
/* Replaces the key by the key of a backup. E_INVALID: the text is not a key. */
enum result signing_key_import(int folder_fd, struct str text, struct error *error) MUST_USE;

#endif
