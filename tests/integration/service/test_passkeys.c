/* Passkeys of people: added, used once for each challenge, and removed. */
#include "integration/lib/service.h"
#include "unit/access/authenticator.h"

#include "service/accounts.h"
#include "service/second_factor.h"
#include "service/sessions.h"
#include "service/users.h"
#include "store/account/removal.h"

static const char *const good = "correct horse";
static EVP_PKEY *key;
static int64_t challenge_us; /* of the last challenge */

static struct passkey_claim claim_now(void)
{
	struct passkey_claim claim = { .browser = "this browser",
				       .origin = "https://status.example.org",
				       .now = service.now,
				       .arena = &arena,
				       .error = &error };
	key = key ? key : authenticator_key("P-256");
	assert_ok(service_read_key(&service, &claim.key));
	violations = (struct violations){ .arena = &arena };
	return claim;
}

/* The ceremony of the credential whose id has so many bytes, with a new challenge. */
static struct ceremony ceremony_of(const struct passkey_claim *claim, int id_len)
{
	if (challenge_us < service.now.s * 1000000)
		challenge_us = service.now.s * 1000000;
	return (struct ceremony){ .key = key,
				  .id_len = id_len,
				  .challenge = passkey_challenge(claim, ++challenge_us) };
}

static enum result add(const char *name, int id_len)
{
	struct passkey_claim claim = claim_now();
	const struct ceremony ceremony = ceremony_of(&claim, id_len);
	claim.text = authenticator_create(&claim, &ceremony);
	return service_add_passkey(&service, name, &claim);
}

static enum result sign_in_by(struct passkey_claim *claim, struct begun_session *begun)
{
	const struct principal principal = service.principal;
	service.principal = (struct principal){ 0 };
	enum result result = service_sign_in_by_passkey(&service, claim, begun);
	service.principal = principal;
	return result;
}

static enum result sign_in(int id_len, struct begun_session *begun)
{
	struct passkey_claim claim = claim_now();
	const struct ceremony ceremony = ceremony_of(&claim, id_len);
	claim.text = authenticator_sign(&claim, &ceremony);
	return sign_in_by(&claim, begun);
}

/* A user with a password, who acts from now on. */
static struct begun_session act_as_member(int64_t account, const char *name)
{
	struct begun_session begun = { 0 };
	struct user_session session;
	struct user_link link = { .kind = USER_LINK_INVITE };
	const struct user_input input = { .name = name, .role = ROLE_OWNER };
	act_as_operator();
	assert_ok(service_add_user(&service, account, &input, FIELD_SET(USER_FIELD_role), &link));
	const struct link_use use = { link.kind, link.token, good, good };
	service.principal = (struct principal){ 0 };
	assert_ok(service_use_link(&service, &use, &begun));
	assert_ok(user_session_find(db, begun.token, user_session_bounds(&config, service.now),
				    &arena, &session, &error));
	service.principal = user_principal(&session);
	return begun;
}

static void a_passkey_is_added_with_all_its_columns(void **state)
{
	(void)state;
	const struct begun_session begun = act_as_member(add_account("one"), "ada");
	forget_events();
	assert_ok(add("Laptop", 3));
	assert_rows(arena_printf(&arena, "%ld|aWlp|122|status.example.org|Laptop|0|%s|-",
				 (long)begun.user.id, "2026-03-05 10:00:00"),
		    "SELECT user_id, credential_id, LENGTH(public_key), rp_id, name, counter, "
		    "created_at, used_at FROM user_passkeys");
	assert_rows("1|1", "SELECT passkey_count, passkey_challenge = %ld FROM users",
		    (long)challenge_us);
	assert_string_equal(events(),
			    event_text("user.passkey_added", begun.user.id, 0, "ada; Laptop"));
	assert_result(E_INVALID, add("Again", 3));
	assert_true(violations_has(&violations, "passkey"));
	assert_result(E_INVALID, add(NULL, 4));
	assert_true(violations_has(&violations, "name"));
	for (int id_len = 4; id_len <= 12; id_len++)
		assert_ok(add("More", id_len));
	assert_result(E_INVALID, add("Too many", 13));
	assert_true(violations_has(&violations, "passkey"));
	assert_rows("10|10",
		    "SELECT passkey_count, (SELECT COUNT(*) FROM user_passkeys) FROM users");
	act_as_operator();
	assert_result(E_FORBIDDEN, add("Operator", 14));
}

