/* Values of resources as text for people, from the tables of fields. */
#ifndef VIEW_CONSOLE_CONSOLE_VALUE_HTML_H
#define VIEW_CONSOLE_CONSOLE_VALUE_HTML_H

#include "domain/maintenance/maintenance.h"
#include "view/console/console_html.h"

/* Returns the field's label, translated. If the field has no label, makes words of the field's
 * name. */
const char *console_label(const struct console_view *view, const struct field *field);
/* Returns the word for a choice. */
const char *console_choice_text(const struct console_view *view, const struct field *field,
				size_t at);
/* Returns the text for a word of the API, such as in_progress. */
const char *console_word_text(const struct console_view *view, const char *word);
/* Returns the kind of an event in words, such as "Incident: opened" for "incident.opened". */
const char *console_event_text(const struct console_view *view, const char *kind);
/* Returns the explanation of the field, shown at its input; NULL: none. */
const char *console_help(const struct field *field);
/* Returns the words for the usual value field->usual[at] of a field. */
const char *console_usual_text(const struct console_view *view, size_t at);
/* Returns a time in the zone of the person, such as "2026-11-20 19:58 UTC". */
const char *console_time_name(const struct console_view *view, const struct field *field,
			      const void *object);
/* Returns the value as the input of a form sends it. For a list, returns the names of its rows.
 * Returns "" if there is no value. */
const char *console_value_text(const struct console_view *view, const struct field *field,
			       const void *object);
/* Returns a time for <input type="datetime-local">: without the zone, and without seconds if they
 * are 0. */
const char *console_local_time(const struct console_view *view, const char *text);
/* Returns the text, cut after 200 bytes. */
const char *console_shortened(const struct console_view *view, const char *text);
/* Returns the names of the rows of a list, separated by commas: at most 10 names and 200 bytes. */
const char *console_names(const struct console_view *view, const struct field *list,
			  const void *object);
/* Appends the value as HTML. Returns false, and appends nothing, if the object has no value. */
bool console_put_value(struct buf *out, const struct console_view *view, const struct field *field,
		       const void *object);
/* Returns the field with this name. For a path to a member, such as "monitor.name", sets *object to
 * the nested object, and returns the member. */
const struct field *console_find_field(const struct fields *fields, const char *name,
				       const void **object, struct arena *arena);
/* Appends a list of labels and values of the named fields; the names end with NULL. */
void console_put_facts(struct buf *out, const struct console_view *view, struct fields fields,
		       const char *const *names, const void *object);

/* Appends the rule of recurrence in words. If words cannot express the rule, appends its text. */
void console_put_rule(struct buf *out, const struct console_view *view,
		      const struct recurrence *recurrence);
/* Appends the next times of a window: in the window's time zone if the window repeats, otherwise in
 * the person's time zone. */
void console_put_next_times(struct buf *out, const struct console_view *view,
			    const struct maintenance_shown *shown);

#endif
