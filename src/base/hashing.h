/*
 * How many passwords are hashed at once. A hash costs 19 MiB and a core for some 30 ms, so
 * what anyone may ask for must leave room for everything else.
 */
#ifndef BASE_HASHING_H
#define BASE_HASHING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

struct hashing_limits {
	int64_t threads; /* of a process */
	int64_t processes;
	int64_t wait_ms;      /* for a turn */
	int64_t last_threads; /* so often in a second the last thread of a process may wait */
};

/* A turn to hash. */
struct hashing {
	int fd; /* holds the turn for other processes to see; -1: there is no such file */
};

/*
 * Waits for a turn. At most half of a process's threads hash at once, and at most one thread
 * fewer than all may hash or wait, except last_threads times a second. On the machine, locks
 * on the bytes of a file limit the number, also for plain CGI. False: no turn within wait_ms.
 */
bool hashing_begin(struct hashing *turn, const struct hashing_limits *limits, int folder_fd,
		   const char *name) MUST_USE;
void hashing_end(struct hashing *turn);

#endif
