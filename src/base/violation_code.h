/*
 * A response describes each violation twice: by a sentence in its member `errors`, and by a word in
 * its member `codes`. The sentence says more, but may change. Programs can rely on the word.
 */
#ifndef BASE_VIOLATION_CODE_H
#define BASE_VIOLATION_CODE_H

/* Returns the word for a violation's sentence, or "invalid" for a sentence that violation_code.c
 * does not know. */
const char *violation_code(const char *message);

/* All words with their meaning. The last row has a NULL word. A word is never renamed. */
struct violation_word {
	const char *word;
	const char *text;
};
extern const struct violation_word violation_words[];

#endif
