/*
 * Locks of files that are released when the process ends, however it ends: flock() with a time
 * after which the caller does not wait any more.
 */
#ifndef BASE_FILE_LOCK_H
#define BASE_FILE_LOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/file.h>

/* Special values of until_ms, which is otherwise a time of clock_ms(). */
#define FILE_LOCK_AT_ONCE 0
#define FILE_LOCK_FOREVER INT64_MAX

/* Locks the open file by LOCK_SH or LOCK_EX. False: see errno, which is EWOULDBLOCK if the file
 * was still locked at until_ms. The kernel grants the lock mostly in the order of the calls. */
bool file_lock(int fd, int operation, int64_t until_ms);
/* Releases the lock, even if a forked process has inherited the descriptor. Closes the descriptor,
 * sets *fd to -1, and leaves errno as it is. */
void file_unlock(int *fd);

#endif
