/* The list of a checker that is elsewhere, and its file. */
#include "unit/lib/unit.h"

#include <stdlib.h>

#include "check/remote_parts.h"

static const char list[] = "{\"data\":[{\"id\":5,\"name\":\"Shop\",\"type\":\"tcp\",\"url\":\"a."
			   "example:1\"}],\"next\":5}";

struct machine {
	struct config config;
	struct recorder recorder;
	struct remote remote;
	struct watch watch;
};

static struct machine *start_machine(void)
{
	struct machine *machine = calloc(1, sizeof(*machine));
	assert_non_null(machine);
	machine->config.pages_dir = test_folder;
	machine->recorder.config = &machine->config;
	machine->remote.recorder = &machine->recorder;
	machine->remote.list = BUF_INIT(REMOTE_LIST_BYTES);
	arena_init(&machine->remote.found, 1 << 20);
	arena_init(&machine->watch.part.arena, 1 << 20);
	return machine;
}

static void end_machine(struct machine *machine)
{
	free(machine->watch.monitors);
	arena_done(&machine->watch.part.arena);
	arena_done(&machine->remote.found);
	buf_done(&machine->remote.list);
	free(machine);
}

static void half_a_list_is_none(void **state)
{
	struct machine *machine = start_machine();
	struct watch *watch = &machine->watch;
	struct error error = { 0 };
	int64_t next;
	(void)state;
	/* The centre goes away before it has sent the second part. */
	assert_int_equal(OK, remote_take_part(watch, str_from(list), &next, &error));
	assert_int_equal(5, next);
	remote_read_file(&machine->remote, watch, true);
	assert_false(watch->has_list);
	folder_write_text("checks-of-location", list);
	remote_read_file(&machine->remote, watch, true);
	assert_true(watch->has_list);
	assert_int_equal(1, watch->monitor_count);
	assert_int_equal(5, watch->monitors[0].id);
	end_machine(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_a_list_is_none),
	};
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
