/* The screen of the systems of a page, with their order. */
#ifndef VIEW_CONSOLE_CONSOLE_SYSTEMS_HTML_H
#define VIEW_CONSOLE_CONSOLE_SYSTEMS_HTML_H

#include "view/console/console_resource_html.h"

struct console_system {
	int64_t id;
	const char *name;
	int64_t place; /* on the page, from 1; 0: the page does not show the system */
};
struct console_systems {
	const struct console_screen *screen;
	int64_t id; /* of the page */
	const char *name;
	int64_t version;
	struct console_system *rows; /* those of the page come first, in its order */
	size_t count;
	int64_t page; /* part of the page's systems, from 1 */
	bool has_more;
	bool is_saved;	     /* just before */
	const char *problem; /* NULL: none */
	const char *search;  /* for further systems; "": none */
	const struct principal *principal;
};
void console_systems_html(struct buf *out, const struct console_view *view,
			  const struct console_systems *systems);

#endif
