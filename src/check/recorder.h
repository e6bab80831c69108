/*
 * Stores and reports the results of checks, in threads beside the checker's loop, so that a slow
 * database delays no check. Four threads have a connection each: for the lease, lists and signals;
 * for reports and gaps; for records; and for the ends of certificates and domains. Reports never
 * wait for more than one transaction of records. All functions are called, and call back, in the
 * loop's thread.
 *
 * While the database does not respond, checks continue. The recorder keeps the results, and tries
 * to store them after a wait. For each monitor, it keeps the newest record, the sums of up to
 * RECORDER_HOURS_MAX hours, and the reports in their order. When another checker has the lease, the
 * recorder drops the results: the other checker has begun with the stored states.
 *
 * The transaction of a report stores two things: `reported`, which names the outage that was
 * reported last, and the state that caused the report. The transaction must not store a newer
 * state, which could belong to a later outage of the same kind. Records store states without
 * `reported`.
 *
 * When the recorder first reads a monitor, the stored state may be newer than `reported`: a process
 * stored the state, and died before it made the report. The recorder then makes the report.
 * `reported` is never newer than the state, because a record and a report of a monitor are not
 * stored at the same time. After an uncertain COMMIT, a report may be made twice. The second report
 * names the same outage, and changes nothing (service/incident/observations.h).
 *
 * Gaps are stored before the records and reports that follow them. Otherwise the stored time of a
 * later check could hide a gap. A checker that is killed loses at most the sums of RECORDER_STORE_S
 * seconds, and the confirmation of an outage, which is then confirmed again.
 */
#ifndef CHECK_RECORDER_H
#define CHECK_RECORDER_H

#include "base/config/config.h"
#include "base/loop.h"
#include "domain/monitor/check_state.h"
#include "domain/page/site.h"
#include "store/check/check_locations.h"

struct recorder;

struct recorder_observer {
	/*
	 * Called with a list of all monitors that are checked: at the start, every RECORDER_LIST_S
	 * seconds, and RECORDER_CHANGE_S seconds after a change of settings. The list is valid
	 * until the call returns. It has the stored states. If the caller knows a monitor, its own
	 * state of the monitor is newer than the stored state.
	 */
	void (*monitors)(void *context, const struct checked_list *list);
	/*
	 * Called with the new signals, sorted by id, after each reading. Also called without
	 * signals, so that the caller knows that it has all signals. A signal is deleted after the
	 * records that follow from it are stored. After a crash, the signal may come twice, with
	 * the same time.
	 */
	void (*signals)(void *context, const struct check_signal *rows, size_t count);
	/*
	 * Called when this checker has taken the lease (is_held true), or when another checker has
	 * it (false). If false, all lists are void, and nothing may be checked. Not called while
	 * the database does not respond.
	 */
	void (*lease)(void *context, bool is_held);
	void *context;
	bool is_once; /* --once: the process ends after the checks, and is started again later */
	/*
	 * Called with up to RECORDER_DOMAINS_MAX domains, perhaps none. The texts are valid until
	 * the call returns. The caller asks the registry of each domain, and passes the result to
	 * recorder_domain(). The first call comes after the lease is taken, each further call
	 * RECORDER_EXPIRY_S seconds after the last result. NULL: the caller asks no registry.
	 */
	void (*domains)(void *context, const char *const *domains, size_t count);
	/* Called with votes of other locations: with all votes after a new list, otherwise with new
	 * votes. A vote may come more than once. */
	void (*votes)(void *context, const struct check_votings *list);
};
enum {
	RECORDER_LIST_S = 60,
	RECORDER_CHANGE_S = 2,
	RECORDER_STORE_S = 3,
	RECORDER_RENEW_S = 5, /* seconds between renewals of the lease */
	RECORDER_EXPIRY_S = 20,
	/* Runs of --once that are more than this many seconds apart do not count as regular. */
	RECORDER_REST_MAX_S = 3600,
	RECORDER_DOMAINS_MAX = 5,
	RECORDER_HOURS_MAX = 48,
	/* The maximum number of waiting reports per monitor. Further reports are dropped, with a
	 * line in the log. When the monitor's last waiting report is made, its present state is
	 * reported. */
	RECORDER_REPORTS_MAX = 20,
};

/* Opens the recorder, and starts its threads. E_FAILED: a thread cannot be started. The texts of
 * `config` must stay valid. */
enum result recorder_open(struct recorder **recorder, struct loop *loop,
			  const struct config *config, const struct site *site,
			  const struct recorder_observer *observer, struct error *error) MUST_USE;
/*
 * Runs the loop until everything is stored and the lease is released, for at most `most_ms`. Then
 * ends the threads. Must not be called from the loop. Returns false if a thread still waits for the
 * database: the process must then call _exit().
 */
bool recorder_close(struct recorder *recorder, int64_t most_ms);

/* Returns the time by the database's clock, which is read at each renewal of the lease. Before the
 * first lease: the time by this machine's clock. */
struct instant recorder_now(const struct recorder *recorder);

/* With is_once, returns the seconds between the last run and this run. No check was expected in
 * this time. Returns 0 if the runs do not come at regular intervals. */
int64_t recorder_rest_s(const struct recorder *recorder);

/* Stores a copy of the record within RECORDER_STORE_S. Ignores monitors that are in no list. */
void recorder_record(struct recorder *recorder, const struct check_record *record);
/* Reports the change as soon as possible, and stores the state with the report. Copies its
 * arguments. */
void recorder_report(struct recorder *recorder, int64_t monitor_id, enum check_report report,
		     const struct check_state *state);
/*
 * Stores gaps of the monitors: times in which the checker was cut off or did not run.
 *
 *   only `from` is set (`until` is 0)   a gap begins
 *   only `until` is set (`from` is 0)   the gap ends, which had begun before
 *   both are set                        a whole gap, which is over
 */
void recorder_gap(struct recorder *recorder, const int64_t *monitor_ids, size_t count,
		  struct instant from, struct instant until);
/*
 * Reports that the checker has been cut off since `since`. If `since` is 0, reports that it is
 * connected. Each account gets an event. A repeated call changes nothing. Call it at the start,
 * too: an earlier process may have ended while it was cut off.
 */
void recorder_cut_off(struct recorder *recorder, struct instant since);

/*
 * Takes the end of the domain's registration from the registry's response. date 0: the registry
 * does not tell the end, and is asked again after a day. was_asked false: the registry was not
 * asked, and the recorder passes the domain again later.
 */
void recorder_domain(struct recorder *recorder, const char *domain, bool was_asked,
		     struct instant date);

#endif
