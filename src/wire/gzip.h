/* The gzip content coding (RFC 1952), for files that the web server sends compressed. */
#ifndef WIRE_GZIP_H
#define WIRE_GZIP_H

#include "base/buf.h"

/* A compressor, which can be used for several texts. It needs about 260 KB. Initialize it with
 * { 0 }. */
struct gzip {
	struct z_stream_s *stream; /* NULL before the first text */
};
void gzip_done(struct gzip *gzip);

/* GZIP_FAST is for texts that are written often: half the time of zlib's default level, but a tenth
 * more bytes. GZIP_SMALL is for texts that are written once: the fewest bytes. */
enum gzip_level { GZIP_FAST = 3, GZIP_SMALL = 9 };

/* Appends `data`, compressed. The output has no time and no file name, so the same data always
 * gives the same output. After a failure, buf_ok() of `out` is false. */
void gzip_add(struct gzip *gzip, enum gzip_level level, struct buf *out, const void *data,
	      size_t len);

/* Makes a compressed text of gzip_add() longer by `bytes`: adds a comment to its gzip header.
 * Programs skip this comment. */
void gzip_pad(struct buf *packed, size_t bytes);

#endif
