/*
 * Adapts the published error page of a status page. The published file is for addresses that do not
 * exist. The service adapts its links to the requested address, and its text to other failures.
 */
#ifndef VIEW_PAGE_PAGE_ERROR_H
#define VIEW_PAGE_PAGE_ERROR_H

#include "base/buf.h"
#include "base/str.h"
#include "view/words/words.h"

struct page_error {
	const char *root;	   /* the path of the page's folder: "/s/acme/" */
	int status;		   /* the HTTP status of the response, 400 or above */
	const struct words *words; /* of the page */
	const char *detail;	   /* for detail and request_id see service_failure_html() */
	const char *request_id;
};
struct page_error_content {
	const char *root;
	const struct words *words;
	const char *heading;
	struct str html;
};
/* Replaces the title and the content of the error page, but keeps the link to the status page below
 * the content. Adapts the links, as page_error_adapt() does. */
void page_error_replace(struct buf *html, const struct page_error_content *content);
/* Adapts the links in the `html` of page_error() to error->root. If the status is not 404, also
 * replaces the title and the content. */
void page_error_adapt(struct buf *html, const struct page_error *error);

#endif
