/* The search in the titles of a page's history: the program makes it of the page's error page. */
#ifndef VIEW_PAGE_PAGE_SEARCH_H
#define VIEW_PAGE_PAGE_SEARCH_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "view/words/words.h"

enum { PAGE_SEARCH_MAX_CHARS = 100, PAGE_SEARCH_SHOWN_MAX = 50 };

struct page_search {
	const char *root;	   /* the path of the page's folder: "/s/acme/" */
	const struct words *words; /* of the page */
	const char *wanted;	   /* the words that a title must have; NULL: none was asked for */
	struct str titles;	   /* lines of page_incidents_titles() */
};
/* Turns the `html` of page_error() into the form with the titles that have all words. ASCII letters
 * of both cases are the same. */
void page_search(struct buf *html, const struct page_search *search, struct arena *arena);

#endif
