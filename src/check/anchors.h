/*
 * Anchors: systems elsewhere that are nearly always up. While all of them fail, the checker is cut
 * off, and says nothing about the systems that it checks.
 *
 * They are checked every ANCHORS_EVERY_MS, at once if somebody asks, and every ANCHORS_AGAIN_MS
 * while the checker is cut off. A round succeeds with the first anchor that responds. Two rounds in
 * a row fail before the checker counts as cut off.
 */
#ifndef CHECK_ANCHORS_H
#define CHECK_ANCHORS_H

#include "probe/probe.h"

enum { ANCHORS_MAX = 8, ANCHORS_EVERY_MS = 10000, ANCHORS_AGAIN_MS = 2000, ANCHORS_TIMEOUT_S = 3 };

struct anchors;
struct anchor {
	struct anchors *anchors;
	struct check_settings settings;
	struct probe probe;
	bool is_running;
};

struct anchors {
	/* The checker is cut off, or connected again. */
	void (*call)(void *context, bool is_cut_off);
	struct instant (*now)(void *context);
	void *context;

	struct loop *loop;
	struct prober *prober;
	struct loop_timer timer; /* the next round */
	struct anchor rows[ANCHORS_MAX];
	size_t count, running;
	int64_t round_ms; /* when the last round began, by clock_ms() */
	int64_t good_ms;  /* when the last round began that succeeded */
	struct instant round_at;
	struct instant good_at; /* as good_ms; at first when the anchors were opened */
	int failures;		/* rounds in a row */
	bool is_cut_off;
};

/*
 * `text`: URLs, hosts with a port, or hosts, which are pinged; separated by commas; NULL: none.
 * E_INVALID: another form. The arena keeps the anchors' texts.
 */
enum result anchors_parse(struct anchors *anchors, const char *text, struct arena *arena,
			  struct error *error) MUST_USE;
/* Begins. `call`, `now` and `context` are set. */
void anchors_open(struct anchors *anchors, struct loop *loop, struct prober *prober);
void anchors_close(struct anchors *anchors);

/* Whether an anchor has responded to a check that began at `since_ms` or later; true if there are
 * no anchors. If not, checks them at once. */
bool anchors_ask(struct anchors *anchors, int64_t since_ms);

#endif
