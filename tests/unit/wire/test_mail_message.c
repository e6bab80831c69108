#include "unit/lib/unit.h"

#include <stdlib.h>

#include "base/secret.h"
#include "wire/mail_message.h"

static struct mail_message plain(void)
{
	return (struct mail_message){
		.from_name = "Daymark",
		.from = "status@example.org",
		.to = "ops@example.net",
		.subject = "Checkout is down",
		.id = "delivery-7@example.org",
		.at = { 1767225599 }, /* 2025-12-31T23:59:59Z, a Wednesday */
		.text = "One.\nTwo.\n",
		.html = "<p>One.</p>",
	};
}

/* The message, whose boundary is replaced by "B". */
static const char *print(const struct mail_message *message)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(4 << 20);
	mail_message_print(&out, message);
	assert_true(buf_ok(&out));
	char *text = arena_strndup(&arena, out.data, out.len);
	const char *mark = strstr(text, "boundary=\"") + strlen("boundary=\"");
	char *name = arena_strndup(&arena, mark, strcspn(mark, "\""));
	size_t len = strlen(name);
	assert_true(len >= 16);
	for (char *at; (at = strstr(text, name));) {
		at[0] = 'B';
		memmove(at + 1, at + len, strlen(at + len) + 1);
	}
	return text;
}

static bool has_line(const char *text, const char *line)
{
	return strstr(text, arena_printf(&arena, "\r\n%s\r\n", line)) != NULL;
}

static void a_message_has_both_parts(void **state)
{
	(void)state;
	const struct mail_message message = plain();
	assert_string_equal(
		print(&message),
		"From: \"Daymark\" <status@example.org>\r\n"
		"To: <ops@example.net>\r\n"
		"Subject: Checkout is down\r\n"
		"Date: Wed, 31 Dec 2025 23:59:59 +0000\r\n"
		"Message-ID: <delivery-7@example.org>\r\n"
		"Auto-Submitted: auto-generated\r\n"
		"MIME-Version: 1.0\r\n"
		"Content-Type: multipart/alternative; boundary=\"B\"\r\n\r\n"
		"--B\r\nContent-Type: text/plain; charset=utf-8\r\n"
		"Content-Transfer-Encoding: quoted-printable\r\n\r\nOne.\r\nTwo.\r\n\r\n"
		"--B\r\nContent-Type: text/html; charset=utf-8\r\n"
		"Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>One.</p>\r\n"
		"--B--\r\n");
}

