/* Checks by TCP against tests/lib/probe-server. */
#include "unit/lib/unit.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe/connect.h"
#include "unit/probe/network.h"
#include "unit/probe/probing.h"

#define TCP(...) ((struct check_settings){ .type = CHECK_TCP, __VA_ARGS__ })

static void a_connection_is_enough(void **state)
{
	NEEDS_NETWORK();
	struct probe_result result = probe_run(TCP(.url = "tcp://127.0.0.1:2007"));
	assert_true(result.is_up);
	assert_string_equal("127.0.0.1", result.address);
	assert_true(result.connected_us >= result.resolved_us);
	assert_int_equal(PROBE_NOT_REACHED, result.first_byte_us);
	probe_is_up(TCP(.url = "plain.test:2007"));
	probe_is_up(TCP(.url = "plain.test:2003"));
}

static void failures_have_plain_causes(void **state)
{
	NEEDS_NETWORK();
	probe_fails(TCP(.url = "127.0.0.1:1"), "connection refused");
	probe_fails(TCP(.url = "[::1]:2007"), "connection refused");
	probe_fails(TCP(.url = "192.0.2.1:2007"), "no route to the network");
	probe_fails(TCP(.url = "missing.test:2007"), "the name does not exist");
	probe_fails(TCP(.url = "plain.test"), "the address of the system has no port");
	probe_fails(TCP(.url = "127.0.0.1:2004", .tcp_expect = "x"), "connection reset");
	probe_fails(TCP(.url = "127.0.0.1:2003", .tcp_expect = "x"),
		    "the connection was closed without a response");
	probe_fails(TCP(.url = "127.0.0.1:2008", .tcp_expect = "the text"),
		    "the text \"the text\" is missing");
	probe_fails(TCP(.url = "127.0.0.1:2007", .tcp_expect = "x", .timeout = 1),
		    "no response with the expected text within 1 s");
	probe_fails(TCP(.url = "127.0.0.1:2001", .tcp_expect = "554", .timeout = 1),
		    "no response with the expected text within 1 s");
	probe_fails(TCP(.url = "silent.test:2007", .timeout = 1),
		    "no address of the name within 1 s");
}

static void private_addresses_are_refused(void **state)
{
	NEEDS_NETWORK();
	probing_refuse_private();
	probe_fails(TCP(.url = "127.0.0.1:2007"), "the address is not public");
	probe_fails(TCP(.url = "plain.test:2007"), "the address is not public");
	probe_fails(TCP(.url = "[::ffff:127.0.0.1]:2007"), "the address is not public");
}

static void a_text_is_found_over_pieces(void **state)
{
	NEEDS_NETWORK();
	probe_is_up(TCP(.url = "127.0.0.1:2001", .tcp_expect = "220 mail.test"));
	probe_is_up(TCP(.url = "127.0.0.1:2001", .tcp_expect = "ESMTP\r\n"));
	probe_is_up(TCP(.url = "127.0.0.1:2001", .tcp_expect = "2"));
}

static void a_text_must_begin_and_end_within_the_limit(void **state)
{
	NEEDS_NETWORK();
	probe_is_up(TCP(.url = "127.0.0.1:2005", .tcp_expect = "xtext"));
	probe_fails(TCP(.url = "127.0.0.1:2005", .tcp_expect = "texts"),
		    "the text \"texts\" is missing");
	probe_fails(TCP(.url = "127.0.0.1:2006", .tcp_expect = "xtexts"),
		    "the text \"xtexts\" is missing");
}

static void a_text_is_sent_with_its_control_characters(void **state)
{
	NEEDS_NETWORK();
	probe_is_up(TCP(.url = "127.0.0.1:2002", .tcp_send = "PING\\r\\n\\t\\\\x\\!",
			.tcp_expect = "+PONG\r"));
	probe_is_up(TCP(.url = "127.0.0.1:2002", .tcp_send = "PONG!", .tcp_expect = "-ERR"));
	/* Without an expected text it is enough that the text was sent. */
	probe_is_up(TCP(.url = "127.0.0.1:2007", .tcp_send = "x\\"));
}

static int listen_on(const char *host, int port, int backlog)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int on = 1;
	assert_int_equal(0, setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)));
	assert_int_equal(1, inet_pton(AF_INET, host, &address.sin_addr));
	assert_int_equal(0, bind(fd, (const struct sockaddr *)&address, sizeof(address)));
	assert_int_equal(0, listen(fd, backlog));
	return fd;
}

