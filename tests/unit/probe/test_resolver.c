/* The resolver against tests/lib/dns-server, in a network of its own. The test sets the clock. */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "probe/address.h"
#include "probe/resolver.h"
#include "unit/lib/server.h"
#include "unit/probe/network.h"

/* wrapped: clock_gettime */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static int64_t passed_s;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	int outcome = __real_clock_gettime(clock, now);
	now->tv_sec += passed_s;
	return outcome;
}

enum { TYPE_TXT = 16 };

static struct loop loop;
static struct resolver *resolver;
static struct test_server server, other_server;
static bool has_network;
static struct error error;

struct asked {
	struct resolution resolution;
	int *open; /* answers that are missing */
	size_t count;
	const char *why;
	char addresses[256];
};

static void take(void *context, const struct resolver_answer *answer)
{
	struct asked *asked = context;
	char text[ADDRESS_TEXT_SIZE];
	asked->count = answer->count;
	asked->why = answer->why;
	asked->addresses[0] = '\0';
	assert_true((answer->count == 0) == (answer->why != NULL));
	for (size_t i = 0; i < answer->count; i++) {
		size_t len = strlen(asked->addresses);
		snprintf(asked->addresses + len, sizeof(asked->addresses) - len, "%s%s",
			 len ? " " : "",
			 address_text((const struct sockaddr *)&answer->addresses[i], text));
	}
	if (--*asked->open == 0)
		loop_stop(&loop);
}

static void begin(struct asked *asked, const char *host, int *open)
{
	*asked = (struct asked){ .resolution = { .call = take, .context = asked }, .open = open };
	++*open;
	resolver_start(resolver, &asked->resolution, host);
}

static struct asked resolve(const char *host)
{
	static struct asked asked;
	int open = 0;
	begin(&asked, host, &open);
	if (open > 0)
		loop_run(&loop);
	return asked;
}

static void is_told(const struct asked *asked, const char *addresses)
{
	if (asked->why)
		fail_msg("%s is expected, but %s", addresses, asked->why);
	assert_string_equal(addresses, asked->addresses);
}

static void resolves_to(const char *host, const char *addresses)
{
	struct asked asked = resolve(host);
	is_told(&asked, addresses);
}

static void fails(const char *host, const char *why)
{
	struct asked asked = resolve(host);
	assert_string_equal("", asked.addresses);
	assert_string_equal(why, asked.why);
}

struct told {
	struct resolution question;
	size_t len;
	unsigned char message[65535];
	const char *why;
};

static void take_message(void *context, const struct resolver_answer *answer)
{
	struct told *told = context;
	told->len = answer->len;
	told->why = answer->why;
	if (answer->message)
		memcpy(told->message, answer->message, answer->len);
	loop_stop(&loop);
}

static const struct told *ask_texts(const char *name)
{
	static struct told told;
	told = (struct told){ .question = { .call = take_message, .context = &told } };
	resolver_ask(resolver, &told.question, name, TYPE_TXT);
	loop_run(&loop);
	return &told;
}

/* How many queries the server has had for the name: c-ares asks for A and AAAA. */
static int queries(const char *name)
{
	char question[300];
	snprintf(question, sizeof(question), "count.%s", name);
	const struct told *told = ask_texts(question);
	assert_null(told->why);
	/* The last string of the message. */
	size_t at = told->len;
	while (told->message[at - 1] >= '0' && told->message[at - 1] <= '9')
		at--;
	return (int)strtol(arena_strndup(&arena, (const char *)told->message + at, told->len - at),
			   NULL, 10);
}

static const char *files_of_test(const char *name)
{
	return arena_printf(&arena, "%s/%s", test_folder, name);
}

