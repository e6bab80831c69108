/*
 * The texts of an incident, and the identity, from an alert of Alertmanager's webhook.
 *
 * `scratch` is for intermediate values, `arena` for the result.
 */
#ifndef APP_INCIDENT_ALERT_TEXTS_H
#define APP_INCIDENT_ALERT_TEXTS_H

#include "base/arena.h"
#include "wire/json.h"

/*
 * The annotation `summary`; without a summary the annotation `description`; without both the
 * alert's name. Cut to the length of a cause.
 */
const char *alert_cause(struct json_object *alert, struct arena *scratch, struct arena *arena);
/* The annotation `title`, which is written for the public page; NULL: the alert has no title. */
const char *alert_title(struct json_object *alert, struct arena *scratch, struct arena *arena);
/*
 * The identity of the payload's group: a hash of its groupKey. NULL: the payload has no groupKey.
 */
const char *alert_group_source(struct json_object *payload, struct arena *arena);
/* The public title of the group's incident: the annotation `title` if all alerts have the same
 * one, otherwise the name that all alerts share, otherwise "Outage". */
const char *alert_group_title(struct json_object *payload, struct arena *arena);
/* A hash of the fingerprint; of the labels if the sender gives no fingerprint. NULL: too long. */
const char *alert_fingerprint(struct json_object *alert, struct arena *scratch,
			      struct arena *arena);

#endif
