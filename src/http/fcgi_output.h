/*
 * What a connection has to send and its web server has not taken yet. Nothing here waits:
 * what cannot be sent at once is kept, counts in the process's memory, and goes out when
 * the connection can be written to again.
 */
#ifndef HTTP_FCGI_OUTPUT_H
#define HTTP_FCGI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/attr.h"

/*
 * The slowest reader that is waited for. Lower would cut off nobody: the kernel's buffer of
 * about 200 KB is said to have room only once three quarters of it were read, which at this
 * rate takes most of the usual patience of 30 s.
 */
enum { FCGI_SLOWEST_BYTES_PER_S = 8192 };

enum { FCGI_OUTPUT_PARTS_MAX = 4 };

struct fcgi_piece;

struct fcgi_output {
	struct fcgi_piece *first;
	struct fcgi_piece *last;
	size_t held_bytes;
	int64_t patience_ms;
	int64_t deadline_ms; /* while something is kept: the reader is too slow after this */
};

void fcgi_output_init(struct fcgi_output *output, int64_t patience_ms);
void fcgi_output_done(struct fcgi_output *output);

/*
 * Sends the parts, at most FCGI_OUTPUT_PARTS_MAX, behind what is kept; keeps what cannot be
 * sent now. False when the other side is gone, or there is no memory to keep it in.
 */
bool fcgi_output_put(struct fcgi_output *output, int fd, const struct iovec *parts, size_t count)
	MUST_USE;

/*
 * Sends what can be sent of what is kept, and moves the deadline: each byte taken earns time
 * at the slowest rate, but never more than the patience from now. False when the other side
 * is gone.
 */
bool fcgi_output_send(struct fcgi_output *output, int fd) MUST_USE;

/* Something is kept. */
bool fcgi_output_waits(const struct fcgi_output *output);

#endif
