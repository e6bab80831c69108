#include "unit/lib/unit.h"

#include "unit/lib/recorder.h"
#include "wire/fingerprint.h"
#include "wire/multipart.h"
#include "wire/urlencoded.h"

static struct recorder recorder;
static struct error error;

static void of_multipart(struct fingerprint *fingerprint, const char *boundary, struct str body,
			 size_t piece)
{
	struct multipart decoder;
	recorder_init(&recorder);
	fingerprint_init(fingerprint, &recorder.sink, 4096);
	multipart_init(&decoder, boundary, &fingerprint->sink);
	while (body.len > 0) {
		struct str head = { body.data, body.len < piece ? body.len : piece };
		assert_int_equal(OK, multipart_feed(&decoder, head, &error));
		body = str_skip(body, head.len);
	}
	assert_int_equal(OK, multipart_finish(&decoder, &error));
	assert_string_equal("a=1 2;f<x>=\xff;", recorder_text(&recorder));
	recorder_done(&recorder);
}

static void boundaries_and_splits_make_no_difference(void **state)
{
	(void)state;
#define BODY(boundary)                                                                          \
	"--" boundary "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1 2\r\n"         \
	"--" boundary "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n" \
	"\xff\r\n--" boundary "--"
	struct fingerprint first, other;
	of_multipart(&first, "B", STR(BODY("B")), 4096);
	assert_true(buf_ok(&first.text));
	for (size_t piece = 1; piece < 40; piece++) {
		of_multipart(&other, "Another", STR(BODY("Another")), piece);
		assert_string_equal(first.text.data, other.text.data);
		buf_done(&other.text);
	}
	buf_done(&first.text);
}

static void of_form(struct fingerprint *fingerprint, struct str body)
{
	struct urlencoded decoder;
	recorder_init(&recorder);
	fingerprint_init(fingerprint, &recorder.sink, 4096);
	urlencoded_init(&decoder, &fingerprint->sink);
	assert_int_equal(OK, urlencoded_feed(&decoder, body, &error));
	assert_int_equal(OK, urlencoded_finish(&decoder, &error));
	recorder_done(&recorder);
}

static void what_says_something_else_differs(void **state)
{
	(void)state;
	/* The last ones hold what stands between names and values. */
	static const char *const bodies[] = {
		"a=1&b=2", "b=2&a=1", "a=1", "a=1&b=", "a=12", "a=1&a=1&b=2", "",
		"a=1%3A1%0A1%3A0%3Ab2", "a=1%3A1%0A1%3A0%3Ab2%3A1%0A",
	};
	struct fingerprint one, two;
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
		for (size_t j = 0; j < i; j++) {
			of_form(&one, str_from(bodies[i]));
			of_form(&two, str_from(bodies[j]));
			assert_true(one.text.len != two.text.len ||
				    memcmp(one.text.data, two.text.data, one.text.len) != 0);
			buf_done(&one.text);
			buf_done(&two.text);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boundaries_and_splits_make_no_difference),
		cmocka_unit_test(what_says_something_else_differs),
	};
	return RUN(tests);
}
