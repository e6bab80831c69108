/*
 * Reads delivery reports (RFC 3464, 3462, 6533). With such a message, a mail server reports that a
 * mail could not be delivered.
 *
 * Anybody can forge a report, because mail does not prove its sender. So callers search `addresses`
 * for an address that the program has signed, and ignore reports without such an address.
 */
#ifndef WIRE_BOUNCE_REPORT_H
#define WIRE_BOUNCE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	/* At most this many bytes of a message are read. The rest belongs to the returned
	 * message. */
	BOUNCE_MAX_BYTES = 1 << 20,
	BOUNCE_RECIPIENTS_MAX = 16,
	BOUNCE_ADDRESSES_MAX = 16,
	BOUNCE_ADDRESS_MAX_BYTES = 254, /* RFC 5321 section 4.5.3.1.3 */
	BOUNCE_TEXT_MAX_BYTES = 200,
};

/* All texts are printable (base/printable.h), of one line, never NULL and owned by the arena. */
struct bounce_recipient {
	const char *action;  /* "failed", "delayed", "delivered", "relayed", "expanded" or "" */
	const char *status;  /* "5.1.1" (RFC 3463) or "" */
	const char *address; /* the final recipient, at most BOUNCE_ADDRESS_MAX_BYTES, or "" */
	const char *text;    /* the server's text; at most BOUNCE_TEXT_MAX_BYTES, or "" */
};

struct bounce_report {
	/* The recipients that the parts message/delivery-status name; none if the message is not a
	 * report. */
	struct bounce_recipient recipients[BOUNCE_RECIPIENTS_MAX];
	size_t recipient_count;
	/* The first addresses to which the report was sent, from the headers To, Delivered-To,
	 * X-Original-To and Envelope-To. Addresses with quotation marks are omitted. */
	const char *addresses[BOUNCE_ADDRESSES_MAX];
	size_t address_count;
};

/* Reads a message. The message need not be valid. */
void bounce_report_read(struct str message, struct arena *arena, struct bounce_report *report);

/* Returns whether the delivery has failed for good because the address does not exist. Returns
 * false for a full mailbox (5.2.2), and if the server rejects the sender (5.7.x). */
bool bounce_is_hard(const char *status, const char *action);

#endif
