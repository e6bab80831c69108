/* A mirror that receives pages, in a temporary folder; also one that dies or fails at each step. */
#include "unit/lib/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "base/config.h"
#include "mirror/incoming.h"
#include "mirror/receive.h"
#include "mirror/receive_origin.h"
#include "publish/folder.h"
#include "publish/former_address.h"
#include "publish/page_state.h"
#include "publish/pages_reader.h"

/*
 * The calls that change folders, by the linker's --wrap: the n-th one kills the process, or fails.
 * Nothing is synced: these processes die, and the machine does not.
 */
static int steps_left = -1; /* -1: all succeed */
static int failure;	    /* 0: the process dies */

static bool ends_here(void)
{
	if (steps_left < 0 || steps_left-- > 0)
		return false;
	if (failure == 0)
		_exit(1);
	errno = failure;
	steps_left = 0;
	return true;
}

#define WRAP(name, parameters, arguments) \
	int __real_##name parameters; \
	int __wrap_##name parameters; \
	int __wrap_##name parameters \
	{ \
		return ends_here() ? -1 : __real_##name arguments; \
	}
WRAP(renameat, (int from, const char *old, int to, const char *name), (from, old, to, name))
WRAP(unlinkat, (int fd, const char *name, int flags), (fd, name, flags))
WRAP(linkat, (int from, const char *old, int to, const char *name, int flags),
     (from, old, to, name, flags))
WRAP(mkdirat, (int fd, const char *name, mode_t mode), (fd, name, mode))

int __wrap_syncfs(int fd);
int __wrap_syncfs(int fd)
{
	(void)fd;
	return ends_here() ? -1 : 0;
}

int __wrap_sync_file_range(int fd, off_t offset, off_t len, unsigned flags);
int __wrap_sync_file_range(int fd, off_t offset, off_t len, unsigned flags)
{
	(void)fd;
	(void)offset;
	(void)len;
	(void)flags;
	return 0;
}

/* Each version would wait for its second: tests/unit/publish/test_pages_dir.c has that. */
void __wrap_folder_await_second(int fd, const char *name, size_t len);
void __wrap_folder_await_second(int fd, const char *name, size_t len)
{
	(void)fd;
	(void)name;
	(void)len;
}

int __wrap_fdatasync(int fd);
int __wrap_fdatasync(int fd)
{
	(void)fd;
	return ends_here() ? -1 : 0;
}

int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	(void)fd;
	return ends_here() ? -1 : 0;
}

static struct receiver receiver;
static struct site site;
static struct error error;
static struct config config;
static char missing[4096];

static int start(void **state)
{
	if (folder_start(state) != 0)
		return -1;
	config = (struct config){ .base_url = "https://status.example.org",
				  .hosts = "mirror.example.org",
				  .pages_dir = test_folder,
				  .mirror_key = "0123456789abcdef0123456789abcdef" };
	site_init(&site, &config, &arena);
	receiver = RECEIVER_CLOSED;
	receiver.site = &site;
	receiver.arena = &arena;
	return receiver_open(&receiver, test_folder, &error) == OK ? 0 : -1;
}

static int end(void **state)
{
	receiver_close(&receiver);
	return folder_end(state);
}

static void hash_of(const char *text, uint8_t hash[SECRET_HASH_BYTES])
{
	secret_hash(str_from(text), hash);
}

/* "page 7 <version> public acme -" and so on: its files are pairs of name and content. */
static const char *page_of(const char *head, const char *const *pairs)
{
	const char *text = arena_printf(&arena, "page %s\n", head);
	for (; pairs[0]; pairs += 2) {
		uint8_t hash[SECRET_HASH_BYTES];
		hash_of(pairs[1], hash);
		text = arena_printf(&arena, "%sfile %s %zu %s\n", text,
				    secret_to_hex(&arena, hash, sizeof(hash)), strlen(pairs[1]),
				    pairs[0]);
	}
	return arena_printf(&arena, "%send\n", text);
}

