/* The texts of people have a limit for each page, so that its files can always be written. */
#include "unit/lib/unit.h"

#include "domain/page/page_texts.h"

#include <string.h>

enum { BODY_BYTES = 10000, UPDATES = 50, INCIDENTS = 25, WINDOWS = 30, OCCURRENCES = 10 };

static char body[BODY_BYTES + 1];
static struct posted_update updates[UPDATES];

static size_t bytes_of(const struct page_incident *incidents, size_t count)
{
	size_t bytes = 0;
	for (size_t i = 0; i < count; i++)
		bytes += incidents[i].updates.count * BODY_BYTES;
	return bytes;
}

static void set_texts(void)
{
	memset(body, '"', BODY_BYTES);
	for (size_t i = 0; i < UPDATES; i++)
		updates[i].body = body;
}

static void the_newest_updates_of_each_incident_stay(void **state)
{
	(void)state;
	struct page_incident incidents[INCIDENTS] = { { .row.id = 1 } };
	set_texts();
	for (size_t i = 0; i < INCIDENTS; i++) {
		incidents[i].updates.rows = updates;
		incidents[i].updates.count = i == 0 ? 1 : UPDATES;
	}
	page_texts_limit_updates(incidents, INCIDENTS);
	assert_int_equal(1, incidents[0].updates.count);
	assert_true(bytes_of(incidents, INCIDENTS) <= PAGE_TEXTS_MAX_BYTES);
	assert_true(bytes_of(incidents, INCIDENTS) > PAGE_TEXTS_MAX_BYTES - BODY_BYTES);
	for (size_t i = 1; i + 1 < INCIDENTS; i++)
		assert_true(incidents[i].updates.count - incidents[i + 1].updates.count <= 1);
	/* What fits stays. */
	incidents[1].updates.count = UPDATES;
	page_texts_limit_updates(&incidents[1], 1);
	assert_int_equal(UPDATES, incidents[1].updates.count);
	page_texts_limit_updates(NULL, 0);
}

static void each_window_has_its_text_once_before_one_has_it_twice(void **state)
{
	(void)state;
	static struct page_maintenance rows[WINDOWS * OCCURRENCES];
	struct page_snapshot snapshot = { .maintenances = rows,
					  .maintenance_count = ARRAY_LEN(rows) };
	size_t bytes = 0;
	set_texts();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		rows[i] = (struct page_maintenance){ .id = (int64_t)i + 1,
						     .window_id = (int64_t)(i / OCCURRENCES) + 1,
						     .body = body,
						     .updates = updates,
						     .update_count = 1 };
	page_texts_limit(&snapshot);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		bytes += (rows[i].body ? BODY_BYTES : 0) + rows[i].update_count * BODY_BYTES;
		if (i % OCCURRENCES == 0)
			assert_non_null(rows[i].body);
	}
	assert_true(bytes <= PAGE_TEXTS_MAX_BYTES);
	assert_non_null(rows[1].body);
	assert_null(rows[ARRAY_LEN(rows) - 1].body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_updates_of_each_incident_stay),
		cmocka_unit_test(each_window_has_its_text_once_before_one_has_it_twice),
	};
	return RUN_WITH_ARENA(tests);
}
