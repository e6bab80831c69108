/* Prepares texts for a service: cuts them to its limits, and replaces characters of its markup. */
#ifndef NOTIFY_CHANNEL_TEXT_H
#define NOTIFY_CHANNEL_TEXT_H

#include "base/arena.h"

enum { CHANNEL_TEXT_CHANGES = 3 };

struct channel_text_rule {
	size_t units; /* limit in UTF-16 units, which most services count; 0: no limit */
	size_t bytes; /* limit in bytes of the text as a JSON string; 0: no limit */
	struct {
		char from; /* 0: none */
		const char *to;
	} changes[CHANNEL_TEXT_CHANGES]; /* the limits count the replacements */
};

/* Returns the prepared text, owned by the arena. A text that is cut ends in an ellipsis. */
const char *channel_text(struct arena *arena, const char *text,
			 const struct channel_text_rule *rule);

#endif
