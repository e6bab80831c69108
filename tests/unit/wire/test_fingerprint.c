#include "unit/lib/unit.h"

#include "unit/lib/recorder.h"
#include "wire/fingerprint.h"
#include "wire/multipart.h"
#include "wire/urlencoded.h"

static struct recorder recorder;
static struct error error;

static void of_multipart(uint8_t hash[SECRET_HASH_BYTES], const char *boundary, struct str body)
{
	struct fingerprint fingerprint;
	recorder_init(&recorder);
	fingerprint_init(&fingerprint, &recorder.sink);
	assert_int_equal(OK, multipart_decode(body, boundary, &fingerprint.sink, &error));
	assert_string_equal("a=1 2;f<x>=\xff;", recorder_text(&recorder));
	recorder_done(&recorder);
	fingerprint_end(&fingerprint, hash);
}

static void boundaries_make_no_difference(void **state)
{
	(void)state;
#define BODY(boundary) \
	"--" boundary "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1 2\r\n" \
	"--" boundary "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n" \
	"\xff\r\n--" boundary "--"
	uint8_t first[SECRET_HASH_BYTES], other[SECRET_HASH_BYTES];
	of_multipart(first, "B", STR(BODY("B")));
	of_multipart(other, "Another", STR(BODY("Another")));
	assert_memory_equal(first, other, sizeof(first));
}

static void of_form(uint8_t hash[SECRET_HASH_BYTES], struct str body)
{
	struct fingerprint fingerprint;
	recorder_init(&recorder);
	fingerprint_init(&fingerprint, &recorder.sink);
	assert_int_equal(OK, urlencoded_decode(body, &fingerprint.sink, &error));
	recorder_done(&recorder);
	fingerprint_end(&fingerprint, hash);
}

static void what_says_something_else_differs(void **state)
{
	(void)state;
	/* The last bodies contain bytes that could be taken for separators. */
	static const char *const bodies[] = {
		"a=1&b=2",
		"b=2&a=1",
		"a=1",
		"a=1&b=",
		"a=12",
		"a1=2",
		"a=1&a=1&b=2",
		"",
		"a=1%3A1%0A1%3A0%3Ab2",
		"a=1%3A1%0A1%3A0%3Ab2%3A1%0A",
		"a=1%3A1%0A9%3A0%3Ac%3A2%0A1%3A0%3Ab&b=2",
		"a=1&c%3A2%0A1%3A0%3Ab=2",
	};
	uint8_t one[SECRET_HASH_BYTES], two[SECRET_HASH_BYTES];
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
		for (size_t j = 0; j < i; j++) {
			of_form(one, str_from(bodies[i]));
			of_form(two, str_from(bodies[j]));
			assert_memory_not_equal(one, two, sizeof(one));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boundaries_make_no_difference),
		cmocka_unit_test(what_says_something_else_differs),
	};
	return RUN(tests);
}
