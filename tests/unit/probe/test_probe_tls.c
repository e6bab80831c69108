/* Checks of TLS against tests/lib/probe-server. */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "unit/probe/probing.h"

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

#define TLS(...) ((struct check_settings){ .type = CHECK_TLS, __VA_ARGS__ })

enum { DAY_S = 86400 };

/* Days from now, rounded; at least -2. */
static int days_until(struct instant at)
{
	return (int)((at.s - clock_now().s + 2 * DAY_S + DAY_S / 2) / DAY_S) - 2;
}

static void a_valid_certificate_is_accepted(void **state)
{
	NEEDS_NETWORK();
	struct probe_result result = probe_run(TLS(.url = "127.0.0.1:2101", .verify_tls = true));
	assert_string_equal("", result.cause);
	assert_int_equal(30, days_until(result.tls_expires_at));
	assert_string_equal("O = The Tests, CN = Authority", result.tls_issuer);
	assert_string_equal("127.0.0.1", result.address);
	assert_true(result.secured_us >= result.connected_us && result.connected_us > 0);
}

static void the_name_must_be_that_of_the_certificate(void **state)
{
	NEEDS_NETWORK();
	static const char *const names[] = { "plain.test:2101", "plain.wild.test:2101" };
	struct probe_result result = probe_run(TLS(.url = names[0], .verify_tls = true));
	assert_string_equal("the certificate is for another name", result.cause);
	assert_int_equal(30, days_until(result.tls_expires_at));
	probe_is_up(TLS(.url = names[0], .verify_tls = false));
	probe_is_up(TLS(.url = names[1], .verify_tls = true));
	probe_is_up(TLS(.url = "secure.test:2105", .verify_tls = true));
	probe_fails(TLS(.url = "127.0.0.1:2105", .verify_tls = true),
		    "the certificate is for another name");
}

static void invalid_certificates_are_told_apart(void **state)
{
	NEEDS_NETWORK();
	static const struct {
		const char *url, *cause;
		int days;
	} servers[] = {
		{ "secure.test:2102", "the certificate has expired", -1 },
		{ "secure.test:2103", "the certificate's authority is not known", 30 },
		{ "secure.test:2104", "the certificate is self-signed", 30 },
	};
	for (size_t i = 0; i < ARRAY_LEN(servers); i++) {
		struct probe_result result =
			probe_run(TLS(.url = servers[i].url, .verify_tls = true));
		assert_string_equal(servers[i].cause, result.cause);
		assert_int_equal(servers[i].days, days_until(result.tls_expires_at));
		result = probe_run(TLS(.url = servers[i].url, .verify_tls = false));
		assert_string_equal("", result.cause);
		assert_int_equal(servers[i].days, days_until(result.tls_expires_at));
	}
}

static void failed_handshakes_have_plain_causes(void **state)
{
	NEEDS_NETWORK();
	probe_fails(TLS(.url = "127.0.0.1:2001"), "the TLS handshake failed: wrong version number");
	probe_fails(TLS(.url = "127.0.0.1:2003"), "the connection was closed in the TLS handshake");
	probe_fails(TLS(.url = "127.0.0.1:2004"), "connection reset");
	probe_fails(TLS(.url = "127.0.0.1:2009", .timeout = 1), "no TLS handshake within 1 s");
	probe_fails(TLS(.url = "127.0.0.1"), "connection refused");
	probe_fails(TLS(.url = "missing.test"), "the name does not exist");
	probing_refuse_private();
	probe_fails(TLS(.url = "plain.test:2101"), "the address is not public");
}

/* The authority is removed from the file, and installed again. */
static void the_trusted_certificates_are_read_again_after_an_hour(void **state)
{
	NEEDS_NETWORK();
	const struct check_settings settings = TLS(.url = "127.0.0.1:2101", .verify_tls = true);
	const char *file = arena_printf(&arena, "%s/ca.pem", test_folder);
	const char *away = arena_printf(&arena, "%s/away.pem", test_folder);
	const char *self_signed = arena_printf(&arena, "%s/self.pem", test_folder);
	probe_is_up(settings);
	assert_int_equal(0, rename(file, away));
	assert_int_equal(0, symlink(self_signed, file));
	passed_s = 3590;
	probe_is_up(settings);
	passed_s = 3610;
	probe_fails(settings, "the certificate's authority is not known");
	assert_int_equal(0, rename(away, file));
	passed_s += 3610;
	probe_is_up(settings);
	passed_s = 0;
}

static void a_cancelled_check_leaves_nothing(void **state)
{
	NEEDS_NETWORK();
	probe_cancel_everywhere(TLS(.url = "plain.wild.test:2101", .verify_tls = true));
	probe_cancel_everywhere(TLS(.url = "127.0.0.1:2001"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, probing_open, probing_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_valid_certificate_is_accepted),
		TEST(the_name_must_be_that_of_the_certificate),
		TEST(invalid_certificates_are_told_apart),
		TEST(failed_handshakes_have_plain_causes),
		TEST(the_trusted_certificates_are_read_again_after_an_hour),
		TEST(a_cancelled_check_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, probing_start_services, probing_stop);
}
