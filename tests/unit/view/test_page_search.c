/* The search in the titles of a page's history. */
#include "unit/lib/unit.h"

#include "unit/view/samples.h"
#include "view/page.h"
#include "view/page/page_search.h"

static struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);

static const char titles[] = "incidents/9\t20 Nov 2026\tPayments fail\n"
			     "incidents/8\t19 Nov 2026\tCheckout: <b>slow</b> PAYMENTS\n"
			     "no line of a title\n"
			     "maintenance/3\t2 Oct 2026\tÉtat des paiements\n";

static const char *found(const char *wanted)
{
	struct page_snapshot snapshot = samples[0].make(&arena);
	buf_clear(&out);
	page_error(&out, &snapshot, &arena);
	page_search(&out,
		    &(struct page_search){ .root = "/s/cloud/",
					   .words = words_of_language("en"),
					   .wanted = wanted,
					   .titles = str_from(titles) },
		    &arena);
	assert_true(buf_ok(&out));
	return out.data;
}

static void a_title_has_all_words_in_any_case(void **state)
{
	(void)state;
	const char *html = found("payments");
	const char *first = strstr(html,
				   "<a dir=\"auto\" href=\"/s/cloud/incidents/9\">Payments fail"
				   "</a> <span class=\"meta\">20 Nov 2026</span>");
	assert_non_null(first);
	assert_non_null(strstr(first, "incidents/8\">Checkout: &lt;b&gt;slow&lt;/b&gt; PAYMENTS<"));
	assert_null(strstr(html, "maintenance/3"));
	assert_null(strstr(found("  SLOW   pay "), "incidents/9"));
	assert_non_null(strstr(out.data, "incidents/8"));
	assert_non_null(strstr(found("État"), "href=\"/s/cloud/maintenance/3\""));
	assert_non_null(strstr(found("slow fail"), "<p>No title has these words.</p>"));
	assert_null(strstr(found("line"), "<li>"));
}

static void the_page_has_the_form_and_the_design(void **state)
{
	(void)state;
	const char *html = found(NULL);
	assert_non_null(strstr(html, "<title>Search the history · Website status</title>"));
	assert_non_null(strstr(html, "<h2>Search the history</h2>\n<form class=\"find\""));
	assert_non_null(strstr(html, "name=\"q\" aria-label=\"Words of a title\" "
				     "maxlength=\"100\" required value=\"\">"));
	assert_non_null(strstr(html, "<p class=\"back\"><a href=\"/s/cloud/\">Current state"));
	assert_non_null(strstr(html, "<meta name=\"robots\" content=\"noindex\">"));
	assert_null(strstr(html, "No title has"));
	assert_null(strstr(html, "There is no such page"));
	assert_non_null(strstr(found("\"><i>"), "value=\"&quot;&gt;&lt;i&gt;\">"));
}

static void not_more_than_a_page_of_titles_is_shown(void **state)
{
	(void)state;
	struct page_snapshot snapshot = samples[0].make(&arena);
	struct buf many CLEANUP(buf_done) = BUF_INIT(65536);
	for (int i = 0; i < PAGE_SEARCH_SHOWN_MAX + 5; i++)
		buf_printf(&many, "incidents/%d\t1 Nov 2026\tSame\n", 100 - i);
	buf_clear(&out);
	page_error(&out, &snapshot, &arena);
	page_search(&out,
		    &(struct page_search){ .root = "/",
					   .words = words_of_language("de"),
					   .wanted = "same",
					   .titles = { many.data, many.len } },
		    &arena);
	assert_non_null(strstr(out.data, "\"/incidents/51\""));
	assert_null(strstr(out.data, "\"/incidents/50\""));
	assert_non_null(strstr(out.data, "Die neuesten 50 werden gezeigt."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_title_has_all_words_in_any_case),
		cmocka_unit_test(the_page_has_the_form_and_the_design),
		cmocka_unit_test(not_more_than_a_page_of_titles_is_shown),
	};
	int failed = RUN_WITH_ARENA(tests);
	buf_done(&out);
	return failed;
}
