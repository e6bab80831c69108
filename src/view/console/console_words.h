/*
 * All words and sentences of the console, in one table for each language. Values are named in
 * braces, as in view/words/words.h. Texts of errors at fields are those of the API.
 */
#ifndef VIEW_CONSOLE_CONSOLE_WORDS_H
#define VIEW_CONSOLE_CONSOLE_WORDS_H

#include "view/words/words.h"

enum console_sentence {
	CONSOLE_NAME,
	CONSOLE_SKIP,
	CONSOLE_SIGN_IN,
	CONSOLE_SIGN_OUT,
	CONSOLE_USER_OF, /* user, account, role */
	CONSOLE_PASSWORD,
	CONSOLE_WRONG_PASSWORD,
	CONSOLE_TOO_MANY_TRIES, /* seconds */
	CONSOLE_TOO_BUSY,
	CONSOLE_FORGOT,
	CONSOLE_WELCOME, /* user */
	CONSOLE_CHOOSE_PASSWORD,
	CONSOLE_PASSWORD_HINT,
	CONSOLE_SET_PASSWORD,
	CONSOLE_ENTER,
	CONSOLE_DEAD_LINK,
	CONSOLE_DEAD_LINK_TEXT,
	CONSOLE_PROBLEM, /* these in the order of the table in console_html.c */
	CONSOLE_403_FORM,
	CONSOLE_403,
	CONSOLE_404,
	CONSOLE_409,
	CONSOLE_429,
	CONSOLE_503,
	CONSOLE_OTHER,
	CONSOLE_BACK,
	CONSOLE_NOW,
	CONSOLE_ALL_WELL,
	CONSOLE_DOWN_NOW, /* count */
	CONSOLE_MORE,
	CONSOLE_SINCE,	 /* time, duration */
	CONSOLE_IS_DOWN, /* monitor */
	CONSOLE_NO_TITLE,
	CONSOLE_SYSTEMS,	   /* names */
	CONSOLE_CAUSE,		   /* cause */
	CONSOLE_LAST_UPDATE,	   /* text */
	CONSOLE_TAKEN,		   /* who, time */
	CONSOLE_TAKEN_BY_SOMEBODY, /* time */
	CONSOLE_NOT_TAKEN,
	CONSOLE_TAKE,
	CONSOLE_PROMISED, /* time */
	CONSOLE_OVERDUE,  /* time, duration */
	CONSOLE_UPDATE,
	CONSOLE_PHASE,
	CONSOLE_PUBLISH,
	CONSOLE_POSTED,
	CONSOLE_TAKEN_NOW,
	CONSOLE_SHOW_PAGE,
	CONSOLE_NEEDS_YOU,
	CONSOLE_NEEDS_NOTHING,
	CONSOLE_FAILED_DELIVERIES, /* count; these five in the order of struct console_needs */
	CONSOLE_SUSPENDED_CHANNELS,
	CONSOLE_SUSPENDED_SUBSCRIBERS,
	CONSOLE_UNPUBLISHED_PAGES,
	CONSOLE_CUT_OFF,       /* duration */
	CONSOLE_MIRROR_BEHIND, /* name, reason */
	CONSOLE_REPORT,
	CONSOLE_PUBLISH_INCIDENT,
	CONSOLE_REPORTED,
	CONSOLE_SEARCH_SYSTEMS,
	CONSOLE_SEARCH,
	CONSOLE_UPDATES,
	CONSOLE_NO_UPDATES,
	CONSOLE_OLDER_ON_PAGE,
	CONSOLE_REPLY,
	CONSOLE_POSTMORTEM,
	CONSOLE_POSTMORTEM_NOW,
	CONSOLE_SAVE,
	CONSOLE_SAVED,
	CONSOLE_CHANGED_MEANWHILE,
	CONSOLE_LOST_APP,
	CONSOLE_WRONG_CODE,
	CONSOLE_STEP_TOO_OLD,
	CONSOLE_TOO_MANY_CODES, /* seconds */
	CONSOLE_SESSION_ENDED,
	CONSOLE_KEPT,
	CONSOLE_KEPT_TEXT,
	CONSOLE_KEPT_ELSEWHERE,
	CONSOLE_SEND,
	CONSOLE_CHANGE_ACCOUNT,
	CONSOLE_CONFIRM,
	CONSOLE_CONFIRM_TEXT,
	CONSOLE_CONTINUE,
	CONSOLE_WRONG_CONFIRM,
	CONSOLE_FACTOR,
	CONSOLE_NO_FACTOR,
	CONSOLE_SET_UP_APP,
	CONSOLE_FACTOR_SINCE, /* time, count */
	CONSOLE_NEW_CODES,
	CONSOLE_REMOVE_APP,
	CONSOLE_SCAN,
	CONSOLE_OR_TYPE,
	CONSOLE_CODES,
	CONSOLE_CODES_TEXT,
	CONSOLE_DONE,
	CONSOLE_CHANGE_PASSWORD,
	CONSOLE_PASSWORD_CHANGED,
	CONSOLE_FACTOR_REMOVED,
	CONSOLE_SESSIONS,
	CONSOLE_NO_SESSIONS,
	CONSOLE_SESSION_OF, /* address, time, used */
	CONSOLE_UNKNOWN_BROWSER,
	CONSOLE_THIS_SESSION,
	CONSOLE_END_SESSION,
	CONSOLE_END_SESSIONS,
	CONSOLE_SESSION_GONE,
	CONSOLE_UNCHANGED,   /* the choice that leaves a value as it is */
	CONSOLE_IMPACT_NONE, /* in the order of enum incident_impact */
	CONSOLE_DEGRADED,
	CONSOLE_PARTIAL,
	CONSOLE_MAJOR,
	CONSOLE_INVESTIGATING, /* in the order of the phases of incidents */
	CONSOLE_IDENTIFIED,
	CONSOLE_MONITORING,
	CONSOLE_RESOLVED,
	CONSOLE_READER, /* in the order of enum role */
	CONSOLE_RESPONDER,
	CONSOLE_EDITOR,
	CONSOLE_OWNER,
	CONSOLE_SENTENCES
};

struct console_words {
	const char *language;  /* BCP 47 */
	const char *direction; /* "ltr", "rtl" */
	const char *sentences[CONSOLE_SENTENCES];
};

extern const struct console_words console_words_english;

/* Appends a sentence as HTML; the values are text, and are escaped. */
void console_say(struct buf *out, const struct console_words *words, enum console_sentence sentence,
		 const struct word_value *values);
/* Does the same, but the values are HTML. */
void console_say_html(struct buf *out, const struct console_words *words,
		      enum console_sentence sentence, const struct word_value *values);

#endif
