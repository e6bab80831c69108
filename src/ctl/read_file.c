#include "ctl/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "ctl/owner.h"
#include "wire/limits.h"

static bool read_stream(FILE *file, size_t max_bytes, struct arena *arena, struct str *content,
			const char **why)
{
	struct buf text = BUF_INIT(max_bytes);
	char piece[65536];
	size_t len;
	while (buf_ok(&text) && (len = fread(piece, 1, sizeof(piece), file)) > 0)
		buf_add(&text, piece, len);
	bool is_read = buf_ok(&text) && !ferror(file);
	*why = ferror(file) ? "the file cannot be read"
			    : arena_printf(arena, "the file has more than %zu bytes", max_bytes);
	if (is_read)
		*content = (struct str){ arena_strndup(arena, text.data ? text.data : "", text.len),
					 text.len };
	buf_done(&text);
	return is_read;
}

/* Opens a regular file. Refuses a FIFO instead of waiting for its writer. */
static FILE *open_regular(const char *path, const char **why)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	*why = strerror(errno);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
		*why = "the file is not a regular file; - is standard input";
		close(fd);
		return NULL;
	}
	FILE *file = fdopen(fd, "r");
	*why = strerror(errno);
	if (!file)
		close(fd);
	return file;
}

bool ctl_read_file(struct ctl *ctl, const char *path, size_t max_bytes, struct str *content,
		   const char **why)
{
	if (strcmp(path, "-") == 0)
		return read_stream(stdin, max_bytes, &ctl->arena, content, why);
	ctl_as_caller(ctl);
	FILE *file = open_regular(path, why);
	ctl_as_owner(ctl);
	if (!file)
		return false;
	bool is_read = read_stream(file, max_bytes, &ctl->arena, content, why);
	fclose(file);
	return is_read;
}

const char *ctl_text_or_input(struct ctl *ctl, const char *text)
{
	struct str content;
	const char *why;
	if (strcmp(text, "-") != 0)
		return text;
	if (!ctl_read_file(ctl, "-", WIRE_VALUE_MAX_BYTES, &content, &why)) {
		ctl_usage(ctl, "standard input: %s", why);
		return NULL;
	}
	if (str_is_text(content))
		return content.data;
	ctl_usage(ctl, "standard input must be valid UTF-8 text without NUL bytes");
	return NULL;
}
