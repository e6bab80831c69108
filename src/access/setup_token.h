/*
 * The file setup.token beside the configuration. An operator without a shell writes the file, and
 * sends its content to prove that the installation is theirs. The file works once.
 */
#ifndef ACCESS_SETUP_TOKEN_H
#define ACCESS_SETUP_TOKEN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum { SETUP_TOKEN_MIN = 32, SETUP_TOKEN_MAX = 1024 }; /* bytes, without blanks at both ends */

/* Reads the token from the file. E_NOT_FOUND: there is no file. E_INVALID: the content is too short
 * or too long, or cannot be read. */
enum result setup_token_read(const char *path, struct arena *arena, struct str *token) MUST_USE;
/*
 * Renames the file before the change that the token allows, so that only one of two simultaneous
 * requests succeeds. Sets *taken to the new path. E_NOT_FOUND: the file is gone. E_CONFLICT: the
 * process may not rename the file.
 */
enum result setup_token_take(const char *path, struct arena *arena, const char **taken,
			     struct error *error) MUST_USE;
/* Deletes the renamed file. */
void setup_token_delete(const char *taken);
/* Renames the file back to `path`. Call it if the change was not made. */
void setup_token_put_back(const char *taken, const char *path);

#endif
