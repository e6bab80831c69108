/*
 * Asks DNS about the sender of e-mail and about this machine, for `daymarkctl doctor`. All queries
 * of a `struct mail_dns` have a common deadline. No query is sent after the deadline.
 */
#ifndef NOTIFY_MAIL_DNS_H
#define NOTIFY_MAIL_DNS_H

#include "base/arena.h"
#include "base/error.h"
#include "domain/monitor/check_settings.h"

enum { MAIL_DNS_LIMIT_MS = 10000, MAIL_DNS_RECORDS_MAX = 16, MAIL_DNS_ADDRESSES_MAX = 4 };

struct mail_dns {
	const char *servers; /* see dns_ask() */
	int64_t end_ms;	     /* the deadline, by clock_ms() */
	struct arena *arena;
};

/* DNS records in the text form of probe/dns_text.h, owned by the arena. */
struct mail_dns_records {
	const char *rows[MAIL_DNS_RECORDS_MAX]; /* further records are omitted */
	size_t count;
};

/* Asks for records. E_NOT_FOUND: there is no such record. E_UNAVAILABLE: there is no valid answer,
 * or the deadline has passed. */
enum result mail_dns_ask(const struct mail_dns *dns, const char *name, enum check_dns type,
			 struct mail_dns_records *records, struct error *error) MUST_USE;

/* Finds the public addresses of this machine's interfaces, at most MAIL_DNS_ADDRESSES_MAX. */
void mail_dns_own_addresses(struct arena *arena, struct mail_dns_records *addresses);

/*
 * Asks for the name of the address (PTR). Sets *name to NULL if there is none. Sets *is_confirmed
 * if DNS has this address for the name. Returns the results of mail_dns_ask() except E_NOT_FOUND.
 */
enum result mail_dns_reverse(const struct mail_dns *dns, const char *address, const char **name,
			     bool *is_confirmed, struct error *error) MUST_USE;

#endif
