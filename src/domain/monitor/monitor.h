/* A monitor, and the rules of its fields (contract section 11). */
#ifndef DOMAIN_MONITOR_MONITOR_H
#define DOMAIN_MONITOR_MONITOR_H

#include "domain/monitor/check_settings.h"
#include "domain/monitor/check_state.h"
#include "domain/monitor/monitor_fields.h"
#include "domain/web_url.h"

enum {
	MONITOR_NAME_MAX_CHARS = 255,
	MONITOR_LABEL_MAX_CHARS = 255,
	MONITOR_GROUP_MAX_CHARS = 255,
	MONITOR_DESCRIPTION_MAX_CHARS = 1000,
	MONITOR_POSITION_MAX = INT32_MAX,
	ALERT_CHANNELS_OF_MONITOR_MAX = 50,
};

/* In the order of monitor_state_words. */
enum monitor_state {
	MONITOR_UP,
	MONITOR_CONFIRMING, /* the checker repeats a failed check */
	MONITOR_DOWN,	    /* down now, by monitoring or by a reported incident */
	MONITOR_PENDING,    /* not checked yet */
	MONITOR_NO_DATA,    /* no state was ever observed, or nobody observes it now */
	MONITOR_PAUSED,	    /* paused, and not down */
	/* A maintenance window is in progress, and the monitor was not down before the window. */
	MONITOR_MAINTENANCE,
	MONITOR_RETIRED,
	MONITOR_ANY_STATE = -1, /* in a query: any state */
};
extern const char *const monitor_state_words[];

struct monitor {
	MONITOR_FIELDS(FIELD_MEMBER, , 0)

	/* The times from which the state is derived. Statements read them with the monitor. */
	struct instant open_since;     /* the start of its open detected incident; 0: none */
	struct instant reported_since; /* the start of an open reported outage; 0: none */
	struct instant last_ended_at;  /* the latest end of an incident; 0: no incident has ended */
	struct instant reported_until; /* the end of the last reported outage; 0: none */
	/* The start of the maintenance window in progress; 0: none. */
	struct instant maintenance_since;
	struct instant removed_at;  /* when its deletion began; 0: it is not deleted */
	int check_phase;	    /* enum check_phase, if the monitor is checked */
	struct instant check_since; /* when the phase began; 0: never */
	/* The start of the present gap, in which nobody observes the monitor; 0: there is no gap
	 * now. */
	struct instant gap_since;
	/* The end of the last gap. While the gap goes on, this is a time after maintenance_never.
	 * 0: there was no gap. */
	struct instant gap_until;

	/* The stored settings of the monitor's checks: see store/check/check_settings_store.h. */
	int64_t check_id; /* 0: none are stored, and the next two members are empty */
	const char *header_lines;
	const char *sealed_password; /* request_auth_password, encrypted */
};

/* What a client sends to create or update a monitor. */
struct monitor_input {
	MONITOR_FIELDS(FIELD_INPUT, , 0)
};

/* The indexes of the forms' rows: MONITOR_FIELD_name, ... */
enum monitor_field { MONITOR_FIELDS(FIELD_PLACE, MONITOR_FIELD_, 0) };

extern const struct fields monitor_create_fields; /* `name` is required */
extern const struct fields monitor_update_fields;
extern const struct fields monitor_resource_fields; /* for clients */
extern const struct fields monitor_fields;	    /* for operators: all members */

/*
 * Converts the input, except for secrets, to its stored form. Adds a violation for each value that
 * no monitor may have. `form` is the form of create or of update. `sent` has the rows that were
 * sent.
 */
void monitor_check(struct monitor_input *input, struct fields form, struct field_set sent,
		   struct instant now, struct arena *arena, struct violations *violations);

/* Returns a monitor with the defaults of the fields that a client may set. */
struct monitor monitor_new(int64_t account_id, struct instant now);

/* Copies the fields in `sent` from the input to the monitor. Call monitor_input_settle() first,
 * which encrypts secrets. */
void monitor_merge(struct monitor *row, const struct monitor_input *input, struct field_set sent);

/* Returns whether `sent` has a field of domain/monitor/check_fields.h. */
bool monitor_has_check_fields(struct field_set sent);
/* Adds a violation for each setting that makes checks of the monitor impossible. Call it after
 * monitor_merge(). */
void monitor_check_settings(const struct monitor *monitor, struct violations *violations);

/* Clears the members that change with the clock: the MOVING rows of the table. */
void monitor_forget_moving(struct monitor *monitor);

/* Sets state and state_since. Call it after reading or changing other members. */
void monitor_derive_state(struct monitor *monitor);
/* Sets paused_at to fit is_paused. Call it after monitor_merge(). */
void monitor_settle_pause(struct monitor *monitor, struct instant now);

#endif
