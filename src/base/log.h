/*
 * Log lines in logfmt: one line an event, written whole.
 *
 * Library code does not log; it returns errors. Lines come from the main
 * programs, the request pipeline and the worker loop. Never given secrets or
 * bodies.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct log_line {
	char text[2048]; /* a longer line is cut */
	size_t len;
};

/* Where lines go; -1 silences them. Standard error until it is called. */
void log_to_fd(int fd);
/* Appends to the file, or error number. The file is opened anew by log_reopen(). */
int log_to_file(const char *path);
void log_reopen(void);

/* Starts a line with time, level and event. */
void log_begin(struct log_line *line, const char *level, const char *event);
/* Adds key=value; the value is quoted where logfmt needs it. NULL adds nothing. */
void log_text(struct log_line *line, const char *key, const char *value);
void log_int(struct log_line *line, const char *key, int64_t value);
void log_end(struct log_line *line);

/* A whole line with one message. */
void log_info(const char *event, const char *format, ...) PRINTF_LIKE(2, 3);
void log_warn(const char *event, const char *format, ...) PRINTF_LIKE(2, 3);

/* Logs and ends the process with status 70 (EX_SOFTWARE): for our own defects. */
NORETURN void die(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
