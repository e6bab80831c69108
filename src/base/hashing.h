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
 * Waits for a turn. At most half of a process's threads hash, and one of them is left that
 * does not wait, but for a few times; at most as many hash on the machine as its processes may together. The turns
 * of the machine are locks on the bytes of a file in the folder, which holds for plain CGI
 * too, where each request is a process. Where there is no such file the process counts alone.
 * False: there is no turn to be had in this time.
 */
bool hashing_begin(struct hashing *turn, const struct hashing_limits *limits, int folder_fd,
		   const char *name) MUST_USE;
void hashing_end(struct hashing *turn);

#endif
