/*
 * Counters, gauges and histograms for /metrics, shared by all processes of a machine. To add a
 * metric, add its name to enum metric, and its row to the table in metrics_print.c.
 *
 * The values are in a small file of the pages folder. All processes map the file, also with plain
 * CGI, and change the values by atomic additions. So a count needs no lock and no system call, and
 * a killed process loses no count. All space of the file is allocated when the file is made.
 *
 * If the file is truncated, or the disk fails, the process counts in private memory until
 * metrics_tend() opens a file again. Values then begin again at 0, as after a restart. Without
 * metrics_open(), counting does nothing.
 *
 * There are METRICS_CELLS cells for all series. Counts of series without a cell are dropped, and
 * METRIC_DROPPED counts them.
 */
#ifndef BASE_METRICS_H
#define BASE_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The file's name in the pages folder. */
#define METRICS_FILE "metrics"

/* The metrics in the order of their output. The comment of a metric lists its labels: the name of a
 * label, or the type of its values. */
enum metric {
	METRIC_NONE,
	METRIC_BUILD,	     /* version */
	METRIC_PROCESSES,    /* role: the index in the table in daymark.c */
	METRIC_REQUESTS,     /* route, method, status as a number */
	METRIC_REQUEST_TIME, /* route */
	METRIC_STATEMENTS,
	METRIC_DB_ERRORS, /* enum failure_kind */
	METRIC_PAGES,	  /* METRIC_OK or METRIC_FAILED */
	METRIC_PUBLISH_TIME,
	METRIC_OLDEST_CHANGE, /* no label; the age of the change */
	METRIC_MIRROR_BEHIND, /* name of the mirror */
	METRIC_MIRROR_WAITING,
	METRIC_JOBS,	 /* job: the index in work_jobs; METRIC_OK or METRIC_FAILED */
	METRIC_JOB_TIME, /* job */
	/* The metrics of daymark-check. */
	METRIC_CHECKS,	       /* enum check_type, enum metric_check */
	METRIC_CHECK_LAG,      /* no label; how long after its due time a check has started */
	METRIC_CHECK_TIME,     /* enum check_type */
	METRIC_MONITOR_STATES, /* enum check_phase, or METRIC_PHASE_PAUSED; the value is the number
				  of monitors */
	METRIC_CHECKER_LEASE,  /* no label; 1: this machine has the lease, 0: it has not */
	/* Metrics of each monitor, from the database. */
	METRIC_MONITOR_UP, /* id, name, account */
	METRIC_MONITOR_RESPONSE,
	METRIC_MONITOR_TLS_EXPIRY,
	METRIC_DELIVERIES, /* enum delivery_state after a try */
	/* Metrics of all machines, from the database. */
	METRIC_DELIVERIES_QUEUED,
	METRIC_OLDEST_DELIVERY,
	METRIC_OLDEST_EVENT,
	METRIC_CHANNELS_SUSPENDED,
	METRIC_DROPPED,
	METRICS,
};

enum { METRIC_OK, METRIC_FAILED };
/* The results of checks. METRIC_CHECK_VOID: it is not known whether the system was up. */
enum metric_check { METRIC_CHECK_UP, METRIC_CHECK_DOWN, METRIC_CHECK_VOID };
/* The value METRIC_PHASE_PAUSED comes after the values of enum check_phase. */
enum { METRIC_PHASE_PAUSED = 5, METRIC_PHASES };

/* The values of a metric's labels (0 to 65535), in the order of the comments in enum metric. */
enum { METRIC_LABELS_MAX = 3 };
struct metric_labels {
	uint16_t at[METRIC_LABELS_MAX];
};
#define METRIC_LABELS(...) ((struct metric_labels){ { __VA_ARGS__ } })
#define METRIC_UNLABELLED  ((struct metric_labels){ { 0 } })

/* The size of the table of cells. A histogram needs up to 16 cells for each set of label values. */
enum { METRICS_CELLS_BITS = 13, METRICS_CELLS = 1 << METRICS_CELLS_BITS };

/*
 * Maps the file of the pages folder at `folder`. Call it before other threads and child processes
 * start: children inherit the mapping. If `makes` is true (the service), makes the file if it does
 * not exist or belongs to another version. Other programs map the service's file as soon as it
 * exists.
 */
void metrics_open(const char *folder, bool makes);
/*
 * Maps the new file if the mapped file was replaced. Looks for a new file at most once a second. A
 * process that counts must call this at least once a second, from any thread.
 */
void metrics_tend(void);
/* Like metrics_tend(), but always looks for a new file. Call it before metrics_print(). */
void metrics_tend_now(void);

void metrics_add(enum metric metric, struct metric_labels labels, uint64_t number);
/* Adds a time in microseconds to a histogram. */
void metrics_observe(enum metric metric, struct metric_labels labels, int64_t us);
/*
 * Sets a gauge. For an age, `value` is the time at which the age was 0 (as in struct instant), or 0
 * for no age. A gauge of daymark-check is printed only if it was set in the last METRICS_FRESH_S
 * seconds, because otherwise its process has ended.
 */
void metrics_set(enum metric metric, struct metric_labels labels, int64_t value);
enum { METRICS_FRESH_S = 30 };

/* The labels of metrics. metrics_name() sets the words for the values of a label. */
enum metric_label {
	LABEL_NONE,
	LABEL_ROUTE,
	LABEL_METHOD,
	LABEL_STATUS,
	LABEL_ERROR,
	LABEL_RESULT,
	LABEL_MIRROR,
	LABEL_JOB,
	LABEL_TYPE,
	LABEL_CHECK_RESULT,
	LABEL_STATE,
	LABEL_ROLE,
	LABEL_VERSION,
	LABEL_MONITOR,
	LABEL_NAME,
	LABEL_ACCOUNT,
	LABEL_DELIVERY,
	METRIC_LABELS_COUNT,
};
struct metric_words {
	const char *const *words; /* NULL: the value is printed as a number */
	size_t count;		  /* values from `count` on are printed as "other" */
};

/* Sets the words that are printed for the values of a label. Words in struct metrics_output take
 * precedence. The caller must keep the words. */
void metrics_name(enum metric_label label, const struct metric_words *words);

struct metrics_output {
	struct buf *body;
	bool is_open_metrics; /* true: OpenMetrics 1.0; false: the text format 0.0.4 of Prometheus
			       */
	struct metric_words words[METRIC_LABELS_COUNT];
};
/* Prints all values that were counted, observed or set. `now_s`: the present time, for ages. */
void metrics_print(const struct metrics_output *output, int64_t now_s);
/* Print the head, and one of the values, of a metric whose values are not in the file. */
void metrics_print_head(const struct metrics_output *output, enum metric metric);
void metrics_print_value(const struct metrics_output *output, enum metric metric,
			 const char *const labels[METRIC_LABELS_MAX], int64_t value);
/* Prints the end of the output. */
void metrics_print_end(const struct metrics_output *output);

#endif
