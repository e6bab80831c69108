/*
 * The service's own pages, which visitors see in place of a status page: the form for the page's
 * password, failures, and the root of the installation. A page for visitors of a status page is in
 * that page's language.
 */
#ifndef VIEW_SERVICE_HTML_H
#define VIEW_SERVICE_HTML_H

#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"
#include "view/words/words.h"

/* The form for the password of a page. `problem` is a sentence about the last attempt, or NULL. */
struct service_password_form {
	const char *name;	 /* the page's name; "": unknown */
	const char *contact_url; /* "": none */
	const char *problem;
};
void service_password_html(struct buf *out, const struct words *words,
			   const struct service_password_form *form, struct arena *arena);
/* The error page for an address that does not exist, or that must look as if it did not exist. */
void service_not_found_html(struct buf *out, const struct words *words);

/*
 * The page for a failure. `detail` is a sentence that explains the failure, or NULL. `request_id`
 * is NULL if the log has no entry about the request.
 */
void service_failure_html(struct buf *out, const struct words *words, int status,
			  const char *detail, const char *request_id);
/* The heading and the text about an HTTP status, for the error page of a status page. */
enum sentence service_failure_heading(int status);
void service_failure_text(struct buf *out, const struct words *words, int status,
			  const char *detail, const char *request_id);

/* Appends a page with a heading and the HTML below it, for cases in which the page's own design
 * must not be shown. */
void service_content_html(struct buf *out, const struct words *words, const char *heading,
			  struct str html);
/* Append the root page of the installation. service_root_html() lists no status pages,
 * service_list_html() lists them. */
void service_root_html(struct buf *out);
struct service_list_entry {
	const char *name;
	const char *url;
};
void service_list_html(struct buf *out, const struct service_list_entry *entries, size_t count);

#endif
