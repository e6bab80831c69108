/*
 * Returns the texts for an incident, and its identity, from an alert of Alertmanager's webhook.
 *
 * `scratch` is for intermediate values, `arena` owns the result.
 */
#ifndef APP_INCIDENT_ALERT_TEXTS_H
#define APP_INCIDENT_ALERT_TEXTS_H

#include "base/arena.h"
#include "wire/json.h"

/*
 * Returns the annotation `summary`, or else the annotation `description`, or else the alert's name.
 * A text that is too long for a cause is cut.
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
/* Returns the public title of the group's incident: the annotation `title` if it is the same in all
 * alerts, or else the name if it is the same in all alerts, or else "Outage". */
const char *alert_group_title(struct json_object *payload, struct arena *arena);
/* Returns a hash of the fingerprint, or of the labels if the alert has no fingerprint. Returns NULL
 * if this text is too long. */
const char *alert_fingerprint(struct json_object *alert, struct arena *scratch,
			      struct arena *arena);

#endif
