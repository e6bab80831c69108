/* The texts that people have written, on the HTML files of a page. Only for src/view. */
#ifndef VIEW_PAGE_PAGE_TEXTS_H
#define VIEW_PAGE_PAGE_TEXTS_H

#include "view/page/page_parts.h"

/* Append a text as HTML. `heading_level` is the level of its outermost headings.
 * page_put_folded_text() folds a long text, and shows only its first words. */
void page_put_text(const struct page_view *view, const char *text, int heading_level);
void page_put_folded_text(const struct page_view *view, const char *text, int heading_level);

/* A list of updates, newest first, and how to show it. */
struct page_updates {
	const struct posted_update *first;
	size_t count;
	/* The number of all updates. It is more than `count` if the oldest updates are not loaded.
	 * 0: all are loaded. */
	size_t total;
	size_t whole_max;  /* show at most this many updates unfolded */
	size_t folded_max; /* then at most this many updates folded; `link` shows the others */
	const char *link;  /* the file that shows all `count` updates; NULL: this file does */
	/* the incident of the updates; NULL: they are updates of a window */
	const struct incident *incident;
	int heading_level; /* the level of the outermost headings in texts */
	bool is_unfolded;  /* do not fold long texts */
};
void page_put_updates(const struct page_view *view, const struct page_updates *updates);
/* Appends "All 3 updates", or "The newest 100 of 120 updates" if `total` is more than `count`. */
void page_say_updates(const struct page_view *view, size_t count, size_t total);
/* For the page of an incident or a window: appends a heading and all updates, unfolded. Uses only
 * updates.first, count, total and incident. */
void page_put_all_updates(const struct page_view *view, struct page_updates updates);

/* Append the beginning and the end of the page of an incident or a window. The description in the
 * head is made from `text`, which is CommonMark; NULL: no description. */
void page_begin_own(const struct page_view *view, struct page_head head, const char *text);
void page_end_own(const struct page_view *view);

/* Returns the sentence for a phase. */
enum sentence page_phase(int phase);
enum tone page_tone_of_phase(int phase);

/* Appends the monitors as a list, with their impacts if has_impacts. Folds all but the first. */
void page_put_affected(const struct page_view *view, const struct incident_monitor *monitors,
		       size_t count, bool has_impacts);
/* Appends the names of the first systems, in one line. */
void page_put_names(const struct page_view *view, const struct incident_monitor *monitors,
		    size_t count);
/* Returns the start and the end as HTML, without the date if view->is_below_days. */
const char *page_times(const struct page_view *view, struct instant from, struct instant to);

#endif
