/* Pages as visitors see them, for tests and for looking at. */
#ifndef UNIT_VIEW_SAMPLES_H
#define UNIT_VIEW_SAMPLES_H

#include "base/arena.h"
#include "domain/page/page_snapshot.h"

/* 2026-11-20T12:00:00Z */
#define SAMPLE_NOON INT64_C(1795176000)

struct sample {
	const char *name;
	struct page_snapshot (*make)(struct arena *arena);
};
extern const struct sample samples[];
extern const size_t sample_count;

#endif
