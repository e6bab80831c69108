/*
 * The file setup.token beside the configuration. Its content proves control of the installation,
 * for operators without a shell. It works once.
 */
#ifndef ACCESS_SETUP_TOKEN_H
#define ACCESS_SETUP_TOKEN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum { SETUP_TOKEN_MIN = 32, SETUP_TOKEN_MAX = 1024 }; /* bytes, without blanks at both ends */

/* Reads the token of the file. E_NOT_FOUND: there is no file; E_INVALID: its content is too short
 * or too long, or cannot be read. */
enum result setup_token_read(const char *path, struct arena *arena, struct str *token) MUST_USE;
/*
 * Takes the file away, before the change that it allows: of two requests at once only one succeeds.
 * *taken is its new path. E_NOT_FOUND: it is gone; E_CONFLICT: the process may not remove it.
 */
enum result setup_token_take(const char *path, struct arena *arena, const char **taken,
			     struct error *error) MUST_USE;
/* Deletes the file that was taken. */
void setup_token_delete(const char *taken);
/* Puts it back, since nothing was changed. */
void setup_token_put_back(const char *taken, const char *path);

#endif
