#include "unit/lib/unit.h"

#include "domain/mail_address.h"

static void addresses_have_their_ascii_form(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "ops@example.org", "ops@example.org" },
		{ "First.Last+tag@Example.ORG", "First.Last+tag@example.org" },
		{ "a@b\u00fccher.example", "a@xn--bcher-kva.example" },
		{ "!#$%&'*+-/=?^_`{|}~@example.org", "!#$%&'*+-/=?^_`{|}~@example.org" },
		{ "a@example.org.", "a@example.org" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(mail_address_ascii(&arena, rows[i][0]), rows[i][1]);
}

static void other_texts_are_refused(void **state)
{
	(void)state;
	static const char *const rows[] = {
		"",
		"@",
		"ops",
		"ops@",
		"@example.org",
		"ops@localhost",
		"ops@192.0.2.1",
		"ops@[192.0.2.1]",
		".ops@example.org",
		"ops.@example.org",
		"o..s@example.org",
		"o s@example.org",
		"o@s@example.org",
		"ops@example..org",
		"ops@-a.example",
		"stra\u00dfe@example.org",
		"\"o\"@example.org",
		"Ops <ops@example.org>",
		"ops@example.org,x@example.org",
		"ops@example.org\r\nX: y",
		"ops@exa mple.org",
		"ops\t@example.org",
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (mail_address_ascii(&arena, rows[i]))
			fail_msg("%s is accepted", rows[i]);
}

static void lengths_are_bounded(void **state)
{
	(void)state;
	char local[66];
	memset(local, 'a', sizeof(local));
	for (int len = 64; len <= 65; len++) {
		const char *text = arena_printf(&arena, "%.*s@example.org", len, local);
		assert_int_equal(mail_address_ascii(&arena, text) != NULL, len == 64);
	}
	/* The address, not only its parts, has at most 254 bytes. */
	for (int len = 3; len <= 4; len++) {
		const char *text = arena_printf(&arena, "%.64s@%.60s.%.60s.%.60s.%.*s", local,
						local, local, local, len, local);
		text = arena_printf(&arena, "%s.%.*s", text, (int)(254 - strlen(text) - 1), local);
		text = len == 3 ? text : arena_printf(&arena, "%s%s", text, "b");
		assert_int_equal(strlen(text), len == 3 ? 254 : 255);
		assert_int_equal(mail_address_ascii(&arena, text) != NULL, len == 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_have_their_ascii_form),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(lengths_are_bounded),
	};
	return RUN_WITH_ARENA(tests);
}
