#include "view/html.h"

#include <string.h>
#include <strings.h>
#include <time.h>

static void escape(struct buf *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			buf_puts(out, "&amp;");
			break;
		case '<':
			buf_puts(out, "&lt;");
			break;
		case '>':
			buf_puts(out, "&gt;");
			break;
		case '"':
			buf_puts(out, "&quot;");
			break;
		default:
			/* Control characters have no place in either (XML 1.0 2.2). */
			buf_putc(out, (unsigned char)*text < ' ' && !strchr("\t\n", *text) ? ' '
											   : *text);
		}
	}
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
	bool is_safe = strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0 ||
		       strncasecmp(url, "mailto:", 7) == 0;
	escape(out, is_safe ? url : "#");
}

static void format(struct buf *out, struct instant at, bool with_time)
{
	char text[64];
	time_t s = (time_t)at.s;
	struct tm parts;
	gmtime_r(&s, &parts);
	strftime(text, sizeof(text), with_time ? "%-d %b %Y, %H:%M UTC" : "%-d %b %Y", &parts);
	buf_puts(out, text);
}

void html_time(struct buf *out, struct instant at)
{
	char text[INSTANT_TEXT_SIZE];
	buf_printf(out, "<time datetime=\"%s\">", instant_format(at, text));
	format(out, at, true);
	buf_puts(out, "</time>");
}

void html_date(struct buf *out, struct instant at)
{
	format(out, at, false);
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
