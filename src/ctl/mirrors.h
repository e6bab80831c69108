/* What commands of daymarkctl do about mirrors: see `mirror status` and `mirror push`. */
#ifndef CTL_MIRRORS_H
#define CTL_MIRRORS_H

#include "ctl/ctl.h"
#include "mirror/pushers.h"

/* Reads the mirrors of the configuration; returns the exit status. */
int ctl_mirrors(struct ctl *ctl, struct mirrors *mirrors);
/*
 * Pushes to the mirrors that no other process pushes to, and returns when they have everything, or
 * have failed. CTL_FAILED: a mirror has failed, with a message for each.
 */
int ctl_push_once(struct ctl *ctl, const struct mirrors *mirrors);
/* Waits until all mirrors have confirmed what was published so far, as --wait tells: CTL_OK or
 * CTL_PENDING, with a message. CTL_USAGE: --wait is no number. */
int ctl_await_mirrors(struct ctl *ctl);

#define CTL_WAIT_OPTION \
	{ \
		"wait", "[=SECONDS]", \
			"then wait until every mirror has it, 60 seconds at most; else exit " \
			"status 6" \
	}

#endif
