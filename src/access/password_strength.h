/* Tests whether a password is among the first that an attacker tries, as libzxcvbn estimates. */
#ifndef ACCESS_PASSWORD_STRENGTH_H
#define ACCESS_PASSWORD_STRENGTH_H

#include <stdbool.h>

#include "base/error.h"

enum { PASSWORD_GUESSES_BITS = 20 }; /* a common password is among the first 2^20 guesses */

/*
 * Sets *is_common if an attacker needs few guesses. Examples are a common password, a sequence of
 * neighbouring keys, a name or a word that the library knows, and the user's `name` (NULL: not
 * known). Attackers also try these with digits and replaced letters. E_FAILED: the library is
 * missing.
 */
enum result password_is_common(const char *password, const char *name, bool *is_common,
			       struct error *error) MUST_USE;

#endif
