/* The gzip content coding (RFC 1952), for files that the web server gives out as they are. */
#ifndef WIRE_GZIP_H
#define WIRE_GZIP_H

#include "base/buf.h"

/*
 * Adds `data`, compressed. The same bytes give the same bytes: no time, no
 * name. Failure is the buffer's: see buf_ok(). (Not as small as can be: that
 * would be a few percent, for twice the time.)
 */
void gzip_add(struct buf *out, const void *data, size_t len);

#endif
