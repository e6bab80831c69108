/*
 * Stores and reports what the checker has found, in threads beside the checker's loop, so that a
 * slow database delays no check: one for the lease, lists and signals, one for reports and gaps,
 * one for records, and one for the ends of certificates and domains, each with its connection.
 * Reports never wait for more than one transaction of records. Everything here is called in the
 * loop's thread.
 *
 * While the database is away the checks go on, and what cannot be stored is kept and tried again
 * after a wait: of a monitor the newest record, the sums of up to RECORDER_HOURS_MAX hours, and the
 * reports, in their order. A checker that finds that another has the lease drops all that, since
 * the other one has begun with what was stored.
 *
 * The transaction of a report also stores `reported`, which names the outage that the monitor's
 * incidents were told, and the state that made the report: a newer state could be of the next
 * outage, which has the same kind. Records store states without `reported`. Where the state and
 * `reported` differ when the monitor is read for the first time, the process that had decided the
 * report died before the report was made: it is made then. The other way round cannot be, since a
 * record is not stored while a report of the monitor is, nor the other way round. A report that was
 * made twice, after an uncertain COMMIT, names the same outage, and changes nothing
 * (service/incident/observations.h). Gaps are stored before later records and reports, so that a
 * stored time of the last check never hides a gap. Killed at any moment, the checker so loses at
 * most the sums of RECORDER_STORE_S and the confirmation of an outage, which is then confirmed
 * again.
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
	/* A new list of all monitors that are checked; valid until the call returns. At the start,
	 * and every RECORDER_LIST_S seconds, or RECORDER_CHANGE_S after a change of settings. The
	 * states are as they are stored: those of monitors that are known already are older than
	 * what the caller knows. */
	void (*monitors)(void *context, const struct checked_list *list);
	/* New signals by id, after each reading, also none: so the caller knows until when there
	 * are no others. They are deleted when the records that follow from them are stored: after
	 * a crash they may come again, with the same time. */
	void (*signals)(void *context, const struct check_signal *rows, size_t count);
	/* The lease was taken, or another checker has it: then all lists are void, and nothing is
	 * to be checked. Not called while the database cannot tell. */
	void (*lease)(void *context, bool is_held);
	void *context;
	bool is_once; /* the process ends when all is checked, and comes again: --once */
	/*
	 * Domains whose registries are to be asked: `count`, up to RECORDER_DOMAINS_MAX, each to be
	 * answered by recorder_domain(), or none; the texts are valid until the call returns. The
	 * first come with the lease, the next RECORDER_EXPIRY_S after the last answer. NULL: nobody
	 * asks.
	 */
	void (*domains)(void *context, const char *const *domains, size_t count);
	/* The votes of other locations: after a list all of them, then new ones, each perhaps more
	 * than once. */
	void (*votes)(void *context, const struct check_votings *list);
};
enum {
	RECORDER_LIST_S = 60,
	RECORDER_CHANGE_S = 2,
	RECORDER_STORE_S = 3,
	RECORDER_RENEW_S = 5, /* of the lease */
	RECORDER_EXPIRY_S = 20,
	RECORDER_REST_MAX_S = 3600, /* between runs of --once that belong together */
	RECORDER_DOMAINS_MAX = 5,
	RECORDER_HOURS_MAX = 48,
	/* Of a monitor, in the memory. Further changes are dropped, which the log tells; when these
	 * are made, the state as it is then is reported. */
	RECORDER_REPORTS_MAX = 20,
};

/* E_FAILED: there are too many threads. The texts of `config` must stay. */
enum result recorder_open(struct recorder **recorder, struct loop *loop,
			  const struct config *config, const struct site *site,
			  const struct recorder_observer *observer, struct error *error) MUST_USE;
/*
 * Runs the loop until everything is stored and the lease is given back, at most for `most_ms`, and
 * ends the threads. Not to be called by the loop. False: a thread still waits for the database, and
 * the process is to _exit().
 */
bool recorder_close(struct recorder *recorder, int64_t most_ms);

/* By the database's clock, as the lease was last renewed; by this machine's before that. */
struct instant recorder_now(const struct recorder *recorder);

/* With is_once: the time since the last such run, if the runs come evenly; else 0. In this time
 * nothing was to be checked. */
int64_t recorder_rest_s(const struct recorder *recorder);

/* To be stored within RECORDER_STORE_S; copied. Monitors that are in no list are ignored. */
void recorder_record(struct recorder *recorder, const struct check_record *record);
/* To be reported at once; copied. Of the record also stores the state. */
void recorder_report(struct recorder *recorder, int64_t monitor_id, enum check_report report,
		     const struct check_state *state);
/*
 * The monitors are not known from `from` on, since the checker is cut off or did not run; or known
 * again from `until` on (the other time is 0). Both times: a gap that is over.
 */
void recorder_gap(struct recorder *recorder, const int64_t *monitor_ids, size_t count,
		  struct instant from, struct instant until);
/*
 * The checker is cut off since `since`, or is not (0): accounts get an event. A repetition changes
 * nothing; to be called at the start, too, since a checker may have ended while it was cut off.
 */
void recorder_cut_off(struct recorder *recorder, struct instant since);

/*
 * What the registry has said: the end of the domain's registration; 0: it is unknown, and is asked
 * for again the next day. `was_asked` false: nobody was asked, and the domain comes again.
 */
void recorder_domain(struct recorder *recorder, const char *domain, bool was_asked,
		     struct instant date);

#endif
