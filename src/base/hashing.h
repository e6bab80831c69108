/*
 * Limits how many passwords are hashed at once. A hash takes 19 MiB and one core for about 30 ms.
 * Visitors without a key can cause hashes, so hashing must leave room for other requests.
 */
#ifndef BASE_HASHING_H
#define BASE_HASHING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

struct hashing_limits {
	int64_t threads; /* threads of each process */
	int64_t processes;
	int64_t wait_ms; /* the longest wait for a turn to hash */
	/* How many times a second the last free thread of a process may wait for a turn. */
	int64_t last_threads;
};

/* The right to compute one hash. */
struct hashing {
	int fd; /* the file in which the turn is locked; -1: the file cannot be opened */
};

/*
 * Waits for a turn to hash. At most half of a process's threads hash at the same time. The last
 * free thread of a process may wait only last_threads times a second. Locks on bytes of a file
 * limit the number of hashes for the whole machine, including plain CGI. Returns false if no turn
 * is free within wait_ms.
 */
bool hashing_begin(struct hashing *turn, const struct hashing_limits *limits, int folder_fd,
		   const char *name) MUST_USE;
void hashing_end(struct hashing *turn);

#endif
