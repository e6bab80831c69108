/* Sign-in of people whom the web server names: whose identity a user has, and which role follows.
 */
#include "integration/lib/service.h"

#include <string.h>

#include "service/single_sign_on.h"
#include "service/users.h"

static struct begun_session begun;

static int64_t with_sso(const char *create, const char *groups)
{
	int64_t account = add_account("one");
	config.sso_account = "one";
	config.sso_create = create;
	config.sso_groups = groups;
	config.has_passwords = true;
	return account;
}

static enum result arrive(const char *subject, const char *email, const char *groups)
{
	const struct front_person person = { subject, email, groups };
	begun = (struct begun_session){ .browser = "b" };
	service.principal = (struct principal){ 0 };
	violations = (struct violations){ .arena = &arena };
	enum result result = service_sign_in_by_front(&service, &person, &begun);
	act_as_operator();
	return result;
}

static void add_user(int64_t account, const char *name, int role, const char *subject)
{
	struct user_link link = { .is_unlinked = true };
	const struct user_input input = {
		.name = name, .email = "ada@example.org", .role = role, .sso_subject = subject
	};
	assert_ok(service_add_user(&service, account, &input,
				   FIELD_SET(USER_FIELD_role, USER_FIELD_sso_subject), &link));
}

static void only_the_identity_finds_a_user(void **state)
{
	struct user_session session;
	(void)state;
	int64_t account = with_sso(CONFIG_CREATE_NO, NULL);
	add_user(account, "ada", ROLE_EDITOR, NULL);
	add_user(account, "bea", ROLE_EDITOR, "issuer ada");
	assert_result(E_UNAUTHENTICATED, arrive("ada", "ada@example.org", NULL));
	assert_result(E_UNAUTHENTICATED, arrive("Issuer ada", NULL, NULL));
	assert_result(E_UNAUTHENTICATED, arrive("issuer ada ", NULL, NULL));
	assert_rows("0", "SELECT COUNT(*) FROM user_sessions");
	assert_ok(arrive("issuer ada", NULL, NULL));
	assert_ok(user_session_find(db, begun.token, user_session_bounds(&config, service.now),
				    &arena, &session, &error));
	assert_string_equal(session.user_name, "bea");
	assert_string_equal(session.sso_subject, "issuer ada");
	assert_rows("2|user|bea; single sign-on",
		    "SELECT r.role, e.actor_type, e.detail FROM events e JOIN user_roles r ON "
		    "r.user_id = e.object_id WHERE e.kind = 'session.started'");
}

static void a_new_person_does_not_take_the_name_of_a_user(void **state)
{
	(void)state;
	int64_t account = with_sso(CONFIG_CREATE_READER, NULL);
	add_user(account, "ada@example.org", ROLE_OWNER, NULL);
	assert_ok(arrive("a", "ada@example.org", NULL));
	assert_ok(arrive("b", "bea@example.org", NULL));
	assert_ok(arrive("c", NULL, NULL));
	assert_ok(arrive("a", "other@example.org", NULL));
	assert_rows("-|ada@example.org|3\na|sso-ca978112ca1bbdca|0\nb|bea@example.org|0\nc|c|0",
		    "SELECT u.sso_subject, u.name, r.role FROM users u JOIN user_roles r "
		    "ON r.user_id = u.id ORDER BY u.id");
}

static void the_groups_set_the_role_in_their_account_alone(void **state)
{
	(void)state;
	int64_t one = with_sso(CONFIG_CREATE_NO, "admins=owner, oncall=responder");
	int64_t two = add_account("two");
	add_user(two, "ada", ROLE_EDITOR, "a");
	/* No role there without a group. */
	assert_ok(arrive("a", NULL, "staff"));
	assert_rows(arena_printf(&arena, "%ld|2", (long)two),
		    "SELECT account_id, role FROM user_roles ORDER BY account_id");
	assert_ok(arrive("a", NULL, "staff, oncall"));
	assert_rows(arena_printf(&arena, "%ld|1\n%ld|2", (long)one, (long)two),
		    "SELECT account_id, role FROM user_roles ORDER BY account_id");
	assert_ok(arrive("a", NULL, "admins,oncall"));
	/* The last owner stays. */
	assert_ok(arrive("a", NULL, NULL));
	assert_int_equal(begun.way, USER_BY_FRONT);
	assert_string_equal(begun.note, "stays the last owner");
	add_user(one, "bea", ROLE_OWNER, "b");
	assert_ok(arrive("a", NULL, NULL));
	assert_rows(arena_printf(&arena, "%ld|0\n%ld|2", (long)one, (long)two),
		    "SELECT account_id, role FROM user_roles r JOIN users u ON u.id = r.user_id "
		    "WHERE u.name = 'ada' ORDER BY account_id");
}

static void an_identity_is_text_that_comparisons_tell_apart(void **state)
{
	(void)state;
	assert_true(front_subject_is_valid("Ada König@https://id.example.org/"));
	assert_false(front_subject_is_valid(""));
	assert_false(front_subject_is_valid(" a"));
	assert_false(front_subject_is_valid("a "));
	assert_false(front_subject_is_valid("a\nb"));
	assert_false(front_subject_is_valid("a\x7f"));
	assert_false(front_subject_is_valid("\xff"));
	char text[USER_SUBJECT_MAX_CHARS + 2] = { 0 };
	memset(text, 'a', USER_SUBJECT_MAX_CHARS);
	assert_true(front_subject_is_valid(text));
	text[USER_SUBJECT_MAX_CHARS] = 'a';
	assert_false(front_subject_is_valid(text));
}

static void the_roles_of_groups_have_the_numbers_of_users(void **state)
{
	(void)state;
	for (int role = 0; user_role_words[role]; role++)
		assert_int_equal(role,
				 config_role_of_groups(
					 arena_printf(&arena, "g=%s", user_role_words[role]), "g"));
	assert_int_equal(-1, config_role_of_groups("g=owner", "G,gg,"));
	assert_int_equal(-1, config_role_of_groups("g=owner", NULL));
	assert_int_equal(-1, config_role_of_groups(NULL, "g"));
	assert_int_equal(ROLE_OWNER, config_role_of_groups("cn=g=owner", "x, cn=g"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SERVICE_TEST(only_the_identity_finds_a_user),
		SERVICE_TEST(a_new_person_does_not_take_the_name_of_a_user),
		SERVICE_TEST(the_groups_set_the_role_in_their_account_alone),
		SERVICE_TEST(an_identity_is_text_that_comparisons_tell_apart),
		SERVICE_TEST(the_roles_of_groups_have_the_numbers_of_users),
	};
	return RUN_ON_DATABASE(tests);
}
