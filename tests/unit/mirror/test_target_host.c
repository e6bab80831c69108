/* The sender to a mirror host, with servers that are none. */
#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mirror/origin_link.h"
#include "mirror/target/target.h"
#include "unit/lib/server.h"
#include "unit/mirror/pages.h"

static struct test_server server;
static int port;
static struct config config;
static struct mirror mirror = { .kind = MIRROR_HOST, .name = "a", .key = "of the mirror" };
static struct target target;
static struct target_pages list;
static struct arena pusher_arena;

static int start(void **state)
{
	enum { PUSHER_ARENA_MAX_BYTES = 256 << 20 };
	int other_ports[2];
	arena_init(&pusher_arena, PUSHER_ARENA_MAX_BYTES);
	if (pages_start(state) != 0)
		return -1;
	const char *const argv[] = { TESTS_DIR "/lib/http-server", test_folder, NULL };
	config.pages_dir = test_folder;
	return server_start(&server, argv) && sscanf(server.line, "%d %d %d", &port,
						     &other_ports[0], &other_ports[1]) == 3
		       ? 0
		       : -1;
}

static int stop(void **state)
{
	server_stop(&server);
	arena_done(&pusher_arena);
	return pages_end(state);
}

static enum result read_list(void)
{
	arena_reset(&pusher_arena);
	return target.kind->list(&target, &pusher_arena, &list, &error);
}

static void open_target(const char *path)
{
	mirror.url = arena_printf(&arena, "http://127.0.0.1:%d%s", port, path);
	target = (struct target){ &target_host, &mirror, &config, NULL };
	assert_int_equal(OK, target.kind->open(&target, &mirror, &config, &error));
}

static void a_server_that_says_yes_to_everything_is_no_mirror(void **state)
{
	(void)state;
	open_target("/fine");
	assert_int_equal(E_REFUSED, target.kind->beat(&target, true, &error));
	assert_non_null(strstr(error_text(&error), "/fine/mirror/v1/beat: status 200"));
	bool is_more;
	assert_int_equal(E_REFUSED, target.kind->send_shared(&target, true, &is_more, &error));
	assert_non_null(strstr(error_text(&error), "/fine/mirror/v1/site: status 200"));
	target.kind->close(&target);
}

static void a_list_may_have_many_pages(void **state)
{
	(void)state;
	open_target("/list/300000");
	assert_int_equal(OK, read_list());
	assert_int_equal(300000, list.count);
	target.kind->close(&target);
}

static void a_list_that_has_no_end_is_refused(void **state)
{
	(void)state;
	open_target("/list/600000");
	assert_int_equal(E_REFUSED, read_list());
	target.kind->close(&target);
	open_target("/list/7000000");
	assert_int_equal(E_UNAVAILABLE, read_list());
	target.kind->close(&target);
}

/* The worker empties DIR/new at any time, also while a mirror is taken over. */
static void a_step_of_the_origin_needs_no_folder_that_a_sweep_empties(void **state)
{
	struct origin_link link, read;
	(void)state;
	assert_int_equal(0, unlinkat(test_folder_fd, "new", AT_REMOVEDIR));
	assert_int_equal(OK, origin_link_step(&dir, "a", &link, &error));
	origin_link_renew(&link);
	assert_int_equal(OK, origin_link_replace(&dir, "a", &link, &error));
	link.is_refused = true;
	assert_int_equal(OK, origin_link_write(&dir, "a", &link, &error));
	assert_int_equal(OK, origin_link_read(&dir, "a", &read, &error));
	assert_true(read.is_refused && origin_mark_is_same(&link.mark, &read.mark));
	assert_int_equal(0, mkdirat(test_folder_fd, "new", 0700));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_that_says_yes_to_everything_is_no_mirror),
		cmocka_unit_test(a_list_may_have_many_pages),
		cmocka_unit_test(a_list_that_has_no_end_is_refused),
		cmocka_unit_test(a_step_of_the_origin_needs_no_folder_that_a_sweep_empties),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
