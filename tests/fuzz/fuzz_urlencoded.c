/* The urlencoded decoder: no input breaks it, and any split says the same. */
#include "fuzz/fuzz.h"
#include "unit/lib/recorder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct recorder whole, pieces;
	struct error error = { 0 };
	recorder_init(&whole);
	recorder_init(&pieces);
	enum result result = record_urlencoded(&whole, fuzz_str(data, size), 0, &error);
	MUST_HOLD(record_urlencoded(&pieces, fuzz_str(data, size), 1, &error) == result);
	MUST_HOLD(whole.count == pieces.count);
	for (size_t i = 0; i < whole.count; i++) {
		MUST_HOLD(str_eq(whole.pairs[i].name, pieces.pairs[i].name));
		MUST_HOLD(str_eq(whole.pairs[i].value, pieces.pairs[i].value));
	}
	recorder_done(&whole);
	recorder_done(&pieces);
	return 0;
}
