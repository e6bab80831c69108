/* The multipart decoder: no input breaks it, and any split says the same. */
#include "fuzz/fuzz.h"
#include "unit/lib/recorder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct recorder whole, pieces;
	struct error error = { 0 };
	recorder_init(&whole);
	recorder_init(&pieces);
	enum result result = record_multipart(&whole, "B", fuzz_str(data, size), 0, &error);
	MUST_HOLD(record_multipart(&pieces, "B", fuzz_str(data, size), 1, &error) == result);
	if (result == OK)
		MUST_HOLD(whole.count == pieces.count);
	for (size_t i = 0; result == OK && i < whole.count; i++) {
		MUST_HOLD(str_eq(whole.pairs[i].name, pieces.pairs[i].name));
		MUST_HOLD(str_eq(whole.pairs[i].value, pieces.pairs[i].value));
	}
	recorder_done(&whole);
	recorder_done(&pieces);
	return 0;
}
