/*
 * The operations on monitors. Each runs in one transaction, appends an event, and publishes the
 * pages that show the monitor. Violations name the field: name, url, label.
 *
 * E_NOT_FOUND, of all that take an id: there is no such monitor for the principal.
 */
#ifndef SERVICE_MONITORS_H
#define SERVICE_MONITORS_H

#include "service/service.h"
#include "store/monitor.h"

/*
 * Adds a monitor with account_id, name, url and known_since; sets its id and times.
 * E_INVALID, E_QUOTA_EXCEEDED.
 */
enum result service_add_monitor(struct service *service, struct monitor *monitor) MUST_USE;
/* E_INVALID: it is no name. */
enum result service_rename_monitor(struct service *service, int64_t id, const char *name) MUST_USE;
/* NULL removes the label. E_INVALID; E_CONFLICT: another monitor of the account has it. */
enum result service_label_monitor(struct service *service, int64_t id, const char *label) MUST_USE;
/*
 * The monitor is no system of a page any more and takes no observations, but its incidents stay
 * in the log, an open one as ended now.
 */
enum result service_retire_monitor(struct service *service, int64_t id) MUST_USE;
/*
 * Removes the monitor from its pages, and publishes them; then deletes its incidents, in small
 * transactions, and the monitor. The same call continues after a failure.
 */
enum result service_remove_monitor(struct service *service, int64_t id) MUST_USE;

#endif
