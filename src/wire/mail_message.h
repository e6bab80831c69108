/*
 * Writes messages of e-mail (RFC 5322, MIME): a plain text and the same text as HTML. Lines end
 * with CRLF, have at most 76 characters and never begin with a dot, so that no server changes them.
 */
#ifndef WIRE_MAIL_MESSAGE_H
#define WIRE_MAIL_MESSAGE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/clock.h"

/* Texts are UTF-8. `from_name`, `subject`, `text` and `html` may have any characters: they are
 * encoded, so they cannot add a header. All other members must be printable ASCII. */
struct mail_message {
	const char *from_name;
	const char *from; /* addresses: see domain/mail_address.h */
	const char *to;
	const char *subject;
	const char *id;		/* "delivery-7@status.example.org" */
	const char *references; /* the id of the first message of the thread; NULL: none */
	struct instant at;
	/* more headers, "Name: value"; NULL ends the array. NULL: none */
	const char *const *headers;
	const char *text;
	const char *html;
};

/* Appends the message. Check buf_ok() afterwards. */
void mail_message_print(struct buf *out, const struct mail_message *message);

#endif
