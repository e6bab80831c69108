#include "publish/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/secret.h"

#define KEY_FILE "secret"

enum { GATE_FILE_MAX_BYTES = 1024 };

void gate_write(struct buf *out, const struct status_page *page)
{
	buf_printf(out, "%lld %lld %d %s\n", (long long)page->id, (long long)page->account_id,
		   page->privacy, page->password_hash ? page->password_hash : "-");
}

static bool parse_gate(struct str rest, struct arena *arena, struct gate *gate)
{
	struct str words[4];
	int64_t privacy;
	for (size_t i = 0; i < 4; i++)
		if (!str_split(&rest, ' ', &words[i]))
			return false;
	if (!str_to_int64(words[0], &gate->page_id) || !str_to_int64(words[1], &gate->account_id) ||
	    !str_to_int64(words[2], &privacy))
		return false;
	gate->privacy = (int)privacy;
	gate->password_hash =
		str_eq(words[3], STR("-")) ? "" : arena_strndup(arena, words[3].data, words[3].len);
	return true;
}

/* Without the key no link, cookie or pass would hold, and none would say why. */
static enum result check_key(const struct pages_dir *dir, struct error *error)
{
	if (faccessat(dir->root_fd, KEY_FILE, R_OK, AT_EACCESS) == 0 || errno == ENOENT)
		return OK;
	error_client(error, E_UNAVAILABLE, "This page cannot be read at the moment.");
	return error_log(error, E_UNAVAILABLE, "pages: cannot open %s: %s", KEY_FILE,
			 strerror(errno));
}

enum result gate_read(const struct pages_dir *dir, const char *slug, struct arena *arena,
		      struct gate *gate, struct error *error)
{
	char text[GATE_FILE_MAX_BYTES];
	int fd CLEANUP(close_fd) = -1;
	enum result result = pages_dir_find_file(dir, PAGES_PRIVATE, slug, GATE_FILE, &fd, error);
	if (result != OK)
		return result;
	ssize_t len = fd >= 0 ? read(fd, text, sizeof(text)) : -1;
	if (len < 1 || text[len - 1] != '\n' ||
	    !parse_gate((struct str){ text, (size_t)len - 1 }, arena, gate))
		return E_NOT_FOUND;
	return check_key(dir, error);
}

enum { KEY_NAME_SIZE = SECRET_ID_SIZE + 16 };

