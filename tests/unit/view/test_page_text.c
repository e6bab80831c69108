#include "unit/lib/unit.h"

#include "view/page_text.h"

static struct buf html = BUF_INIT(1 << 16);

static void set(const char *text)
{
	buf_clear(&html);
	buf_puts(&html, text);
}

static void passes_go_to_the_files_of_the_page_only(void **state)
{
	(void)state;
	set("<link href=\"page-1.css\"><source "
	    "srcset=\"logodark-8.png\"><img src=\"logo-2.png\" alt=\"\"><a href=\"feed.atom\">"
	    "<a href=\"https://x/page-3.css\"><p title=\"page-4.css\">src=page-5</p>"
	    "<p>&quot;href=&quot;page-6.css&quot;</p><script src=\"custom-7.js\" "
	    "defer></script>\n");
	page_text_add_token(&html, "P");
	assert_string_equal(
		"<link href=\"page-1.css?pass=P\"><source srcset=\"logodark-8.png?pass=P\">"
		"<img src=\"logo-2.png?pass=P\" alt=\"\">"
		"<a href=\"feed.atom\"><a href=\"https://x/page-3.css\"><p title=\"page-4.css\">"
		"src=page-5</p><p>&quot;href=&quot;page-6.css&quot;</p>"
		"<script src=\"custom-7.js?pass=P\" defer></script>\n",
		html.data);
}

static void plain_leaves_out_own_lines_and_nothing_else(void **state)
{
	(void)state;
	set("<link rel=\"stylesheet\" href=\"page-1.css\">\n"
	    "<link rel=\"stylesheet\" href=\"custom-1.css\">\n"
	    "<script src=\"custom-2.js\" defer></script>\n<p>custom-3</p>\n");
	page_text_make_plain(&html);
	assert_string_equal("<link rel=\"stylesheet\" href=\"page-1.css\">\n<p>custom-3</p>\n",
			    html.data);
}

static void an_empty_page_stays_empty(void **state)
{
	(void)state;
	set("");
	page_text_add_token(&html, "P");
	page_text_make_plain(&html);
	assert_int_equal(0, html.len);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes_go_to_the_files_of_the_page_only),
		cmocka_unit_test(plain_leaves_out_own_lines_and_nothing_else),
		cmocka_unit_test(an_empty_page_stays_empty),
	};
	int failed = RUN(tests);
	buf_done(&html);
	return failed;
}
