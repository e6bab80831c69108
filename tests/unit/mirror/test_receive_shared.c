/* What a mirror receives besides pages: lists of former addresses, the key, its origin, beats. */
#include "unit/mirror/receiver_world.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "mirror/receive/receive_origin.h"
#include "publish/folder/folder.h"
#include "publish/folder/former_address.h"
#include "publish/page/pages_reader.h"

static void lists_of_former_addresses_are_replaced(void **state)
{
	(void)state;
	struct former_key {
		struct signing_key key;
		bool is_found;
	} read;
	unsigned number = former_list_of(PAGES_FORMER, "old");
	(void)unlinkat(test_folder_fd, "secret", 0);
	assert_string_equal("no list", listed(PAGES_FORMER, "old"));
	send_list(PAGES_FORMER, "old", 7);
	assert_int_equal(OK, signing_key_read(test_folder_fd, &read.key, &read.is_found, &error));
	assert_true(read.is_found);
	assert_int_equal(0x11, read.key.bytes[1]);
	assert_string_equal("7", listed(PAGES_FORMER, "old"));
	/* Neither the beginning nor the end of a name is found, nor what holds another line. */
	assert_string_not_equal("7", listed(PAGES_FORMER, "ol"));
	assert_string_not_equal("7", listed(PAGES_FORMER, "ld"));
	assert_string_not_equal("7", listed(PAGES_FORMER, "x\nformer old"));
	assert_string_not_equal("7", listed(PAGES_FORMER_HOST, "old"));
	/* A list whose file is missing stays as it was. */
	assert_int_equal(E_PRECONDITION_FAILED, send_text(number, "former old 8\n", false));
	assert_int_equal(65, strlen(shared_missing));
	assert_string_equal("7", listed(PAGES_FORMER, "old"));
	assert_int_equal(OK, send_text(number, "former old 8\n", true));
	assert_string_equal("8", listed(PAGES_FORMER, "old"));
	assert_int_equal(E_INVALID, send_text(number, "former older/ 8\n", true));
	assert_string_equal("8", listed(PAGES_FORMER, "old"));
	assert_int_equal(OK, send_text(number, "", true));
	assert_string_equal("none", listed(PAGES_FORMER, "old"));
}

static void the_mirror_tells_which_lists_it_has(void **state)
{
	(void)state;
	struct buf out CLEANUP(buf_done) = BUF_INIT(4096);
	struct shared_list list;
	assert_int_equal(OK, former_lists_forget(&receiver.dir, &error));
	assert_int_equal(OK, receive_shared_list(&receiver, &out, &error));
	assert_int_equal(0, out.len);
	assert_int_equal(OK, send_text(3, "", true));
	send_list(PAGES_FORMER, "old", 7);
	assert_int_equal(OK, receive_shared_list(&receiver, &out, &error));
	struct str rest = { out.data, out.len };
	size_t count = 0;
	while (shared_lists_next(&rest, &list)) {
		assert_true(list.number == 3 || list.number == former_list_of(PAGES_FORMER, "old"));
		count++;
	}
	assert_int_equal(2, count);
}

static enum result put_secret(const char *key, const char *name, bool has_file)
{
	const char *before = secret;
	struct buf text CLEANUP(buf_done) = BUF_INIT(4096);
	former_line_print(&text, &(struct former_line){ PAGES_FORMER, name, 7 });
	secret = key;
	enum result result = send_text(former_list_of(PAGES_FORMER, name), text.data, has_file);
	secret = before;
	return result;
}

static void another_signing_key_does_not_replace_the_mirrors(void **state)
{
	static const char *const keys[] = {
		"aa112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
		"bb112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
	};
	(void)state;
	(void)unlinkat(test_folder_fd, "secret", 0);
	assert_int_equal(OK, put_secret(keys[0], "a-aa", true));
	/* The files are asked for first, and then all else is stored. */
	assert_int_equal(E_PRECONDITION_FAILED, put_secret(keys[1], "a-bb", false));
	assert_int_equal(E_CONFLICT, put_secret(keys[1], "a-bb", true));
	assert_string_equal("", shared_missing);
	assert_int_equal(0xaa, (uint8_t)content("secret")[0]);
	assert_string_equal("7", listed(PAGES_FORMER, "a-bb"));
	receiver.replaces_key = true;
	assert_int_equal(OK, put_secret(keys[1], "a-bb", true));
	receiver.replaces_key = false;
	assert_int_equal(0xbb, (uint8_t)content("secret")[0]);
	assert_int_equal(OK, put_secret(keys[1], "a-cc", true));
	(void)unlinkat(test_folder_fd, "secret", 0);
}

static enum result admit(const char *id, int64_t step, const char *token, bool is_beat)
{
	receiver.origin = (struct origin_mark){ .step = step };
	snprintf(receiver.origin.id, sizeof(receiver.origin.id), "%s", id);
	snprintf(receiver.origin.token, sizeof(receiver.origin.token), "%s", token);
	enum result result = receive_admit(&receiver, is_beat, &error);
	receiver.origin = (struct origin_mark){ 0 };
	return result;
}

