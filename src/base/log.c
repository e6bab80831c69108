#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/printable.h"

/* The descriptor to which all threads of the process write their log lines. */
static atomic_int log_fd = STDERR_FILENO;
static char log_path[4096];

void log_to_fd(int fd)
{
	log_fd = fd;
}

/* Logs to the file, in append mode. Returns 0 or errno. */
static int log_to_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0640);
	if (fd < 0)
		return errno;
	int old = atomic_exchange(&log_fd, fd);
	if (log_path[0] != '\0' && old >= 0)
		close(old);
	snprintf(log_path, sizeof(log_path), "%s", path);
	return 0;
}

void log_open(const char *program, const char *path)
{
	int failure = path ? log_to_file(path) : 0;
	if (failure != 0)
		fprintf(stderr, "%s: cannot log to %s: %s\n", program, path, strerror(failure));
}

void log_reopen(void)
{
	char path[sizeof(log_path)];
	if (log_path[0] == '\0')
		return;
	memcpy(path, log_path, sizeof(path));
	log_to_file(path);
}

static void line_add(struct log_line *line, const char *data, size_t len)
{
	size_t room = sizeof(line->text) - 1 - line->len; /* one byte is for the newline */
	if (len > room)
		len = room;
	memcpy(line->text + line->len, data, len);
	line->len += len;
}

static void line_quoted(struct log_line *line, const char *value)
{
	char piece[PRINTABLE_SIZE];
	struct str rest = str_from(value);
	line_add(line, "\"", 1);
	while (rest.len > 0) {
		if (*rest.data == '"' || *rest.data == '\\')
			line_add(line, "\\", 1);
		rest = str_skip(rest, printable_first(rest, piece));
		line_add(line, piece, strlen(piece));
	}
	line_add(line, "\"", 1);
}

void log_text(struct log_line *line, const char *key, const char *value)
{
	if (!value)
		return;
	if (line->len > 0)
		line_add(line, " ", 1);
	line_add(line, key, strlen(key));
	line_add(line, "=", 1);
	bool is_plain = value[0] != '\0';
	for (const char *c = value; *c && is_plain; c++)
		is_plain = *c > ' ' && *c < 0x7f && *c != '"' && *c != '=' && *c != '\\';
	if (is_plain)
		line_add(line, value, strlen(value));
	else
		line_quoted(line, value);
}

void log_int(struct log_line *line, const char *key, int64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "%lld", (long long)value);
	log_text(line, key, text);
}

void log_begin(struct log_line *line, const char *level, const char *event)
{
	char now[INSTANT_TEXT_SIZE];
	line->len = 0;
	log_text(line, "time", instant_format(clock_now(), now));
	log_text(line, "level", level);
	log_text(line, "event", event);
}

void log_end(struct log_line *line)
{
	line->text[line->len++] = '\n';
	int fd = log_fd;
	/* One write() for each line, so that lines of several processes do not mix. Ignore a
	 * failure, because the service must work without its log. */
	if (fd >= 0 && write(fd, line->text, line->len) < 0)
		return;
}

static void log_message(const char *level, const char *event, const char *format, va_list args)
	PRINTF_LIKE(3, 0);
static void log_message(const char *level, const char *event, const char *format, va_list args)
{
	char message[1024];
	struct log_line line;
	vsnprintf(message, sizeof(message), format, args);
	log_begin(&line, level, event);
	log_text(&line, "message", message);
	log_end(&line);
}

void log_info(const char *event, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	log_message("info", event, format, args);
	va_end(args);
}

void log_warn(const char *event, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	log_message("warn", event, format, args);
	va_end(args);
}

void die(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	log_message("error", "died", format, args);
	va_end(args);
	_exit(EX_SOFTWARE);
}
