/* Common functions of `work` and `publish`: the background loop on the terminal. */
#ifndef CTL_WORK_H
#define CTL_WORK_H

#include "ctl/ctl.h"
#include "work/work.h"

/* Runs until SIGTERM or SIGINT. Returns the exit status. */
int ctl_work_run(struct ctl *ctl, unsigned roles);

/* Does all work that is due, and prints the outcome. Returns the exit status. */
struct ctl_work_once {
	bool is_all;	 /* publish every page */
	bool is_locking; /* do nothing while another process does the machine's background work */
};
int ctl_work_once(struct ctl *ctl, const struct ctl_work_once *how);

#endif
