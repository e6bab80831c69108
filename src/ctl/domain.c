/* daymarkctl domain list|check */
#include "base/clock.h"
#include "ctl/ctl.h"
#include "domain/domain_name.h"
#include "publish/domain_check.h"
#include "wire/json.h"

/* A row of the list: the domain that a page claims, and the DNS record that proves the claim. */
struct told {
	int64_t page_id;
	const char *domain;
	const char *slug;
	const char *account;
	const char *state;
	struct instant proven_at;
	struct instant checked_at;
	struct instant missing_since;
	const char *record;
	const char *value;
};
#define TOLD(member) FIELD(struct told, member)
static const struct field told_rows[] = {
	TOLD(page_id),	 TOLD(domain),	   TOLD(slug),		TOLD(account), TOLD(state),
	TOLD(proven_at), TOLD(checked_at), TOLD(missing_since), TOLD(record),  TOLD(value),
};

static const char *state_of(const struct ctl *ctl, const struct domain_claim *claim)
{
	if (!ctl->site.has_domains)
		return "off: no base_url";
	if (!site_shows(&ctl->site, claim->domain))
		return "off: own name";
	if (claim->proof.lost_at.s > 0)
		return "lost";
	if (claim->proof.missing_since.s > 0)
		return "missing";
	return claim->proof.proven_at.s > 0 ? "proven" : "not proven";
}

static void list_claim(struct ctl_listing *listing, const struct domain_claim *claim,
		       const uint8_t *key)
{
	struct ctl *ctl = listing->ctl;
	const struct domain_proof *proof = &claim->proof;
	const struct told told = {
		.page_id = claim->page_id,
		.domain = claim->domain,
		.slug = claim->slug,
		.account = claim->account,
		.state = state_of(ctl, claim),
		.proven_at = proof->proven_at,
		.checked_at = proof->checked_at,
		.missing_since = proof->missing_since,
		.record = domain_proof_name(claim->domain, &ctl->arena),
		.value = domain_proof_value(key, claim->account_id, claim->domain, &ctl->arena),
	};
	ctl_listing_row(listing, FIELDS(told_rows), &told);
}

static int domain_list_run(struct ctl *ctl)
{
	static const struct ctl_column columns[] = {
		{ "DOMAIN", "domain", NULL },
		{ "PAGE", "slug", NULL },
		{ "ACCOUNT", "account", NULL },
		{ "STATE", "state", NULL },
		{ "PROVEN", "proven_at", NULL },
		{ "CHECKED", "checked_at", NULL },
		{ "MISSING SINCE", "missing_since", NULL },
		{ 0 },
	};
	uint8_t key[SECRET_HASH_BYTES];
	struct ctl_listing listing;
	struct domain_claim_list list = { 0 };
	struct domain_claim_query query = { .choice = DOMAIN_CLAIMS_ALL };
	ctl_listing_start(&listing, ctl, columns);
	enum result result = domain_key_read(ctl->db, clock_now(), &ctl->arena, key, &ctl->error);
	do {
		if (result == OK)
			result =
				domain_claim_read(ctl->db, &query, &ctl->arena, &list, &ctl->error);
		for (size_t i = 0; result == OK && i < list.count; i++) {
			query.after_id = list.rows[i].page_id;
			list_claim(&listing, &list.rows[i], key);
		}
	} while (result == OK && list.count > 0);
	return ctl_listing_end(&listing, result, "domains");
}

const struct ctl_command domain_list_command = {
	.words = "domain list",
	.summary = "List the domains of pages and their states",
	.run = domain_list_run,
};

static void print_warning(void *context, const struct domain_claim *claim,
			  enum domain_proof_outcome outcome, const char *why)
{
	struct arena arena CLEANUP(arena_done);
	(void)context;
	arena_init(&arena, 1 << 20);
	if (outcome != DOMAIN_PROOF_FOUND)
		ctl_line(stderr, "daymarkctl: %s",
			 domain_recheck_text(claim, outcome, why, &arena));
}

static int domain_check_run(struct ctl *ctl)
{
	const char *domain = ctl_option(ctl, "domain");
	struct domain_recheck run = {
		.db = ctl->db,
		.config = &ctl->config,
		.now = clock_now(),
		.is_all = true,
		.domain = domain ? domain_name_ascii(&ctl->arena, domain) : NULL,
		.progress = print_warning,
		.context = ctl,
	};
	if (domain && !run.domain)
		return ctl_usage(ctl, "--domain must be a host name");
	enum result result = domain_recheck_run(&run, &ctl->error);
	if (result != OK)
		return ctl_fail(ctl, result, "the domains cannot be checked");
	int status = run.turned > 0 ? ctl_publish_due(ctl) : CTL_OK;
	if (status != CTL_OK)
		return status;
	struct json_object *tree = json_object_tree();
	json_put_int(tree, "found", (int64_t)run.found);
	json_put_int(tree, "missing", (int64_t)run.missing);
	json_put_int(tree, "unknown", (int64_t)run.unknown);
	ctl_say(ctl, tree, "%s found, %zu missing, %zu not looked up.",
		ctl_count(&ctl->arena, (int64_t)run.found, "record"), run.missing, run.unknown);
	return run.missing + run.unknown > 0 ? CTL_FAILED : CTL_OK;
}

const struct ctl_command domain_check_command = {
	.words = "domain check",
	.summary = "Check the DNS records that prove domains now",
	.run = domain_check_run,
	.options = { { "domain", "NAME", "only this domain" } },
};
