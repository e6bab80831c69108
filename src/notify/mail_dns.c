#include "notify/mail_dns.h"

#include <ifaddrs.h>
#include <string.h>

#include "base/clock.h"
#include "probe/address.h"
#include "probe/dns_text.h"
#include "wire/dns.h"

struct taking {
	struct mail_dns_records *records;
	struct arena *arena;
};

static bool take_record(void *context, const char *text)
{
	struct taking *taking = context;
	struct mail_dns_records *records = taking->records;
	records->rows[records->count++] = arena_strdup(taking->arena, text);
	return records->count < MAIL_DNS_RECORDS_MAX;
}

enum result mail_dns_ask(const struct mail_dns *dns, const char *name, enum check_dns type,
			 struct mail_dns_records *records, struct error *error)
{
	struct str answer = { 0 };
	struct taking taking = { records, dns->arena };
	records->count = 0;
	if (clock_ms() >= dns->end_ms)
		return error_client(error, E_UNAVAILABLE, "DNS took too long");
	enum result result =
		dns_ask(dns->servers, name, dns_type_number(type), dns->arena, &answer, error);
	if (result != OK)
		return result;
	dns_text_each((const unsigned char *)answer.data, answer.len, type, take_record, &taking);
	return records->count > 0 ? OK : E_NOT_FOUND;
}

void mail_dns_own_addresses(struct arena *arena, struct mail_dns_records *addresses)
{
	struct ifaddrs *all = NULL;
	addresses->count = 0;
	if (getifaddrs(&all) != 0)
		return;
	for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
		char text[ADDRESS_TEXT_SIZE];
		int family = one->ifa_addr ? one->ifa_addr->sa_family : AF_UNSPEC;
		if ((family == AF_INET || family == AF_INET6) && address_is_public(one->ifa_addr) &&
		    addresses->count < MAIL_DNS_ADDRESSES_MAX)
			addresses->rows[addresses->count++] =
				arena_strdup(arena, address_text(one->ifa_addr, text));
	}
	freeifaddrs(all);
}

enum result mail_dns_reverse(const struct mail_dns *dns, const char *address, const char **name,
			     bool *is_confirmed, struct error *error)
{
	enum check_dns type = strchr(address, ':') ? CHECK_AAAA : CHECK_A;
	char reverse[DNS_NAME_SIZE];
	struct mail_dns_records names, addresses;
	*name = NULL;
	*is_confirmed = false;
	enum result result = dns_text_reverse(address, reverse)
				     ? mail_dns_ask(dns, reverse, CHECK_PTR, &names, error)
				     : E_NOT_FOUND;
	if (result != OK)
		return result == E_NOT_FOUND ? OK : result;
	for (size_t i = 0; i < names.count && !*is_confirmed; i++) {
		*name = names.rows[i];
		result = mail_dns_ask(dns, *name, type, &addresses, error);
		for (size_t j = 0; result == OK && j < addresses.count; j++)
			*is_confirmed |= dns_text_is(type, addresses.rows[j], address);
		if (result == E_UNAVAILABLE)
			return result;
	}
	return OK;
}
