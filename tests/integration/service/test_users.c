/* The operations on users, their links and their sessions. */
#include "integration/lib/service.h"

#include <string.h>

#include "service/accounts.h"
#include "service/sign_in.h"
#include "service/resource/resource.h"
#include "service/users.h"

static const char *const good = "correct horse";

static struct user_link add_user(int64_t account, const char *name, enum role role)
{
	struct user_link link = { .kind = USER_LINK_INVITE };
	const struct user_input input = { .name = name, .role = role };
	assert_ok(service_add_user(&service, account, &input, FIELD_SET(USER_FIELD_role), &link));
	return link;
}

static enum result use(const struct user_link *link, const char *password,
		       struct begun_session *begun)
{
	const struct link_use link_use = { link->kind, link->token, password, password };
	service.principal = (struct principal){ 0 };
	violations = (struct violations){ .arena = &arena };
	enum result result = service_use_link(&service, &link_use, begun);
	act_as_operator();
	return result;
}

/* A user who has set the password. */
static struct begun_session add_member(int64_t account, const char *name, enum role role)
{
	struct begun_session begun = { 0 };
	const struct user_link link = add_user(account, name, role);
	assert_ok(use(&link, good, &begun));
	return begun;
}

static enum result sign_in(const char *name, const char *password, struct begun_session *begun)
{
	service.principal = (struct principal){ 0 };
	enum result result = service_sign_in(&service, name, password, begun);
	act_as_operator();
	return result;
}

static int64_t id_of(const char *name)
{
	struct user user;
	assert_ok(user_find(db, name, 0, &arena, &user, &error));
	return user.id;
}

static enum result disable(const char *name, struct user *user)
{
	const struct user_change change = { .is_disabled = true };
	return service_update_user(&service, id_of(name), &change, FIELD_SET(USER_CHANGE_DISABLED),
				   user);
}

static enum result find_session(const struct begun_session *begun, struct user_session *session)
{
	return user_session_find(db, begun->token, user_session_bounds(&config, service.now),
				 &arena, session, &error);
}

static void a_user_is_added_with_a_link_whose_token_is_not_stored(void **state)
{
	struct user_link link = { .kind = USER_LINK_INVITE };
	const struct user_input input = { .name = " ada ",
					  .email = "a@b.org",
					  .role = ROLE_EDITOR };
	(void)state;
	int64_t account = add_account("one");
	assert_ok(service_add_user(&service, account, &input, FIELD_SET(USER_FIELD_role), &link));
	assert_rows("ada|a@b.org|-|0|2026-03-06 10:00:00|-|-|2026-03-05 10:00:00|1",
		    "SELECT name, email, password_hash, link_kind, link_ends_at, disabled_at, "
		    "signed_in_at, created_at, link_hash = UNHEX(SHA2('%s', 256)) FROM users",
		    link.token);
	assert_rows(arena_printf(&arena, "%ld|%ld|2", (long)account, (long)link.user.id),
		    "SELECT account_id, user_id, role FROM user_roles");
	assert_string_equal(
		events(),
		arena_printf(&arena, "%s\n%s",
			     event_text("user.created", link.user.id, 0, "ada; role: editor"),
			     event_text("user.linked", link.user.id, 0, "ada")));
	assert_result(E_INVALID, service_add_user(&service, account, &(struct user_input){ 0 },
						  FIELD_SET_NONE, &link));
	assert_true(violations_has(&violations, "name"));
	assert_true(violations_has(&violations, "role"));
}

