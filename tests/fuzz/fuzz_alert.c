/* The payload of an event, of which messages are made. The first byte chooses the event. */
#include "fuzz/fuzz.h"
#include "notify/alert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const kinds[] = { "incident.opened",	      "incident.resolved",
					     "incident.acknowledged", "incident.update_posted",
					     "maintenance.started",   "monitor.domain_expiring" };
	struct arena arena CLEANUP(arena_done);
	struct alert alert;
	if (size < 1)
		return 0;
	arena_init(&arena, 64 << 20);
	const size_t event = data[0] % ARRAY_LEN(kinds);
	const struct leased_delivery delivery = {
		.event = (int64_t)event,
		.kind = kinds[event],
		.payload = arena_strndup(&arena, (const char *)data + 1, size - 1),
	};
	if (alert_of_delivery(&delivery, "https://status.example.org", &arena, &alert))
		MUST_HOLD(*alert.title && alert.text && alert.systems && alert.cause);
	return 0;
}
