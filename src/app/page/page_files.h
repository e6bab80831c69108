/*
 * Serves the published files that the web server does not serve: the files of pages that are not
 * public, and files of types that the web server's configuration does not name. Reads no database.
 */
#ifndef APP_PAGE_PAGE_FILES_H
#define APP_PAGE_PAGE_FILES_H

#include "app/exchange.h"
#include "publish/page/pages_reader.h"

/* GET /s/{slug}/. Redirects from /s/{slug}, where the page's relative links would not work. */
enum result page_files_index(struct exchange *exchange);
/* GET /s/{slug}/{file}. Also serves the same files below /s/{slug}/api/v2/. */
enum result page_files_show(struct exchange *exchange);

/*
 * GET /s/{slug}/incidents/{id}: the page of an incident. If nobody has written a text about the
 * incident, it has no page, and the response redirects to the page of its month.
 */
enum result page_files_incident(struct exchange *exchange);
/* GET /s/{slug}/maintenance/{id}: the page of an occurrence of a maintenance window. {id} is the id
 * of the occurrence. */
enum result page_files_maintenance(struct exchange *exchange);

/* GET of an unknown address below /s/{slug}/: 404, or a redirect to the password form. */
enum result page_files_missing(struct exchange *exchange);

/* Says whether the visitor may see the page {slug}. */
struct page_admittance {
	bool is_given;
	enum pages_place place; /* the place of the page's files */
	/* The token that page_text_add_token() adds to the actions of forms; NULL: not needed. */
	const char *token;
};
/* Sets exchange->error_page and exchange->language for a visitor who may see the page. Responds to
 * other visitors as if they had requested a file of the page: with a redirect to the password form,
 * or 404. */
enum result page_files_admit(struct exchange *exchange, struct page_admittance *admittance)
	MUST_USE;

#endif
