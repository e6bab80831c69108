/*
 * Texts that consist of lines: the records, plans, manifests and lists that Daymark stores in files
 * and sends to mirrors. A line ends with a newline, and has words with one blank between them, such
 * as "file index.html 3f0c 812". If the last line has no newline, the end of the text is missing.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/arena.h"
#include "base/str.h"

/* The word that stands for a missing value. */
#define LINE_NONE "-"

struct lines {
	struct str rest; /* borrowed */
	size_t number;	 /* the number of the last line that was read, from 1 */
};

struct lines lines_of(struct str text);
/* Sets *line to the next line, without its newline. Returns false if there is no line, or if it has
 * no newline. */
bool lines_next(struct lines *lines, struct str *line);
/* Whether the last line has no newline. Call it after lines_next() has returned false. */
bool lines_are_cut(const struct lines *lines);

/* The functions below remove the next word from the front of the line. They return false or NULL if
 * the line has no more words, or if the word is not what the function expects. After such a
 * failure, do not read more words of the line. */
bool line_word(struct str *line, struct str *word);
/* Expects the word `key`. */
bool line_key(struct str *line, const char *key);
/* Returns the word as a NUL-terminated text, owned by the arena. */
const char *line_text(struct str *line, struct arena *arena);
/* Sets *text to the word, or to NULL if the word is LINE_NONE. */
bool line_optional(struct str *line, struct arena *arena, const char **text);
/* Expects a decimal number that is not below `min`. */
bool line_number(struct str *line, int64_t min, int64_t *number);
/* Whether the line has no more words. */
bool line_ends(const struct str *line);

/* Returns the text, or LINE_NONE in place of NULL. */
const char *line_or_none(const char *text);

#endif
