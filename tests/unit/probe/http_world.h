/* HTTP checks in a network of the test's own, of tests/lib/http-server, with tests/lib/dns-server.
 */
#ifndef PROBE_HTTP_WORLD_H
#define PROBE_HTTP_WORLD_H

#include "probe/probe.h"

extern int http_port, https_port, other_port, expired_port, self_port, h2_port;
/* A public address of this machine, on which the servers listen, too. False: there is no network of
 * the test's own. */
#define PUBLIC_ADDRESS "9.9.9.9"
extern bool has_network;

extern struct loop loop;
extern struct prober *prober;
extern struct check_settings settings; /* of the checks that follow; set again for each test */
extern struct buf *probe_body;	       /* NULL for each test at first */
extern struct probe_result result;     /* of the last check */

/* For groups and tests. Without python3 or openssl the tests are skipped. */
int start_servers(void **state);
int stop_servers(void **state);
int open_prober(void **state);
int close_prober(void **state);
/* Replaces the prober. */
void use_prober(bool allows_private, const char *ca_file);

/* Makes the check of settings.url. */
void run(void);
/* The same of a path of the server. */
void check(const char *path);
void is_up(const char *path);
void is_down(const char *path, const char *cause);
/* Whether the response, such as that of /echo, has the text. */
bool has(const char *path, const char *text);

#define ONE(test)	  cmocka_unit_test_setup_teardown(test, open_prober, close_prober)
#define RUN_CHECKS(tests) cmocka_run_group_tests(tests, start_servers, stop_servers)

#endif
