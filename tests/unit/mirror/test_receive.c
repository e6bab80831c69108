/* Pages that a mirror receives, and their files. */
#include "unit/mirror/receiver_world.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mirror/receive/incoming.h"
#include "publish/page/page_state.h"

static void a_page_is_in_place_once_its_files_were_sent(void **state)
{
	(void)state;
	const char *body = page_of("7 aa01 public acme www.acme.example", first);
	assert_int_equal(E_PRECONDITION_FAILED, receive(body));
	assert_int_equal(4 * 65, strlen(missing));
	assert_false(is_there("public/s/acme"));
	assert_string_equal("", list());
	send_all(first);
	assert_int_equal(OK, receive(body));
	assert_string_equal("one", content("public/s/acme/index.html"));
	assert_string_equal("one", content("public/d/www.acme.example/index.html"));
	assert_string_equal("acme", content("host/www.acme.example/slug"));
	assert_string_equal("7 aa01\n", list());
	/* Only what many pages share stays for others. */
	assert_int_equal(E_PRECONDITION_FAILED, receive(page_of("8 aa01 noindex other -", first)));
	assert_int_equal(3 * 65, strlen(missing));
	assert_int_equal(OK, receive(page_of("7 aa01 public acme www.acme.example", first)));
}

static void the_largest_page_is_received_whole(void **state)
{
	(void)state;
	struct buf body CLEANUP(buf_done) = BUF_INIT(1 << 20);
	uint8_t hash[SECRET_HASH_BYTES];
	hash_of("x", hash);
	const char *hex = secret_to_hex(&arena, hash, sizeof(hash));
	buf_puts(&body, "page 99 aa01 public large -\n");
	for (int i = 1; i < PAGE_FILES_MAX; i++)
		buf_printf(&body, "file %s 1 %0*d.txt\n", hex, MANIFEST_NAME_MAX - 4, i);
	buf_printf(&body, "file %s 1 index.html\nend\n", hex);
	send("x");
	assert_int_equal(OK, receive(body.data));
	/* The list names the version only if the disk has all files of the note. */
	assert_string_equal("99 aa01\n", list());
	unlinkat(test_folder_fd,
		 arena_printf(&arena, "public/s/large/%0*d.txt", MANIFEST_NAME_MAX - 4,
			      PAGE_FILES_MAX - 1),
		 0);
	assert_string_equal("99 -\n", list());
	assert_int_equal(OK, receive("gone 99\n"));
	assert_string_equal("", list());
}

static void only_what_has_changed_is_replaced(void **state)
{
	(void)state;
	struct stat before, after;
	assert_int_equal(0, fstatat(test_folder_fd, "public/s/acme/status.json", &before, 0));
	const char *const *same = FILES("a-0123456789ab.css", "style one", "status.json", "{1}",
					"index.html", "one more");
	send("one more");
	assert_int_equal(OK, receive(page_of("7 aa02 public acme www.acme.example", same)));
	assert_int_equal(0, fstatat(test_folder_fd, "public/s/acme/status.json", &after, 0));
	assert_int_equal(before.st_ino, after.st_ino);
	assert_string_equal("one more", content("public/s/acme/index.html"));
	assert_string_equal("one more", content("public/d/www.acme.example/index.html"));
	assert_false(is_there("public/s/acme/old.txt"));
	assert_false(is_there("public/d/www.acme.example/old.txt"));
	/* The same again changes nothing. */
	assert_int_equal(0, fstatat(test_folder_fd, "state/7/page", &before, 0));
	assert_int_equal(OK, receive(page_of("7 aa02 public acme www.acme.example", same)));
	assert_int_equal(0, fstatat(test_folder_fd, "state/7/page", &after, 0));
	assert_int_equal(before.st_ino, after.st_ino);
}

static void a_damaged_page_is_listed_and_sent_again(void **state)
{
	(void)state;
	const char *const *files = FILES("a-0123456789ab.css", "style one", "status.json", "{1}",
					 "index.html", "one more");
	unlinkat(test_folder_fd, "public/s/acme/status.json", 0);
	assert_string_equal("7 -\n", list());
	const char *body = page_of("7 aa02 public acme www.acme.example", files);
	assert_int_equal(E_PRECONDITION_FAILED, receive(body));
	send("{1}");
	assert_int_equal(OK, receive(body));
	assert_string_equal("7 aa02\n", list());
}

