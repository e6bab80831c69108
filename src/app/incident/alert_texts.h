/*
 * The texts that an alert of Alertmanager's webhook gives its incident, and its fingerprint.
 *
 * `scratch` is for intermediate values, `arena` for the result.
 */
#ifndef APP_INCIDENT_ALERT_TEXTS_H
#define APP_INCIDENT_ALERT_TEXTS_H

#include "base/arena.h"
#include "wire/json.h"

/* The annotation `summary`, else `description`, else the alert's name. Cut to the length of a
 * cause. */
const char *alert_cause(struct json_object *alert, struct arena *scratch, struct arena *arena);
/* The annotation `title`, which is written for the public page; NULL when there is none. */
const char *alert_title(struct json_object *alert, struct arena *scratch, struct arena *arena);
/* What names the group of the payload: a hash of its groupKey. NULL: it has none. */
const char *alert_group_source(struct json_object *payload, struct arena *arena);
/* The public title of the group's incident: the annotation `title` that all alerts share, else the
 * name that they share, else "Outage". */
const char *alert_group_title(struct json_object *payload, struct arena *arena);
/* A hash of the fingerprint, or where the sender gives none, of the labels. NULL: too long. */
const char *alert_fingerprint(struct json_object *alert, struct arena *scratch,
			      struct arena *arena);

#endif
