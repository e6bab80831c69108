/*
 * What the alerts of a payload are found by: ids of monitors and labels, each once,
 * however many alerts have it.
 */
#ifndef APP_ALERT_KEYS_H
#define APP_ALERT_KEYS_H

#include "app/exchange.h"

struct alert_key {
	const char *text;   /* "7", "instance=web1:9100" */
	int64_t monitor_id; /* 0: no monitor is found by it */
};

struct alert_keys {
	struct arena *arena;
	struct alert_key **slots;
	size_t room; /* a power of two */
	size_t count;
};

/* The key of that text. NULL: it is longer than any monitor's. */
struct alert_key *alert_keys_add(struct alert_keys *keys, const char *text);
/* Finds their monitors: a statement for each 4,096 keys. */
enum result alert_keys_match(struct alert_keys *keys, struct exchange *exchange) MUST_USE;

/* Of each payload so many alerts that match no monitor are named in the log. */
enum { ALERT_WARNINGS_MAX = 5 };
/* A warning in the log that an alert with these keys matches no monitor. */
void alert_keys_warn(const struct exchange *exchange, struct alert_key *const *keys, size_t count);

#endif
