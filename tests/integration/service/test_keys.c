/* The operations on keys. */
#include "integration/lib/service.h"

#include <string.h>

#include "service/keys.h"

static void a_key_is_created_with_an_event_that_has_no_secret(void **state)
{
	struct created_key created;
	(void)state;
	const struct key_input input = { .label = " deploy ",
					 .is_read_only = true,
					 .expires_at = at(20, 0) };
	struct api_key key;
	assert_ok(
		service_create_key(&service, add_account("one"), &input, FIELD_SET_NONE, &created));
	key = created.key;
	assert_rows(arena_printf(&arena,
				 "%ld|%ld|deploy|1|2026-03-20 00:00:00|-|2026-03-05 10:00:00|1",
				 (long)key.id, (long)key.account_id),
		    "SELECT id, account_id, label, is_read_only, expires_at, revoked_at, "
		    "created_at, key_hash = UNHEX(SHA2('%s', 256)) FROM api_keys",
		    created.text);
	assert_one_event(key.account_id, "key.created", key.id, 0, "deploy");
	assert_ok(service_create_key(&service, key.account_id, &(struct key_input){ 0 },
				     FIELD_SET_NONE, &created));
	assert_string_equal(created.key.label, "");
	assert_rows("deploy\n", "SELECT label FROM api_keys ORDER BY id");
	assert_result(E_INVALID, service_create_key(&service, key.account_id,
						    &(struct key_input){ .label = " " },
						    FIELD_SET_NONE, &created));
	assert_true(violations_has(&violations, "label"));
	violations = (struct violations){ .arena = &arena };
	assert_result(E_INVALID,
		      service_create_key(&service, key.account_id,
					 &(struct key_input){ .expires_at = service.now },
					 FIELD_SET_NONE, &created));
	assert_true(violations_has(&violations, "expires_at"));
	violations = (struct violations){ .arena = &arena };
}

static void act_as(const struct api_key *key)
{
	act_as_key(key->account_id);
	service.principal.id = key->id;
}

/* The key that such a key creates. */
static struct api_key made_by(const struct api_key *maker, const char *label)
{
	struct created_key created;
	act_as(maker);
	assert_ok(service_create_key(&service, maker->account_id,
				     &(struct key_input){ .label = label }, FIELD_SET_NONE,
				     &created));
	return created.key;
}

