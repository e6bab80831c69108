/*
 * What may be done only so often: counts in a small file that all processes of a
 * machine share, those of plain CGI too. A window begins with the first count and
 * ends after its seconds.
 *
 * The file is read and written, not mapped: a full disk, or a file that was cut, is then
 * an error of one call, and not the end of the process.
 *
 * Where more are counted at once than the file has room for, a new name takes the place of
 * the lowest count nearby: too many are then allowed, never too few, since nobody is to be
 * refused for what others do. Knows nothing of what is counted.
 */
#ifndef BASE_THROTTLE_H
#define BASE_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

struct throttle {
	int fd;	      /* -1: closed */
	uint64_t key; /* the file's, random: nobody can choose names that meet others' counts */
	int64_t retry_at_s; /* the owner's: it could not be opened, and need not be before */
};

/*
 * Opens the file of that name in the folder, and makes it (0600) when it is not there, with
 * all the room on the disk that it will ever need. False, and errno is set: there is no file,
 * or no room.
 */
bool throttle_open(struct throttle *throttle, int folder_fd, const char *name) MUST_USE;
void throttle_close(struct throttle *throttle);
/* One that throttle_close() may be called on. */
#define THROTTLE_CLOSED ((struct throttle){ -1, 0, 0 })

struct throttle_rule {
	int64_t limit; /* so often */
	int64_t window_s;
};

struct throttle_count {
	bool is_over;
	int64_t left;	/* so often yet in this window */
	int64_t wait_s; /* until the window ends, at least 1 */
};

/*
 * Counts one more of what `who` names, a text of any kind, at `now_s`. False, and errno is
 * set: it cannot be counted, and *count says that it is allowed.
 */
bool throttle_take(struct throttle *throttle, const char *who, const struct throttle_rule *rule,
		   int64_t now_s, struct throttle_count *count) MUST_USE;
/* Whether one more would be too many, without counting it. */
bool throttle_is_used_up(struct throttle *throttle, const char *who,
			 const struct throttle_rule *rule, int64_t now_s);
/* Takes one back that need not have been counted. */
void throttle_give_back(struct throttle *throttle, const char *who, int64_t now_s);

#endif
