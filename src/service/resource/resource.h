/*
 * The lists and objects of each kind of resource, such as monitors. Callers read them only by these
 * functions, which check the principal's permission, and read only the principal's account. The
 * other files of this folder define a struct resource for each kind.
 */
#ifndef SERVICE_RESOURCE_RESOURCE_H
#define SERVICE_RESOURCE_RESOURCE_H

#include "service/service.h"
#include "store/list.h"

/* A part of a list. */
struct resource_rows {
	void *rows; /* owned by the service's arena */
	size_t row_bytes;
	size_t count;
	int64_t total;	     /* the number of rows in the whole list */
	bool has_next_after; /* the list has no numbered pages: the client continues with the
				parameter `after` */
	int64_t next_after;
};

/* Identifies an object by the ids of the path. */
struct resource_place {
	int64_t id;
	int64_t part_id; /* id of a part of the object `id`, such as an update; 0: none */
};

struct resource {
	const char *object;	     /* name of the kind, as in events: "monitor" */
	enum permission permission;  /* what readers need; PERMISSION_NONE means PERMISSION_READ */
	const struct fields *shown;  /* the fields of an object that clients read */
	const struct fields *listed; /* the fields that lists show */
	size_t row_bytes;	     /* size of a row that find() reads */
	/* Reads those members of a row on which the revision depends. E_NOT_FOUND. */
	enum result (*find)(struct service *service, const struct resource_place *place, void *row);
	/* Reads the members that find() does not read; NULL: find() reads all. */
	enum result (*complete)(struct service *service, void *row);
	/* Returns the struct that `shown` and `listed` describe, made from a row. NULL: the row
	 * already is this struct. */
	const void *(*present)(struct service *service, const void *row);
	/* Returns the revision, which changes with each change that clients can see. NULL: the
	 * revision is a hash of the fields that clients read. */
	int64_t (*revision)(const void *row);
	/* Returns false if the shown fields can change by the clock, without a write to the row.
	 * NULL: they change only by writes. */
	bool (*is_settled)(const void *row);

	/*
	 * The defaults of the list's parameters: a struct of query_bytes that begins with a struct
	 * list_query. list() reads the list. E_INVALID: there are violations.
	 */
	const void *query_defaults;
	size_t query_bytes;
	/* Adds violations of rules about several parameters; NULL: there are no such rules. */
	void (*check)(const void *query, struct violations *violations);
	enum result (*list)(struct service *service, const void *query, struct resource_rows *rows);
	/* See resource_list_after(); NULL: the kind has no such list. */
	enum result (*list_after)(struct service *service, int64_t account_id, int64_t after_id,
				  struct resource_rows *rows);
};

extern const struct resource resource_status_pages, resource_page_links, resource_incidents,
	resource_incident_updates, resource_monitors, resource_maintenances,
	resource_maintenance_updates, resource_keys, resource_events, resource_alert_channels,
	resource_deliveries, resource_subscribers, resource_users, resource_user_sessions,
	resource_incident_templates, resource_pending_updates;
/* The parameters of the lists. updates_query_fields is for the updates of incidents and of
 * maintenance windows. */
extern const struct fields status_pages_query_fields, page_links_query_fields,
	incidents_query_fields, updates_query_fields, monitors_query_fields,
	maintenances_query_fields, keys_query_fields, events_query_fields,
	alert_channels_query_fields, deliveries_query_fields, subscribers_query_fields,
	users_query_fields, user_sessions_query_fields, incident_templates_query_fields,
	pending_updates_query_fields;

/*
 * Reads the page of the list that the query selects. If the rows belong to an object, such as the
 * updates of an incident, `owner_id` is the id of this object. Sets the other members of the query.
 * For the operator, the caller sets the account. The caller may also set the limit. E_FORBIDDEN;
 * E_INVALID; E_NOT_FOUND: there is no such object.
 */
enum result resource_list(struct service *service, const struct resource *resource,
			  int64_t owner_id, void *query, struct resource_rows *rows) MUST_USE;
/* Reads the next rows with ids above `after_id`, ordered by id, without the total. No rows: the
 * list has ended. The operator may pass account_id 0 for all accounts. E_FORBIDDEN. */
enum result resource_list_after(struct service *service, const struct resource *resource,
				int64_t account_id, int64_t after_id, struct resource_rows *rows)
	MUST_USE;
/* Reads an object, except the members that complete() reads. E_FORBIDDEN; E_NOT_FOUND. */
enum result resource_find(struct service *service, const struct resource *resource,
			  const struct resource_place *place, void *row) MUST_USE;
enum result resource_complete(struct service *service, const struct resource *resource, void *row)
	MUST_USE;
const void *resource_present(struct service *service, const struct resource *resource,
			     const void *row);
/* Returns the id of a row, which must be a struct that `shown` describes. */
int64_t resource_id(const struct resource *resource, const void *row);
int64_t resource_revision(const struct resource *resource, const void *row);
bool resource_is_settled(const struct resource *resource, const void *row);

/* Reads the events of a query, without the total: see event_list(). E_FORBIDDEN. */
enum result resource_read_events(struct service *service, const struct event_query *query,
				 struct event_list *list) MUST_USE;
/*
 * Returns a hash of the fields that clients read, as the revision of resources that change without
 * a write to their row.
 */
int64_t resource_hash(struct fields fields, const void *row);

/* Returns the number of rows on a page of a list. `choice` is the index of per_page in
 * resource_per_page_words. */
int64_t resource_per_page(int choice);
/* Returns the default `choice`, which the configuration sets. */
int resource_per_page_default(const struct config *config);

extern const char *const resource_per_page_words[];
extern const char *const resource_sort_words[]; /* 0: descending */
/* The largest page number: the offset of a higher page would not fit into an int64_t. */
#define RESOURCE_PAGE_MAX (INT64_MAX / 100)

/* clang-format off */
/*
 * Rows for the parameters that each list has: RESOURCE_SEARCH_ROWS before and RESOURCE_ORDER_ROWS
 * after the list's filters. `of` is the name of the struct list_query inside `type`, followed by a
 * dot; it is empty if `type` itself is a struct list_query. `words` is the array of choices,
 * `first` the default of sort_by.
 */
#define RESOURCE_SEARCH_ROWS(type, of, words, its_text) \
	FIELD_NAMED(type, of search, "search", .max_chars = 255, \
		    .text = "Text to search for. Letter case is ignored; % and _ are ordinary " \
			    "characters."), \
	FIELD_NAMED(type, of search_by, "search_by", .choices = words, .text = its_text)
#define RESOURCE_ORDER_ROWS(type, of, noun, words, first, its_text) \
	FIELD_NAMED(type, of sort_by, "sort_by", .choices = words, .default_value = first, \
		    .text = its_text), \
	FIELD_NAMED(type, of is_ascending, "sort", .choices = resource_sort_words, \
		    .default_value = "desc", .text = "The direction of the order."), \
	FIELD_NAMED(type, of per_page, "per_page", .choices = resource_per_page_words, \
		    .default_value = "10", .text = "How many " noun " the response has."), \
	FIELD_NAMED(type, of page, "page", .min = 1, .max = RESOURCE_PAGE_MAX, \
		    .default_value = "1", .text = "Which part of the list, from 1.")
/* clang-format on */

#endif
