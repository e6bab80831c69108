/* The screen that sets which systems a page shows, and in which order. */
#ifndef VIEW_CONSOLE_CONSOLE_SYSTEMS_HTML_H
#define VIEW_CONSOLE_CONSOLE_SYSTEMS_HTML_H

#include "view/console/console_resource_html.h"

struct console_system {
	int64_t id;
	const char *name;
	bool is_shown;	    /* the box is checked */
	const char *place;  /* the typed place on the page, from "1"; "": none */
	const char *stored; /* the stored place; "": the page does not show the system */
	/* The beginning of the fields in the row's violations, such as "systems.3."; NULL: the row
	 * has no violations. */
	const char *typed_as;
};
struct console_systems {
	const struct console_screen *screen;
	int64_t id; /* of the page */
	const char *name;
	int64_t version;
	const char *form_key;
	struct console_system *rows; /* the systems that the page shows come first, in its order */
	size_t count;
	int64_t page; /* the page number of the list of systems, from 1 */
	bool has_more;
	bool is_saved;			     /* the form was just saved */
	const char *problem;		     /* of the whole form; NULL: none */
	const struct violations *violations; /* of the form; NULL: none */
	/* the stored values are shown beside the typed values */
	bool is_stale;
	const char *search;	    /* the text of the search for further systems; "": none */
	const struct id_list *list; /* the ids that the form would store, for the command line */
	const struct principal *principal;
};
void console_systems_html(struct buf *out, const struct console_view *view,
			  const struct console_systems *systems);

#endif
