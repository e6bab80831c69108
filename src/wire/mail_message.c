#include "wire/mail_message.h"

#include <stdio.h>
#include <string.h>

#include "base/secret.h"
#include "base/str.h"
#include "base/zone.h"

enum {
	LINE_MAX_CHARS = 76,
	/*
	 * The most characters of encoded text in an encoded word. "=?UTF-8?Q?" and "?=" are 12 more
	 * characters, and a line may have 76 (RFC 2047 section 2). The first word is shorter,
	 * because "Subject: " is in its line.
	 */
	WORD_MAX_CHARS = 60,
	FIRST_WORD_MAX_CHARS = 55,
};

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

/* Returns whether an encoded word has the byte as a hexadecimal code, such as "=3D". */
static bool is_code(unsigned char c)
{
	return !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		 c == ' ');
}

/*
 * Adds a piece of a text as an encoded word (RFC 2047), with hexadecimal codes for all but letters
 * and digits. A control character, such as a line end, becomes a space, because a mail program
 * would show the decoded character.
 */
static void add_word(struct buf *out, const char *text, size_t len)
{
	buf_puts(out, "=?UTF-8?Q?");
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c <= ' ' || c == 0x7f)
			buf_putc(out, '_');
		else if (is_code(c))
			buf_printf(out, "=%02X", c);
		else
			buf_putc(out, (char)c);
	}
	buf_puts(out, "?=");
}

/* Adds the text of a header. If the text is not plain, is longer than `most` or has "=?", adds it
 * as encoded words, each in its own line. */
static void add_text(struct buf *out, const char *text, size_t most)
{
	if (is_plain(text) && strlen(text) <= most && !strstr(text, "=?")) {
		buf_puts(out, text);
		return;
	}
	for (bool is_first = true; *text; is_first = false) {
		size_t len = 0, codes = 0, room = is_first ? FIRST_WORD_MAX_CHARS : WORD_MAX_CHARS;
		while (text[len] && codes < room) {
			size_t next = str_char_len(text + len), more = 0;
			for (size_t i = 0; i < next; i++)
				more += is_code((unsigned char)text[len + i]) ? 3 : 1;
			if (len > 0 && codes + more > room)
				break;
			codes += more;
			len += next;
		}
		buf_puts(out, is_first ? "" : "\r\n ");
		add_word(out, text, len);
		text += len;
	}
}

/* Adds a name before an address. Quotes a short plain name (RFC 5322 section 3.2.4). Adds any other
 * name as encoded words and ends the line, because a line with encoded words must be short. */
static void add_name(struct buf *out, const char *name)
{
	enum { NAME_MAX_CHARS = 60 };
	if (!is_plain(name) || strlen(name) > NAME_MAX_CHARS) {
		add_text(out, name, 0);
		buf_puts(out, "\r\n");
		return;
	}
	buf_putc(out, '"');
	for (; *name; name++)
		buf_printf(out, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
	buf_putc(out, '"');
}

/* Adds a text as quoted-printable (RFC 2045 section 6.7). */
static void add_quoted(struct buf *out, const char *text)
{
	size_t column = 0;
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool ends_line = text[1] == '\n' || text[1] == '\0' ||
				 (text[1] == '\r' && text[2] == '\n');
		if (c == '\r' && text[1] == '\n')
			continue;
		if (c == '\n') {
			buf_puts(out, "\r\n");
			column = 0;
			continue;
		}
		bool is_coded = c == '=' || c > '~' || c < ' ' || (c == ' ' && ends_line) ||
				(c == '.' && column == 0);
		if (column + (is_coded ? 3 : 1) >= LINE_MAX_CHARS) {
			buf_puts(out, "=\r\n");
			column = 0;
			is_coded |= c == '.';
		}
		if (is_coded)
			buf_printf(out, "=%02X", c);
		else
			buf_putc(out, (char)c);
		column += is_coded ? 3 : 1;
	}
	buf_puts(out, "\r\n");
}

static void add_part(struct buf *out, const char *boundary, const char *type, const char *text)
{
	buf_printf(out,
		   "--%s\r\nContent-Type: %s; charset=utf-8\r\n"
		   "Content-Transfer-Encoding: quoted-printable\r\n\r\n",
		   boundary, type);
	add_quoted(out, text);
}

/* Adds the header Date (RFC 5322 section 3.3). */
static void add_date(struct buf *out, struct instant at)
{
	static const char days[] = "ThuFriSatSunMonTueWed", months[] = "JanFebMarAprMayJunJul"
								       "AugSepOctNovDec";
	struct local_time local = zone_local(zone_utc(), at);
	int day = (int)((at.s / 86400 % 7 + 7) % 7);
	buf_printf(out, "Date: %.3s, %d %.3s %d %02d:%02d:%02d +0000\r\n", days + 3 * day,
		   local.day, months + 3 * (local.month - 1), local.year, local.hour, local.minute,
		   local.second);
}

void mail_message_print(struct buf *out, const struct mail_message *message)
{
	enum { SUBJECT_MAX_CHARS = 65 };
	char boundary[SECRET_ID_SIZE];
	secret_id(boundary);
	buf_puts(out, "From: ");
	add_name(out, message->from_name);
	buf_printf(out, " <%s>\r\nTo: <%s>\r\nSubject: ", message->from, message->to);
	add_text(out, message->subject, SUBJECT_MAX_CHARS);
	buf_puts(out, "\r\n");
	add_date(out, message->at);
	buf_printf(out, "Message-ID: <%s>\r\n", message->id);
	if (message->references)
		buf_printf(out, "In-Reply-To: <%s>\r\nReferences: <%s>\r\n", message->references,
			   message->references);
	for (size_t i = 0; message->headers && message->headers[i]; i++)
		buf_printf(out, "%s\r\n", message->headers[i]);
	buf_printf(out,
		   "Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n"
		   "Content-Type: multipart/alternative; boundary=\"%s\"\r\n\r\n",
		   boundary);
	add_part(out, boundary, "text/plain", message->text);
	add_part(out, boundary, "text/html", message->html);
	buf_printf(out, "--%s--\r\n", boundary);
}
