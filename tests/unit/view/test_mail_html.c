/* The plain text of HTML that the program has made. */
#include "unit/lib/unit.h"

#include "view/mail_html.h"

static const char *plain(const char *html)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 20);
	mail_html_plain(&out, str_from(html));
	assert_true(buf_ok(&out));
	return arena_strndup(&arena, out.data ? out.data : "", out.len);
}

static void elements_become_lines(void **state)
{
	(void)state;
	static const struct {
		const char *html, *text;
	} rows[] = {
		{ "", "" },
		{ "words", "words" },
		{ "<p>one\ntwo</p>\n<p>three</p>\n", "one two\n\nthree\n\n" },
		{ "<p>a<br>b</p>", "a\nb\n\n" },
		{ "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>c</p>", "- a\n- b\n\nc\n\n" },
		{ "<h2 style=\"x\">T</h2><table><tr><td bgcolor=\"#1\">c</td></tr></table>d",
		  "T\n\nc\n\nd" },
		{ "<p>a &amp;lt; &lt;b&gt; &quot;c&quot; &#39;d&#39; &amp;amp;</p>",
		  "a &lt; <b> \"c\" 'd' &amp;\n\n" },
		{ "<p>see <a href=\"https://e.example/?a=1&amp;b=2\" rel=\"x\">this</a>.</p>",
		  "see this: https://e.example/?a=1&b=2.\n\n" },
		{ "<p><a>no address</a></p>", "no address\n\n" },
		{ "<html><head><title>T</title><style>p{}</style></head><body>b</body></html>",
		  "b" },
		{ "<p>cut", "cut" },
		{ "<p>cut <a hre", "cut " },
		{ "a<hr>b", "a\n--\nb" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(rows[i].text, plain(rows[i].html));
}

static void lines_of_code_stay_lines(void **state)
{
	(void)state;
	assert_string_equal("a\n  b\n\nc d\n\n",
			    plain("<pre><code>a\n  b\n</code></pre>\n<p>c\nd</p>"));
}

static void a_whole_message_has_its_title_and_its_buttons_address(void **state)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(1 << 20);
	(void)state;
	const struct mail_html mail = { .words = words_of_language("fr"),
					.title = "<b>\"T\"</b> & co",
					.colour = MAIL_RED };
	mail_html_begin(&out, &mail);
	mail_html_button(&out, "https://e.example/?a=\"><script>&b", "Open <i>", MAIL_RED);
	mail_html_end(&out);
	buf_putc(&out, '\0');
	assert_non_null(strstr(out.data, "lang=\"fr\" dir=\"ltr\""));
	assert_null(strstr(out.data, "<script"));
	assert_null(strstr(out.data, "<i>"));
	assert_null(strstr(out.data, "<b>"));
	const char *text = plain(out.data);
	assert_memory_equal("<b>\"T\"</b> & co\n\nOpen <i>: https://e.example/", text, 44);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_become_lines),
		cmocka_unit_test(lines_of_code_stay_lines),
		cmocka_unit_test(a_whole_message_has_its_title_and_its_buttons_address),
	};
	return RUN_WITH_ARENA(tests);
}
