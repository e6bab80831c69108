/*
 * The work of checkers that are elsewhere (contract section 13): what a location has to check, and
 * what it has found. The checker that runs here judges by what is found (check/votes.c).
 */
#ifndef SERVICE_CHECK_LOCATIONS_H
#define SERVICE_CHECK_LOCATIONS_H

#include "domain/monitor/check_exchange.h"
#include "service/service.h"
#include "store/check/check_locations.h"

/*
 * Sets the location of the key of the request, notes that its checker asks, and gives a mark that
 * differs when its monitors have changed. An id of 0: no monitor of the account has the location.
 * At most five statements. E_FORBIDDEN, also of the others: the key is not of a location.
 */
enum result service_see_location(struct service *service, struct check_location *location,
				 struct checked_mark *mark) MUST_USE;
/* Up to CHECK_ORDERS_MAX monitors above `after`, by id, with their secrets; owned by the arena of
 * the service. Two statements. */
enum result service_list_checks(struct service *service, const struct check_location *location,
				int64_t after, struct field_rows *orders) MUST_USE;
/*
 * Stores what a location has found, after check_findings_settle(). Monitors that the location does
 * not have to check are left out. The number of statements has a bound.
 */
enum result service_take_findings(struct service *service, const struct check_findings *findings)
	MUST_USE;

#endif
