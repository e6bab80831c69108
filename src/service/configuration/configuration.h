/*
 * Changes the monitors and status pages of an account to the state in a configuration file
 * (daymarkctl apply). Monitors are found by name, pages by slug. A field that the file does not
 * name stays as it is.
 *
 * service_plan_configuration() compares the file with the database, using the field tables. Its
 * plan contains all changes. service_apply_configuration() makes all changes of the plan in one
 * transaction, with the functions that the operations on single monitors and pages also use. The
 * account is the principal's.
 */
#ifndef SERVICE_CONFIGURATION_CONFIGURATION_H
#define SERVICE_CONFIGURATION_CONFIGURATION_H

#include "service/page/page_write.h"
#include "store/account/configuration.h"

/* A row for each kind of object, in the order in which the kinds are planned. */
extern const struct configured_kind_row {
	const char *list;   /* the name of the list in the file: "monitors" */
	const char *object; /* "monitor" */
	const char *key;    /* the field by which an object is found */
	const char *unique; /* another field whose value must be unique */
	const struct fields *form;
	const struct fields *members;
} configured_kinds[CONFIGURED_KINDS];

/* An object of the file. */
struct wanted {
	const char *path; /* for violations: "monitors[3]" */
	union {
		struct monitor_input monitor;
		struct status_page_input page;
	} input;
	struct field_set
		sent;  /* the form's rows whose fields are in the file, except monitor_ids */
	bool is_wrong; /* the object has violations, so it is not compared with the database */
	/* For a monitor, instead of depends_on_id: */
	bool has_depends_on;	/* false: the dependency stays as it is */
	const char *depends_on; /* the name of another monitor; NULL: none */
	/* For a page: */
	bool has_monitors;	    /* false: the page's list stays as it is */
	const char **monitor_names; /* without blanks at their ends, in the order in which the page
				       lists the monitors */
	size_t monitor_count;
};
struct wanted_list {
	bool is_there; /* false: the file does not have the list, so no object is removed */
	struct wanted *rows;
	size_t count;
};
struct configuration {
	struct wanted_list lists[CONFIGURED_KINDS];
};

enum planned_action { PLAN_KEEP, PLAN_ADD, PLAN_CHANGE, PLAN_REMOVE };

struct planned {
	enum planned_action action;
	struct wanted *wanted;	 /* NULL: the object is not in the file */
	union configured before; /* id 0: the object is new */
	union configured after;	 /* the id of a new object is set when the object is stored */
	struct field_set
		stated; /* the form's rows whose fields are in the file, including monitor_ids */
	struct field_set changed; /* the rows of `stated` whose fields differ from the database */
	size_t named_by;	  /* for a monitor: 1 + the index of the last page that names it */
	const struct monitor *depends_on; /* for a monitor: its dependency; the id of a new monitor
					     is set when it is stored */
	/* For a page: */
	struct status_page_change change;
	struct page_write write;
	const struct monitor **monitors; /* the monitors that the page names; the id of a new
					    monitor is set when it is stored */
};
struct planned_list {
	struct planned *rows; /* the file's objects in the file's order, then the account's other
				 objects by id */
	size_t count;
};
/* Texts with the indexes of their objects, sorted by text. */
struct name_index {
	struct indexed_name {
		const char *name;
		size_t at;
	} * rows;
	size_t count;
};
struct configuration_plan {
	struct planned_list lists[CONFIGURED_KINDS];
	struct name_index monitors; /* all monitors by name, except those that the plan removes */
	size_t counts[PLAN_REMOVE + 1]; /* number of objects by action */
};

struct configuration_order {
	const struct configuration *wanted;
	bool prunes;	    /* removes stored objects that the file's lists lack */
	bool keeps_history; /* retires monitors instead of removing them */
};

/*
 * Compares the file with the account, but changes nothing. Looks up new domains in DNS, and
 * compares passwords. E_INVALID: the violations name the places in the file, such as
 * "status_pages[2].slug". The number of statements hardly grows with the number of objects. If
 * there is no file (order->wanted is empty), the plan contains the account as it is.
 */
enum result service_plan_configuration(struct service *service,
				       const struct configuration_order *order,
				       struct configuration_plan *plan) MUST_USE;
/*
 * Makes the changes of the plan, and publishes the pages. E_CONFLICT: objects of the plan have
 * changed after the plan was made; the call has changed nothing.
 */
enum result service_apply_configuration(struct service *service,
					const struct configuration_order *order,
					struct configuration_plan *plan) MUST_USE;

#endif
