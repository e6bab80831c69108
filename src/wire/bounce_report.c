#include "wire/bounce_report.h"

#include <string.h>

#include "base/buf.h"
#include "base/printable.h"
#include "wire/mime_part.h"

/* DEPTH_MAX is the greatest depth of nested multiparts. Real reports have at most three levels. */
enum { DEPTH_MAX = 8, STATUS_DIGITS_MAX = 3 };

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Returns the text as one line of at most `most` bytes, with one space for each run of blanks. */
static const char *one_line(struct str text, size_t most, struct arena *arena)
{
	struct buf line CLEANUP(buf_done) = BUF_INIT(most + 1);
	for (size_t taken = 0; text.len > 0; text = str_skip(text, taken)) {
		char piece[PRINTABLE_SIZE];
		size_t blanks = 0;
		while (blanks < text.len && is_blank(text.data[blanks]))
			blanks++;
		text = str_skip(text, blanks);
		if (text.len == 0)
			break;
		taken = printable_first(text, piece);
		bool has_space = blanks > 0 && line.len > 0;
		if (line.len + has_space + strlen(piece) > most)
			break;
		buf_printf(&line, "%s%s", has_space ? " " : "", piece);
	}
	return arena_strndup(arena, line.data ? line.data : "", line.len);
}

/* Returns the part after the type: "a@example.org" of "rfc822; a@example.org". */
static struct str typed_value(struct str field)
{
	struct str rest = field, type;
	return str_split(&rest, ';', &type) && rest.data ? rest : field;
}

/* Returns the length of the status code (RFC 3463) at the start of the text, such as "5.1.1"; 0:
 * none. */
static size_t status_len(const char *text)
{
	if (!strchr("245", text[0]) || !text[0])
		return 0;
	size_t len = 1;
	for (int i = 0; i < 2; i++) {
		size_t digits = text[len] == '.' ? strspn(text + len + 1, "0123456789") : 0;
		if (digits == 0 || digits > STATUS_DIGITS_MAX)
			return 0;
		len += 1 + digits;
	}
	return len;
}

/*
 * Copies a more exact status code from the text, if the field Status is missing or ends in ".0.0".
 * Servers such as Exim write 5.0.0 into Status. The code of the receiving server is then only in
 * the text, after an SMTP code: "550 5.1.1 Unknown user" or "550-5.1.1 Unknown user".
 */
static void refine_status(struct bounce_recipient *recipient, struct arena *arena)
{
	enum { CODE_LEN = 4 };
	const char *text = recipient->text, *status = recipient->status;
	if (strlen(text) <= CODE_LEN || strspn(text, "0123456789") != CODE_LEN - 1 ||
	    text[CODE_LEN] != (status[0] ? status[0] : text[0]))
		return;
	size_t len = status_len(text + CODE_LEN);
	if (len > 0 && (!status[0] || strcmp(status + 1, ".0.0") == 0))
		recipient->status = arena_strndup(arena, text + CODE_LEN, len);
}

/* Returns the first word of a value, such as "failed", in small letters. */
static const char *read_word(struct str value, struct arena *arena)
{
	enum { WORD_MAX_BYTES = 16 };
	const char *line = one_line(value, WORD_MAX_BYTES, arena);
	char *word = arena_strndup(arena, line, strcspn(line, " (;"));
	str_to_lower(word);
	return word;
}

static void read_field(struct mime_field field, struct arena *arena, struct bounce_recipient *into)
{
	if (str_eq_nocase(field.name, STR("Action"))) {
		into->action = read_word(field.value, arena);
	} else if (str_eq_nocase(field.name, STR("Status"))) {
		const char *status = read_word(field.value, arena);
		into->status = arena_strndup(arena, status, status_len(status));
	} else if (str_eq_nocase(field.name, STR("Final-Recipient"))) {
		const char *address =
			one_line(typed_value(field.value), BOUNCE_ADDRESS_MAX_BYTES, arena);
		address += address[0] == '<';
		into->address = arena_strndup(arena, address, strcspn(address, ">"));
	} else if (str_eq_nocase(field.name, STR("Diagnostic-Code"))) {
		into->text = one_line(typed_value(field.value), BOUNCE_TEXT_MAX_BYTES, arena);
	}
}

/* Reads a delivery status, which consists of groups of fields. The first group is about the
 * message. Each other group is about one recipient. */
static void read_status(struct str text, struct arena *arena, struct bounce_report *report)
{
	while (text.len > 0 && report->recipient_count < BOUNCE_RECIPIENTS_MAX) {
		struct bounce_recipient recipient = { "", "", "", "" };
		struct mime_field field;
		while (mime_next_field(&text, &field))
			read_field(field, arena, &recipient);
		refine_status(&recipient, arena);
		if (recipient.action[0] || recipient.address[0])
			report->recipients[report->recipient_count++] = recipient;
	}
}

/*
 * Reads a part. If it is a multipart, also reads the parts in it, but not those of the returned
 * message, which may be a report itself. Ignores the parameter report-type: it only repeats the
 * type of the part, and some servers omit it.
 */
static void read_part(struct str text, int depth, bool is_report, struct arena *arena,
		      struct bounce_report *report)
{
	struct mime_part part;
	struct str child;
	mime_part_read(text, arena, &part);
	is_report |= strcmp(part.type, "multipart/report") == 0;
	if (is_report && (strcmp(part.type, "message/delivery-status") == 0 ||
			  strcmp(part.type, "message/global-delivery-status") == 0))
		read_status(mime_part_decode(&part, arena), arena, report);
	if (depth == DEPTH_MAX || !str_starts(str_from(part.type), STR("multipart/")))
		return;
	bool has_next = mime_part_split(&part.body, part.boundary, &child);
	while (has_next) {
		has_next = mime_part_split(&part.body, part.boundary, &child);
		read_part(child, depth + 1, is_report, arena, report);
	}
}

static bool is_address_char(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f && !strchr("<>()[]\",:;\\", c);
}

/* Stores each word with an "@" in it as an address. Also stores such words from names and comments:
 * that does no harm, because callers search for a signed address. */
static void read_addresses(struct str text, struct arena *arena, struct bounce_report *report)
{
	while (text.len > 0 && report->address_count < BOUNCE_ADDRESSES_MAX) {
		size_t len = 0;
		while (len < text.len && is_address_char(text.data[len]))
			len++;
		const char *at = memchr(text.data, '@', len);
		if (at > text.data && at < text.data + len - 1 && len <= BOUNCE_ADDRESS_MAX_BYTES)
			report->addresses[report->address_count++] =
				printable_text(arena, arena_strndup(arena, text.data, len));
		text = str_skip(text, len > 0 ? len : 1);
	}
}

void bounce_report_read(struct str message, struct arena *arena, struct bounce_report *report)
{
	static const char *const names[] = { "To", "Delivered-To", "X-Original-To", "Envelope-To" };
	struct mime_field field;
	*report = (struct bounce_report){ 0 };
	message.len = message.len < BOUNCE_MAX_BYTES ? message.len : BOUNCE_MAX_BYTES;
	read_part(message, 0, false, arena, report);
	while (mime_next_field(&message, &field))
		for (size_t i = 0; i < ARRAY_LEN(names); i++)
			if (str_eq_nocase(field.name, str_from(names[i])))
				read_addresses(field.value, arena, report);
}

bool bounce_is_hard(const char *status, const char *action)
{
	return strcmp(action, "failed") == 0 && status[0] == '5' && status_len(status) > 0 &&
	       strcmp(status, "5.2.2") != 0 && strncmp(status, "5.7.", 4) != 0;
}
