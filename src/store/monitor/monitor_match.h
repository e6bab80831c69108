/* Finds the monitors that a payload of alerts refers to. */
#ifndef STORE_MONITOR_MONITOR_MATCH_H
#define STORE_MONITOR_MONITOR_MATCH_H

#include "db/db.h"

/* A monitor of the account that was found by its id or label. */
struct monitor_match {
	const char *key; /* the id as text, or the label */
	int64_t monitor_id;
};
struct monitor_match_list {
	struct monitor_match *rows;
	size_t count;
};
/* Finds the monitors with these ids or labels, such as "7" or "instance=web1:9100". Takes at most
 * SQL_ROWS_MAX keys. Runs one statement. */
enum result monitor_match(struct db *db, int64_t account_id, const char *const *keys, size_t count,
			  struct arena *arena, struct monitor_match_list *list, struct error *error)
	MUST_USE;

#endif