#define ORIGIN_A "aaaaaaaaaaaaaaaa"
#define ORIGIN_B "bbbbbbbbbbbbbbbb"
#define TOKEN_1	 "1111111111111111"
#define TOKEN_2	 "2222222222222222"

static void a_mirror_follows_one_origin(void **state)
{
	const char *key;
	(void)state;
	/* Programs of before the marks, until an origin with a mark has come; a beat is no coming.
	 */
	assert_int_equal(OK, admit("", 0, "", false));
	assert_int_equal(OK, admit(ORIGIN_A, 1, TOKEN_1, true));
	assert_int_equal(OK, admit(ORIGIN_B, 1, TOKEN_1, true));
	assert_int_equal(OK, admit(ORIGIN_A, 1, TOKEN_1, false));
	assert_int_equal(E_FORBIDDEN, admit(ORIGIN_B, 9, TOKEN_1, false));
	assert_int_equal(E_FORBIDDEN, admit("", 0, "", false));
	/* A response was lost: the step is repeated. */
	assert_int_equal(OK, admit(ORIGIN_A, 1, TOKEN_1, false));
	/* Two copies of a disk make their next step: the first one wins. */
	assert_int_equal(OK, admit(ORIGIN_A, 2, TOKEN_1, true));
	assert_int_equal(E_FORBIDDEN, admit(ORIGIN_A, 2, TOKEN_2, true));
	assert_int_equal(E_FORBIDDEN, admit(ORIGIN_A, 1, TOKEN_1, false));
	/* The mirror has lost its last steps. */
	assert_int_equal(OK, admit(ORIGIN_A, 7, TOKEN_2, false));
	receiver.origin = (struct origin_mark){ ORIGIN_B, 1, TOKEN_1 };
	assert_int_equal(OK, receive_take_over(&receiver, &key, &error));
	assert_int_equal(E_FORBIDDEN, admit(ORIGIN_A, 8, TOKEN_1, false));
	assert_int_equal(OK, admit(ORIGIN_B, 2, TOKEN_1, false));
	/* A mark that is damaged is nobody's. */
	assert_int_equal(OK, folder_put(receiver.folder_fd, receiver.folder_fd, "origin", STR(""),
					false, &error));
	assert_int_equal(E_FORBIDDEN, admit(ORIGIN_B, 3, TOKEN_1, false));
	assert_int_equal(0, unlinkat(test_folder_fd, "received/origin", 0));
}

static void the_beat_is_remembered(void **state)
{
	(void)state;
	struct receiver_beat beat;
	assert_int_equal(OK, receiver_read_beat(&receiver, &beat, &error));
	assert_int_equal(0, beat.complete.at.s);
	/* The folder is new: the mirror must not count as complete. */
	assert_int_equal(E_CONFLICT, receiver_write_beat(&receiver, true, &error));
	assert_int_equal(OK, receiver_expect_beats(&receiver, &error));
	assert_int_equal(OK, receiver_read_beat(&receiver, &beat, &error));
	assert_int_equal(-1, boot_moment_age_s(&beat.complete));
	assert_int_equal(OK, receiver_write_beat(&receiver, true, &error));
	assert_int_equal(OK, receiver_write_beat(&receiver, false, &error));
	assert_int_equal(OK, receiver_read_beat(&receiver, &beat, &error));
	assert_in_range(boot_moment_age_s(&beat.complete), 0, 60);
	assert_false(beat.is_complete);
	assert_int_equal(OK, receiver_write_beat(&receiver, true, &error));
	assert_int_equal(OK, receiver_expect_beats(&receiver, &error));
	assert_int_equal(OK, receiver_read_beat(&receiver, &beat, &error));
	assert_true(beat.is_complete);
}

/* The mirror may refuse everything that the origin says. */
static void an_origin_that_is_silent_does_not_count(void **state)
{
	(void)state;
	struct receiver_beat beat;
	struct boot_moment moment = boot_moment_now();
	char text[BOOT_MOMENT_SIZE];
	moment.up_s -= 60;
	folder_write_text("received/beat",
			  arena_printf(&arena, "complete %s\n", boot_moment_format(&moment, text)));
	assert_int_equal(OK, receiver_read_beat(&receiver, &beat, &error));
	assert_false(beat.is_complete);
	assert_in_range(boot_moment_age_s(&beat.complete), 60, 120);
	/* Damaged. */
	folder_write_text("received/beat", "99999999999 complete\n");
	assert_int_equal(OK, receiver_read_beat(&receiver, &beat, &error));
	assert_true(beat.is_known && !beat.is_complete);
	assert_int_equal(-1, boot_moment_age_s(&beat.complete));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_former_addresses_are_replaced),
		cmocka_unit_test(the_mirror_tells_which_lists_it_has),
		cmocka_unit_test(another_signing_key_does_not_replace_the_mirrors),
		cmocka_unit_test(a_mirror_follows_one_origin),
		cmocka_unit_test(the_beat_is_remembered),
		cmocka_unit_test(an_origin_that_is_silent_does_not_count),
	};
	return cmocka_run_group_tests(tests, receiver_start, receiver_end);
}
