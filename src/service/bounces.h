/* Mail to subscribers that was returned as undeliverable. */
#ifndef SERVICE_BOUNCES_H
#define SERVICE_BOUNCES_H

#include "service/service.h"

/*
 * Reads a delivery report (wire/bounce_report.h). Needs no permission, but the report must be sent
 * to an address that this installation has signed. Counts a permanent failure as a bounce of the
 * subscriber: SUBSCRIBER_BOUNCES_MAX bounces on different days suspend the subscriber.
 */
enum bounce_outcome {
	BOUNCE_COUNTED,
	BOUNCE_IGNORED,	 /* the failure is not permanent, or the delivery is not known */
	BOUNCE_UNSIGNED, /* the report was sent to no address of this installation */
};
extern const char *const bounce_outcome_words[];
enum result service_take_bounce(struct service *service, struct str report,
				enum bounce_outcome *outcome) MUST_USE;

#endif
