/* The uptimes of monitors, which the API shows (contract section 11). */
#ifndef STORE_MONITOR_MONITOR_UPTIME_H
#define STORE_MONITOR_MONITOR_UPTIME_H

#include "db/db.h"
#include "domain/monitor/monitor.h"

enum { MONITOR_UPTIME_INCIDENTS_MAX = 20000 };
/*
 * Sets the uptimes of the monitors. The uptime of a retired monitor stays unknown. All uptimes stay
 * unknown if the monitors have more than MONITOR_UPTIME_INCIDENTS_MAX incidents, occurrences of
 * maintenance, or gaps in 90 days, because a request must end soon. For each 512 monitors, runs:
 * - one statement for incidents
 * - one for maintenance windows, and another if there are windows
 * - one for gaps, if there are gaps
 */
enum result monitor_read_uptimes(struct db *db, struct monitor *monitors, size_t count,
				 struct instant now, struct error *error) MUST_USE;

#endif
