/*
 * The operations on maintenance windows (contract section 12). Each runs in one transaction,
 * appends its events, and publishes the pages that show the window's monitors. Violations name the
 * field.
 *
 * All operations with an id return E_NOT_FOUND if the principal can reach no such window or update.
 */
#ifndef SERVICE_MAINTENANCE_MAINTENANCES_H
#define SERVICE_MAINTENANCE_MAINTENANCES_H

#include "service/service.h"
#include "store/maintenance/maintenance.h"

/*
 * Adds a window. `sent` has the sent rows of maintenance_create_fields. E_INVALID;
 * E_QUOTA_EXCEEDED, with a violation at "maintenances".
 */
enum result service_add_maintenance(struct service *service, int64_t account_id,
				    const struct maintenance_input *input, struct field_set sent,
				    struct maintenance_shown *shown) MUST_USE;
enum result service_update_maintenance(struct service *service, int64_t id,
				       const struct maintenance_input *input, struct field_set sent,
				       struct maintenance_shown *shown) MUST_USE;
enum result service_delete_maintenance(struct service *service, int64_t id,
				       struct maintenance *maintenance) MUST_USE;
/* Runs a transaction that only reads. */
enum result service_show_maintenance(struct service *service, int64_t id,
				     struct maintenance_shown *shown) MUST_USE;

/* The fields of an update that a client may send. MAINTENANCE_SENT_… are the numbers of these
 * fields in a set of sent fields. */
struct maintenance_update_input {
	const char *body;
	const char *phase; /* NULL: the status does not change */
	struct instant at; /* 0: now */
};
enum { MAINTENANCE_SENT_BODY = 0, MAINTENANCE_SENT_PHASE = 1, MAINTENANCE_SENT_AT = 2 };
extern const struct fields maintenance_post_fields;
extern const struct fields maintenance_edit_fields;
/* An update and its window. The update must be the first member, because callers render the posting
 * as an update. */
struct maintenance_posting {
	struct maintenance_update_row row;
	struct maintenance maintenance;
};
enum result service_post_maintenance_update(struct service *service, int64_t id,
					    const struct maintenance_update_input *input,
					    struct maintenance_posting *posting) MUST_USE;
/* Identifies an update by its window and its id. */
struct maintenance_update_place {
	int64_t maintenance_id;
	int64_t update_id;
};
/* Runs a transaction that only reads. */
enum result service_show_maintenance_update(struct service *service,
					    const struct maintenance_update_place *place,
					    struct maintenance_posting *posting) MUST_USE;
/* Changes the body or the time of an update. Cannot change the phase of the update, which is the
 * window's status at the update's time. */
enum result service_edit_maintenance_update(struct service *service,
					    const struct maintenance_update_place *place,
					    const struct maintenance_update_input *input,
					    struct field_set sent,
					    struct maintenance_posting *posting) MUST_USE;
enum result service_withdraw_maintenance_update(struct service *service,
						const struct maintenance_update_place *place,
						struct maintenance_posting *posting) MUST_USE;

/*
 * For the background loop. Starts and ends occurrences, and adds events for reminders. Handles up
 * to MAINTENANCE_DUE_MAX occurrences in one transaction. *is_more: more occurrences may be due, so
 * call it again.
 */
enum result service_maintenance_clock(struct db *db, const struct config *config,
				      struct instant now, bool *is_more, struct error *error)
	MUST_USE;
/*
 * For the background loop. Computes the occurrences of one recurring window, if they were last
 * computed more than a day ago. If there is no such window, removes windows that were deleted more
 * than MAINTENANCE_CANCELLED_DAYS ago. *is_more: call it again.
 */
enum result service_maintenance_expand(struct service *service, bool *is_more) MUST_USE;

#endif
