/* A mirror that dies, or whose disk fails, at each step: no page is half done. */
#include "unit/mirror/receiver_world.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "publish/folder/folder.h"

/* What a reader sees: the style of the page is there. */
static void assert_style(const char *folder)
{
	const char *html = content(arena_printf(&arena, "%s/index.html", folder));
	const char *style = !html		       ? NULL
			    : strcmp(html, "one") == 0 ? "a-0123456789ab.css"
						       : "a-ba9876543210.css";
	if (style && !is_there(arena_printf(&arena, "%s/%s", folder, style)))
		fail_msg("%s has index.html without %s", folder, style);
}

/* Whether the folder has exactly these files. */
static bool has_exactly(const char *folder, const char *const *pairs)
{
	for (; pairs[0]; pairs += 2) {
		const char *text = content(arena_printf(&arena, "%s/%s", folder, pairs[0]));
		if (!text || strcmp(text, pairs[1]) != 0)
			return false;
	}
	return true;
}

struct change {
	const char *before;
	const char *after;
	const char *const *old_files;
	const char *const *new_files;
	const char *old_folder;
	const char *new_folder;
	const char *domain_folder; /* of the new page; NULL: it has none */
	bool is_tightened;
};

static const struct change changes[] = {
	{ "7 a1 public acme www.acme.example", "7 a2 public acme www.acme.example", first, second,
	  "public/s/acme", "public/s/acme", "public/d/www.acme.example", false },
	{ "7 a1 public acme www.acme.example", "7 a2 public moved -", first, second,
	  "public/s/acme", "public/s/moved", NULL, false },
	{ "7 a1 public acme www.acme.example", "7 a2 private acme www.acme.example", first, NULL,
	  "public/s/acme", "private/acme", NULL, true },
	{ "7 a1 public acme -", "7 a2 noindex acme www.acme.example", first, second,
	  "public/s/acme", "noindex/s/acme", "noindex/d/www.acme.example", false },
};

static const char *const private_files[] = {
	"a-ba9876543210.css", "style two", "status.json", "{2}", GATE(7), "index.html", "two", NULL
};

static const char *const *new_files_of(const struct change *change)
{
	return change->new_files ? change->new_files : private_files;
}

/* The page is as it was, or as it is to be. */
static void assert_whole(const struct change *change)
{
	const char *listed = list();
	const char *domain = change->domain_folder;
	if (strcmp(listed, "7 a1\n") == 0) {
		assert_true(has_exactly(change->old_folder, change->old_files));
		return;
	}
	assert_string_equal("7 a2\n", listed);
	assert_true(has_exactly(change->new_folder, new_files_of(change)));
	assert_true(!domain || has_exactly(domain, new_files_of(change)));
	assert_false(is_there(arena_printf(&arena, "%s/old.txt", change->new_folder)));
	if (strcmp(change->old_folder, change->new_folder) != 0)
		assert_false(is_there(change->old_folder));
}

static void prepare(const struct change *change)
{
	assert_int_equal(OK, receive("gone 7\n"));
	send_all(change->old_files);
	assert_int_equal(OK, receive(page_of(change->before, change->old_files)));
	send_all(new_files_of(change));
}

/* Lets another process receive the change, which dies at that step. False: it lived. */
static bool dies_at(const struct change *change, int step)
{
	int status;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		steps_left = step;
		_exit(receive(page_of(change->after, new_files_of(change))) == OK ? 0 : 2);
	}
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 2);
	return WEXITSTATUS(status) == 1;
}

static void fail_at_name(void *context, const char *name)
{
	(void)context;
	fail_msg("%s is left in DIR/new", name);
}

static bool has_no_temporary_file(void)
{
	return folder_each(receiver.dir.new_fd, fail_at_name, NULL, &error) == OK;
}

static void a_process_that_dies_leaves_no_page_half_done(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		bool is_dead = true;
		int step = 0;
		for (; is_dead; step++) {
			arena_reset(&arena);
			site_init(&site, &config, &arena);
			prepare(&changes[i]);
			is_dead = dies_at(&changes[i], step);
			assert_style(changes[i].old_folder);
			assert_style(changes[i].new_folder);
			assert_int_equal(OK, receiver_recover(&config, &error));
			assert_false(is_there("received/plan"));
			assert_whole(&changes[i]);
			/* It can be repeated, and leaves nothing. */
			assert_int_equal(
				OK, receive(page_of(changes[i].after, new_files_of(&changes[i]))));
			assert_string_equal("7 a2\n", list());
			assert_whole(&changes[i]);
			assert_int_equal(OK, receiver_sweep(&receiver, clock_now(), &error));
			assert_true(has_no_temporary_file());
		}
		/* Each change renames, links and removes many files. */
		assert_in_range(step, 10, 200);
	}
}

static void a_disk_that_fails_leaves_no_page_half_done(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		enum result result = E_FAILED;
		for (int step = 0; result != OK; step++) {
			arena_reset(&arena);
			site_init(&site, &config, &arena);
			prepare(&changes[i]);
			failure = EIO;
			steps_left = step;
			result = receive(page_of(changes[i].after, new_files_of(&changes[i])));
			failure = 0;
			steps_left = -1;
			assert_style(changes[i].old_folder);
			assert_style(changes[i].new_folder);
			if (result != OK)
				assert_int_equal(E_FAILED, result);
			/* The next request, of whatever page, ends what was begun. */
			assert_int_equal(OK, receive(""));
			if (strcmp(list(), "7 -\n") != 0)
				assert_whole(&changes[i]);
			else
				assert_true(changes[i].is_tightened);
			assert_int_equal(
				OK, receive(page_of(changes[i].after, new_files_of(&changes[i]))));
			assert_string_equal("7 a2\n", list());
			assert_whole(&changes[i]);
		}
	}
}

/* A plan that a loss of power or an operator has cut is no reason to stop. */
static void a_damaged_plan_is_removed(void **state)
{
	(void)state;
	static const char *const texts[] = { "page", "page 7 a1 0 acme -\n",
					     "page 7 a1 0 acme -\nfile a b\nend\n",
					     "page 7 a1 9 acme -\nend\n", "\n" };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		int fd = openat(test_folder_fd, "received/plan", O_WRONLY | O_CREAT, 0600);
		assert_int_equal(strlen(texts[i]), write(fd, texts[i], strlen(texts[i])));
		close(fd);
		assert_int_equal(OK, receive(""));
		assert_false(is_there("received/plan"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_dies_leaves_no_page_half_done),
		cmocka_unit_test(a_disk_that_fails_leaves_no_page_half_done),
		cmocka_unit_test(a_damaged_plan_is_removed),
	};
	return cmocka_run_group_tests(tests, receiver_start, receiver_end);
}
