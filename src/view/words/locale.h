/* The language and the time zone of a page's texts. */
#ifndef VIEW_WORDS_LOCALE_H
#define VIEW_WORDS_LOCALE_H

#include "base/zone.h"
#include "domain/page/status_page.h"
#include "view/words/words.h"

struct locale {
	const struct words *words;
	const struct zone *zone;
};

struct locale locale_of_page(const struct status_page *page);

struct local_time locale_time(const struct locale *locale, struct instant at);
/* Returns the name of the zone at this time: "UTC", "CET", in German "MEZ". */
const char *locale_zone_name(const struct locale *locale, struct instant at);
/* Returns the start of the local day `days` days after that of `at`. `days` may be negative. */
struct instant locale_day_start(const struct locale *locale, struct instant at, int days);

#endif
