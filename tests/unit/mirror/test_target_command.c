#include "unit/lib/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mirror/mirror_state.h"
#include "mirror/target/command.h"
#include "mirror/target/target.h"

enum { LONG_MS = 60000, SHORT_MS = 200 };

static struct error error;

static enum result run(const char *line, int64_t most_ms)
{
	const struct command command = { .line = line,
					 .pages = "/srv/pages/public",
					 .name = "copy",
					 .most_ms = most_ms,
					 .end_ms = SHORT_MS };
	error = (struct error){ 0 };
	return command_run(&command, &error);
}

/* The whole text of a file in the test's folder. */
static const char *text_of(const char *name)
{
	char *text = arena_alloc(&arena, 65536);
	FILE *file = fopen(arena_printf(&arena, "%s/%s", test_folder, name), "r");
	if (!file)
		return "";
	text[fread(text, 1, 65535, file)] = '\0';
	fclose(file);
	return text;
}

static const char *in_folder(const char *line)
{
	return arena_printf(&arena, "cd %s || exit; %s", test_folder, line);
}

static void a_command_knows_the_pages_and_its_name(void **state)
{
	(void)state;
	setenv("DAYMARK_MIRROR", "another", 1);
	setenv("OTHER", "stays", 1);
	assert_int_equal(OK, run(in_folder("echo \"$DAYMARK_PAGES|$DAYMARK_MIRROR|$OTHER\" >known"),
				 LONG_MS));
	assert_string_equal("/srv/pages/public|copy|stays\n", text_of("known"));
	unsetenv("DAYMARK_MIRROR");
	unsetenv("OTHER");
}

/* A command mirror over the folder "pages" of the test's folder. */
struct world {
	struct mirror mirror;
	struct config config;
	struct target target;
};

static void open_world(struct world *world, const char *line)
{
	*world = (struct world){
		.mirror = { .kind = MIRROR_COMMAND, .name = "copy", .command = in_folder(line) },
		.config = { .pages_dir = arena_printf(&arena, "%s/./pages", test_folder) },
	};
	world->target = (struct target){ .kind = &target_command,
					 .mirror = &world->mirror,
					 .config = &world->config };
	assert_true(target_command.is_whole);
	assert_int_equal(0, system(in_folder("rm -rf pages known found json runs")));
	assert_int_equal(
		OK, target_command.open(&world->target, &world->mirror, &world->config, &error));
}

static enum result send_all(struct world *world)
{
	error = (struct error){ 0 };
	return target_command.send(&world->target, NULL, 0, &error);
}

/* Runs a line of the shell in the pages folder. */
static void in_pages(const char *line)
{
	assert_int_equal(0,
			 system(arena_printf(&arena, "cd %s/pages && { %s; }", test_folder, line)));
}

/* The files that the last command has found, one in a line. */
#define LISTING "(cd \"$DAYMARK_PAGES\" && find . -type f -printf '%P\\n' | LC_ALL=C sort) >found"

static void the_target_gives_the_public_part(void **state)
{
	struct world world;
	(void)state;
	open_world(&world, "echo \"$DAYMARK_PAGES\" >known; " LISTING);
	in_pages("mkdir public/s/acme noindex/s/hidden private/secret && "
		 "touch noindex/s/hidden/index.html private/secret/index.html && "
		 "touch public/s/acme/index.html");
	assert_int_equal(OK, send_all(&world));
	assert_string_equal(arena_printf(&arena, "%s/pages/mirror/copy/public\n", test_folder),
			    text_of("known"));
	assert_string_equal("s/acme/index.html\n", text_of("found"));
	target_command.close(&world.target);
}

