/* Reads the single values of a form by the rules of their fields. */
#ifndef HTTP_FORM_VALUE_H
#define HTTP_FORM_VALUE_H

#include "http/form.h"

/* A value that was sent, prepared for the rules of its field. */
struct given {
	const struct field *field;
	const char *name; /* for violations: "monitor_ids.3" */
	const char *label;
	struct form_value *value;
	struct arena *arena; /* owns the decoded values */
	struct violations *violations;
	struct str text; /* set by form_read_text(); trimmed unless FIELD_EXACT */
	bool is_null;	 /* set by form_read_text(): JSON null, or an empty text */
};

/* Adds the violation "The … field must be RULE." Returns false. */
bool form_refuse(const struct given *given, const char *rule);
/* form_refuse_missing(): the value is missing. form_refuse_count(): the list has too many items.
 * Both add a violation and return false. */
bool form_refuse_missing(const struct given *given);
bool form_refuse_count(const struct given *given);

/* Whether the value clears a list or an object: empty text, null or an empty list. */
bool form_is_empty(const struct form_value *value);
/* Reads the text of a scalar, trimmed unless FIELD_EXACT. Returns false if it added a violation. */
bool form_read_text(struct given *given);
/* Sets the member of `object`. Clears *is_sent if the field treats an empty value as not sent, or
 * if no file was chosen. Returns false if it added a violation. */
bool form_decode_value(struct given *given, void *object, bool *is_sent);

#endif
