/* An alert as a message of e-mail. */
#ifndef NOTIFY_ALERT_MAIL_H
#define NOTIFY_ALERT_MAIL_H

#include "base/buf.h"
#include "notify/alert.h"

/* Messages about the same object form a thread. Check buf_ok() afterwards. */
void alert_mail_print(struct buf *out, const struct alert *alert, const char *from, const char *to,
		      struct arena *arena);

#endif
