/*
 * The sender: makes deliveries of the events in the outbox, and sends them. Several messages are
 * sent at the same time, each in a lane, which is a thread. An account has at most a quarter of the
 * lanes, so that receivers that hang delay no other account; and a channel has at most one lane.
 *
 * Several senders may run, on several machines: each leases the deliveries that it sends.
 */
#ifndef NOTIFY_SENDER_H
#define NOTIFY_SENDER_H

#include "base/config/config.h"
#include "base/loop.h"

struct sender;

/* The sender works in the loop, which the caller runs. E_FAILED: libcurl is missing, or there are
 * no descriptors or threads. */
enum result sender_open(struct sender **sender, struct loop *loop, const struct config *config,
			struct error *error) MUST_USE;
/*
 * Waits for the requests under way, and ends the sender. False: the requests take longer than `ms`;
 * the process must call _exit(), and their messages may be sent again.
 */
bool sender_close(struct sender *sender, int64_t ms) MUST_USE;

/* For the command that sends once: sender_stop_when_idle() stops the loop when nothing is due. */
struct sender_count {
	int64_t sent, failed, waiting; /* waiting: to be tried again */
};
void sender_stop_when_idle(struct sender *sender);
struct sender_count sender_counted(const struct sender *sender);
/* Returns OK, or the reason why the last turn could not use the database; its text is in *error. */
enum result sender_last(const struct sender *sender, struct error *error) MUST_USE;

#endif
