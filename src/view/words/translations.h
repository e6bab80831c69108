/* The sentences and the plural rule of each language. For English they are in words_english.c. For
 * other languages, tools/embed-po makes them from po/page/LANGUAGE.po. */
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
