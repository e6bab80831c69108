#include "wire/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* Adding 16 to the window bits makes deflateInit2() write the format of gzip. */
enum { GZIP_WINDOW_BITS = 15 + 16, GZIP_MEMORY_LEVEL = 8 };

void gzip_done(struct gzip *gzip)
{
	if (gzip->stream)
		deflateEnd(gzip->stream);
	free(gzip->stream);
	gzip->stream = NULL;
}

static bool start_stream(struct gzip *gzip, enum gzip_level level)
{
	if (gzip->stream)
		return deflateReset(gzip->stream) == Z_OK &&
		       deflateParams(gzip->stream, level, Z_DEFAULT_STRATEGY) == Z_OK;
	gzip->stream = calloc(1, sizeof(*gzip->stream));
	if (gzip->stream && deflateInit2(gzip->stream, level, Z_DEFLATED, GZIP_WINDOW_BITS,
					 GZIP_MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK)
		return true;
	free(gzip->stream);
	gzip->stream = NULL;
	return false;
}

void gzip_add(struct gzip *gzip, enum gzip_level level, struct buf *out, const void *data,
	      size_t len)
{
	unsigned char piece[16384];
	if (len > UINT32_MAX || !start_stream(gzip, level)) {
		out->is_failed = true;
		return;
	}
	struct z_stream_s *stream = gzip->stream;
	stream->next_in = (Bytef *)(uintptr_t)data;
	stream->avail_in = (uInt)len;
	int outcome;
	do {
		stream->next_out = piece;
		stream->avail_out = sizeof(piece);
		outcome = deflate(stream, Z_FINISH);
		buf_add(out, piece, sizeof(piece) - stream->avail_out);
	} while (outcome == Z_OK);
	if (outcome != Z_STREAM_END)
		out->is_failed = true;
}

void gzip_pad(struct buf *packed, size_t bytes)
{
	enum { HEADER_BYTES = 10, FLAGS_AT = 3, HAS_COMMENT = 0x10 };
	size_t rest = packed->len - HEADER_BYTES;
	if (bytes == 0 || !buf_ok(packed) || !buf_claim(packed, bytes))
		return;
	char *comment = packed->data + HEADER_BYTES;
	memmove(comment + bytes, comment, rest);
	memset(comment, ' ', bytes - 1);
	comment[bytes - 1] = '\0';
	packed->data[FLAGS_AT] |= HAS_COMMENT;
}
