#include "unit/lib/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "publish/folder/gone.h"
#include "unit/mirror/pages.h"

static struct page_copy copy;

static enum result open_copy(int64_t id)
{
	return page_copy_open(&dir, id, &arena, &copy, &error);
}

static void assert_file(size_t i, const char *name, const char *text)
{
	char content[64] = "";
	uint8_t hash[SECRET_HASH_BYTES];
	assert_true(i < copy.file_count);
	assert_string_equal(name, copy.files[i].name);
	assert_int_equal(strlen(text), copy.files[i].size);
	assert_int_equal((ssize_t)strlen(text),
			 pread(copy.files[i].fd, content, sizeof(content) - 1, 0));
	assert_string_equal(text, content);
	secret_hash(str_from(text), hash);
	assert_memory_equal(hash, copy.files[i].sha256, sizeof(hash));
}

static void a_copy_has_all_files_with_index_html_last(void **state)
{
	char version[PAGE_COPY_VERSION_CHARS + 1];
	(void)state;
	publish_public(1, "hello");
	assert_int_equal(OK, open_copy(1));
	assert_false(copy.is_gone);
	assert_int_equal(PAGES_PUBLIC, copy.place);
	assert_string_equal("p1", copy.slug);
	assert_null(copy.domain);
	assert_int_equal(3, copy.file_count);
	assert_file(0, "style.css", "body {}");
	assert_file(1, "index.html.gz", "packed");
	assert_file(2, "index.html", "hello");
	assert_int_equal(OK, page_copy_version(&dir, 1, &arena, version, &error));
	assert_string_equal(version, copy.version);
	assert_int_equal(PAGE_COPY_VERSION_CHARS, strlen(version));
	/* What is replaced stays as it was when the copy was opened. */
	publish_public(1, "other");
	assert_file(2, "index.html", "hello");
	page_copy_close(&copy);
	assert_int_equal(OK, open_copy(1));
	assert_file(2, "index.html", "other");
	assert_string_not_equal(version, copy.version);
	page_copy_close(&copy);
}

static void a_private_page_has_its_access_record(void **state)
{
	(void)state;
	publish_page_with(2, PAGES_PRIVATE, "two", "hello", "secret");
	assert_int_equal(OK, open_copy(2));
	assert_int_equal(PAGES_PRIVATE, copy.place);
	assert_int_equal(3, copy.file_count);
	assert_file(0, "gate", "secret");
	page_copy_close(&copy);
}

static void a_removed_page_is_gone(void **state)
{
	char version[PAGE_COPY_VERSION_CHARS + 1];
	(void)state;
	publish_public(3, "hello");
	remove_page(3);
	assert_int_equal(OK, open_copy(3));
	assert_true(copy.is_gone);
	assert_int_equal(0, copy.file_count);
	assert_int_equal(OK, page_copy_version(&dir, 3, &arena, version, &error));
	assert_string_equal("", version);
}

/* A publisher that dies leaves files of two versions, which must not be sent; one that could not
 * write a page which visitors must not see any more has hidden it. */
static void an_unfinished_page_is_gone_only_if_it_is_hidden(void **state)
{
	(void)state;
	publish_public(4, "hello");
	assert_int_equal(OK, page_state_unfinish(&dir, 4, &arena, &error));
	assert_int_equal(E_RETRY, open_copy(4));
	assert_int_equal(0, copy.file_count);
	assert_int_equal(OK, pages_dir_remove(&dir, PAGES_PUBLIC, "p4", &error));
	assert_int_equal(OK, open_copy(4));
	assert_true(copy.is_gone);
}

/* Somebody has removed files by hand: no mirror may lose them for that. */
static void a_page_without_its_files_is_no_copy(void **state)
{
	(void)state;
	publish_public(5, "hello");
	assert_int_equal(OK, pages_dir_remove(&dir, PAGES_PUBLIC, "p5", &error));
	assert_int_equal(E_FAILED, open_copy(5));
	assert_false(copy.is_gone);
	assert_int_equal(0, copy.file_count);
}

