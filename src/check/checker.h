/*
 * The checker: runs the checks of all monitors beside a loop, each at its time, feeds their
 * outcomes into the state machine (domain/monitor/check_state.h), and hands records and reports to
 * the recorder.
 *
 * The checks of a monitor are due at times that its id and its interval determine, so that ten
 * thousand never start together, and a restart keeps them. A monitor is not checked twice at once;
 * HOST_CHECKS_MAX checks of an account run at once against one host, and further ones wait for
 * these alone. If there are several accounts, each may use half of all checks at once.
 *
 * Before a monitor goes down, an anchor must respond (check/anchors.h), and the monitor on which it
 * depends, if any, must be up in a check that is not older than the failure. While the checker is
 * cut off or another checker has the lease, no check starts, and no outcome counts.
 */
#ifndef CHECK_CHECKER_H
#define CHECK_CHECKER_H

#include "base/config/config.h"
#include "base/loop.h"
#include "domain/page/site.h"

struct checker;

struct checker_settings {
	const struct config *config; /* with its texts it stays until checker_close() */
	const struct site *site;
	/* Checks what is due, with all repetitions, and calls `done` with the exit status. */
	bool is_once;
	void (*done)(void *context, int status);
	void *context;
};

/* E_INVALID: a setting of [checker]; E_FAILED: a library is missing, or there are no means. */
enum result checker_open(struct checker **checker, struct loop *loop,
			 const struct checker_settings *settings, struct error *error) MUST_USE;
/*
 * Ends the running checks without a result, and stores and reports for at most `most_ms`; not to be
 * called by the loop. False: a thread waits for the database, and the process is to _exit().
 */
bool checker_close(struct checker *checker, int64_t most_ms);

#endif
