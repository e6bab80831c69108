#include "notify/alert_mail.h"

#include <string.h>

#include "view/html.h"
#include "view/mail_html.h"
#include "wire/mail_message.h"

enum { HTML_MAX_BYTES = 1 << 20 };

static const char *colour_of(const struct alert *alert)
{
	return alert->event == ALERT_DOWN ? MAIL_RED
	       : alert->event == ALERT_UP ? MAIL_GREEN
					  : MAIL_BLUE;
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

static void add_html(struct buf *out, const struct alert *alert)
{
	const struct mail_html mail = { words_of_service(), alert->title, colour_of(alert) };
	mail_html_begin(out, &mail);
	add_paragraphs(out, alert->text);
	if (alert->url) {
		buf_puts(out, "<p style=\"margin:12px 0 0\"><a href=\"");
		html_url(out, alert->url);
		buf_puts(out, "\">");
		html_text(out, alert->url);
		buf_puts(out, "</a></p>");
	}
	mail_html_end(out);
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
