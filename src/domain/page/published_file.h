/*
 * The kinds of files that a published page consists of, and their headers. tests/lint compares the
 * configurations of all web servers in conf/ with this list.
 *
 * A web server serves the kinds that its configuration names. It passes a request for another kind
 * to the program, which serves all kinds (app/page/page_files.c). So an older copy of a
 * configuration still works after an update.
 */
#ifndef DOMAIN_PAGE_PUBLISHED_FILE_H
#define DOMAIN_PAGE_PUBLISHED_FILE_H

#include <stdbool.h>

/* Returns the Content-Type for the name's extension; NULL: no file of a page has this name. */
const char *published_file_type(const char *name);

/* Returns whether the file, such as "systems.badges", is only for the program and not for
 * visitors. */
bool published_file_is_internal(const char *name);

/*
 * Returns whether the name contains a hash of the content, so that caches may keep the file for
 * ever. Such a name has lower-case letters, "-", 12 or more hexadecimal digits, and an extension
 * ("logo-1f0c....png").
 */
bool published_file_is_hashed(const char *name);
/*
 * Returns the file's second address below the page, such as "api/v2/summary.json"; NULL: it has
 * none. Programs that read status pages expect the file at this address. The web servers in conf/
 * rewrite the address.
 */
const char *published_file_api_address(const char *name);

extern const char published_file_cache[];	 /* Cache-Control */
extern const char published_file_cache_hashed[]; /* the value for names with a hash */

#endif
