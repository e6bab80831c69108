/*
 * Anchors: systems outside the operator's network that are nearly always up. If no anchor responds,
 * the checker is cut off from the network, and says nothing about the systems that it checks.
 *
 * The checker checks the anchors in rounds: every ANCHORS_EVERY_MS, every ANCHORS_AGAIN_MS while it
 * is cut off, and at once after anchors_ask(). A round succeeds with the first anchor that
 * responds. The checker counts as cut off after two failed rounds in a row.
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
	/* Called when the checker becomes cut off, and when it is connected again. */
	void (*call)(void *context, bool is_cut_off);
	struct instant (*now)(void *context);
	void *context;

	struct loop *loop;
	struct prober *prober;
	struct loop_timer timer; /* the next round */
	struct anchor rows[ANCHORS_MAX];
	size_t count, running;
	int64_t round_ms; /* when the last round began, by clock_ms() */
	int64_t good_ms;  /* when the last successful round began */
	struct instant round_at;
	/* The time of good_ms by the clock of now(). Before the first successful round: the time of
	 * anchors_open(). */
	struct instant good_at;
	int failures; /* failed rounds in a row */
	bool is_cut_off;
};

/*
 * Parses `text`, a list separated by commas. Each item is a URL, a host with a port, or a host
 * without a port, which is checked by ping. text NULL: no anchors. E_INVALID: an item has none of
 * these forms. `arena` owns the texts of the anchors.
 */
enum result anchors_parse(struct anchors *anchors, const char *text, struct arena *arena,
			  struct error *error) MUST_USE;
/* Starts the rounds. The caller has set `call`, `now` and `context`. */
void anchors_open(struct anchors *anchors, struct loop *loop, struct prober *prober);
void anchors_close(struct anchors *anchors);

/* Returns whether an anchor has responded in a round that began at `since_ms` or later; true if
 * there are no anchors. If it returns false, it also starts a round at once. */
bool anchors_ask(struct anchors *anchors, int64_t since_ms);

#endif
