/*
 * The signals that the FastCGI process sends to the checker: heartbeats, and "check now". While the
 * database is not available, heartbeats wait on the disk (publish/folder/signal_spool.h).
 */
#ifndef SERVICE_CHECK_SIGNALS_H
#define SERVICE_CHECK_SIGNALS_H

#include "domain/page/figures.h"
#include "service/service.h"
#include "store/check/check_spool.h"
#include "store/monitor/monitor.h"

/*
 * Stores a heartbeat, in the database or on the disk. Needs no permission: the caller has checked
 * the token. Executes one statement. E_NOT_FOUND: the database has no such monitor of type
 * heartbeat. E_UNAVAILABLE: neither the database nor the disk could store the heartbeat.
 * E_RATE_LIMITED: the disk has too many heartbeats of the monitor.
 */
enum result service_take_heartbeat(struct service *service, const struct check_signal *heartbeat)
	MUST_USE;

enum { SERVICE_SIGNALS_MOVED = 512 };
/*
 * Moves the signals that wait on the disk into the database, each once and in their order. A
 * transaction moves up to SERVICE_SIGNALS_MOVED rows. Begins another transaction only if `goes_on`
 * returns true. *is_more: signals are left.
 */
enum result service_move_signals(struct db *db, const char *pages_dir, bool (*goes_on)(void *),
				 void *context, bool *is_more, struct error *error) MUST_USE;

/*
 * Makes the checker check the monitor now. *monitor is the monitor after the change. E_CONFLICT:
 * the monitor is not checked, or is paused; the client's text says why. The response renders
 * *monitor.
 */
enum result service_check_monitor(struct service *service, int64_t id, struct monitor *monitor)
	MUST_USE;

/*
 * Adds figures to the sums of a monitor of type external. The caller has set the times of the
 * figures. *monitor is the monitor after the change; the response renders it. Executes two
 * statements for the sums, whatever the number of figures. E_CONFLICT: the monitor has another
 * type, or is retired.
 */
enum result service_add_figures(struct service *service, int64_t id, struct field_rows figures,
				struct monitor *monitor) MUST_USE;

#endif
