#include "domain/monitor/check_expiry.h"

#include <stdio.h>

enum { DAY_S = 86400 };

bool expiry_is_due(const struct expiry *expiry, struct instant now, struct expiry_told *told)
{
	int64_t date = expiry->date.s;
	bool is_over = now.s >= date && expiry->seen_at.s >= date;
	if (expiry->alert_days == 0 || date == 0 || now.s < date - expiry->alert_days * DAY_S)
		return false;
	/* The date has passed, but was not confirmed since then: the certificate or domain may have
	 * been renewed. */
	if (now.s >= date && !is_over)
		return false;
	int64_t days = is_over ? 0 : expiry->alert_days;
	if (expiry->told.date.s == date && expiry->told.days <= days)
		return false;
	*told = (struct expiry_told){ expiry->date, days };
	return true;
}

bool expiry_is_to_ask(struct instant date, struct instant asked_at, struct instant now)
{
	/* now < asked_at: the clock was set back. */
	return asked_at.s == 0 || now.s < asked_at.s || now.s - asked_at.s >= DAY_S ||
	       (date.s > 0 && asked_at.s < date.s && now.s >= date.s);
}

const char *expiry_text(struct instant date, struct instant now, char text[EXPIRY_TEXT_SIZE])
{
	char at[INSTANT_TEXT_SIZE];
	int64_t days = (date.s - now.s) / DAY_S;
	instant_format(date, at);
	if (now.s >= date.s)
		snprintf(text, EXPIRY_TEXT_SIZE, "expired %s", at);
	else if (days == 0)
		snprintf(text, EXPIRY_TEXT_SIZE, "expires %s, in less than a day", at);
	else
		snprintf(text, EXPIRY_TEXT_SIZE, "expires %s, in %lld %s", at, (long long)days,
			 days == 1 ? "day" : "days");
	return text;
}
