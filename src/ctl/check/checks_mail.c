/*
 * Checks of the DNS records of the domain from which e-mail is sent. Other mail servers look for
 * these records before they accept a message. The checks only warn: the service runs without
 * records.
 */
#include <string.h>

#include "base/clock.h"
#include "ctl/check/checks.h"
#include "domain/mail_address.h"
#include "notify/mail_dns.h"

struct sender {
	struct ctl *ctl;
	struct mail_dns dns;
	const char *domain; /* the domain of [mail] from */
};

static struct check unanswered(const struct sender *sender)
{
	return (struct check){ OK,
			       arena_printf(&sender->ctl->arena, "no answer of DNS: %s",
					    error_text(&sender->ctl->error)),
			       .is_skipped = true };
}

/* Checks that the sender's domain receives mail. The single MX record "0 ." means that the domain
 * receives none (RFC 7505). */
static struct check check_domain(const struct sender *sender)
{
	struct mail_dns_records records;
	enum result mx =
		mail_dns_ask(&sender->dns, sender->domain, CHECK_MX, &records, &sender->ctl->error);
	if (mx == OK && records.count == 1 && strcmp(records.rows[0], "0 .") == 0)
		return check_warning(sender->ctl,
				     "let [mail] from name a domain that receives mail",
				     "%s says by MX that it takes no mail: receivers refuse such "
				     "senders",
				     sender->domain);
	if (mx == OK)
		return (struct check){ OK, arena_printf(&sender->ctl->arena, "%s has the MX %s",
							sender->domain, records.rows[0]) };
	enum result address = mx;
	for (enum check_dns type = CHECK_A; address == E_NOT_FOUND && type <= CHECK_AAAA; type++)
		address = mail_dns_ask(&sender->dns, sender->domain, type, &records,
				       &sender->ctl->error);
	if (address == E_UNAVAILABLE)
		return unanswered(sender);
	if (address == OK)
		return (struct check){ OK, arena_printf(&sender->ctl->arena,
							"%s has no MX, but the address %s",
							sender->domain, records.rows[0]) };
	return check_warning(sender->ctl,
			     "let [mail] from name a domain that receives mail, or add its MX",
			     "%s has neither an MX nor an address: receivers refuse such senders",
			     sender->domain);
}

/* Returns whether `record` begins with `version` as a whole word. */
static bool has_version(const char *record, const char *version)
{
	size_t len = strlen(version);
	return strncasecmp(record, version, len) == 0 && strchr(" \t;", record[len]);
}

/* Looks up the TXT records of `name` that begin with `version`. E_NOT_FOUND: none. */
static enum result ask_versions(const struct sender *sender, const char *name, const char *version,
				struct mail_dns_records *records, struct error *error)
{
	size_t kept = 0;
	enum result result = mail_dns_ask(&sender->dns, name, CHECK_TXT, records, error);
	for (size_t i = 0; i < records->count; i++)
		if (has_version(records->rows[i], version))
			records->rows[kept++] = records->rows[i];
	records->count = kept;
	return result == OK && kept == 0 ? E_NOT_FOUND : result;
}

/* Checks the SPF record of the sender's domain (RFC 7208 section 4.5). */
static struct check check_spf(const struct sender *sender)
{
	struct ctl *ctl = sender->ctl;
	struct mail_dns_records records;
	enum result result = ask_versions(sender, sender->domain, "v=spf1", &records, &ctl->error);
	if (result == E_UNAVAILABLE)
		return unanswered(sender);
	if (result != OK)
		return check_warning(
			ctl,
			arena_printf(
				&ctl->arena,
				"add the record: %s. TXT \"v=spf1 mx a:NAME-OF-THE-MAIL-SERVER "
				"~all\"",
				sender->domain),
			"%s has no TXT record v=spf1", sender->domain);
	if (records.count > 1)
		return check_warning(ctl, "join them to one record",
				     "%s has %zu TXT records v=spf1: receivers use neither",
				     sender->domain, records.count);
	return (struct check){ OK, arena_printf(&ctl->arena, "%s has \"%s\"", sender->domain,
						records.rows[0]) };
}

/* Returns the value of a tag of a record such as "v=DMARC1; p=none; sp=reject" (RFC 7489 section
 * 6.3); NULL: the record lacks the tag. */
static const char *dmarc_tag(const char *record, const char *tag, struct arena *arena)
{
	struct str rest = str_from(record), item, name;
	while (str_split(&rest, ';', &item)) {
		struct str value = item;
		if (str_split(&value, '=', &name) &&
		    str_eq_nocase(str_trim_ows(name), str_from(tag)))
			return arena_strndup(arena, str_trim_ows(value).data,
					     str_trim_ows(value).len);
	}
	return NULL;
}

/* Finds the DMARC record of the sender's domain. If it has none, uses the nearest parent domain
 * that has a record. *domain: the domain of the record. */
static enum result find_dmarc(const struct sender *sender, const char **domain,
			      struct mail_dns_records *records, struct error *error)
{
	enum result result = E_NOT_FOUND;
	for (const char *dot = sender->domain - 1; result == E_NOT_FOUND && strchr(dot + 1, '.');
	     dot = strchr(dot + 1, '.')) {
		*domain = dot + 1;
		result = ask_versions(sender,
				      arena_printf(&sender->ctl->arena, "_dmarc.%s", *domain),
				      "v=DMARC1", records, error);
	}
	return result;
}

