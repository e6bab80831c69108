/* The functions that the files of service/configuration/ share. */
#ifndef SERVICE_CONFIGURATION_CONFIGURATION_PARTS_H
#define SERVICE_CONFIGURATION_CONFIGURATION_PARTS_H

#include "service/configuration/configuration.h"

void name_index_init(struct name_index *index, size_t room, struct arena *arena);
void name_index_add(struct name_index *index, const char *name, size_t at);
void name_index_sort(struct name_index *index);
/* Returns the number of objects with this name, and sets *at to the first of them. */
size_t name_index_find(const struct name_index *index, const char *name, size_t *at);

/* Between violation_scope_begin() and violation_scope_end(), service->violations has only the
 * violations of one object of the file. */
struct violation_scope {
	struct violations own;
	struct violations *all;
};
void violation_scope_begin(struct violation_scope *scope, struct service *service);
/* Adds the object's violations to the service's violations, and the object's path to their fields.
 * Returns whether the object has violations. */
bool violation_scope_end(struct violation_scope *scope, struct service *service, const char *path);

/* Returns the text of the field `name` of an object. */
const char *configured_text(enum configured_kind kind, const union configured *object,
			    const char *name);

/* A plan that is being made. */
struct planning {
	struct service *service;
	const struct configuration_order *order;
	struct configuration_plan *plan;
};

/* Checks a page of the file by itself, and normalizes its slug and its domain. */
void plan_page_check(struct planning *planning, struct planned *planned);
/* Finds the monitors that the page names, and adds violations for monitors that do not exist. */
void plan_page_names(struct planning *planning, struct planned *planned);
/* Merges the fields of the file into the page. Looks up a new domain in DNS. */
enum result plan_page_merge(struct planning *planning, struct planned *planned) MUST_USE;
/* Adds violations for slugs and domains that other pages have. */
enum result plan_page_addresses(struct planning *planning) MUST_USE;

#endif
