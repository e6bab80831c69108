/* What the fuzz targets share. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* For a property that does not hold: the fuzzer keeps the input. */
#define MUST_HOLD(condition) ((condition) ? (void)0 : abort())

static inline struct str fuzz_str(const uint8_t *data, size_t size)
{
	return (struct str){ (const char *)data, size };
}

#endif