static int start(void **state)
{
	if (folder_start(state) != 0)
		return 1;
	const char *const argv[] = { TESTS_DIR "/lib/dns-server", "127.0.0.1", "53", NULL };
	const char *const others[] = { TESTS_DIR "/lib/dns-server", "127.0.0.7", "53", NULL };
	folder_write_text("resolv.conf", "nameserver 127.0.0.1\nsearch test\n");
	folder_write_text("hosts", "127.0.0.1 localhost\n127.0.0.77 listed.test\n");
	has_network = network_enter() &&
		      network_replace_file("/etc/resolv.conf", files_of_test("resolv.conf")) &&
		      network_replace_file("/etc/hosts", files_of_test("hosts")) &&
		      server_start(&server, argv) && server_start(&other_server, others);
	return 0;
}

static int stop(void **state)
{
	if (has_network) {
		server_stop(&server);
		server_stop(&other_server);
	}
	return folder_end(state);
}

static int open_resolver(void **state)
{
	(void)state;
	passed_s = 0;
	return !loop_open(&loop) || resolver_open(&resolver, &loop, NULL, &error) != OK;
}

static int close_resolver(void **state)
{
	(void)state;
	resolver_close(resolver);
	return !loop_close(&loop);
}

#define NEEDS_NETWORK() \
	do { \
		(void)state; \
		if (!has_network) \
			skip(); \
	} while (0)

static void names_have_their_addresses(void **state)
{
	NEEDS_NETWORK();
	resolves_to("plain.test", "127.0.0.1");
	resolves_to("two.test", "127.0.0.2 127.0.0.3");
	resolves_to("dual.test", "::1 127.0.0.1 ::2 127.0.0.2 ::3");
	resolves_to("chain.test", "127.0.0.9");
	resolves_to("listed.test", "127.0.0.77");
	/* Names are not completed. */
	assert_int_equal(0, resolve("missing.host").count);
	assert_int_equal(0, queries("missing.host.test"));
	assert_int_equal(0, queries("listed.test"));
	assert_int_equal(RESOLVER_ADDRESSES_MAX, resolve("hundred.test").count);
}

static void an_address_is_not_asked_for(void **state)
{
	NEEDS_NETWORK();
	server_stop(&server);
	resolves_to("192.0.2.1", "192.0.2.1");
	resolves_to("2001:db8::1", "2001:db8::1");
	const char *const argv[] = { TESTS_DIR "/lib/dns-server", "127.0.0.1", "53", NULL };
	assert_true(server_start(&server, argv));
}

static void failures_have_plain_reasons(void **state)
{
	NEEDS_NETWORK();
	static const struct {
		const char *host, *why;
	} names[] = {
		{ "missing.test", "the name does not exist" },
		{ "empty.test", "the name has no address" },
		{ "servfail.test", "no DNS server could answer" },
		{ "refused.test", "no DNS server could answer" },
		{ "silent.test", "no DNS server responds" },
		{ "foreign.test", "no DNS server responds" },
		{ "cut.test", "the DNS server's answer is not valid" },
		{ "loop.test", "the name has no address" },
		{ "a..b", "the name is not valid" },
		{ "half.test", NULL }, /* there is an IPv4 address */
	};
	static struct asked asked[ARRAY_LEN(names)];
	int open = 0;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		begin(&asked[i], names[i].host, &open);
	loop_run(&loop);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].why)
			assert_string_equal(names[i].why, asked[i].why);
		else
			is_told(&asked[i], "127.0.0.1");
	/* The resolver goes on. */
	resolves_to("plain.test", "127.0.0.1");
}

static void garbage_is_no_answer(void **state)
{
	NEEDS_NETWORK();
	assert_int_equal(0, resolve("garbage.test").count);
}

static void a_lost_datagram_is_repeated(void **state)
{
	NEEDS_NETWORK();
	resolves_to("lost.test", "127.0.0.1");
}

