/* Texts as a service takes them: cut to its limit, and without what it would read as markup. */
#ifndef NOTIFY_CHANNEL_TEXT_H
#define NOTIFY_CHANNEL_TEXT_H

#include "base/arena.h"

enum { CHANNEL_TEXT_CHANGES = 3 };

struct channel_text_rule {
	size_t units; /* at most so many of UTF-16, in which most services count; 0: any number */
	size_t bytes; /* at most so many as JSON prints them; 0: any number */
	struct {
		char from; /* 0: none */
		const char *to;
	} changes[CHANNEL_TEXT_CHANGES]; /* of characters; counted as they become */
};

/* A text that is cut ends in an ellipsis. Owned by the arena. */
const char *channel_text(struct arena *arena, const char *text,
			 const struct channel_text_rule *rule);

#endif
