#include "unit/probe/http_world.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "unit/lib/server.h"
#include "unit/lib/unit.h"
#include "unit/probe/network.h"

enum { PATIENCE_S = 30 };

int http_port, https_port, other_port, expired_port, self_port, h2_port;
bool has_network;
struct loop loop;
struct prober *prober;
struct check_settings settings;
struct buf *probe_body;
struct probe_result result;

static struct test_server server, names;
static bool has_servers;
static int calls, names_port;

static bool add_public_address(void)
{
	struct ifreq address = { .ifr_name = "lo:1" };
	struct sockaddr_in *to = (struct sockaddr_in *)(void *)&address.ifr_addr;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	to->sin_family = AF_INET;
	inet_pton(AF_INET, PUBLIC_ADDRESS, &to->sin_addr);
	bool is_added = ioctl(fd, SIOCSIFADDR, &address) == 0;
	close(fd);
	return is_added;
}

int start_servers(void **state)
{
	if (folder_start(state) != 0)
		return 1;
	has_network = network_enter() && add_public_address();
	const char *const argv[] = { TESTS_DIR "/lib/http-server", test_folder,
				     has_network ? "0.0.0.0" : "127.0.0.1", NULL };
	const char *const names_argv[] = { TESTS_DIR "/lib/dns-server", "127.0.0.1", "0", NULL };
	has_servers = server_start(&names, names_argv) && server_start(&server, argv) &&
		      sscanf(names.line, "%d", &names_port) == 1 &&
		      sscanf(server.line, "%d %d %d %d %d %d", &http_port, &https_port, &other_port,
			     &expired_port, &self_port, &h2_port) == 6;
	return 0;
}

int stop_servers(void **state)
{
	if (has_servers) {
		server_stop(&server);
		server_stop(&names);
	}
	return folder_end(state);
}

void use_prober(bool allows_private, const char *ca_file)
{
	struct error error = { 0 };
	const struct prober_settings here = {
		.allows_private = allows_private,
		.resolver = arena_printf(&arena, "127.0.0.1:%d", names_port),
		.ca_file = ca_file,
		.base_url = "https://status.example",
	};
	prober_close(prober);
	assert_int_equal(OK, prober_open(&prober, &loop, &here, &error));
}

int open_prober(void **state)
{
	(void)state;
	settings = (struct check_settings){ .type = CHECK_HTTP,
					    .timeout = PATIENCE_S,
					    .follow_redirects = true,
					    .verify_tls = true };
	if (!loop_open(&loop))
		return 1;
	prober = NULL;
	probe_body = NULL;
	use_prober(true, arena_printf(&arena, "%s/ca.pem", test_folder));
	return 0;
}

int close_prober(void **state)
{
	(void)state;
	prober_close(prober);
	return !loop_close(&loop);
}

static void end(void *context, const struct probe_result *ended)
{
	(void)context;
	result = *ended;
	calls++;
	loop_stop(&loop);
}

void run(void)
{
	struct probe probe = { .settings = &settings, .call = end, .body = probe_body };
	if (!has_servers)
		skip();
	calls = 0;
	probe_start(prober, &probe);
	assert_int_equal(0, calls);
	loop_run(&loop);
	assert_int_equal(1, calls);
	assert_null(probe.own);
}

void check(const char *path)
{
	settings.url = arena_printf(&arena, "http://127.0.0.1:%d%s", http_port, path);
	run();
}

void is_up(const char *path)
{
	check(path);
	assert_string_equal("", result.cause);
	assert_true(result.is_up);
	assert_false(result.is_void);
}

void is_down(const char *path, const char *cause)
{
	check(path);
	assert_string_equal(cause, result.cause);
	assert_false(result.is_up);
	assert_false(result.is_void);
}

bool has(const char *path, const char *text)
{
	settings.alert_condition = CHECK_NO_TEXT;
	settings.alert_text_lookup = text;
	check(path);
	return result.is_up;
}
