/*
 * A cache of texts about times. The files of a page show the same times in many places, and most of
 * them again at the next publish. The cache has a fixed size, and all threads of the process share
 * it. A text that is not in the cache is made again.
 */
#ifndef VIEW_WORDS_TIME_TEXT_CACHE_H
#define VIEW_WORDS_TIME_TEXT_CACHE_H

#include "view/words/locale.h"

enum time_text_form {
	TIME_TEXT_NOTHING,
	TIME_TEXT_TIME,
	TIME_TEXT_TIMES,
	TIME_TEXT_TIMES_OF_DAY,
	TIME_TEXT_DATE,
	TIME_TEXT_DATES,
	TIME_TEXT_DURATION
};

/* The values from which a text is made: the key of the cache. */
struct time_text {
	struct locale locale;
	enum time_text_form form;
	int64_t from;
	int64_t to;
};

/* Returns the text, owned by the arena; NULL: the cache does not have it. */
const char *time_text_find(const struct time_text *said, struct arena *arena);
/* Removes all texts. Call it after a table of words was replaced. The keys have the addresses of
 * tables, and the new table may have the address of the old one. */
void time_text_forget(void);
/* Stores a copy of `text`, unless it is too long. The copy may replace another text. Returns
 * `text`. */
const char *time_text_keep(const struct time_text *said, const char *text);

#endif
