/*
 * Stores and reports what the checker has found, in a thread beside the checker's loop, so that a
 * slow database delays no check. What cannot be stored is kept, the newest record of a monitor
 * replacing an older one, and is tried again after a wait (base/backoff.h); reports are kept in
 * order, and none is lost or made twice.
 */
#ifndef CHECK_RECORDER_H
#define CHECK_RECORDER_H

#include "base/config.h"
#include "base/loop.h"
#include "domain/check_state.h"
#include "domain/site.h"
#include "store/check/check_store.h"

struct recorder;

struct recorder_observer {
	/* A new list of all monitors that are checked; valid until the call returns. At the start,
	 * and every RECORDER_LIST_S seconds, or RECORDER_CHANGE_S after a change of settings. */
	void (*monitors)(void *context, const struct checked_list *list);
	void (*signals)(void *context, const struct check_signal *rows, size_t count);
	/* The lease was taken or lost; without it nothing is to be checked. */
	void (*lease)(void *context, bool is_held);
	void *context;
};
enum { RECORDER_LIST_S = 60, RECORDER_CHANGE_S = 2, RECORDER_STORE_S = 3 };

/* E_FAILED, E_CONFIG: ... The recorder opens its own connections to the database. */
enum result recorder_open(struct recorder **recorder, struct loop *loop,
			  const struct config *config, const struct site *site,
			  const struct recorder_observer *observer, struct error *error) MUST_USE;
/* Stores what is left for at most `most_ms`, gives the lease back, and ends. */
void recorder_close(struct recorder *recorder, int64_t most_ms);

/* To be stored within RECORDER_STORE_S; copied. */
void recorder_record(struct recorder *recorder, const struct check_record *record);
/* To be reported at once; copied. `at` of the observation: see enum check_report. */
void recorder_report(struct recorder *recorder, int64_t account_id, int64_t monitor_id,
		     enum check_report report, const struct check_state *state);
/*
 * The monitors are not known from `from` on, since the checker is cut off or did not run; or known
 * again from `until` on (the other time is 0).
 */
void recorder_gap(struct recorder *recorder, const int64_t *monitor_ids, size_t count,
		  struct instant from, struct instant until);

#endif
