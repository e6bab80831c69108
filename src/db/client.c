#include "db/client.h"

#include "db/db.h"

#ifdef DB_LIBRARY

#include <pthread.h>
#include <stdio.h>

#include "base/library.h"

struct db_client db_client;

static const struct library_symbol symbols[] = {
#define DB_CLIENT_SYMBOL(name) { #name, &db_client.call_##name },
	DB_CLIENT_FUNCTIONS(DB_CLIENT_SYMBOL)
#undef DB_CLIENT_SYMBOL
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* empty: the library is loaded */

static void load_library(void)
{
	if (!library_load(DB_LIBRARY, symbols, ARRAY_LEN(symbols), failure))
		return;
	/* Initialise the library before all other calls. Otherwise the first mysql_init() of
	 * MySQL's library would do so, and two threads could call it at the same time. */
	if (mysql_server_init(0, NULL, NULL) != 0)
		snprintf(failure, sizeof(failure), "no memory");
}

enum result db_client_load(struct error *error)
{
	pthread_once(&once, load_library);
	if (failure[0] == '\0')
		return OK;
	return error_log(error, E_UNAVAILABLE, "the database client library cannot be loaded: %s",
			 failure);
}

#else

enum result db_client_load(struct error *error)
{
	(void)error;
	return OK;
}

#endif
