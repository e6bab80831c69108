/* Internal header of the checker: structs and functions that the files of this folder share. */
#ifndef CHECK_CHECKED_H
#define CHECK_CHECKED_H

#include "base/metrics.h"
#include "check/anchors.h"
#include "check/checker.h"
#include "check/hosts.h"
#include "check/lag.h"
#include "check/recorder.h"
#include "check/registry.h"

/* A failed check that does not count yet: the anchors and the parent monitors are checked first
 * (see judge.c). */
struct held {
	struct check_outcome outcome;
	char cause[CHECK_CAUSE_MAX_BYTES + 1];
	int64_t since_ms; /* the anchors and the parents must be checked at this time or later */
	int64_t until_ms;
};

/* The votes of the locations that check a monitor, if its settings name locations. */
struct votes {
	struct check_state state; /* the state by the checks of this checker alone */
	/* The index of this checker (CHECK_LOCATION_CENTRE) in `casts`; -1: it does not vote. */
	int own;
	int64_t until_ms;	   /* missing votes may still come before this time */
	struct instant excused_at; /* failures up to this time do not count: see judge_excuses() */
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
	struct check_state state; /* the state that the service shows */
	struct check_hour hour;
	bool is_paused;
	bool has_gap;		 /* another process has begun a gap that has not ended */
	struct instant begun_at; /* of heartbeats: the time of the last signal `start`; 0: none */
	struct instant tls_expires_at, tls_seen_at;
	char *tls_issuer;

	/* Wakes the monitor for its next check, for a deadline, or for the next test of `held`. */
	struct loop_timer timer;
	/* By clock_ms(); 0: not known. For checks, a regular time, from which the next regular
	 * times are counted. For heartbeats, the time when the missing heartbeat became overdue. */
	int64_t due_ms;
	int64_t wanted_ms;  /* the due time of the check that waits or runs */
	int64_t started_ms; /* when the last check started; 0: never */
	struct instant started_at;
	struct probe *probe; /* NULL: no check runs */
	struct host *host, *account;
	struct checked_queue *queue; /* the queue in which the check waits; NULL: none */
	/* The due check has waited, because its host or account was at its limit. */
	bool waits_for_own;
	TAILQ_ENTRY(checked) next;
	struct held *held;
	bool is_open; /* with --once: the monitor's check has not ended */
};

/* The time between the starts of checks that are all due at once, such as those of new monitors. */
enum { CHECK_APART_MS = 10 };

struct schedule {
	struct hosts hosts, accounts;
	size_t running, limit;
	/* Checks that wait until any running check ends. `well`: of monitors that respond. `ill`:
	 * of all other monitors; these checks may use only a part of `limit`. */
	struct checked_queue well, ill;
	/*
	 * The delays of the checks that started after the last log line about delays. A check that
	 * waited because its host or account was at its limit is counted in host_waits, not in
	 * `lag`: its delay does not show that this machine is slow.
	 */
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
	/* The domains for which the checker asks the registries. */
	char domains[RECORDER_DOMAINS_MAX][RDAP_DOMAIN_SIZE];
	size_t domain_count, domain_next;
	bool has_domains;      /* domains_take() was called, perhaps without domains */
	bool is_asking;	       /* a request for domains[domain_next - 1] is running */
	struct checked **rows; /* sorted by id */
	size_t count;
	bool has_lease;
	bool has_list;
	/* The times of two readings of signals: the first since the last pause, and the last. */
	int64_t signals_since_ms, signals_ms;
	struct check_signal early[100]; /* signals for monitors that the list does not have yet */
	size_t early_count;
	struct loop_timer tick;
	int64_t ticks;
	size_t open; /* with --once: the number of monitors whose check has not ended */
};

struct checked *checker_find(const struct checker *checker, int64_t id);
struct instant checker_now(const struct checker *checker);
/* Returns whether outcomes of checks count: the checker has the lease, and is not cut off. */
bool checker_observes(const struct checker *checker);

/* checker_list.c */
void checker_take_list(void *context, const struct checked_list *list);
void checker_drop_all(struct checker *checker);

/* schedule.c: when checks start. */
void schedule_open(struct schedule *schedule, int64_t limit);
/* Sets the timer of the monitor to its next regular time, or to wait_ms milliseconds from now if
 * that is sooner. If wait_ms is negative, always sets it to the regular time. */
void schedule_next(struct checked *checked, int64_t wait_ms);
/* Starts the check as soon as it may start; does nothing if the check runs or waits. */
void schedule_want(struct checked *checked);
/* Cancels the monitor's check if it runs, or removes the monitor from its queue. judge_result() is
 * not called. */
void schedule_drop(struct checked *checked);
/* Called by the timer of a monitor. */
void schedule_wake(void *context);

/* votes.c: allocates the votes of a monitor. Returns NULL for heartbeats, and if the settings name
 * no locations. */
struct votes *votes_new(const struct check_settings *settings);
/* Returns whether only other locations check the monitor. */
bool votes_are_of_others(const struct checked *checked);
/* Sets the state of the monitor by the votes that were received. */
void votes_judge(struct checked *checked);
void votes_take(void *context, const struct check_votings *list);

/* judge.c: handles the result of a check. */
void judge_result(struct checked *checked, const struct probe_result *result);
/* Returns whether too much time passed between the last check and `at`. The pauses between runs of
 * --once do not count. */
bool judge_is_stale(const struct checked *checked, struct instant at);
/* Applies an outcome to the state. An outcome that would make the monitor go down is kept in
 * `held`, until judge_again() applies or drops it. */
void judge(struct checked *checked, const struct check_outcome *outcome);
/* Tests the failure in `held`. Applies it if an anchor responds and the parents are up, or after
 * `until_ms`. Drops it if a parent fails, or if outcomes do not count. */
void judge_again(struct checked *checked);
void judge_forget(struct checked *checked);
/* Passes the state of the monitor to the recorder, which stores it. */
void judge_record(struct checked *checked);
/* Changes the state of the monitor by the outcome. */
void judge_decide(struct checked *checked, const struct check_settings *settings,
		  const struct check_outcome *outcome);
/* Makes the state unknown from `since` on; `cause` may be NULL. */
void judge_unknown(struct checked *checked, struct instant since, const char *cause);
/* Whether this monitor depends on a monitor that fails. If true, sets `text` to the cause of the
 * unknown state. */
bool judge_excuses(struct checked *checked, char text[CHECK_CAUSE_MAX_BYTES + 1]);
/* Makes this checker's own state of the monitor unknown from `since` on. Also makes the monitor's
 * state unknown, unless votes of other locations decide it. */
void judge_lose(struct checked *checked, struct instant since, const char *cause);

/* domains.c: asks the registries for the domains that the recorder chooses. */
void domains_open(struct checker *checker);
void domains_take(void *context, const char *const *domains, size_t count);

/* heartbeats.c */
void heartbeats_take(void *context, const struct check_signal *rows, size_t count);
/* Sets the monitor's timer to the deadline of the next heartbeat. */
void heartbeat_expect(struct checked *checked);
/* Called by the timer of a monitor with heartbeats. */
void heartbeat_wake(struct checked *checked);

#endif
