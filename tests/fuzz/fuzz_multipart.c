/* The multipart decoder: no input breaks it, and names keep their limit. */
#include "fuzz/fuzz.h"
#include "unit/lib/recorder.h"
#include "wire/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct recorder recorder;
	struct error error = { 0 };
	recorder_init(&recorder);
	if (record_multipart(&recorder, "B", fuzz_str(data, size), &error) == OK)
		for (size_t i = 0; i < recorder.count; i++)
			MUST_HOLD(recorder.pairs[i].name.len <= WIRE_NAME_MAX_BYTES);
	recorder_done(&recorder);
	return 0;
}
