/* Templates of incidents: fields that are copied to a report, and texts with placeholders. */
#ifndef DOMAIN_INCIDENT_INCIDENT_TEMPLATE_H
#define DOMAIN_INCIDENT_INCIDENT_TEMPLATE_H

#include "domain/field_table.h"
#include "domain/incident/incident_report.h"

/* The fields of a template. The structs, the forms, JSON, and the columns of the statements are
 * derived from these rows. */
/* clang-format off */
#define INCIDENT_TEMPLATE_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(of, INNER, int64_t, account_id, .min = 1, .max = INT64_MAX) \
	ROW(of, SET, const char *, name, .flags = FIELD_NOT_EMPTY | (needed), .max_chars = 255, \
	    .text = "The name of the template, unique in the account.") \
	ROW(of, SET, const char *, title, .flags = FIELD_NOT_EMPTY | (needed), \
	    .max_chars = INCIDENT_TITLE_MAX_CHARS, \
	    .text = "The title of the incident, with the placeholders {system}, " \
		    "{since} and {cause}.") \
	ROW(of, SET, const char *, body, .flags = FIELD_PROSE, .label = "Text", \
	    .max_chars = INCIDENT_COMMENT_MAX_CHARS, \
	    .text = "The first update, in CommonMark, with the placeholders {system}, " \
		    "{since} and {cause}.") \
	ROW(of, SET, int, phase, .flags = FIELD_AS_WORD | FIELD_NULL_IS_UNSENT, \
	    .choices = incident_phase_words, .default_value = "investigating", \
	    .text = "The phase of the responders' work.") \
	ROW(of, SET, int, impact, .flags = FIELD_AS_WORD | FIELD_NULL_IS_UNSENT, \
	    .choices = incident_impact_words, .default_value = "none", \
	    .text = "How much the incident affects its monitors.") \
	ROW(of, APART, struct id_list, monitor_ids, .label = "Systems", \
	    .max = INCIDENT_MONITORS_MAX, \
	    .text = "The monitors that the incident covers, by id; a change replaces the list.") \
	ROW(of, FIRST, struct instant, created_at, .flags = FIELD_NOT_EMPTY) \
	ROW(of, FIRST, struct instant, updated_at, .flags = FIELD_NOT_EMPTY)
/* clang-format on */

struct incident_template {
	INCIDENT_TEMPLATE_FIELDS(FIELD_MEMBER, , 0)
};
struct incident_template_input {
	INCIDENT_TEMPLATE_FIELDS(FIELD_INPUT, , 0)
};
enum incident_template_field { INCIDENT_TEMPLATE_FIELDS(FIELD_PLACE, INCIDENT_TEMPLATE_FIELD_, 0) };

extern const struct fields incident_template_create_fields;
extern const struct fields incident_template_update_fields;
extern const struct fields incident_template_resource_fields;

/* Copies fields from the template to the report, unless they were sent. A report of an incident
 * that is over keeps its phase. */
void incident_template_apply(const struct incident_template *row, struct incident_report *report,
			     struct field_set sent);
/*
 * Fills the placeholders in the texts that were not sent: {system} by the names of the incident's
 * monitors, {since} by its start, and {cause} by the cause. If a value is missing, removes the
 * placeholder and the space before it. A text that becomes too long may be cut, but stays longer
 * than allowed, so that the report is rejected.
 */
void incident_template_fill(struct incident_report *report, struct field_set sent,
			    const struct incident *incident, const char *cause,
			    struct arena *arena);

#endif
