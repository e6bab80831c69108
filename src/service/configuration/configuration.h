/*
 * Brings the monitors and status pages of an account to what a configuration file wants
 * (daymarkctl apply). Monitors are found by name, pages by slug. A field that the file does not
 * name stays as it is.
 *
 * The plan compares the file with the database, and has all that is to change. Applying it makes
 * all changes in one transaction, by the same rules as the operations on single monitors and
 * pages. The principal has the account.
 */
#ifndef SERVICE_CONFIGURATION_CONFIGURATION_H
#define SERVICE_CONFIGURATION_CONFIGURATION_H

#include "service/page/page_write.h"
#include "store/monitor/monitor.h"

/* A monitor of the file. */
struct wanted_monitor {
	const char *path; /* for violations: "monitors[3]" */
	struct monitor_input input;
	struct field_set sent; /* rows of monitor_update_fields */
	bool is_wrong;	       /* it has violations: it is not compared */
};

/* A status page of the file. The set `sent` of `change` lacks monitor_ids. */
struct wanted_page {
	const char *path;
	struct status_page_change change;
	bool has_monitors;	    /* else the page's list stays as it is */
	const char **monitor_names; /* trimmed; in the order of the page */
	size_t monitor_count;
	bool is_wrong;
};

struct configuration {
	bool has_monitors; /* else the file says nothing about monitors: none is removed */
	bool has_pages;
	struct wanted_monitor *monitors;
	size_t monitor_count;
	struct wanted_page *pages;
	size_t page_count;
};

enum planned_action { PLAN_KEEP, PLAN_ADD, PLAN_CHANGE, PLAN_REMOVE };

struct planned_monitor {
	enum planned_action action;
	const struct wanted_monitor *wanted; /* NULL: the file does not have it */
	struct monitor before;		     /* id 0: it is new */
	struct monitor after;		     /* its id is set when it is stored */
	struct field_set changed;	     /* rows of monitor_update_fields */
};

struct planned_page {
	enum planned_action action;
	struct wanted_page *wanted;
	struct status_page before;
	struct status_page after;
	struct field_set changed; /* rows of status_page_update_fields, monitor_ids too */
	struct status_page_change change;
	struct page_write write;
	const struct monitor **monitors; /* of `wanted`, with their ids when these are stored */
};

struct configuration_plan {
	struct planned_monitor *monitors; /* those of the file in its order, then the others */
	size_t monitor_count;
	struct planned_page *pages; /* likewise */
	size_t page_count;
	size_t added, changed, removed; /* of both */
};

struct configuration_order {
	const struct configuration *wanted;
	bool prunes;	    /* removes what the file does not have, of the lists that it has */
	bool keeps_history; /* retires monitors in place of removing them */
};

/*
 * Compares, and changes nothing. E_INVALID: the violations name the places in the file, such as
 * "status_pages[2].slug". Reads with few statements, however many rows there are; asks DNS for new
 * domains, and compares passwords.
 */
enum result service_plan_configuration(struct service *service,
				       const struct configuration_order *order,
				       struct configuration_plan *plan) MUST_USE;
/*
 * Makes the changes of the plan and publishes; with progress->publishing, which may be NULL.
 * E_CONFLICT: what the plan was made from has changed meanwhile, and nothing was changed.
 */
enum result service_apply_configuration(struct service *service,
					const struct configuration_order *order,
					struct configuration_plan *plan) MUST_USE;

/* Loads all that a file can have, for daymarkctl export: a plan without a file. */
enum result service_read_configuration(struct service *service, struct configuration_plan *plan)
	MUST_USE;

#endif
