#include "unit/lib/unit.h"

#include "unit/probe/probing.h"

#include <stdio.h>
#include <unistd.h>

#include "base/secret.h"
#include "unit/lib/server.h"
#include "unit/probe/network.h"

struct loop loop;
struct prober *prober;
bool has_network;

static struct test_server dns, services;
static bool has_services;
static struct error error;
static char ca_file[64];

int probing_start(void **state)
{
	const char *const argv[] = { TESTS_DIR "/lib/dns-server", "127.0.0.1", "53", NULL };
	if (folder_start(state) != 0)
		return 1;
	folder_write_text("resolv.conf", "nameserver 127.0.0.1\n");
	has_network = network_enter() &&
		      network_replace_file("/etc/resolv.conf",
					   arena_printf(&arena, "%s/resolv.conf", test_folder)) &&
		      server_start(&dns, argv);
	/* Afterwards the system does not let an ordinary user change namespaces. */
	secret_init();
	return 0;
}

int probing_start_services(void **state)
{
	const char *const argv[] = { TESTS_DIR "/lib/probe-server", test_folder, NULL };
	if (probing_start(state) != 0)
		return 1;
	has_services = has_network && server_start(&services, argv);
	has_network &= has_services;
	snprintf(ca_file, sizeof(ca_file), "%s/ca.pem", test_folder);
	return 0;
}

int probing_stop(void **state)
{
	if (has_services)
		server_stop(&services);
	if (has_network)
		server_stop(&dns);
	return folder_end(state);
}

static bool open_prober(bool allows_private)
{
	const struct prober_settings settings = { .allows_private = allows_private,
						  .ca_file = has_services ? ca_file : NULL };
	return prober_open(&prober, &loop, &settings, &error) == OK;
}

int probing_open(void **state)
{
	(void)state;
	return !loop_open(&loop) || !open_prober(true);
}

int probing_close(void **state)
{
	(void)state;
	prober_close(prober);
	return !loop_close(&loop);
}

void probing_refuse_private(void)
{
	prober_close(prober);
	assert_true(open_prober(false));
}

struct run {
	bool has_ended;
	struct probe_result result;
};

static void take(void *context, const struct probe_result *result)
{
	struct run *run = context;
	assert_false(run->has_ended);
	run->has_ended = true;
	run->result = *result;
	assert_true(result->done_us >= 0);
	assert_true(result->is_up == (result->cause[0] == '\0'));
	loop_stop(&loop);
}

static void set_timeout(struct check_settings *settings)
{
	if (settings->timeout == 0)
		settings->timeout = 10;
}

struct probe_result probe_run(struct check_settings settings)
{
	struct run run = { 0 };
	struct probe probe = { .settings = &settings, .call = take, .context = &run };
	set_timeout(&settings);
	probe_start(prober, &probe);
	assert_false(run.has_ended);
	loop_run(&loop);
	assert_true(run.has_ended);
	return run.result;
}

void probe_is_up(struct check_settings settings)
{
	struct probe_result result = probe_run(settings);
	if (!result.is_up)
		fail_msg("%s: %s", settings.url, result.cause);
}

void probe_fails(struct check_settings settings, const char *cause)
{
	struct probe_result result = probe_run(settings);
	assert_string_equal(cause, result.cause);
	assert_false(result.is_void);
}

static void stop_loop(void *context)
{
	(void)context;
	loop_stop(&loop);
}

void probe_cancel_everywhere(struct check_settings settings)
{
	struct loop_timer timer = { .call = stop_loop };
	struct run run = { 0 };
	int before = 0;
	set_timeout(&settings);
	for (int turns = 0; !run.has_ended; turns += turns / 4 + 1) {
		struct probe probe = { .settings = &settings, .call = take, .context = &run };
		probe_start(prober, &probe);
		for (int i = 0; i < turns && !run.has_ended; i++) {
			loop_timer_set(&loop, &timer, clock_ms() + 1);
			loop_run(&loop);
		}
		loop_timer_cancel(&loop, &timer);
		if (!run.has_ended)
			probe_cancel(&probe);
		/* The prober keeps what the first check has opened. */
		probing_close(NULL);
		assert_true(before == 0 || before == network_descriptors());
		before = network_descriptors();
		probing_open(NULL);
		assert_true(turns < 3000);
	}
}
