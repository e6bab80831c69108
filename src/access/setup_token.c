#include "access/setup_token.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/secret.h"

enum result setup_token_read(const char *path, struct arena *arena, struct str *token)
{
	enum { FILE_MAX = 2 * SETUP_TOKEN_MAX };
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT ? E_NOT_FOUND : E_INVALID;
	if (!fd_read_file(fd, FILE_MAX, arena, token))
		return E_INVALID;
	*token = str_trim(str_skip_mark(*token));
	return token->len >= SETUP_TOKEN_MIN && token->len <= SETUP_TOKEN_MAX ? OK : E_INVALID;
}

enum result setup_token_take(const char *path, struct arena *arena, const char **taken,
			     struct error *error)
{
	char id[SECRET_ID_SIZE];
	secret_id(id);
	*taken = arena_printf(arena, "%s.%s", path, id);
	if (rename(path, *taken) == 0)
		return OK;
	if (errno == ENOENT)
		return E_NOT_FOUND;
	return error_log(error, E_CONFLICT, "%s cannot be removed: %s", path, strerror(errno));
}

void setup_token_delete(const char *taken)
{
	if (unlink(taken) != 0)
		log_warn("console", "%s was used, and cannot be deleted: %s", taken,
			 strerror(errno));
}

void setup_token_put_back(const char *taken, const char *path)
{
	if (rename(taken, path) != 0)
		log_warn("console", "%s cannot be renamed to %s: %s", taken, path, strerror(errno));
}
