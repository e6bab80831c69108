#include "unit/lib/unit.h"

struct arena arena;

int arena_start(void **state)
{
	(void)state;
	arena_init(&arena, 64 << 20);
	return 0;
}

int arena_end(void **state)
{
	(void)state;
	arena_done(&arena);
	return 0;
}
