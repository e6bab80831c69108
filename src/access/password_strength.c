#include "access/password_strength.h"

#include <pthread.h>
#include <zxcvbn.h>

#include "base/library.h"

static __typeof__(ZxcvbnMatch) *estimate;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* empty: the library is ready */

static void load_library(void)
{
	static const struct library_symbol symbol = { "ZxcvbnMatch", &estimate };
	library_load(ZXCVBN_LIBRARY, &symbol, 1, failure);
}

enum result password_is_common(const char *password, const char *name, bool *is_common,
			       struct error *error)
{
	const char *words[] = { name, NULL };
	pthread_once(&once, load_library);
	if (failure[0])
		return error_log(error, E_FAILED, "libzxcvbn: %s", failure);
	*is_common = estimate(password, words, NULL) < PASSWORD_GUESSES_BITS;
	return OK;
}
