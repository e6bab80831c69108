/* Tests whether a password is among the first that an attacker tries, as libzxcvbn estimates. */
#ifndef ACCESS_PASSWORD_STRENGTH_H
#define ACCESS_PASSWORD_STRENGTH_H

#include <stdbool.h>

#include "base/error.h"

enum { PASSWORD_GUESSES_BITS = 20 }; /* the first million guesses */

/*
 * *is_common: the password is easy to guess. It is one of the common passwords, names and words
 * that the library knows, or the user's `name` (NULL: not known), also with digits and replaced
 * letters. Or it is a sequence of neighbouring keys. E_FAILED: the library is missing.
 */
enum result password_is_common(const char *password, const char *name, bool *is_common,
			       struct error *error) MUST_USE;

#endif
