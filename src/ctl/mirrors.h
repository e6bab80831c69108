/*
 * Functions about mirrors that commands of daymarkctl share: see `mirror status` and `mirror
 * push`.
 */
#ifndef CTL_MIRRORS_H
#define CTL_MIRRORS_H

#include "ctl/ctl.h"
#include "mirror/push/pushers.h"

/* Reads the mirrors of the configuration; returns the exit status. */
int ctl_mirrors(struct ctl *ctl, struct mirrors *mirrors);
/* Pushes to each mirror to which no other process pushes. Returns when each of these mirrors has
 * all changes, or has failed. CTL_FAILED: a mirror has failed; each failure has a message. */
int ctl_push_once(struct ctl *ctl, const struct mirrors *mirrors);
/* For commands with --name and --wait. Chooses the mirrors, checks the value of --wait, and opens
 * the pages folder. Fails if there is no mirror. */
int ctl_open_mirrors(struct ctl *ctl, struct mirrors *mirrors, struct pages_dir *dir);
/* Reads the seconds in --wait; 0: the option was not given. CTL_USAGE: the value is invalid. */
int ctl_wait_seconds(struct ctl *ctl, int64_t *seconds);
/*
 * Wait at most for the time in --wait; without the option, return at once. ctl_await_mirrors()
 * waits until all mirrors have confirmed the pages that were published so far. ctl_await_complete()
 * waits until `mirrors` are complete by the rule of `mirror status`. If the time ends before that,
 * both print the names of the late mirrors, and return CTL_PENDING.
 */
int ctl_await_mirrors(struct ctl *ctl);
int ctl_await_complete(struct ctl *ctl, const struct pages_dir *dir, const struct mirrors *mirrors);

#define CTL_WAIT_OPTION \
	{ \
		"wait", "[=SECONDS]", \
			"then wait until every mirror has it, 60 seconds at most; else exit " \
			"status 6" \
	}

#endif
