#include "unit/lib/unit.h"

#include "wire/mediatype.h"

static void bodies_are_told_apart(void **state)
{
	(void)state;
	static const struct {
		const char *header;
		enum body_type type;
		const char *boundary;
	} rows[] = {
		{ "", BODY_NONE, "" },
		{ "  ", BODY_NONE, "" },
		{ "application/x-www-form-urlencoded", BODY_URLENCODED, "" },
		{ "Application/X-WWW-Form-Urlencoded; charset=UTF-8", BODY_URLENCODED, "" },
		{ "application/json;charset=utf-8", BODY_JSON, "" },
		{ "application/jsonx", BODY_OTHER, "" },
		{ "text/plain", BODY_OTHER, "" },
		{ "rubbish", BODY_OTHER, "" },
		{ "a/b/c", BODY_OTHER, "" },
		{ "multipart/form-data; boundary=x", BODY_MULTIPART, "x" },
		{ "multipart/form-data; charset=utf-8; BOUNDARY=\"a b\\\"c\"", BODY_MULTIPART,
		  "a b\"c" },
		{ "multipart/form-data;boundary=x;", BODY_MULTIPART, "x" },
		{ "multipart/form-data", BODY_MALFORMED, "" },
		{ "multipart/form-data; boundary=", BODY_MALFORMED, "" },
		{ "multipart/form-data; boundary=\"x", BODY_MALFORMED, "" },
		{ "multipart/form-data; boundary=\"x \"", BODY_MALFORMED, "" },
		{ "multipart/form-data; boundary=x; boundary=x", BODY_MALFORMED, "" },
		{ "multipart/form-data; boundary=x; =y", BODY_MALFORMED, "" },
		{ "multipart/form-data; boundary=----=_Part:1/2", BODY_MULTIPART,
		  "----=_Part:1/2" },
		{ "multipart/form-data; boundary=x y", BODY_MALFORMED, "" },
		{ "multipart/mixed; boundary=x", BODY_OTHER, "" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct mediatype mediatype;
		mediatype_parse(str_from(rows[i].header), &mediatype);
		if (mediatype.type != rows[i].type)
			fail_msg("%s: %d", rows[i].header, (int)mediatype.type);
		if (mediatype.type == BODY_MULTIPART)
			assert_string_equal(rows[i].boundary, mediatype.boundary);
	}
}

static void parameters_are_walked_in_order(void **state)
{
	(void)state;
	struct header_params params;
	struct header_param param;
	struct str value =
		header_value(STR("form-data ; name=\"a;b\" ;; FileName=x.y; z"), &params);
	assert_true(str_eq(STR("form-data"), value));
	assert_true(header_next_param(&params, &param));
	assert_true(str_eq(STR("a;b"), param.value));
	assert_true(header_next_param(&params, &param));
	assert_true(str_eq(STR("FileName"), param.name));
	assert_true(str_eq(STR("x.y"), param.value));
	assert_false(header_next_param(&params, &param));
	assert_true(params.is_malformed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_are_told_apart),
		cmocka_unit_test(parameters_are_walked_in_order),
	};
	return RUN(tests);
}
