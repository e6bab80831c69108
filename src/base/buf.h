/*
 * A growable run of bytes that is born with a maximum.
 *
 * The first addition that does not fit marks it failed, and later ones do
 * nothing: build freely, then ask buf_ok() once.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct buf {
	char *data; /* always NUL-terminated once anything was added; NULL before */
	size_t len;
	size_t size;
	size_t max_bytes;
	bool is_failed;
};

#define BUF_INIT(max) ((struct buf){ .max_bytes = (max) })

void buf_done(struct buf *buf);
/* Empties it and clears the failure; keeps the memory. */
void buf_clear(struct buf *buf);
bool buf_ok(const struct buf *buf);

/*
 * Makes room for `len` bytes in all, at most the maximum, if the process's budget has it
 * (base/budget.h). False: it has not, or memory is short; nothing was changed.
 */
bool buf_expect(struct buf *buf, size_t len) MUST_USE;

void buf_add(struct buf *buf, const void *data, size_t len);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char c);
void buf_printf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