static void dates_are_right(void **state)
{
	(void)state;
	static const struct {
		int64_t at;
		const char *line;
	} rows[] = {
		{ 0, "Date: Thu, 1 Jan 1970 00:00:00 +0000" },
		{ 951782400, "Date: Tue, 29 Feb 2000 00:00:00 +0000" },
		{ 1772323199, "Date: Sat, 28 Feb 2026 23:59:59 +0000" },
		{ 1772323200, "Date: Sun, 1 Mar 2026 00:00:00 +0000" },
		{ 4102444800, "Date: Fri, 1 Jan 2100 00:00:00 +0000" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct mail_message message = plain();
		message.at.s = rows[i].at;
		assert_true(has_line(print(&message), rows[i].line));
	}
}

/* No text of a header can end its line, also when a reader decodes it. Encoded words are whole
 * characters. */
static void headers_are_encoded(void **state)
{
	(void)state;
	static const struct {
		const char *subject, *line;
	} rows[] = {
		{ "a\r\nBcc: x@example.org", "Subject: =?UTF-8?Q?a__Bcc=3A_x=40example=2Eorg?=" },
		{ "caf\u00e9", "Subject: =?UTF-8?Q?caf=C3=A9?=" },
		{ "=?UTF-8?Q?x?=", "Subject: =?UTF-8?Q?=3D=3FUTF=2D8=3FQ=3Fx=3F=3D?=" },
		{ "tab\there", "Subject: =?UTF-8?Q?tab_here?=" },
		{ "\U0001f600\U0001f600\U0001f600\U0001f600\U0001f600\U0001f600",
		  "Subject: "
		  "=?UTF-8?Q?=F0=9F=98=80=F0=9F=98=80=F0=9F=98=80=F0=9F=98=80?="
		  "\r\n =?UTF-8?Q?=F0=9F=98=80=F0=9F=98=80?=" },
		{ "", "Subject: " },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct mail_message message = plain();
		message.subject = rows[i].subject;
		if (!has_line(print(&message), rows[i].line))
			fail_msg("%s: %s", rows[i].line, print(&message));
	}
	/* RFC 2047 section 2 */
	struct mail_message long_one = plain();
	long_one.subject = long_one.from_name =
		"\u00fc 23456789 123456789 123456789 123456789 123456789 "
		"123456789 123456789 123456789 123456789 12345678";
	for (const char *line = print(&long_one); *line; line = strstr(line, "\r\n") + 2)
		assert_true(strcspn(line, "\r") <= 76);
	struct mail_message message = plain();
	message.from_name = "A \"B\" \\ C";
	assert_non_null(strstr(print(&message), "From: \"A \\\"B\\\" \\\\ C\" <status@"));
	message.from_name = "B\u00fcro\r\nX: y";
	assert_non_null(strstr(print(&message), "From: =?UTF-8?Q?B=C3=BCro__X=3A_y?=\r\n <"));
}

static void threads_have_references(void **state)
{
	(void)state;
	static const char *const headers[] = { "Precedence: list", NULL };
	struct mail_message message = plain();
	message.references = "daymark-incident-3@example.org";
	message.headers = headers;
	const char *text = print(&message);
	assert_true(has_line(text, "In-Reply-To: <daymark-incident-3@example.org>"));
	assert_true(has_line(text, "References: <daymark-incident-3@example.org>"));
	assert_true(has_line(text, "Precedence: list"));
}

/* Decodes quoted-printable, and checks the rules for its lines. */
static const char *decoded(const char *text)
{
	struct buf out CLEANUP(buf_done) = BUF_INIT(4 << 20);
	while (*text) {
		const char *end = strstr(text, "\r\n");
		assert_non_null(end);
		assert_true(end - text <= 76);
		assert_true(text[0] != '.');
		bool is_soft = end > text && end[-1] == '=';
		assert_true(end == text || end[-1] != ' ');
		for (; text < end - is_soft; text++) {
			assert_true((unsigned char)*text >= ' ' && (unsigned char)*text <= '~');
			if (*text != '=') {
				buf_putc(&out, *text);
				continue;
			}
			buf_putc(&out, (char)(hex_digit(text[1]) * 16 + hex_digit(text[2])));
			text += 2;
		}
		if (!is_soft)
			buf_putc(&out, '\n');
		text = end + 2;
	}
	return arena_strndup(&arena, out.data, out.len);
}

static void any_text_comes_back(void **state)
{
	(void)state;
	static const char *const pieces[] = { ".",   "a",	    "\n",	  " ",
					      "=",   "\u00fc",	    "\t",	  "..\n.",
					      " \n", "long words ", "\U0001f600", "\r\n",
					      "=\n", "0123456789" };
	srand(7);
	for (int round = 0; round < 300; round++) {
		struct buf text CLEANUP(buf_done) = BUF_INIT(1 << 20);
		for (int i = rand() % 120; i >= 0; i--)
			buf_puts(&text, pieces[(size_t)rand() % ARRAY_LEN(pieces)]);
		buf_putc(&text, '\0');
		struct mail_message message = plain();
		message.text = text.data;
		const char *printed = print(&message);
		const char *start =
			strstr(printed, "printable\r\n\r\n") + strlen("printable\r\n\r\n");
		const char *end = strstr(start, "--B\r\n");
		const char *back = decoded(arena_strndup(&arena, start, (size_t)(end - start)));
		/* Ends of lines become LF here, and the last line has its end. */
		struct buf wanted CLEANUP(buf_done) = BUF_INIT(1 << 20);
		for (const char *c = text.data; *c; c++)
			if (c[0] != '\r' || c[1] != '\n')
				buf_putc(&wanted, *c);
		buf_puts(&wanted, "\n");
		buf_putc(&wanted, '\0');
		assert_string_equal(back, wanted.data);
	}
}

static int begin(void **state)
{
	secret_init();
	return arena_start(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_has_both_parts),
		cmocka_unit_test(dates_are_right),
		cmocka_unit_test(headers_are_encoded),
		cmocka_unit_test(threads_have_references),
		cmocka_unit_test(any_text_comes_back),
	};
	return cmocka_run_group_tests(tests, begin, arena_end);
}
