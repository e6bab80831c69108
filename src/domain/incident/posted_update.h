/* The texts that people post about an incident or a maintenance window (contract section 6.1). */
#ifndef DOMAIN_INCIDENT_POSTED_UPDATE_H
#define DOMAIN_INCIDENT_POSTED_UPDATE_H

#include <stdint.h>

#include "base/field.h"

/* The first four are phases of an incident, the others are statuses of a maintenance window. */
enum update_phase {
	PHASE_INVESTIGATING,
	PHASE_IDENTIFIED,
	PHASE_MONITORING,
	PHASE_RESOLVED,
	PHASE_SCHEDULED,
	PHASE_IN_PROGRESS,
	PHASE_VERIFYING,
	PHASE_COMPLETED,
	PHASE_CANCELLED,
	UPDATE_PHASES
};

struct posted_update {
	int64_t id;
	int phase;	  /* enum update_phase; of a detected incident without a stated phase:
			     PHASE_INVESTIGATING, or PHASE_RESOLVED after its end */
	const char *body; /* CommonMark */
	struct instant at;
	struct instant edited_at; /* 0: never edited */
	/* The impacts that an incident's update changed: see domain/incident/update_impacts.h.
	 * NULL: the update changed no impact, or its changes are no longer known. */
	const char *impacts;
};

/* The updates of an incident, newest first. */
struct posted_updates {
	struct posted_update *rows; /* owned by an arena */
	size_t count;
};

/* The fields that every update has besides its id and phase. */
#define POSTED_UPDATE_TEXTS \
	FIELD(struct posted_update, body, .flags = FIELD_NOT_EMPTY, .text = "CommonMark."), \
		FIELD(struct posted_update, at, .flags = FIELD_NOT_EMPTY, \
		      .text = "When the update was posted."), \
		FIELD(struct posted_update, edited_at, \
		      .text = "When the update was last edited; null: never.")

#endif
