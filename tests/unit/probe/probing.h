/* For the tests of checks: runs them one by one, in a network of the test's own with the servers
 * tests/lib/dns-server (127.0.0.1:53) and, if it is started, tests/lib/probe-server. */
#ifndef PROBE_PROBING_H
#define PROBE_PROBING_H

#include "probe/probe.h"

extern struct loop loop;
extern struct prober *prober;
extern bool has_network; /* else the tests are skipped */

int probing_start(void **state);
/* As above, and starts tests/lib/probe-server. */
int probing_start_services(void **state);
int probing_stop(void **state);
/* For each test: a loop, and a prober that may reach private addresses. */
int probing_open(void **state);
int probing_close(void **state);
/* Replaces the prober by one that may not. */
void probing_refuse_private(void);

/* Runs a check. A timeout of 0 is 10 s. Descriptors of the check must be closed. */
struct probe_result probe_run(struct check_settings settings);
void probe_is_up(struct check_settings settings);
void probe_fails(struct check_settings settings, const char *cause);
/* Cancels the check after 0 ms, 1 ms, and so on, until it ends by itself. */
void probe_cancel_everywhere(struct check_settings settings);

#define NEEDS_NETWORK() \
	do { \
		(void)state; \
		if (!has_network) \
			skip(); \
	} while (0)

#endif
