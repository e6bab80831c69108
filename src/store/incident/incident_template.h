/* Templates of incidents, with their monitors. */
#ifndef STORE_INCIDENT_INCIDENT_TEMPLATE_H
#define STORE_INCIDENT_INCIDENT_TEMPLATE_H

#include "db/db.h"
#include "domain/incident/incident_template.h"
#include "store/list.h"

/* The values of sort_by, in the order of the list's words. */
enum incident_template_sort { INCIDENT_TEMPLATE_BY_ID, INCIDENT_TEMPLATE_BY_NAME };

/* Stores the template with its monitors. Sets the id of a new template (id 0). E_CONFLICT: another
 * template has the name. E_QUOTA_EXCEEDED: the account already has `most` templates; a `most` of 0
 * means no limit. */
enum result incident_template_save(struct db *db, struct incident_template *row, int64_t most,
				   struct arena *arena, struct error *error) MUST_USE;
enum result incident_template_delete(struct db *db, int64_t id, struct error *error) MUST_USE;

/* Finds a template of the account, and locks its row if for_update. E_NOT_FOUND: there is none. */
enum result incident_template_find(struct db *db, int64_t account_id, int64_t id, bool for_update,
				   struct arena *arena, struct incident_template *row,
				   struct error *error) MUST_USE;
struct incident_template_list {
	struct incident_template *rows; /* owned by the arena */
	size_t count;
	int64_t total;
};
enum result incident_templates_list(struct db *db, const struct list_query *query,
				    struct arena *arena, struct incident_template_list *list,
				    struct error *error) MUST_USE;

/* Reads the cause of the earliest open incident that monitoring has detected on one of the
 * monitors. *cause NULL: there is none. */
enum result incident_template_cause(struct db *db, const struct id_list *monitor_ids,
				    struct arena *arena, const char **cause, struct error *error)
	MUST_USE;

#endif
