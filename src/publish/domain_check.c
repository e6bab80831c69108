#include "publish/domain_check.h"

#include <string.h>

#include "store/event.h"
#include "wire/dns.h"

/* Enough memory for the largest DNS answers to all claims of a batch. */
enum { BATCH_ARENA_BYTES = DOMAIN_CLAIMS_MAX * (256 << 10) };

struct checking {
	struct domain_recheck *run;
	struct arena *arena; /* reset before each batch of claims */
	uint8_t key[SECRET_HASH_BYTES];
	int64_t end_ms; /* no look-up begins after this time of clock_ms(); 0: no limit */
};

enum domain_proof_outcome domain_record_find(const struct config *config,
					     const struct domain_record *record,
					     struct arena *arena, const char **why)
{
	struct dns_texts *texts = ARENA_NEW(arena, struct dns_texts);
	struct error error = { 0 };
	*why = NULL;
	enum result result = dns_read_texts(config->resolver, record->name, arena, texts, &error);
	if (result == E_UNAVAILABLE) {
		*why = arena_strdup(arena, error_text(&error));
		return DOMAIN_PROOF_UNKNOWN;
	}
	for (size_t i = 0; result == OK && i < texts->count; i++)
		if (str_eq(str_trim_ows(texts->rows[i]), str_from(record->value)))
			return DOMAIN_PROOF_FOUND;
	return DOMAIN_PROOF_MISSING;
}

static enum domain_proof_outcome look_up_claim(const struct checking *checking,
					       const struct domain_claim *claim, const char **why)
{
	const struct domain_record record = {
		domain_proof_name(claim->domain, checking->arena),
		domain_proof_value(checking->key, claim->account_id, claim->domain,
				   checking->arena),
	};
	*why = NULL;
	return record.name
		       ? domain_record_find(checking->run->config, &record, checking->arena, why)
		       : DOMAIN_PROOF_MISSING;
}

struct storing {
	struct domain_claim_change change;
	enum event_kind kind; /* the event to store, if change.has_turned */
	bool is_noted;
};

static enum result store_work(struct db *db, void *context, struct error *error)
{
	static const struct principal system = { .type = PRINCIPAL_SYSTEM };
	struct storing *storing = context;
	const struct domain_claim *claim = storing->change.claim;
	const struct event_source source = { &system, storing->change.now };
	const struct event_change event = {
		.kind = storing->kind,
		.account_id = claim->account_id,
		.object_id = claim->page_id,
		.detail = claim->domain,
	};
	enum result result = domain_claim_note(db, &storing->change, &storing->is_noted, error);
	return result == OK && storing->is_noted ? event_append(db, &source, &event, 1, error)
						 : result;
}

/* Stores a claim. If the page has lost or regained its domain, stores an event in the same
 * transaction. */
static enum result store_claim(struct domain_recheck *run, const struct domain_claim_change *change,
			       enum event_kind kind, struct error *error)
{
	struct storing storing = { *change, kind, false };
	enum result result = change->has_turned
				     ? db_transact(run->db, DB_WRITE, store_work, &storing, error)
				     : domain_claim_note(run->db, change, &storing.is_noted, error);
	run->turned += result == OK && storing.is_noted && change->has_turned;
	return result;
}

static enum result check_claim(const struct checking *checking, struct domain_claim *claim,
			       struct error *error)
{
	struct domain_recheck *run = checking->run;
	const char *why;
	struct instant before = claim->proof.checked_at;
	enum domain_proof_outcome outcome = look_up_claim(checking, claim, &why);
	bool has_turned = domain_proof_note(&claim->proof, outcome, run->now);
	run->found += outcome == DOMAIN_PROOF_FOUND;
	run->missing += outcome == DOMAIN_PROOF_MISSING;
	run->unknown += outcome == DOMAIN_PROOF_UNKNOWN;
	const struct domain_claim_change change = { claim, before, has_turned, run->now };
	enum event_kind kind = claim->proof.lost_at.s > 0 ? EVENT_DOMAIN_LOST : EVENT_DOMAIN_PROVEN;
	enum result result = store_claim(run, &change, kind, error);
	if (result == OK && run->progress)
		run->progress(run->context, claim, outcome, why);
	return result;
}