/* The first of two.test's addresses does not respond, since its queue is full. */
static void a_dead_address_does_not_fail_a_system_with_another(void **state)
{
	NEEDS_NETWORK();
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(2200) };
	int fillers[3], dead = listen_on("127.0.0.2", 2200, 0), living;
	assert_int_equal(1, inet_pton(AF_INET, "127.0.0.2", &address.sin_addr));
	for (size_t i = 0; i < ARRAY_LEN(fillers); i++) {
		fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		connect(fillers[i], (const struct sockaddr *)&address, sizeof(address));
	}
	probe_fails(TCP(.url = "two.test:2200", .timeout = 1), "no connection within 1 s");
	living = listen_on("127.0.0.3", 2200, 100);
	struct probe_result result = probe_run(TCP(.url = "two.test:2200"));
	assert_true(result.is_up);
	assert_string_equal("127.0.0.3", result.address);
	assert_true(result.connected_us > (CONNECT_NEXT_MS - 1) * 1000);
	probe_cancel_everywhere(TCP(.url = "two.test:2200"));
	close(living);
	close(dead);
	for (size_t i = 0; i < ARRAY_LEN(fillers); i++)
		close(fillers[i]);
	/* IPv6 refuses at once, and IPv4 responds. */
	result = probe_run(TCP(.url = "dual.test:2007"));
	assert_true(result.is_up);
	assert_string_equal("127.0.0.1", result.address);
	assert_true(result.connected_us < CONNECT_NEXT_MS * 1000);
}

static bool set_local_ports(const char *range)
{
	FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "w");
	return file && fputs(range, file) >= 0 && fclose(file) == 0;
}

/* With one port for connections of this machine, it is the target's: nobody listens there. */
static void a_connection_to_itself_is_none(void **state)
{
	NEEDS_NETWORK();
	if (!set_local_ports("2301 2301"))
		skip();
	probe_fails(TCP(.url = "127.0.0.1:2301"), "connection refused");
	/* Without a free port there is no result. */
	assert_true(set_local_ports("2302 2302"));
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(2009) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(1, inet_pton(AF_INET, "127.0.0.1", &address.sin_addr));
	assert_int_equal(0, connect(fd, (const struct sockaddr *)&address, sizeof(address)));
	assert_true(probe_run(TCP(.url = "127.0.0.1:2009")).is_void);
	close(fd);
	assert_true(set_local_ports("32768 60999"));
}

static void a_lack_of_descriptors_is_no_failure(void **state)
{
	NEEDS_NETWORK();
	struct rlimit limit, none;
	assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &limit));
	none = (struct rlimit){ 3, limit.rlim_max };
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &none));
	struct probe_result result = probe_run(TCP(.url = "127.0.0.1:2007"));
	struct probe_result named = probe_run(TCP(.url = "plain.test:2007"));
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &limit));
	assert_true(result.is_void && named.is_void);
	probe_is_up(TCP(.url = "127.0.0.1:2007"));
}

static bool disable_ipv6(const char *value)
{
	FILE *file = fopen("/proc/sys/net/ipv6/conf/all/disable_ipv6", "w");
	return file && fputs(value, file) >= 0 && fclose(file) == 0;
}

/* dual.test has three addresses of IPv6, the last among them, and two of IPv4. */
static void without_ipv6_the_other_addresses_decide(void **state)
{
	NEEDS_NETWORK();
	if (!disable_ipv6("1"))
		skip();
	probe_fails(TCP(.url = "dual.test:1"), "connection refused");
	probe_is_up(TCP(.url = "dual.test:2007"));
	struct probe_result result = probe_run(TCP(.url = "[::1]:2007"));
	assert_true(disable_ipv6("0"));
	assert_string_equal("this machine has no IPv6", result.cause);
}

static void a_cancelled_check_leaves_nothing(void **state)
{
	NEEDS_NETWORK();
	probe_cancel_everywhere(TCP(.url = "plain.test:2001", .tcp_expect = "ESMTP"));
	probe_cancel_everywhere(
		TCP(.url = "127.0.0.1:2002", .tcp_send = "PING!", .tcp_expect = "-ERR"));
	probe_cancel_everywhere(TCP(.url = "dual.test:1"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, probing_open, probing_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_connection_is_enough),
		TEST(failures_have_plain_causes),
		TEST(private_addresses_are_refused),
		TEST(a_text_is_found_over_pieces),
		TEST(a_text_must_begin_and_end_within_the_limit),
		TEST(a_text_is_sent_with_its_control_characters),
		TEST(a_dead_address_does_not_fail_a_system_with_another),
		TEST(a_connection_to_itself_is_none),
		TEST(a_lack_of_descriptors_is_no_failure),
		TEST(without_ipv6_the_other_addresses_decide),
		TEST(a_cancelled_check_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, probing_start_services, probing_stop);
}