static void send(const char *content)
{
	struct protocol_part part = { .size = strlen(content), .data = str_from(content) };
	hash_of(content, part.sha256);
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
}

static void send_all(const char *const *pairs)
{
	for (; pairs[0]; pairs += 2)
		send(pairs[1]);
}

static enum result receive(const char *body)
{
	struct manifest manifest;
	struct buf lacking CLEANUP(buf_done) = BUF_INIT(sizeof(missing) - 1);
	error = (struct error){ 0 };
	enum result result = manifest_parse(str_from(body), &arena, &manifest, &error);
	if (result == OK)
		result = receive_pages(&receiver, &manifest, &lacking, &error);
	snprintf(missing, sizeof(missing), "%s", lacking.data ? lacking.data : "");
	return result;
}

static const char *content(const char *path)
{
	char text[4096] = "";
	int fd = openat(test_folder_fd, path, O_RDONLY);
	if (fd < 0)
		return NULL;
	ssize_t len = read(fd, text, sizeof(text) - 1);
	close(fd);
	return arena_strndup(&arena, text, (size_t)len);
}

static const char *list(void)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(4096);
	assert_int_equal(OK, receive_list(&receiver, &out, &error));
	return arena_strdup(&arena, out.data ? out.data : "");
}

static bool is_there(const char *path)
{
	return faccessat(test_folder_fd, path, F_OK, 0) == 0;
}

#define FILES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define GATE(id)   "gate", #id " 3 1 -\n"

static const char *const first[] = {
	"a-0123456789ab.css", "style one", "status.json", "{1}", "old.txt", "old",
	"index.html",	      "one",	   NULL
};
static const char *const second[] = { "a-ba9876543210.css", "style two", "status.json", "{2}",
				      "index.html",	    "two",	 NULL };

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
	send("7 3 1 -\n");
	assert_int_equal(OK, receive(body));
	assert_string_equal("one more", content("private/acme/index.html"));
	assert_string_equal("acme", content("host/www.acme.example/slug"));
	/* An access record of another page, or of none. */
	send("8 3 1 -\n");
	send("7 3 0 -\n");
	send("7 3");
	static const char *const wrong[] = { "8 3 1 -\n", "7 3 0 -\n", "7 3" };
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_int_equal(E_INVALID, receive(page_of("7 aa04 private acme -",
							    FILES("gate", wrong[i], "index.html",
								  "one more"))));
	assert_string_equal("7 aa03\n", list());
}

static const char *secret = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
static char site_missing[4096];

/* Sends a list of that number; without its file, if has_file is false. */
static enum result send_text(unsigned number, const char *text, bool has_file)
{
	struct site_copy copy;
	struct buf missing_files CLEANUP(buf_done) = BUF_INIT(sizeof(site_missing));
	struct protocol_part part = { .size = strlen(text), .data = str_from(text) };
	secret_hash(part.data, part.sha256);
	if (has_file && part.size > 0)
		assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	const char *body = arena_printf(&arena, "secret %s\nlist %02x %s %zu\n", secret, number,
					secret_to_hex(&arena, part.sha256, SECRET_HASH_BYTES),
					part.size);
	assert_int_equal(OK, site_copy_parse(str_from(body), &arena, &copy, &error));
	enum result result = receive_site(&receiver, &copy, &missing_files, &error);
	snprintf(site_missing, sizeof(site_missing), "%s",
		 missing_files.data ? missing_files.data : "");
	return result;
}

static void send_list(enum pages_place place, const char *name, int64_t id)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(4096);
	former_line_print(&text, &(struct former_line){ place, name, id });
	assert_int_equal(OK, send_text(former_list_of(place, name), text.data, true));
}

