/* Tests whether a password is among the first that an attacker tries, as libzxcvbn estimates. */
#ifndef ACCESS_PASSWORD_STRENGTH_H
#define ACCESS_PASSWORD_STRENGTH_H

#include <stdbool.h>

#include "base/error.h"

enum { PASSWORD_GUESSES_BITS = 20 }; /* a password among the first 2^20 guesses is common */

/*
 * Sets *is_common if an attacker needs fewer than 2^PASSWORD_GUESSES_BITS guesses. Examples are a
 * sequence of neighbouring keys, a word that the library knows, and the user's `name` (may be
 * NULL), also with digits added or letters replaced. E_FAILED: the library is missing.
 */
enum result password_is_common(const char *password, const char *name, bool *is_common,
			       struct error *error) MUST_USE;

#endif
