/* The checks of `daymarkctl check-config` and `daymarkctl doctor`. */
#ifndef CTL_CHECK_CHECKS_H
#define CTL_CHECK_CHECKS_H

#include "ctl/ctl.h"
#include "publish/folder/pages_dir.h"

struct check {
	enum result result;
	const char *detail; /* the finding, in words */
	bool is_warning;    /* the finding is allowed, but probably a mistake */
	bool is_skipped;    /* not checked; the detail has the reason */
	const char *fix;    /* what the operator should do, if possible a command; NULL: nothing */
	const char *what;   /* set by checks_add() */
};

enum { CHECKS_MAX = 64 };
struct checks {
	struct ctl *ctl;
	struct check rows[CHECKS_MAX];
	size_t count;
};
/* Adds the check under the name `what`. Clears ctl->error for the next check. */
void checks_add(struct checks *checks, const char *what, struct check check);

/* Return the result of a check: the first for a fault, the second for a probable mistake. `fix` may
 * be NULL. */
struct check check_fault(struct ctl *ctl, const char *fix, const char *format, ...)
	PRINTF_LIKE(3, 4);
struct check check_warning(struct ctl *ctl, const char *fix, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* Returns the result of a check that could not be made. The reason comes from ctl->error. */
struct check check_failure(struct ctl *ctl, enum result result);

/* Prints all checks. Returns the exit status. */
int checks_report(const struct ctl *ctl, const struct checks *checks);

/* Returns the name of the user; "the service's user" if the name is unknown. */
const char *checks_user_name(uid_t uid);

/* The following functions make some checks and add them to `checks`. */
void checks_of_configuration(struct ctl *ctl, struct checks *checks);
/* Checks whether migrate_user can log in, and whether another installation uses the database. */
void checks_of_installation(struct ctl *ctl, struct checks *checks);
/* Checks the database. Returns false if the database cannot be reached. */
bool checks_of_database(struct ctl *ctl, struct checks *checks);
void checks_of_files(struct ctl *ctl, struct checks *checks);
/* Checks whether other users may read the signing key, private pages, or the files for mirrors. */
void checks_of_secret_files(struct ctl *ctl, struct checks *checks);
/* Returns the name of the first folder in `place`; NULL: `place` is empty or unreadable. */
const char *checks_first_folder(struct ctl *ctl, const struct pages_dir *dir,
				enum pages_place place);
void checks_of_work(struct ctl *ctl, struct checks *checks);
/* Checks the sending of messages. Adds nothing if no messages are sent. */
void checks_of_messages(struct ctl *ctl, struct checks *checks);
/* If messages are sent by e-mail, checks the DNS records of the sender's domain. Only warns. Needs
 * no database. */
void checks_of_mail(struct ctl *ctl, struct checks *checks);
/* Checks the files of pages, on an origin or on a mirror. Needs no database. */
void checks_of_page_files(struct ctl *ctl, struct checks *checks);
void checks_of_mirrors(struct ctl *ctl, struct checks *checks);
/* Sends requests to base_url, as visitors do. Returns whether visitors get a public page. */
bool checks_of_web_server(struct ctl *ctl, struct checks *checks);
/* Checks whether the web server's user may use the socket, judging by the socket's group. */
void checks_of_socket(struct ctl *ctl, struct checks *checks);
/* Checks whether the web server's user may read public pages, judging by the modes of folders. */
void checks_of_public_folders(struct ctl *ctl, struct checks *checks);

#endif
