/* The sentences and the plural rule of each language. words_english.c has those of English.
 * tools/embed-po makes the others from po/page/LANGUAGE.po. */
#ifndef VIEW_WORDS_TRANSLATIONS_H
#define VIEW_WORDS_TRANSLATIONS_H

#include "view/words/words.h"

#define TRANSLATION(language) \
	enum plural words_plural_##language(size_t count); \
	extern const char *const words_sentences_##language[SENTENCES][PLURALS]

TRANSLATION(en);
TRANSLATION(de);
TRANSLATION(fr);
TRANSLATION(es);
TRANSLATION(it);
TRANSLATION(nl);
TRANSLATION(pt_BR);
TRANSLATION(pl);
TRANSLATION(ja);

#endif
