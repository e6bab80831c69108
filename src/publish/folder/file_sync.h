/*
 * Syncs several files at once. The disk then flushes its cache once or twice instead of once for
 * each file; each flush may take milliseconds.
 */
#ifndef PUBLISH_FOLDER_FILE_SYNC_H
#define PUBLISH_FOLDER_FILE_SYNC_H

#include <stddef.h>

enum { FILE_SYNC_MAX = 32 };

/*
 * Allows file_sync_all() to sync several files at once. A long-running process calls this function
 * before it starts threads. A short process must not call it: its exit would take tens of
 * milliseconds more.
 */
void file_sync_at_once(void);

/* Calls fdatasync() for each file, at most FILE_SYNC_MAX. outcomes[i] is 0 or errno. */
void file_sync_all(const int *fds, int *outcomes, size_t count);

#endif