/* The id that visitors' requests find. */
static const char *listed(enum pages_place place, const char *name)
{
	const struct pages_reader reader = { test_folder_fd };
	const char *id;
	bool is_listed;
	assert_int_equal(OK,
			 former_list_find(&reader, place, name, &arena, &is_listed, &id, &error));
	return !is_listed ? "no list" : id ? id : "none";
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
	const struct incoming_file file = { .size = strlen(text) };
	struct incoming_file wanted = file;
	memcpy(wanted.sha256, part.sha256, sizeof(wanted.sha256));
	part.offset = 20;
	assert_int_equal(E_INVALID, incoming_add(&receiver, &part, &error));
	part.offset = 0;
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	assert_false(incoming_has(&receiver, &wanted));
	part.offset = 10;
	part.data = (struct str){ text + 10, strlen(text) - 10 };
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	assert_true(incoming_has(&receiver, &wanted));
	/* Another content is refused, whole or in parts, and nothing of it stays. */
	part.sha256[0] ^= 1;
	wanted.sha256[0] ^= 1;
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
	assert_false(incoming_has(&receiver, &wanted));
	/* An hour later files that no page wanted are forgotten. */
	assert_int_equal(OK, receiver_sweep(&receiver, clock_now(), &error));
	wanted.sha256[0] ^= 1;
	assert_true(incoming_has(&receiver, &wanted));
	const struct instant later = { clock_now().s + 3700 };
	assert_int_equal(OK, receiver_sweep(&receiver, later, &error));
	assert_false(incoming_has(&receiver, &wanted));
}

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
	assert_int_equal(65, strlen(site_missing));
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
	struct site_copy_list list;
	assert_int_equal(OK, former_lists_forget(&receiver.dir, &error));
	assert_int_equal(OK, receive_site_list(&receiver, &out, &error));
	assert_int_equal(0, out.len);
	assert_int_equal(OK, send_text(3, "", true));
	send_list(PAGES_FORMER, "old", 7);
	assert_int_equal(OK, receive_site_list(&receiver, &out, &error));
	struct str rest = { out.data, out.len };
	size_t count = 0;
	while (site_lists_next(&rest, &list)) {
		assert_true(list.number == 3 || list.number == former_list_of(PAGES_FORMER, "old"));
		count++;
	}
	assert_int_equal(2, count);
}

/* The records of a former version count until the list of their address has come, and are removed
 * in steps when all lists have. */
static void records_of_a_former_version_are_replaced(void **state)
{
	enum { RECORDS = 1200, STEPS = 3 };
	(void)state;
	const struct pages_reader reader = { test_folder_fd };
	struct former_address found;
	send_all(first);
	assert_int_equal(OK, receive(page_of("7 aa01 public nine -", first)));
	assert_int_equal(OK, former_lists_forget(&receiver.dir, &error));
	for (int i = 0; i < RECORDS; i++) {
		const char *folder =
			arena_printf(&arena, "%s/r%d", i % 2 ? "former" : "former-host", i);
		assert_int_equal(0, mkdirat(test_folder_fd, folder, 0700));
		folder_write_text(arena_printf(&arena, "%s/page", folder), "7");
	}
	assert_int_equal(OK,
			 former_address_find(&reader, PAGES_FORMER, "r1", &arena, &found, &error));
	assert_string_equal("nine", found.slug);
	assert_int_equal(OK, receive_clear_records(&receiver, &error));
	assert_true(is_there("former/r1/page"));
	for (unsigned number = 0; number < FORMER_LISTS; number++)
		assert_int_equal(OK, send_text(number, "", true));
	assert_int_equal(OK,
			 former_address_find(&reader, PAGES_FORMER, "r1", &arena, &found, &error));
	assert_null(found.slug);
	for (int i = 0; i < STEPS; i++) {
		bool is_left = false;
		for (int at = 0; at < RECORDS; at++)
			is_left |= is_there(arena_printf(&arena, "%s/r%d",
							 at % 2 ? "former" : "former-host", at));
		assert_true(is_left);
		assert_int_equal(OK, receive_clear_records(&receiver, &error));
	}
	for (int at = 0; at < RECORDS; at++)
		assert_false(is_there(
			arena_printf(&arena, "%s/r%d", at % 2 ? "former" : "former-host", at)));
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
	struct incoming_file newest = { .size = part.size };
	memcpy(newest.sha256, part.sha256, sizeof(newest.sha256));
	assert_true(incoming_has(&receiver, &newest));
	assert_int_equal(OK, incoming_keep(&receiver, &incoming_bounds, &error));
	assert_int_equal(5, count_received());
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
	assert_string_equal("", site_missing);
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
	/* As a former version wrote it, with a clock that was ahead. */
	folder_write_text("received/beat", "99999999999 complete\n");
	assert_int_equal(OK, receiver_read_beat(&receiver, &beat, &error));
	assert_true(beat.is_known && !beat.is_complete);
	assert_int_equal(-1, boot_moment_age_s(&beat.complete));
}

