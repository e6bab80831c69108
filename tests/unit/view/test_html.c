#include "unit/lib/unit.h"

#include "view/service_html.h"
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

static void a_failure_says_what_is_known_and_no_more(void **state)
{
	(void)state;
	struct buf out = BUF_INIT(10000);
	service_failure_html(&out, words_of_service(), 400, "<b> is no path.", NULL);
	assert_non_null(strstr(out.data, "<p>&lt;b&gt; is no path.</p>\n</main>"));
	buf_clear(&out);
	service_failure_html(&out, words_of_service(), 503, NULL, "0123456789abcdef");
	assert_non_null(strstr(out.data, "<h1>Away for a moment</h1>"));
	assert_non_null(strstr(out.data, " 0123456789abcdef."));
	buf_clear(&out);
	/* A status that has no words of its own is a failure like others. */
	service_failure_html(&out, words_of_service(), 599, NULL, NULL);
	assert_non_null(strstr(out.data, "<h1>Something went wrong here</h1>"));
	buf_done(&out);
}

static void a_form_names_its_page_and_never_shows_its_logo(void **state)
{
	(void)state;
	struct buf out = BUF_INIT(10000);
	const struct words *words = words_of_language("de");
	struct service_password_form form = { "\u202eevil <b>", "mailto:help@example.org",
					      "Das Passwort ist falsch." };
	service_password_html(&out, words, &form, &arena);
	assert_non_null(strstr(out.data, "<title>Passwort · \u2068\u202eevil &lt;b&gt;\u202c"));
	assert_non_null(strstr(out.data, "<bdi>\u202eevil &lt;b&gt;\u202c</bdi>"));
	assert_non_null(strstr(out.data, "<a href=\"mailto:help@example.org\""));
	assert_non_null(strstr(out.data, "role=\"alert\">Das Passwort ist falsch."));
	assert_non_null(strstr(out.data, "autofocus aria-describedby=\"problem\">"));
	assert_null(strstr(out.data, "<img"));
	buf_clear(&out);
	/* Of a page without a name. */
	form = (struct service_password_form){ "", "", NULL };
	service_password_html(&out, words, &form, &arena);
	assert_non_null(strstr(out.data, "<title>Passwort</title>"));
	assert_null(strstr(out.data, "<bdi>"));
	assert_null(strstr(out.data, "<a "));
	assert_null(strstr(out.data, "aria-describedby"));
	buf_clear(&out);
	form.contact_url = "javascript:alert(1)";
	service_password_html(&out, words, &form, &arena);
	assert_null(strstr(out.data, "javascript:"));
	buf_done(&out);
}

static void a_list_escapes_names_and_links_to_the_web_only(void **state)
{
	(void)state;
	static const struct service_list_entry entries[] = {
		{ "A <& \"B\"", "https://status.example.org/s/a/" },
		{ "C", "javascript:alert(1)" },
	};
	struct buf out = BUF_INIT(10000);
	service_list_html(&out, entries, ARRAY_LEN(entries));
	assert_non_null(strstr(out.data,
			       "<li><a href=\"https://status.example.org/s/a/\">A &lt;&amp; "
			       "&quot;B&quot;</a></li>"));
	assert_non_null(strstr(out.data, "<a href=\"#\">C</a>"));
	buf_clear(&out);
	service_list_html(&out, NULL, 0);
	assert_non_null(strstr(out.data, "There is none yet."));
	assert_null(strstr(out.data, "<ul>"));
	buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_well_formed_in_html_and_xml),
		cmocka_unit_test(a_failure_says_what_is_known_and_no_more),
		cmocka_unit_test(a_form_names_its_page_and_never_shows_its_logo),
		cmocka_unit_test(a_list_escapes_names_and_links_to_the_web_only),
	};
	return RUN_WITH_ARENA(tests);
}
