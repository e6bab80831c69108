/*
 * What several operations do to monitors, inside their transactions: each function stores the
 * change, adds its events, and marks pages for publishing. The caller has locked the monitor.
 * Violations name the field, as in service/monitors.h.
 */
#ifndef SERVICE_MONITOR_CHANGES_H
#define SERVICE_MONITOR_CHANGES_H

#include "service/service.h"
#include "store/monitor/monitor.h"

/* A monitor of the account that is not stored yet; the input is checked. */
void monitor_begin(struct service *service, int64_t account_id, const struct monitor_input *input,
		   struct monitor *monitor);
/* Sets monitor->id. The account may have `most` monitors; 0: the caller has checked the quota. */
enum result monitor_change_add(struct service *service, struct monitor *monitor, int64_t most)
	MUST_USE;
/*
 * `sent` has the sent rows of monitor_update_fields, of a field that a client may set. Unless
 * `marks_pages`, the caller marks the pages of monitors whose fields_on_page() have changed.
 */
enum result monitor_change_fields(struct service *service, struct monitor *monitor,
				  const struct monitor_input *input, struct field_set sent,
				  bool marks_pages) MUST_USE;
enum result monitor_change_retire(struct service *service, const struct monitor *monitor) MUST_USE;
/* After COMMIT, monitor_delete_rows() deletes the incidents and the monitor. */
enum result monitor_change_detach(struct service *service, const struct monitor *monitor) MUST_USE;
/* In small transactions. With a caller only for a short time: the background loop deletes the rest.
 */
enum result monitor_delete_rows(struct service *service, int64_t id) MUST_USE;

#endif
