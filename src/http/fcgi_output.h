/*
 * Output of a connection that the web server has not accepted yet. Sending does not block: what
 * cannot be sent is kept, counts against the process's memory, and is sent when the connection is
 * writable.
 */
#ifndef HTTP_FCGI_OUTPUT_H
#define HTTP_FCGI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/attr.h"

/*
 * The minimum rate of a reader. A lower rate would make no difference: the kernel's buffer of about
 * 200 KB counts as writable only once three quarters of it are free, which at this rate takes most
 * of the usual patience of 30 s.
 */
enum { FCGI_SLOWEST_BYTES_PER_S = 8192 };

enum { FCGI_OUTPUT_PARTS_MAX = 4 };

struct fcgi_piece;

struct fcgi_output {
	struct fcgi_piece *first;
	struct fcgi_piece *last;
	size_t held_bytes;
	int64_t patience_ms;
	int64_t deadline_ms; /* while output is kept: when the reader counts as too slow */
};

void fcgi_output_init(struct fcgi_output *output, int64_t patience_ms);
void fcgi_output_done(struct fcgi_output *output);

/*
 * Sends the parts, at most FCGI_OUTPUT_PARTS_MAX, after the kept output; keeps what cannot be sent
 * now. False: the connection is lost, or there is no memory.
 */
bool fcgi_output_put(struct fcgi_output *output, int fd, const struct iovec *parts, size_t count)
	MUST_USE;

/*
 * Sends kept output as far as possible, and moves the deadline: each accepted byte adds time at the
 * minimum rate, up to the full patience from now. False: the connection is lost.
 */
bool fcgi_output_send(struct fcgi_output *output, int fd) MUST_USE;

/* Whether output is kept. */
bool fcgi_output_waits(const struct fcgi_output *output);

#endif
