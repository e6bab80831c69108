#include "app/page_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "publish/pages_dir.h"

static const struct {
	const char *extension;
	const char *type;
} types[] = {
	{ ".png", "image/png" },   { ".jpg", "image/jpeg" },	  { ".gif", "image/gif" },
	{ ".webp", "image/webp" }, { ".ico", "image/x-icon" },
};

static const char *type_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].extension, dot) == 0)
			return types[i].type;
	return NULL;
}

static enum result send_file(struct exchange *exchange, int fd)
{
	char piece[65536];
	ssize_t len;
	struct stat status;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		return E_MISSING;
	while ((len = read(fd, piece, sizeof(piece))) > 0)
		buf_add(&exchange->response.body, piece, (size_t)len);
	if (len < 0 || !buf_ok(&exchange->response.body))
		return error_log(&exchange->error, E_FAILED, "a published file cannot be read");
	return OK;
}

enum result page_files_show(struct exchange *exchange)
{
	const char *slug = exchange->match.params[0], *name = exchange->match.params[1];
	const char *type = type_of(name);
	struct pages_dir dir CLEANUP(pages_dir_close);
	enum result result = pages_dir_open(&dir, exchange->config->pages_dir, &exchange->error);
	if (result != OK)
		return result;
	/* Both are single path segments; one that leads elsewhere is nobody's page. */
	if (!type || slug[0] == '.' || strchr(slug, '/'))
		return E_MISSING;
	int fd = pages_dir_open_file(&dir, true, slug, name);
	if (fd < 0)
		return E_MISSING;
	result = send_file(exchange, fd);
	close(fd);
	if (result != OK)
		return result;
	exchange->response.content_type = type;
	/* The name changes with the content. */
	response_header(&exchange->response, "Cache-Control", "public, max-age=31536000, immutable");
	return OK;
}
