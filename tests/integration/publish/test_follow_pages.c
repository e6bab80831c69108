/* What a follower reads of changes, by a clock that can be wrong, and when it checks its disk. */
#include "integration/lib/pages.h"

#include <unistd.h>

#include "publish/follow.h"
#include "publish/follow_pages.h"

/* What 40 seconds without a change do. */
static void pass_time(struct followed_pages *pages)
{
	pages->window.marked_ms -= 40000;
	assert_ok(followed_pages_read(pages, db, &arena, &error));
}

static int64_t followed_revision(const struct followed_pages *pages, int64_t id)
{
	for (size_t i = 0; i < pages->count; i++)
		if (pages->rows[i].id == id)
			return pages->rows[i].revision;
	return -1;
}

static void a_change_with_a_time_to_come_hides_no_other(void **state)
{
	struct followed_pages pages = { 0 };
	(void)state;
	int64_t account = add_account("one"), ahead = add_page(account, "ahead"),
		other = add_page(account, "other");
	execute("UPDATE page_revisions SET changed_at = UTC_TIMESTAMP() - INTERVAL 1 HOUR");
	assert_ok(followed_pages_read(&pages, db, &arena, &error));
	execute("UPDATE page_revisions SET revision = revision + 1, "
		"changed_at = UTC_TIMESTAMP() + INTERVAL 1 DAY WHERE page_id = %ld",
		(long)ahead);
	int64_t revision = select_number("SELECT revision FROM page_revisions WHERE page_id = %ld",
					 (long)ahead);
	assert_ok(followed_pages_read(&pages, db, &arena, &error));
	assert_int_equal(followed_revision(&pages, ahead), revision);
	pass_time(&pages);
	pass_time(&pages);
	/* The test has not taken the time that it lets pass. */
	execute("UPDATE page_revisions SET revision = revision + 7, "
		"changed_at = UTC_TIMESTAMP() + INTERVAL 2 SECOND WHERE page_id = %ld",
		(long)other);
	revision = select_number("SELECT revision FROM page_revisions WHERE page_id = %ld",
				 (long)other);
	assert_ok(followed_pages_read(&pages, db, &arena, &error));
	assert_int_equal(followed_revision(&pages, other), revision);
	followed_pages_done(&pages);
}

static void follow(struct follower *follower, int64_t seconds)
{
	struct instant now = { at(5, 10).s + seconds };
	assert_ok(follower_round(follower, now, &error));
}

static void lost_files_are_noticed_at_the_next_check_of_the_disk(void **state)
{
	struct follower follower;
	const struct publisher own = publisher();
	const char *file = path_of("public/s/shown/index.html");
	(void)state;
	add_page(add_account("one"), "shown");
	follower_init(&follower, &own, NULL, NULL);
	follower.check_disk_s = 7;
	follow(&follower, 0);
	assert_int_equal(unlink(file), 0);
	follow(&follower, 6);
	assert_int_not_equal(access(file, F_OK), 0);
	follow(&follower, 7);
	assert_int_equal(access(file, F_OK), 0);
	/* The next time counts from the last check. A clock that is set back delays none. */
	assert_int_equal(unlink(file), 0);
	follow(&follower, 13);
	assert_int_not_equal(access(file, F_OK), 0);
	follow(&follower, 5);
	assert_int_equal(access(file, F_OK), 0);
	follower_done(&follower);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(a_change_with_a_time_to_come_hides_no_other),
		PAGES_TEST(lost_files_are_noticed_at_the_next_check_of_the_disk),
	};
	return RUN_ON_DATABASE(tests);
}
