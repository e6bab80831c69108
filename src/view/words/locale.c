#include "view/words/locale.h"

#include <string.h>

struct locale locale_of_page(const struct status_page *page)
{
	return (struct locale){ words_of_language(page->language), status_page_zone(page) };
}

struct local_time locale_time(const struct locale *locale, struct instant at)
{
	return zone_local(locale->zone, at);
}

const char *locale_zone_name(const struct locale *locale, struct instant at)
{
	const char *name = zone_abbreviation(locale->zone, at);
	const struct zone_word *zone = locale->words->zones;
	for (; zone && zone->word; zone++)
		if (strcmp(zone->abbreviation, name) == 0)
			return zone->word;
	return name;
}

struct instant locale_day_start(const struct locale *locale, struct instant at, int days)
{
	return zone_day_start(locale->zone, at, days);
}
