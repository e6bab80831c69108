/*
 * A growable byte string with a maximum length.
 *
 * An addition that does not fit marks the buffer as failed, and later additions do nothing. Callers
 * add without checking and call buf_ok() once at the end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct buf {
	char *data; /* NULL before the first addition, NUL-terminated afterwards */
	size_t len;
	size_t size;
	size_t max_bytes;
	bool is_failed;
};

#define BUF_INIT(max) ((struct buf){ .max_bytes = (max) })

void buf_done(struct buf *buf);

/* Memory that the owner of buffers keeps from one buffer for the next. Starts as { 0 }. Kept memory
 * does not count for the process's budget. */
struct buf_spare {
	char *data;
	size_t size;
};
enum { BUF_SPARE_MAX_BYTES = 64 * 1024 };
/* Moves the spare memory to a buffer that has no memory yet. */
void buf_start(struct buf *buf, struct buf_spare *spare);
/* Like buf_done(), but keeps up to BUF_SPARE_MAX_BYTES of the memory in `spare`. */
void buf_leave(struct buf *buf, struct buf_spare *spare);
void buf_spare_done(struct buf_spare *spare);
/* Empties the buffer and clears the failure; keeps the memory. */
void buf_clear(struct buf *buf);
bool buf_ok(const struct buf *buf);

/*
 * Makes room for `len` bytes in total, at most the maximum. Returns false, and changes nothing, if
 * the process's budget (base/budget.h) or the memory does not suffice.
 */
bool buf_expect(struct buf *buf, size_t len) MUST_USE;

void buf_add(struct buf *buf, const void *data, size_t len);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
/* Lengthens the buffer by `len` bytes, and returns their address; the caller writes them. Returns
 * NULL if the buffer has failed. */
char *buf_claim(struct buf *buf, size_t len) MUST_USE;
void buf_printf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
