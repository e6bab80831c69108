/* The body of the request to a custom channel, of the template that its operator wrote. */
#ifndef NOTIFY_CHANNEL_TEMPLATE_H
#define NOTIFY_CHANNEL_TEMPLATE_H

#include "base/buf.h"
#include "notify/alert.h"

enum { CHANNEL_BODY_MAX_BYTES = 4 << 20 };

/*
 * Appends the template, with the words of the alert in place of {{title}} and the other names. The
 * words are escaped for the inside of a JSON text. A name that is not known stays as it is. The
 * buffer fails if memory is short.
 */
void channel_template_fill(const char *template, const struct alert *alert, struct buf *out);

#endif
