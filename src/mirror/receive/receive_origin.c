#include "mirror/receive/receive_origin.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "access/signing_key.h"
#include "base/fd.h"
#include "publish/folder/folder.h"

#define ORIGIN_FILE "origin"
#define DIGEST_FILE "digest"

enum { FILE_MAX_BYTES = 128 };

static enum result write_mark(const struct receiver *receiver, struct error *error)
{
	char text[ORIGIN_MARK_SIZE];
	origin_mark_print(&receiver->origin, text);
	return folder_put_synced(receiver->folder_fd, ORIGIN_FILE, str_from(text), error);
}

/* Origins of older versions send no mark. They may write until an origin with a mark has come. */
enum result receive_admit(const struct receiver *receiver, bool is_beat, struct error *error)
{
	char text[FILE_MAX_BYTES];
	struct origin_mark last = { 0 };
	const struct origin_mark *next = &receiver->origin;
	bool is_there;
	/* Lock the folder: two origins may send requests at the same time. */
	int lock_fd CLEANUP(close_fd) = folder_open(receiver->folder_fd, ".");
	if (lock_fd < 0 || flock(lock_fd, LOCK_EX) != 0)
		return folder_failed(error, "cannot lock", ORIGIN_FILE);
	enum result result = folder_read_line(receiver->folder_fd, ORIGIN_FILE, text, sizeof(text),
					      &is_there, error);
	if (result != OK)
		return result;
	if (!is_there)
		return next->id[0] && !is_beat ? write_mark(receiver, error) : OK;
	struct str rest = str_from(text);
	if (!origin_mark_take(&rest, &last) || !origin_mark_follows(&last, next))
		return error_client(error, E_FORBIDDEN,
				    "This mirror follows another origin, or another copy of this "
				    "origin's disk.");
	return origin_mark_is_same(&last, next) ? OK : write_mark(receiver, error);
}

enum result receive_take_over(const struct receiver *receiver, const char **key_text,
			      struct error *error)
{
	struct pages_lock lock CLEANUP(pages_dir_unlock) = { -1, -1 };
	struct signing_key key;
	bool has_key;
	*key_text = NULL;
	/* Wait for the running requests of the former origin. */
	enum result result = pages_dir_lock_all(&receiver->dir, &lock, error);
	if (result == OK)
		result = write_mark(receiver, error);
	if (result == OK)
		result = signing_key_read(receiver->dir.root_fd, &key, &has_key, error);
	if (result == OK && has_key)
		*key_text = secret_to_hex(receiver->arena, key.bytes, sizeof(key.bytes));
	return result;
}

enum result receive_digest(const struct receiver *receiver, const char **digest,
			   struct error *error)
{
	char text[FILE_MAX_BYTES];
	uint8_t bytes[SECRET_HASH_BYTES] = { 0 };
	bool is_there;
	enum result result = folder_read_line(receiver->folder_fd, DIGEST_FILE, text, sizeof(text),
					      &is_there, error);
	/* After a loss of power the file may be empty: the origin then compares all pages. */
	if (!secret_from_hex(str_from(text), bytes, sizeof(bytes)))
		memset(bytes, 0, sizeof(bytes));
	*digest = secret_to_hex(receiver->arena, bytes, sizeof(bytes));
	return result;
}

enum result receive_digest_add(const struct receiver *receiver, const uint8_t *sha256,
			       struct error *error)
{
	const char *digest;
	int fd = receiver->folder_fd;
	enum result result = receive_digest(receiver, &digest, error);
	if (result != OK)
		return result;
	digest = origin_digest_add(receiver->arena, digest, sha256);
	return folder_put(fd, fd, DIGEST_FILE, str_from(digest), false, error);
}
