/*
 * What was said of times before, so that it need not be made again: the files of a page name the
 * same times in many places, and its next publish names most of them once more. One memory for all
 * threads of the process, of a fixed size; a text that is not kept is made again.
 */
#ifndef VIEW_SAID_H
#define VIEW_SAID_H

#include "view/locale.h"

enum said_form {
	SAID_NOTHING,
	SAID_TIME,
	SAID_TIMES,
	SAID_TIMES_OF_DAY,
	SAID_DATE,
	SAID_DATES,
	SAID_DURATION
};

/* All that the text depends on. */
struct said {
	struct locale locale;
	enum said_form form;
	int64_t from;
	int64_t to;
};

/* The text, owned by the arena; NULL: it is not kept. */
const char *said_find(const struct said *said, struct arena *arena);
/* Keeps a copy in place of another text, if it is not too long. Returns the text. */
const char *said_keep(const struct said *said, const char *text);

#endif
