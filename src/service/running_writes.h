/*
 * Counts the running writes of a process, by account and by the rows that they lock. A row that
 * stays locked makes every write of this row wait for seconds. Such writes must not occupy every
 * thread, and must not keep out the writes of other rows.
 */
#ifndef SERVICE_RUNNING_WRITES_H
#define SERVICE_RUNNING_WRITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ticket of a write that these functions do not count. */
enum { RUNNING_WRITES_NOT_COUNTED = -1 };

/* A write that has run for longer than this time is stuck. */
#define RUNNING_WRITES_STUCK_MS 500

struct running_writes_limits {
	int64_t account; /* how many writes of an account may be stuck */
	int64_t row;	 /* how many stuck writes of one row count for the account */
};
/*
 * Counts a write of the account that begins at now_ms (clock_ms). Returns false, and does not count
 * the write, if too many writes of the account are stuck. *ticket names the write in the functions
 * below.
 */
bool running_writes_enter(int64_t account_id, int64_t now_ms,
			  const struct running_writes_limits *limits, int *ticket);

enum running_writes_table {
	RUNNING_WRITES_MONITORS,
	RUNNING_WRITES_INCIDENTS,
	RUNNING_WRITES_PAGES,
	RUNNING_WRITES_MAINTENANCES
};
/* How many rows of a write are recorded. Further rows are ignored. */
enum { RUNNING_WRITES_ROWS_MAX = 16 };
struct running_writes_rows {
	enum running_writes_table table;
	const int64_t *ids;
	size_t count;
};
/*
 * Records that the write is about to lock these rows. Returns false if at least `most` other stuck
 * writes lock one of the rows.
 */
bool running_writes_await(int ticket, const struct running_writes_rows *rows, int64_t now_ms,
			  int64_t most);

/*
 * Counts a committed write of the account that waits for publishers, perhaps for long. Returns
 * false, and does not count the write, if `most` writes of the account wait for publishers, or if
 * too many writes of all accounts are counted.
 */
bool running_writes_linger(int64_t account_id, int64_t most, int *ticket);

void running_writes_leave(int ticket);

#endif