/* Before its files are here, and without a second sending of those that were public. */
static void a_page_that_becomes_private_is_hidden_at_once(void **state)
{
	(void)state;
	const char *const *files = FILES("a-0123456789ab.css", "style one", "status.json", "{1}",
					 GATE(7), "index.html", "one more");
	const char *body = page_of("7 aa03 private acme www.acme.example", files);
	assert_int_equal(E_PRECONDITION_FAILED, receive(body));
	assert_int_equal(65, strlen(missing));
	assert_false(is_there("public/s/acme"));
	assert_false(is_there("public/d/www.acme.example"));
	assert_false(is_there("private/acme"));
	assert_string_equal("7 -\n", list());
	send("7 3 1 - en - -\n");
	assert_int_equal(OK, receive(body));
	assert_string_equal("one more", content("private/acme/index.html"));
	assert_string_equal("acme", content("host/www.acme.example/slug"));
	/* An access record of another page, or of none. */
	send("8 3 1 - en - -\n");
	send("7 3 0 - en - -\n");
	send("7 3");
	static const char *const wrong[] = { "8 3 1 - en - -\n", "7 3 0 - en - -\n", "7 3" };
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_int_equal(E_INVALID, receive(page_of("7 aa04 private acme -",
							    FILES("gate", wrong[i], "index.html",
								  "one more"))));
	assert_string_equal("7 aa03\n", list());
}

static void a_page_moves_without_sending_its_files(void **state)
{
	(void)state;
	const char *const *files = FILES("status.json", "{1}", "index.html", "one more");
	/* The origin may send the former addresses before the page. */
	send_list(PAGES_FORMER, "acme", 7);
	send_list(PAGES_FORMER_HOST, "www.acme.example", 7);
	assert_int_equal(OK, receive(page_of("7 aa05 noindex moved www.new.example", files)));
	assert_string_equal("7", listed(PAGES_FORMER, "acme"));
	assert_string_equal("7", listed(PAGES_FORMER_HOST, "www.acme.example"));
	assert_string_equal("one more", content("noindex/s/moved/index.html"));
	assert_string_equal("one more", content("noindex/d/www.new.example/index.html"));
	assert_string_equal("moved", content("host/www.new.example/slug"));
	assert_false(is_there("private/acme"));
	assert_false(is_there("host/www.acme.example"));
}

static void an_address_is_taken_over_only_from_a_page_that_gives_it_up(void **state)
{
	(void)state;
	send_all(second);
	assert_int_equal(OK, receive(page_of("8 bb01 public other -", second)));
	assert_int_equal(E_INVALID, receive(page_of("8 bb02 public moved -", second)));
	assert_string_equal("The slug moved is an address of page 7.", error.client);
	assert_int_equal(E_INVALID,
			 receive(page_of("8 bb02 public other www.new.example", second)));
	assert_string_equal("The domain www.new.example is an address of page 7.", error.client);
	assert_string_equal("two", content("public/s/other/index.html"));
	/* Both swap their slugs, and the domain goes to the other one. */
	const char *body =
		arena_printf(&arena, "%s%s",
			     page_of("7 aa06 public other -",
				     FILES("status.json", "{1}", "index.html", "one more")),
			     page_of("8 bb02 public moved www.new.example", second));
	assert_int_equal(OK, receive(body));
	assert_string_equal("one more", content("public/s/other/index.html"));
	assert_string_equal("two", content("public/s/moved/index.html"));
	assert_string_equal("two", content("public/d/www.new.example/index.html"));
	assert_string_equal("moved", content("host/www.new.example/slug"));
	assert_false(is_there("noindex/s/moved"));
	assert_false(is_there("noindex/d/www.new.example"));
	assert_false(is_there("public/s/other/a-ba9876543210.css"));
	/* A page that is gone gives up its addresses, too. */
	body = arena_printf(&arena, "gone 7\n%s", page_of("8 bb03 public other -", second));
	assert_int_equal(OK, receive(body));
	assert_string_equal("two", content("public/s/other/index.html"));
	assert_false(is_there("public/s/moved"));
	assert_false(is_there("host/www.new.example"));
	assert_string_equal("8 bb03\n", list());
	assert_int_equal(OK, receive("gone 8\ngone 9\n"));
	assert_string_equal("", list());
	assert_false(is_there("public/s/other"));
}

