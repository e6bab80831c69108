/*
 * The signals of the web program to the checker: struct check_signal (store/check/check_store.h).
 * Signals may wait on a machine's disk (publish/folder/signal_spool.h): the database has the number
 * of bytes that it has taken from there.
 */
#ifndef STORE_CHECK_CHECK_SPOOL_H
#define STORE_CHECK_CHECK_SPOOL_H

#include "store/check/check_store.h"

/*
 * Adds signals in their order; their ids are ignored. Their times are by this machine's clock,
 * which shows `now`; the database stores them by its own clock. *added: how many were stored.
 *
 * Leaves out signals of monitors that are gone or retired. Leaves out signals that the monitor's
 * type does not take: heartbeats are for type heartbeat, "check now" is for all other checked
 * monitors. Leaves out a second "check now" of a monitor while the first one waits. So call this
 * function in a transaction that has locked the monitor.
 */
enum result check_signals_send(struct db *db, const struct check_signal *rows, size_t count,
			       struct instant now, int64_t *added, struct error *error) MUST_USE;

/*
 * In a transaction: reads how many bytes of the spool were moved; 0: none. Other processes that
 * move the spool wait until COMMIT.
 */
enum result check_spool_find(struct db *db, const char *id, int64_t *moved, struct error *error)
	MUST_USE;
/* Stores the number of moved bytes, in the transaction that moves the signals. */
enum result check_spool_store(struct db *db, const char *id, int64_t moved, struct error *error)
	MUST_USE;
/* Forgets the spool, whose file is gone. */
enum result check_spool_forget(struct db *db, const char *id, struct error *error) MUST_USE;

#endif
