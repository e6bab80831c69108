#include "unit/mirror/receiver_world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mirror/receive/incoming.h"
#include "publish/folder/former_address.h"
#include "publish/page/pages_reader.h"

int steps_left = -1;
int failure;

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

/* wrapped: renameat unlinkat linkat mkdirat syncfs fsync fdatasync */
/* wrapped: sync_file_range folder_await_second */
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

struct receiver receiver;
struct site site;
struct error error;
struct config config;
char missing[4096];

int receiver_start(void **state)
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

int receiver_end(void **state)
{
	receiver_close(&receiver);
	return folder_end(state);
}

void hash_of(const char *text, uint8_t hash[SECRET_HASH_BYTES])
{
	secret_hash(str_from(text), hash);
}

const char *page_of(const char *head, const char *const *pairs)
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

void send(const char *content)
{
	struct protocol_part part = { .size = strlen(content), .data = str_from(content) };
	hash_of(content, part.sha256);
	assert_int_equal(OK, incoming_add(&receiver, &part, &error));
}

void send_all(const char *const *pairs)
{
	for (; pairs[0]; pairs += 2)
		send(pairs[1]);
}

enum result receive(const char *body)
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

const char *content(const char *path)
{
	char text[4096] = "";
	int fd = openat(test_folder_fd, path, O_RDONLY);
	if (fd < 0)
		return NULL;
	ssize_t len = read(fd, text, sizeof(text) - 1);
	close(fd);
	return arena_strndup(&arena, text, (size_t)len);
}

const char *list(void)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(4096);
	assert_int_equal(OK, receive_list(&receiver, &out, &error));
	return arena_strdup(&arena, out.data ? out.data : "");
}

bool is_there(const char *path)
{
	return faccessat(test_folder_fd, path, F_OK, 0) == 0;
}

const char *const first[] = {
	"a-0123456789ab.css", "style one", "status.json", "{1}", "old.txt", "old",
	"index.html",	      "one",	   NULL
};
const char *const second[] = { "a-ba9876543210.css", "style two", "status.json", "{2}",
			       "index.html",	     "two",	  NULL };

const char *secret = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
char shared_missing[4096];

enum result send_text(unsigned number, const char *text, bool has_file)
{
	struct shared_data copy;
	struct buf missing_files CLEANUP(buf_done) = BUF_INIT(sizeof(shared_missing));
	struct protocol_part part = { .size = strlen(text), .data = str_from(text) };
	secret_hash(part.data, part.sha256);
	if (has_file && part.size > 0)
		assert_int_equal(OK, incoming_add(&receiver, &part, &error));
	const char *body = arena_printf(&arena, "secret %s\nlist %02x %s %zu\n", secret, number,
					secret_to_hex(&arena, part.sha256, SECRET_HASH_BYTES),
					part.size);
	assert_int_equal(OK, shared_data_parse(str_from(body), &arena, &copy, &error));
	enum result result = receive_shared(&receiver, &copy, &missing_files, &error);
	snprintf(shared_missing, sizeof(shared_missing), "%s",
		 missing_files.data ? missing_files.data : "");
	return result;
}

void send_list(enum pages_place place, const char *name, int64_t id)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(4096);
	former_line_print(&text, &(struct former_line){ place, name, id });
	assert_int_equal(OK, send_text(former_list_of(place, name), text.data, true));
}

const char *listed(enum pages_place place, const char *name)
{
	const struct pages_reader reader = { test_folder_fd };
	const char *id;
	bool is_listed;
	assert_int_equal(OK,
			 former_list_find(&reader, place, name, &arena, &is_listed, &id, &error));
	return !is_listed ? "no list" : id ? id : "none";
}
