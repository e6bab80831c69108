/*
 * The content codings gzip and deflate (RFC 9110 section 8.4.1): for files that the web server
 * sends as they are, and for responses of other servers.
 */
#ifndef WIRE_GZIP_H
#define WIRE_GZIP_H

#include "base/buf.h"

/* A compressor, some 260 KB of memory, for one text after another. Starts as { 0 }. */
struct gzip {
	struct z_stream_s *stream; /* NULL before the first text */
};
void gzip_done(struct gzip *gzip);

/*
 * Appends `data`, compressed. The output is reproducible: it has no time and no name. The level
 * takes half the time of zlib's default, for a tenth more bytes. Failures are those of the buffer:
 * see buf_ok().
 */
void gzip_add(struct gzip *gzip, struct buf *out, const void *data, size_t len);

/* Lengthens the buffer, which has one such text, by `bytes`: a comment, which readers skip. */
void gzip_pad(struct buf *packed, size_t bytes);

/* Reads a text in pieces. Starts as { 0 }. */
struct gunzip {
	struct z_stream_s *stream; /* NULL before the first piece */
	bool is_ended;		   /* the text is complete */
	bool is_failed;		   /* it cannot be decoded; without a stream: memory is short */
};
void gunzip_done(struct gunzip *gunzip);

/*
 * Decodes the next piece, by gzip or deflate, with or without zlib's header, as the first byte
 * says. Gives the text in pieces of at most GUNZIP_PIECE_BYTES, until take() returns false. Bytes
 * after the end are ignored.
 */
enum { GUNZIP_PIECE_BYTES = 16 * 1024 };
void gunzip_add(struct gunzip *gunzip, const void *data, size_t len,
		bool (*take)(void *context, const char *data, size_t len), void *context);

#endif