static void each_challenge_works_once(void **state)
{
	(void)state;
	struct begun_session begun = { .browser = "this browser" };
	act_as_member(add_account("one"), "ada");
	struct passkey_claim claim = claim_now();
	struct ceremony ceremony = ceremony_of(&claim, 3);
	claim.text = authenticator_create(&claim, &ceremony);
	assert_ok(service_add_passkey(&service, "Laptop", &claim));
	execute("DELETE FROM user_passkeys");
	assert_result(E_INVALID, service_add_passkey(&service, "Laptop", &claim));
	assert_ok(add("Laptop", 3));

	ceremony = ceremony_of(&claim, 3);
	const struct ceremony earlier = ceremony;
	ceremony = ceremony_of(&claim, 3);
	ceremony.counter = 9;
	claim.text = authenticator_sign(&claim, &ceremony);
	forget_events();
	assert_ok(sign_in_by(&claim, &begun));
	assert_rows("9|1", "SELECT counter, used_at IS NOT NULL FROM user_passkeys");
	assert_rows("user|ada", "SELECT actor_type, actor_label FROM events WHERE kind = "
				"'session.started'");
	assert_result(E_UNAUTHENTICATED, sign_in_by(&claim, &begun));
	claim.text = authenticator_sign(&claim, &earlier);
	assert_result(E_UNAUTHENTICATED, sign_in_by(&claim, &begun));
	assert_rows("1", "SELECT COUNT(*) FROM events WHERE kind = 'session.started'");
	assert_ok(sign_in(3, &begun));
}

static void only_a_person_with_access_signs_in(void **state)
{
	(void)state;
	struct begun_session begun = { 0 };
	struct user user;
	const struct user_change off = { .is_disabled = true };
	int64_t account = add_account("one");
	const int64_t id = act_as_member(account, "ada").user.id;
	assert_ok(add("Laptop", 3));
	/* The app is not asked for. */
	execute("UPDATE users SET totp_at = NOW(), totp_secret = 'x'");
	assert_ok(sign_in(3, &begun));
	assert_int_equal(begun.user.id, id);
	assert_null(begun.step);
	assert_rows("5", "SELECT began FROM user_sessions ORDER BY began DESC LIMIT 1");
	assert_result(E_UNAUTHENTICATED, sign_in(4, &begun));
	act_as_operator();
	assert_ok(service_update_user(&service, id, &off, FIELD_SET(USER_CHANGE_DISABLED), &user));
	assert_result(E_UNAUTHENTICATED, sign_in(3, &begun));
	execute("UPDATE users SET disabled_at = NULL");
	assert_ok(sign_in(3, &begun));
	execute("UPDATE accounts SET removed_at = NOW()");
	assert_result(E_UNAUTHENTICATED, sign_in(3, &begun));
}

static void a_passkey_confirms_its_own_person(void **state)
{
	(void)state;
	int64_t account = add_account("one");
	act_as_member(account, "bea");
	assert_ok(add("Of Bea", 4));
	const struct begun_session begun = act_as_member(account, "ada");
	assert_ok(add("Of Ada", 3));
	const struct user_session session = { .user_id = service.principal.id };
	service.now.s += 700;
	for (int id_len = 3; id_len <= 4; id_len++) {
		struct passkey_claim claim = claim_now();
		const struct ceremony ceremony = ceremony_of(&claim, id_len);
		claim.text = authenticator_sign(&claim, &ceremony);
		assert_result(id_len == 3 ? OK : E_UNAUTHENTICATED,
			      service_confirm(&service, &session, begun.token, &claim));
		assert_result(E_UNAUTHENTICATED,
			      service_confirm(&service, &session, begun.token, &claim));
	}
	assert_rows("1", "SELECT confirmed_at = '2026-03-05 10:11:40' FROM user_sessions "
			 "ORDER BY confirmed_at DESC LIMIT 1");
}

