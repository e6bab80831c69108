/*
 * The parts of operations on monitors that concern the settings of checks, for use in transactions:
 * secrets, rules about several fields, dependencies, the maintenance window, and heartbeat_url.
 */
#ifndef SERVICE_MONITOR_CHECKS_H
#define SERVICE_MONITOR_CHECKS_H

#include "service/service.h"
#include "store/monitor/monitor.h"

/* A change of a monitor by an input that monitor_check() has checked. */
struct monitor_change {
	const struct monitor *before; /* for a new monitor: the result of monitor_new() */
	struct monitor_input
		*input; /* monitor_settle_change() encrypts its secrets: call it only once */
	struct field_set sent;
	struct field_set changed; /* the fields that the input changes, including secrets */
};
/*
 * Encrypts the secrets of the input, finds the fields that the input changes, and adds violations
 * of rules that concern several fields. A header without a value keeps the stored secret. Reads the
 * key of the installation if a secret was sent. E_FAILED, E_UNAVAILABLE: the key cannot be read.
 */
enum result monitor_settle_change(struct service *service, struct monitor_change *change) MUST_USE;

/* If the monitor's dependency is not allowed, adds a violation at depends_on_id, and returns
 * true. */
struct check_dependencies;
bool monitor_refuse_dependency(struct service *service, const struct check_dependencies *list,
			       int64_t id);
/*
 * Returns OK if there are no violations: monitor_check_dependency() checks depends_on_id later.
 * Otherwise returns E_INVALID, and adds a violation if depends_on_id names a monitor that does not
 * exist.
 */
enum result monitor_refuse_change(struct service *service, const struct monitor_change *change)
	MUST_USE;
/* Call it after the settings were stored. Checks the monitor's dependencies if `changed` has
 * depends_on_id. E_INVALID, with a violation at depends_on_id. */
enum result monitor_check_dependency(struct service *service, const struct monitor *monitor,
				     struct field_set changed) MUST_USE;
/* Adds the window of maintenance_start_at and maintenance_end_at, if they were sent. */
enum result monitor_add_window(struct service *service, struct monitor *monitor,
			       const struct monitor_input *input, struct field_set sent) MUST_USE;

/* Sets the members that reading monitors from the database does not set: uptimes and
 * heartbeat_url. */
enum result monitors_present(struct service *service, struct monitor *rows, size_t count) MUST_USE;
enum result monitors_set_heartbeat_urls(struct service *service, struct monitor *rows, size_t count)
	MUST_USE;

#endif
