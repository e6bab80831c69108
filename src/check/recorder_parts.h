/* Internal header of the recorder, for the files of this folder. Each part has its own thread. */
#ifndef CHECK_RECORDER_PARTS_H
#define CHECK_RECORDER_PARTS_H

#include <stdatomic.h>

#include "base/backoff.h"
#include "base/loop_job.h"
#include "base/secret.h"
#include "check/rdap.h"
#include "check/recorder.h"
#include "check/remote.h"
#include "store/check/check_expiry_store.h"
#include "store/check/monitor_gaps.h"

/* What the recorder keeps of a monitor. */
struct entry {
	int64_t id;
	int64_t account_id;
	struct check_record record; /* the newest record */
	/* The value that the stored `reported` has after all reports in the queue are made. */
	struct check_reported reported;
	struct check_hour *ended; /* hours before the record's hour that are not stored yet */
	size_t ended_count;
	size_t ended_storing; /* how many of the first hours in `ended` are being stored */
	size_t reports;	      /* the number of this monitor's reports in the queue */
	bool is_full;	      /* a report was dropped, because too many were waiting */
	bool is_new;	      /* the record has changes that are not stored */
	bool is_busy;	      /* the record is being stored, or a report is being made */
	bool is_passed;	      /* for choose() in recorder_reports.c only */
	bool is_paused;
	bool is_known;
	bool is_part; /* other locations check the monitor, too */
	bool is_void; /* the lease was lost: the members must not be used */
};

struct part {
	struct recorder *recorder;
	struct db *db;
	struct loop_job job;
	struct loop_timer timer; /* for the next run */
	struct backoff backoff;
	struct arena arena; /* memory for a run */
	enum result result; /* the result of the last run */
	struct error error;
};
/*
 * Opens a part. `start` is called when a run is due. The first run is due after `ms` milliseconds;
 * if ms is -1, part_start_in() decides. `run` is called in the part's thread, and then `finish` in
 * the loop. The three functions get the struct whose first member is the part. Returns false if no
 * thread can be started.
 */
bool part_open(struct part *part, loop_call *run, loop_call *finish, loop_call *start, int64_t ms);
/* Call it after a run. If the run has failed, and the run before it has not, logs the failure. */
void part_finish(struct part *part, const char *what);
/* Starts the next run after `ms` milliseconds, but not before the wait after failures is over. */
void part_start_in(struct part *part, int64_t ms);

/* Ids of signals that were passed to the observer. */
struct taken {
	int64_t *ids;
	size_t count;
	size_t room;
};
void taken_add(struct taken *to, const int64_t *ids, size_t count);
/* Moves all ids from `from` to `to`. */
void taken_move(struct taken *to, struct taken *from);

struct watch {
	struct part part;
	bool drops_lease; /* the next run releases the lease */
	bool is_doubted;  /* the next run asks for the lease, and reads the list */
	bool has_rest;	  /* `rest` was read (with is_once) */
	struct check_rest rest;
	int64_t begun_ms;
	struct taken deleting;
	/* The outcome of a run. */
	bool has_answer; /* the database has answered the request for the lease */
	struct check_lease lease;
	int64_t asked_ms;
	struct check_signal *signals;
	size_t signal_count, signal_room;
	struct checked_monitor *monitors;
	size_t monitor_count, monitor_room;
	bool has_list;
	bool has_locations; /* a monitor of the list names locations */
	struct check_votings votings;
	struct instant votes_from; /* the next reading takes votes from this time on */
	/* When to renew the lease, read the list, and read the list's mark. */
	int64_t renew_at_ms, list_at_ms, mark_at_ms;
	struct checked_mark mark;
};

/* A report in the queue: of a monitor, of a gap, or of the checker itself. */
struct report {
	struct report *next;
	struct entry *entry; /* NULL: the report of a gap, or of the checker itself */
	int64_t monitor_id, account_id;
	struct check_reported ends, begins;
	struct instant until; /* when the outage of `ends` has ended */
	/* The state that caused the report; only for a report of a monitor. */
	struct check_state state;
	struct backoff backoff;
	bool is_done;
	/* Only for a gap. */
	struct monitor_gap *gaps;
	size_t gap_count;
	/* Only for the checker itself: since when it is cut off; 0: it is connected. */
	struct instant cut_off_since;
};
struct reports {
	struct part part;
	struct report *first, **last;
	size_t count;
	/* How many reports in the queue belong to no monitor. Records wait until these are made. */
	size_t gaps;
	int64_t full_account; /* the last account whose dropped reports were logged; 0: none */
	/* Reports that are being made: a gap, or the reports of an account. */
	struct report **batch;
	size_t batch_count;
};

