/*
 * What this machine's disk has of a page: under which addresses, as of which
 * revision and day, and which months of history. By it a publisher knows what
 * is still right and what has to go, also where another machine made the change.
 */
#ifndef PUBLISH_PAGE_STATE_H
#define PUBLISH_PAGE_STATE_H

#include "base/clock.h"
#include "publish/pages_dir.h"

struct month_state {
	const char *name; /* "2026-11" */
	const char *digest;
};

struct page_state {
	bool is_known; /* else the rest is empty */
	int64_t revision;
	struct instant day; /* its midnight */
	const char *slug;
	const char *domain; /* NULL: none */
	struct month_state *months;
	size_t month_count;
};

/* One that cannot be read is an unknown one. Texts are the arena's. */
void page_state_read(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
		     struct page_state *state);
enum result page_state_write(const struct pages_dir *dir, int64_t page_id,
			     const struct page_state *state, struct arena *arena,
			     struct error *error) MUST_USE;
enum result page_state_remove(const struct pages_dir *dir, int64_t page_id, struct arena *arena,
			      struct error *error) MUST_USE;

/* Whether that month is on disk with that digest. */
bool page_state_has_month(const struct page_state *state, const char *name, const char *digest);

#endif
