/* The gzip content coding (RFC 1952), for files that the web server gives out as they are. */
#ifndef WIRE_GZIP_H
#define WIRE_GZIP_H

#include "base/buf.h"

/*
 * Adds `data`, compressed as small as can be. The same bytes give the same
 * bytes: no time, no name. Failure is the buffer's: see buf_ok().
 */
void gzip_add(struct buf *out, const void *data, size_t len);

#endif
