#include "unit/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "wire/bounce_report.h"
#include "wire/mime_part.h"

/* The samples are the corpus of the fuzz target, too. */
static struct str sample(const char *name)
{
	char *text = arena_alloc(&arena, BOUNCE_MAX_BYTES);
	FILE *file =
		fopen(arena_printf(&arena, TESTS_DIR "/fuzz/corpus/bounce_report/%s", name), "re");
	assert_non_null(file);
	size_t len = fread(text, 1, BOUNCE_MAX_BYTES, file);
	fclose(file);
	return (struct str){ text, len };
}

static struct bounce_report read_text(struct str text)
{
	struct bounce_report report;
	bounce_report_read(text, &arena, &report);
	return report;
}

/* What a report says, in a line for each recipient. */
static const char *print(struct str text)
{
	struct bounce_report report = read_text(text);
	const char *lines = "";
	for (size_t i = 0; i < report.recipient_count; i++) {
		const struct bounce_recipient *one = &report.recipients[i];
		lines = arena_printf(&arena, "%s%s %s%s %s: %s\n", lines, one->action, one->status,
				     bounce_is_hard(one->status, one->action) ? " hard" : "",
				     one->address, one->text);
	}
	return lines;
}

/* A report whose part has the fields. */
static struct str report_of(const char *fields)
{
	return str_from(arena_printf(&arena,
				     "Content-Type: multipart/report; boundary=B\n\n"
				     "--B\nContent-Type: message/delivery-status\n\n%s\n--B--\n",
				     fields));
}

static void samples_of_servers_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *name, *lines;
	} samples[] = {
		{ "postfix", "failed 5.1.1 hard nobody@example.net: unknown user: \"nobody\"\n"
			     "failed 5.2.2 full@example.net: 552 5.2.2 <full@example.net>: "
			     "Recipient address rejected: the mailbox is full\n" },
		{ "postfix-delayed", "delayed 4.4.1 later@example.net: connect to "
				     "store.example.net[192.0.2.7]:25: Connection timed out\n" },
		/* Exim's own status says nothing; the second is a policy's. */
		{ "exim", "failed 5.1.1 hard gone@example.net: 550 5.1.1 <gone@example.net>: "
			  "Recipient address rejected\n"
			  "failed 5.7.26 strict@example.net: 550-5.7.26 This message is not "
			  "authenticated. 550 5.7.26 See the policy\n" },
		{ "exchange", "failed 5.1.10 hard nobody@contoso.example: 550 5.1.10 "
			      "RESOLVER.ADR.RecipientNotFound; Recipient nobody@contoso.example "
			      "not found by SMTP address lookup\n" },
		{ "gmail", "failed 5.1.1 hard nobody@gmail.example: 550-5.1.1 The email account "
			   "that you tried to reach does not exist. Please try 550-5.1.1 "
			   "double-checking the recipient's email address for typos or 550-5.1.1 "
			   "unnecessary spaces. For more information,\n" },
		{ "sendmail", "failed 5.1.1 hard nobody@sm.example: 550 5.1.1 "
			      "<nobody@store.sm.example>... User unknown\n" },
		{ "footer", "failed 5.1.1 hard nobody@example.net: \n" },
		{ "encoded-base64", "failed 5.1.1 hard nobody@example.net: 550 5.1.1 This user = "
				    "unknown\n" },
		{ "encoded-quoted", "failed 5.1.1 hard nobody@example.net: 550 5.1.1 This user = "
				    "unknown\n" },
		{ "international", "failed 5.1.1 hard größe@example.net: 550 5.1.1 Größe\\u202e = "
				   "unknown\n" },
		{ "success", "delivered 2.1.5 nobody@example.net: unknown user: \"nobody\"\n"
			     "delivered 2.0.0 full@example.net: 552 2.0.0 <full@example.net>: "
			     "Recipient address rejected: the mailbox is full\n" },
		{ "cut-in-status", "failed  nobody@example.net: \n" },
		{ "no-blank-lines", "failed 5.1.1 hard nobody@example.net: \n" },
		/* Neither a text that looks so, nor a message that somebody passes on. */
		{ "no-report", "" },
		{ "forwarded", "" },
		{ "deep", "" },
	};
	for (size_t i = 0; i < ARRAY_LEN(samples); i++)
		assert_string_equal(samples[i].lines, print(sample(samples[i].name)));
}

static void the_addresses_of_the_headers_are_found(void **state)
{
	(void)state;
	struct bounce_report report = read_text(sample("footer"));
	static const char *const wanted[] = { "bounce+13.Zm9vdGVyMTIz@status.example",
					      "bounce+13.Zm9vdGVyMTIz@status.example",
					      "other@status.example" };
	assert_int_equal(ARRAY_LEN(wanted), report.address_count);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_string_equal(wanted[i], report.addresses[i]);
	assert_int_equal(3, read_text(sample("postfix")).address_count);
	assert_int_equal(2, read_text(sample("exim")).address_count);
	/* Of the report, not of the returned message; and none of the text. */
	report = read_text(
		STR("X-ORIGINAL-TO:\r\n\ta@b.example\r\nCc: c@b.example\r\n\r\nTo: d@b\r\n"));
	assert_int_equal(1, report.address_count);
	assert_string_equal("a@b.example", report.addresses[0]);
	report = read_text(STR("To: @b.example, a@, <@>, a\n"));
	assert_int_equal(0, report.address_count);
}

