#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"

void buf_done(struct buf *buf)
{
	free(buf->data);
	budget_give(buf->size);
	*buf = BUF_INIT(buf->max_bytes);
}

void buf_start(struct buf *buf, struct buf_spare *spare)
{
	if (!spare->data || spare->size > buf->max_bytes)
		return;
	buf->data = spare->data;
	buf->size = spare->size;
	buf->data[0] = '\0';
	budget_take(buf->size);
	*spare = (struct buf_spare){ 0 };
}

void buf_leave(struct buf *buf, struct buf_spare *spare)
{
	if (buf->data && buf->size <= BUF_SPARE_MAX_BYTES && !spare->data) {
		*spare = (struct buf_spare){ buf->data, buf->size };
		budget_give(buf->size);
		buf->data = NULL;
		buf->size = 0;
	}
	buf_done(buf);
}

void buf_spare_done(struct buf_spare *spare)
{
	free(spare->data);
	*spare = (struct buf_spare){ 0 };
}

void buf_clear(struct buf *buf)
{
	buf->len = 0;
	buf->is_failed = false;
	if (buf->data)
		buf->data[0] = '\0';
}

bool buf_ok(const struct buf *buf)
{
	return !buf->is_failed;
}

static bool resize_data(struct buf *buf, size_t size)
{
	char *data = realloc(buf->data, size);
	if (!data)
		return false;
	buf->data = data;
	buf->size = size;
	return true;
}

bool buf_expect(struct buf *buf, size_t len)
{
	size_t taken, more;
	if (len > buf->max_bytes)
		len = buf->max_bytes;
	if (len < buf->size)
		return true;
	more = len + 1 - buf->size;
	if (!budget_claim(more, buf->size, &taken))
		return false;
	if (!resize_data(buf, len + 1)) {
		budget_give(taken);
		return false;
	}
	buf->data[buf->len] = '\0';
	budget_take(more - taken);
	return true;
}

static bool buf_enlarge(struct buf *buf, size_t len)
{
	if (len > buf->max_bytes - buf->len) {
		buf->is_failed = true;
		return false;
	}
	size_t needed = buf->len + len + 1;
	size_t size = buf->size > 0 ? buf->size * 2 : 256;
	if (size > buf->max_bytes + 1)
		size = buf->max_bytes + 1;
	if (size < needed)
		size = needed;
	size_t before = buf->size;
	if (!resize_data(buf, size)) {
		buf->is_failed = true;
		return false;
	}
	budget_take(size - before);
	return true;
}

/* Makes room for `len` more bytes and a NUL. Returns false if the buffer has failed. */
static bool buf_reserve(struct buf *buf, size_t len)
{
	if (buf->is_failed)
		return false;
	return (buf->len < buf->size && len < buf->size - buf->len) || buf_enlarge(buf, len);
}

char *buf_claim(struct buf *buf, size_t len)
{
	if (!buf_reserve(buf, len))
		return NULL;
	char *start = buf->data + buf->len;
	buf->len += len;
	buf->data[buf->len] = '\0';
	return start;
}

void buf_add(struct buf *buf, const void *data, size_t len)
{
	char *to = buf_claim(buf, len);
	if (to && len > 0)
		memcpy(to, data, len);
}

void buf_puts(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void buf_putc(struct buf *buf, char c)
{
	char *to = buf_claim(buf, 1);
	if (to)
		*to = c;
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;
	size_t room = buf->size - buf->len;
	if (buf->is_failed)
		return;
	/* Format into the room that the buffer has; if it does not suffice, enlarge it and format
	 * again. */
	va_start(args, format);
	int len = vsnprintf(room > 0 ? buf->data + buf->len : NULL, room, format, args);
	va_end(args);
	if (len < 0) {
		buf->is_failed = true;
		return;
	}
	if ((size_t)len >= room) {
		if (!buf_reserve(buf, (size_t)len)) {
			if (room > 0)
				buf->data[buf->len] = '\0';
			return;
		}
		va_start(args, format);
		vsnprintf(buf->data + buf->len, (size_t)len + 1, format, args);
		va_end(args);
	}
	if ((size_t)len > buf->max_bytes - buf->len) {
		buf->data[buf->len] = '\0';
		buf->is_failed = true;
		return;
	}
	buf->len += (size_t)len;
}
