/* The gzip content coding (RFC 1952), for files that the web server sends as they are. */
#ifndef WIRE_GZIP_H
#define WIRE_GZIP_H

#include "base/buf.h"

/* A compressor, some 260 KB of memory, for one text after another. Starts as { 0 }. */
struct gzip {
	struct z_stream_s *stream; /* NULL before the first text */
};
void gzip_done(struct gzip *gzip);

/* For texts that are written often: half the time of zlib's default, for a tenth more bytes. For
 * texts that are written once: the fewest bytes. */
enum gzip_level { GZIP_FAST = 3, GZIP_SMALL = 9 };

/*
 * Appends `data`, compressed. The output is reproducible: it has no time and no name. Failures
 * are those of the buffer: see buf_ok().
 */
void gzip_add(struct gzip *gzip, enum gzip_level level, struct buf *out, const void *data,
	      size_t len);

/* Lengthens the buffer, which has one text of gzip_add(), by `bytes`: a comment, which readers
 * skip. */
void gzip_pad(struct buf *packed, size_t bytes);

#endif