static void answers_are_kept_for_their_time(void **state)
{
	NEEDS_NETWORK();
	resolves_to("ttl-30.test", "127.0.0.1");
	assert_int_equal(2, queries("ttl-30.test"));
	passed_s = 29;
	resolves_to("TTL-30.Test", "127.0.0.1");
	assert_int_equal(2, queries("ttl-30.test"));
	passed_s = 31;
	resolves_to("ttl-30.test", "127.0.0.1");
	assert_int_equal(4, queries("ttl-30.test"));
	/* A long time is shortened. */
	resolves_to("ttl-86400.test", "127.0.0.1");
	passed_s += RESOLVER_KEEP_S - 1;
	resolves_to("ttl-86400.test", "127.0.0.1");
	assert_int_equal(2, queries("ttl-86400.test"));
	passed_s += 2;
	resolves_to("ttl-86400.test", "127.0.0.1");
	assert_int_equal(4, queries("ttl-86400.test"));
	/* No time, and a failure, are not kept; an alias of 20 s bounds what it leads to. */
	resolves_to("ttl-0.test", "127.0.0.1");
	resolves_to("ttl-0.test", "127.0.0.1");
	assert_int_equal(4, queries("ttl-0.test"));
	fails("empty.now.test", "the name has no address");
	fails("empty.now.test", "the name has no address");
	assert_int_equal(8, queries("empty.now.test")); /* c-ares asks twice each */
	resolves_to("chain.now.test", "127.0.0.9");
	int before = queries("chain.now.test");
	passed_s += 21;
	resolves_to("chain.now.test", "127.0.0.9");
	assert_true(queries("chain.now.test") > before);
}

static void the_same_name_is_not_asked_for_each_check(void **state)
{
	NEEDS_NETWORK();
	enum { CHECKS = 500 };
	static struct asked asked[CHECKS];
	int open = 0;
	for (size_t i = 0; i < CHECKS; i++)
		begin(&asked[i], i % 2 ? "ttl-30.once.test" : "TTL-30.once.test", &open);
	loop_run(&loop);
	for (size_t i = 0; i < CHECKS; i++)
		is_told(&asked[i], "127.0.0.1");
	assert_int_equal(2, queries("ttl-30.once.test"));
}

/* An answer that the cache does not keep serves the checks that wait for it, and no later check. */
static void an_answer_without_time_serves_those_that_wait(void **state)
{
	NEEDS_NETWORK();
	enum { CHECKS = 5 };
	static struct asked asked[CHECKS];
	static const char *const hosts[] = { "ttl-0.shared.test", "empty.shared.test" };
	for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
		int open = 0, alone;
		resolve(hosts[i]);
		alone = queries(hosts[i]);
		for (size_t j = 0; j < CHECKS; j++)
			begin(&asked[j], hosts[i], &open);
		/* The question goes on without the check that asked it. */
		resolver_cancel(&asked[0].resolution);
		open--;
		loop_run(&loop);
		assert_int_equal(2 * alone, queries(hosts[i]));
		for (size_t j = 1; j < CHECKS; j++)
			assert_int_equal(i == 0 ? 1 : 0, asked[j].count);
	}
}

/* More names than are asked at once, and than the cache has room for, with few descriptors. */
static void thousands_of_names_need_few_descriptors(void **state)
{
	NEEDS_NETWORK();
	enum { NAMES = RESOLVER_NAMES_MAX + 100 };
	static struct asked asked[NAMES];
	struct rlimit limit, small;
	char name[32], address[32];
	int open = 0;
	assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &limit));
	small = (struct rlimit){ (rlim_t)network_descriptors() + 8, limit.rlim_max };
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &small));
	for (size_t i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "many-%zu.test", i);
		begin(&asked[i], name, &open);
	}
	loop_run(&loop);
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &limit));
	for (size_t i = 0; i < NAMES; i++) {
		snprintf(address, sizeof(address), "127.0.%zu.%zu", i / 250, i % 250 + 1);
		is_told(&asked[i], address);
	}
	/* The latest is kept. */
	snprintf(name, sizeof(name), "many-%d.test", NAMES - 1);
	assert_int_equal(1, resolve(name).count);
	assert_int_equal(2, queries(name));
}

