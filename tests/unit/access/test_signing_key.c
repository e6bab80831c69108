#include "unit/lib/unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/signing_key.h"

static struct error error;

static void reading_makes_no_key(void **state)
{
	(void)state;
	struct signing_key key;
	bool is_found = true;
	assert_int_equal(OK, signing_key_read(test_folder_fd, &key, &is_found, &error));
	assert_false(is_found);
	assert_int_equal(-1, faccessat(test_folder_fd, "secret", F_OK, 0));
}

static void a_key_is_made_once(void **state)
{
	(void)state;
	struct signing_key made, again, read;
	struct stat status;
	bool is_found = false;
	assert_int_equal(OK, signing_key_make(test_folder_fd, &made, &error));
	assert_int_equal(OK, signing_key_make(test_folder_fd, &again, &error));
	assert_int_equal(OK, signing_key_read(test_folder_fd, &read, &is_found, &error));
	assert_true(is_found);
	assert_memory_equal(made.bytes, again.bytes, sizeof(made.bytes));
	assert_memory_equal(made.bytes, read.bytes, sizeof(made.bytes));
	assert_int_equal(0, fstatat(test_folder_fd, "secret", &status, 0));
	assert_int_equal(0600, status.st_mode & 0777);
	assert_int_equal(sizeof(made.bytes), status.st_size);
}

static void a_key_that_cannot_be_read_is_an_error(void **state)
{
	(void)state;
	struct signing_key key;
	bool is_found;
	assert_int_equal(0, mkdirat(test_folder_fd, "secret", 0700));
	assert_int_equal(E_UNAVAILABLE, signing_key_read(test_folder_fd, &key, &is_found, &error));
	assert_int_equal(E_FAILED, signing_key_make(test_folder_fd, &key, &error));
}

static void an_exported_key_is_imported(void **state)
{
	(void)state;
	struct signing_key before, after;
	const char *text, *other;
	assert_int_equal(OK, signing_key_export(test_folder_fd, &arena, &text, &error));
	assert_int_equal(OK, signing_key_make(test_folder_fd, &before, &error));
	unlinkat(test_folder_fd, "secret", 0);
	assert_int_equal(OK, signing_key_export(test_folder_fd, &arena, &other, &error));
	assert_string_not_equal(text, other);
	assert_int_equal(OK, signing_key_import(test_folder_fd, str_from(text), &error));
	assert_int_equal(OK, signing_key_make(test_folder_fd, &after, &error));
	assert_memory_equal(before.bytes, after.bytes, sizeof(before.bytes));
	assert_int_equal(E_INVALID, signing_key_import(test_folder_fd, STR("12"), &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(reading_makes_no_key, folder_start, folder_end),
		cmocka_unit_test_setup_teardown(a_key_is_made_once, folder_start, folder_end),
		cmocka_unit_test_setup_teardown(a_key_that_cannot_be_read_is_an_error, folder_start,
						folder_end),
		cmocka_unit_test_setup_teardown(an_exported_key_is_imported, folder_start,
						folder_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
