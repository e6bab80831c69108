#include "wire/gzip.h"

#include <stdint.h>

#include <zlib.h>

/* The value 16 makes deflateInit2() write gzip's format instead of zlib's. */
enum { GZIP_WINDOW_BITS = 15 + 16, GZIP_MEMORY_LEVEL = 9 };

void gzip_add(struct buf *out, const void *data, size_t len)
{
	unsigned char piece[16384];
	z_stream stream = { .next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)len };
	if (len > UINT32_MAX ||
	    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS,
			 GZIP_MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
		out->is_failed = true;
		return;
	}
	int outcome;
	do {
		stream.next_out = piece;
		stream.avail_out = sizeof(piece);
		outcome = deflate(&stream, Z_FINISH);
		buf_add(out, piece, sizeof(piece) - stream.avail_out);
	} while (outcome == Z_OK);
	deflateEnd(&stream);
	if (outcome != Z_STREAM_END)
		out->is_failed = true;
}
