/* Shared by the HTML files of a page. Only for this folder. */
#ifndef VIEW_PAGE_PARTS_H
#define VIEW_PAGE_PARTS_H

#include "view/html.h"
#include "view/page.h"
#include "view/words/page_words.h"

/* What an HTML file of a page is made from. */
struct page_view {
	struct buf *out;
	const struct page_snapshot *snapshot;
	const struct locale *locale;
	struct arena *arena;
	const char *root;   /* the page's folder, as links of the file name it: "", "../" */
	bool is_below_days; /* headings name the days of what began on them */
	bool is_live;	    /* shows something open: worth a reload */
};

/* How a state looks: the class of its elements, which is the name of its sign too. */
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
/* Six hexadecimal digits: behind white signs and words. */
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
/* The name of the page; on the page itself with the ways to follow it. */
void page_put_header(const struct page_view *view, bool is_first);
/* The moment of the snapshot, and links. */
void page_put_footer(const struct page_view *view);

/* The sentence; with values; in that element, with a line feed. */
void page_say(const struct page_view *view, enum sentence sentence);
void page_say_with(const struct page_view *view, enum sentence sentence, size_t count,
		   const struct word_value *values);
void page_put_element(const struct page_view *view, const char *element, enum sentence sentence);
/* What people have named, in an element of its own that isolates the directions of its letters. */
void page_put_name(const struct page_view *view, const char *name);
/* The opening of a section, and its heading without its end. */
void page_put_section(const struct page_view *view, const char *id);
/* The sign of the tone, and the word in its colour. */
void page_put_state(const struct page_view *view, enum tone tone, enum sentence word);
void page_put_sign(const struct page_view *view, enum tone tone);
/* The same of an impact, in the words of the states of systems. */
void page_put_impact(const struct page_view *view, int impact);
/* The address of a file for another program, which the text asks for. */
void page_put_way(const struct page_view *view, enum sentence text, const char *file);

#endif