/* Returns the policy that the record of `domain` has for the sender's domain, which is `domain` or
 * a domain below it. NULL: the record has no policy. */
static const char *dmarc_policy(const struct sender *sender, const char *domain, const char *record)
{
	struct arena *arena = &sender->ctl->arena;
	const char *policy = domain != sender->domain ? dmarc_tag(record, "sp", arena) : NULL;
	return policy ? policy : dmarc_tag(record, "p", arena);
}

static struct check check_dmarc(const struct sender *sender)
{
	struct ctl *ctl = sender->ctl;
	struct mail_dns_records records;
	const char *domain = sender->domain;
	enum result result = find_dmarc(sender, &domain, &records, &ctl->error);
	domain = result == OK ? domain : sender->domain;
	const char *fix = arena_printf(
		&ctl->arena, "have one record: _dmarc.%s. TXT \"v=DMARC1; p=none\"", domain);
	if (result == E_UNAVAILABLE)
		return unanswered(sender);
	if (result != OK)
		return check_warning(ctl, fix, "%s has no TXT record v=DMARC1 at _dmarc",
				     sender->domain);
	if (records.count > 1)
		return check_warning(ctl, fix, "_dmarc.%s has several: receivers use none", domain);
	const char *policy = dmarc_policy(sender, domain, records.rows[0]);
	if (!policy)
		return check_warning(ctl, fix, "_dmarc.%s has no p=: receivers ignore it", domain);
	return (struct check){ OK,
			       arena_printf(&ctl->arena, "_dmarc.%s has p=%s", domain, policy) };
}

/* Reports that DKIM is not checked: the mail server chooses the names of its DKIM records, so they
 * cannot be looked up. */
static struct check check_dkim(const struct sender *sender)
{
	struct arena *arena = &sender->ctl->arena;
	return (struct check){
		OK,
		arena_printf(arena, "cannot be seen from here: the mail server must sign with d=%s",
			     sender->domain),
		.is_skipped = true,
		.fix = arena_printf(arena,
				    "daymarkctl alert-channel test ID; the source of the received "
				    "message has `dkim=pass` with `header.d=%s` in "
				    "Authentication-Results",
				    sender->domain)
	};
}

static struct check check_reverse(const struct sender *sender, const char *address)
{
	struct ctl *ctl = sender->ctl;
	const char *name;
	bool is_confirmed;
	if (mail_dns_reverse(&sender->dns, address, &name, &is_confirmed, &ctl->error) != OK)
		return unanswered(sender);
	if (is_confirmed)
		return (struct check){ OK, arena_printf(&ctl->arena, "%s is %s", address, name) };
	const char *fix = "let the provider of the address set its PTR record to a name that has "
			  "the address";
	if (!name)
		return check_warning(ctl, fix, "%s has no PTR record", address);
	return check_warning(ctl, fix, "%s has the name %s, which does not have the address",
			     address, name);
}

/* Checks this machine's addresses, from which the local mail server sends. */
static void check_own_addresses(const struct sender *sender, struct checks *checks)
{
	struct mail_dns_records addresses;
	mail_dns_own_addresses(&sender->ctl->arena, &addresses);
	for (size_t i = 0; i < addresses.count; i++)
		checks_add(checks, "reverse DNS", check_reverse(sender, addresses.rows[i]));
	if (addresses.count == 0)
		checks_add(checks, "reverse DNS",
			   (struct check){ OK, "this machine has no public address of its own",
					   .is_skipped = true });
}

static bool is_on_loopback(const char *server)
{
	const char *host = strstr(server, "://") + strlen("://");
	return strncmp(host, "127.", 4) == 0 || strncmp(host, "[::1]", 5) == 0 ||
	       str_eq_nocase((struct str){ host, strcspn(host, ":/") }, STR("localhost"));
}

void checks_of_mail(struct ctl *ctl, struct checks *checks)
{
	const struct config *config = &ctl->config;
	if (!config->has_outbox || !config->mail_server)
		return;
	const char *from = mail_address_ascii(&ctl->arena, config->mail_from);
	const struct sender sender = {
		.ctl = ctl,
		.dns = { config->resolver, clock_ms() + MAIL_DNS_LIMIT_MS, &ctl->arena },
		.domain = from ? strrchr(from, '@') + 1 : NULL,
	};
	if (!from || ctl_option(ctl, "offline")) {
		checks_add(checks, "sender domain",
			   from ? (struct check){ OK, "--offline", .is_skipped = true }
				: check_warning(ctl, "let [mail] from name a public domain",
						"no other mail server knows the domain of %s",
						config->mail_from));
		return;
	}
	checks_add(checks, "sender domain", check_domain(&sender));
	checks_add(checks, "SPF", check_spf(&sender));
	checks_add(checks, "DMARC", check_dmarc(&sender));
	checks_add(checks, "DKIM", check_dkim(&sender));
	if (is_on_loopback(config->mail_server))
		check_own_addresses(&sender, checks);
}
