#include "integration/lib/database.h"

#include "store/page/domain_claim.h"

static void the_key_is_made_once(void **state)
{
	uint8_t first[SECRET_HASH_BYTES], second[SECRET_HASH_BYTES];
	(void)state;
	assert_ok(domain_key_read(db, at(5, 0), &arena, first, &error));
	assert_ok(domain_key_read(db, at(6, 0), &arena, second, &error));
	assert_memory_equal(first, second, sizeof(first));
	assert_rows(arena_printf(&arena, "domain_proof|%s|2026-03-05 00:00:00",
				 secret_to_hex(&arena, first, sizeof(first))),
		    "SELECT name, LOWER(value), created_at FROM secrets");
	execute("UPDATE secrets SET value = 'damaged'");
	assert_result(E_FAILED, domain_key_read(db, at(5, 0), &arena, first, &error));
}

/* A page with a domain and a time of its own in each column of its proof. */
static int64_t claimed_page(int64_t account, const char *slug)
{
	int64_t id = add_page(account, slug);
	execute("UPDATE status_pages SET domain = '%s.example', "
		"domain_proven_at = '2026-03-01 00:00:00', domain_checked_at = '2026-03-02 "
		"00:00:00', "
		"domain_missing_since = '2026-03-03 00:00:00', domain_lost_at = '2026-03-04 "
		"00:00:00' "
		"WHERE id = %ld",
		slug, (long)id);
	return id;
}

static void a_write_learns_what_it_must_know(void **state)
{
	struct domain_standing standing;
	(void)state;
	int64_t one = add_account("one"), page = claimed_page(one, "p");
	assert_ok(domain_standing_read(db, one, page, &arena, &standing, &error));
	assert_int_equal(standing.account_count, 1);
	assert_null(standing.key);
	assert_string_equal(standing.domain, "p.example");
	assert_int_equal(standing.missing_since.s, at(3, 0).s);
	execute("INSERT INTO secrets (name, value, created_at) VALUES ('other', 'no', NOW()), "
		"('domain_proof', 'abcd', NOW())");
	int64_t two = add_account("two");
	add_account("three");
	assert_ok(domain_standing_read(db, two, page, &arena, &standing, &error));
	assert_int_equal(standing.account_count, 2);
	assert_string_equal(standing.key, "abcd");
	assert_null(standing.domain);
	assert_int_equal(standing.missing_since.s, 0);
}

static void several_accounts_are_more_than_one(void **state)
{
	bool is_several = true;
	(void)state;
	add_account("one");
	assert_ok(domain_has_accounts(db, &is_several, &error));
	assert_false(is_several);
	add_account("two");
	assert_ok(domain_has_accounts(db, &is_several, &error));
	assert_true(is_several);
}

static const char *claims(struct domain_claim_query query)
{
	struct domain_claim_list list;
	const char *text = "";
	assert_ok(domain_claim_read(db, &query, &arena, &list, &error));
	for (size_t i = 0; i < list.count; i++)
		text = arena_printf(&arena, "%s%s%s", text, i > 0 ? " " : "", list.rows[i].slug);
	return text;
}

static void claims_are_read_by_choice(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	add_page(account, "none");
	int64_t first = claimed_page(account, "a");
	claimed_page(account, "b");
	claimed_page(account, "c");
	execute("UPDATE status_pages SET domain_missing_since = NULL, "
		"domain_checked_at = '2026-03-01 00:00:00' WHERE slug = 'b'");
	execute("UPDATE status_pages SET domain_checked_at = NULL WHERE slug = 'c'");
	struct domain_claim_query query = { .choice = DOMAIN_CLAIMS_ALL };
	assert_string_equal(claims(query), "a b c");
	query.after_id = first;
	assert_string_equal(claims(query), "b c");
	query = (struct domain_claim_query){ .choice = DOMAIN_CLAIMS_MISSING };
	assert_string_equal(claims(query), "a c");
	query = (struct domain_claim_query){ .choice = DOMAIN_CLAIMS_DUE, .before = at(2, 0) };
	assert_string_equal(claims(query), "c b");
	query.before.s++;
	assert_string_equal(claims(query), "c b a");
	query.domain = "b.example";
	assert_string_equal(claims(query), "b");
}

