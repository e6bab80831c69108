/*
 * libcurl, loaded when a process first needs it. Include this header in place of curl.h. To use a
 * function that HTTP_LIBRARY_FUNCTIONS does not have, add it there.
 *
 * CURL_LIBRARY is the name of the shared library. If configure found only a static library,
 * CURL_LIBRARY is not defined, and the program is linked with libcurl.
 */
#ifndef WIRE_HTTP_LIBRARY_H
#define WIRE_HTTP_LIBRARY_H

/* Disables the type checks of curl.h. They are macros, and would hide the functions with their
 * names. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/error.h"

#define HTTP_LIBRARY_FUNCTIONS(X) \
	X(global_init) \
	X(easy_cleanup) \
	X(easy_getinfo) \
	X(easy_header) \
	X(easy_init) \
	X(easy_perform) \
	X(easy_reset) \
	X(easy_setopt) \
	X(easy_strerror) \
	X(free) \
	X(getdate) \
	X(multi_add_handle) \
	X(multi_assign) \
	X(multi_cleanup) \
	X(multi_info_read) \
	X(multi_init) \
	X(multi_perform) \
	X(multi_poll) \
	X(multi_remove_handle) \
	X(multi_setopt) \
	X(multi_socket_action) \
	X(multi_strerror) \
	X(slist_append) \
	X(slist_free_all) \
	X(url) \
	X(url_cleanup) \
	X(url_get) \
	X(url_set)

/* The functions of libcurl, without "curl_" in their names: curl.easy_init() is curl_easy_init().
 * Use them only after http_library_load(). */
struct http_library {
#define HTTP_LIBRARY_MEMBER(name) __typeof__(curl_##name) *name;
	HTTP_LIBRARY_FUNCTIONS(HTTP_LIBRARY_MEMBER)
#undef HTTP_LIBRARY_MEMBER
};
extern struct http_library curl;

/* Loads libcurl. Any thread may call this. Returns E_FAILED if libcurl is missing; the error names
 * what is missing. */
enum result http_library_load(struct error *error) MUST_USE;

#endif