/* Writes a key aside, to disk, under a name of its own. */
static bool write_key(const struct pages_dir *dir, const uint8_t key[SECRET_HASH_BYTES],
		      char name[KEY_NAME_SIZE])
{
	char id[SECRET_ID_SIZE];
	secret_id(id);
	snprintf(name, KEY_NAME_SIZE, ".secret-%s", id);
	int fd CLEANUP(close_fd) = openat(
		dir->root_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd >= 0 && write(fd, key, SECRET_HASH_BYTES) == SECRET_HASH_BYTES && fsync(fd) == 0;
}

/* The signing key, made by whoever needs it first. */
static bool read_key(const struct pages_dir *dir, uint8_t key[SECRET_HASH_BYTES])
{
	char temporary[KEY_NAME_SIZE];
	int fd = openat(dir->root_fd, KEY_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT) {
		/* Whole at its first sight: written aside, then linked, which one of
		 * several makers wins. */
		secret_random(key, SECRET_HASH_BYTES);
		if (!write_key(dir, key, temporary))
			return false;
		int linked = linkat(dir->root_fd, temporary, dir->root_fd, KEY_FILE, 0);
		unlinkat(dir->root_fd, temporary, 0);
		if (linked != 0 && errno != EEXIST)
			return false;
		fd = openat(dir->root_fd, KEY_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	}
	bool is_read = fd >= 0 && read(fd, key, SECRET_HASH_BYTES) == SECRET_HASH_BYTES;
	close_fd(&fd);
	return is_read;
}

const char *gate_key_text(const struct pages_dir *dir, struct arena *arena)
{
	uint8_t key[SECRET_HASH_BYTES];
	return read_key(dir, key) ? secret_to_hex(arena, key, sizeof(key)) : NULL;
}

enum result gate_key_replace(const struct pages_dir *dir, struct str text, struct error *error)
{
	uint8_t key[SECRET_HASH_BYTES];
	char temporary[KEY_NAME_SIZE];
	if (!secret_from_hex(text, key, sizeof(key)))
		return error_client(error, E_INVALID, "this is no key of a gate");
	if (write_key(dir, key, temporary) &&
	    renameat(dir->root_fd, temporary, dir->root_fd, KEY_FILE) == 0 &&
	    fsync(dir->root_fd) == 0)
		return OK;
	return error_log(error, E_FAILED, "the gate's key cannot be written: %s", strerror(errno));
}

/* What is signed: for what, for which page, until when, and what it hangs on. */
static const char *signed_text(const char *what, int64_t page_id, struct instant end,
			       const char *bound, struct arena *arena)
{
	return arena_printf(arena, "%s %lld %lld %s", what, (long long)page_id, (long long)end.s,
			    bound);
}

static const char *make_token(const struct pages_dir *dir, const char *text, struct instant end,
			      struct arena *arena)
{
	uint8_t key[SECRET_HASH_BYTES];
	char signature[SECRET_SIGNATURE_SIZE];
	if (!read_key(dir, key))
		return NULL;
	secret_sign(key, str_from(text), signature);
	return arena_printf(arena, "%lld.%s", (long long)end.s, signature);
}

/* The end that a token names, before anything is known of its signature. */
static bool split_token(const struct gate_token *token, struct instant *end, struct str *signature)
{
	struct str number;
	*signature = token->text;
	return str_split(signature, '.', &number) && signature->data &&
	       str_to_int64(number, &end->s) && end->s > token->now.s;
}

static bool is_signed(const struct pages_dir *dir, const char *text, struct str signature)
{
	uint8_t key[SECRET_HASH_BYTES];
	return read_key(dir, key) && secret_is_signed(key, str_from(text), signature);
}

/* What is signed of a cookie or a pass. Of a password its hash is part: another one voids it. */
static const char *grant_text(const char *what, const struct gate *gate,
			      const struct gate_grant *grant, struct arena *arena)
{
	bool is_password = grant->means == GATE_BY_PASSWORD;
	return signed_text(arena_printf(arena, "%s by %s", what, is_password ? "password" : "link"),
			   gate->page_id, grant->end, is_password ? gate->password_hash : "",
			   arena);
}

static bool grant_holds(const struct pages_dir *dir, const char *what, const struct gate *gate,
			const struct gate_token *token, struct arena *arena,
			struct gate_grant *grant)
{
	struct str signature;
	if (!split_token(token, &grant->end, &signature))
		return false;
	grant->means = GATE_BY_PASSWORD;
	if (gate->privacy == PRIVACY_PASSWORD &&
	    is_signed(dir, grant_text(what, gate, grant, arena), signature))
		return true;
	grant->means = GATE_BY_LINK;
	return is_signed(dir, grant_text(what, gate, grant, arena), signature);
}

const char *gate_cookie(const struct pages_dir *dir, const struct gate *gate,
			const struct gate_grant *grant, struct arena *arena)
{
	return make_token(dir, grant_text("cookie", gate, grant, arena), grant->end, arena);
}

bool gate_cookie_holds(const struct pages_dir *dir, const struct gate *gate,
		       const struct gate_token *token, struct arena *arena,
		       struct gate_grant *grant)
{
	return grant_holds(dir, "cookie", gate, token, arena, grant);
}

const char *gate_pass(const struct pages_dir *dir, const struct gate *gate,
		      const struct gate_grant *grant, struct arena *arena)
{
	return make_token(dir, grant_text("pass", gate, grant, arena), grant->end, arena);
}

bool gate_pass_holds(const struct pages_dir *dir, const struct gate *gate,
		     const struct gate_token *token, struct arena *arena, struct gate_grant *grant)
{
	return grant_holds(dir, "pass", gate, token, arena, grant);
}

const char *gate_link(const struct pages_dir *dir, int64_t page_id, struct instant end,
		      struct arena *arena)
{
	return make_token(dir, signed_text("link", page_id, end, "", arena), end, arena);
}

bool gate_link_holds(const struct pages_dir *dir, const struct gate *gate,
		     const struct gate_token *token, struct arena *arena, struct gate_grant *grant)
{
	struct str signature;
	grant->means = GATE_BY_LINK;
	return split_token(token, &grant->end, &signature) &&
	       is_signed(dir, signed_text("link", gate->page_id, grant->end, "", arena), signature);
}
