#include "wire/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* The value 16 makes deflateInit2() write gzip's format instead of zlib's. */
enum { GZIP_WINDOW_BITS = 15 + 16, GZIP_MEMORY_LEVEL = 8, GZIP_LEVEL = 3 };

void gzip_done(struct gzip *gzip)
{
	if (gzip->stream)
		deflateEnd(gzip->stream);
	free(gzip->stream);
	gzip->stream = NULL;
}

static bool start_stream(struct gzip *gzip)
{
	if (gzip->stream)
		return deflateReset(gzip->stream) == Z_OK;
	gzip->stream = calloc(1, sizeof(*gzip->stream));
	if (gzip->stream && deflateInit2(gzip->stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW_BITS,
					 GZIP_MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK)
		return true;
	free(gzip->stream);
	gzip->stream = NULL;
	return false;
}

void gzip_add(struct gzip *gzip, struct buf *out, const void *data, size_t len)
{
	unsigned char piece[16384];
	if (len > UINT32_MAX || !start_stream(gzip)) {
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

void gunzip_done(struct gunzip *gunzip)
{
	if (gunzip->stream)
		inflateEnd(gunzip->stream);
	free(gunzip->stream);
	gunzip->stream = NULL;
}

/* Servers send deflate with zlib's header, as they should, or without. */
static bool start_reading(struct gunzip *gunzip, unsigned char first)
{
	enum { GZIP_OR_ZLIB = 15 + 32, NO_HEADER = -15, GZIP_FIRST = 0x1f, ZLIB_METHOD = 8 };
	if (gunzip->stream)
		return true;
	bool has_header = first == GZIP_FIRST || (first & 0xf) == ZLIB_METHOD;
	gunzip->stream = calloc(1, sizeof(*gunzip->stream));
	if (gunzip->stream &&
	    inflateInit2(gunzip->stream, has_header ? GZIP_OR_ZLIB : NO_HEADER) == Z_OK)
		return true;
	free(gunzip->stream);
	gunzip->stream = NULL;
	return false;
}

void gunzip_add(struct gunzip *gunzip, const void *data, size_t len,
		bool (*take)(void *context, const char *data, size_t len), void *context)
{
	unsigned char piece[GUNZIP_PIECE_BYTES];
	if (len == 0 || gunzip->is_ended || gunzip->is_failed)
		return;
	gunzip->is_failed = len > UINT32_MAX ||
			    !start_reading(gunzip, *(const unsigned char *)data);
	if (gunzip->is_failed)
		return;
	struct z_stream_s *stream = gunzip->stream;
	stream->next_in = (Bytef *)(uintptr_t)data;
	stream->avail_in = (uInt)len;
	bool is_wanted = true;
	do {
		stream->next_out = piece;
		stream->avail_out = sizeof(piece);
		int outcome = inflate(stream, Z_NO_FLUSH);
		size_t made = sizeof(piece) - stream->avail_out;
		gunzip->is_ended = outcome == Z_STREAM_END;
		/* Z_BUF_ERROR: there is nothing to do, since the output was full by chance. */
		gunzip->is_failed = outcome != Z_OK && outcome != Z_STREAM_END &&
				    outcome != Z_BUF_ERROR;
		if (made > 0)
			is_wanted = take(context, (const char *)piece, made);
	} while (is_wanted && !gunzip->is_ended && !gunzip->is_failed && stream->avail_out == 0);
}
