#include "unit/lib/unit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/log.h"

static void memory_is_zeroed_and_aligned(void **state)
{
	(void)state;
	struct arena own;
	arena_init(&own, 1 << 20);
	for (size_t size = 0; size < 300; size++) {
		unsigned char *block = arena_alloc(&own, size);
		assert_int_equal(0, (uintptr_t)block % 16);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(0, block[i]);
		memset(block, 0xff, size);
	}
	arena_done(&own);
}

static void large_blocks_do_not_end_the_shared_chunk(void **state)
{
	(void)state;
	struct arena own;
	arena_init(&own, 1 << 20);
	char *small = arena_strdup(&own, "small");
	char *large = arena_alloc(&own, 100000);
	memset(large, 'x', 100000);
	assert_string_equal("small", small);
	assert_string_equal("7-seven", arena_printf(&own, "%d-%s", 7, "seven"));
	arena_done(&own);
}

static void reset_gives_everything_back(void **state)
{
	(void)state;
	struct arena own;
	arena_init(&own, 1000);
	for (int i = 0; i < 100; i++) {
		arena_alloc(&own, 1000);
		arena_reset(&own);
	}
	assert_int_equal(0, own.used_bytes);
	arena_done(&own);
}

static void room_ends_long_before_the_cap(void **state)
{
	(void)state;
	struct arena own;
	arena_init(&own, 64 << 10);
	char *items = NULL;
	size_t count = 0, room = 0;
	/* A loop that checks for room, and then allocates as much again as is in use. */
	for (; arena_has_room(&own); count++)
		items = arena_grow(&own, items, count, &room, 16);
	assert_in_range(count, 500, 4000);
	arena_alloc(&own, own.used_bytes);
	assert_false(arena_has_room(&own));
	arena_reset(&own);
	assert_true(arena_has_room(&own));
	arena_done(&own);
}

/* Dirties an arena of `chunks` shared chunks and a large block, and gives it back. */
static void use_and_reset(struct arena_spare *spare, int chunks)
{
	struct arena own;
	arena_init(&own, 8 << 20);
	arena_lend(&own, spare);
	memset(arena_alloc(&own, 1 << 20), 0xff, 1 << 20);
	for (int i = 0; i < chunks; i++)
		memset(arena_alloc(&own, 16000), 0xff, 16000);
	arena_done(&own);
}

static void spare_chunks_are_few_and_come_back_zeroed(void **state)
{
	(void)state;
	struct arena_spare spare = { 0 };
	struct arena own;
	size_t before = budget_used();
	use_and_reset(&spare, 2);
	/* With a sanitizer each block is allocated for itself, and none is kept. */
	bool keeps = spare.count > 0;
	assert_int_equal(spare.count, keeps ? 2 : 0);
	use_and_reset(&spare, 100);
	assert_int_equal(spare.count, keeps ? ARENA_SPARE_CHUNKS : 0);
	/* Spare chunks belong to no arena. */
	assert_int_equal(budget_used(), before);
	arena_init(&own, 1 << 20);
	arena_lend(&own, &spare);
	for (size_t size = 1; size < 300; size++) {
		char *block = arena_alloc(&own, size);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(0, block[i]);
	}
	assert_string_equal("ab", arena_strndup(&own, "abc", 2));
	assert_true(budget_used() > before);
	arena_done(&own);
	arena_spare_done(&spare);
	assert_int_equal(spare.count, 0);
	assert_int_equal(budget_used(), before);
}

static void long_texts_are_printed_whole(void **state)
{
	(void)state;
	struct arena own;
	arena_init(&own, 1 << 20);
	for (int width = 250; width < 260; width++) {
		const char *text = arena_printf(&own, "%*d", width, 7);
		assert_int_equal(strlen(text), width);
		assert_int_equal(text[width - 1], '7');
	}
	arena_done(&own);
}

static int status_of_child(size_t size)
{
	pid_t pid = fork();
	if (pid == 0) {
		struct arena own;
		log_to_fd(-1);
		arena_init(&own, 1000);
		arena_array(&own, size, 8);
		_exit(0);
	}
	int status;
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void the_cap_ends_the_process(void **state)
{
	(void)state;
	assert_int_equal(0, status_of_child(125));
	assert_int_equal(EX_SOFTWARE, status_of_child(126));
	assert_int_equal(EX_SOFTWARE, status_of_child(SIZE_MAX / 4));
}

/* Memory that the process has, in bytes. */
static size_t resident_bytes(void)
{
	unsigned long all = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	assert_non_null(file);
	assert_int_equal(2, fscanf(file, "%lu %lu", &all, &resident));
	fclose(file);
	return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* Whether blocks above it are kept or not, and whether it had large blocks or small ones. */
static void a_large_arena_gives_its_memory_back_to_the_system(void **state)
{
	(void)state;
	enum { USED = 48 << 20, LARGE = 20 << 20, PIECE = 1000 };
	struct arena own;
	/* A sanitizer keeps what was freed. */
	if (dlsym(RTLD_DEFAULT, "__asan_init"))
		skip();
	for (int round = 0; round < 3; round++) {
		arena_init(&own, 256 << 20);
		/* The C library raises its limits when it frees a large block. */
		memset(arena_alloc(&own, LARGE), 'x', LARGE);
		arena_reset(&own);
		size_t before = resident_bytes();
		for (size_t i = 0; i < USED / PIECE; i++)
			memset(arena_alloc(&own, PIECE), 'x', PIECE);
		char *kept = round > 0 ? malloc(30000) : NULL;
		if (kept)
			memset(kept, 'k', 30000);
		assert_true(resident_bytes() >= before + USED / 2);
		arena_reset(&own);
		assert_true(resident_bytes() < before + USED / 8);
		free(kept);
		arena_done(&own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_aligned),
		cmocka_unit_test(large_blocks_do_not_end_the_shared_chunk),
		cmocka_unit_test(reset_gives_everything_back),
		cmocka_unit_test(room_ends_long_before_the_cap),
		cmocka_unit_test(spare_chunks_are_few_and_come_back_zeroed),
		cmocka_unit_test(a_large_arena_gives_its_memory_back_to_the_system),
		cmocka_unit_test(long_texts_are_printed_whole),
		cmocka_unit_test(the_cap_ends_the_process),
	};
	return RUN(tests);
}
