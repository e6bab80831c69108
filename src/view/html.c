#include "view/html.h"

#include <string.h>
#include <strings.h>
#include <time.h>

/*
 * What stands for the character at `text` and how many bytes it takes; NULL: the character
 * itself. XML 1.0 2.2 has no place for control characters, nor for U+FFFE and U+FFFF (as
 * UTF-8 EF BF BE and EF BF BF), whose other planes are allowed. The text ends in a NUL.
 */
static const char *reference_of(const char *text, size_t *len)
{
	*len = 1;
	switch (text[0]) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\xef':
		if (text[1] != '\xbf' || (text[2] != '\xbe' && text[2] != '\xbf'))
			return NULL;
		*len = 3;
		return "\xef\xbf\xbd"; /* U+FFFD */
	default:
		return (unsigned char)text[0] < ' ' && text[0] != '\t' && text[0] != '\n' ? " "
											  : NULL;
	}
}

static void escape(struct buf *out, const char *text)
{
	const char *from = text;
	while (*text) {
		size_t len;
		const char *reference = reference_of(text, &len);
		if (reference) {
			buf_add(out, from, (size_t)(text - from));
			buf_puts(out, reference);
			from = text + len;
		}
		text += len;
	}
	buf_add(out, from, (size_t)(text - from));
}

void html_text(struct buf *out, const char *text)
{
	escape(out, text);
}

void html_attr(struct buf *out, const char *text)
{
	escape(out, text);
}

void html_url(struct buf *out, const char *url)
{
	bool is_safe = strncasecmp(url, "http://", 7) == 0 ||
		       strncasecmp(url, "https://", 8) == 0 || strncasecmp(url, "mailto:", 7) == 0;
	escape(out, is_safe ? url : "#");
}

static struct tm parts_of(struct instant at)
{
	time_t s = (time_t)at.s;
	struct tm parts;
	gmtime_r(&s, &parts);
	parts.tm_year += 1900;
	return parts;
}

static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
				    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

void html_time(struct buf *out, struct instant at)
{
	struct tm t = parts_of(at);
	buf_printf(
		out,
		"<time datetime=\"%04d-%02d-%02dT%02d:%02d:%02dZ\">%d %s %d, %02d:%02d UTC</time>",
		t.tm_year, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, t.tm_mday,
		months[t.tm_mon], t.tm_year, t.tm_hour, t.tm_min);
}

void html_date(struct buf *out, struct instant at)
{
	struct tm t = parts_of(at);
	buf_printf(out, "%d %s %d", t.tm_mday, months[t.tm_mon], t.tm_year);
}

void html_duration(struct buf *out, int64_t seconds)
{
	long long days = seconds / 86400, hours = seconds / 3600 % 24, minutes = seconds / 60 % 60;
	if (days > 0)
		buf_printf(out, "%lld %s %lld h", days, days == 1 ? "day" : "days", hours);
	else if (hours > 0)
		buf_printf(out, "%lld h %lld min", hours, minutes);
	else if (minutes > 0)
		buf_printf(out, "%lld min", minutes);
	else
		buf_printf(out, "%lld s", (long long)seconds);
}
