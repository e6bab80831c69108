/* Checks by ping on loopback: by datagram sockets, raw sockets, and by TCP without a right to both.
 */
#include "unit/lib/unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/clock.h"
#include "probe/icmp.h"
#include "unit/probe/network.h"
#include "unit/probe/probing.h"

#define PING(...) ((struct check_settings){ .type = CHECK_PING, __VA_ARGS__ })

static bool set_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

/* In the namespace of an ordinary user they cannot be forbidden again. */
static bool allow_datagrams(bool is_allowed)
{
	return set_file("/proc/sys/net/ipv4/ping_group_range", is_allowed ? "0 0" : "1 0");
}

static void hosts_respond(void)
{
	struct probe_result result = probe_run(PING(.url = "127.0.0.1"));
	assert_string_equal("", result.cause);
	assert_string_equal("127.0.0.1", result.address);
	assert_string_equal("", result.note);
	assert_true(result.first_byte_us >= 0);
	result = probe_run(PING(.url = "::1"));
	assert_string_equal("", result.cause);
	assert_string_equal("::1", result.address);
	probe_is_up(PING(.url = "plain.test"));
	probe_is_up(PING(.url = "dual.test"));
	probe_fails(PING(.url = "192.0.2.1"), "no route to the network");
	probe_fails(PING(.url = "missing.test"), "the name does not exist");
}

static void hosts_respond_to_datagram_sockets(void **state)
{
	NEEDS_NETWORK();
	if (!allow_datagrams(true))
		skip();
	hosts_respond();
}

static void hosts_respond_to_raw_sockets(void **state)
{
	NEEDS_NETWORK();
	if (!allow_datagrams(false))
		skip();
	hosts_respond();
}

static void private_addresses_are_refused(void **state)
{
	NEEDS_NETWORK();
	probing_refuse_private();
	probe_fails(PING(.url = "127.0.0.1"), "the address is not public");
}

static void a_silent_host_fails_at_the_time_out(void **state)
{
	NEEDS_NETWORK();
	assert_true(set_file("/proc/sys/net/ipv4/icmp_echo_ignore_all", "1"));
	int64_t before_ms = clock_ms();
	probe_fails(PING(.url = "127.0.0.1", .timeout = 1), "no response within 1 s");
	assert_true(clock_ms() - before_ms >= 1000);
	probe_cancel_everywhere(PING(.url = "127.0.0.1", .timeout = 1));
	/* IPv4 does not respond, IPv6 does; then the reverse. */
	probe_is_up(PING(.url = "dual.test"));
	assert_true(set_file("/proc/sys/net/ipv4/icmp_echo_ignore_all", "0"));
	assert_true(set_file("/proc/sys/net/ipv6/icmp/echo_ignore_all", "1"));
	struct probe_result result = probe_run(PING(.url = "dual.test"));
	assert_true(set_file("/proc/sys/net/ipv6/icmp/echo_ignore_all", "0"));
	assert_true(result.is_up);
	assert_string_equal("127.0.0.1", result.address);
	/* The time is that of the packet that was answered, not of those before. */
	assert_true(result.response_ms < 500 && result.done_us > 900000);
}

struct lost {
	struct loop_timer timer;
	bool is_set;
};

static void respond_again(void *context)
{
	struct lost *lost = context;
	lost->is_set = set_file("/proc/sys/net/ipv4/icmp_echo_ignore_all", "0");
}

static void a_lost_packet_is_no_failure(void **state)
{
	NEEDS_NETWORK();
	struct lost lost = { .timer = { .call = respond_again, .context = &lost } };
	assert_true(set_file("/proc/sys/net/ipv4/icmp_echo_ignore_all", "1"));
	loop_timer_set(&loop, &lost.timer, clock_ms() + 150);
	struct probe_result result = probe_run(PING(.url = "127.0.0.1", .timeout = 1));
	assert_true(lost.is_set && result.is_up);
	assert_true(result.done_us > 300000);
}

static void a_network_without_a_route_fails_at_once(void **state)
{
	NEEDS_NETWORK();
	if (system("ip route add unreachable 203.0.113.0/24 && "
		   "ip route add prohibit 192.0.2.0/24") != 0)
		skip();
	probe_fails(PING(.url = "203.0.113.7"), "no route to the host");
	probe_fails(PING(.url = "192.0.2.7"),
		    "the firewall of this machine refuses the connection");
	probe_is_up(PING(.url = "127.0.0.1"));
	/* Where IPv6 is switched off. */
	assert_true(set_file("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1"));
	struct probe_result result = probe_run(PING(.url = "::1"));
	assert_true(probe_run(PING(.url = "dual.test")).is_up);
	assert_true(set_file("/proc/sys/net/ipv6/conf/all/disable_ipv6", "0"));
	assert_string_equal("this machine has no IPv6", result.cause);
	assert_int_equal(0,
			 system("ip route flush type unreachable; ip route flush type prohibit"));
}

