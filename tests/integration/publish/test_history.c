/* The history of a page on the disk follows its rows, and the program that renders it. */
#include "integration/lib/pages.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "publish/folder/boot.h"
#include "publish/page/page_state.h"
#include "publish/publish.h"
#include "publish/recheck.h"
#include "view/renderer.h"

#define MONTH "public/s/p/2026-02.html"

static void put_text(const char *path, const char *text)
{
	FILE *file = fopen(path_of(path), "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static ino_t inode_of(const char *path)
{
	struct stat status;
	assert_int_equal(0, stat(path_of(path), &status));
	return status.st_ino;
}

struct history {
	int64_t page, monitor, detected, reported;
};

/* A page "SLUG" of one monitor, with an incident of each kind that is over, in February. */
static struct history add_history(int64_t account, const char *slug)
{
	struct history made = { .page = add_page(account, slug),
				.monitor = add_monitor(account, slug) };
	show_monitor(made.page, made.monitor, 1);
	execute("UPDATE status_pages SET show_causes = 1");
	made.detected = execute("INSERT INTO incidents (account_id, monitor_id, cause, started_at, "
				"ended_at, created_at, updated_at, impact) VALUES (%lld, %lld, "
				"'Timeout', '2026-02-26 08:00:00', '2026-02-26 09:00:00', NOW(), "
				"NOW(), 3)",
				(long long)account, (long long)made.monitor);
	made.reported = execute("INSERT INTO incidents (account_id, title, cause, comment, "
				"started_at, ended_at, created_at, updated_at, phase, impact) "
				"VALUES (%lld, 'Reported', '', 'body', '2026-02-25 08:00:00', "
				"'2026-02-25 09:00:00', NOW(), NOW(), 3, 1)",
				(long long)account);
	execute("INSERT INTO incident_monitors (incident_id, position, account_id, monitor_id, "
		"impact, lesser_impact, has_outage, started_at, ended_at) SELECT id, 0, "
		"account_id, %lld, 1, 0, 0, started_at, ended_at FROM incidents WHERE id = %lld",
		(long long)made.monitor, (long long)made.reported);
	execute("INSERT INTO incident_updates (account_id, incident_id, phase, body, at) "
		"SELECT account_id, id, phase, 'body', started_at FROM incidents "
		"WHERE id = %lld",
		(long long)made.reported);
	execute("INSERT INTO incident_counts (monitor_id, status, account_id, total) "
		"VALUES (%lld, 2, %lld, 2)",
		(long long)made.monitor, (long long)account);
	execute("INSERT INTO incident_months (monitor_id, month, revision) "
		"VALUES (%lld, '2026-02-01', 1)",
		(long long)made.monitor);
	return made;
}

/* What a change of a row leaves is seen whatever else the change does: no revision moves here. */
static void the_page_of_an_incident_has_each_column_that_it_shows(void **state)
{
	static const char *const of_detected[] = {
		"UPDATE incidents SET title = 'New' WHERE id = %lld",
		"UPDATE incidents SET cause = 'New' WHERE id = %lld",
		"UPDATE incidents SET started_at = '2026-02-26 07:30:00' WHERE id = %lld",
		"UPDATE incidents SET ended_at = '2026-02-26 09:30:00' WHERE id = %lld",
		"UPDATE incidents SET impact = 1 WHERE id = %lld",
		"UPDATE monitors SET name = 'New' WHERE %lld > 0",
	};
	static const char *const of_reported[] = {
		"UPDATE incidents SET title = 'New' WHERE id = %lld",
		"UPDATE incidents SET postmortem = 'New' WHERE id = %lld",
		"UPDATE incidents SET exclude_from_uptime = 1 WHERE id = %lld",
		"UPDATE incidents SET started_at = '2026-02-25 07:30:00' WHERE id = %lld",
		"UPDATE incidents SET ended_at = '2026-02-25 09:30:00' WHERE id = %lld",
		"UPDATE incident_updates SET body = 'New' WHERE incident_id = %lld",
		"UPDATE incident_updates SET phase = 1 WHERE incident_id = %lld",
		"UPDATE incident_updates SET at = '2026-02-25 08:45:00' WHERE incident_id = %lld",
		"UPDATE incident_updates SET edited_at = '2026-02-27' WHERE incident_id = %lld",
		"UPDATE incident_monitors SET impact = 3, has_outage = 1 WHERE incident_id = %lld",
		"UPDATE monitors SET name = 'New' WHERE %lld > 0",
	};
	const size_t count = ARRAY_LEN(of_detected) + ARRAY_LEN(of_reported);
	for (size_t i = 0; i < count; i++) {
		bool is_detected = i < ARRAY_LEN(of_detected);
		const char *change = is_detected ? of_detected[i]
						 : of_reported[i - ARRAY_LEN(of_detected)];
		pages_clear(state);
		struct history here = add_history(add_account("one"), "p");
		int64_t id = is_detected ? here.detected : here.reported;
		const char *path =
			arena_printf(&arena, "public/s/p/incident-%lld.html", (long long)id);
		publish(here.page);
		const char *before = text_of(path);
		ino_t inode = inode_of(path);
		publish(here.page);
		assert_int_equal(inode, inode_of(path));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		execute(change, (long long)id);
#pragma GCC diagnostic pop
		publish(here.page);
		if (strcmp(before, text_of(path)) == 0)
			fail_msg("not shown: %s", change);
	}
}

/* Replaces what the page's note says of the file: "DECIDES+CONTENT". */
static void note_as(int64_t page, const char *name, const char *decides, const char *content)
{
	const char *path = arena_printf(&arena, "state/%lld/page", (long long)page);
	const char *note = text_of(path);
	const char *line = strstr(note, arena_printf(&arena, "file %s ", name));
	assert_non_null(line);
	const char *digest = line + strlen("file ") + strlen(name) + 1;
	const char *joint = strchr(digest, '+'), *end = strchr(digest, ' ');
	assert_true(joint && joint < end);
	put_text(path,
		 arena_printf(&arena, "%.*s%s+%s%s", (int)(digest - note), note, decides,
			      content ? content
				      : arena_strndup(&arena, joint + 1, (size_t)(end - joint - 1)),
			      end));
}

static void recheck(struct recheck *recheck)
{
	struct publisher all = publisher();
	bool is_more = true;
	while (is_more)
		assert_ok(recheck_some(recheck, &all, &is_more, &error));
}

/* As an older program leaves it: its own record, and its own digests in the notes. */
static void another_program_was_here(const struct history *here, const char *content)
{
	put_text("boot", boot_id() ? boot_id() : "-");
	note_as(here->page, "2026-02.html", "0000", content);
}

static void after_an_upgrade_the_history_is_as_the_new_program_renders_it(void **state)
{
	(void)state;
	struct history here = add_history(add_account("one"), "p");
	struct recheck first = { 0 }, second = { 0 }, third = { 0 };
	publish(here.page);
	recheck(&first);
	ino_t inode = inode_of(MONTH);
	/* It rendered the same: the file stays, with its time and ETag. */
	another_program_was_here(&here, NULL);
	recheck(&second);
	assert_int_equal(1, second.run.published);
	assert_int_equal(inode, inode_of(MONTH));
	assert_null(strstr(text_of(arena_printf(&arena, "state/%lld/page", (long long)here.page)),
			   " 0000+"));
	/* It rendered otherwise. */
	another_program_was_here(&here, "1111");
	recheck(&third);
	assert_int_not_equal(inode, inode_of(MONTH));
	assert_non_null(strstr(text_of("boot"), renderer_id));
	/* Once. */
	struct recheck fourth = { 0 };
	recheck(&fourth);
	assert_int_equal(0, fourth.run.published);
}

static void a_run_of_all_pages_renders_the_history_too(void **state)
{
	(void)state;
	struct history here = add_history(add_account("one"), "p");
	struct publish_run run = { .is_all = true };
	struct publisher all = publisher();
	publish(here.page);
	ino_t inode = inode_of(MONTH);
	another_program_was_here(&here, "1111");
	assert_ok(publish_run(&all, &run, &error));
	assert_int_not_equal(inode, inode_of(MONTH));
}

/* The number of pages that may still be compared. */
static bool goes_on(void *context)
{
	return --*(int *)context >= 0;
}

static const char *written_pages(void)
{
	static const char *const slugs[] = { "a", "b", "c", "d", "e", "f" };
	const char *found = "";
	for (size_t i = 0; i < ARRAY_LEN(slugs); i++)
		if (access(path_of(arena_printf(&arena, "public/s/%s", slugs[i])), F_OK) == 0)
			found = arena_printf(&arena, "%s%s", found, slugs[i]);
	return found;
}

static void pages_are_compared_in_turns_of_the_accounts(void **state)
{
	(void)state;
	int64_t one = add_account("one"), two = add_account("two"), three = add_account("three");
	struct publisher all = publisher();
	bool is_more = false;
	int left = 3;
	publish(add_page(one, "a"));
	add_page(one, "b");
	add_page(one, "c");
	add_page(two, "d");
	add_page(three, "e");
	add_page(three, "f");
	put_text("boot", "another");
	struct recheck recheck = { .run = { .goes_on = goes_on, .context = &left } };
	assert_ok(recheck_some(&recheck, &all, &is_more, &error));
	assert_true(is_more);
	assert_string_equal("ade", written_pages());
	left = 2;
	assert_ok(recheck_some(&recheck, &all, &is_more, &error));
	assert_string_equal("abdef", written_pages());
	recheck.run.goes_on = NULL;
	assert_ok(recheck_some(&recheck, &all, &is_more, &error));
	assert_false(is_more);
	assert_string_equal("abcdef", written_pages());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PAGES_TEST(the_page_of_an_incident_has_each_column_that_it_shows),
		PAGES_TEST(after_an_upgrade_the_history_is_as_the_new_program_renders_it),
		PAGES_TEST(a_run_of_all_pages_renders_the_history_too),
		PAGES_TEST(pages_are_compared_in_turns_of_the_accounts),
	};
	return RUN_ON_DATABASE(tests);
}
