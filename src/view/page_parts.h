/* Shared by the HTML files of a page. Only for this folder. */
#ifndef VIEW_PAGE_PARTS_H
#define VIEW_PAGE_PARTS_H

#include "view/html.h"
#include "view/page.h"
#include "view/words/page_words.h"

/* The data from which an HTML file of a page is made. */
struct page_view {
	struct buf *out;
	const struct page_snapshot *snapshot;
	const struct locale *locale;
	struct arena *arena;
	const char *root;   /* the page's folder as the file's links name it: "", "../" */
	bool is_below_days; /* the days of entries are in headings above them */
	bool is_live;	    /* shows something open: worth a reload */
};

/* The look of a state: the class of its elements, which is also the name of its sign. */
enum tone {
	TONE_NONE,
	TONE_UP,
	TONE_MAINTENANCE,
	TONE_DEGRADED,
	TONE_PARTLY_DOWN,
	TONE_DOWN,
	TONE_NOTICE,
	TONES
};
const char *page_tone_class(enum tone tone);
/* Six hexadecimal digits, of a background for white signs and words. */
const char *page_tone_colour(enum tone tone);
enum tone page_tone_of_state(enum system_state state);
enum tone page_tone_of_impact(int impact);
/* Of the banner. */
enum tone page_tone(const struct page_snapshot *snapshot);

/* The head of a file, from <!DOCTYPE> to <body>. */
struct page_head {
	const char *part;	 /* precedes the page's title; NULL: the page itself */
	const char *description; /* plain text; NULL: none */
	const char *path;	 /* of the file below the page's address; NULL: not for sharing */
	enum tone tone;		 /* of the icon; TONE_NONE: the file does not show a state */
	bool is_error;		 /* search engines leave it alone */
};
void page_put_head(const struct page_view *view, const struct page_head *head);
/* The name of the page; is_first: on the page itself, with the links to follow the page. */
void page_put_header(const struct page_view *view, bool is_first);
/* The moment of the snapshot, and links. */
void page_put_footer(const struct page_view *view);

/* The sentence; with values; in that element, with a line feed. */
void page_say(const struct page_view *view, enum sentence sentence);
void page_say_with(const struct page_view *view, enum sentence sentence, size_t count,
		   const struct word_value *values);
void page_put_element(const struct page_view *view, const char *element, enum sentence sentence);
/* A name that people have given, in an element that isolates the direction of its letters. */
void page_put_name(const struct page_view *view, const char *name);
/* The opening of a section, and its heading without its end. */
void page_put_section(const struct page_view *view, const char *id);
/* The sign of the tone, and the word in its colour. */
void page_put_state(const struct page_view *view, enum tone tone, enum sentence word);
void page_put_sign(const struct page_view *view, enum tone tone);
/* The same for an impact, in the words for the states of systems. */
void page_put_impact(const struct page_view *view, int impact);
/* The address of a file for other programs, with a sentence that names it. */
void page_put_way(const struct page_view *view, enum sentence text, const char *file);

#endif
