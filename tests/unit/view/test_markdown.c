/* Texts of people become HTML in which nothing acts. */
#include "unit/lib/unit.h"

#include "view/markdown.h"
#include "view/page/page_markdown.h"

static struct buf out = BUF_INIT(4 << 20);

static const char *html_of(const char *text)
{
	buf_clear(&out);
	markdown_html(&out, text, 4);
	assert_true(buf_ok(&out));
	return out.data ? out.data : "";
}

static void the_usual_marks_work(void **state)
{
	(void)state;
	static const struct {
		const char *text, *html;
	} rows[] = {
		{ "", "" },
		{ "a *b* **c** `d<e`",
		  "<p>a <em>b</em> <strong>c</strong> <code>d&lt;e</code></p>\n" },
		{ "one\ntwo", "<p>one\ntwo</p>\n" },
		{ "- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n" },
		{ "[x](https://example.org/?a=1&b=2)",
		  "<p><a href=\"https://example.org/?a=1&amp;b=2\">x</a></p>\n" },
		{ "<https://example.org/>",
		  "<p><a href=\"https://example.org/\">https://example.org/</a></p>\n" },
		{ "[x](mailto:a@example.org)", "<p><a href=\"mailto:a@example.org\">x</a></p>\n" },
		{ "[x](HTTPS://example.org)", "<p><a href=\"HTTPS://example.org\">x</a></p>\n" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(rows[i].html, html_of(rows[i].text));
}

static void raw_html_is_shown_as_text(void **state)
{
	(void)state;
	assert_string_equal("<p>a &lt;b&gt;c&lt;/b&gt;</p>\n", html_of("a <b>c</b>"));
	assert_string_equal("<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n",
			    html_of("<script>alert(1)</script>\n"));
	assert_string_equal("<p>List&lt;String&gt;</p>\n", html_of("List<String>"));
	assert_null(strstr(html_of("<div onclick=x>\n\n*a*\n\n</div>"), "<div"));
	assert_null(strstr(html_of("<!-- c --> <?php ?> <![CDATA[x]]>"), "<!"));
}

static void links_lead_to_the_web_or_to_an_address_only(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"[x](javascript:alert(1))",
		"[x](JaVaScRiPt:alert(1))",
		"[x](java&#10;script:alert(1))",
		"[x](data:text/html,a)",
		"[x](vbscript:a)",
		"[x](file:///etc/passwd)",
		"[x](/internal)",
		"[x](//example.org)",
		"[x](#a)",
		"[x]()",
		"<ftp://example.org/x>",
		"[x][r]\n\n[r]: javascript:alert(1)",
	};
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		assert_null(strstr(html_of(texts[i]), "<a"));
		assert_non_null(strchr(out.data, 'x'));
	}
	assert_null(strstr(html_of("[x](https://example.org/\"onclick=\"a)"), "\"onclick"));
}

static void an_image_is_a_link(void **state)
{
	(void)state;
	assert_string_equal("<p><a href=\"https://example.org/a.png\">the graph</a></p>\n",
			    html_of("![the graph](https://example.org/a.png)"));
	assert_string_equal("<p><a href=\"https://example.org/a.png\">"
			    "https://example.org/a.png</a></p>\n",
			    html_of("![](https://example.org/a.png)"));
	assert_string_equal("<p>a</p>\n", html_of("![a](data:image/png;base64,AA)"));
	/* No link is inside of another. */
	assert_string_equal("<p><a href=\"https://example.org/\">a</a></p>\n",
			    html_of("[![a](https://example.org/a.png)](https://example.org/)"));
}

static void headings_begin_at_their_level_and_leave_none_out(void **state)
{
	(void)state;
	assert_string_equal("<h4>a</h4>\n<h5>b</h5>\n<h5>c</h5>\n<h4>d</h4>\n",
			    html_of("# a\n\n### b\n\n## c\n\n# d\n"));
	assert_string_equal("<h4>a</h4>\n<h4>b</h4>\n", html_of("###### a\n\n# b\n"));
	assert_non_null(strstr(html_of("# a\n## b\n### c\n#### d\n##### e\n"), "<h6>e</h6>"));
}

static void hostile_texts_stay_small_and_valid(void **state)
{
	(void)state;
	enum { LONG = 10000 };
	static const char *const pieces[] = { ">", "- ", "*", "[", "![", "`", "&#0;", "<", "_a " };
	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		struct buf text = BUF_INIT(LONG + 16);
		while (text.len < LONG)
			buf_puts(&text, pieces[i]);
		html_of(text.data);
		assert_true(out.len < 16 * LONG);
		buf_done(&text);
	}
	assert_null(strchr(html_of("a\x01 &#1; b"), '\x01'));
}

