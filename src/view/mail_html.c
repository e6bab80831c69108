#include "view/mail_html.h"

#include <string.h>

#include "view/html.h"

void mail_html_begin(struct buf *out, const struct mail_html *mail)
{
	buf_printf(out,
		   "<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\"><head><meta charset=\"utf-8\">"
		   "<title>",
		   mail->words->language, mail->words->direction);
	html_text(out, mail->title);
	buf_printf(out,
		   "</title></head>\n<body style=\"margin:0\"><table role=\"presentation\" "
		   "width=\"100%%\" style=\"border-collapse:collapse\"><tr><td bgcolor=\"%s\" "
		   "height=\"6\" style=\"height:6px;font-size:1px\"> </td></tr>\n"
		   "<tr><td style=\"padding:20px;font-family:Arial,sans-serif;font-size:15px;"
		   "line-height:22px\">"
		   "<h1 style=\"margin:0 0 12px;font-size:20px;line-height:26px;color:%s\">",
		   mail->colour, mail->colour);
	html_text(out, mail->title);
	buf_puts(out, "</h1>\n");
}

void mail_html_end(struct buf *out)
{
	buf_puts(out, "</td></tr></table></body></html>\n");
}

void mail_html_button(struct buf *out, const char *url, const char *words, const char *colour)
{
	buf_printf(out,
		   "<table role=\"presentation\" style=\"margin:16px 0\"><tr><td bgcolor=\"%s\" "
		   "style=\"padding:10px 18px;font-family:Arial,sans-serif\"><a href=\"",
		   colour);
	html_url(out, url);
	buf_puts(out, "\" style=\"color:#ffffff;text-decoration:none;font-weight:bold\">");
	html_text(out, words);
	buf_puts(out, "</a></td></tr></table>\n");
}

/* The state of a conversion from HTML to plain text. */
struct plain {
	struct buf *out;
	const char *url; /* the href of the <a> whose end was not read yet; NULL: none */
	size_t url_len;
	bool is_hidden; /* inside the head of the document */
	bool is_code;	/* inside a block whose line ends and blanks are kept */
};

static bool is_tag(struct str tag, const char *name)
{
	size_t len = strlen(name);
	return tag.len >= len && strncmp(tag.data, name, len) == 0 &&
	       (tag.len == len || tag.data[len] == ' ');
}

/* Appends line ends until the text ends with at least `lines` line ends. An empty text stays
 * empty. */
static void end_line(struct buf *out, size_t lines)
{
	size_t ended = 0;
	while (ended < out->len && out->data[out->len - 1 - ended] == '\n')
		ended++;
	for (; out->len > ended && ended < lines; ended++)
		buf_putc(out, '\n');
}

static void take_tag(struct plain *plain, struct str tag)
{
	static const char *const blocks[] = {
		"/p",  "/h1", "/h2", "/h3",  "/h4",    "/h5",
		"/h6", "/ul", "/ol", "/pre", "/table", "/blockquote"
	};
	struct buf *out = plain->out;
	if (is_tag(tag, "head") || is_tag(tag, "/head"))
		plain->is_hidden = tag.data[0] != '/';
	if (is_tag(tag, "br") || is_tag(tag, "/li") || is_tag(tag, "/tr"))
		end_line(out, 1);
	if (is_tag(tag, "li"))
		buf_puts(out, "- ");
	if (is_tag(tag, "hr")) {
		end_line(out, 1);
		buf_puts(out, "--\n");
	}
	if (is_tag(tag, "pre") || is_tag(tag, "/pre"))
		plain->is_code = tag.data[0] != '/';
	if (is_tag(tag, "a")) {
		static const char href[] = "href=\"";
		const char *url = memmem(tag.data, tag.len, href, sizeof(href) - 1);
		plain->url = url ? url + sizeof(href) - 1 : NULL;
		plain->url_len = url ? strcspn(plain->url, "\"") : 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
		if (is_tag(tag, blocks[i]))
			end_line(out, 2);
}

/* Appends HTML between two tags as text. `references` has all references that the HTML may have. */
static void put_words(struct plain *plain, struct str html)
{
	struct buf *out = plain->out;
	static const struct {
		struct str reference;
		char c;
	} references[] = {
		{ STR("&amp;"), '&' },	{ STR("&lt;"), '<' },	{ STR("&gt;"), '>' },
		{ STR("&quot;"), '"' }, { STR("&#39;"), '\'' },
	};
	while (html.len > 0) {
		size_t len = 1;
		char c = html.data[0];
		for (size_t i = 0; i < ARRAY_LEN(references); i++)
			if (str_starts(html, references[i].reference)) {
				len = references[i].reference.len;
				c = references[i].c;
			}
		bool is_at_start = out->len == 0 || out->data[out->len - 1] == '\n';
		if (c == '\n' && !is_at_start && !plain->is_code)
			c = ' ';
		if (plain->is_code || !is_at_start || (c != ' ' && c != '\n'))
			buf_putc(out, c);
		html = str_skip(html, len);
	}
}

void mail_html_plain(struct buf *out, struct str html)
{
	struct plain plain = { .out = out };
	while (html.len > 0) {
		size_t len = 0;
		while (len < html.len && html.data[len] != '<')
			len++;
		if (!plain.is_hidden)
			put_words(&plain, (struct str){ html.data, len });
		html = str_skip(html, len);
		const char *end = html.len > 0 ? memchr(html.data, '>', html.len) : NULL;
		if (!end)
			return;
		struct str tag = { html.data + 1, (size_t)(end - html.data) - 1 };
		take_tag(&plain, tag);
		if (is_tag(tag, "/a") && plain.url) {
			buf_puts(out, ": ");
			put_words(&plain, (struct str){ plain.url, plain.url_len });
			plain.url = NULL;
		}
		html = str_skip(html, tag.len + 2);
	}
}
