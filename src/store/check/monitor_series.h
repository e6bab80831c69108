/* The values of checked monitors for /metrics. */
#ifndef STORE_CHECK_MONITOR_SERIES_H
#define STORE_CHECK_MONITOR_SERIES_H

#include "db/db.h"
#include "domain/monitor/check_state.h"

struct monitor_series {
	int64_t id;
	const char *name;
	const char *account;
	int64_t phase;		       /* enum check_phase */
	int64_t response_ms;	       /* 0: unknown */
	struct instant tls_expires_at; /* 0: unknown */
};
struct monitor_series_list {
	struct monitor_series *rows; /* owned by the arena */
	size_t count;
};
enum { MONITOR_SERIES_MAX = 10000 };
/* Reads the first MONITOR_SERIES_MAX monitors, by id, that are checked and not paused. One
 * statement. */
enum result monitor_series_read(struct db *db, struct arena *arena,
				struct monitor_series_list *list, struct error *error) MUST_USE;

#endif
