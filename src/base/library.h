/*
 * Loads a shared library when a process first needs it. Plain CGI starts the program for each
 * request, and loading a large library takes longer than most requests.
 *
 * configure finds the library's soname, under which the library is loaded. A library is never
 * unloaded, because it may have exit handlers and thread-local data.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library_symbol {
	const char *name;
	void *member; /* the address of a function pointer, which library_load() sets */
};

enum { LIBRARY_FAILURE_SIZE = 256 };

/* Loads the library, and sets the function pointers of `symbols`. Call it only once in a process.
 * Returns false if the library or a symbol is missing; `failure` has the reason. */
bool library_load(const char *file, const struct library_symbol *symbols, size_t count,
		  char failure[LIBRARY_FAILURE_SIZE]);

/* Whether the program runs from a bundle (tools/bundle). A bundle's libraries may be older than the
 * host's, so the program then loads none of the host's libraries. */
bool library_is_bundled(void);
/*
 * Removes LD_LIBRARY_PATH from the environment of a bundled program (tools/bundle), so that
 * mariadb-dump and the commands of mirrors use the host's libraries. Call it when the program
 * begins. The program itself still uses the bundle's libraries: its loader has already read the
 * variable.
 */
void library_hide_path(void);

#endif