static void limits_hold(void **state)
{
	(void)state;
	const char *fields = "", *to = "To: a@b.example";
	for (int i = 0; i < BOUNCE_RECIPIENTS_MAX; i++) {
		fields = arena_printf(&arena, "%sAction: failed\n\n", fields);
		to = arena_printf(&arena, "%s,\n a@b.example", to);
	}
	assert_int_equal(BOUNCE_RECIPIENTS_MAX, read_text(report_of(fields)).recipient_count);
	fields = arena_printf(&arena, "%sAction: failed\n\n", fields);
	assert_int_equal(BOUNCE_RECIPIENTS_MAX, read_text(report_of(fields)).recipient_count);
	assert_int_equal(BOUNCE_ADDRESSES_MAX, read_text(str_from(to)).address_count);
	/* A character is not cut: 199 bytes, and three of the next character. */
	struct bounce_report report = read_text(
		report_of(arena_printf(&arena, "Action: failed\nDiagnostic-Code: x; %0*d€\n",
				       BOUNCE_TEXT_MAX_BYTES - 1, 0)));
	assert_int_equal(BOUNCE_TEXT_MAX_BYTES - 1, strlen(report.recipients[0].text));
	report = read_text(report_of("Action: failed\nDiagnostic-Code: a\a\xff\r\n \t b \n"));
	assert_string_equal("a\\u0007\\xff b", report.recipients[0].text);
	/* A report behind the limit is not read. */
	struct str late = report_of("Action: failed\n");
	char *text = arena_alloc(&arena, BOUNCE_MAX_BYTES + late.len);
	for (size_t at = BOUNCE_MAX_BYTES - late.len; at <= BOUNCE_MAX_BYTES; at += late.len) {
		memset(text, '\n', BOUNCE_MAX_BYTES);
		memcpy(text, "X: ", 3);
		memset(text + 3, 'x', at - 4);
		memcpy(text + at, late.data, late.len);
		assert_int_equal(at < BOUNCE_MAX_BYTES,
				 read_text((struct str){ text, at + late.len }).recipient_count);
	}
}

static void a_hard_bounce_is_a_failure_for_good_of_the_address(void **state)
{
	(void)state;
	static const char *const hard[] = {
		"5.1.1", "5.0.0", "5.1.10", "5.2.1", "5.2.20", "5.4.4"
	};
	static const char *const soft[] = { "",	     "5",     "5.1",   "5.1.",	   "5.2.2",
					    "5.7.1", "4.1.1", "2.1.5", "5.1.1111", "6.1.1" };
	for (size_t i = 0; i < ARRAY_LEN(hard); i++) {
		assert_true(bounce_is_hard(hard[i], "failed"));
		assert_false(bounce_is_hard(hard[i], "delayed"));
		assert_false(bounce_is_hard(hard[i], "error"));
		assert_false(bounce_is_hard(hard[i], ""));
	}
	for (size_t i = 0; i < ARRAY_LEN(soft); i++)
		assert_false(bounce_is_hard(soft[i], "failed"));
}

static void the_status_of_the_text_refines_a_general_one(void **state)
{
	(void)state;
	static const struct {
		const char *fields, *status;
	} cases[] = {
		{ "Status: 5.0.0\nDiagnostic-Code: smtp; 552-5.2.2 Full\n", "5.2.2" },
		{ "Diagnostic-Code: smtp; 550 5.1.1 No\n", "5.1.1" },
		{ "Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.7.1 No\n", "5.1.1" },
		{ "Status: 5.0.0\nDiagnostic-Code: smtp; 450 4.2.1 Later\n", "5.0.0" },
		{ "Status: 5.0.0\nDiagnostic-Code: smtp; 550 No\n", "5.0.0" },
		{ "Status: 5.0.0\nDiagnostic-Code: smtp; 550\n", "5.0.0" },
		{ "Status: 5.0.0\nDiagnostic-Code: smtp; 550 5.1.x\n", "5.0.0" },
		{ "Status: unknown\n", "" },
		{ "Status: 5.1.1234\n", "" },
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct bounce_report report = read_text(
			report_of(arena_printf(&arena, "Action: failed\n%s", cases[i].fields)));
		assert_int_equal(1, report.recipient_count);
		assert_string_equal(cases[i].status, report.recipients[0].status);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_servers_are_read),
		cmocka_unit_test(the_addresses_of_the_headers_are_found),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(a_hard_bounce_is_a_failure_for_good_of_the_address),
		cmocka_unit_test(the_status_of_the_text_refines_a_general_one),
	};
	return RUN_WITH_ARENA(tests);
}
