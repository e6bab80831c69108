/*
 * Response times of a monitor that were measured elsewhere (contract section 13): one, or a list.
 */
#ifndef DOMAIN_PAGE_FIGURES_H
#define DOMAIN_PAGE_FIGURES_H

#include "base/field.h"
#include "base/violation.h"
#include "domain/monitor/check_state.h"

enum {
	FIGURES_MAX = 1000, /* of one request */
	FIGURE_MAX_MS = 3600000,
	FIGURE_MAX_AGE_S = 14 * 86400,
	FIGURE_SKEW_S = 300, /* a time that is less ahead counts as now */
};

struct figure {
	int64_t response_ms;
	struct instant at;
	int state; /* enum figure_state */
};
enum figure_state { FIGURE_UP, FIGURE_DOWN };

/* What a client may send: the members of one figure, or the list. */
struct figures_input {
	int64_t response_ms;
	struct instant at;
	int state;
	struct field_rows figures; /* struct figure */
};
extern const struct fields figures_fields;

/*
 * Checks the values that were sent; `sent` has their places in figures_fields. Without a violation,
 * input->figures then has all figures, with their times.
 */
void figures_check(struct figures_input *input, struct field_set sent, struct instant now,
		   struct arena *arena, struct violations *violations);

/* The sums of all periods of that length with figures, by time; owned by the arena. Sorts the
 * figures. */
size_t figures_sum(struct field_rows figures, int64_t period_s, struct arena *arena,
		   struct check_hour **sums);

#endif
