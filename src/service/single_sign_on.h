/*
 * Sign-in of a person whom the web server has authenticated (the "front"). The user of a person is
 * the one whose column sso_subject has the person's identity. Names and e-mail addresses from the
 * front are not compared, because people may choose them.
 */
#ifndef SERVICE_SINGLE_SIGN_ON_H
#define SERVICE_SINGLE_SIGN_ON_H

#include "service/sign_in.h"

/* What the front tells about a person. */
struct front_person {
	const char *subject; /* the identity, compared exactly */
	const char *email;   /* NULL: not known */
	const char *groups;  /* separated by commas; NULL: not known */
};

/* Whether the identity is a text without control characters and without blanks at its ends. The
 * database ignores such blanks when it compares texts. */
bool front_subject_is_valid(const char *subject);
/*
 * Begins a session of the user with this identity. If [console] sso_create is set, an unknown
 * person becomes a user of sso_account. If sso_groups is set, the person's groups decide the role
 * in sso_account. E_UNAUTHENTICATED: no user may sign in by this identity.
 */
enum result service_sign_in_by_front(struct service *service, const struct front_person *person,
				     struct begun_session *begun) MUST_USE;

#endif
