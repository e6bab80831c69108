/* The parts of the recorder, each with a thread: for the files of this folder. */
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

/* A monitor. */
struct entry {
	int64_t id;
	int64_t account_id;
	struct check_record record;	/* the newest */
	struct check_reported reported; /* when all reports of the queue are made */
	struct check_hour *ended;	/* hours before that of the record that are not stored */
	size_t ended_count;
	size_t ended_storing; /* the first of them are being stored */
	size_t reports;	      /* in the queue */
	bool is_full;	      /* further ones were dropped */
	bool is_new;	      /* the record is not stored */
	bool is_busy;	      /* it is being stored or reported */
	bool is_passed;	      /* while a batch of reports is chosen */
	bool is_paused;
	bool is_known;
	bool is_part; /* other locations check it, too */
	bool is_void; /* the lease was lost: what is here is not to be used */
};

struct part {
	struct recorder *recorder;
	struct db *db;
	struct loop_job job;
	struct loop_timer timer; /* the next run */
	struct backoff backoff;
	struct arena arena; /* of a run */
	enum result result; /* of the last run */
	struct error error;
};
/* The first member of what its three functions get: `run` runs in a thread, then `finish` is
 * called; `start` is called when the next run is due, at first in so many milliseconds; -1: when
 * something wakes the part. False: there is no thread. */
bool part_open(struct part *part, loop_call *run, loop_call *finish, loop_call *start, int64_t ms);
/* Notes the failure, if any, and logs it if it is the first. */
void part_finish(struct part *part, const char *what);
/* Runs the part in so many milliseconds, or when the wait after failures is over. */
void part_start_in(struct part *part, int64_t ms);

/* Signals that the observer has taken, by id. */
struct taken {
	int64_t *ids;
	size_t count;
	size_t room;
};
void taken_add(struct taken *to, const int64_t *ids, size_t count);
/* Adds all ids of the other list, and empties that one. */
void taken_move(struct taken *to, struct taken *from);

struct watch {
	struct part part;
	bool drops_lease; /* the next run gives the lease back */
	bool is_doubted;  /* the next run asks for the lease, and reads the list */
	bool has_rest;	  /* of is_once */
	struct check_rest rest;
	int64_t begun_ms;
	struct taken deleting;
	/* The outcome of a run. */
	bool has_answer; /* the lease was asked for */
	struct check_lease lease;
	int64_t asked_ms;
	struct check_signal *signals;
	size_t signal_count, signal_room;
	struct checked_monitor *monitors;
	size_t monitor_count, monitor_room;
	bool has_list;
	bool has_locations; /* a monitor of the list has */
	struct check_votings votings;
	struct instant votes_from; /* of the next reading */
	/* Of the runs. */
	int64_t renew_at_ms, list_at_ms, mark_at_ms;
	struct checked_mark mark;
};

/* A report in the queue: of a monitor, of a gap, or of the checker itself. */
struct report {
	struct report *next;
	struct entry *entry; /* NULL: of a gap, or of the checker itself */
	int64_t monitor_id, account_id;
	struct check_reported ends, begins;
	struct instant until;	  /* the end of what ends */
	struct check_state state; /* that made the report; without meaning for others */
	struct backoff backoff;
	bool is_done;
	/* Of a gap. */
	struct monitor_gap *gaps;
	size_t gap_count;
	/* Of the checker itself: cut off since; 0: connected. */
	struct instant cut_off_since;
};
struct reports {
	struct part part;
	struct report *first, **last;
	size_t count;
	size_t gaps;	       /* of them; records wait for them */
	int64_t full_account;  /* whose dropped reports the log has told; 0: none */
	struct report **batch; /* is being made: a gap, or reports of an account */
	size_t batch_count;
};

struct records {
	struct part part;
	struct entry **batch; /* is being stored */
	struct check_record *records;
	size_t count, limit;
	struct checked_hour *hours;
	size_t hour_count, hour_room;
	struct check_beginning *beginnings;
	size_t beginning_count;
	bool has_begun;	     /* the beginnings are stored */
	struct instant hour; /* for which all monitors have rows */
	size_t cursor;	     /* the next entry to be looked at */
	bool is_in_cycle;    /* storing all new records, batch by batch */
	bool is_refused;     /* a record was, which the log has told */
	bool has_left_out;   /* in this cycle: a busy entry */
};

/* A domain that is being asked for. */
struct asked_domain {
	struct check_domain *rows; /* of its monitors, all with the same name and times */
	size_t count;
	bool is_answered, is_skipped;
};
struct expiries {
	struct part part; /* it runs only while all domains are answered */
	struct asked_domain asked[RECORDER_DOMAINS_MAX];
	size_t count;
	struct check_domain *late; /* of monitors whose domain was asked for by others */
	size_t late_count, late_room;
	char last[RDAP_DOMAIN_SIZE]; /* the domain that was chosen last: the next follow it */
};

struct recorder {
	struct loop *loop;
	struct remote *remote; /* NULL: the database is here */
	const struct config *config;
	const struct site *site;
	struct recorder_observer observer;
	char holder[SECRET_ID_SIZE];
	_Atomic int64_t ahead_ms; /* the database's clock before clock_ms() */
	bool is_held;
	bool is_answered; /* whether the lease is held is known */
	bool is_closing;
	struct entry **entries; /* by id */
	size_t entry_count;
	/* Signals that were taken; that the present cycle of records stores; that are stored. */
	struct taken taken, storing, stored;
	struct watch watch;
	struct reports reports;
	struct records records;
	struct expiries expiries;
};

struct entry *recorder_entry(const struct recorder *recorder, int64_t monitor_id);
/* The lease is another's. */
void recorder_lose(struct recorder *recorder);
/* To be called when a part comes to rest. */
void recorder_rest(struct recorder *recorder);
void entry_keep_hour(struct entry *entry, const struct check_hour *hour);
void entry_end_hour(struct entry *entry);
/* At the change of the hour: the record has the hour `hour`. */
void entry_begin_hour(struct entry *entry, struct instant hour);

bool watch_open(struct recorder *recorder);
bool reports_open(struct recorder *recorder);
bool records_open(struct recorder *recorder);
bool expiries_open(struct recorder *recorder);
bool watch_close(struct watch *watch);
bool reports_close(struct reports *reports);
bool records_close(struct records *records);
bool expiries_close(struct expiries *expiries);

/* Adds rows to the list that is being read. */
void watch_add_page(struct watch *watch, const struct checked_list *page);
/* The run of the job. */
void reports_run(void *context);
void reports_start(struct reports *reports);
/* Reports what the monitor's incidents should have been told by its stored state. */
void reports_reconcile(struct reports *reports, struct entry *entry);
/* Forgets the reports that are not being made. */
void reports_forget(struct reports *reports);
void records_start(struct records *records);
/* Whether domains were asked for, and all are answered. */
bool expiries_are_answered(const struct expiries *expiries);
/* Forgets the domains that are being asked for. */
void expiries_forget(struct expiries *expiries);

#endif
