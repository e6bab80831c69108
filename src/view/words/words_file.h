/*
 * Sentences of the operator, from the file in the setting `words_file`.
 *
 * A line "[de]" begins the sentences of a language. "KEY = text" replaces all forms of a sentence,
 * and "KEY.few = text" the form for a plural category. Empty lines, and lines that begin with #,
 * are ignored. The key of SAY_ALL_DOWN is "all_down".
 *
 * A text must have the same values as the sentence that it replaces, each the same number of times.
 * It is plain text, not HTML. Sentences about times and durations are used as values of other
 * sentences, so they must be shorter, and must not contain <, >, & or quotes.
 */
#ifndef VIEW_WORDS_WORDS_FILE_H
#define VIEW_WORDS_WORDS_FILE_H

#include "base/error.h"
#include "view/words/words.h"

enum {
	WORDS_FILE_MAX_BYTES = 256 << 10,
	WORDS_FILE_TEXT_MAX = 500,
	WORDS_FILE_TIME_MAX = 100,
	WORDS_FILE_ID_CHARS = 16
};

/* The keys of the sentences, in the order of enum sentence. The build makes them (words_keys.c). */
extern const char *const words_keys[SENTENCES];

/*
 * Replaces sentences by those of the file. `path` NULL: restores all sentences. Call it while no
 * other thread uses words. Returns E_INVALID if the file cannot be read or has a wrong line, whose
 * number and key are in the error. A failure changes no sentence.
 */
enum result words_file_load(const char *path, struct error *error) MUST_USE;
/* Returns the digest of the file, on which all texts made of words depend; "": there is no file. */
const char *words_file_id(void);

#endif
