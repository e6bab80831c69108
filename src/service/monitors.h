/*
 * The operations on monitors. Each runs in one transaction, appends an event, and publishes the
 * pages that show the monitor. Violations name the field.
 *
 * E_NOT_FOUND, from all operations that take an id: the principal can reach no such monitor.
 */
#ifndef SERVICE_MONITORS_H
#define SERVICE_MONITORS_H

#include "service/service.h"
#include "store/check/response_times.h"
#include "store/monitor/monitor.h"

/* Sets the account of the query to the principal's account, and reads names of monitors: see
 * monitor_names(). E_FORBIDDEN. */
enum result service_name_monitors(struct service *service, struct monitor_name_query *query,
				  struct db_list *names) MUST_USE;
/*
 * Adds a monitor to an account. *monitor is the new monitor. `sent` has the sent rows of
 * monitor_create_fields. E_INVALID; E_QUOTA_EXCEEDED, with a violation at "monitors"; E_CONFLICT,
 * with a violation: another monitor of the account has the label.
 */
enum result service_add_monitor(struct service *service, int64_t account_id,
				const struct monitor_input *input, struct field_set sent,
				struct monitor *monitor) MUST_USE;
/*
 * Changes the fields that were sent: `sent` has the sent rows of monitor_update_fields. *monitor is
 * the changed monitor. E_INVALID; E_CONFLICT, with a violation: another monitor of the account has
 * the label.
 */
enum result service_update_monitor(struct service *service, int64_t id,
				   const struct monitor_input *input, struct field_set sent,
				   struct monitor *monitor) MUST_USE;
/* One change of several monitors. */
enum { MONITORS_CHANGED_MAX = 1000 };
struct monitors_order {
	const struct id_list *ids; /* sorted */
	struct monitor_input input;
	struct field_set
		sent;	    /* is_paused, group, alert_channel_ids: rows of monitor_update_fields */
	bool adds_channels; /* each monitor also keeps its present alert channels */
};
/*
 * Changes all of the monitors, or none. Sets *changed to the number of monitors that the change has
 * altered. E_INVALID, with a violation at "monitor_ids" if there is no id, if there are too many
 * ids, or if the principal cannot reach one of the monitors. The number of statements does not
 * depend on the number of monitors.
 */
enum result service_update_monitors(struct service *service, struct monitors_order *order,
				    int64_t *changed) MUST_USE;
/* Reads the ids of the monitors that the query finds: at most MONITORS_CHANGED_MAX + 1 ids.
 * E_FORBIDDEN. */
enum result service_find_monitors(struct service *service, struct monitor_query *query,
				  struct id_list *ids) MUST_USE;
/* The outcome of service_retire_monitor() and service_remove_monitor(). */
struct monitor_deletion {
	int64_t id;
	int64_t incidents; /* number of incidents that are deleted with the monitor */
};
/*
 * Retires the monitor. The monitor is no longer a system of a page, and accepts no observations.
 * Its incidents stay in the log; an open incident ends now. For a principal of an account,
 * E_NOT_FOUND also if the monitor is already retired.
 */
enum result service_retire_monitor(struct service *service, int64_t id) MUST_USE;
/*
 * Removes the monitor from its pages, and publishes them. Then deletes its incidents, in small
 * transactions, and the monitor. The first transaction renders the response. After it the account
 * no longer sees the monitor. If a later transaction fails, the background loop deletes the rest.
 * If service->caller is NULL, the function returns such a failure, and another call deletes the
 * rest.
 */
enum result service_remove_monitor(struct service *service, int64_t id) MUST_USE;
/* The response times of a monitor: see response_times_read(). E_FORBIDDEN. */
enum result service_read_response_times(struct service *service, int64_t id, int range,
					struct db_list *list) MUST_USE;

#endif
