/*
 * Signals for the checker that wait for the database, such as heartbeats: the file DIR/spool. The
 * background loop moves them into the table check_signals (service/check_signals.h).
 *
 * The first line has the id of the spool, which no other spool has. Each further line is a signal.
 * All lines have the same length. The file is removed when all its lines were moved.
 */
#ifndef PUBLISH_FOLDER_SIGNAL_SPOOL_H
#define PUBLISH_FOLDER_SIGNAL_SPOOL_H

#include "base/secret.h"
#include "publish/folder/pages_dir.h"
#include "store/check/check_store.h"

enum {
	SIGNAL_SPOOL_LINE_BYTES = 47,
	SIGNAL_SPOOL_MAX_BYTES = 64 << 20, /* 1.4 million signals */
};

/* Whether signals wait: later ones must then wait, too, so that they stay in order. */
bool signal_spool_exists(const struct pages_dir *dir);
/*
 * Adds a signal, whose id is ignored, and waits until the line is on the disk. Processes may add at
 * the same time. E_UNAVAILABLE: the spool is full, or the disk; nothing was added. E_RATE_LIMITED:
 * the spool is half full, and has some signals of the monitor of the last minute; nothing was
 * added.
 */
enum result signal_spool_add(const struct pages_dir *dir, const struct check_signal *signal,
			     struct error *error) MUST_USE;

/* A spool that is being moved. */
struct signal_spool {
	int fd;
	char id[SECRET_ID_SIZE];
};
#define SIGNAL_SPOOL_CLOSED ((struct signal_spool){ .fd = -1 })

/* Whether a damaged spool was put aside, as DIR/spool-damaged: its signals are lost. */
bool signal_spool_has_damaged(const struct pages_dir *dir);
/* E_NOT_FOUND: no signal waits. */
enum result signal_spool_open(struct signal_spool *spool, const struct pages_dir *dir,
			      struct error *error) MUST_USE;
void signal_spool_close(struct signal_spool *spool);
/*
 * Reads up to `most` signals from *offset on, where 0 is the first, and moves *offset behind them.
 * Reads only what is on the disk. Lines that a failure of the machine has damaged are left out.
 */
enum result signal_spool_read(const struct signal_spool *spool, int64_t *offset,
			      struct check_signal *rows, size_t most, size_t *count,
			      struct error *error) MUST_USE;
/* Removes the spool if it has no line behind `offset`. *is_removed: there was no such line, and the
 * removal is on the disk. */
enum result signal_spool_remove(const struct signal_spool *spool, const struct pages_dir *dir,
				int64_t offset, bool *is_removed, struct error *error) MUST_USE;

#endif
