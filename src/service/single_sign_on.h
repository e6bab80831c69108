/*
 * Sign-in of a person whom the web server's own authentication (the front) knows. The identity is
 * bound to a user by the column sso_subject alone: names and e-mail addresses of the front, which
 * people may choose, match no user.
 */
#ifndef SERVICE_SINGLE_SIGN_ON_H
#define SERVICE_SINGLE_SIGN_ON_H

#include "service/sign_in.h"

/* A person, as the front describes the person. */
struct front_person {
	const char *subject; /* the identity, compared exactly */
	const char *email;   /* NULL: not known; likewise `groups` */
	const char *groups;  /* separated by commas */
};

/* Whether the database, too, can distinguish the identity from all others: it is text without
 * control characters, and without blanks at its ends, which comparisons ignore. */
bool front_subject_is_valid(const char *subject);
/*
 * Begins a session of the user with this identity. With [console] sso_create an unknown person
 * becomes a user of sso_account; with sso_groups the role there follows from the groups.
 * E_UNAUTHENTICATED: no user may sign in by this identity.
 */
enum result service_sign_in_by_front(struct service *service, const struct front_person *person,
				     struct begun_session *begun) MUST_USE;

#endif