static void a_claim_is_read_whole(void **state)
{
	struct domain_claim_list list;
	(void)state;
	int64_t account = add_account("one"), page = claimed_page(account, "p");
	const struct domain_claim_query query = { .choice = DOMAIN_CLAIMS_ALL };
	assert_ok(domain_claim_read(db, &query, &arena, &list, &error));
	assert_int_equal(list.count, 1);
	const struct domain_claim *claim = &list.rows[0];
	assert_int_equal(claim->page_id, page);
	assert_int_equal(claim->account_id, account);
	assert_string_equal(claim->account, "one");
	assert_string_equal(claim->slug, "p");
	assert_string_equal(claim->domain, "p.example");
	assert_int_equal(claim->proof.proven_at.s, at(1, 0).s);
	assert_int_equal(claim->proof.checked_at.s, at(2, 0).s);
	assert_int_equal(claim->proof.missing_since.s, at(3, 0).s);
	assert_int_equal(claim->proof.lost_at.s, at(4, 0).s);
}

#define PROOF \
	"SELECT domain_proven_at, domain_checked_at, domain_missing_since, domain_lost_at, " \
	"p.version, r.revision, r.unpublished_since FROM " PAGES_AND_REVISIONS " WHERE p.id = %ld"

static void a_check_is_noted_if_nobody_was_faster(void **state)
{
	bool is_noted = false;
	(void)state;
	int64_t account = add_account("one"), page = claimed_page(account, "p"),
		other = claimed_page(account, "q");
	struct domain_claim claim = { .page_id = page,
				      .domain = "p.example",
				      .proof = { .proven_at = at(5, 0),
						 .checked_at = at(6, 0),
						 .missing_since = at(7, 0),
						 .lost_at = at(8, 0) } };
	struct domain_claim_change change = { .claim = &claim,
					      .before = at(2, 0),
					      .now = at(9, 0) };
	assert_ok(domain_claim_note(db, &change, &is_noted, &error));
	assert_true(is_noted);
	const char *noted = "2026-03-05 00:00:00|2026-03-06 00:00:00|2026-03-07 00:00:00|"
			    "2026-03-08 00:00:00|1|1|-";
	assert_rows(noted, PROOF, (long)page);
	/* Another check came between, or the page has another domain by now. */
	assert_ok(domain_claim_note(db, &change, &is_noted, &error));
	assert_false(is_noted);
	change.before = at(6, 0);
	claim.domain = "former.example";
	assert_ok(domain_claim_note(db, &change, &is_noted, &error));
	assert_false(is_noted);
	claim.domain = "p.example";
	claim.proof = (struct domain_proof){ .checked_at = at(9, 0) };
	change.has_turned = true;
	assert_ok(domain_claim_note(db, &change, &is_noted, &error));
	assert_true(is_noted);
	assert_rows("-|2026-03-09 00:00:00|-|-|2|2|2026-03-09 00:00:00", PROOF, (long)page);
	assert_rows("2026-03-01 00:00:00|2026-03-02 00:00:00|2026-03-03 00:00:00|"
		    "2026-03-04 00:00:00|1|1|-",
		    PROOF, (long)other);
}

static void a_lost_domain_is_taken_from_its_page(void **state)
{
	(void)state;
	int64_t account = add_account("one"), page = claimed_page(account, "p"),
		other = claimed_page(account, "q");
	/* Not from the page that asks, nor while it is not lost. */
	assert_committed(domain_claim_take(db, "p.example", page, at(9, 0), &error));
	execute("UPDATE status_pages SET domain_lost_at = NULL WHERE id = %ld", (long)page);
	assert_committed(domain_claim_take(db, "p.example", 0, at(9, 0), &error));
	assert_rows("p.example\nq.example", "SELECT domain FROM status_pages ORDER BY id");
	execute("UPDATE status_pages SET domain_lost_at = NOW() WHERE id = %ld", (long)page);
	assert_committed(domain_claim_take(db, "p.example", other, at(9, 0), &error));
	assert_rows("-\nq.example", "SELECT domain FROM status_pages ORDER BY id");
	assert_rows("-|-|-|-|2|2|2026-03-09 00:00:00", PROOF, (long)page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DATABASE_TEST(the_key_is_made_once),
		DATABASE_TEST(a_write_learns_what_it_must_know),
		DATABASE_TEST(several_accounts_are_more_than_one),
		DATABASE_TEST(claims_are_read_by_choice),
		DATABASE_TEST(a_claim_is_read_whole),
		DATABASE_TEST(a_check_is_noted_if_nobody_was_faster),
		DATABASE_TEST(a_lost_domain_is_taken_from_its_page),
	};
	return RUN_ON_DATABASE(tests);
}
