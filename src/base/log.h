/*
 * Log lines in logfmt: one line for each event, written at once.
 *
 * Libraries return errors and do not log. The main programs, the request pipeline and the
 * background loop log. Lines contain no secrets and no bodies.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct log_line {
	char text[2048]; /* longer lines are cut */
	size_t len;
};

/* Sets the descriptor for log lines; -1 disables them. The default is standard error. */
void log_to_fd(int fd);
/* Makes the file at `path` the log; NULL changes nothing. On failure, prints `program` and the
 * reason to standard error. Call it when a program starts. */
void log_open(const char *program, const char *path);
void log_reopen(void);

/* Starts a line with time, level and event. */
void log_begin(struct log_line *line, const char *level, const char *event);
/* Add key=value, with quotes where logfmt needs them. A NULL value adds nothing. */
void log_text(struct log_line *line, const char *key, const char *value);
void log_int(struct log_line *line, const char *key, int64_t value);
void log_end(struct log_line *line);

/* Log a complete line with one message. */
void log_info(const char *event, const char *format, ...) PRINTF_LIKE(2, 3);
void log_warn(const char *event, const char *format, ...) PRINTF_LIKE(2, 3);

/* Logs the message and exits with status 70 (EX_SOFTWARE). Only for defects of the program. */
NORETURN void die(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
