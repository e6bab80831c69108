/*
 * Syncs several files at once. A disk is then told once or twice to keep what it has, instead of
 * once for each file: each time may take milliseconds.
 */
#ifndef PUBLISH_FOLDER_FILE_SYNC_H
#define PUBLISH_FOLDER_FILE_SYNC_H

#include <stddef.h>

enum { FILE_SYNC_MAX = 32 };

/*
 * A long-running process calls this function before it starts threads. Without the call files are
 * synced in turn: a process that has synced several files at once takes tens of milliseconds to
 * end.
 */
void file_sync_at_once(void);

/* fdatasync() of at most FILE_SYNC_MAX files. Each of outcomes[] is 0 or the reason (errno). */
void file_sync_all(const int *fds, int *outcomes, size_t count);

#endif
