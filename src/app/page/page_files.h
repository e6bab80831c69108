/*
 * Serves a page's published files that the web server does not serve: the files of private and
 * password pages, and files of a kind that its configuration does not name. Reads the disk only.
 */
#ifndef APP_PAGE_PAGE_FILES_H
#define APP_PAGE_PAGE_FILES_H

#include "app/exchange.h"
#include "publish/page/pages_reader.h"

/* GET /s/{slug}/. An address without the final slash is redirected, since the page's links are
 * relative. */
enum result page_files_index(struct exchange *exchange);
/* GET /s/{slug}/{file}, and the same file below /s/{slug}/api/v2/. */
enum result page_files_show(struct exchange *exchange);

/*
 * GET /s/{slug}/incidents/{id}: the page of an incident. An incident without updates or a title
 * has no page: redirects to its month.
 */
enum result page_files_incident(struct exchange *exchange);
/* GET /s/{slug}/maintenance/{id}: the page of a maintenance window, by its occurrence. */
enum result page_files_maintenance(struct exchange *exchange);

/* GET of an address below /s/{slug}/ that has no route: 404, or a redirect to the password form. */
enum result page_files_missing(struct exchange *exchange);

/* Whether the visitor may see the page {slug}. */
struct page_admittance {
	bool is_given;
	enum pages_place place; /* the place of the page's files */
	/* For page_text_add_token(), which adds it to the actions of forms; NULL: not needed. */
	const char *token;
};
/* Sets exchange->error_page and the language for a visitor who may see the page. For other visitors
 * responds as for a file of the page: with a redirect to the password form, or 404. */
enum result page_files_admit(struct exchange *exchange, struct page_admittance *admittance)
	MUST_USE;

#endif
