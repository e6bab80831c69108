#include "base/budget.h"

#include <stdatomic.h>

static atomic_size_t used;
static atomic_size_t most;

void budget_set(size_t most_bytes)
{
	atomic_store(&most, most_bytes);
}

void budget_take(size_t bytes)
{
	atomic_fetch_add_explicit(&used, bytes, memory_order_relaxed);
}

void budget_give(size_t bytes)
{
	atomic_fetch_sub_explicit(&used, bytes, memory_order_relaxed);
}

bool budget_claim(size_t bytes, size_t held, size_t *taken)
{
	size_t limit = atomic_load(&most);
	size_t left = held < limit / 2 ? limit / 2 - held : 0;
	*taken = limit > 0 && bytes > left ? left : bytes;
	size_t before = atomic_fetch_add(&used, *taken);
	if (limit == 0 || *taken == 0 || before + *taken <= limit)
		return true;
	budget_give(*taken);
	*taken = 0;
	return false;
}

size_t budget_used(void)
{
	return atomic_load(&used);
}
