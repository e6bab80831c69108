#include "unit/lib/unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "mirror/mirror_table.h"

static struct error error;

static struct mirror_row found(const struct mirror_table *table, int64_t id)
{
	struct mirror_row row, seen;
	assert_int_equal(OK, mirror_table_find(table, id, &row, &error));
	assert_int_equal(OK, mirror_table_look(test_folder_fd, id, &seen, &error));
	assert_memory_equal(&row, &seen, sizeof(row));
	return row;
}

static void rows_are_found_again_however_many(void **state)
{
	enum { PAGES = 3000 };
	struct mirror_table table CLEANUP(mirror_table_close) = MIRROR_TABLE_CLOSED;
	(void)state;
	assert_int_equal(OK, mirror_table_open(&table, test_folder_fd, &error));
	for (int64_t id = 1; id <= PAGES; id++) {
		struct mirror_row row = { .page_id = id * 64,
					  .state = (uint8_t)(id % 3),
					  .place = (uint8_t)id,
					  .address = (uint64_t)id << 20,
					  .access = 7 };
		row.version[31] = (uint8_t)(id >> 8);
		assert_int_equal(OK, mirror_table_put(&table, &row, &error));
	}
	assert_int_equal(OK, mirror_table_sync(&table, &error));
	mirror_table_close(&table);
	assert_int_equal(OK, mirror_table_open(&table, test_folder_fd, &error));
	for (int64_t id = 1; id <= PAGES; id++) {
		struct mirror_row row = found(&table, id * 64);
		assert_int_equal(id % 3, row.state);
		if (row.state == MIRROR_ROW_NONE)
			continue;
		assert_int_equal((uint8_t)id, row.place);
		assert_int_equal(id << 20, row.address);
		assert_int_equal(id >> 8, row.version[31]);
	}
	assert_int_equal(MIRROR_ROW_NONE, found(&table, 65).state);
	assert_true(table.room >= 2 * table.used);
}

static void a_new_table_is_seen_at_once(void **state)
{
	struct mirror_table table CLEANUP(mirror_table_close) = MIRROR_TABLE_CLOSED;
	struct mirror_table fresh CLEANUP(mirror_table_close) = MIRROR_TABLE_CLOSED;
	struct mirror_row row = { .page_id = 12345, .state = MIRROR_ROW_SENT }, seen;
	(void)state;
	assert_int_equal(OK, mirror_table_open(&table, test_folder_fd, &error));
	assert_int_equal(OK, mirror_table_begin(&fresh, test_folder_fd, 1000, &error));
	assert_int_equal(OK, mirror_table_put(&fresh, &row, &error));
	assert_int_equal(OK, mirror_table_look(test_folder_fd, 12345, &seen, &error));
	assert_int_equal(MIRROR_ROW_NONE, seen.state);
	assert_int_equal(OK, mirror_table_replace(&table, &fresh, &error));
	assert_int_equal(MIRROR_ROW_SENT, found(&table, 12345).state);
	assert_int_equal(MIRROR_ROW_NONE, found(&table, 64).state);
}

static void a_damaged_table_is_replaced_by_its_writer(void **state)
{
	struct mirror_table table CLEANUP(mirror_table_close) = MIRROR_TABLE_CLOSED;
	struct mirror_row row;
	(void)state;
	int fd = openat(test_folder_fd, "pages", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(5, write(fd, "rotten", 5));
	close(fd);
	assert_int_equal(E_FAILED, mirror_table_look(test_folder_fd, 1, &row, &error));
	assert_int_equal(OK, mirror_table_open(&table, test_folder_fd, &error));
	assert_int_equal(MIRROR_ROW_NONE, found(&table, 1).state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_found_again_however_many),
		cmocka_unit_test(a_new_table_is_seen_at_once),
		cmocka_unit_test(a_damaged_table_is_replaced_by_its_writer),
	};
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
