/* What the files of service/configuration*.c share. */
#ifndef SERVICE_CONFIGURATION_CONFIGURATION_PARTS_H
#define SERVICE_CONFIGURATION_CONFIGURATION_PARTS_H

#include "service/configuration/configuration.h"

/* Texts and what they belong to, sorted. */
struct name_index {
	struct indexed_name {
		const char *name;
		size_t at;
	} * rows;
	size_t count;
};
void name_index_init(struct name_index *index, size_t room, struct arena *arena);
void name_index_add(struct name_index *index, const char *name, size_t at);
void name_index_sort(struct name_index *index);
/* How many have the name; *at is the first of them. */
size_t name_index_find(const struct name_index *index, const char *name, size_t *at);

/* Between these two calls service->violations are those of one object of the file. */
struct violation_scope {
	struct violations own;
	struct violations *all;
};
void violation_scope_begin(struct violation_scope *scope, struct service *service);
/* Adds the violations with the path of the object; returns whether there are any. */
bool violation_scope_end(struct violation_scope *scope, struct service *service, const char *path);

/* A plan in the making. */
struct planning {
	struct service *service;
	const struct configuration_order *order;
	struct configuration_plan *plan;
	const struct configuration_plan *first; /* that this plan repeats; NULL: none */
	struct name_index monitors;		/* of the plan, without those to be removed */
	size_t *named_by; /* by monitor: the last page that names it, from 1 */
};

/* Plans the pages, when the monitors are planned. */
enum result plan_pages(struct planning *planning) MUST_USE;
/* Reads what there is, and compares. E_CONFLICT: the plan differs from `first`. */
enum result plan_configuration(struct service *service, const struct configuration_order *order,
			       const struct configuration_plan *first,
			       struct configuration_plan *plan) MUST_USE;
enum result configuration_has_changed(struct service *service) MUST_USE;

#endif
