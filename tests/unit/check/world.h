/*
 * A world for the checker: time passes only when the loop has nothing to do, probes end as the test
 * says, and the recorder writes down what it is told. So an hour of ten thousand monitors takes
 * seconds, and every run is the same.
 */
#ifndef UNIT_CHECK_WORLD_H
#define UNIT_CHECK_WORLD_H

#include "unit/lib/unit.h"

#include "check/checked.h"

enum { WORLD_START_S = 1700000000 };

/* How a check of this URL ends that starts now. */
struct ending {
	bool is_up;
	bool is_void;
	int64_t ms;
	struct instant tls_expires_at;
	bool tls_is_over;
};
typedef struct ending world_rule(const struct check_settings *settings);

struct world {
	struct loop loop;
	struct checker *checker;
	struct recorder_observer observer;
	struct config config;
	world_rule *rule;
	/* What the probes have done. */
	size_t started, running, running_most, cancelled;
	void (*starts)(const struct probe *probe); /* NULL: nobody wants to know */
	/* What the recorder was told, and what the program was. */
	char told[4096];
	size_t records;
	int64_t rest_s;		    /* since the last run of --once */
	struct check_record record; /* the last */
	int status;
};
extern struct world world;

int64_t world_ms(void); /* since the start */
int world_begin(void **state);
int world_end(void **state);
void world_open(bool is_once);
/* Lets so many milliseconds pass. */
void world_pass(int64_t ms);
/* Sets the day's clock forth, or back. */
void world_set_clock(int64_t by_s);

/* A monitor of type http whose host is its id, or another. */
struct checked_monitor world_monitor(int64_t id, const char *url);
void world_list(struct checked_monitor *rows, size_t count);
void world_signal(int64_t monitor_id, int kind, int64_t value);
/* What the recorder was told since the last call: "D7@60" for monitor 7 is down since second 60. */
const char *world_told(void);

#endif
