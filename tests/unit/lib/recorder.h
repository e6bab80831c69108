/* A sink that keeps what a decoder says, for comparing. */
#ifndef UNIT_LIB_RECORDER_H
#define UNIT_LIB_RECORDER_H

#include "base/arena.h"
#include "wire/pairs.h"

enum { RECORDED_MAX = 5120 };

struct recorder {
	struct pair_sink sink;
	struct arena arena;
	struct pair pairs[RECORDED_MAX];
	size_t count;
	enum result refuse; /* what take() returns, for testing that it is passed up */
};

void recorder_init(struct recorder *recorder);
void recorder_done(struct recorder *recorder);
/* "name=value;" of each pair, owned by the recorder; files as "name<filename>=value;". */
const char *recorder_text(struct recorder *recorder);

/* Decode all of `input`. */
enum result record_multipart(struct recorder *recorder, const char *boundary, struct str input,
			     struct error *error);
enum result record_urlencoded(struct recorder *recorder, struct str input, struct error *error);
enum result record_json(struct recorder *recorder, struct str input, struct error *error);

#endif
