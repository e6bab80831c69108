/* Screens of an account's people, of the person who is signed in, and of a form that a person is to
 * send again. */
#ifndef VIEW_CONSOLE_CONSOLE_PEOPLE_HTML_H
#define VIEW_CONSOLE_CONSOLE_PEOPLE_HTML_H

#include "view/console/console_form_html.h"

/* A form that was sent after its session had ended. It is shown after the sign-in, so that the
 * person can send it again. */
struct console_kept {
	const char *path; /* below the root */
	struct console_inputs inputs;
	const char *form_key; /* NULL: none */
	int64_t version;      /* 0: none */
	int64_t account_id;   /* the form's account; 0: the account of the session */
	const char *text;     /* the kept form with all its values, encoded as one text */
};
void console_kept_html(struct buf *out, const struct console_view *view,
		       const struct console_kept *kept);

struct console_confirming {
	const char *path;	       /* the path of the form, below the root */
	const struct word_value *sent; /* the sent values; a row without a name ends them */
	const char *form_key;	       /* NULL: none */
	int64_t version;     /* the version of the object when the form was made; 0: none */
	const char *problem; /* NULL: none */
	/* The person's name from the web server, if it is proof enough. NULL: the person must give
	 * a password or another proof. */
	const char *front;
};
/* Appends a screen on which people must prove who they are, before the form is accepted. */
void console_confirm_html(struct buf *out, const struct console_view *view,
			  const struct console_confirming *confirming);

struct console_sessions {
	const struct user_session *rows;
	size_t count;
	const char *path; /* below the root. PATH/ID/end ends session ID, PATH/end ends all sessions
			     except the one in use */
};

/* The screen of the person who is signed in. */
struct console_me {
	const struct user *user;
	size_t recovery_count;
	bool has_passwords; /* whether people sign in by password */
	struct console_inputs password, preferences;
	struct console_sessions sessions;
	const enum console_sentence *notice; /* NULL: none */
};
/*
 * Returns the sentence for a person whose session lacks the second factor that the account demands.
 */
enum console_sentence console_factor_text(const struct user_session *session);
void console_me_html(struct buf *out, const struct console_view *view, const struct console_me *me);

/* The screen of the person's passkeys, with a form for a new passkey. */
void console_passkeys_html(struct buf *out, const struct console_view *view,
			   const struct user_passkey *rows, size_t count,
			   const struct console_inputs *inputs);

struct console_app {
	const char *secret;
	const char *qr_code; /* the image as HTML */
	struct console_inputs inputs;
};
/* The screen that sets up an authenticator app. */
void console_app_html(struct buf *out, const struct console_view *view,
		      const struct console_app *app);
/* Appends texts that are shown only once: recovery codes, or the link for another person. `next`:
 * the path to which the link below the texts leads. */
void console_once_html(struct buf *out, const struct console_view *view,
		       enum console_sentence title, enum console_sentence text, const char *next,
		       const char *const *lines, size_t count);

/* The screen of the people of the account, with a form for a new person. */
struct console_people {
	const struct user *rows;
	size_t count;
	int64_t page; /* the page of the list, from 1 */
	bool has_more;
	struct console_inputs invite;
	/* The form that sets whether the account demands a second factor. */
	struct console_inputs factor;
	const enum console_sentence *notice; /* NULL: none */
};
void console_people_html(struct buf *out, const struct console_view *view,
			 const struct console_people *people);
/* The screen of one person of the account. */
struct console_person {
	const struct user *user;
	struct console_inputs role;
	struct console_inputs reset; /* removes the second factor, if the person has one */
	struct console_sessions sessions;
	const enum console_sentence *notice; /* NULL: none */
	const char *problem;		     /* NULL: none */
};
void console_person_html(struct buf *out, const struct console_view *view,
			 const struct console_person *person);
/* Appends the accounts of the person who is signed in. Only account_id, account_name and role of
 * the rows are used. */
void console_accounts_html(struct buf *out, const struct console_view *view,
			   const struct user_session *rows, size_t count);
void console_put_sessions(struct buf *out, const struct console_view *view,
			  const struct console_sessions *sessions);

#endif
