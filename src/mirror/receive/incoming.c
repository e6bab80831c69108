#include "mirror/receive/incoming.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "publish/folder/folder.h"

static const char *name_of(const struct receiver *receiver, const uint8_t *sha256)
{
	return secret_to_hex(receiver->arena, sha256, SECRET_HASH_BYTES);
}

static bool has_size(int folder_fd, const char *name, size_t size)
{
	struct stat status;
	return fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(status.st_mode) && status.st_size == (off_t)size;
}

bool incoming_has(const struct receiver *receiver, const uint8_t *sha256, size_t size)
{
	return has_size(receiver->files_fd, name_of(receiver, sha256), size);
}

int incoming_open(const struct receiver *receiver, const uint8_t *sha256)
{
	return openat(receiver->files_fd, name_of(receiver, sha256),
		      O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

void incoming_forget(const struct receiver *receiver, const uint8_t *sha256)
{
	unlinkat(receiver->files_fd, name_of(receiver, sha256), 0);
}

enum result incoming_take(const struct receiver *receiver, const uint8_t *sha256, int from_fd,
			  const char *name, struct error *error)
{
	if (renameat(from_fd, name, receiver->files_fd, name_of(receiver, sha256)) == 0 ||
	    errno == ENOENT)
		return OK;
	return folder_failed(error, "cannot set aside", name);
}

static enum result is_another(struct error *error)
{
	return error_client(error, E_INVALID, "A file has another SHA-256 than its parts say.");
}

/* Stores a whole file that comes in one part, which is the common case. */
static enum result add_whole(const struct receiver *receiver, const struct protocol_part *part,
			     const char *name, struct error *error)
{
	uint8_t hash[SECRET_HASH_BYTES];
	int fd = receiver->files_fd;
	secret_hash(part->data, hash);
	if (memcmp(hash, part->sha256, sizeof(hash)) != 0)
		return is_another(error);
	return folder_put(fd, fd, name, part->data, false, error);
}

/* Whether the file is complete and has the right content. */
static bool is_right(int fd, const struct protocol_part *part)
{
	uint8_t hash[SECRET_HASH_BYTES];
	size_t size;
	return secret_hash_fd(fd, hash, &size) && size == part->size &&
	       memcmp(hash, part->sha256, sizeof(hash)) == 0;
}

static enum result add_part(const struct receiver *receiver, const struct protocol_part *part,
			    const char *name, struct error *error)
{
	const char *partial = arena_printf(receiver->arena, "%s.part", name);
	struct stat status;
	int fd CLEANUP(close_fd) = openat(receiver->files_fd, partial,
					  O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || fstat(fd, &status) != 0)
		return folder_failed(error, "cannot open", partial);
	if ((off_t)part->offset > status.st_size)
		return error_client(error, E_INVALID,
				    "A part does not continue the received part of its file.");
	if (lseek(fd, (off_t)part->offset, SEEK_SET) < 0 || !folder_write_all(fd, part->data))
		return folder_failed(error, "cannot write", partial);
	if (part->offset + part->data.len < part->size)
		return OK;
	if (!is_right(fd, part)) {
		unlinkat(receiver->files_fd, partial, 0);
		return is_another(error);
	}
	return renameat(receiver->files_fd, partial, receiver->files_fd, name) == 0
		       ? OK
		       : folder_failed(error, "cannot rename to", name);
}

enum result incoming_add(const struct receiver *receiver, const struct protocol_part *part,
			 struct error *error)
{
	const char *name = name_of(receiver, part->sha256);
	/* Set a new time, so that the sweep does not remove a file that was sent again. */
	if (has_size(receiver->files_fd, name, part->size) &&
	    utimensat(receiver->files_fd, name, NULL, AT_SYMLINK_NOFOLLOW) == 0)
		return OK;
	return part->offset == 0 && part->data.len == part->size
		       ? add_whole(receiver, part, name, error)
		       : add_part(receiver, part, name, error);
}

/* The bounds are larger than a batch of the largest pages, so the files of the present batch
 * stay. */
const struct incoming_bounds incoming_bounds = { 20000, INT64_C(1) << 30 };

struct keeping {
	int folder_fd;
	struct arena *arena;
	struct kept_file {
		const char *name;
		int64_t changed_ns;
		int64_t bytes;
	} * rows;
	size_t count;
	size_t room;
	int64_t bytes;
};

static void note_file(void *context, const char *name)
{
	struct keeping *keeping = context;
	struct stat status;
	if (fstatat(keeping->folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	keeping->rows = arena_grow(keeping->arena, keeping->rows, keeping->count, &keeping->room,
				   sizeof(*keeping->rows));
	keeping->rows[keeping->count++] = (struct kept_file){
		arena_strdup(keeping->arena, name),
		(int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec, status.st_size
	};
	keeping->bytes += status.st_size;
}

static int by_age(const void *a, const void *b)
{
	int64_t one = ((const struct kept_file *)a)->changed_ns;
	int64_t other = ((const struct kept_file *)b)->changed_ns;
	return (one > other) - (one < other);
}

enum result incoming_keep(const struct receiver *receiver, const struct incoming_bounds *bounds,
			  struct error *error)
{
	struct keeping keeping = { .folder_fd = receiver->files_fd, .arena = receiver->arena };
	enum result result = folder_each(receiver->files_fd, note_file, &keeping, error);
	if (result != OK || (keeping.count <= bounds->files && keeping.bytes <= bounds->bytes))
		return result;
	qsort(keeping.rows, keeping.count, sizeof(*keeping.rows), by_age);
	size_t left = keeping.count;
	for (size_t i = 0; left > bounds->files || keeping.bytes > bounds->bytes; i++, left--) {
		unlinkat(receiver->files_fd, keeping.rows[i].name, 0);
		keeping.bytes -= keeping.rows[i].bytes;
	}
	return OK;
}