static bool is_out_of_time(const struct checking *checking)
{
	return checking->end_ms > 0 && clock_ms() >= checking->end_ms;
}

/* Gives a lost domain back to its page, when the installation requires no proof any more. */
static enum result forgive_claim(const struct checking *checking, struct domain_claim *claim,
				 struct error *error)
{
	struct domain_recheck *run = checking->run;
	const struct domain_claim_change change = { claim, claim->proof.checked_at,
						    claim->proof.lost_at.s > 0, run->now };
	claim->proof = (struct domain_proof){ claim->proof.proven_at, run->now };
	return store_claim(run, &change, EVENT_DOMAIN_RESTORED, error);
}

typedef enum result claim_function(const struct checking *checking, struct domain_claim *claim,
				   struct error *error);

/* Calls the function for each claim, until all are done or the time is over. */
static enum result each_claim(const struct checking *checking, struct domain_claim_query query,
			      claim_function *function, struct error *error)
{
	struct domain_claim_list list = { 0 };
	enum result result;
	do {
		arena_reset(checking->arena);
		result =
			domain_claim_read(checking->run->db, &query, checking->arena, &list, error);
		for (size_t i = 0; result == OK && i < list.count; i++) {
			if (is_out_of_time(checking))
				return OK;
			query.after_id = list.rows[i].page_id;
			result = function(checking, &list.rows[i], error);
		}
	} while (result == OK && list.count == DOMAIN_CLAIMS_MAX);
	return result;
}

enum result domain_recheck_run(struct domain_recheck *run, struct error *error)
{
	struct arena arena CLEANUP(arena_done);
	struct checking checking = {
		.run = run,
		.arena = &arena,
		.end_ms = run->budget_ms > 0 ? clock_ms() + run->budget_ms : 0,
	};
	bool is_required = strcmp(run->config->domain_proof, CONFIG_PROOF_YES) == 0;
	enum result result = OK;
	arena_init(&arena, BATCH_ARENA_BYTES);
	if (strcmp(run->config->domain_proof, CONFIG_PROOF_AUTO) == 0)
		result = domain_has_accounts(run->db, &is_required, error);
	if (result == OK && !is_required)
		return each_claim(&checking,
				  (struct domain_claim_query){ .choice = DOMAIN_CLAIMS_MISSING },
				  forgive_claim, error);
	if (result == OK)
		result = domain_key_read(run->db, run->now, &arena, checking.key, error);
	const struct domain_claim_query query = {
		.choice = run->is_all ? DOMAIN_CLAIMS_ALL : DOMAIN_CLAIMS_DUE,
		.domain = run->domain,
		.before = { run->now.s - DOMAIN_PROOF_AGAIN_S },
	};
	return result == OK ? each_claim(&checking, query, check_claim, error) : result;
}

const char *domain_recheck_text(const struct domain_claim *claim, enum domain_proof_outcome outcome,
				const char *why, struct arena *arena)
{
	char since[INSTANT_TEXT_SIZE], end[INSTANT_TEXT_SIZE];
	const struct domain_proof *proof = &claim->proof;
	if (outcome == DOMAIN_PROOF_UNKNOWN)
		return arena_printf(arena, "domain %s of page %s cannot be looked up: %s",
				    claim->domain, claim->slug, why);
	instant_format(proof->missing_since, since);
	if (proof->lost_at.s > 0)
		return arena_printf(
			arena,
			"domain %s of page %s has had no proof in DNS since %s, and does not "
			"show the page until DNS has the proof",
			claim->domain, claim->slug, since);
	struct instant last = { proof->missing_since.s + DOMAIN_PROOF_GRACE_S };
	return arena_printf(arena,
			    "domain %s of page %s has had no proof in DNS since %s, and shows the "
			    "page until %s",
			    claim->domain, claim->slug, since, instant_format(last, end));
}