static void a_page_has_the_addresses_that_web_servers_rewrite(void **state)
{
	struct world world;
	(void)state;
	open_world(&world, LISTING "; cat \"$DAYMARK_PAGES\"/s/acme/api/v2/summary.json >json");
	/* A page may be called as the folder of these addresses. */
	in_pages("for page in s/acme d/status.example.org s/api; do mkdir -p public/$page; "
		 "for file in index.html index.html.gz summary.json summary.json.gz upcoming.json; "
		 "do echo $page/$file >public/$page/$file; done; done");
	/* A sweep may empty DIR/new at any time. */
	in_pages("rmdir new");
	assert_int_equal(OK, send_all(&world));
	in_pages("mkdir new");
	for (size_t i = 0; i < 3; i++) {
		static const char *const pages[] = { "s/acme", "d/status.example.org", "s/api" };
		assert_non_null(strstr(
			text_of("found"),
			arena_printf(&arena,
				     "%s/api/v2/scheduled-maintenances/upcoming.json\n"
				     "%s/api/v2/summary.json\n%s/index.html\n%s/index.html.gz\n"
				     "%s/summary.json\n%s/summary.json.gz\n%s/upcoming.json\n",
				     pages[i], pages[i], pages[i], pages[i], pages[i], pages[i],
				     pages[i])));
	}
	assert_string_equal("s/acme/summary.json\n", text_of("json"));
	/* A new version, as publishers make it, a file that the page has lost, and lost pages. */
	in_pages("echo new >new/file && mv new/file public/s/acme/summary.json && "
		 "rm -r public/s/acme/upcoming.json public/s/api public/d/*");
	assert_int_equal(OK, send_all(&world));
	assert_string_equal("new\n", text_of("json"));
	assert_string_equal("s/acme/api/v2/summary.json\ns/acme/index.html\n"
			    "s/acme/index.html.gz\ns/acme/summary.json\ns/acme/summary.json.gz\n",
			    text_of("found"));
	in_pages("[ ! -e mirror/copy/public/s/api ] && [ -z \"$(ls mirror/copy/public/d)\" ]");
	target_command.close(&world.target);
}

static void pages_that_cannot_be_linked_keep_no_page_that_is_gone(void **state)
{
	struct world world;
	(void)state;
	open_world(&world, "echo run >>runs; " LISTING);
	in_pages("mkdir public/s/acme public/s/gone && touch public/s/acme/index.html "
		 "public/s/gone/index.html && mkdir -p mirror/copy && echo x "
		 ">mirror/copy/public.new");
	/* Nothing was ever complete, so nothing is copied. */
	assert_int_equal(E_FAILED, send_all(&world));
	assert_string_equal("", text_of("runs"));
	in_pages("rm mirror/copy/public.new");
	assert_int_equal(OK, send_all(&world));
	in_pages(
		"rm -r public/s/gone && mkdir public/s/later && touch public/s/later/index.html && "
		"echo x >mirror/copy/public/s/later");
	assert_int_equal(E_FAILED, send_all(&world));
	assert_non_null(strstr(error.log, "later"));
	assert_string_equal("run\nrun\n", text_of("runs"));
	assert_string_equal("s/acme/index.html\ns/later\n", text_of("found"));
	target_command.close(&world.target);
}

/* With too few open files nothing tells the copy apart from a complete one but the result. */
static void a_page_that_cannot_be_read_is_a_failure(void **state)
{
	struct world world;
	struct rlimit limit, few;
	(void)state;
	open_world(&world, LISTING);
	in_pages(
		"mkdir public/s/acme && touch public/s/acme/index.html public/s/acme/summary.json");
	assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &limit));
	int lowest = dup(0), failures = 0;
	close(lowest);
	for (int spare = 1; spare <= 12; spare++) {
		in_pages("rm -rf mirror/copy/public* && mkdir -p mirror/copy");
		few = (struct rlimit){ (rlim_t)(lowest + spare), limit.rlim_max };
		assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &few));
		enum result result = send_all(&world);
		assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &limit));
		failures += result != OK;
		if (result == OK)
			assert_string_equal("s/acme/api/v2/summary.json\ns/acme/index.html\n"
					    "s/acme/summary.json\n",
					    text_of("found"));
	}
	assert_in_range(failures, 4, 11);
	target_command.close(&world.target);
}