/* Another machine on the way, which sees the requests: what it answers to each. */
enum answer {
	UNREACHABLE,
	UNREACHABLE_SHORT, /* quotes no more than it must */
	UNREACHABLE_FORGED,
	REPLY,
	REPLY_CUT,
	REPLY_FORGED,
};
enum { IP_BYTES = 20, QUOTED_AT = 8, TOKEN_AT = 8 };

struct middle {
	struct loop_watch watch;
	enum answer answer;
	int answers;
};

static void set_checksum(uint8_t *message, size_t len)
{
	unsigned sum = 0;
	message[2] = message[3] = 0;
	for (size_t i = 0; i < len; i += 2)
		sum += (unsigned)(message[i] << 8 | message[i + 1]);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = ~(sum + (sum >> 16));
	message[2] = (uint8_t)(sum >> 8);
	message[3] = (uint8_t)sum;
}

static void answer_request(void *context)
{
	struct middle *middle = context;
	const struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr = { htonl(0x7f000001) } };
	uint8_t request[100], message[100] = { 3, 1 };
	size_t len = QUOTED_AT + IP_BYTES + ICMP_ECHO_BYTES;
	if (recv(middle->watch.fd, request, sizeof(request), 0) != IP_BYTES + ICMP_ECHO_BYTES ||
	    request[IP_BYTES] != 8)
		return;
	memcpy(message + QUOTED_AT, request, IP_BYTES + ICMP_ECHO_BYTES);
	if (middle->answer == UNREACHABLE_SHORT)
		len -= ICMP_TOKEN_BYTES;
	if (middle->answer == UNREACHABLE_FORGED)
		message[QUOTED_AT + IP_BYTES + TOKEN_AT]++;
	if (middle->answer >= REPLY) {
		len = ICMP_ECHO_BYTES;
		memcpy(message, request + IP_BYTES, len);
		message[0] = 0;
		len -= middle->answer == REPLY_CUT ? 2 : 0;
		message[TOKEN_AT] ^= middle->answer == REPLY_FORGED ? 1 : 0;
	}
	set_checksum(message, len);
	assert_int_equal(len, sendto(middle->watch.fd, message, len, 0,
				     (const struct sockaddr *)&to, sizeof(to)));
	middle->answers++;
}

/* All answers come from 127.0.0.1. */
static void check_answers(void)
{
	static const struct {
		enum answer answer;
		const char *url, *cause;
	} answers[] = {
		{ UNREACHABLE, "127.0.0.5", "no route to the host" },
		{ UNREACHABLE_SHORT, "127.0.0.5", "no route to the host" },
		{ UNREACHABLE_FORGED, "127.0.0.5", "no response within 1 s" },
		{ REPLY, "127.0.0.1", "" },
		{ REPLY, "127.0.0.5", "no response within 1 s" },
		{ REPLY_CUT, "127.0.0.1", "no response within 1 s" },
		{ REPLY_FORGED, "127.0.0.1", "no response within 1 s" },
	};
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		struct middle middle = { .watch = { .call = answer_request, .context = &middle },
					 .answer = answers[i].answer };
		int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
		assert_true(loop_watch(&loop, &middle.watch, fd));
		probe_fails(PING(.url = answers[i].url, .timeout = 1), answers[i].cause);
		assert_true(middle.answers > 0);
		loop_unwatch(&loop, &middle.watch);
		close(fd);
	}
}

static void only_what_belongs_to_the_request_counts(void **state)
{
	NEEDS_NETWORK();
	bool is_forbidden = allow_datagrams(false);
	assert_true(set_file("/proc/sys/net/ipv4/icmp_echo_ignore_all", "1"));
	if (is_forbidden)
		check_answers();
	if (allow_datagrams(true)) {
		probing_close(NULL);
		probing_open(NULL);
		check_answers();
	}
	assert_true(set_file("/proc/sys/net/ipv4/icmp_echo_ignore_all", "0"));
	allow_datagrams(false);
}

enum { HOSTS = 300 };

struct many {
	struct probe probes[HOSTS];
	struct check_settings settings[HOSTS];
	char urls[HOSTS][20];
	struct probe_result results[HOSTS];
	size_t ended;
};
static struct many many;

static void take_one(void *context, const struct probe_result *result)
{
	size_t i = (size_t)((struct probe *)context - many.probes);
	many.results[i] = *result;
	if (++many.ended == HOSTS)
		loop_stop(&loop);
}

static void many_hosts_are_pinged_at_once(void **state)
{
	NEEDS_NETWORK();
	int before = network_descriptors();
	many.ended = 0;
	for (size_t i = 0; i < HOSTS; i++) {
		snprintf(many.urls[i], sizeof(many.urls[i]), "127.0.%zu.%zu", 1 + i / 200, i % 200);
		many.settings[i] = PING(.url = many.urls[i], .timeout = 10);
		many.probes[i] = (struct probe){ .settings = &many.settings[i],
						 .call = take_one,
						 .context = &many.probes[i] };
		probe_start(prober, &many.probes[i]);
	}
	loop_run(&loop);
	assert_int_equal(before, network_descriptors());
	for (size_t i = 0; i < HOSTS; i++) {
		assert_string_equal("", many.results[i].cause);
		assert_string_equal(many.urls[i], many.results[i].address);
	}
}