static void a_key_ends_no_later_than_its_maker(void **state)
{
	struct created_key created;
	(void)state;
	int64_t account = add_account("one");
	struct key_input input = { .label = "leased", .expires_at = at(20, 0) };
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	const struct api_key maker = created.key;
	const struct api_key child = made_by(&maker, "child"),
			     grandchild = made_by(&child, "third");
	assert_int_equal(child.expires_at.s, at(20, 0).s);
	assert_int_equal(grandchild.expires_at.s, at(20, 0).s);
	/* An earlier time stays, the same time is allowed, and a second more is not. */
	act_as(&child);
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	input.expires_at = at(19, 0);
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	input.expires_at.s = at(20, 0).s + 1;
	assert_result(E_INVALID,
		      service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	assert_true(violations_has(&violations, "expires_at"));
	violations = (struct violations){ .arena = &arena };
	assert_rows(
		arena_printf(&arena,
			     "leased|2026-03-20 00:00:00|0|-\n"
			     "child|2026-03-20 00:00:00|%1$ld|leased\n"
			     "third|2026-03-20 00:00:00|%2$ld|child\n"
			     "leased|2026-03-20 00:00:00|%2$ld|child\n"
			     "leased|2026-03-19 00:00:00|%2$ld|child",
			     (long)maker.id, (long)child.id),
		"SELECT label, expires_at, made_by_id, made_by_label FROM api_keys ORDER BY id");
	/* A key without an end makes such keys, and one that was revoked meanwhile makes none. */
	act_as_operator();
	assert_ok(service_create_key(&service, account, &(struct key_input){ .label = "own" },
				     FIELD_SET_NONE, &created));
	const struct api_key own = created.key;
	assert_int_equal(made_by(&own, "kept").expires_at.s, 0);
	execute("UPDATE api_keys SET revoked_at = NOW() WHERE id = %ld", (long)own.id);
	assert_result(E_UNAUTHENTICATED,
		      service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	act_as_operator();
}

static void a_key_that_became_read_only_makes_and_changes_no_key(void **state)
{
	struct created_key created;
	struct api_key other, changed;
	(void)state;
	int64_t account = add_account("one");
	struct key_input input = { .label = "narrowed" };
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	other = made_by(&created.key, "other");
	/* After the request was let in. */
	execute("UPDATE api_keys SET is_read_only = 1 WHERE id = %ld", (long)created.key.id);
	assert_result(E_FORBIDDEN,
		      service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	assert_result(E_FORBIDDEN, service_update_key(&service, other.id, &input,
						      FIELD_SET(KEY_FIELD_label), &changed));
	assert_rows("narrowed\nother", "SELECT label FROM api_keys ORDER BY id");
	act_as_operator();
}

static void a_key_is_revoked_with_those_that_it_has_made(void **state)
{
	struct created_key created;
	struct key_revocation revoked;
	(void)state;
	int64_t account = add_account("one");
	assert_ok(service_create_key(&service, account, &(struct key_input){ .label = "leaked" },
				     FIELD_SET_NONE, &created));
	const struct api_key leaked = created.key;
	assert_ok(service_create_key(&service, account, &(struct key_input){ .label = "other" },
				     FIELD_SET_NONE, &created));
	const struct api_key other = created.key;
	const struct api_key child = made_by(&leaked, "child"), third = made_by(&child, "third");
	made_by(&other, "of the other");
	/* More keys than a statement reads, all of which are over. */
	execute("INSERT INTO api_keys (account_id, key_hash, label, made_by_id, expires_at, "
		"created_at) SELECT %ld, UNHEX(SHA2(seq, 256)), 'over', %ld, "
		"'2026-03-01 00:00:00', NOW() FROM seq_1_to_1100",
		(long)account, (long)third.id);
	made_by(&third, "last");
	act_as_operator();
	assert_ok(service_revoke_key(&service, child.id, false, &revoked));
	forget_events();
	act_as(&other);
	assert_ok(service_revoke_key(&service, leaked.id, true, &revoked));
	assert_int_equal(revoked.made_count, 2);
	assert_rows("other\nof the other",
		    "SELECT label FROM api_keys WHERE revoked_at IS NULL AND label <> 'over' "
		    "ORDER BY id");
	assert_rows("1100", "SELECT COUNT(*) FROM api_keys WHERE revoked_at IS NULL AND "
			    "label = 'over'");
	assert_rows("last\nleaked\nthird",
		    "SELECT detail FROM events WHERE kind = 'key.revoked' ORDER BY detail");
	/* Again, and by the operator, who has no account: nothing is left. */
	act_as_operator();
	assert_ok(service_revoke_key(&service, leaked.id, true, &revoked));
	assert_int_equal(revoked.made_count, 0);
	assert_rows("3", "SELECT COUNT(*) FROM events");
	assert_result(E_NOT_FOUND, service_revoke_key(&service, 999999999, true, &revoked));
	act_as_key(add_account("two"));
	assert_result(E_NOT_FOUND, service_revoke_key(&service, leaked.id, true, &revoked));
	act_as_operator();
}

static void the_keys_of_an_account_create_a_limited_number(void **state)
{
	struct created_key created;
	struct key_revocation revoked;
	const struct key_input input = { .label = "k", .expires_at = at(20, 0) };
	(void)state;
	int64_t account = add_account("one"), other = add_account("two");
	execute("INSERT INTO api_keys (account_id, key_hash, label, revoked_at, expires_at, "
		"created_at) SELECT %ld, UNHEX(SHA2(seq, 256)), 'k', IF(seq > 110, NOW(), NULL), "
		"IF(seq > 99, '2026-03-05 09:59:59', NULL), NOW() FROM seq_1_to_120",
		(long)account);
	struct api_key own = { .account_id = account,
			       .id = select_number("SELECT MIN(id) FROM api_keys") };
	act_as(&own);
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	assert_result(E_QUOTA_EXCEEDED,
		      service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	assert_true(violations_has(&violations, "keys"));
	violations = (struct violations){ .arena = &arena };
	assert_rows("121", "SELECT COUNT(*) FROM api_keys");
	act_as_operator();
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	assert_ok(service_revoke_key(&service, created.key.id, false, &revoked));
	assert_ok(service_create_key(&service, other, &input, FIELD_SET_NONE, &created));
	act_as(&created.key);
	assert_ok(service_create_key(&service, other, &input, FIELD_SET_NONE, &created));
	act_as(&own);
	execute("UPDATE api_keys SET revoked_at = NOW() WHERE account_id = %ld AND "
		"revoked_at IS NULL AND expires_at IS NULL AND id <> %ld LIMIT 1",
		(long)account, (long)own.id);
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
}

static void a_key_is_revoked_once_and_by_its_account(void **state)
{
	struct created_key created;
	struct key_revocation revoked;
	(void)state;
	int64_t account = add_account("one");
	const struct key_input input = { .label = "deploy" };
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	struct api_key key = created.key;
	assert_ok(service_create_key(&service, account, &input, FIELD_SET_NONE, &created));
	forget_events();
	act_as_key(add_account("two"));
	assert_result(E_NOT_FOUND, service_revoke_key(&service, key.id, false, &revoked));
	assert_string_equal(events(), "");
	act_as_key(account);
	assert_ok(service_revoke_key(&service, key.id, false, &revoked));
	assert_one_event(account, "key.revoked", key.id, 0, "deploy");
	service.now = at(6, 0);
	assert_ok(service_revoke_key(&service, key.id, false, &revoked));
	assert_rows("2026-03-05 10:00:00\n-", "SELECT revoked_at FROM api_keys ORDER BY id");
	assert_rows("1", "SELECT COUNT(*) FROM events");
	assert_result(E_NOT_FOUND, service_revoke_key(&service, 999999999, false, &revoked));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_key_is_created_with_an_event_that_has_no_secret),
		SERVICE_TEST(a_key_ends_no_later_than_its_maker),
		SERVICE_TEST(a_key_that_became_read_only_makes_and_changes_no_key),
		SERVICE_TEST(a_key_is_revoked_with_those_that_it_has_made),
		SERVICE_TEST(the_keys_of_an_account_create_a_limited_number),
		SERVICE_TEST(a_key_is_revoked_once_and_by_its_account),
	};
	return RUN_ON_DATABASE(tests);
}
