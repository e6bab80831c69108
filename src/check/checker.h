/*
 * The checker: runs the checks of all monitors beside a loop. It feeds the outcomes into the state
 * machine (domain/monitor/check_state.h), and hands records and reports to the recorder.
 *
 * The id and the interval of a monitor determine when its checks are due. So ten thousand checks
 * never start together, and the times stay the same after a restart. A monitor has at most one
 * running check. At most HOST_CHECKS_MAX checks of an account run at once against one host; further
 * checks wait. If there are several accounts, each may use half of the limit of running checks.
 *
 * Before a monitor goes down, an anchor must respond (check/anchors.h), and the monitor on which it
 * depends, if any, must be up in a check that is not older than the failure. If this is not known
 * in time, the failure counts. No check starts, and no outcome counts, while the checker is cut
 * off, or while another checker has the lease.
 */
#ifndef CHECK_CHECKER_H
#define CHECK_CHECKER_H

#include "base/config/config.h"
#include "base/loop.h"
#include "domain/page/site.h"

struct checker;

struct checker_settings {
	const struct config *config; /* must stay valid with its texts until checker_close() */
	const struct site *site;
	/* With --once, the checker makes the checks that are due, repeats failed checks, and then
	 * calls `done` with the exit status. */
	bool is_once;
	void (*done)(void *context, int status);
	void *context;
};

/* Opens the checker. E_INVALID: a setting of [checker] is wrong; E_FAILED: a library is missing, or
 * no memory, descriptor or thread is available. */
enum result checker_open(struct checker **checker, struct loop *loop,
			 const struct checker_settings *settings, struct error *error) MUST_USE;
/*
 * Cancels the running checks. Then stores and reports the results of earlier checks, for at most
 * `most_ms` milliseconds. Do not call it from the loop. Returns false if a thread still waits for
 * the database: the process must then call _exit().
 */
bool checker_close(struct checker *checker, int64_t most_ms);

#endif
