/* The file setup.token. */
#include "unit/lib/unit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/setup_token.h"
#include "base/secret.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

static struct str token;

static const char *path_of(const char *name)
{
	return arena_printf(&arena, "%s/%s", test_folder, name);
}

static enum result read_text(const char *text, size_t len)
{
	FILE *file = fopen(path_of("setup.token"), "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	fclose(file);
	return setup_token_read(path_of("setup.token"), &arena, &token);
}

static void a_token_has_32_to_1024_bytes_without_blanks_at_its_ends(void **state)
{
	char text[SETUP_TOKEN_MAX + 1];
	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(setup_token_read(path_of("setup.token"), &arena, &token), E_NOT_FOUND);
	assert_int_equal(read_text("", 0), E_INVALID);
	assert_int_equal(read_text(TOKEN "\n", 33), OK);
	assert_true(str_eq(token, str_from(TOKEN)));
	assert_int_equal(read_text("\xef\xbb\xbf " TOKEN "\r\n", 38), OK);
	assert_true(str_eq(token, str_from(TOKEN)));
	assert_int_equal(read_text(TOKEN "\n", 31), E_INVALID);
	assert_int_equal(read_text(text, SETUP_TOKEN_MAX), OK);
	assert_int_equal(read_text(text, SETUP_TOKEN_MAX + 1), E_INVALID);
	assert_int_equal(unlink(path_of("setup.token")), 0);
	assert_int_equal(symlink("/etc/passwd", path_of("setup.token")), 0);
	assert_int_equal(setup_token_read(path_of("setup.token"), &arena, &token), E_INVALID);
	assert_int_equal(unlink(path_of("setup.token")), 0);
	assert_int_equal(mkdir(path_of("setup.token"), 0700), 0);
	assert_int_equal(setup_token_read(path_of("setup.token"), &arena, &token), E_INVALID);
	assert_int_equal(rmdir(path_of("setup.token")), 0);
}

static void a_file_is_taken_once_and_put_back_or_deleted(void **state)
{
	const char *taken, *again, *path = path_of("setup.token");
	struct error error = { 0 };
	(void)state;
	assert_int_equal(read_text(TOKEN, 32), OK);
	assert_int_equal(setup_token_take(path, &arena, &taken, &error), OK);
	assert_int_equal(setup_token_take(path, &arena, &again, &error), E_NOT_FOUND);
	setup_token_put_back(taken, path);
	assert_int_equal(setup_token_take(path, &arena, &taken, &error), OK);
	setup_token_delete(taken);
	assert_int_equal(setup_token_take(path, &arena, &taken, &error), E_NOT_FOUND);
	/* What cannot be renamed is not used. */
	assert_int_equal(setup_token_take("/proc", &arena, &taken, &error), E_CONFLICT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_token_has_32_to_1024_bytes_without_blanks_at_its_ends),
		cmocka_unit_test(a_file_is_taken_once_and_put_back_or_deleted),
	};
	secret_init();
	return cmocka_run_group_tests(tests, folder_start, folder_end);
}
