/*
 * Texts about incidents that wait for the approval of a second person (contract section 15). A page
 * may demand this approval for the incidents that it would show.
 */
#ifndef DOMAIN_INCIDENT_PENDING_UPDATE_H
#define DOMAIN_INCIDENT_PENDING_UPDATE_H

#include "domain/incident/incident_report.h"
#include "domain/account/principal.h"

/* The operation that the request asked for, in the order of pending_kind_words. */
enum pending_kind { PENDING_REPORT, PENDING_UPDATE, PENDING_EDIT, PENDING_CHANGE };
extern const char *const pending_kind_words[];

enum { PENDING_UPDATES_MAX = 50 /* texts of an account that may wait */ };

/* A text that waits for approval. */
struct pending_update {
	int64_t id;
	int64_t account_id;
	int kind;	     /* enum pending_kind */
	int64_t incident_id; /* 0: the text is a report */
	int64_t update_id;   /* the update that an edit changes; otherwise 0 */
	const char *request; /* the fields that were sent, as JSON */
	const char *author_type;
	int64_t author_id;
	const char *author_label;
	struct instant created_at;
};
extern const struct fields pending_update_fields; /* for clients */

/* Returns the fields of a request of this kind, and sets *bytes to the size of their struct. */
const struct fields *pending_request_fields(enum pending_kind kind, size_t *bytes);
/* Returns whether the principal has written the text. */
bool pending_is_by(const struct pending_update *pending, const struct principal *principal);

#endif
