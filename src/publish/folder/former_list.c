#include "publish/folder/former_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/lines.h"
#include "base/secret.h"
#include "domain/domain_name.h"
#include "domain/page/status_page.h"
#include "publish/folder/folder.h"

#define RECEIVED    "received"
#define FOLDER	    "former"
#define FORMER	    "former "
#define FORMER_HOST "former-host "

static const char *word_of(enum pages_place place)
{
	return place == PAGES_FORMER_HOST ? FORMER_HOST : FORMER;
}

unsigned former_list_of(enum pages_place place, const char *name)
{
	struct secret_digest digest;
	uint8_t hash[SECRET_HASH_BYTES];
	secret_digest_init(&digest);
	secret_digest_add(&digest, word_of(place), strlen(word_of(place)));
	secret_digest_add(&digest, name, strlen(name));
	secret_digest_end(&digest, hash);
	return hash[0];
}

void former_list_name(unsigned list, char name[FORMER_LIST_NAME_SIZE])
{
	snprintf(name, FORMER_LIST_NAME_SIZE, "%02x", list & 0xff);
}

void former_line_print(struct buf *out, const struct former_line *line)
{
	buf_printf(out, "%s%s %lld\n", word_of(line->place), line->name, (long long)line->page_id);
}

bool former_line_parse(struct str text, struct arena *arena, struct former_line *line)
{
	bool is_domain = str_starts(text, STR(FORMER_HOST));
	if (!is_domain && !str_starts(text, STR(FORMER)))
		return false;
	*line = (struct former_line){ .place = is_domain ? PAGES_FORMER_HOST : PAGES_FORMER };
	text = str_skip(text, strlen(word_of(line->place)));
	if (!(line->name = line_text(&text, arena)) || !line_number(&text, 1, &line->page_id) ||
	    !line_ends(&text))
		return false;
	if (!is_domain)
		return status_page_is_slug(line->name);
	const char *ascii = domain_name_ascii(arena, line->name);
	return ascii && strcmp(ascii, line->name) == 0;
}

int former_lists_open(int root_fd, bool is_made)
{
	bool is_new;
	int received_fd CLEANUP(close_fd) = is_made ? folder_make(root_fd, RECEIVED, false, &is_new)
						    : folder_open(root_fd, RECEIVED);
	if (received_fd < 0)
		return -1;
	return is_made ? folder_make(received_fd, FOLDER, false, &is_new)
		       : folder_open(received_fd, FOLDER);
}

/* Returns the id from the line that begins with `key`; NULL: there is no such line. */
static const char *find_line(struct str list, const char *key, struct arena *arena)
{
	size_t len = strlen(key);
	struct str rest = list, id;
	while (rest.len > 0) {
		const char *found = memmem(rest.data, rest.len, key, len);
		if (!found)
			return NULL;
		rest = str_skip(rest, (size_t)(found - rest.data) + len);
		if ((found == list.data || found[-1] == '\n') && str_split(&rest, '\n', &id))
			return arena_strndup(arena, id.data, id.len);
	}
	return NULL;
}

enum result former_list_find(const struct pages_reader *reader, enum pages_place place,
			     const char *name, struct arena *arena, bool *is_listed,
			     const char **id, struct error *error)
{
	char path[sizeof(RECEIVED "/" FOLDER "/") + FORMER_LIST_NAME_SIZE];
	struct stat status;
	*is_listed = false;
	*id = NULL;
	snprintf(path, sizeof(path), RECEIVED "/" FOLDER "/%02x", former_list_of(place, name));
	int fd CLEANUP(close_fd) = reader->root_fd < 0 ? -1
						       : openat(reader->root_fd, path,
								O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (reader->root_fd < 0 || (fd < 0 && (errno == ENOENT || errno == ENOTDIR)))
		return OK;
	if (fd < 0 || fstat(fd, &status) != 0)
		return error_log(error, E_UNAVAILABLE, "pages: cannot open %s: %s", path,
				 strerror(errno));
	*is_listed = true;
	/* mmap() fails for an empty list. A name with a blank or a newline is not an address. */
	if (status.st_size == 0 || strpbrk(name, " \n"))
		return OK;
	/* The mapped list cannot change: a list is replaced by a rename, never written in place. */
	size_t size = (size_t)status.st_size;
	char *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return error_log(error, E_UNAVAILABLE, "pages: cannot read %s: %s", path,
				 strerror(errno));
	*id = find_line((struct str){ data, size },
			arena_printf(arena, "%s%s ", word_of(place), name), arena);
	munmap(data, size);
	return OK;
}

enum result former_lists_forget(const struct pages_dir *dir, struct error *error)
{
	bool is_changed = false;
	int fd CLEANUP(close_fd) = former_lists_open(dir->root_fd, false);
	if (fd < 0)
		return OK;
	enum result result = folder_sweep(fd, NULL, NULL, &is_changed, error);
	if (result == OK && unlinkat(dir->root_fd, RECEIVED "/" FOLDER, AT_REMOVEDIR) != 0)
		result = folder_failed(error, "cannot remove the folder", FOLDER);
	return result;
}
