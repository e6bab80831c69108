/*
 * Counts the writes that a process is running, by account. A locked row can keep every write of
 * its account waiting for seconds; these must not occupy every thread.
 */
#ifndef SERVICE_WRITERS_H
#define SERVICE_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

/* The ticket of a write that is not counted. */
enum { WRITERS_NOT_COUNTED = -1 };

/* A write that has been running for longer is stuck. */
#define WRITERS_STUCK_MS 500

/*
 * Counts a write of the account that begins at now_ms (clock_ms). False: `most` of its writes or
 * more are stuck, and this one is not counted. The ticket is for writers_leave().
 */
bool writers_enter(int64_t account_id, int64_t now_ms, int64_t most, int *ticket);
void writers_leave(int ticket);

#endif