static void another_role_keeps_the_password_and_ends_the_sessions_there(void **state)
{
	struct user_session session;
	(void)state;
	int64_t one = add_account("one"), two = add_account("two");
	const struct begun_session begun = add_member(one, "ada", ROLE_READER);
	struct user_link link = { .kind = USER_LINK_INVITE };
	struct user_input input = { .name = "ADA", .role = ROLE_OWNER };
	const struct field_set sent = FIELD_SET(USER_FIELD_role);
	assert_ok(service_add_user(&service, two, &input, sent, &link));
	assert_string_equal(link.token, "");
	assert_ok(find_session(&begun, &session));
	assert_int_equal(session.role, ROLE_READER);
	assert_ok(service_add_user(&service, one, &input, sent, &link));
	assert_result(E_NOT_FOUND, find_session(&begun, &session));
	assert_result(E_CONFLICT, service_add_user(&service, one, &input, sent, &link));
	assert_rows(arena_printf(&arena, "%ld|3\n%ld|3", (long)one, (long)two),
		    "SELECT account_id, role FROM user_roles ORDER BY account_id");
	assert_rows("1", "SELECT COUNT(*) FROM users WHERE password_hash LIKE '$argon2id$%%'");
	struct resource_rows list;
	assert_ok(resource_list_after(&service, &resource_users, 0, 0, &list));
	assert_int_equal(list.count, 2);
	assert_ok(resource_list_after(&service, &resource_users, two, 0, &list));
	assert_int_equal(list.count, 1);
	assert_int_equal(((const struct user *)list.rows)->account_id, two);
}

static void a_link_works_once_and_for_a_day(void **state)
{
	struct begun_session begun = { 0 };
	struct user user;
	(void)state;
	struct user_link link = add_user(add_account("one"), "ada", ROLE_OWNER);
	assert_result(E_INVALID, use(&link, "too short", &begun));
	assert_true(violations_has(&violations, "password"));
	assert_ok(service_find_link(&service, USER_LINK_INVITE, link.token, &user));
	assert_result(E_NOT_FOUND, service_find_link(&service, USER_LINK_RESET, link.token, &user));
	assert_result(E_NOT_FOUND, service_find_link(&service, USER_LINK_ENTER, link.token, &user));
	service.now.s += USER_LINK_S;
	assert_result(E_NOT_FOUND, use(&link, good, &begun));
	service.now.s--;
	assert_ok(use(&link, good, &begun));
	assert_result(E_NOT_FOUND, use(&link, good, &begun));
	assert_result(E_NOT_FOUND, use(&(struct user_link){ 0 }, good, &begun));
	assert_rows("user|ada",
		    "SELECT actor_type, actor_label FROM events WHERE kind = 'session.started'");
}

static void a_link_that_signs_in_sets_no_password(void **state)
{
	struct begun_session begun = { 0 };
	struct user_session session;
	struct user_link link = { .kind = USER_LINK_ENTER };
	(void)state;
	add_member(add_account("one"), "ada", ROLE_OWNER);
	assert_ok(service_link_user(&service, id_of("ada"), &link));
	assert_ok(use(&link, NULL, &begun));
	assert_ok(find_session(&begun, &session));
	assert_string_equal(session.user_name, "ada");
	assert_string_equal(session.account_name, "one");
	assert_ok(sign_in("ada", good, &begun));
	assert_result(E_NOT_FOUND, service_link_user(&service, 999, &link));
}

static void another_password_ends_all_sessions(void **state)
{
	struct begun_session fresh = { 0 };
	struct user_session session;
	struct user_link link = { .kind = USER_LINK_RESET };
	(void)state;
	const struct begun_session begun = add_member(add_account("one"), "ada", ROLE_OWNER);
	assert_ok(service_link_user(&service, id_of("ada"), &link));
	assert_ok(find_session(&begun, &session));
	assert_ok(use(&link, "another horse", &fresh));
	assert_result(E_NOT_FOUND, find_session(&begun, &session));
	assert_ok(find_session(&fresh, &session));
	assert_result(E_UNAUTHENTICATED, sign_in("ada", good, &fresh));
	assert_ok(sign_in("ada", "another horse", &fresh));
}

