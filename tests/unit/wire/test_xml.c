#include "unit/lib/unit.h"

#include "wire/xml.h"

static struct error error;

static void note(void *context, const char *path, struct str text)
{
	char **seen = context;
	*seen = arena_printf(&arena, "%s%s=%.*s;", *seen, path, (int)text.len, text.data);
}

/* The elements as "path=text;", or NULL for a document that is refused. */
static const char *read_text(const char *document)
{
	char *seen = arena_strdup(&arena, "");
	error = (struct error){ 0 };
	enum result result = xml_read(str_from(document), note, &seen, &error);
	assert_true(result == OK || result == E_MALFORMED);
	return result == OK ? seen : NULL;
}

static void elements_come_with_their_paths(void **state)
{
	(void)state;
	assert_string_equal("a=;", read_text("<a/>"));
	assert_string_equal("a/b=x;a/c/d=y & \u00e9;a/c=;a=;",
			    read_text("<?xml version=\"1.0\"?>\n<a xmlns=\"http://x/\"><b "
				      "z=\"1\">x</b><c><d>y &amp; &#233;</d></c></a>\n"));
	assert_string_equal("a/b=1;a=;", read_text("<n:a xmlns:n=\"u\"><n:b>1</n:b></n:a>"));
	assert_string_equal("a=<b>;", read_text("<a><![CDATA[<b>]]></a>"));
}

static void what_is_no_document_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = { "",
					   "text",
					   "<a>",
					   "<a></b>",
					   "<a/><b/>",
					   "{\"a\": 1}",
					   "<a>&unknown;</a>",
					   "<a>\x01</a>",
					   "<a>\xff</a>" };
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_null(read_text(bad[i]));
	assert_null(read_text("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>"));
	assert_non_null(strstr(error.log, "it has a document type"));
	assert_null(read_text("<!DOCTYPE html><html/>"));
}

static const char *repeat(const char *text, size_t count)
{
	char *all = arena_alloc(&arena, strlen(text) * count + 1);
	for (size_t i = 0; i < count; i++)
		memcpy(all + i * strlen(text), text, strlen(text));
	return all;
}

static void depth_and_lengths_are_limited(void **state)
{
	(void)state;
	for (size_t depth = XML_DEPTH_MAX; depth <= XML_DEPTH_MAX + 1; depth++) {
		const char *text = read_text(
			arena_printf(&arena, "%s%s", repeat("<a>", depth), repeat("</a>", depth)));
		assert_int_equal(depth <= XML_DEPTH_MAX, text != NULL);
	}
	for (size_t len = XML_TEXT_MAX - 1; len <= XML_TEXT_MAX; len++)
		assert_int_equal(len < XML_TEXT_MAX,
				 read_text(arena_printf(&arena, "<a>%s</a>", repeat("x", len))) !=
					 NULL);
	for (size_t len = XML_PATH_MAX - 1; len <= XML_PATH_MAX; len++)
		assert_int_equal(len < XML_PATH_MAX,
				 read_text(arena_printf(&arena, "<%s/>", repeat("x", len))) !=
					 NULL);
	/* A thousand texts of different elements are no long text. */
	assert_non_null(
		read_text(arena_printf(&arena, "<a>%s</a>", repeat("<b>0123456789</b>", 1000))));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_come_with_their_paths),
		cmocka_unit_test(what_is_no_document_is_refused),
		cmocka_unit_test(depth_and_lengths_are_limited),
	};
	return RUN_WITH_ARENA(tests);
}