/* write_note ID FILE SLUG DOMAIN PLACE */
#define WRITE_NOTE \
	"write_note() { mkdir -p state/$1 && printf '1 0 %s %s\\nepoch 1\\nplace %s\\n' $3 $4 $5 " \
	">state/$1/$2; }; "

/* Somebody has emptied a folder: the pages that it had are not gone. */
static void a_page_whose_files_are_lost_stays(void **state)
{
	struct world world;
	(void)state;
	open_world(&world, LISTING);
	in_pages("for page in s/acme s/hidden s/torn s/gone d/acme.example; do "
		 "mkdir -p public/$page && touch public/$page/index.html; done");
	assert_int_equal(OK, send_all(&world));
	/* PAGES_PUBLIC and PAGES_PRIVATE */
	in_pages(WRITE_NOTE
		 "write_note 7 page acme acme.example 0; write_note 8 page hidden - 4; "
		 "write_note 9 writing torn - 0; rm -r public/s/*/* public/s/torn public/d/*");
	assert_int_equal(E_UNAVAILABLE, send_all(&world));
	assert_non_null(strstr(error.log, "acme"));
	assert_string_equal("d/acme.example/index.html\ns/acme/index.html\n", text_of("found"));
	/* The page gives up its domain, and is then deleted. */
	in_pages(WRITE_NOTE "write_note 7 page acme - 0");
	assert_int_equal(E_UNAVAILABLE, send_all(&world));
	assert_string_equal("s/acme/index.html\n", text_of("found"));
	in_pages("rm -r state/7");
	assert_int_equal(OK, send_all(&world));
	assert_string_equal("", text_of("found"));
	target_command.close(&world.target);
}

static void a_mirror_that_is_not_configured_leaves_nothing(void **state)
{
	struct world world;
	const struct mirrors none = { 0 };
	(void)state;
	open_world(&world, "true");
	in_pages("mkdir public/s/acme && touch public/s/acme/index.html public/s/acme/status.json");
	assert_int_equal(OK, send_all(&world));
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	assert_int_equal(OK, pages_dir_open(&dir, world.config.pages_dir, &error));
	assert_int_equal(OK, mirrors_forget(&dir, &none, &arena, &error));
	in_pages("[ -d mirror ] && [ ! -e mirror/copy ] && [ -e public/s/acme/status.json ]");
	target_command.close(&world.target);
}

static void a_failure_shows_the_end_of_the_output(void **state)
{
	(void)state;
	assert_int_equal(E_UNAVAILABLE, run("echo one; echo two >&2; exit 23", LONG_MS));
	assert_string_equal("the command ended with status 23; the end of its output: one|two",
			    error.log);
	assert_int_equal(E_UNAVAILABLE, run("exit 1", LONG_MS));
	assert_string_equal("the command ended with status 1", error.log);
	assert_int_equal(E_UNAVAILABLE,
			 run("seq 1 50000; printf 'a\\033[1mb\\303\\244'; exit 2", LONG_MS));
	assert_non_null(strstr(error.log, "|49999|50000|a?[1mb??"));
	assert_null(strstr(error.log, "|49000|"));
	assert_int_equal(E_UNAVAILABLE, run("kill -9 $$", LONG_MS));
	assert_string_equal("the command died by signal 9", error.log);
	assert_int_equal(E_REFUSED, run("/nonexistent/program 2>/dev/null", LONG_MS));
	assert_string_equal("the command ended with status 127", error.log);
}

