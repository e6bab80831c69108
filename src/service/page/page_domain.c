#include "service/page/page_domain.h"

#include <stdatomic.h>
#include <string.h>

#include "publish/domain_check.h"

/*
 * The number of threads of this process that wait for DNS. look_up_in_turn() limits the number,
 * because other requests need threads, too.
 */
static atomic_long waiting;

static void look_up_record(struct service *service, const struct domain_record *record,
			   struct page_domain *found)
{
	const char *why;
	enum domain_proof_outcome outcome =
		domain_record_find(service->config, record, service->arena, &why);
	found->is_proven = outcome == DOMAIN_PROOF_FOUND;
	if (outcome == DOMAIN_PROOF_MISSING)
		found->violation =
			arena_printf(service->arena,
				     "The domain field must be proven: create the DNS record "
				     "%s of type TXT with the value %s, and try again.",
				     record->name, record->value);
	if (outcome == DOMAIN_PROOF_UNKNOWN)
		found->violation =
			arena_printf(service->arena,
				     "The domain field could not be proven: the DNS lookup of "
				     "%s failed (%s). Try again later.",
				     record->name, why);
}

static enum result look_up_in_turn(struct service *service, const struct domain_record *record,
				   struct page_domain *found)
{
	enum { RETRY_S = 3 };
	int64_t most = config_half_threads(service->config);
	if (service->caller && !service->caller->may_look_up(service->caller_context))
		return E_RATE_LIMITED;
	if (atomic_fetch_add(&waiting, 1) >= most) {
		atomic_fetch_sub(&waiting, 1);
		service->error->retry_after_s = RETRY_S;
		return E_RATE_LIMITED;
	}
	look_up_record(service, record, found);
	atomic_fetch_sub(&waiting, 1);
	return OK;
}

enum result page_domain_look_up(struct service *service, const char *domain, int64_t page_id,
				struct page_domain *found)
{
	struct arena *arena = service->arena;
	struct domain_standing standing;
	uint8_t key[SECRET_HASH_BYTES];
	int64_t account_id = service->principal.account_id;
	const char *mode = service->config->domain_proof;
	*found = (struct page_domain){ 0 };
	if (strcmp(mode, CONFIG_PROOF_NO) == 0)
		return OK;
	enum result result = domain_standing_read(service->db, account_id, page_id, arena,
						  &standing, service->error);
	if (result != OK)
		return result;
	found->is_needed = strcmp(mode, CONFIG_PROOF_YES) == 0 || standing.account_count > 1;
	found->violation = "The domain field was changed by another request. Try again.";
	bool is_same = standing.domain && strcmp(standing.domain, domain) == 0;
	if (!found->is_needed || (is_same && standing.missing_since.s == 0))
		return OK;
	if (!standing.key || !secret_from_hex(str_from(standing.key), key, sizeof(key)))
		result = domain_key_read(service->db, service->now, arena, key, service->error);
	if (result != OK)
		return result;
	const struct domain_record record = {
		domain_proof_name(domain, arena),
		domain_proof_value(key, account_id, domain, arena),
	};
	if (record.name)
		return look_up_in_turn(service, &record, found);
	found->violation = "The domain field is too long to be proven.";
	return OK;
}

void page_domain_settle(struct service *service, const struct page_domain *found,
			const char *before, struct status_page *page)
{
	struct domain_proof proof = { 0 };
	bool is_same = before && page->domain && strcmp(before, page->domain) == 0;
	if (is_same && !found->is_proven)
		return;
	if (page->domain)
		proof.checked_at = service->now;
	if (page->domain && found->is_proven)
		proof.proven_at = service->now;
	page->domain_proof = proof;
	if (page->domain && found->is_needed && !found->is_proven &&
	    !violations_has(service->violations, "domain"))
		violations_add(service->violations, "domain", "%s", found->violation);
}

enum result page_domain_take(struct service *service, const struct page_domain *found,
			     const struct status_page *page)
{
	if (!found->is_proven || !page->domain || service->violations->count > 0)
		return OK;
	enum result result = event_append_domain_taken(service->db, page->domain, page->id,
						       service->now, service->error);
	return result == OK ? domain_claim_take(service->db, page->domain, page->id, service->now,
						service->error)
			    : result;
}
