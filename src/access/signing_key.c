#include "access/signing_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

#define KEY_FILE "secret"

enum { TEMPORARY_NAME_SIZE = SECRET_ID_SIZE + 16 };

/* Reads the key file. On failure returns false; errno has the reason (EINVAL: too short). */
static bool read_key_file(int folder_fd, struct signing_key *key)
{
	int fd CLEANUP(close_fd) = openat(folder_fd, KEY_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t len = read(fd, key->bytes, sizeof(key->bytes));
	if (len >= 0 && len != (ssize_t)sizeof(key->bytes))
		errno = EINVAL;
	return len == (ssize_t)sizeof(key->bytes);
}

/* Writes the key to disk under a temporary name, which it returns in `name`. */
static bool write_temporary(int folder_fd, const struct signing_key *key,
			    char name[TEMPORARY_NAME_SIZE])
{
	char id[SECRET_ID_SIZE];
	secret_id(id);
	snprintf(name, TEMPORARY_NAME_SIZE, ".secret-%s", id);
	int fd CLEANUP(close_fd) =
		openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd >= 0 && write(fd, key->bytes, sizeof(key->bytes)) == sizeof(key->bytes) &&
	       fsync(fd) == 0;
}

/* Makes the key file. linkat() gives the complete file its name. If several processes make a
 * key at the same time, linkat() succeeds for only one of them. */
static bool create_key_file(int folder_fd)
{
	char temporary[TEMPORARY_NAME_SIZE];
	struct signing_key key;
	secret_random(key.bytes, sizeof(key.bytes));
	if (!write_temporary(folder_fd, &key, temporary))
		return false;
	int outcome = linkat(folder_fd, temporary, folder_fd, KEY_FILE, 0);
	int reason = errno;
	unlinkat(folder_fd, temporary, 0);
	errno = reason;
	return outcome == 0 || reason == EEXIST;
}

enum result signing_key_read(int folder_fd, struct signing_key *key, bool *is_found,
			     struct error *error)
{
	*is_found = read_key_file(folder_fd, key);
	if (*is_found || errno == ENOENT)
		return OK;
	error_client(error, E_UNAVAILABLE, "This page cannot be read at the moment.");
	return error_log(error, E_UNAVAILABLE, "pages: cannot open %s: %s", KEY_FILE,
			 strerror(errno));
}

bool signing_key_load(const char *pages_dir, struct signing_key *key)
{
	struct error error = { 0 };
	bool is_found = false;
	int folder_fd CLEANUP(close_fd) = open(pages_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return folder_fd >= 0 && signing_key_read(folder_fd, key, &is_found, &error) == OK &&
	       is_found;
}

enum result signing_key_make(int folder_fd, struct signing_key *key, struct error *error)
{
	if (read_key_file(folder_fd, key))
		return OK;
	if (errno == ENOENT && create_key_file(folder_fd) && read_key_file(folder_fd, key))
		return OK;
	return error_log(error, E_FAILED, "pages: cannot read or make %s: %s", KEY_FILE,
			 strerror(errno));
}

enum result signing_key_export(int folder_fd, struct arena *arena, const char **text,
			       struct error *error)
{
	struct signing_key key;
	enum result result = signing_key_make(folder_fd, &key, error);
	*text = result == OK ? secret_to_hex(arena, key.bytes, sizeof(key.bytes)) : NULL;
	return result;
}

enum result signing_key_import(int folder_fd, struct str text, struct error *error)
{
	struct signing_key key;
	char temporary[TEMPORARY_NAME_SIZE];
	if (!secret_from_hex(text, key.bytes, sizeof(key.bytes)))
		return error_client(error, E_INVALID, "the backup's signing key is not valid");
	if (write_temporary(folder_fd, &key, temporary) &&
	    renameat(folder_fd, temporary, folder_fd, KEY_FILE) == 0 && fsync(folder_fd) == 0)
		return OK;
	return error_log(error, E_FAILED, "the signing key cannot be written: %s", strerror(errno));
}
