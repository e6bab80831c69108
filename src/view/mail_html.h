/* The parts of a message of e-mail that all messages share. Only styles are used that Gmail and
 * Outlook show as well: tables, and inline styles in mid tones, which stay readable when a client
 * inverts the colours of a dark screen. */
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
	const char *title;  /* text */
	const char *colour; /* of the bar above the content, and of the heading */
};
/* Appends the document up to its content, which begins with the title as a heading. */
void mail_html_begin(struct buf *out, const struct mail_html *mail);
void mail_html_end(struct buf *out);
/* Appends a paragraph with a link that looks like a button. The URL and the words are text. */
void mail_html_button(struct buf *out, const char *url, const char *words, const char *colour);

/*
 * Appends the words of HTML that this program has made, as plain text: a line for each block, and
 * the address of a link behind its words.
 */
void mail_html_plain(struct buf *out, struct str html);

#endif
