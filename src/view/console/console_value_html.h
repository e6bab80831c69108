/* Values of resources as text for people, from the tables of fields. */
#ifndef VIEW_CONSOLE_CONSOLE_VALUE_HTML_H
#define VIEW_CONSOLE_CONSOLE_VALUE_HTML_H

#include "domain/maintenance/maintenance.h"
#include "view/console/console_html.h"

/* The name of the field for people: its label, or made of its name. */
const char *console_label(const struct console_view *view, const struct field *field);
/* The word of a choice. */
const char *console_choice_text(const struct console_view *view, const struct field *field,
				size_t at);
/* A word of the API, such as in_progress. */
const char *console_word_text(const struct console_view *view, const char *word);
/* The kind of an event in words, such as "Incident: opened" for "incident.opened". */
const char *console_event_text(const struct console_view *view, const char *kind);
/* The explanation of the field at an input; NULL: none. */
const char *console_help(const struct field *field);
/* The words of a usual value of the field, by its place in the row. */
const char *console_usual_text(const struct console_view *view, size_t at);
/* "2026-11-20 19:58 UTC", in the zone of the person */
const char *console_time_name(const struct console_view *view, const struct field *field,
			      const void *object);
/* The value of a member as an input sends it, or the names of a list: "" for no value. */
const char *console_value_text(const struct console_view *view, const struct field *field,
			       const void *object);
/* The text as an input of a local time has it: without zone, and without seconds unless there are
 * some. */
const char *console_local_time(const struct console_view *view, const char *text);
/* The text, cut after 200 bytes. */
const char *console_shortened(const struct console_view *view, const char *text);
/* The names of the rows of a list whose rows have a name, separated by commas: at most 10 names and
 * 200 bytes. */
const char *console_names(const struct console_view *view, const struct field *list,
			  const void *object);
/* Appends the value as HTML. False: the object has no value, and nothing was appended. */
bool console_put_value(struct buf *out, const struct console_view *view, const struct field *field,
		       const void *object);
/* The row of a field, or of a member: "monitor.name"; *object then becomes the nested object. */
const struct field *console_find_field(const struct fields *fields, const char *name,
				       const void **object, struct arena *arena);
/* Appends a list of labels and values of the named fields; the names end with NULL. */
void console_put_facts(struct buf *out, const struct console_view *view, struct fields fields,
		       const char *const *names, const void *object);

/* Appends the rule of recurrence in words, or unchanged if words cannot express it. */
void console_put_rule(struct buf *out, const struct console_view *view,
		      const struct recurrence *recurrence);
/* Appends the next times of a window, in the window's zone; if the window does not repeat, in the
 * person's zone. */
void console_put_next_times(struct buf *out, const struct console_view *view,
			    const struct maintenance_shown *shown);

#endif
