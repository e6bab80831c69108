/*
 * What the web program tells the checker: struct check_signal (store/check/check_store.h), and how
 * much of a machine's waiting signals (publish/folder/signal_spool.h) is in the database.
 */
#ifndef STORE_CHECK_CHECK_SPOOL_H
#define STORE_CHECK_CHECK_SPOOL_H

#include "store/check/check_store.h"

/*
 * Adds signals in their order; their ids are ignored. Their times are by this machine's clock,
 * which shows `now`; the database stores them by its own. *added: how many were stored. Left out
 * are signals of monitors that are gone, retired, or of a type without such signals (heartbeats are
 * for monitors of type heartbeat, "check now" for the others that are checked), and "check now" of
 * a monitor for which this signal waits already: call this function in a transaction that has
 * locked the monitor.
 */
enum result check_signals_send(struct db *db, const struct check_signal *rows, size_t count,
			       struct instant now, int64_t *added, struct error *error) MUST_USE;

/*
 * In a transaction: how many bytes of the spool were moved; 0: none. Others that move it wait until
 * COMMIT.
 */
enum result check_spool_find(struct db *db, const char *id, int64_t *moved, struct error *error)
	MUST_USE;
/* In the transaction that moves them. */
enum result check_spool_store(struct db *db, const char *id, int64_t moved, struct error *error)
	MUST_USE;
/* The file of the spool is gone. */
enum result check_spool_forget(struct db *db, const char *id, struct error *error) MUST_USE;

#endif
