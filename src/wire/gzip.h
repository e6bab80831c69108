/* The gzip content coding (RFC 1952), for files that the web server sends as they are. */
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

/* Lengthens the buffer, which has one text of gzip_add(), by `bytes`: a comment, which readers
 * skip. */
void gzip_pad(struct buf *packed, size_t bytes);

#endif