static void a_command_has_three_descriptors_and_no_blocked_signals(void **state)
{
	(void)state;
	int open_fd = dup(test_folder_fd);
	sigset_t blocked, before;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	signal(SIGPIPE, SIG_IGN);
	/* ls has a descriptor for the folder that it lists. */
	assert_int_equal(OK, run(in_folder("ls /proc/self/fd | tr '\\n' ' ' >fds; "
					   "grep -E 'Sig(Blk|Ign)' /proc/self/status >signals; "
					   "readlink /proc/self/fd/0 >input"),
				 LONG_MS));
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(open_fd);
	assert_string_equal("0 1 2 3 ", text_of("fds"));
	unsigned long long now_blocked, now_ignored;
	assert_int_equal(2, sscanf(text_of("signals"), "SigBlk: %llx SigIgn: %llx", &now_blocked,
				   &now_ignored));
	/* Signals 32 and 33 are the C library's own, which no program can set. */
	assert_true(now_blocked == 0 && (now_ignored & ~(3ULL << 31)) == 0);
	assert_string_equal("/dev/null\n", text_of("input"));
}

static bool is_running(const char *pid)
{
	char *end;
	long number = strtol(pid, &end, 10);
	assert_true(number > 1);
	/* A process that has ended may wait for its parent. */
	return system(arena_printf(&arena, "grep -q '^State:.[^ZX]' /proc/%ld/status 2>/dev/null",
				   number)) == 0;
}

/* Waits for as long as it takes. */
static void await_end(const char *pid)
{
	const struct timespec wait = { .tv_nsec = 10000000 };
	while (is_running(pid))
		nanosleep(&wait, NULL);
}

static void a_command_that_does_not_end_is_ended(void **state)
{
	(void)state;
	assert_int_equal(E_UNAVAILABLE,
			 run(in_folder("echo begun; (echo $$ >child; exec sleep 1000) & "
				       "echo $! >child; wait"),
			     SHORT_MS));
	assert_string_equal("the command was ended after 0 seconds; the end of its output: begun",
			    error.log);
	await_end(text_of("child"));
	/* One that ignores SIGTERM, and one whose output is closed. */
	assert_int_equal(E_UNAVAILABLE,
			 run(in_folder("trap '' TERM; echo $$ >child; while :; do sleep 1; done"),
			     SHORT_MS));
	await_end(text_of("child"));
	assert_int_equal(E_UNAVAILABLE, run("exec >&- 2>&-; sleep 1000", SHORT_MS));
}

static void what_a_command_leaves_running_is_not_awaited(void **state)
{
	(void)state;
	assert_int_equal(OK, run(in_folder("sleep 1000 & echo $! >left"), LONG_MS));
	assert_true(is_running(text_of("left")));
	assert_int_equal(0, system(arena_printf(&arena, "kill %s", text_of("left"))));
}

static void a_command_ends_with_the_process(void **state)
{
	(void)state;
	int status;
	const struct timespec wait = { .tv_nsec = 10000000 };
	pid_t pid = fork();
	if (pid == 0)
		_exit(run(in_folder("echo $$ >new && mv new orphan; exec sleep 1000"), LONG_MS));
	while (text_of("orphan")[0] == '\0')
		nanosleep(&wait, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	await_end(text_of("orphan"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_knows_the_pages_and_its_name),
		cmocka_unit_test(the_target_gives_the_public_part),
		cmocka_unit_test(a_page_has_the_addresses_that_web_servers_rewrite),
		cmocka_unit_test(pages_that_cannot_be_linked_keep_no_page_that_is_gone),
		cmocka_unit_test(a_page_that_cannot_be_read_is_a_failure),
		cmocka_unit_test(a_page_whose_files_are_lost_stays),
		cmocka_unit_test(a_mirror_that_is_not_configured_leaves_nothing),
		cmocka_unit_test(a_failure_shows_the_end_of_the_output),
		cmocka_unit_test(a_command_has_three_descriptors_and_no_blocked_signals),
		cmocka_unit_test(a_command_that_does_not_end_is_ended),
		cmocka_unit_test(what_a_command_leaves_running_is_not_awaited),
		cmocka_unit_test(a_command_ends_with_the_process),
	};
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
