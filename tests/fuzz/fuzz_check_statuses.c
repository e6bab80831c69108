/* The field expected_statuses of a check. */
#include "domain/monitor/check_settings.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char statuses[256];
	size_t expected = 0;
	if (size >= sizeof(statuses) || memchr(data, '\0', size))
		return 0;
	memcpy(statuses, data, size);
	statuses[size] = '\0';
	for (int64_t status = -1; status <= 1000; status++) {
		bool is_expected = check_status_is_expected(statuses, status);
		MUST_HOLD(!is_expected || (status >= 100 && status <= 599));
		expected += is_expected;
	}
	MUST_HOLD(!check_statuses_are_valid(statuses) || expected > 0);
	return 0;
}
