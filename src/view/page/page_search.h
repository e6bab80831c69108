/* The search in the titles of a page's incidents and maintenance windows. The service makes the
 * page with the results from the page's 404.html. */
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
	const char *wanted; /* the words that a title must have; NULL: the form was not sent */
	struct str titles;  /* lines of page_incidents_titles() */
};
/* Replaces the content of the error page `html` by the search form and the titles that contain all
 * wanted words. Ignores the case of ASCII letters. */
void page_search(struct buf *html, const struct page_search *search, struct arena *arena);

#endif
