/* Files of the time zone database: whatever was read refers to what the file has. */
#include "base/zone_file.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct zone_file *zone = zone_file_parse(fuzz_str(data, size));
	if (!zone)
		return 0;
	MUST_HOLD(zone->type_count > 0);
	for (size_t i = 0; i < zone->time_count; i++)
		MUST_HOLD(zone->type_of[i] < zone->type_count);
	for (size_t i = 0; i < zone->type_count; i++)
		MUST_HOLD(strlen(zone->types[i].abbreviation) > 0);
	MUST_HOLD(zone->has_rule || !zone->has_daylight);
	free(zone);
	return 0;
}
