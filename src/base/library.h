/*
 * A shared library that a process loads when it first needs it: plain CGI starts the program for
 * each request, and loading a large library takes longer than most requests.
 *
 * configure takes the file name that the linker would record. The library is never
 * unloaded, since libraries have threads' data and exit handlers.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library_symbol {
	const char *name;
	void *member; /* the pointer to a function, of any type, that is set */
};

enum { LIBRARY_FAILURE_SIZE = 256 };

/* Call it once in a process (pthread_once). False: `failure` says what is missing. */
bool library_load(const char *file, const struct library_symbol *symbols, size_t count,
		  char failure[LIBRARY_FAILURE_SIZE]);

/* Whether the program runs from a bundle (tools/bundle). Its libraries may be older than the
 * host's, so the program loads none of the host's libraries. */
bool library_is_bundled(void);
/*
 * Call it when the program begins. A script of the bundle (tools/bundle) sets LD_LIBRARY_PATH for
 * the program alone: mariadb-dump and the commands of mirrors need the host's libraries. The loader
 * has read the variable already, and still finds the bundle's libraries.
 */
void library_hide_path(void);

#endif