static void a_name_of_the_mirror_is_no_domain_of_a_page(void **state)
{
	(void)state;
	send_all(second);
	assert_int_equal(OK, receive(page_of("8 cc01 public other mirror.example.org", second)));
	assert_false(is_there("public/d/mirror.example.org"));
	assert_false(is_there("host/mirror.example.org"));
	assert_string_equal("8 cc01\n", list());
	assert_int_equal(OK, receive("gone 8\n"));
}

static void large_files_come_in_parts(void **state)
{
	(void)state;
	static const char text[] = "the first part, and the second";
	struct protocol_part part = { .size = strlen(text), .data = { text, 10 } };
	hash_of(text, part.sha256);
	uint8_t wanted[SECRET_HASH_BYTES];
	memcpy(wanted, part.sha256, sizeof(wanted));
	part.offset = 20;
	assert_int_equal(E_INVALID, incoming_add(&receiver, &part, &error));
	part.offset = 0;
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	assert_false(incoming_has(&receiver, wanted, strlen(text)));
	part.offset = 10;
	part.data = (struct str){ text + 10, strlen(text) - 10 };
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	assert_true(incoming_has(&receiver, wanted, strlen(text)));
	/* Another content is refused, whole or in parts, and nothing of it stays. */
	part.sha256[0] ^= 1;
	wanted[0] ^= 1;
	part.offset = 0;
	part.data = (struct str){ text, strlen(text) };
	assert_int_equal(E_INVALID, incoming_add(&receiver, &part, &error));
	part.data.len = 10;
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	part.offset = 10;
	part.data = (struct str){ text + 10, strlen(text) - 10 };
	assert_int_equal(E_INVALID, incoming_add(&receiver, &part, &error));
	part.offset = 10;
	assert_int_equal(E_INVALID, incoming_add(&receiver, &part, &error));
	assert_false(incoming_has(&receiver, wanted, strlen(text)));
	/* An hour later files that no page wanted are forgotten. */
	assert_int_equal(OK, receiver_sweep(&receiver, clock_now(), &error));
	wanted[0] ^= 1;
	assert_true(incoming_has(&receiver, wanted, strlen(text)));
	const struct instant later = { clock_now().s + 3700 };
	assert_int_equal(OK, receiver_sweep(&receiver, later, &error));
	assert_false(incoming_has(&receiver, wanted, strlen(text)));
}

static size_t count_received(void)
{
	size_t count = 0;
	int fd = openat(test_folder_fd, "received/files", O_RDONLY | O_DIRECTORY);
	DIR *folder = fdopendir(fd);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

/* Files that no plan names: the oldest go, also beginnings of files, and the newest can be used. */
static void the_files_that_wait_are_bounded(void **state)
{
	enum { FILES = 30 };
	static const struct incoming_bounds few = { 10, 1 << 20 }, small = { 1000, 40 };
	(void)state;
	struct protocol_part part = { 0 };
	assert_int_equal(OK, incoming_keep(&receiver, &(struct incoming_bounds){ 0 }, &error));
	assert_int_equal(0, count_received());
	for (int i = 0; i < FILES; i++) {
		part.data = str_from(arena_printf(&arena, "file %03d", i));
		part.size = part.data.len + (i % 2 == 0);
		secret_hash(part.data, part.sha256);
		assert_int_equal(OK, incoming_keep(&receiver, &few, &error));
		assert_int_equal(OK, incoming_add(&receiver, &part, &error));
		assert_in_range(count_received(), 1, few.files + 1);
	}
	assert_int_equal(OK, incoming_keep(&receiver, &small, &error));
	assert_int_equal(5, count_received());
	assert_true(incoming_has(&receiver, part.sha256, part.size));
	assert_int_equal(OK, incoming_keep(&receiver, &incoming_bounds, &error));
	assert_int_equal(5, count_received());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_page_is_received_whole),
		cmocka_unit_test(a_page_is_in_place_once_its_files_were_sent),
		cmocka_unit_test(only_what_has_changed_is_replaced),
		cmocka_unit_test(a_damaged_page_is_listed_and_sent_again),
		cmocka_unit_test(a_page_that_becomes_private_is_hidden_at_once),
		cmocka_unit_test(a_page_moves_without_sending_its_files),
		cmocka_unit_test(an_address_is_taken_over_only_from_a_page_that_gives_it_up),
		cmocka_unit_test(a_name_of_the_mirror_is_no_domain_of_a_page),
		cmocka_unit_test(large_files_come_in_parts),
		cmocka_unit_test(the_files_that_wait_are_bounded),
	};
	return cmocka_run_group_tests(tests, receiver_start, receiver_end);
}
