/* The HTML that all mails share. Gmail and Outlook need tables and inline styles. The colours are
 * mid tones, which stay readable when a mail program inverts colours. */
#ifndef VIEW_MAIL_HTML_H
#define VIEW_MAIL_HTML_H

#include "base/buf.h"
#include "view/words/words.h"

#define MAIL_RED   "#c4453c"
#define MAIL_AMBER "#b0701a"
#define MAIL_GREEN "#2c8a4b"
#define MAIL_BLUE  "#3b6fc4"

struct mail_html {
	const struct words *words;
	const char *title;  /* text, not HTML */
	const char *colour; /* the colour of the bar above the content, and of the heading */
};
/* Appends the document up to its content, which begins with the title as a heading. */
void mail_html_begin(struct buf *out, const struct mail_html *mail);
void mail_html_end(struct buf *out);
/* Appends a paragraph with a link that looks like a button. Escapes `url` and `words`. */
void mail_html_button(struct buf *out, const char *url, const char *words, const char *colour);

/* Converts HTML from this program to plain text. A blank line follows each block. A link becomes
 * its words and its address. */
void mail_html_plain(struct buf *out, struct str html);

#endif