static void only_a_user_with_the_password_and_an_account_signs_in(void **state)
{
	struct begun_session begun = { 0 };
	struct user user;
	(void)state;
	int64_t account = add_account("one");
	add_user(account, "invited", ROLE_OWNER);
	add_member(account, "ada", ROLE_OWNER);
	static const char *const cases[][2] = { { "nobody", "correct horse" },
						{ "invited", "correct horse" },
						{ "invited", NULL },
						{ "ada", "Correct horse" },
						{ "ada", NULL },
						{ NULL, NULL } };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_result(E_UNAUTHENTICATED, sign_in(cases[i][0], cases[i][1], &begun));
	assert_ok(sign_in("ada", good, &begun));
	assert_rows("1", "SELECT signed_in_at IS NOT NULL FROM users WHERE name = 'ada'");
	assert_ok(disable("ada", &user));
	assert_result(E_UNAUTHENTICATED, sign_in("ada", good, &begun));
	struct user_link link = { .kind = USER_LINK_RESET };
	assert_ok(service_link_user(&service, id_of("ada"), &link));
	/* The link enables the person when it is used. */
	assert_result(E_UNAUTHENTICATED, sign_in("ada", good, &begun));
	assert_ok(use(&link, good, &begun));
	assert_ok(sign_in("ada", good, &begun));
	assert_ok(service_link_user(&service, id_of("ada"), &link));
	execute("UPDATE accounts SET removed_at = NOW()");
	assert_result(E_UNAUTHENTICATED, sign_in("ada", good, &begun));
	assert_result(E_NOT_FOUND, use(&link, good, &begun));
}

/* wrapped: crypto_pwhash */
/* How often passwords were hashed, and the work of the last hash. */
static struct hashing {
	int count;
	unsigned long long passes;
	size_t bytes;
	int algorithm;
} hashing;

int __real_crypto_pwhash(unsigned char *out, unsigned long long out_len, const char *password,
			 unsigned long long len, const unsigned char *salt,
			 unsigned long long passes, size_t bytes, int algorithm);
int __wrap_crypto_pwhash(unsigned char *out, unsigned long long out_len, const char *password,
			 unsigned long long len, const unsigned char *salt,
			 unsigned long long passes, size_t bytes, int algorithm);

int __wrap_crypto_pwhash(unsigned char *out, unsigned long long out_len, const char *password,
			 unsigned long long len, const unsigned char *salt,
			 unsigned long long passes, size_t bytes, int algorithm)
{
	hashing = (struct hashing){ hashing.count + 1, passes, bytes, algorithm };
	return __real_crypto_pwhash(out, out_len, password, len, salt, passes, bytes, algorithm);
}

/* The hashing of a refused sign-in. */
static struct hashing refuse(const char *name)
{
	struct begun_session begun = { 0 };
	hashing = (struct hashing){ 0 };
	assert_result(E_UNAUTHENTICATED, sign_in(name, "wrong horse", &begun));
	return hashing;
}

static void a_refused_sign_in_hashes_a_password_whoever_is_named(void **state)
{
	static const char *const names[] = { "nobody", "invited", "gone", "\u00e1da", "" };
	struct user user;
	(void)state;
	int64_t account = add_account("one");
	add_user(account, "invited", ROLE_READER);
	add_member(account, "gone", ROLE_READER);
	assert_ok(disable("gone", &user));
	add_member(account, "ada", ROLE_READER);
	struct hashing of_known = refuse("ada");
	assert_int_equal(of_known.count, 1);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct hashing of_name = refuse(names[i]);
		if (of_name.count != 1 || of_name.passes != of_known.passes ||
		    of_name.bytes != of_known.bytes || of_name.algorithm != of_known.algorithm)
			fail_msg("'%s': %d hashes of %llu passes", names[i], of_name.count,
				 of_name.passes);
	}
}

