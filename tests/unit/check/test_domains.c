/* Certificates and domains beside the checks. */
#include "unit/check/world.h"

#include <string.h>
#include <sysexits.h>

enum { MINUTE_MS = 60000 };

static bool is_of_registry(const struct check_settings *settings)
{
	return strstr(settings->url, "rdap") != NULL;
}

/* Registries respond after 15 s, and say nothing. */
static struct ending slow_registries(const struct check_settings *settings)
{
	return is_of_registry(settings) ? (struct ending){ .ms = 15000 }
					: (struct ending){ .is_up = true, .ms = 20 };
}

static void take_domains(const char *one, const char *two)
{
	const char *const domains[] = { one, two };
	world.observer.domains(world.observer.context, domains, 2);
}

static void no_check_waits_for_a_registry(void **state)
{
	struct checked_monitor row = world_monitor(1, NULL);
	(void)state;
	world.rule = slow_registries;
	world_open(false);
	world_list(&row, 1);
	world_pass(MINUTE_MS);
	world.records = 0;
	take_domains("example.com", "example.org");
	/* The list first; then one after the other. */
	world_pass(MINUTE_MS);
	assert_string_equal("asked:example.com@90 asked:example.org@105", world_told());
	assert_int_equal(1, world.records);
	/* No list for an hour, no RDAP for this suffix: no request. */
	size_t started = world.started;
	take_domains("example.test", "a.example.test");
	world_pass(10);
	assert_string_equal("asked:example.test@120 asked:a.example.test@120", world_told());
	assert_int_equal(started, world.started);
}

static bool is_broken;

static struct ending broken_line(const struct check_settings *settings)
{
	(void)settings;
	return (struct ending){ .is_up = !is_broken, .ms = 20 };
}

static void a_checker_that_is_cut_off_asks_nobody(void **state)
{
	(void)state;
	world.config.check_anchors = "anchor1.example";
	world.rule = broken_line;
	world_open(false);
	world_pass(MINUTE_MS);
	is_broken = true;
	world_pass(MINUTE_MS);
	(void)world_told();
	take_domains("example.com", "example.org");
	assert_string_equal("skipped:example.com@120 skipped:example.org@120", world_told());
	is_broken = false;
}

static void an_end_while_a_registry_is_asked_is_an_end(void **state)
{
	(void)state;
	world.rule = slow_registries;
	world_open(false);
	take_domains("example.com", "example.org");
	world_pass(1000);
	assert_string_equal("", world_told());
	/* A new list of domains, as after the lease was lost, does not disturb. */
	take_domains("example.net", "example.info");
	assert_string_equal("skipped:example.net@1 skipped:example.info@1", world_told());
}

static void once_waits_for_the_answers(void **state)
{
	(void)state;
	world.rule = slow_registries;
	world_open(true);
	world_list(NULL, 0);
	take_domains("example.com", "example.org");
	world_pass(40000);
	assert_int_equal(-1, world.status);
	world_pass(20000);
	assert_int_equal(EX_OK, world.status);
	assert_string_equal("asked:example.com@30 asked:example.org@45", world_told());
}

static struct ending certificate;

static struct ending with_certificate(const struct check_settings *settings)
{
	(void)settings;
	return certificate;
}

static void a_certificate_is_noted_with_the_time_of_the_check(void **state)
{
	struct checked_monitor row = world_monitor(1, NULL);
	(void)state;
	certificate = (struct ending){ .is_up = true, .tls_expires_at = { WORLD_START_S + 100 } };
	world.rule = with_certificate;
	world_open(false);
	world_list(&row, 1);
	world_pass(MINUTE_MS);
	int64_t seen_s = world.record.tls_seen_at.s;
	assert_int_equal(WORLD_START_S + 100, world.record.tls_expires_at.s);
	assert_in_range(seen_s, WORLD_START_S, WORLD_START_S + 60);
	/* A check that does not see it says nothing of it. */
	certificate = (struct ending){ .is_up = false };
	world_pass(MINUTE_MS);
	assert_int_equal(seen_s, world.record.tls_seen_at.s);
	assert_int_equal(WORLD_START_S + 100, world.record.tls_expires_at.s);
	/* It has expired: the handshake does not show it, but says so. */
	certificate.tls_is_over = true;
	world_pass(MINUTE_MS);
	assert_in_range(world.record.tls_seen_at.s, WORLD_START_S + 120, WORLD_START_S + 180);
	assert_int_equal(WORLD_START_S + 100, world.record.tls_expires_at.s);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, world_begin, world_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(no_check_waits_for_a_registry),
		IN_WORLD(a_checker_that_is_cut_off_asks_nobody),
		IN_WORLD(an_end_while_a_registry_is_asked_is_an_end),
		IN_WORLD(once_waits_for_the_answers),
		IN_WORLD(a_certificate_is_noted_with_the_time_of_the_check),
	};
	return RUN(tests);
}
