/* The texts that people have written, on the HTML files of a page. Only for this folder. */
#ifndef VIEW_PAGE_PAGE_TEXTS_H
#define VIEW_PAGE_PAGE_TEXTS_H

#include "view/page/page_parts.h"

/* Append the text, whose highest headings get this level. page_put_folded_text() unfolds only the
 * first words of a long text. */
void page_put_text(const struct page_view *view, const char *text, int heading_level);
void page_put_folded_text(const struct page_view *view, const char *text, int heading_level);

/* A list of updates, newest first: their phases, times and texts. */
struct page_updates {
	const struct posted_update *first;
	size_t count;
	/* The number of all updates, including those that are too old for any page. 0: none is too
	 * old. */
	size_t total;
	size_t whole_max;  /* at most this many updates are whole; the others are folded */
	size_t folded_max; /* at most this many updates are folded; `link` leads to the rest */
	const char *link;  /* the file that has all `count` updates; NULL: this file */
	/* The incident of the updates; NULL: they belong to a window. */
	const struct incident *incident;
	int heading_level; /* the level of the highest headings in texts */
	bool is_unfolded;  /* long texts are unfolded, too */
};
void page_put_updates(const struct page_view *view, const struct page_updates *updates);
/* Appends "All 3 updates", or "The newest 100 of 120 updates" if `total` is more than `count`. */
void page_say_updates(const struct page_view *view, size_t count, size_t total);
/* Appends all updates with whole texts, below a heading, on the page of their incident or window.
 * Uses only `first`, `count`, `total` and `incident`. */
void page_put_all_updates(const struct page_view *view, struct page_updates updates);

/* Append the beginning and the end of the page of one incident or window. `text` is CommonMark
 * that people have written about it, for the description; NULL: none. */
void page_begin_own(const struct page_view *view, struct page_head head, const char *text);
void page_end_own(const struct page_view *view);

/* Returns the sentence for a phase. */
enum sentence page_phase(int phase);
enum tone page_tone_of_phase(int phase);

/* Appends the monitors with their impacts, as a list of chips. */
void page_put_affected(const struct page_view *view, const struct incident_monitor *monitors,
		       size_t count, bool has_impacts);
/* Appends the names of the first systems, in one line. */
void page_put_names(const struct page_view *view, const struct incident_monitor *monitors,
		    size_t count);
/* Returns the start and the end as HTML; without the day if a heading above names it. */
const char *page_times(const struct page_view *view, struct instant from, struct instant to);

#endif
