#include "wire/http_library.h"

#include <pthread.h>
#include <stdio.h>

#include "base/library.h"

struct http_library curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* why the library cannot be used; empty: it is ready */

static bool find_functions(void)
{
#ifdef CURL_LIBRARY
	static const struct library_symbol symbols[] = {
#define SYMBOL(name) { "curl_" #name, &curl.name },
		HTTP_LIBRARY_FUNCTIONS(SYMBOL)
#undef SYMBOL
	};
	return library_load(CURL_LIBRARY, symbols, ARRAY_LEN(symbols), failure);
#else
#define LINKED(name) curl.name = curl_##name;
	HTTP_LIBRARY_FUNCTIONS(LINKED)
#undef LINKED
	return true;
#endif
}

/* pthread_once() calls this, because curl_global_init() must not run in two threads at once. */
static void load_library(void)
{
	if (!find_functions())
		return;
	CURLcode code = curl.global_init(CURL_GLOBAL_DEFAULT);
	if (code != CURLE_OK)
		snprintf(failure, sizeof(failure), "%s", curl.easy_strerror(code));
}

enum result http_library_load(struct error *error)
{
	pthread_once(&once, load_library);
	if (failure[0] == '\0')
		return OK;
	return error_log(error, E_FAILED, "the library for HTTP requests cannot be loaded: %s",
			 failure);
}
