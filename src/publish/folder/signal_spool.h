/*
 * The file DIR/spool: signals for the checker, such as heartbeats, that wait until the database
 * accepts them. The background loop moves them into the table check_signals
 * (service/check_signals.h).
 *
 * The first line has the unique id of the spool. Each further line is a signal. All lines have the
 * same length. The file is removed when all its signals are in the table.
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

/* Whether signals wait in the spool. A new signal must then be added to the spool, too, to keep the
 * order. */
bool signal_spool_exists(const struct pages_dir *dir);
/*
 * Adds a signal, and waits until its line is on the disk. Ignores the signal's id. Several
 * processes may call it at the same time. After a failure nothing was added. E_UNAVAILABLE: the
 * spool or the disk is full, or cannot be written. E_RATE_LIMITED: the spool is more than half
 * full, and has several signals of this monitor from the last minute.
 */
enum result signal_spool_add(const struct pages_dir *dir, const struct check_signal *signal,
			     struct error *error) MUST_USE;

/* An open spool, for moving its signals into the database. */
struct signal_spool {
	int fd;
	char id[SECRET_ID_SIZE];
};
#define SIGNAL_SPOOL_CLOSED ((struct signal_spool){ .fd = -1 })

/* Whether a damaged spool was renamed to DIR/spool-damaged. Its signals are lost. */
bool signal_spool_has_damaged(const struct pages_dir *dir);
/* Opens the spool. E_NOT_FOUND: no signal waits. */
enum result signal_spool_open(struct signal_spool *spool, const struct pages_dir *dir,
			      struct error *error) MUST_USE;
void signal_spool_close(struct signal_spool *spool);
/* Syncs the file. Reads up to `most` signals, the first at *offset (0: the first signal of the
 * file), and sets *offset to the signal after them. Skips damaged lines, which a crash of the
 * machine may leave. */
enum result signal_spool_read(const struct signal_spool *spool, int64_t *offset,
			      struct check_signal *rows, size_t most, size_t *count,
			      struct error *error) MUST_USE;
/* Removes the spool if it has no line behind `offset`. Sets *is_removed if the file no longer
 * exists, whichever process removed it, and the removal is on the disk. */
enum result signal_spool_remove(const struct signal_spool *spool, const struct pages_dir *dir,
				int64_t offset, bool *is_removed, struct error *error) MUST_USE;

#endif
