/* The parts of the checker: for the files of this folder. */
#ifndef CHECK_CHECKED_H
#define CHECK_CHECKED_H

#include "base/metrics.h"
#include "check/anchors.h"
#include "check/checker.h"
#include "check/hosts.h"
#include "check/lag.h"
#include "check/recorder.h"
#include "check/registry.h"

/* A failure whose consequence waits: see judge.c. */
struct held {
	struct check_outcome outcome;
	char cause[CHECK_CAUSE_MAX_BYTES + 1];
	int64_t since_ms; /* others must have been checked since then */
	int64_t until_ms;
};

/* The locations of a monitor that names some. */
struct votes {
	struct check_state state; /* what this checker has found */
	int own; /* the place of this checker, CHECK_LOCATION_CENTRE; -1: it does not vote */
	int64_t until_ms;	   /* before that, missing votes may still come */
	struct instant excused_at; /* failures until then do not count: see judge_excuses() */
	size_t count;
	struct cast {
		struct check_vote vote;
		bool is_slow;
		int64_t response_ms;
		char cause[CHECK_CAUSE_MAX_BYTES + 1];
	} casts[CHECK_LOCATIONS_MAX];
};

/* A monitor that is checked. */
struct checked {
	int64_t id;
	struct checker *checker;
	char *name;
	struct check_settings *settings;
	struct votes *votes;	  /* NULL: this checker alone decides about the state */
	struct check_state state; /* which the service shows */
	struct check_hour hour;
	bool is_paused;
	bool has_gap;		 /* a gap goes on that another process has begun */
	struct instant begun_at; /* heartbeat: of the signal `start`; 0: none */
	struct instant tls_expires_at, tls_seen_at;
	char *tls_issuer;

	struct loop_timer timer; /* the next check, deadline, or look at `held` */
	/* A regular time of clock_ms(), or when the latest heartbeat was due; 0: not known yet. */
	int64_t due_ms;
	int64_t wanted_ms;  /* when the check was due that waits or runs */
	int64_t started_ms; /* of the last check; 0: never */
	struct instant started_at;
	struct probe *probe; /* NULL: no check runs */
	struct host *host, *account;
	struct checked_queue *queue; /* in which it waits; NULL: none */
	bool waits_for_own;	     /* host or account, or has waited, since the check was due */
	TAILQ_ENTRY(checked) next;
	struct held *held;
	bool is_open; /* --once: the check has not ended */
};

/* The time between the starts of checks that all are due at once, such as those of new monitors. */
enum { CHECK_APART_MS = 10 };

struct schedule {
	struct hosts hosts, accounts;
	size_t running, limit;
	/* For the end of any check: monitors that respond, and others, which may fill only a part
	 * of the limit. */
	struct checked_queue well, ill;
	/* Since they were logged. Checks that have waited for their own host or account are only
	 * counted: how late they are says nothing about this machine. */
	struct lag lag;
	int64_t host_waits;
};

struct checker {
	struct loop *loop;
	struct checker_settings settings;
	struct arena arena;
	struct prober *prober;
	struct recorder *recorder;
	struct anchors anchors;
	struct schedule schedule;
	struct registry registry;
	char domains[RECORDER_DOMAINS_MAX][RDAP_DOMAIN_SIZE]; /* to be asked for */
	size_t domain_count, domain_next;
	bool has_domains;      /* also if there were none */
	bool is_asking;	       /* for the domain before domain_next */
	struct checked **rows; /* by id */
	size_t count;
	bool has_lease;
	bool has_list;
	/* Since when signals have been read without a pause, and until when. */
	int64_t signals_since_ms, signals_ms;
	struct check_signal early[100]; /* of monitors that the list does not have yet */
	size_t early_count;
	struct loop_timer tick;
	int64_t ticks;
	size_t open; /* --once: monitors whose check has not ended */
};

struct checked *checker_find(const struct checker *checker, int64_t id);
struct instant checker_now(const struct checker *checker);
/* Whether outcomes count. */
bool checker_observes(const struct checker *checker);

/* checker_list.c */
void checker_take_list(void *context, const struct checked_list *list);
void checker_drop_all(struct checker *checker);

/* schedule.c: when checks start. */
void schedule_open(struct schedule *schedule, int64_t limit);
/* Sets the timer of the monitor: the next check is due after `wait_ms`, or at its regular time if
 * that is sooner or wait_ms is negative. */
void schedule_next(struct checked *checked, int64_t wait_ms);
/* Starts the check as soon as it may; does nothing if it runs or waits. */
void schedule_want(struct checked *checked);
/* Cancels the monitor's check if it runs, or takes the monitor from the queue. No outcome follows.
 */
void schedule_drop(struct checked *checked);
/* The timer of a monitor. */
void schedule_wake(void *context);

/* votes.c: NULL: the settings name no locations. */
struct votes *votes_new(const struct check_settings *settings);
/* Whether only other locations check the monitor. */
bool votes_are_of_others(const struct checked *checked);
/* Judges by the votes that are there. */
void votes_judge(struct checked *checked);
void votes_take(void *context, const struct check_votings *list);

/* judge.c: what follows from outcomes. */
void judge_result(struct checked *checked, const struct probe_result *result);
/* Whether the last check is too long ago at that time; runs of --once have pauses. */
bool judge_is_stale(const struct checked *checked, struct instant at);
/* An outcome counts now, or when it is certain. */
void judge(struct checked *checked, const struct check_outcome *outcome);
/* Looks again at a failure that is held. */
void judge_again(struct checked *checked);
void judge_forget(struct checked *checked);
/* Has the state stored. */
void judge_record(struct checked *checked);
/* The outcome changes the state of the monitor. */
void judge_decide(struct checked *checked, const struct check_settings *settings,
		  const struct check_outcome *outcome);
/* Nothing is known of the monitor from `since` on; `cause` may be NULL. */
void judge_unknown(struct checked *checked, struct instant since, const char *cause);
/* Whether a monitor fails on which this one depends; `text` then says so. */
bool judge_excuses(struct checked *checked, char text[CHECK_CAUSE_MAX_BYTES + 1]);
/* This checker knows nothing: the same, unless others check the monitor, too. */
void judge_lose(struct checked *checked, struct instant since, const char *cause);

/* domains.c: asks for the domains of the recorder. */
void domains_open(struct checker *checker);
void domains_take(void *context, const char *const *domains, size_t count);

/* heartbeats.c */
void heartbeats_take(void *context, const struct check_signal *rows, size_t count);
/* Sets the timer for the next heartbeat's latest time. */
void heartbeat_expect(struct checked *checked);
/* The timer of a monitor with heartbeats. */
void heartbeat_wake(struct checked *checked);

#endif
