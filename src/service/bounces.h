/* Mail to subscribers that was returned as undeliverable. */
#ifndef SERVICE_BOUNCES_H
#define SERVICE_BOUNCES_H

#include "service/service.h"

/*
 * Reads a report of delivery (wire/bounce_report.h) whose receiver's address this installation has
 * signed. If the address of the subscriber does not exist, counts the bounce:
 * SUBSCRIBER_BOUNCES_MAX bounces on different days suspend the subscriber. The signature is the
 * permission.
 */
enum bounce_outcome {
	BOUNCE_COUNTED,
	BOUNCE_IGNORED,	 /* not a permanent failure, or of an unknown delivery */
	BOUNCE_UNSIGNED, /* the report was sent to no address of this installation */
};
extern const char *const bounce_outcome_words[];
enum result service_take_bounce(struct service *service, struct str report,
				enum bounce_outcome *outcome) MUST_USE;

#endif
