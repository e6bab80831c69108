/*
 * HTML for visitors who subscribe: the form on the status page, and the content of the pages that
 * confirm, change or end a subscription. All of them work without script.
 */
#ifndef VIEW_SUBSCRIPTION_HTML_H
#define VIEW_SUBSCRIPTION_HTML_H

#include "base/buf.h"
#include "view/words/words.h"

struct subscription_system {
	int64_t id;
	const char *name;
	bool is_chosen;
};

/* The form by which visitors subscribe: a field, a button, and a folded list of systems. */
struct subscription_form {
	const struct subscription_system *systems;
	size_t count;
	const char *address; /* the address that was typed; NULL: none */
	bool is_wrong;	     /* the address cannot be used */
};
void subscription_form_html(struct buf *out, const struct words *words,
			    const struct subscription_form *form, struct arena *arena);

/* The page to which the link in a message leads. The subscription may be confirmed, unconfirmed or
 * missing. */
struct subscription_view {
	const char *token;
	const char *address;
	bool is_confirmed;
	bool is_saved;	    /* the subscription was just changed */
	const char *secret; /* the secret that signs requests to the webhook; NULL: no webhook */
	const char *public_key;
	const struct subscription_system *systems;
	size_t count;
};
void subscription_html(struct buf *out, const struct words *words,
		       const struct subscription_view *view, struct arena *arena);

#endif
