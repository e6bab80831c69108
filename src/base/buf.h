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

/* Memory of a buffer that its owner keeps for the next buffer. Starts as { 0 }. The process's
 * budget does not count kept memory. */
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
/* Makes the buffer empty and not failed. It keeps its memory. */
void buf_clear(struct buf *buf);
bool buf_ok(const struct buf *buf);

/*
 * Makes room for `len` bytes in total, but not for more than max_bytes. Returns false, and changes
 * nothing, if the process's budget (base/budget.h) or the memory does not suffice.
 */
bool buf_expect(struct buf *buf, size_t len) MUST_USE;

void buf_add(struct buf *buf, const void *data, size_t len);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
/* Adds `len` bytes to the buffer, and returns their address, to which the caller writes. Returns
 * NULL if the buffer has failed. */
char *buf_claim(struct buf *buf, size_t len) MUST_USE;
void buf_printf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
