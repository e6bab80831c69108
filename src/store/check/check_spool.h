/*
 * Signals from the web program to the checker: struct check_signal (store/check/check_store.h). If
 * the database is away, signals wait in a spool, a file on the web machine's disk
 * (publish/folder/signal_spool.h). The table check_spools has the number of bytes that were moved
 * from each spool to the database.
 */
#ifndef STORE_CHECK_CHECK_SPOOL_H
#define STORE_CHECK_CHECK_SPOOL_H

#include "store/check/check_store.h"

/*
 * Adds signals in the order of `rows`. Ignores their ids. The times of the signals are by this
 * machine's clock, whose present time is `now`. They are stored as times of the database's clock.
 * Sets *added to the number of stored signals.
 *
 * Leaves out signals of monitors that are deleted or retired, and signals that a monitor's type
 * does not accept: heartbeats are for type heartbeat, "check now" is for all other checked
 * monitors. Leaves out a second "check now" of a monitor while the first one waits. So call this
 * function in a transaction that has locked the monitor.
 */
enum result check_signals_send(struct db *db, const struct check_signal *rows, size_t count,
			       struct instant now, int64_t *added, struct error *error) MUST_USE;

/*
 * Reads how many bytes of the spool were moved; 0: none. Call it in a transaction: other processes
 * that move the spool wait until COMMIT.
 */
enum result check_spool_find(struct db *db, const char *id, int64_t *moved, struct error *error)
	MUST_USE;
/* Stores the number of moved bytes. Call it in the transaction that moves the signals. */
enum result check_spool_store(struct db *db, const char *id, int64_t moved, struct error *error)
	MUST_USE;
/* Deletes the row of a spool whose file was removed, and the rows of spools from which nothing was
 * moved for 90 days. */
enum result check_spool_forget(struct db *db, const char *id, struct error *error) MUST_USE;

#endif
