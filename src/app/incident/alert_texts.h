/*
 * Makes the texts and the identity of an incident from an alert of Alertmanager's webhook.
 *
 * `scratch` is for intermediate values; `arena` owns the result.
 */
#ifndef APP_INCIDENT_ALERT_TEXTS_H
#define APP_INCIDENT_ALERT_TEXTS_H

#include "base/arena.h"
#include "wire/json.h"

/*
 * Returns the first of these that the alert has: the annotation `summary`, the annotation
 * `description`, the alert's name. Cuts a text that is too long for a cause.
 */
const char *alert_cause(struct json_object *alert, struct arena *scratch, struct arena *arena);
/* Returns the annotation `title`, which is written for the public page; NULL: the alert has no
 * title. */
const char *alert_title(struct json_object *alert, struct arena *scratch, struct arena *arena);
/*
 * Returns the identity of the payload's group, a hash of its groupKey; NULL: the payload has no
 * groupKey.
 */
const char *alert_group_source(struct json_object *payload, struct arena *arena);
/* Returns the public title of the group's incident. It is the first of these: the annotation
 * `title` that all alerts share, the name that all alerts share, "Outage". */
const char *alert_group_title(struct json_object *payload, struct arena *arena);
/* Returns a hash of the alert's fingerprint, or of its labels if it has no fingerprint. Returns
 * NULL if the hashed text is too long. */
const char *alert_fingerprint(struct json_object *alert, struct arena *scratch,
			      struct arena *arena);

#endif