/* What a reader sees: the style of the page is there. */
static void assert_style(const char *folder)
{
	const char *html = content(arena_printf(&arena, "%s/index.html", folder));
	const char *style = !html		       ? NULL
			    : strcmp(html, "one") == 0 ? "a-0123456789ab.css"
						       : "a-ba9876543210.css";
	if (style && !is_there(arena_printf(&arena, "%s/%s", folder, style)))
		fail_msg("%s has index.html without %s", folder, style);
}

/* Whether the folder has exactly these files. */
static bool has_exactly(const char *folder, const char *const *pairs)
{
	for (; pairs[0]; pairs += 2) {
		const char *text = content(arena_printf(&arena, "%s/%s", folder, pairs[0]));
		if (!text || strcmp(text, pairs[1]) != 0)
			return false;
	}
	return true;
}

struct change {
	const char *before;
	const char *after;
	const char *const *old_files;
	const char *const *new_files;
	const char *old_folder;
	const char *new_folder;
	const char *domain_folder; /* of the new page; NULL: it has none */
	bool is_tightened;
};

static const struct change changes[] = {
	{ "7 a1 public acme www.acme.example", "7 a2 public acme www.acme.example", first, second,
	  "public/s/acme", "public/s/acme", "public/d/www.acme.example", false },
	{ "7 a1 public acme www.acme.example", "7 a2 public moved -", first, second,
	  "public/s/acme", "public/s/moved", NULL, false },
	{ "7 a1 public acme www.acme.example", "7 a2 private acme www.acme.example", first, NULL,
	  "public/s/acme", "private/acme", NULL, true },
	{ "7 a1 public acme -", "7 a2 noindex acme www.acme.example", first, second,
	  "public/s/acme", "noindex/s/acme", "noindex/d/www.acme.example", false },
};

static const char *const private_files[] = {
	"a-ba9876543210.css", "style two", "status.json", "{2}", GATE(7), "index.html", "two", NULL
};

static const char *const *new_files_of(const struct change *change)
{
	return change->new_files ? change->new_files : private_files;
}

/* The page is as it was, or as it is to be. */
static void assert_whole(const struct change *change)
{
	const char *listed = list();
	const char *domain = change->domain_folder;
	if (strcmp(listed, "7 a1\n") == 0) {
		assert_true(has_exactly(change->old_folder, change->old_files));
		return;
	}
	assert_string_equal("7 a2\n", listed);
	assert_true(has_exactly(change->new_folder, new_files_of(change)));
	assert_true(!domain || has_exactly(domain, new_files_of(change)));
	assert_false(is_there(arena_printf(&arena, "%s/old.txt", change->new_folder)));
	if (strcmp(change->old_folder, change->new_folder) != 0)
		assert_false(is_there(change->old_folder));
}

static void prepare(const struct change *change)
{
	assert_int_equal(OK, receive("gone 7\n"));
	send_all(change->old_files);
	assert_int_equal(OK, receive(page_of(change->before, change->old_files)));
	send_all(new_files_of(change));
}

/* Lets another process receive the change, which dies at that step. False: it lived. */
static bool dies_at(const struct change *change, int step)
{
	int status;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		steps_left = step;
		_exit(receive(page_of(change->after, new_files_of(change))) == OK ? 0 : 2);
	}
	assert_int_equal(pid, waitpid(pid, &status, 0));
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 2);
	return WEXITSTATUS(status) == 1;
}

