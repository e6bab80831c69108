/*
 * Locks of files, by flock() with a time limit for the wait. The kernel releases a lock when the
 * process ends, even by a signal.
 */
#ifndef BASE_FILE_LOCK_H
#define BASE_FILE_LOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/file.h>

/* Special values of the argument until_ms. All other values are times by clock_ms(). */
#define FILE_LOCK_AT_ONCE 0
#define FILE_LOCK_FOREVER INT64_MAX

/* Locks the open file; `operation` is LOCK_SH or LOCK_EX. Returns false on failure, with the reason
 * in errno; EWOULDBLOCK: the file was still locked at until_ms. Waiting callers usually get the
 * lock in the order of their calls. */
bool file_lock(int fd, int operation, int64_t until_ms);
/* Releases the lock, even if a child process has inherited the descriptor. Closes the descriptor,
 * sets *fd to -1, and does not change errno. */
void file_unlock(int *fd);

#endif
