#include "unit/lib/unit.h"

#include "domain/notify/subscriber.h"

/* Whether the text is taken, and as what. */
static bool set(const char *text, struct subscriber *subscriber)
{
	struct violations violations;
	violations_init(&violations, &arena);
	bool is_set = subscriber_set_address(subscriber, text, &arena, &violations);
	assert_int_equal(is_set ? 0 : 1, violations.count);
	if (!is_set)
		assert_true(violations_has(&violations, "address"));
	return is_set;
}

static void addresses_and_webhooks_are_told_apart(void **state)
{
	(void)state;
	static const struct {
		const char *text, *address;
		enum subscriber_type type;
	} rows[] = {
		{ "ann@example.org", "ann@example.org", SUBSCRIBER_EMAIL },
		{ "ops@bücher.example", "ops@xn--bcher-kva.example", SUBSCRIBER_EMAIL },
		{ "a+b@example.org", "a+b@example.org", SUBSCRIBER_EMAIL },
		{ "https://hooks.example.org/x?a=1", "https://hooks.example.org/x?a=1",
		  SUBSCRIBER_WEBHOOK },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct subscriber subscriber = { 0 };
		assert_true(set(rows[i].text, &subscriber));
		assert_string_equal(rows[i].address, subscriber.address);
		assert_int_equal(rows[i].type, subscriber.type);
		assert_int_equal(64, strlen(subscriber.address_hash));
	}
}

static void other_texts_are_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {
		"",
		"a",
		"a@b",
		"a b@example.org",
		"a@example.org, b@example.org",
		"a@example.org\r\nBcc: b@example.org",
		"http://example.org/",
		"HTTPS://example.org/",
		"https://user@example.org/",
		"https://user:password@example.org/",
		"https://",
		"https://example.org/\nX: y",
		"https://example.org/ x",
		"javascript:alert(1)",
		"<script>@example.org",
	};
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct subscriber subscriber = { 0 };
		if (set(wrong[i], &subscriber))
			fail_msg("\"%s\" is taken", wrong[i]);
		assert_null(subscriber.address);
	}
}

static const char *hash_of(const char *text)
{
	struct subscriber subscriber = { 0 };
	assert_true(set(text, &subscriber));
	return subscriber.address_hash;
}

static void writings_of_the_same_address_are_the_same(void **state)
{
	(void)state;
	assert_string_equal(hash_of("Ann@Example.ORG"), hash_of("ann@example.org"));
	assert_string_equal(hash_of("a@BÜCHER.example"), hash_of("A@xn--bcher-kva.example"));
	assert_string_not_equal(hash_of("a.b@example.org"), hash_of("ab@example.org"));
	/* The path of a URL has a case. */
	assert_string_not_equal(hash_of("https://example.org/A"), hash_of("https://example.org/a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_and_webhooks_are_told_apart),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(writings_of_the_same_address_are_the_same),
	};
	return RUN_WITH_ARENA(tests);
}
