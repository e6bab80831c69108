/*
 * The plain fields of an incident: a client sets them by an update, columns of the same names store
 * them, and the resource shows them. Each has a row, in the order of JSON and of the documentation.
 *
 *   ROW(of, type, column, name, (limits and text in the resource), (the same in the form))
 *
 * `of` is an argument of the macro ROW: the name of a struct, a prefix, or empty. `column` is the
 * SQL type to which CAST converts a value. Each row yields:
 *
 *   the members of struct incident and struct incident_input
 *   the value of enum incident_sent
 *   the rows of the forms and of the resource
 *   the columns of SELECT, INSERT and UPDATE
 *   the rule for an update: a new value is a change, with the event incident.updated
 *   (postmortem: with the event incident.postmortem)
 *
 * Fields with other rules are in domain/incident/incident_change.c.
 */
#ifndef DOMAIN_INCIDENT_INCIDENT_FIELDS_H
#define DOMAIN_INCIDENT_INCIDENT_FIELDS_H

/* clang-format off */
#define INCIDENT_PLAIN_FIELDS(ROW, of) \
	ROW(of, bool, SIGNED, exclude_from_uptime, \
	    (.text = "Whether uptime ignores its time."), \
	    (.option = "exclude", .option_off = "include", \
	     .text = "Pages show the incident, but its time does not count against uptime.")) \
	ROW(of, const char *, CHAR, postmortem, \
	    (.text = "CommonMark; null: none."), \
	    (.max_chars = INCIDENT_POSTMORTEM_MAX_CHARS, .flags = FIELD_PROSE, \
	     .label = "Post-mortem", \
	     .text = "CommonMark, shown with the incident. Empty removes it."))

#define INCIDENT_PLAIN_MEMBER(of, type, column, name, shown, sent) type name;
#define INCIDENT_PLAIN_PLACE(of, type, column, name, shown, sent) of##name,
#define INCIDENT_PLAIN_SHOWN(of, type, column, name, shown, sent) \
	FIELD_NAMED(of, row.name, #name, INCIDENT_PLAIN_OPEN shown),
#define INCIDENT_PLAIN_SENT(of, type, column, name, shown, sent) \
	FIELD(of, name, INCIDENT_PLAIN_OPEN sent),
#define INCIDENT_PLAIN_KEPT(of, type, column, name, shown, sent) FIELD_KEPT(#name),
#define INCIDENT_PLAIN_OPEN(...) __VA_ARGS__
/* clang-format on */

#endif
