/*
 * Keys: the ids and labels by which the alerts of a payload name monitors. Alerts that have the
 * same id or label share one key.
 */
#ifndef APP_INCIDENT_ALERT_KEYS_H
#define APP_INCIDENT_ALERT_KEYS_H

#include "app/exchange.h"

struct alert_key {
	const char *text;   /* an id or a label: "7", "instance=web1:9100" */
	int64_t monitor_id; /* 0: no monitor matches */
};

struct alert_keys {
	struct arena *arena;
	struct alert_key **slots;
	size_t room; /* a power of two */
	size_t count;
};

/* Returns the key with this text, and adds it if it is new. Returns NULL if the text is longer than
 * a label may be. */
struct alert_key *alert_keys_add(struct alert_keys *keys, const char *text);
/* Finds the monitors of the keys. Runs one SQL statement per 4,096 keys, or per fewer keys if their
 * texts are long. */
enum result alert_keys_match(struct alert_keys *keys, struct exchange *exchange) MUST_USE;

/* For each payload, the log names at most this many alerts without a monitor. */
enum { ALERT_WARNINGS_MAX = 5 };
/* Logs a warning that an alert with these keys matches no monitor. */
void alert_keys_warn(const struct exchange *exchange, struct alert_key *const *keys, size_t count);

#endif
