/*
 * A library to preload: the allocation of number $FAIL_AT (from 1) fails, and no other. Counts
 * allocations by daymark, json-c, uriparser and libidn2, since other libraries handle failures
 * differently. Writes "hit" to the descriptor 9 when that number is reached.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static long left = -1; /* -1: not asked yet */

static int is_of_counted_library(void *caller)
{
	Dl_info info;
	if (!dladdr(caller, &info) || !info.dli_fname)
		return 0;
	const char *slash = strrchr(info.dli_fname, '/');
	const char *name = slash ? slash + 1 : info.dli_fname;
	return strcmp(name, "daymark") == 0 || strncmp(name, "libjson-c", 9) == 0 ||
	       strncmp(name, "liburiparser", 12) == 0 || strncmp(name, "libidn2", 7) == 0;
}

/* dladdr() takes microseconds, and a program has few callers. */
static int is_counted(void *caller)
{
	static _Thread_local struct {
		void *caller;
		int is_counted;
	} known[1024];
	size_t at = (size_t)caller % 1021;
	if (known[at].caller != caller) {
		known[at].caller = caller;
		known[at].is_counted = is_of_counted_library(caller);
	}
	return known[at].is_counted;
}

static int fails(void *caller)
{
	if (left == -1) {
		const char *text = getenv("FAIL_AT");
		left = text ? strtol(text, NULL, 10) : 0;
	}
	if (left == 0 || !is_counted(caller) || --left > 0)
		return 0;
	if (write(9, "hit\n", 4) < 0)
		_exit(99);
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

/* Counted apart: malloc() sees the C library as its caller. */
char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	void *copy = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
	return copy ? memcpy(copy, text, size) : NULL;
}

void *realloc(void *old, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