static void use_link(const struct user_link *link, struct begun_session *begun)
{
	const struct link_use use = { link->kind, link->token, good, good };
	service.principal = (struct principal){ 0 };
	assert_ok(service_use_link(&service, &use, begun));
	act_as_operator();
}

static void passkeys_are_removed_by_the_person_by_recovery_and_with_the_account(void **state)
{
	(void)state;
	struct begun_session begun = { 0 };
	struct user_link link = { .kind = USER_LINK_RESET };
	int64_t account = add_account("one");
	act_as_member(account, "bea");
	assert_ok(add("Of Bea", 7));
	const int64_t id = act_as_member(account, "ada").user.id;
	const struct principal ada = service.principal;
	for (int id_len = 3; id_len <= 5; id_len++)
		assert_ok(add("Key", id_len));
	struct db_list list;
	assert_ok(user_passkey_list(db, id, &arena, &list, &error));
	const struct user_passkey *rows = list.rows;
	assert_result(E_NOT_FOUND, service_remove_passkey(&service, rows[0].id - 1));
	forget_events();
	assert_ok(service_remove_passkey(&service, rows[0].id));
	assert_string_equal(events(),
			    event_text("user.passkey_removed", id, 0, "ada; one passkey"));
	assert_rows("2|1", "SELECT passkey_count, (SELECT passkey_count FROM users WHERE name = "
			   "'bea') FROM users WHERE name = 'ada'");
	assert_result(E_UNAUTHENTICATED, sign_in(3, &begun));
	assert_ok(sign_in(4, &begun));

	act_as_key(account);
	assert_result(E_CONFLICT, service_link_user(&service, id, &link));
	act_as_operator();
	assert_ok(service_link_user(&service, id, &link));
	use_link(&link, &begun);
	assert_rows("2", "SELECT passkey_count FROM users WHERE name = 'ada'");
	link.kind = USER_LINK_RECOVER;
	assert_ok(service_link_user(&service, id, &link));
	assert_rows("2", "SELECT passkey_count FROM users WHERE name = 'ada'");
	forget_events();
	use_link(&link, &begun);
	assert_rows("1", "SELECT COUNT(*) FROM events WHERE kind = 'user.passkey_removed'");
	assert_rows("0", "SELECT passkey_count FROM users WHERE name = 'ada'");
	assert_rows("Of Bea", "SELECT name FROM user_passkeys");
	service.principal = ada;
	assert_ok(add("New", 3));

	assert_ok(removal_mark(db, account, service.now, &error));
	struct removal removal = { .account_id = account };
	while (!removal.is_done)
		assert_ok(removal_account_some(db, &removal, &error));
	assert_rows("0|0", "SELECT COUNT(*), (SELECT COUNT(*) FROM user_passkeys) FROM users");
}

static void passkeys_of_another_host_are_found(void **state)
{
	(void)state;
	struct user_passkey other;
	act_as_member(add_account("one"), "ada");
	assert_ok(add("Laptop", 3));
	assert_result(E_NOT_FOUND, user_passkey_find_elsewhere(db, "status.example.org", &arena,
							       &other, &error));
	assert_ok(user_passkey_find_elsewhere(db, "new.example.org", &arena, &other, &error));
	assert_string_equal(other.rp_id, "status.example.org");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_passkey_is_added_with_all_its_columns),
		SERVICE_TEST(each_challenge_works_once),
		SERVICE_TEST(only_a_person_with_access_signs_in),
		SERVICE_TEST(a_passkey_confirms_its_own_person),
		SERVICE_TEST(passkeys_are_removed_by_the_person_by_recovery_and_with_the_account),
		SERVICE_TEST(passkeys_of_another_host_are_found),
	};
	int failed = RUN_ON_DATABASE(tests);
	EVP_PKEY_free(key);
	return failed;
}
