/*
 * The service's own pages, which are shown in place of a status page: the form for its password,
 * failures, and the root of the installation. Those for visitors of a page are in its language.
 */
#ifndef VIEW_SERVICE_HTML_H
#define VIEW_SERVICE_HTML_H

#include <stddef.h>

#include "base/buf.h"
#include "view/words/words.h"

/* The form for the password of a page. `problem` is a sentence about the last attempt, or NULL. */
struct service_password_form {
	const char *name;	 /* of the page; "": unknown */
	const char *contact_url; /* "": none */
	const char *problem;
};
void service_password_html(struct buf *out, const struct words *words,
			   const struct service_password_form *form, struct arena *arena);
/* The address belongs to no page that the visitor may know of. */
void service_not_found_html(struct buf *out, const struct words *words);

/*
 * A failure. `detail` is a sentence that says more than the status does, or NULL. request_id is
 * NULL if the log has nothing to add.
 */
void service_failure_html(struct buf *out, const struct words *words, int status,
			  const char *detail, const char *request_id);
/* The parts of it, for the error page of a status page. */
enum sentence service_failure_heading(int status);
void service_failure_text(struct buf *out, const struct words *words, int status,
			  const char *detail, const char *request_id);

/* The root of the installation: without a list of pages, or with it. */
void service_root_html(struct buf *out);
struct service_list_entry {
	const char *name;
	const char *url;
};
void service_list_html(struct buf *out, const struct service_list_entry *entries, size_t count);

#endif