/* Thousands of queries at once would overflow buffers: only the first names are asked at once. */
static void names_wait_for_their_turn(void **state)
{
	NEEDS_NETWORK();
	static struct asked asked[RESOLVER_TURN_MAX + 1];
	char name[32];
	int open = 0;
	for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
		snprintf(name, sizeof(name), "many-%zu.turn.test", i);
		begin(&asked[i], name, &open);
	}
	for (size_t i = 0; i < ARRAY_LEN(asked); i++)
		resolver_cancel(&asked[i].resolution);
	resolver_close(resolver);
	assert_int_equal(OK, resolver_open(&resolver, &loop, NULL, &error));
	snprintf(name, sizeof(name), "many-%d.turn.test", RESOLVER_TURN_MAX - 1);
	assert_int_equal(2, queries(name));
	snprintf(name, sizeof(name), "many-%d.turn.test", RESOLVER_TURN_MAX);
	assert_int_equal(0, queries(name));
}

static void a_lack_of_descriptors_is_no_failure_of_dns(void **state)
{
	NEEDS_NETWORK();
	struct rlimit limit, none;
	assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &limit));
	none = (struct rlimit){ 3, limit.rlim_max };
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &none));
	struct asked asked = resolve("many-1.test");
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &limit));
	assert_ptr_equal(resolver_lacks_means, asked.why);
	resolves_to("many-1.test", "127.0.0.2");
}

static void changed_files_are_followed(void **state)
{
	NEEDS_NETWORK();
	resolves_to("listed.test", "127.0.0.77");
	folder_write_text("hosts", "127.0.0.88 listed.test plain.changed.test\n");
	resolves_to("listed.test", "127.0.0.88");
	/* Another server is asked, also while the file is being written. */
	folder_write_text("resolv.conf", "nameserver 127.0.0.7\n");
	passed_s += RESOLVER_LOOK_MS / 1000;
	resolves_to("plain.other.test", "127.0.0.1");
	assert_int_equal(2, queries("plain.other.test"));
	folder_write_text("resolv.conf", "");
	passed_s += RESOLVER_LOOK_MS / 1000;
	assert_int_equal(2, queries("plain.other.test"));
	folder_write_text("resolv.conf", "nameserver 127.0.0.1\n# again\n");
	passed_s += RESOLVER_LOOK_MS / 1000;
	resolves_to("plain.test", "127.0.0.1");
	assert_int_equal(0, queries("plain.other.test"));
}

/* Names and questions that no server has answered yet go to the new server. */
static void a_change_does_not_end_what_was_asked(void **state)
{
	NEEDS_NETWORK();
	static struct asked asked, late;
	static struct told told;
	int open = 0;
	folder_write_text("resolv.conf", "nameserver 127.0.0.9\n");
	passed_s += RESOLVER_LOOK_MS / 1000;
	begin(&asked, "dual.test", &open);
	told = (struct told){ .question = { .call = take_message, .context = &told } };
	resolver_ask(resolver, &told.question, "count.any.test", TYPE_TXT);
	folder_write_text("resolv.conf", "nameserver 127.0.0.1\n# and again\n");
	passed_s += RESOLVER_LOOK_MS / 1000;
	begin(&late, "plain.test", &open);
	while (open > 0 || (told.len == 0 && !told.why))
		loop_run(&loop);
	assert_string_equal("::1 127.0.0.1 ::2 127.0.0.2 ::3", asked.addresses);
	assert_string_equal("127.0.0.1", late.addresses);
	assert_null(told.why);
}

