/*
 * Sends messages to the subscribers of pages. The sender (notify/sender.h), which sends alerts,
 * works independently, so that messages and alerts do not delay each other. The planning thread
 * finds subscribers and makes messages; it has a separate database connection. Other threads, the
 * lanes, send the messages. Mail and webhooks have separate lanes. Each lane sends its messages one
 * after the other. An account has at most three quarters of the lanes of a kind.
 */
#ifndef NOTIFY_MAILING_H
#define NOTIFY_MAILING_H

#include "notify/sender.h"

struct mailing;

/* Opens the mailing, with the arguments and the results of sender_open(). Counts the messages in
 * *count. */
enum result mailing_open(struct mailing **mailing, struct loop *loop, const struct config *config,
			 struct sender_count *count, struct error *error) MUST_USE;
/* Begins to stop the mailing: no lane begins another message. */
void mailing_leave(struct mailing *mailing);
/* Whether the planning thread is idle, no lane sends a message, and all outcomes are stored. */
bool mailing_is_idle(const struct mailing *mailing);
/* Whether the mailing is idle, and the planning thread's last search found no work. */
bool mailing_is_done(const struct mailing *mailing);
/* Ends the mailing. Returns false if requests are under way: the process must then call _exit().
 * Accepts NULL. */
bool mailing_close(struct mailing *mailing) MUST_USE;

#endif
