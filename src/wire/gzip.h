/* The gzip content coding (RFC 1952), for files that the web server sends as they are. */
#ifndef WIRE_GZIP_H
#define WIRE_GZIP_H

#include "base/buf.h"

/*
 * Appends `data`, compressed. The output is reproducible: it has no time and no name. The level is
 * not the highest, which would take twice the time for a few percent. Failures are those of the
 * buffer: see buf_ok().
 */
void gzip_add(struct buf *out, const void *data, size_t len);

#endif
