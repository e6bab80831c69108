/*
 * All sentences of the console in English, and their translations, which po/ has. Values are named
 * in braces, as in view/words/words.h. Texts of errors at fields are those of the API.
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
	CONSOLE_ME,
	CONSOLE_PEOPLE,
	CONSOLE_INVITE,
	CONSOLE_MORE_PEOPLE,
	CONSOLE_PERSON_DELETED,
	CONSOLE_PERSON_LINK,
	CONSOLE_PERSON_LINK_TEXT,
	CONSOLE_PERSON_LINK_APP,
	CONSOLE_DISABLED,
	CONSOLE_NO_PASSWORD,
	CONSOLE_HAS_APP,
	CONSOLE_HAS_PASSWORD,
	CONSOLE_LAST_SIGN_IN, /* time */
	CONSOLE_NO_SIGN_IN,
	CONSOLE_SAVE_ROLE,
	CONSOLE_ACCESS,
	CONSOLE_ACCESS_TEXT,
	CONSOLE_RESET,
	CONSOLE_ENABLE,
	CONSOLE_DISABLE,
	CONSOLE_DELETE_PERSON,
	CONSOLE_PRESENT_ACCOUNT,
	CONSOLE_WORK_HERE,
	CONSOLE_INCIDENTS,
	CONSOLE_MAINTENANCE,
	CONSOLE_ADD_MAINTENANCE,
	CONSOLE_MONITORS,
	CONSOLE_ADD_MONITOR,
	CONSOLE_CHECK_NOW,
	CONSOLE_RETIRE,
	CONSOLE_DELETE,
	CONSOLE_GRAVE,
	CONSOLE_PAGES,
	CONSOLE_ADD_PAGE,
	CONSOLE_GENERAL,
	CONSOLE_DESIGN,
	CONSOLE_PAGE_SYSTEMS,
	CONSOLE_PLACE,
	CONSOLE_PLACE_TEXT,
	CONSOLE_PAGE_ACCESS,
	CONSOLE_SUBSCRIBERS,
	CONSOLE_ADD_SUBSCRIBER,
	CONSOLE_PAGE_LINKS,
	CONSOLE_ADD_LINK,
	CONSOLE_WITHDRAW,
	CONSOLE_TEMPLATES,
	CONSOLE_ADD_TEMPLATE,
	CONSOLE_TEMPLATE,
	CONSOLE_USE_TEMPLATE,
	CONSOLE_CHANNELS,
	CONSOLE_ADD_CHANNEL,
	CONSOLE_SEND_TEST,
	CONSOLE_DELIVERIES,
	CONSOLE_SEND_AGAIN,
	CONSOLE_KEYS,
	CONSOLE_ADD_KEY,
	CONSOLE_REVOKE,
	CONSOLE_AUDIT,
	CONSOLE_MORE_SCREENS,
	CONSOLE_MORE_SETTINGS,
	CONSOLE_BY_API,
	CONSOLE_NONE_FOUND,
	CONSOLE_PREVIOUS,
	CONSOLE_NEXT,
	CONSOLE_CHOOSE,
	CONSOLE_RESULT,
	CONSOLE_RESULT_ONCE,
	CONSOLE_STORED_NOW, /* value */
	CONSOLE_OBJECT_CHANGED,
	CONSOLE_ACCEPTED,
	CONSOLE_DELETED,
	CONSOLE_ADDED,
	CONSOLE_YES,
	CONSOLE_NO,
	CONSOLE_ANY, /* the choice that filters nothing */
	CONSOLE_IN_SECONDS,
	CONSOLE_PUBLIC, /* in the order of status_page_privacy_words */
	CONSOLE_PRIVATE,
	CONSOLE_BY_PASSWORD,
	CONSOLE_NO_PROMISE,
	CONSOLE_KEEP_PROMISE, /* time */
	CONSOLE_WITHDRAW_PROMISE,
	CONSOLE_IN_30_MINUTES, /* time; in the order of put_time() */
	CONSOLE_IN_1_HOUR,
	CONSOLE_IN_4_HOURS,
	CONSOLE_IN_1_DAY,
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

extern const char *const console_sentences[CONSOLE_SENTENCES];

/* A language; English has no translations. */
struct console_words {
	const char *language; /* BCP 47 */
	/* Pairs: an English text, by which the pairs are sorted, and the translation. */
	const char *const (*translations)[2];
	size_t count;
};

extern const struct console_words console_words_english;
/* The other languages: tools/embed-po writes them. */
extern const struct console_words console_languages[];
extern const size_t console_language_count;

/* English if the console does not have the language. */
const struct console_words *console_words_of(const char *language);
/* The translation of a sentence, a label or a word of a choice; NULL: there is none. */
const char *console_translation(const struct console_words *words, const char *english);
/* The same, or the English text. */
const char *console_translate(const struct console_words *words, const char *english);

/* Appends a sentence as HTML; the values are text, and are escaped. */
void console_say(struct buf *out, const struct console_words *words, enum console_sentence sentence,
		 const struct word_value *values);
/* Does the same, but the values are HTML. */
void console_say_html(struct buf *out, const struct console_words *words,
		      enum console_sentence sentence, const struct word_value *values);

#endif