static void named_servers_are_asked(void **state)
{
	NEEDS_NETWORK();
	static const char *const wrong[] = { "somewhere", "127.0.0.1:x:y", "127.0.0.1,nowhere" };
	struct resolver *shared = resolver;
	/* The first server does not respond. */
	assert_int_equal(OK, resolver_open(&resolver, &loop, "127.0.0.9:54, 127.0.0.7", &error));
	resolves_to("plain.named.test", "127.0.0.1");
	resolver_close(resolver);
	assert_int_equal(OK, resolver_open(&resolver, &loop, "127.0.0.7:53", &error));
	assert_int_equal(2, queries("plain.named.test"));
	resolver_close(resolver);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_int_equal(E_INVALID, resolver_open(&resolver, &loop, wrong[i], &error));
		assert_null(resolver);
	}
	resolver = shared;
}

static void a_truncated_answer_comes_by_tcp(void **state)
{
	NEEDS_NETWORK();
	const struct told *told = ask_texts("big.test");
	assert_true(told->len > 5000);
	assert_memory_equal("the last", told->message + told->len - 8, 8);
	assert_true(ask_texts("endless.test")->len > 65000);
	assert_string_equal("the name does not exist", ask_texts("missing.test")->why);
	assert_string_equal("the name has no record of this type", ask_texts("plain.test")->why);
}

static void stop_loop(void *context)
{
	(void)context;
	loop_stop(&loop);
}

/* In the queue, and while asked. */
static void what_is_cancelled_is_not_called(void **state)
{
	NEEDS_NETWORK();
	static struct asked asked[3 * RESOLVER_TURN_MAX];
	static struct told told[3];
	struct loop_timer timer = { .call = stop_loop };
	int open = 0;
	char name[32];
	for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
		snprintf(name, sizeof(name), "silent.%zu.test", i);
		begin(&asked[i], name, &open);
	}
	for (size_t i = 0; i < ARRAY_LEN(told); i++) {
		told[i] = (struct told){ .question = { .call = take_message } };
		resolver_ask(resolver, &told[i].question, "plain.test", TYPE_TXT);
	}
	for (size_t i = 0; i < ARRAY_LEN(asked); i++)
		resolver_cancel(&asked[i].resolution);
	resolver_cancel(&asked[0].resolution);
	for (size_t i = 0; i < ARRAY_LEN(told); i++)
		resolver_cancel(&told[i].question);
	resolver_cancel(&told[0].question);
	loop_timer_set(&loop, &timer, clock_ms() + 300);
	loop_run(&loop);
	assert_int_equal(ARRAY_LEN(asked), open);
}

static void all_descriptors_are_closed(void **state)
{
	NEEDS_NETWORK();
	int before = network_descriptors();
	struct resolver *other;
	for (int i = 0; i < 3; i++) {
		static struct told told;
		assert_int_equal(OK, resolver_open(&other, &loop, "127.0.0.1", &error));
		told = (struct told){ .question = { .call = take_message } };
		resolver_ask(other, &told.question, "silent.test", TYPE_TXT);
		resolver_cancel(&told.question);
		resolver_close(other);
	}
	resolver_close(NULL);
	assert_int_equal(before, network_descriptors());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_resolver, close_resolver)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names_have_their_addresses),
		TEST(an_address_is_not_asked_for),
		TEST(failures_have_plain_reasons),
		TEST(garbage_is_no_answer),
		TEST(a_lost_datagram_is_repeated),
		TEST(answers_are_kept_for_their_time),
		TEST(the_same_name_is_not_asked_for_each_check),
		TEST(an_answer_without_time_serves_those_that_wait),
		TEST(thousands_of_names_need_few_descriptors),
		TEST(names_wait_for_their_turn),
		TEST(a_lack_of_descriptors_is_no_failure_of_dns),
		TEST(changed_files_are_followed),
		TEST(a_change_does_not_end_what_was_asked),
		TEST(named_servers_are_asked),
		TEST(a_truncated_answer_comes_by_tcp),
		TEST(what_is_cancelled_is_not_called),
		TEST(all_descriptors_are_closed),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
