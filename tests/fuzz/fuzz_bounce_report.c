/* Reports of delivery: any bytes give texts within their limits, of one printable line. */
#include "fuzz/fuzz.h"

#include "wire/bounce_report.h"

static void check_text(const char *text, size_t most)
{
	MUST_HOLD(strlen(text) <= most);
	MUST_HOLD(str_is_text(str_from(text)));
	for (; *text; text++)
		MUST_HOLD((unsigned char)*text >= ' ' && *text != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { ADDRESS_SHOWN_MAX_BYTES = BOUNCE_ADDRESS_MAX_BYTES * 6, STATUS_MAX_BYTES = 9 };
	struct arena arena;
	struct bounce_report report;
	arena_init(&arena, 256 << 20);
	bounce_report_read(fuzz_str(data, size), &arena, &report);
	for (size_t i = 0; i < report.recipient_count; i++) {
		const struct bounce_recipient *recipient = &report.recipients[i];
		check_text(recipient->action, BOUNCE_ADDRESS_MAX_BYTES);
		check_text(recipient->status, STATUS_MAX_BYTES);
		check_text(recipient->address, BOUNCE_ADDRESS_MAX_BYTES);
		check_text(recipient->text, BOUNCE_TEXT_MAX_BYTES);
		if (bounce_is_hard(recipient->status, recipient->action))
			MUST_HOLD(recipient->status[0] == '5');
	}
	for (size_t i = 0; i < report.address_count; i++) {
		check_text(report.addresses[i], ADDRESS_SHOWN_MAX_BYTES);
		MUST_HOLD(strchr(report.addresses[i], '@'));
	}
	arena_done(&arena);
	return 0;
}
