/*
 * When the end of a certificate or of a domain's registration is told: once it is `alert_days`
 * away, and once it has passed. A date that has changed, as by a renewal, is told anew.
 */
#ifndef DOMAIN_MONITOR_CHECK_EXPIRY_H
#define DOMAIN_MONITOR_CHECK_EXPIRY_H

#include <stdbool.h>

#include "base/clock.h"

/* What was told last: of which date, and so many days before; 0: that it has passed. */
struct expiry_told {
	struct instant date; /* 0: nothing was told */
	int64_t days;
};

struct expiry {
	struct instant date; /* 0: unknown, which is never told */
	struct instant
		seen_at;    /* when the date was last confirmed, by the certificate or registry */
	int64_t alert_days; /* 0: nothing is told */
	struct expiry_told told;
};

/*
 * True: it is to be told, and *told is what to keep. That a date has passed is told only if it was
 * confirmed afterwards: a certificate or a domain that nobody could look at meanwhile may be
 * renewed. A clock that is set back has nothing told twice; fewer alert days may, with the same
 * date.
 */
bool expiry_is_due(const struct expiry *expiry, struct instant now, struct expiry_told *told);

/*
 * Whether the registry is to be asked for the end of a domain: each day, and when the known end has
 * come, which renewals at the last moment move.
 */
bool expiry_is_to_ask(struct instant date, struct instant asked_at, struct instant now);
/* A date that registries have not confirmed for so long is unknown. */
enum { EXPIRY_DOMAIN_KEPT_S = 3 * 86400 };

/* What is said: "expires 2026-12-01T00:00:00Z, in 14 days", "expires …, in less than a day" or
 * "expired …". */
enum { EXPIRY_TEXT_SIZE = 80 };
const char *expiry_text(struct instant date, struct instant now, char text[EXPIRY_TEXT_SIZE]);

#endif