struct records {
	struct part part;
	struct entry **batch; /* the entries that are being stored */
	struct check_record *records;
	size_t count, limit;
	struct checked_hour *hours;
	size_t hour_count, hour_room;
	struct check_beginning *beginnings;
	size_t beginning_count;
	bool has_begun;	     /* `beginnings` is stored */
	struct instant hour; /* the hour for which all monitors have rows */
	size_t cursor;	     /* index of the next entry in this cycle */
	bool is_in_cycle;    /* a cycle runs, which stores all new records in batches */
	bool is_refused;     /* a record was refused, and this was logged */
	bool has_left_out;   /* the cycle has not stored a record, so another cycle must follow */
};

/* A domain whose registry is being asked. */
struct asked_domain {
	/* A row for each monitor of the domain. All rows have the same name and times. */
	struct check_domain *rows;
	size_t count;
	bool is_answered, is_skipped;
};
struct expiries {
	struct part part; /* runs only when the registries of all asked domains have answered */
	struct asked_domain asked[RECORDER_DOMAINS_MAX];
	size_t count;
	/* Rows for monitors that lack the times which another monitor of the same domain has. */
	struct check_domain *late;
	size_t late_count, late_room;
	/* The domain that was chosen last. The next choice begins with the domain after it. */
	char last[RDAP_DOMAIN_SIZE];
};

struct recorder {
	struct loop *loop;
	struct remote *remote; /* NULL: this checker uses the database */
	const struct config *config;
	const struct site *site;
	struct recorder_observer observer;
	char holder[SECRET_ID_SIZE];
	_Atomic int64_t ahead_ms; /* the database's clock minus clock_ms() */
	bool is_held;
	bool is_answered; /* it is known whether the lease is held */
	bool is_closing;
	struct entry **entries; /* sorted by id */
	size_t entry_count;
	/*
	 * Ids of signals, by progress. taken: passed to the observer. storing: the present cycle
	 * stores the records that follow from them. stored: these records are stored, so the
	 * signals can be deleted.
	 */
	struct taken taken, storing, stored;
	struct watch watch;
	struct reports reports;
	struct records records;
	struct expiries expiries;
};

struct entry *recorder_entry(const struct recorder *recorder, int64_t monitor_id);
/* Handles the loss of the lease to another checker. */
void recorder_lose(struct recorder *recorder);
/* Whether a part may start a run that stores something: not without the lease, and not while the
 * recorder releases the lease, which ends it. */
bool recorder_may_store(const struct recorder *recorder);
/* While the recorder is closing: starts the work that is left, or releases the lease when all work
 * is done. Call it at the end of each run of a part. */
void recorder_rest(struct recorder *recorder);
void entry_keep_hour(struct entry *entry, const struct check_hour *hour);
void entry_end_hour(struct entry *entry);
/* Begins the hour `hour` in the record, and keeps the hour before it until it is stored. */
void entry_begin_hour(struct entry *entry, struct instant hour);

bool watch_open(struct recorder *recorder);
bool reports_open(struct recorder *recorder);
bool records_open(struct recorder *recorder);
bool expiries_open(struct recorder *recorder);
bool watch_close(struct watch *watch);
bool reports_close(struct reports *reports);
bool records_close(struct records *records);
bool expiries_close(struct expiries *expiries);

/* Adds a page of rows to the list that is being read. */
void watch_add_page(struct watch *watch, const struct checked_list *page);
/* Makes the chosen batch of reports, in the thread of the job. */
void reports_run(void *context);
void reports_start(struct reports *reports);
/* Queues a report if the monitor's outage has begun, ended or changed its kind since the last
 * report. */
void reports_reconcile(struct reports *reports, struct entry *entry);
/* Drops the queued reports. The running job still makes the reports that it has taken. */
void reports_forget(struct reports *reports);
void records_start(struct records *records);
/* Returns whether there are domains, and all of them are answered. During a run, whose thread
 * changes the domains, the result is false. */
bool expiries_are_answered(const struct expiries *expiries);
/* Drops the domains that are being asked for. */
void expiries_forget(struct expiries *expiries);

#endif
