/*
 * The sender: makes deliveries of the events in the outbox, and sends them. Several messages are
 * sent at the same time, each in a lane, which is a thread. An account has at most a quarter of the
 * lanes, so that receivers that hang do not delay other accounts. A channel has at most one lane.
 *
 * Several senders may run, on several machines: each leases the deliveries that it sends.
 */
#ifndef NOTIFY_SENDER_H
#define NOTIFY_SENDER_H

#include "base/config/config.h"
#include "base/loop.h"

struct sender;

/* Opens the sender. It works in the loop, which the caller runs. E_FAILED: libcurl is missing, the
 * password of the mail server cannot be read, or there are no descriptors or threads. */
enum result sender_open(struct sender **sender, struct loop *loop, const struct config *config,
			struct error *error) MUST_USE;
/*
 * Waits for the requests under way, at most `ms` milliseconds, and ends the sender. Returns false
 * if a request has not ended in this time: the process must then call _exit(), and its messages may
 * be sent again.
 */
bool sender_close(struct sender *sender, int64_t ms) MUST_USE;

/* For a command that sends all due messages and ends. sender_stop_when_idle() makes the loop stop
 * when no message is due. */
struct sender_count {
	int64_t sent, failed, waiting; /* waiting: to be tried again */
};
void sender_stop_when_idle(struct sender *sender);
struct sender_count sender_counted(const struct sender *sender);
/* Returns the result of the last turn, and copies its error to *error. It is not OK if the turn
 * could not use the database. */
enum result sender_last(const struct sender *sender, struct error *error) MUST_USE;

#endif
