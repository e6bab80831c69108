/* The parts that the HTML files of a page share. Only for this folder. */
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
	const char *root;   /* the page's folder, with which links of the file begin: "", "../" */
	bool is_below_days; /* a heading names the day, so times omit it */
	/* The file shows an open incident or window: browsers reload it, and it is published again
	 * as time passes. */
	bool is_live;
	bool has_impacts; /* past incidents have a word for their impact */
};

/* The look of a state. Each look has a class, which is also the name of its sign. */
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
/* Returns the background for white signs and words, in six hexadecimal digits. */
const char *page_tone_colour(enum tone tone);
enum tone page_tone_of_state(enum system_state state);
enum tone page_tone_of_impact(int impact);
/* Returns the tone of the banner. */
enum tone page_tone(const struct page_snapshot *snapshot);

/* The head of a file, from <!DOCTYPE> to <body>. */
struct page_head {
	/* The text before the page's title in the title of the file; NULL: none. */
	const char *part;
	const char *description; /* plain text; NULL: none */
	/*
	 * The file's path below the page's address; NULL: other sites get no preview of the file.
	 */
	const char *path;
	enum tone tone; /* the state shown by the icon; TONE_NONE: the file does not show a state */
	const char *style; /* the file of a second style sheet; NULL: none */
	bool is_error;	   /* search engines must ignore the file */
};
void page_put_head(const struct page_view *view, const struct page_head *head);
/* Appends the name of the page. is_first: the file is index.html, which also has links for
 * following the page. */
void page_put_header(const struct page_view *view, bool is_first);
/* Appends the time of the snapshot, and links. */
void page_put_footer(const struct page_view *view);

/* Append a sentence: page_say() alone, page_say_in() between two pieces of HTML, page_say_with()
 * with values, page_put_element() in an element and with a line end. */
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
/* Returns the HTML that `put` appends, as a value of a sentence; owned by the arena. */
const char *page_value(const struct page_view *view, page_put *put, const void *of);
/* Returns the name as a value of a sentence. */
const char *page_name_value(const struct page_view *view, const char *name);
/* Appends "for more than 15 min": the time since `since`, rounded down. The text stays true until
 * the page is published again. */
void page_put_so_far(const struct page_view *view, struct instant since);
/* Opens a section, and appends its heading. */
void page_put_section(const struct page_view *view, const char *id, enum sentence heading);
/* Opens a section and its heading. The caller appends the text and the end of the heading. */
void page_begin_section(const struct page_view *view, const char *id);
/* Appends the sign of the tone, and the word in the tone's colour. */
void page_put_state(const struct page_view *view, enum tone tone, enum sentence word);
/* Appends the signs to which page_put_sign() refers. */
void page_put_signs(const struct page_view *view);
void page_put_sign(const struct page_view *view, enum tone tone);
/* Appends an impact in the words for the states of systems. */
void page_put_impact(const struct page_view *view, int impact);
/* Appends a sentence about a file for other programs, then `before` and the file's address. */
void page_put_way(const struct page_view *view, enum sentence text, const char *before,
		  const char *file);

#endif
