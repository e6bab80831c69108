/*
 * The lock `publisher` in the pages folder's lock/: its holder does the jobs that write to the
 * database. For work_is_running() and work_last_run() see work.h.
 */
#ifndef WORK_WORK_LOCK_H
#define WORK_WORK_LOCK_H

#include "base/error.h"

/* Tries to take the lock. On OK, *fd has the lock, or is -1 if another process has it. */
enum result work_lock_take(const char *pages_dir, int *fd, struct error *error) MUST_USE;
/* If the pages folder was removed or replaced, the lock in it is lost: closes *fd, and sets it to
 * -1. */
void work_lock_drop_lost(const char *pages_dir, int *fd);
/* Stores the present time, which work_last_run() returns. */
void work_lock_note(const char *pages_dir);

#endif
