#include "unit/lib/unit.h"

#include "http/body.h"
#include "http/form.h"
#include "unit/lib/fake_gateway.h"

struct sample {
	const char *name;
};
static const struct field rows[] = { FIELD(struct sample, name) };

enum { MAX_BYTES = 1000 };

static struct sample sample;

struct given {
	const char *content_type;
	const char *body;
	int64_t length; /* -1: no Content-Length; -2: the length of the body */
	bool is_framed;
	bool is_chunked;
	bool is_broken;
};

static enum result read_body(const struct given *given, size_t piece)
{
	struct fake_gateway fake = {
		FAKE_GATEWAY, { { 0 } }, str_from(given->body), piece, given->is_broken
	};
	struct request request = { .content_type = given->content_type,
				   .content_length = given->length == -2
							     ? (int64_t)strlen(given->body)
							     : given->length };
	struct form form;
	struct violations violations;
	struct error error = { 0 };
	struct field_set sent;
	fake.gateway.is_framed = given->is_framed;
	if (given->is_chunked)
		memcpy(fake.params[0], ((const char *[]){ "HTTP_TRANSFER_ENCODING", "chunked" }),
		       sizeof(fake.params[0]));
	arena_reset(&arena);
	sample = (struct sample){ 0 };
	form_init(&form, FIELDS(rows), &arena);
	violations_init(&violations, &arena);
	enum result result = body_read(&request, &fake.gateway, &form.sink, MAX_BYTES, &error);
	if (result == OK)
		form_decode(&form, &sample, &sent, &violations);
	return result;
}

#define URL   "application/x-www-form-urlencoded"
#define MULTI "multipart/form-data; boundary=B"
#define PART  "--B\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nx\r\n"

static void each_body_has_its_outcome(void **state)
{
	(void)state;
	static const struct {
		struct given given;
		enum result result;
		const char *name;
	} table[] = {
		{ { URL, "name=x", -2, true }, OK, "x" },
		{ { URL, "name=x", -2, false }, OK, "x" },
		{ { "application/json", "{\"name\":\"x\"}", -2, true }, OK, "x" },
		{ { MULTI, PART "--B--\r\n", -2, true }, OK, "x" },
		/* without a length the protocol's end counts, which plain CGI does not have */
		{ { URL, "name=x", -1, true }, OK, "x" },
		{ { URL, "name=x", -1, false }, OK, NULL },
		{ { URL, "name=x", -1, false, .is_chunked = true }, OK, "x" },
		/* lengths other than that of the body */
		{ { URL, "name=x", 7, true }, E_MALFORMED, NULL },
		{ { URL, "name=x", 7, false }, E_MALFORMED, NULL },
		{ { URL, "name=xyz", 6, true }, E_MALFORMED, NULL },
		{ { URL, "name=xyz", 6, false }, OK, "x" },
		{ { URL, "name=x", MAX_BYTES + 1, true }, E_TOO_LARGE, NULL },
		{ { URL, "name=x", INT64_MAX, true }, E_TOO_LARGE, NULL },
		{ { URL, "name=x", -1, true, .is_broken = true }, E_MALFORMED, NULL },
		/* incomplete bodies */
		{ { MULTI, PART, -2, true }, E_MALFORMED, NULL },
		{ { "application/json", "{\"name\":\"x\"", -2, true }, E_MALFORMED, NULL },
		/* unsupported types */
		{ { "", "name=x", -2, true }, E_UNSUPPORTED, NULL },
		{ { "text/plain", "name=x", -2, true }, E_UNSUPPORTED, NULL },
		{ { "text/plain", "", -2, true }, OK, NULL },
		{ { "multipart/form-data", PART "--B--", -2, true }, E_MALFORMED, NULL },
		{ { MULTI, "", -2, true }, OK, NULL },
		{ { "application/json", "", -2, true }, OK, NULL },
	};
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		for (size_t piece = 0; piece < 3; piece++) {
			enum result result = read_body(&table[i].given, piece);
			if (result != table[i].result)
				fail_msg("row %zu in pieces of %zu: %d", i, piece, (int)result);
			if (result != OK)
				continue;
			if (!table[i].name)
				assert_null(sample.name);
			else
				assert_string_equal(table[i].name, sample.name);
		}
}

static void the_limit_is_on_what_arrives_too(void **state)
{
	(void)state;
	for (size_t over = 0; over < 2; over++) {
		char body[MAX_BYTES + 2] = "name=";
		memset(body + 5, 'a', MAX_BYTES - 5 + over);
		struct given given = { URL, body, -1, true };
		assert_int_equal(over ? E_TOO_LARGE : OK, read_body(&given, 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_body_has_its_outcome),
		cmocka_unit_test(the_limit_is_on_what_arrives_too),
	};
	return RUN_WITH_ARENA(tests);
}