static void fail_at_name(void *context, const char *name)
{
	(void)context;
	fail_msg("%s is left in DIR/new", name);
}

static bool has_no_temporary_file(void)
{
	return folder_each(receiver.dir.new_fd, fail_at_name, NULL, &error) == OK;
}

static void a_process_that_dies_leaves_no_page_half_done(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		bool is_dead = true;
		int step = 0;
		for (; is_dead; step++) {
			arena_reset(&arena);
			site_init(&site, &config, &arena);
			prepare(&changes[i]);
			is_dead = dies_at(&changes[i], step);
			assert_style(changes[i].old_folder);
			assert_style(changes[i].new_folder);
			assert_int_equal(OK, receiver_recover(&config, &error));
			assert_false(is_there("received/plan"));
			assert_whole(&changes[i]);
			/* It can be repeated, and leaves nothing. */
			assert_int_equal(
				OK, receive(page_of(changes[i].after, new_files_of(&changes[i]))));
			assert_string_equal("7 a2\n", list());
			assert_whole(&changes[i]);
			assert_int_equal(OK, receiver_sweep(&receiver, clock_now(), &error));
			assert_true(has_no_temporary_file());
		}
		/* Each change renames, links and removes many files. */
		assert_in_range(step, 10, 200);
	}
}

static void a_disk_that_fails_leaves_no_page_half_done(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		enum result result = E_FAILED;
		for (int step = 0; result != OK; step++) {
			arena_reset(&arena);
			site_init(&site, &config, &arena);
			prepare(&changes[i]);
			failure = EIO;
			steps_left = step;
			result = receive(page_of(changes[i].after, new_files_of(&changes[i])));
			failure = 0;
			steps_left = -1;
			assert_style(changes[i].old_folder);
			assert_style(changes[i].new_folder);
			if (result != OK)
				assert_int_equal(E_FAILED, result);
			/* The next request, of whatever page, ends what was begun. */
			assert_int_equal(OK, receive(""));
			if (strcmp(list(), "7 -\n") != 0)
				assert_whole(&changes[i]);
			else
				assert_true(changes[i].is_tightened);
			assert_int_equal(
				OK, receive(page_of(changes[i].after, new_files_of(&changes[i]))));
			assert_string_equal("7 a2\n", list());
			assert_whole(&changes[i]);
		}
	}
}

/* A plan that a loss of power or an operator has cut is no reason to stop. */
static void a_damaged_plan_is_removed(void **state)
{
	(void)state;
	static const char *const texts[] = { "page", "page 7 a1 0 acme -\n",
					     "page 7 a1 0 acme -\nfile a b\nend\n",
					     "page 7 a1 9 acme -\nend\n", "\n" };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		int fd = openat(test_folder_fd, "received/plan", O_WRONLY | O_CREAT, 0600);
		assert_int_equal(strlen(texts[i]), write(fd, texts[i], strlen(texts[i])));
		close(fd);
		assert_int_equal(OK, receive(""));
		assert_false(is_there("received/plan"));
	}
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
		cmocka_unit_test(lists_of_former_addresses_are_replaced),
		cmocka_unit_test(the_mirror_tells_which_lists_it_has),
		cmocka_unit_test(records_of_a_former_version_are_replaced),
		cmocka_unit_test(the_files_that_wait_are_bounded),
		cmocka_unit_test(another_signing_key_does_not_replace_the_mirrors),
		cmocka_unit_test(a_mirror_follows_one_origin),
		cmocka_unit_test(the_beat_is_remembered),
		cmocka_unit_test(an_origin_that_is_silent_does_not_count),
		cmocka_unit_test(a_process_that_dies_leaves_no_page_half_done),
		cmocka_unit_test(a_disk_that_fails_leaves_no_page_half_done),
		cmocka_unit_test(a_damaged_plan_is_removed),
	};
	return cmocka_run_group_tests(tests, start, end);
}
