#include "app/page_domain.h"

#include <stdatomic.h>
#include <string.h>

#include "app/rate.h"
#include "publish/domain_check.h"

/* How many threads of this process wait for DNS: others' requests need threads, too. */
static atomic_long waiting;

static enum result look_up(struct exchange *exchange, const struct domain_record *record,
			   struct page_domain *found)
{
	const char *why;
	enum domain_proof_outcome outcome =
		domain_record_find(exchange->config, record, &exchange->arena, &why);
	found->is_proven = outcome == DOMAIN_PROOF_FOUND;
	if (outcome == DOMAIN_PROOF_MISSING)
		found->fault =
			arena_printf(&exchange->arena,
				     "The domain field must be proven: create the DNS record "
				     "%s of type TXT with the value %s, and try again.",
				     record->name, record->value);
	if (outcome == DOMAIN_PROOF_UNKNOWN)
		found->fault =
			arena_printf(&exchange->arena,
				     "The domain field could not be proven: the DNS lookup of "
				     "%s failed (%s). Try again later.",
				     record->name, why);
	return OK;
}

static enum result look_up_in_turn(struct exchange *exchange, const struct domain_record *record,
				   struct page_domain *found)
{
	struct rate rate = { .per_minute = exchange->config->domain_lookups_per_minute };
	const char *who = arena_printf(&exchange->arena, "domain lookups %lld",
				       (long long)exchange->key.account_id);
	int64_t most = config_half_threads(exchange->config);
	if (!rate_allows(exchange, &rate, who))
		return E_RATE_LIMITED;
	if (atomic_fetch_add(&waiting, 1) >= most) {
		atomic_fetch_sub(&waiting, 1);
		response_header(&exchange->response, "Retry-After", "3");
		return E_RATE_LIMITED;
	}
	enum result result = look_up(exchange, record, found);
	atomic_fetch_sub(&waiting, 1);
	return result;
}

enum result page_domain_look_up(struct exchange *exchange, const char *domain, int64_t page_id,
				struct page_domain *found)
{
	struct arena *arena = &exchange->arena;
	struct domain_standing standing;
	uint8_t key[SECRET_HASH_BYTES];
	int64_t account_id = exchange->key.account_id;
	const char *mode = exchange->config->domain_proof;
	*found = (struct page_domain){ 0 };
	if (strcmp(mode, CONFIG_PROOF_NO) == 0)
		return OK;
	enum result result = domain_standing_read(exchange->db, account_id, page_id, arena,
						  &standing, &exchange->error);
	if (result != OK)
		return result;
	found->is_needed = strcmp(mode, CONFIG_PROOF_YES) == 0 || standing.account_count > 1;
	found->fault = "The domain field was changed by another request. Try again.";
	bool is_same = standing.domain && strcmp(standing.domain, domain) == 0;
	if (!found->is_needed || (is_same && standing.missing_since.s == 0))
		return OK;
	if (!standing.key || !secret_from_hex(str_from(standing.key), key, sizeof(key)))
		result = domain_key_read(exchange->db, exchange->now, arena, key, &exchange->error);
	if (result != OK)
		return result;
	const struct domain_record record = {
		domain_proof_name(domain, arena),
		domain_proof_value(key, account_id, domain, arena),
	};
	if (record.name)
		return look_up_in_turn(exchange, &record, found);
	found->fault = "The domain field is too long to be proven.";
	return OK;
}

void page_domain_settle(struct exchange *exchange, const struct page_domain *found,
			const char *before, struct status_page *page)
{
	struct domain_proof proof = { 0 };
	bool is_same = before && page->domain && strcmp(before, page->domain) == 0;
	if (is_same && !found->is_proven)
		return;
	if (page->domain)
		proof.checked_at = exchange->now;
	if (page->domain && found->is_proven)
		proof.proven_at = exchange->now;
	page->domain_proof = proof;
	if (page->domain && found->is_needed && !found->is_proven &&
	    !violations_has(&exchange->violations, "domain"))
		violations_add(&exchange->violations, "domain", "%s", found->fault);
}

enum result page_domain_take(struct exchange *exchange, const struct page_domain *found,
			     const struct status_page *page)
{
	if (!found->is_proven || !page->domain || exchange->violations.count > 0)
		return OK;
	return domain_claim_take(exchange->db, page->domain, page->id, exchange->now,
				 &exchange->error);
}