static struct page_look look_at(int64_t id)
{
	struct page_look look;
	assert_int_equal(OK, page_copy_look(&dir, id, &arena, &look, &error));
	return look;
}

static void a_look_tells_addresses_and_access_apart(void **state)
{
	(void)state;
	publish_page_with(6, PAGES_PRIVATE, "six", "hello", "secret");
	struct page_look first = look_at(6);
	assert_int_equal(PAGES_PRIVATE, first.place);
	publish_page_with(6, PAGES_PRIVATE, "six", "other", "secret");
	struct page_look second = look_at(6);
	assert_string_not_equal(first.version, second.version);
	assert_true(first.address == second.address && first.access == second.access);
	publish_page_with(6, PAGES_PRIVATE, "six", "other", "another");
	assert_true(look_at(6).access != second.access);
	publish_page_with(6, PAGES_PRIVATE, "seven", "other", "secret");
	assert_true(look_at(6).address != second.address);
	publish_public(6, "hello");
	assert_true(look_at(6).access == 0);
	assert_true(look_at(99).is_missing && !look_at(99).is_gone);
}

/* A folder that was wiped or is not mounted has no notes either. */
static void a_page_without_a_note_is_not_gone_unless_it_was_deleted(void **state)
{
	(void)state;
	publish_public(8, "hello");
	assert_int_equal(OK, page_state_remove(&dir, 8, &arena, &error));
	assert_true(look_at(8).is_missing && !look_at(8).is_gone);
	assert_int_equal(E_RETRY, open_copy(8));
	assert_int_equal(OK, gone_add(&dir, 8, &error));
	assert_true(look_at(8).is_gone && !look_at(8).is_missing);
	assert_int_equal(OK, open_copy(8));
	assert_true(copy.is_gone);
	/* A page that is published again is there. */
	publish_public(8, "again");
	assert_false(look_at(8).is_gone);
}

/* A page with more files is not published at all: its copies would lack the rest. */
static void the_largest_page_is_copied_whole(void **state)
{
	enum { OTHERS = PAGE_FILES_MAX / 2 - 1 };
	const struct rlimit room = { 2 * PAGE_FILES_MAX, 2 * PAGE_FILES_MAX };
	struct page_state read;
	(void)state;
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &room));
	publish_many(7, OTHERS);
	assert_int_equal(OK, page_state_read(&dir, 7, &arena, &read, &error));
	assert_int_equal(OTHERS + 1, read.file_count);
	assert_int_equal(OK, open_copy(7));
	assert_int_equal(PAGE_FILES_MAX, copy.file_count);
	assert_file(0, "0.txt.gz", "p");
	assert_file(PAGE_FILES_MAX - 1, "index.html", "x");
	page_copy_close(&copy);
	struct file_state files[OTHERS + 2];
	memcpy(files, read.files, read.file_count * sizeof(*files));
	files[read.file_count++] = (struct file_state){ "more.txt", "-", "-", "-" };
	read.files = files;
	assert_int_equal(E_FAILED, page_state_write(&dir, 8, &read, &arena, &error));
	assert_non_null(strstr(error.log, "more than 2048 files"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_all_files_with_index_html_last),
		cmocka_unit_test(a_private_page_has_its_access_record),
		cmocka_unit_test(a_removed_page_is_gone),
		cmocka_unit_test(an_unfinished_page_is_gone_only_if_it_is_hidden),
		cmocka_unit_test(a_page_without_its_files_is_no_copy),
		cmocka_unit_test(a_look_tells_addresses_and_access_apart),
		cmocka_unit_test(a_page_without_a_note_is_not_gone_unless_it_was_deleted),
		cmocka_unit_test(the_largest_page_is_copied_whole),
	};
	return cmocka_run_group_tests(tests, pages_start, pages_end);
}
