/*
 * The lock file lock/publisher in the pages folder. The process that has the lock does the jobs
 * that write to the database. work.h declares work_is_running() and work_last_run().
 */
#ifndef WORK_WORK_LOCK_H
#define WORK_WORK_LOCK_H

#include "base/error.h"

/* Tries to take the lock. On OK, *fd has the lock, or is -1 if another process has it. */
enum result work_lock_take(const char *pages_dir, int *fd, struct error *error) MUST_USE;
/* If the pages folder was removed or replaced, the lock in it is lost: closes *fd, and sets it to
 * -1. */
void work_lock_drop_lost(const char *pages_dir, int *fd);
/* Stores the present time in the lock file, for work_last_run(). */
void work_lock_note(const char *pages_dir);

#endif
