/* Checks by DNS: the name must have a record of the type in the settings. If the settings have an
 * expected record, a record of the name must equal it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "probe/address.h"
#include "probe/dns_text.h"
#include "probe/excerpt.h"
#include "probe/probe_type.h"

enum { DNS_PORT = 53 };

struct dns_check {
	struct probe *probe;
	struct resolution question;
	struct resolver *
		resolver; /* asks the check's own DNS server; NULL: the prober's resolver is used */
	size_t count;
	struct excerpt first;
};

static bool take_record(void *context, const char *text)
{
	struct dns_check *check = context;
	const struct check_settings *settings = check->probe->settings;
	if (check->count++ == 0)
		excerpt_make(&check->first, str_from(text));
	if (settings->dns_expected &&
	    !dns_text_is((enum check_dns)settings->dns_type, text, settings->dns_expected))
		return true;
	probe_end(check->probe, true, NULL);
	return false;
}

/* Writes the records to the note, not to the cause: pages may show the cause to visitors. */
static void end_unexpected(struct probe *probe, const struct dns_check *check, const char *type)
{
	snprintf(probe->result.note, sizeof(probe->result.note),
		 "%zu %.9s records, the first \"%.200s\"", check->count, type, check->first.text);
	probe_end(probe, false, "no %s record is as expected", type);
}

static void take_message(void *context, const struct resolver_answer *answer)
{
	struct probe *probe = context;
	struct dns_check *check = probe->own;
	enum check_dns type = (enum check_dns)probe->settings->dns_type;
	probe->result.first_byte_us = probe_elapsed_us(probe);
	if (!answer->message) {
		probe_end_unresolved(probe, answer);
		return;
	}
	/* If take_record() has found the expected record, the check has ended, and probe_end()
	 * below has no effect. */
	dns_text_each(answer->message, answer->len, type, take_record, check);
	if (check->count == 0)
		probe_end(probe, false, "the name has no %s record", check_dns_words[type]);
	else
		end_unexpected(probe, check, check_dns_words[type]);
}

/* Opens a resolver for the DNS server of the settings. If the server cannot be used, ends the check
 * and returns false. */
static bool open_server(struct probe *probe, const char *server)
{
	struct dns_check *check = probe->own;
	struct check_target target;
	struct resolver_answer address = { .count = 1 };
	struct sockaddr_storage allowed[RESOLVER_ADDRESSES_MAX];
	struct error error = { 0 };
	char text[ADDRESS_TEXT_SIZE + sizeof("[]:65535")];
	if (!check_target_read(server, &target) || !address_parse(target.host, address.addresses)) {
		probe_end(probe, false, "the DNS server is not an address");
		return false;
	}
	if (probe_judge(probe, &address, allowed) == 0)
		return false;
	address_text((const struct sockaddr *)allowed, probe->result.address);
	snprintf(text, sizeof(text), strchr(probe->result.address, ':') ? "[%s]:%d" : "%s:%d",
		 probe->result.address, target.port > 0 ? (int)target.port : DNS_PORT);
	if (resolver_open(&check->resolver, probe->prober->loop, text, &error) == OK)
		return true;
	probe_end_void(probe, error_text(&error));
	return false;
}

static void dns_start(struct probe *probe)
{
	const struct check_settings *settings = probe->settings;
	struct dns_check *check = probe->own = memory_needed(calloc(1, sizeof(*check)));
	struct check_target target;
	char reverse[DNS_NAME_SIZE];
	check->probe = probe;
	check->question = (struct resolution){ .call = take_message, .context = probe };
	probe->awaits = "no answer of a DNS server";
	if (!check_target_read(settings->url, &target)) {
		probe_end(probe, false, "the name is not valid");
		return;
	}
	if (settings->dns_server && !open_server(probe, settings->dns_server))
		return;
	bool is_reverse = settings->dns_type == CHECK_PTR && dns_text_reverse(target.host, reverse);
	resolver_ask(check->resolver ? check->resolver : probe->prober->resolver, &check->question,
		     is_reverse ? reverse : target.host,
		     dns_type_number((enum check_dns)settings->dns_type));
}

static void dns_stop(struct probe *probe)
{
	struct dns_check *check = probe->own;
	resolver_cancel(&check->question);
	resolver_close(check->resolver);
	free(check);
}

const struct probe_type probe_dns = { dns_start, dns_stop, false };
