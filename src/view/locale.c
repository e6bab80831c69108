#include "view/locale.h"

#include <time.h>

#include "domain/uptime.h"

struct locale locale_of_page(const struct status_page *page)
{
	/* Pages have no fields for their language and their zone. */
	(void)page;
	return locale_of_service();
}

struct locale locale_of_service(void)
{
	return (struct locale){ .words = words_of_service() };
}

struct local_time locale_time(const struct locale *locale, struct instant at)
{
	time_t s = (time_t)at.s;
	struct tm parts;
	(void)locale;
	gmtime_r(&s, &parts);
	return (struct local_time){ .year = parts.tm_year + 1900,
				    .month = parts.tm_mon + 1,
				    .day = parts.tm_mday,
				    .hour = parts.tm_hour,
				    .minute = parts.tm_min,
				    .second = parts.tm_sec };
}

const char *locale_zone_name(const struct locale *locale, struct instant at)
{
	(void)locale;
	(void)at;
	return "UTC";
}

struct instant locale_day_start(const struct locale *locale, struct instant at, int days)
{
	(void)locale;
	return (struct instant){ uptime_midnight(at).s + (int64_t)days * DAY_S };
}