/* cmark writes some references as bytes that no UTF-8 has. */
static void no_text_leaves_utf_8_or_xml(void **state)
{
	(void)state;
	static const char *const bad[] = { "&#xfffe;", "&#xFFFF;", "&#65534;", "\xef\xbf\xbe",
					   "\xef\xbf\xbf" };
	static const char *const places[] = { "a %s b",
					      "# %s",
					      "`%s`",
					      "```%s\nx\n```",
					      "[a%s](/)",
					      "![%s](/a)",
					      "[a](https://b/%s \"%s\")",
					      "<b>%s",
					      "- *%s*" };
	for (size_t i = 0; i < ARRAY_LEN(bad) * ARRAY_LEN(places); i++) {
		const char *place = places[i / ARRAY_LEN(bad)];
		const char *at = strstr(place, "%s"), *one = bad[i % ARRAY_LEN(bad)];
		const char *text =
			arena_printf(&arena, "%.*s%s%s", (int)(at - place), place, one, at + 2);
		const char *const shown[] = { html_of(text), markdown_plain(text, 50, &arena) };
		for (size_t j = 0; j < ARRAY_LEN(shown); j++)
			if (strpbrk(shown[j], "\xfe\xff") || strstr(shown[j], "\xef\xbf\xbe") ||
			    strstr(shown[j], "\xef\xbf\xbf"))
				fail_msg("%s: %s", text, shown[j]);
	}
	assert_string_equal(markdown_plain("a &#xfffe;b", 3, &arena), "a \xef\xbf\xbd…");
}

/* A page has room for many texts because each has a limit. */
static void a_text_that_repeats_a_long_link_has_no_marks(void **state)
{
	(void)state;
	enum { LINK = 3000, TIMES = 2000 };
	struct buf text = BUF_INIT(64 << 10);
	buf_puts(&text, "[a]: https://example.org/");
	for (size_t i = 0; i < LINK; i++)
		buf_putc(&text, '&');
	buf_puts(&text, "\n\n");
	for (size_t i = 0; i < TIMES; i++)
		buf_puts(&text, "[a]");
	html_of(text.data);
	assert_true(out.len < 8 * text.len);
	assert_null(strstr(out.data, "<a "));
	buf_done(&text);
	assert_non_null(
		strstr(html_of("[a][a][a]\n\n[a]: https://example.org/long/address"), "<a "));
}

static void the_plain_words_are_one_line(void **state)
{
	(void)state;
	assert_string_equal("A b c d", markdown_plain("# A\n\nb *c*\n\n- d\n", 50, &arena));
	assert_string_equal("éé…", markdown_plain("ééé", 2, &arena));
	assert_string_equal("ééé", markdown_plain("ééé", 3, &arena));
	assert_string_equal("x <b>", markdown_plain("[x](https://example.org) <b>", 50, &arena));
	assert_string_equal("", markdown_plain("", 50, &arena));
}

static void a_text_that_is_kept_is_the_same_at_each_level(void **state)
{
	(void)state;
	static const char *const starts[] = { "# A heading\n\n", "No heading, a rule\n\n---\n\n" };
	static const int levels[] = { 3, 4, 4, 3, 5 };
	struct page_snapshot snapshot = { 0 };
	page_markdown_begin(&snapshot, &arena);
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		const char *text = arena_printf(&arena, "%s%0*d", starts[i], 300, 7);
		for (size_t j = 0; j < ARRAY_LEN(levels); j++) {
			struct buf kept CLEANUP(buf_done) = BUF_INIT(1 << 16);
			struct buf fresh CLEANUP(buf_done) = BUF_INIT(1 << 16);
			page_markdown(&kept, &snapshot, text, levels[j]);
			markdown_html(&fresh, text, levels[j]);
			assert_true(buf_ok(&kept) && buf_ok(&fresh));
			assert_string_equal(fresh.data, kept.data);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_that_is_kept_is_the_same_at_each_level),
		cmocka_unit_test(the_usual_marks_work),
		cmocka_unit_test(raw_html_is_shown_as_text),
		cmocka_unit_test(links_lead_to_the_web_or_to_an_address_only),
		cmocka_unit_test(an_image_is_a_link),
		cmocka_unit_test(headings_begin_at_their_level_and_leave_none_out),
		cmocka_unit_test(hostile_texts_stay_small_and_valid),
		cmocka_unit_test(no_text_leaves_utf_8_or_xml),
		cmocka_unit_test(a_text_that_repeats_a_long_link_has_no_marks),
		cmocka_unit_test(the_plain_words_are_one_line),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
