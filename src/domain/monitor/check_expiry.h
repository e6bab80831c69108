/*
 * Decides when the end of a certificate or of a domain's registration is reported: once when it is
 * `alert_days` away, and once when it has passed. A changed date, as after a renewal, is reported
 * again.
 */
#ifndef DOMAIN_MONITOR_CHECK_EXPIRY_H
#define DOMAIN_MONITOR_CHECK_EXPIRY_H

#include <stdbool.h>

#include "base/clock.h"

/* The last report: the date that it named, and `alert_days` at that time. days 0: the report said
 * that the date had passed. */
struct expiry_told {
	struct instant date; /* 0: nothing was reported */
	int64_t days;
};

struct expiry {
	struct instant date;	/* 0: unknown, so nothing is reported */
	struct instant seen_at; /* when the certificate or registry last confirmed `date` */
	int64_t alert_days;	/* 0: nothing is reported */
	struct expiry_told told;
};

/*
 * Returns whether a report is due, and sets *told, which the caller then stores. Reports that a
 * date has passed only if the date was confirmed after it had passed: the certificate or domain may
 * have been renewed. After a clock was set back, nothing is reported twice. If alert_days becomes
 * smaller, the same date may be reported again.
 */
bool expiry_is_due(const struct expiry *expiry, struct instant now, struct expiry_told *told);

/* Returns whether to ask the registry for the end of a domain: each day, and once when the known
 * end has passed, since the domain may have been renewed. */
bool expiry_is_to_ask(struct instant date, struct instant asked_at, struct instant now);
/* A date that no registry has confirmed for so many seconds counts as unknown. */
enum { EXPIRY_DOMAIN_KEPT_S = 3 * 86400 };

/* Writes one of these texts to `text`, and returns it: "expires 2026-12-01T00:00:00Z, in 14 days",
 * "expires …, in less than a day", "expired …". */
enum { EXPIRY_TEXT_SIZE = 80 };
const char *expiry_text(struct instant date, struct instant now, char text[EXPIRY_TEXT_SIZE]);

#endif
