/*
 * Operations for checkers at other locations (contract section 13): they read the monitors that
 * their location has to check, and send findings. The checker of the installation decides from all
 * findings whether a monitor is down (check/votes.c).
 */
#ifndef SERVICE_CHECK_LOCATIONS_H
#define SERVICE_CHECK_LOCATIONS_H

#include "domain/monitor/check_exchange.h"
#include "service/service.h"
#include "store/check/check_locations.h"

/*
 * Records that the checker of a location has asked. *location is the location that the request's
 * key belongs to; location->id is 0 if no monitor of the account has the location. *mark changes
 * whenever the location's monitors change. Executes at most five statements. All functions of this
 * header return E_FORBIDDEN if the key belongs to no location.
 */
enum result service_see_location(struct service *service, struct check_location *location,
				 struct checked_mark *mark) MUST_USE;
/* Lists up to CHECK_ORDERS_MAX monitors above `after`, by id, with their secrets. The arena of the
 * service owns them. Executes two statements. */
enum result service_list_checks(struct service *service, const struct check_location *location,
				int64_t after, struct field_rows *orders) MUST_USE;
/* Stores the findings of a location, after check_findings_settle(). Ignores findings about monitors
 * that the location does not have to check. Executes a bounded number of statements. */
enum result service_take_findings(struct service *service, const struct check_findings *findings)
	MUST_USE;

#endif
