#include "unit/lib/unit.h"

#include "view/html.h"

struct row {
	const char *text;
	const char *escaped;
};

static const struct row rows[] = {
	{ "", "" },
	{ "a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;" },
	{ "tab\tand\nline", "tab\tand\nline" },
	{ "\x01\x1b[0m\r", "  [0m " },
	/* no characters of XML: U+FFFE, U+FFFF; and their neighbours, which are */
	{ "\xef\xbf\xbe|\xef\xbf\xbf|", "\xef\xbf\xbd|\xef\xbf\xbd|" },
	{ "\xef\xbf\xbd|\xef\xbe\xbe|\xef\xbb\xbf", "\xef\xbf\xbd|\xef\xbe\xbe|\xef\xbb\xbf" },
	{ "\xf0\x9f\xbf\xbe", "\xf0\x9f\xbf\xbe" },
	/* cut short */
	{ "\xef", "\xef" },
	{ "\xef\xbf", "\xef\xbf" },
};

static void text_is_well_formed_in_html_and_xml(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT(1000);
		html_text(&out, rows[i].text);
		assert_string_equal(rows[i].escaped, out.data ? out.data : "");
		buf_done(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_well_formed_in_html_and_xml),
	};
	return RUN(tests);
}
