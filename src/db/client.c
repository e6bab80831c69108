#include "db/client.h"

#include "db/db.h"

#ifdef DB_CLIENT_LIBRARY

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct db_client db_client;

struct symbol {
	const char *name;
	void *member; /* the pointer in db_client */
};

static const struct symbol symbols[] = {
#define DB_CLIENT_SYMBOL(name) { #name, &db_client.call_##name },
	DB_CLIENT_FUNCTIONS(DB_CLIENT_SYMBOL)
#undef DB_CLIENT_SYMBOL
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256]; /* empty: the library is loaded */

/* The library is never unloaded: it has threads' data and exit handlers. */
static void load_library(void)
{
	void *library = dlopen(DB_CLIENT_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	for (size_t i = 0; library && i < ARRAY_LEN(symbols); i++) {
		void *function = dlsym(library, symbols[i].name);
		memcpy(symbols[i].member, &function, sizeof(function));
		if (!function)
			library = NULL;
	}
	if (!library)
		snprintf(failure, sizeof(failure), "%s", dlerror());
	/* Here, since the first mysql_init() of MySQL's library must not run in two threads. */
	else if (mysql_server_init(0, NULL, NULL) != 0)
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
