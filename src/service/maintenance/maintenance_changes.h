/*
 * The common parts of operations on maintenance windows. Each function runs in the caller's
 * transaction.
 */
#ifndef SERVICE_MAINTENANCE_MAINTENANCE_CHANGES_H
#define SERVICE_MAINTENANCE_MAINTENANCE_CHANGES_H

#include "service/maintenance/maintenances.h"

void maintenance_add_event(struct service *service, const struct maintenance *maintenance,
			   enum event_kind kind, const char *detail);
/* Adds a window with input that maintenance_check() has checked. Has the results and the violations
 * of service_add_maintenance(). */
enum result maintenance_change_add(struct service *service, int64_t account_id,
				   const struct maintenance_input *input, struct field_set sent)
	MUST_USE;
/* Locks and reads the window. Stores changes by the clock that the background loop has not stored
 * yet, such as the start of the window. E_NOT_FOUND. */
enum result maintenance_begin(struct service *service, int64_t id, struct maintenance *maintenance)
	MUST_USE;
/*
 * Finds the starts of the window's occurrences. Call it after maintenance_settle(). For a recurring
 * window, finds only starts at `from` or later. E_INVALID, with violations: the rule is not
 * allowed, or its occurrences overlap.
 */
enum result maintenance_find_times(struct service *service, const struct maintenance *maintenance,
				   struct instant from, struct maintenance_times *times) MUST_USE;
/* Sets over_at (the end of a recurring window) and expanded_at (when its occurrences were
 * computed). */
void maintenance_set_over(struct maintenance *maintenance, const struct maintenance_times *times);
/* Marks the pages of the window's monitors as unpublished; they are published after COMMIT. In the
 * histories of these monitors, marks the months of the window's occurrences that end at `since` or
 * later. */
enum result maintenance_mark(struct service *service, const struct maintenance *maintenance,
			     struct instant since) MUST_USE;
/* Changes the status of the current occurrence to `word`, as a person has requested, and adds the
 * event. Adds a violation of `field` if the move is not allowed. */
enum result maintenance_move_current(struct service *service, struct maintenance *maintenance,
				     const char *word, const char *field) MUST_USE;
/* Checks that the account has the monitors. E_INVALID, with a violation for each monitor that it
 * does not have. */
enum result maintenance_check_monitors(struct service *service, int64_t account_id,
				       const struct id_list *ids) MUST_USE;
/* Reads the window as clients see it. */
enum result maintenance_read(struct service *service, int64_t account_id, int64_t id,
			     struct maintenance_shown *shown) MUST_USE;

#endif
