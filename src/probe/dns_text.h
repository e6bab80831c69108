/* Records of a DNS message (RFC 1035 section 4), as the text that they have in zone files. */
#ifndef PROBE_DNS_TEXT_H
#define PROBE_DNS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "domain/monitor/check_settings.h"

enum { DNS_RECORD_SIZE = 4096, DNS_RECORDS_MAX = 256, DNS_NAME_SIZE = 1025 };

/* Returns the number that a record type has in DNS messages. */
int dns_type_number(enum check_dns type);

/*
 * Calls `take` for each record of the type in the answer, until `take` returns false. Skips broken
 * records, and records beyond DNS_RECORDS_MAX. Names are in lower case and without a final dot,
 * except ".". The strings of a TXT record are joined without quotes. A value longer than
 * DNS_RECORD_SIZE is cut.
 */
void dns_text_each(const unsigned char *message, size_t len, enum check_dns type,
		   bool (*take)(void *context, const char *text), void *context);

/*
 * Whether the record equals the expected record. Ignores case, final dots of names, quotes, and the
 * number of blanks. IPv6 addresses are compared by value. TXT is compared exactly, except for
 * quotes around `expected`.
 */
bool dns_text_is(enum check_dns type, const char *text, const char *expected);

/* Writes the name of an address below in-addr.arpa or ip6.arpa. Returns false if the text is not an
 * address. */
bool dns_text_reverse(const char *address, char name[DNS_NAME_SIZE]);

#endif
