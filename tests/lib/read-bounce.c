/*
 * read-bounce <MESSAGE: prints what wire/bounce_report.h reads of a report, in lines of fields that
 * tabs separate: "to ADDRESS", and "ACTION STATUS hard|soft RECIPIENT TEXT".
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "wire/bounce_report.h"
#include "wire/limits.h"

int main(void)
{
	char *message = memory_needed(malloc(BOUNCE_MAX_BYTES));
	struct str text = { message, fread(message, 1, BOUNCE_MAX_BYTES, stdin) };
	struct bounce_report report;
	struct arena arena;
	arena_init(&arena, WIRE_ARENA_MAX_BYTES);
	bounce_report_read(text, &arena, &report);
	for (size_t i = 0; i < report.address_count; i++)
		printf("to\t%s\n", report.addresses[i]);
	for (size_t i = 0; i < report.recipient_count; i++) {
		const struct bounce_recipient *one = &report.recipients[i];
		printf("%s\t%s\t%s\t%s\t%s\n", one->action, one->status,
		       bounce_is_hard(one->status, one->action) ? "hard" : "soft", one->address,
		       one->text);
	}
	arena_done(&arena);
	free(message);
	return 0;
}
