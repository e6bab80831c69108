/*
 * Decides when the end of a certificate or of a domain's registration is reported: once when it is
 * `alert_days` away, and once when it has passed. A changed date, as after a renewal, is reported
 * anew.
 */
#ifndef DOMAIN_MONITOR_CHECK_EXPIRY_H
#define DOMAIN_MONITOR_CHECK_EXPIRY_H

#include <stdbool.h>

#include "base/clock.h"

/* The last report: the date that it named, and its `alert_days`. days 0: by the report the date had
 * passed. */
struct expiry_told {
	struct instant date; /* 0: nothing was reported */
	int64_t days;
};

struct expiry {
	struct instant date; /* 0: unknown, which is never reported */
	struct instant
		seen_at;    /* when the date was last confirmed, by the certificate or registry */
	int64_t alert_days; /* 0: nothing is reported */
	struct expiry_told told;
};

/*
 * Returns whether a report is due, and sets *told, which the caller then stores. Reports that a
 * date has passed only if a look after the date has still found this date: the certificate or
 * domain may have been renewed. After a clock was set back nothing is reported twice. Fewer
 * alert_days may cause another report of the same date.
 */
bool expiry_is_due(const struct expiry *expiry, struct instant now, struct expiry_told *told);

/* Returns whether to ask the registry for the end of a domain: each day, and once when the known
 * end has come. A late renewal moves the end. */
bool expiry_is_to_ask(struct instant date, struct instant asked_at, struct instant now);
/* A date that no registry has confirmed for this time counts as unknown. */
enum { EXPIRY_DOMAIN_KEPT_S = 3 * 86400 };

/* Writes "expires 2026-12-01T00:00:00Z, in 14 days", "expires …, in less than a day" or "expired
 * …". */
enum { EXPIRY_TEXT_SIZE = 80 };
const char *expiry_text(struct instant date, struct instant now, char text[EXPIRY_TEXT_SIZE]);

#endif
