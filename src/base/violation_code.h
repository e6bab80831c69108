/*
 * A stable word for each kind of violation, for programs: the words of `codes` beside `errors`. The
 * sentence says more to people, but may change.
 */
#ifndef BASE_VIOLATION_CODE_H
#define BASE_VIOLATION_CODE_H

/* The word for a violation's sentence; "invalid" for a sentence that violation_code.c does not
 * know. */
const char *violation_code(const char *message);

/* All words with their meaning; the last has a NULL word. A word is never renamed. */
struct violation_word {
	const char *word;
	const char *text;
};
extern const struct violation_word violation_words[];

#endif
