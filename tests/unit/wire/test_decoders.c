/* Tests that the corpora do not contain: the events for the sink, and that a failure of the sink
 * ends the decoding. */
#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit/lib/recorder.h"
#include "wire/limits.h"
#include "wire/urlencoded.h"

static struct recorder recorder;
static struct error error;

static void a_file_part_is_told_from_a_text_part(void **state)
{
	(void)state;
	recorder_init(&recorder);
	struct str body = STR("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
			      "--B\r\nContent-Disposition: form-data; name=\"f\"; "
			      "filename=\"/etc/x.png\"\r\n\r\n2\r\n--B--");
	assert_int_equal(OK, record_multipart(&recorder, "B", body, &error));
	assert_string_equal("a=1;f<x.png>=2;", recorder_text(&recorder));
	assert_int_equal(PAIR_TEXT, recorder.pairs[0].shape);
	assert_int_equal(PAIR_FILE, recorder.pairs[1].shape);
	recorder_done(&recorder);
}

static void a_refusal_of_the_sink_is_passed_up(void **state)
{
	(void)state;
	struct str body =
		STR("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--");
	recorder_init(&recorder);
	recorder.refuse = E_TOO_LARGE;
	assert_int_equal(E_TOO_LARGE, record_multipart(&recorder, "B", body, &error));
	assert_int_equal(E_TOO_LARGE, record_urlencoded(&recorder, STR("a=1"), &error));
	assert_int_equal(E_TOO_LARGE, record_json(&recorder, STR("{\"a\":1}"), &error));
	recorder_done(&recorder);
}

static void padding_has_a_limit(void **state)
{
	(void)state;
	char body[512];
	for (int blanks = WIRE_BOUNDARY_PADDING_MAX_BYTES; blanks <= 80; blanks += 16) {
		snprintf(body, sizeof(body),
			 "--B%*s\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B--",
			 blanks, "");
		recorder_init(&recorder);
		bool is_taken = record_multipart(&recorder, "B", str_from(body), &error) == OK &&
				recorder.count == 1;
		assert_int_equal(blanks <= WIRE_BOUNDARY_PADDING_MAX_BYTES, is_taken);
		recorder_done(&recorder);
	}
}

static void path_segments_are_decoded_strictly(void **state)
{
	(void)state;
	char out[64];
	assert_true(percent_decode(STR("status%2dpages+x%2F"), out));
	assert_string_equal("status-pages+x/", out);
	assert_false(percent_decode(STR("a%"), out));
	assert_false(percent_decode(STR("a%2"), out));
	assert_false(percent_decode(STR("a%zz"), out));
	assert_false(percent_decode(STR("a%00"), out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_part_is_told_from_a_text_part),
		cmocka_unit_test(a_refusal_of_the_sink_is_passed_up),
		cmocka_unit_test(padding_has_a_limit),
		cmocka_unit_test(path_segments_are_decoded_strictly),
	};
	return RUN(tests);
}
