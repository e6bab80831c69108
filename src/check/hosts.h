/*
 * What the checks of a host, or of an account, share: places for those that run. Each account has
 * hosts of its own, so that one account cannot hold up the checks that another makes of a host.
 */
#ifndef CHECK_HOSTS_H
#define CHECK_HOSTS_H

#include <stddef.h>
#include <sys/queue.h>

#include "domain/monitor/check_settings.h"

struct checked;
TAILQ_HEAD(checked_queue, checked);

enum { HOST_CHECKS_MAX = 4 }; /* at once, of an account */

struct host {
	size_t users; /* monitors */
	size_t running;
	struct checked_queue waiting; /* for the end of a check of this host, or account */
	int64_t account_id;
	char name[]; /* "": all of the account */
};

struct hosts {
	void *tree; /* of tsearch() */
	size_t count;
};

/* The host that checks with these settings connect to; NULL: all of the account. The caller becomes
 * a user. */
struct host *hosts_take(struct hosts *hosts, int64_t account_id,
			const struct check_settings *settings);
/* Nothing of this user runs or waits. */
void hosts_leave(struct hosts *hosts, struct host *host);

#endif