static void a_session_ends(void **state)
{
	struct user_session session;
	struct user user;
	(void)state;
	int64_t account = add_account("one");
	config.session_idle_hours = 3;
	config.session_days = 4;
	const int64_t idle_s = config.session_idle_hours * 3600, most_s = 4 * 24 * 3600;
	struct begun_session begun = add_member(account, "ada", ROLE_OWNER);
	assert_rows("1", "SELECT token_hash = UNHEX(SHA2('%s', 256)) FROM user_sessions",
		    begun.token);
	struct instant now = service.now;
	service.now.s += idle_s - 1;
	assert_ok(find_session(&begun, &session));
	service.now.s++;
	assert_result(E_NOT_FOUND, find_session(&begun, &session));
	for (int turn = 1; turn <= 32; turn++) {
		service.now.s = now.s + turn * (idle_s - 1);
		assert_ok(find_session(&begun, &session));
		assert_true(user_session_wants_touch(&session, service.now));
		assert_ok(user_session_touch(db, begun.token, service.now, &error));
	}
	service.now.s = now.s + most_s;
	assert_result(E_NOT_FOUND, find_session(&begun, &session));
	assert_ok(user_sessions_prune(db, user_session_bounds(&config, service.now).used_after,
				      &error));
	assert_rows("1", "SELECT COUNT(*) FROM user_sessions");
	service.now.s += idle_s;
	assert_ok(user_sessions_prune(db, user_session_bounds(&config, service.now).used_after,
				      &error));
	assert_rows("0", "SELECT COUNT(*) FROM user_sessions");
	assert_ok(sign_in("ada", good, &begun));
	assert_ok(find_session(&begun, &session));
	service.principal = user_principal(&session);
	assert_ok(service_sign_out(&service, begun.token));
	assert_result(E_NOT_FOUND, find_session(&begun, &session));
	act_as_operator();
	assert_ok(sign_in("ada", good, &begun));
	assert_ok(disable("ada", &user));
	assert_result(E_NOT_FOUND, find_session(&begun, &session));
}

static enum result demand(int64_t account, bool is_demanded)
{
	struct account shown;
	violations = (struct violations){ .arena = &arena };
	return service_demand_factor(&service, account, is_demanded, &shown);
}

static void a_second_factor_is_demanded_by_who_has_one(void **state)
{
	struct begun_session begun = { 0 };
	struct user_session session;
	(void)state;
	int64_t account = add_account("one"), other = add_account("other");
	add_member(account, "ada", ROLE_OWNER);
	assert_ok(sign_in("ada", good, &begun));
	assert_ok(find_session(&begun, &session));
	assert_int_equal(session.began, USER_BY_PASSWORD);
	service.principal = user_principal(&session);
	assert_result(E_INVALID, demand(account, true));
	assert_true(violations_has(&violations, "needs_second_factor"));
	execute("UPDATE users SET totp_at = '2026-03-01'");
	assert_ok(find_session(&begun, &session));
	assert_false(user_session_lacks_factor(&session));
	service.principal = user_principal(&session);
	forget_events();
	assert_result(E_NOT_FOUND, demand(other, true));
	assert_ok(demand(account, true));
	assert_ok(demand(account, true));
	assert_rows("1\n0", "SELECT needs_second_factor FROM accounts ORDER BY id");
	assert_rows("account.updated|ada|needs_second_factor: true",
		    "SELECT kind, actor_label, detail FROM events");
	/* What removes the factor keeps no owner from ending the demand, by the operator. */
	execute("UPDATE users SET totp_at = NULL");
	assert_ok(find_session(&begun, &session));
	assert_true(user_session_lacks_factor(&session));
	act_as_key(account);
	assert_result(E_INVALID, demand(account, true));
	service.principal.role = ROLE_EDITOR;
	assert_result(E_FORBIDDEN, demand(account, false));
	act_as_operator();
	assert_ok(demand(account, false));
	assert_ok(demand(account, true));
	assert_result(E_NOT_FOUND, demand(999999, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(a_user_is_added_with_a_link_whose_token_is_not_stored),
		SERVICE_TEST(another_role_keeps_the_password_and_ends_the_sessions_there),
		SERVICE_TEST(a_link_works_once_and_for_a_day),
		SERVICE_TEST(a_link_that_signs_in_sets_no_password),
		SERVICE_TEST(another_password_ends_all_sessions),
		SERVICE_TEST(only_a_user_with_the_password_and_an_account_signs_in),
		SERVICE_TEST(a_refused_sign_in_hashes_a_password_whoever_is_named),
		SERVICE_TEST(a_session_ends),
		SERVICE_TEST(a_second_factor_is_demanded_by_who_has_one),
	};
	return RUN_ON_DATABASE(tests);
}
