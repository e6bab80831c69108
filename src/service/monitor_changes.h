/*
 * Changes of monitors that several operations share, for use in their transactions: each function
 * stores the change, adds its events, and marks pages for publishing. The caller has locked the
 * monitor. Violations name the field, as in service/monitors.h.
 */
#ifndef SERVICE_MONITOR_CHANGES_H
#define SERVICE_MONITOR_CHANGES_H

#include "service/monitor_checks.h"
#include "store/notify/alert_channel.h"

/*
 * Stores the monitor, its settings and the maintenance window of the input. Sets monitor->id.
 * `most` is the largest number of monitors that the account may have; 0: the caller has checked the
 * number.
 */
enum result monitor_change_add(struct service *service, struct monitor *monitor,
			       const struct monitor_change *change, int64_t most) MUST_USE;
/*
 * Changes fields of a monitor. Call it only if change->changed has a field that a client may set,
 * or change->sent has a maintenance window. If `marks_pages` is false, the caller marks the pages
 * of monitors whose fields_on_page() have changed.
 */
enum result monitor_change_fields(struct service *service, struct monitor *monitor,
				  const struct monitor_change *change, bool marks_pages) MUST_USE;
/* Stores the alert channels of monitors. Violations are at "alert_channel_ids". */
enum result monitor_change_channels(struct service *service, const struct monitor_channels *links)
	MUST_USE;
void monitor_change_add_event(struct service *service, const struct monitor *monitor,
			      enum event_kind kind, const char *detail);
enum result monitor_change_retire(struct service *service, const struct monitor *monitor) MUST_USE;
/* Removes the monitor from its pages and from the account's lists. After COMMIT call
 * monitor_delete_rows(), which deletes the incidents and the monitor. */
enum result monitor_change_detach(struct service *service, const struct monitor *monitor) MUST_USE;
/* Deletes the incidents and the monitor in small transactions. In a request (service->caller is not
 * NULL) it stops after a short time, and the background loop deletes the rest. */
enum result monitor_delete_rows(struct service *service, int64_t id) MUST_USE;

#endif
