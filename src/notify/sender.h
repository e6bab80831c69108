/*
 * The sender: makes deliveries of the events in the outbox, and sends them. Several messages are
 * sent at the same time, each in a lane, which is a thread. An account has at most a quarter of the
 * lanes, so that receivers that hang delay no other account; and a channel has at most one lane.
 *
 * Several senders may run, on several machines: each leases what it sends.
 */
#ifndef NOTIFY_SENDER_H
#define NOTIFY_SENDER_H

#include "base/config/config.h"
#include "base/loop.h"

struct sender;

/* Works in the loop, whose caller runs it. E_FAILED: libcurl is missing, or there are no
 * descriptors or threads. */
enum result sender_open(struct sender **sender, struct loop *loop, const struct config *config,
			struct error *error) MUST_USE;
/*
 * Ends after the requests under way, or false: they take longer than `ms`, and the process must
 * call _exit(). What they send may be sent again.
 */
bool sender_close(struct sender *sender, int64_t ms) MUST_USE;

/* For the command that sends once: stops the loop when nothing is due. */
struct sender_count {
	int64_t sent, failed, waiting; /* waiting: to be tried again */
};
void sender_stop_when_idle(struct sender *sender);
struct sender_count sender_counted(const struct sender *sender);
/* OK, or why the last turn could not use the database; the text is in *error. */
enum result sender_last(const struct sender *sender, struct error *error) MUST_USE;

#endif
