/* Prints the changes of a plan as text or as JSON. */
#ifndef CTL_CONFIGURATION_APPLY_CHANGES_H
#define CTL_CONFIGURATION_APPLY_CHANGES_H

#include "ctl/ctl.h"
#include "service/configuration/configuration.h"

/* Prints a line for each object to add, change or remove, and a line for each changed field. */
void apply_changes_print(struct ctl *ctl, const struct configuration_plan *plan);
/* Returns {"changes": [...], "added": 1, "changed": 0, "removed": 0}. */
struct json_object *apply_changes_json(struct ctl *ctl, const struct configuration_plan *plan);

/* Returns the stored names of a page's monitors, for the ids `ids`. The plan must contain all
 * monitors. */
struct json_object *apply_monitor_names(struct ctl *ctl, const struct configuration_plan *plan,
					const struct id_list *ids);
/* Returns the stored name of the monitor with this id; NULL: id is 0. */
const char *apply_monitor_name(const struct configuration_plan *plan, int64_t id);

#endif
