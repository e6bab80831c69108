/* The memory of the counters, and the table of metrics. Only metrics.c and metrics_print.c use
 * them. */
#ifndef BASE_METRICS_CELLS_H
#define BASE_METRICS_CELLS_H

#include <stdatomic.h>

#include "base/metrics.h"

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "processes share the cells without a lock");

/* A cell of a hash table. Cells are never removed. */
struct metrics_cell {
	_Atomic uint64_t key; /* 0: free */
	_Atomic int64_t value;
};

struct metrics_memory {
	_Atomic uint64_t version; /* metrics_version() of the programs that share the file */
	_Atomic uint64_t dropped; /* counts for which there was no free cell */
	struct metrics_cell cells[METRICS_CELLS];
};
/* Returns the memory; NULL: nothing is counted. */
struct metrics_memory *metrics_memory(void);
/* Returns the version of the cells. Two programs have different versions if the keys of their cells
 * have different meanings. */
uint64_t metrics_version(void);

/* The upper limits of the buckets of each histogram, in microseconds. One more bucket counts all
 * longer times. */
enum { METRICS_BUCKETS = 14 };
struct metrics_bucket {
	int64_t us;
	const char *le; /* the limit in seconds, as text */
};
extern const struct metrics_bucket metrics_buckets[METRICS_BUCKETS];

/* The parts of a series, each with its own cell. The parts of a histogram are its buckets, and then
 * the sum. */
enum metrics_part { METRICS_VALUE, METRICS_SET_AT, METRICS_SUM = METRICS_BUCKETS + 1 };

/* Returns the key of a cell. The order of the keys is the order of the output. */
static inline uint64_t metrics_key(enum metric metric, struct metric_labels labels, unsigned part)
{
	return (uint64_t)metric << 56 | (uint64_t)labels.at[0] << 40 |
	       (uint64_t)labels.at[1] << 24 | (uint64_t)labels.at[2] << 8 | part;
}

enum metric_kind {
	KIND_COUNTER,
	KIND_GAUGE,
	KIND_AGE, /* a gauge: the seconds since the stored time */
	KIND_HISTOGRAM,
};

struct metric_row {
	const char *name; /* without _total */
	const char *help;
	enum metric_kind kind;
	enum metric_label labels[METRIC_LABELS_MAX];
	bool is_micro;	    /* printed values are the stored values divided by a million */
	bool is_fresh_only; /* see metrics_set() */
};
extern const struct metric_row metrics_rows[METRICS];

#endif
