/* Names that set the direction of text, alone and in sentences. */
#include "unit/lib/unit.h"

#include "base/bidi.h"

#define LRE   "\xe2\x80\xaa"
#define PDF   "\xe2\x80\xac"
#define RLO   "\xe2\x80\xae"
#define LRI   "\xe2\x81\xa6"
#define RLI   "\xe2\x81\xa7"
#define FSI   "\xe2\x81\xa8"
#define PDI   "\xe2\x81\xa9"
#define RLM   "\xe2\x80\x8f"
#define ALEF  "\xd7\x90"
#define ADLAM "\xf0\x9e\xa4\x80"

static const struct {
	const char *name, *closed, *isolated;
} rows[] = {
	{ "", "", "" },
	{ "Checkout", "Checkout", "Checkout" },
	/* Accents, East Asia, emoji, a space that does not break */
	{ "Zahlung\xc2\xa0\xc3\xa4 \xe6\x94\xaf \xf0\x9f\x9a\xa8",
	  "Zahlung\xc2\xa0\xc3\xa4 \xe6\x94\xaf \xf0\x9f\x9a\xa8",
	  "Zahlung\xc2\xa0\xc3\xa4 \xe6\x94\xaf \xf0\x9f\x9a\xa8" },
	{ ALEF " 1", ALEF " 1", FSI ALEF " 1" PDI },
	{ "a" ADLAM, "a" ADLAM, FSI "a" ADLAM PDI },
	{ "a" RLM, "a" RLM, FSI "a" RLM PDI },
	/* begun and not ended */
	{ RLO "abc", RLO "abc" PDF, FSI RLO "abc" PDF PDI },
	{ LRE RLO "abc" PDF, LRE RLO "abc" PDF PDF, FSI LRE RLO "abc" PDF PDF PDI },
	{ RLI "abc", RLI "abc" PDI, FSI RLI "abc" PDI PDI },
	{ LRI FSI RLO "a", LRI FSI RLO "a" PDF PDI PDI, FSI LRI FSI RLO "a" PDF PDI PDI PDI },
	/* ended and not begun */
	{ "a" PDI "b" PDF, "ab", FSI "ab" PDI },
	{ PDI RLO "abc", RLO "abc" PDF, FSI RLO "abc" PDF PDI },
	/* The end of an isolate ends an embedding inside it, and no end of an embedding leaves an
	 * isolate. */
	{ LRI RLO "a" PDI "b", LRI RLO "a" PDI "b", FSI LRI RLO "a" PDI "b" PDI },
	{ RLO LRI "a" PDF, RLO LRI "a" PDI PDF, FSI RLO LRI "a" PDI PDF PDI },
	/* in order */
	{ RLI "abc" PDI, RLI "abc" PDI, FSI RLI "abc" PDI PDI },
	{ RLO "abc" PDF, RLO "abc" PDF, FSI RLO "abc" PDF PDI },
};

static void what_a_name_begins_ends_with_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_string_equal(rows[i].closed, bidi_closed(rows[i].name, &arena));
		assert_string_equal(rows[i].isolated, bidi_isolated(rows[i].name, &arena));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_name_begins_ends_with_it),
	};
	return RUN_WITH_ARENA(tests);
}
