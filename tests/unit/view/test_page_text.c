#include "unit/lib/unit.h"

#include "view/page.h"
#include "view/page/page_error.h"
#include "view/page/page_text.h"

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

static void a_whole_page_needs_no_file_and_its_links_lead_to_the_page(void **state)
{
	(void)state;
	struct page_inline rows[] = { { "page-1.css", "text/css; charset=utf-8", STR("a{}") },
				      { "logo-2.png", "image/png", STR("?>") } };
	const struct page_inlines inlines = { rows, ARRAY_LEN(rows), "https://x/s/a/", "N" };
	set("<link href=\"page-1.css\"><img src=\"logo-2.png\" alt=\"\"><a href=\"feed.atom\">"
	    "<a href=\"\"><a href=\"#main\"><a href=\"mailto:a@b\"><a "
	    "href=\"https://y/page-1.css\">"
	    "<p title=\"page-1.css\">src=page-1.css</p><form action=\"subscriptions\">\n");
	page_text_make_whole(&html, &inlines, &arena);
	assert_string_equal(
		"<link href=\"data:text/css;base64,YXt9\" nonce=\"N\">"
		"<img src=\"data:image/png;base64,Pz4=\" alt=\"\">"
		"<a href=\"https://x/s/a/feed.atom\"><a href=\"https://x/s/a/\"><a href=\"#main\">"
		"<a href=\"mailto:a@b\"><a href=\"https://y/page-1.css\">"
		"<p title=\"page-1.css\">src=page-1.css</p>"
		"<form action=\"https://x/s/a/subscriptions\">\n<base target=\"_blank\">\n",
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

/* The error page of a page that names the links and sentences which are changed there. */
static void set_error_page(const char *language)
{
	const struct page_snapshot snapshot = {
		.page = { .name = "\"./ </title><h2>There is no such page</h2>",
			  .logo_file = "logo-1.png",
			  .website_url = "https://example.org/\"./",
			  .custom_css = "x",
			  .language = language,
			  .time_zone = "UTC" },
		.url = "https://status.example.org/s/a/",
	};
	buf_clear(&html);
	page_error(&html, &snapshot, &arena);
}

static void adapt_to(int status, const char *language)
{
	set_error_page(language);
	page_error_adapt(&html,
			 &(struct page_error){ .root = "/x/s/a/",
					       .status = status,
					       .words = words_of_language(language),
					       .request_id = status >= 500 ? "0a1b" : NULL });
}

static size_t count_of(const char *text)
{
	size_t count = 0;
	for (const char *at = html.data; (at = strstr(at, text)); at++)
		count++;
	return count;
}

static void an_error_page_leads_to_the_page_from_any_depth(void **state)
{
	(void)state;
	set_error_page("en");
	size_t links = count_of("=\"./");
	assert_int_equal(7, links);
	assert_int_equal(0, count_of("class=\"asof\""));
	assert_int_equal(1, count_of("<meta name=\"robots\" content=\"noindex\">"));
	adapt_to(404, "en");
	assert_int_equal(0, count_of("=\"./"));
	assert_int_equal(links, count_of("=\"/x/s/a/"));
	assert_int_equal(2, count_of("<a href=\"/x/s/a/\">"));
	assert_int_equal(1, count_of("<img src=\"/x/s/a/logo-1.png\""));
	/* A text of a tenant is no link and no place. */
	assert_int_equal(2, count_of("&quot;./ &lt;/title&gt;"));
	assert_int_equal(1, count_of("<h2>There is no such page</h2>"));
}

static void an_error_page_says_another_failure_in_the_page_s_language(void **state)
{
	(void)state;
	adapt_to(503, "de");
	assert_int_equal(1, count_of("<title>Gleich wieder da · "));
	assert_int_equal(1, count_of("<h2>Gleich wieder da</h2>\n<p>Bitte versuchen"));
	assert_int_equal(1, count_of("die Nummer 0a1b."));
	assert_int_equal(0, count_of("gibt es nicht"));
	assert_int_equal(2, count_of("<a href=\"/x/s/a/\">"));
	adapt_to(405, "en");
	assert_int_equal(1, count_of("<h2>This cannot be done here</h2>"));
	/* That of a release whose error page is another. */
	set("<p>other</p>");
	page_error_adapt(&html, &(struct page_error){ "/", 500, words_of_service(), NULL, NULL });
	assert_string_equal("<p>other</p>", html.data);
}

static void passes_and_plain_know_the_links_of_an_error_page(void **state)
{
	(void)state;
	set_error_page("en");
	page_text_add_token(&html, "P");
	assert_int_equal(4, count_of("?pass=P\""));
	assert_int_equal(1, count_of("\"./custom-"));
	page_text_make_plain(&html);
	assert_int_equal(0, count_of("\"./custom-"));
	assert_int_equal(3, count_of("?pass=P\""));
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
		cmocka_unit_test(a_whole_page_needs_no_file_and_its_links_lead_to_the_page),
		cmocka_unit_test(plain_leaves_out_own_lines_and_nothing_else),
		cmocka_unit_test(an_error_page_leads_to_the_page_from_any_depth),
		cmocka_unit_test(an_error_page_says_another_failure_in_the_page_s_language),
		cmocka_unit_test(passes_and_plain_know_the_links_of_an_error_page),
		cmocka_unit_test(an_empty_page_stays_empty),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&html);
	return failed;
}
