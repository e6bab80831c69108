/*
 * The writes that a process has under way, by account: a row that somebody
 * holds locked keeps each of its account's writes waiting for seconds, and
 * must not get every thread.
 */
#ifndef SERVICE_WRITERS_H
#define SERVICE_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

/* A write that has been under way for longer is stuck. */
#define WRITERS_STUCK_MS 500

/*
 * Notes that a write of the account begins at that moment (clock_ms). False, and nothing
 * noted: `most` of its writes or more are stuck. The ticket is for writers_leave().
 */
bool writers_enter(int64_t account_id, int64_t now_ms, int64_t most, int *ticket);
void writers_leave(int ticket);

#endif
