/*
 * The one gate before every file of a page that is not public: the page, its
 * feeds, its badge, its JSON, its pictures.
 *
 * Private: the account's own key as Bearer, or a signed link; everyone else
 * gets what a page that does not exist gives. Password: besides those, a form,
 * and a cookie behind a right password. Asks the database for a key only, so
 * passwords and links work while it is away; and not even for a key where too
 * many wrong ones came from, which gets what it would without one.
 */
#ifndef APP_PAGE_GATE_H
#define APP_PAGE_GATE_H

#include "app/exchange.h"
#include "publish/gate.h"

enum gate_answer {
	GATE_OPEN,   /* serve the file */
	GATE_CLOSED, /* as if there were nothing */
	GATE_ASKS,   /* for a password; the form has been answered if it is the page itself */
	GATE_MOVED,  /* a redirect has been answered: the link's cookie is set */
};

/* What is asked for of a page that is not public. */
struct gate_visit {
	const struct pages_dir *dir;
	const struct gate *gate; /* NULL: there is no such page */
	const char *slug;
	bool is_part; /* a file that the page is made of, for which a pass will do */
};
/*
 * Whether this visitor may see it, and by what (*grant, where it is open). Sets the cookie
 * of a link. A page that does not exist is asked for in the same way, so that keys that are
 * tried there cost the same and count the same.
 */
enum result page_gate_check(struct exchange *exchange, const struct gate_visit *visit,
			    enum gate_answer *answer, struct gate_grant *grant);

/* GET of the page itself by who must give a password. */
void page_gate_ask(struct exchange *exchange, const char *problem);
/* Nothing is there, in HTML, and the same for whatever is hidden. */
void page_gate_missing(struct exchange *exchange);

/* POST /s/{slug}/: a password. */
enum result page_gate_enter(struct exchange *exchange);
extern const struct fields page_gate_fields;

#endif
