#include "integration/lib/page_content.h"

struct page_content read_page(int64_t page)
{
	struct page_content_list list = { 0 };
	const struct page_content_query query = { &page, 1, at(20, 10) };
	assert_ok(page_content_read(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	return list.rows[0];
}

struct shown_page add_shown_page(void)
{
	struct shown_page shown = { .account = add_account("one") };
	shown.page = add_page(shown.account, "p");
	shown.web = add_monitor(shown.account, "web");
	shown.mail = add_monitor(shown.account, "mail");
	shown.unshown = add_monitor(shown.account, "unshown");
	show_monitor(shown.page, shown.web, 1);
	show_monitor(shown.page, shown.mail, 2);
	return shown;
}

int64_t add_incident(int64_t monitor, const char *cause, struct instant start, struct instant end)
{
	return execute(
		"INSERT INTO incidents (account_id, monitor_id, title, cause, comment, started_at, "
		"acknowledged_at, ended_at, created_at, updated_at) "
		"SELECT account_id, id, 'Title of %2$s', '%2$s', 'Comment on %2$s', "
		"FROM_UNIXTIME(%3$ld), '2026-03-06 06:00:00', FROM_UNIXTIME(NULLIF(%4$ld, 0)), "
		"NOW(), '2026-03-07 07:00:00' FROM monitors WHERE id = %1$ld",
		(long)monitor, cause, (long)start.s, (long)end.s);
}

const char *causes(const struct page_incident *rows, size_t count)
{
	const char *text = "";
	for (size_t i = 0; i < count; i++)
		text = arena_printf(&arena, "%s%s%s", text, i > 0 ? " " : "", rows[i].row.cause);
	return text;
}
