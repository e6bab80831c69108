/*
 * Limits the checks that run at once against a host, or for an account. Each account has its own
 * limit for a host, so its checks do not delay another account's checks of that host.
 */
#ifndef CHECK_HOSTS_H
#define CHECK_HOSTS_H

#include <stddef.h>
#include <sys/queue.h>

#include "domain/monitor/check_settings.h"

struct checked;
TAILQ_HEAD(checked_queue, checked);

enum { HOST_CHECKS_MAX = 4 }; /* checks of an account that run at once against one host */

struct host {
	size_t users; /* the monitors that use the struct */
	size_t running;
	/* Monitors whose check waits until a running check of this host or account ends. */
	struct checked_queue waiting;
	int64_t account_id;
	char name[]; /* "": the struct is for a whole account */
};

struct hosts {
	void *tree; /* the root for tsearch() */
	size_t count;
};

/* Returns the host to which checks with these settings connect. If `settings` is NULL, returns the
 * struct of the whole account. The caller counts as a user of the struct until hosts_leave(). */
struct host *hosts_take(struct hosts *hosts, int64_t account_id,
			const struct check_settings *settings);
/* Removes a user of the struct. No check of the user may run or wait. */
void hosts_leave(struct hosts *hosts, struct host *host);

#endif
