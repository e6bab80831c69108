/* The lock `publisher` in the pages folder's lock/: its holder does the jobs that write to the
 * database. See work_is_running() and work_last_run(), too. */
#ifndef WORK_WORK_LOCK_H
#define WORK_WORK_LOCK_H

#include "base/error.h"

/* *fd has the lock; -1: another process has it. */
enum result work_lock_take(const char *pages_dir, int *fd, struct error *error) MUST_USE;
/* Gives up a lock that was lost together with the pages folder. */
void work_lock_drop_lost(const char *pages_dir, int *fd);
/* Notes that the jobs which write have run. */
void work_lock_note(const char *pages_dir);

#endif
