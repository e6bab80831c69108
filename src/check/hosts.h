/* The hosts that are checked, by name: each has a place for what runs against it. */
#ifndef CHECK_HOSTS_H
#define CHECK_HOSTS_H

#include <stddef.h>
#include <sys/queue.h>

#include "domain/check_settings.h"

struct checked;
TAILQ_HEAD(checked_queue, checked);

enum { HOST_CHECKS_MAX = 4 }; /* at once */

struct host {
	size_t users; /* monitors */
	size_t running;
	struct checked_queue waiting; /* for the end of a check of this host */
	char name[];
};

struct hosts {
	void *tree; /* of tsearch() */
};

/* The host that checks with these settings connect to; the caller becomes a user. */
struct host *hosts_take(struct hosts *hosts, const struct check_settings *settings);
/* Nothing of this user runs or waits. */
void hosts_leave(struct hosts *hosts, struct host *host);

#endif
