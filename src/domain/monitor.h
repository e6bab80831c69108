/* A monitor, which is what an account watches, and the rules of its fields (contract section 11).
 */
#ifndef DOMAIN_MONITOR_H
#define DOMAIN_MONITOR_H

#include "domain/monitor_fields.h"
#include "domain/web_url.h"

enum { MONITOR_NAME_MAX_CHARS = 255, MONITOR_LABEL_MAX_CHARS = 255 };

struct monitor {
	MONITOR_FIELDS(FIELD_MEMBER, , 0)
};

/* What a client may send on create and update. */
struct monitor_input {
	MONITOR_FIELDS(FIELD_INPUT, , 0)
};

/* The rows of the forms: MONITOR_FIELD_name, ... Their bits: FIELD_BIT(MONITOR_FIELD_name). */
enum monitor_field { MONITOR_FIELDS(FIELD_PLACE, MONITOR_FIELD_, 0) };

extern const struct fields monitor_create_fields; /* name and url required */
extern const struct fields monitor_update_fields;
extern const struct fields monitor_resource_fields; /* what clients read */
extern const struct fields monitor_fields;	    /* what operators read: all members */

/*
 * Brings the input into its stored form, and adds a violation for each value that no monitor may
 * have. `form` is the form of create or of update, `sent` has a bit for each row that was sent.
 */
void monitor_check(struct monitor_input *input, struct fields form, uint64_t sent,
		   struct instant now, struct arena *arena, struct violations *violations);

/* Copies the fields that were sent to the monitor. */
void monitor_merge(struct monitor *row, const struct monitor_input *input, uint64_t sent);

#endif
