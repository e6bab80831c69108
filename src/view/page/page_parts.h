/* The parts that the HTML files of a page share. Only for src/view. */
#ifndef VIEW_PAGE_PAGE_PARTS_H
#define VIEW_PAGE_PAGE_PARTS_H

#include "view/html.h"
#include "view/page.h"
#include "view/words/page_words.h"

/* The data from which an HTML file of a page is made. */
struct page_view {
	struct buf *out;
	const struct page_snapshot *snapshot;
	const struct locale *locale;
	struct arena *arena;
	const char *root;   /* the page's folder, with which links begin: "", "../", "/s/acme/" */
	bool is_below_days; /* a heading has the date, so times omit it */
	/* The file shows an open incident or a window in progress. Browsers reload the file, and it
	 * is published again as time passes. */
	bool is_live;
	bool has_impacts; /* show the impact of past incidents as a word */
};

/* The look of a state. page_tone_class() returns its CSS class, which is also its sign's name. */
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
/* Returns the background colour behind white signs and words, as six hexadecimal digits. */
const char *page_tone_colour(enum tone tone);
enum tone page_tone_of_state(enum system_state state);
enum tone page_tone_of_impact(int impact);
/* Returns the tone of the banner. */
enum tone page_tone(const struct page_snapshot *snapshot);

/* The head of a file, from <!DOCTYPE> to <body>. */
struct page_head {
	/* the file's title is this text and the page's title; NULL: only the page's title */
	const char *part;
	const char *description; /* plain text; NULL: none */
	/* the file's path below the page's address; NULL: no preview for other sites */
	const char *path;
	enum tone tone;	   /* the look of the tab's icon; TONE_NONE: the file shows no state */
	const char *style; /* the name of a second style sheet; NULL: none */
	bool is_error;	   /* search engines must ignore the file */
};
void page_put_head(const struct page_view *view, const struct page_head *head);
/* Appends the header with the name of the page. is_first: the file is index.html, whose header also
 * has the menu for subscribing. */
void page_put_header(const struct page_view *view, bool is_first);
/* Appends the time of the snapshot, and links. */
void page_put_footer(const struct page_view *view);

/* Append a sentence. page_say_in() appends HTML before and after the sentence. page_say_with()
 * fills in values. page_put_element() puts the sentence in an element, and appends a line end. */
void page_say(const struct page_view *view, enum sentence sentence);
void page_say_in(const struct page_view *view, const char *before, enum sentence sentence,
		 const char *after);
void page_say_with(const struct page_view *view, enum sentence sentence, size_t count,
		   const struct word_value *values);
void page_put_element(const struct page_view *view, const char *element, enum sentence sentence);
/* Append a sentence with the value {count}, {time} or {duration}. {count} also chooses the plural
 * form. */
void page_say_count(const struct page_view *view, enum sentence sentence, size_t count);
void page_say_time(const struct page_view *view, enum sentence sentence, struct instant at);
void page_say_duration(const struct page_view *view, enum sentence sentence, int64_t seconds);
/* Appends a name that people have given, in an element that isolates the direction of its text. */
void page_put_name(const struct page_view *view, const char *name);
/* A function that appends HTML about the object `of`. */
typedef void page_put(const struct page_view *view, const void *of);
/* Returns the HTML that put(view, of) appends, for use as a value of a sentence; owned by the
 * arena. */
const char *page_value(const struct page_view *view, page_put *put, const void *of);
/* Returns the HTML of page_put_name(), for use as a value of a sentence. */
const char *page_name_value(const struct page_view *view, const char *name);
/* Appends the duration since `since`, rounded down: "for more than 15 min". So the text stays true
 * until the next publish. Appends nothing if view->is_live is false. */
void page_put_so_far(const struct page_view *view, struct instant since);
/* Begins a section, and appends its heading. */
void page_put_section(const struct page_view *view, const char *id, enum sentence heading);
/* Begins a section and its heading. The caller appends the text and the end tag of the heading. */
void page_begin_section(const struct page_view *view, const char *id);
/* Appends the sign of the tone, and the word in the tone's colour. */
void page_put_state(const struct page_view *view, enum tone tone, enum sentence word);
/* Appends the definitions of all signs. page_put_sign() appends references to them. */
void page_put_signs(const struct page_view *view);
void page_put_sign(const struct page_view *view, enum tone tone);
/* Appends the state of a system with this impact, such as "Partly down". */
void page_put_impact(const struct page_view *view, int impact);
/* Appends a sentence about a file for other programs, then `before` and the file's address. */
void page_put_way(const struct page_view *view, enum sentence text, const char *before,
		  const char *file);

#endif