/* In a child without the right to send ICMP. Ends the process. */
static void check_without_right(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { 0 };
	if (syscall(SYS_capset, &header, none) != 0)
		_exit(99);
	struct probe_result up = probe_run(PING(.url = "127.0.0.1"));
	struct probe_result dead = probe_run(PING(.url = "192.0.2.1"));
	bool is_right = up.is_up && strcmp(up.address, "") == 0 &&
			strcmp(up.note, "no right to send ICMP: TCP connection to port 443") == 0 &&
			strcmp(dead.cause, "no route to the network") == 0 &&
			strcmp(dead.note, "no right to send ICMP: TCP connection to port 80") == 0;
	_exit(is_right ? 0 : 1);
}

static void without_the_right_to_icmp_tcp_decides(void **state)
{
	NEEDS_NETWORK();
	int status = 0;
	if (!allow_datagrams(false))
		skip();
	pid_t pid = fork();
	if (pid == 0)
		check_without_right();
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_int_equal(0, WEXITSTATUS(status));
}

static void a_cancelled_check_leaves_nothing(void **state)
{
	NEEDS_NETWORK();
	probe_cancel_everywhere(PING(.url = "dual.test"));
	probe_cancel_everywhere(PING(.url = "192.0.2.1"));
}

static void packets_are_written_and_read(void **state)
{
	(void)state;
	const struct icmp_echo sent = { 0xff01, { 1, 2, 3, 4, 5, 6, 7, 8 }, true };
	struct icmp_echo got;
	uint8_t packet[60 + ICMP_ECHO_BYTES] = { 0 }, *echo = packet + 60;
	unsigned sum = 0;
	icmp_write_request(AF_INET, &sent, echo);
	for (size_t i = 0; i < ICMP_ECHO_BYTES; i += 2)
		sum += (unsigned)(echo[i] << 8 | echo[i + 1]);
	assert_int_equal(0xffff, (sum & 0xffff) + (sum >> 16));
	assert_true(icmp_read_quoted(AF_INET, echo, ICMP_ECHO_BYTES, &got) && got.has_token);
	assert_memory_equal(sent.token, got.token, ICMP_TOKEN_BYTES);
	assert_memory_equal(sent.token, echo + 4, 2);
	assert_int_equal(0xff01, got.sequence);
	assert_true(icmp_read_quoted(AF_INET, echo, 8, &got) && !got.has_token);
	assert_false(icmp_read_quoted(AF_INET, echo, 7, &got));
	assert_false(icmp_read_quoted(AF_INET6, echo, ICMP_ECHO_BYTES, &got));
	/* A request is no reply. */
	assert_false(icmp_read_reply(AF_INET, false, echo, ICMP_ECHO_BYTES, &got));
	echo[0] = 0;
	assert_true(icmp_read_reply(AF_INET, false, echo, ICMP_ECHO_BYTES, &got));
	assert_false(icmp_read_reply(AF_INET, false, echo, ICMP_ECHO_BYTES - 1, &got));
	assert_false(icmp_read_reply(AF_INET6, false, echo, ICMP_ECHO_BYTES, &got));
	/* With the longest IP header, and with broken ones. */
	packet[0] = 0x4f;
	packet[9] = 1;
	assert_true(icmp_read_reply(AF_INET, true, packet, sizeof(packet), &got));
	assert_int_equal(0xff01, got.sequence);
	assert_false(icmp_read_reply(AF_INET, true, packet, 59, &got));
	assert_false(icmp_read_reply(AF_INET, true, packet, 19, &got));
	packet[0] = 0x44;
	assert_false(icmp_read_reply(AF_INET, true, packet, sizeof(packet), &got));
	packet[0] = 0x6f;
	assert_false(icmp_read_reply(AF_INET, true, packet, sizeof(packet), &got));
	packet[0] = 0x4f;
	packet[9] = 6;
	assert_false(icmp_read_reply(AF_INET, true, packet, sizeof(packet), &got));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, probing_open, probing_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(hosts_respond_to_datagram_sockets),
		TEST(hosts_respond_to_raw_sockets),
		TEST(private_addresses_are_refused),
		TEST(a_silent_host_fails_at_the_time_out),
		TEST(a_lost_packet_is_no_failure),
		TEST(a_network_without_a_route_fails_at_once),
		TEST(only_what_belongs_to_the_request_counts),
		TEST(many_hosts_are_pinged_at_once),
		TEST(without_the_right_to_icmp_tcp_decides),
		TEST(a_cancelled_check_leaves_nothing),
		cmocka_unit_test(packets_are_written_and_read),
	};
	return cmocka_run_group_tests(tests, probing_start, probing_stop);
}
