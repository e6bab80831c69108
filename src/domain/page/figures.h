/*
 * Response times that a client has measured and sends for a monitor (contract section 13): a single
 * time, or a list.
 */
#ifndef DOMAIN_PAGE_FIGURES_H
#define DOMAIN_PAGE_FIGURES_H

#include "base/field.h"
#include "base/violation.h"
#include "domain/monitor/check_state.h"

enum {
	FIGURES_MAX = 1000, /* the most figures of a request */
	FIGURE_MAX_MS = 3600000,
	FIGURE_MAX_AGE_S = 14 * 86400,
	FIGURE_SKEW_S = 300, /* a time at most so many seconds ahead counts as now */
};

struct figure {
	int64_t response_ms;
	struct instant at;
	int state; /* enum figure_state */
};
enum figure_state { FIGURE_UP, FIGURE_DOWN };

/* The fields that a client may send: the members of a single figure, or the list. */
struct figures_input {
	int64_t response_ms;
	struct instant at;
	int state;
	struct field_rows figures; /* struct figure */
};
extern const struct fields figures_fields;

/*
 * Checks the values of the request. `sent` has the sent fields of figures_fields. If there is no
 * violation, input->figures has all figures, with their times.
 */
void figures_check(struct figures_input *input, struct field_set sent, struct instant now,
		   struct arena *arena, struct violations *violations);

/* Sorts the figures by time. Sets *sums to an array in the arena, in the order of time: one sum for
 * each period of period_s seconds that has figures. Returns the number of sums. */
size_t figures_sum(struct field_rows figures, int64_t period_s, struct arena *arena,
		   struct check_hour **sums);

#endif
