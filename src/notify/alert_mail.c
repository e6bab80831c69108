#include "notify/alert_mail.h"

#include <string.h>

#include "view/html.h"
#include "wire/mail_message.h"

enum { HTML_MAX_BYTES = 1 << 20 };

/* Mid tones, which stay readable when a client inverts the colours of a dark screen. */
static const char *colour_of(const struct alert *alert)
{
	return alert->event == ALERT_DOWN ? "#c4453c"
	       : alert->event == ALERT_UP ? "#2c8a4b"
					  : "#3b6fc4";
}

static void add_paragraphs(struct buf *out, const char *text)
{
	struct str rest = str_from(text), line;
	while (rest.len > 0 && str_split(&rest, '\n', &line)) {
		struct buf part CLEANUP(buf_done) = BUF_INIT(HTML_MAX_BYTES);
		buf_add(&part, line.data, line.len);
		buf_putc(&part, '\0');
		buf_puts(out, "<p style=\"margin:0 0 8px\">");
		html_text(out, buf_ok(&part) ? part.data : "");
		buf_puts(out, "</p>");
	}
}

/* A table of inline styles, which also Gmail and Outlook show. */
static void add_html(struct buf *out, const struct alert *alert)
{
	const char *colour = colour_of(alert);
	buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
	html_text(out, alert->title);
	buf_printf(out,
		   "</title></head>\n<body style=\"margin:0\"><table role=\"presentation\" "
		   "width=\"100%%\" style=\"border-collapse:collapse\"><tr><td "
		   "bgcolor=\"%s\" height=\"6\" style=\"height:6px;font-size:1px\"> </td></tr>\n"
		   "<tr><td style=\"padding:20px;font-family:Arial,sans-serif;font-size:15px;"
		   "line-height:22px\">"
		   "<h1 style=\"margin:0 0 12px;font-size:20px;line-height:26px;color:%s\">",
		   colour, colour);
	html_text(out, alert->title);
	buf_puts(out, "</h1>\n");
	add_paragraphs(out, alert->text);
	if (alert->url) {
		buf_puts(out, "<p style=\"margin:12px 0 0\"><a href=\"");
		html_url(out, alert->url);
		buf_puts(out, "\">");
		html_text(out, alert->url);
		buf_puts(out, "</a></p>");
	}
	buf_puts(out, "</td></tr></table></body></html>\n");
}

void alert_mail_print(struct buf *out, const struct alert *alert, const char *from, const char *to,
		      struct arena *arena)
{
	const char *domain = strrchr(from, '@') + 1;
	struct buf html CLEANUP(buf_done) = BUF_INIT(HTML_MAX_BYTES);
	add_html(&html, alert);
	buf_putc(&html, '\0');
	const struct mail_message message = {
		.from_name = "Daymark",
		.from = from,
		.to = to,
		.subject = alert->title,
		.id = arena_printf(arena, "%s@%s", alert->id, domain),
		.references = arena_printf(arena, "%s@%s", alert->subject, domain),
		.at = alert->at,
		.text = arena_printf(arena, "%s\n\n%s\n%s%s%s", alert->title, alert->text,
				     alert->url ? "\n" : "", alert->url ? alert->url : "",
				     alert->url ? "\n" : ""),
		.html = buf_ok(&html) ? html.data : "",
	};
	mail_message_print(out, &message);
	out->is_failed |= !buf_ok(&html);
}
