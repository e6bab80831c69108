/*
 * All words and sentences that visitors read, in one table for each language.
 *
 * A sentence names its values in braces: "{down} of {total} systems are down". A sentence that
 * counts has a form for each plural category of the language (Unicode CLDR, language plural rules).
 * English sentences are in words_english.c, translations in po/page/, and names of months and the
 * like in languages.c. tests/unit/view/test_words fails if a plural form or a value is missing. The
 * lint reports sentences without a translation, which are shown in English.
 *
 * The keywords of the JSON files and of the API are not in the tables, because programs read them.
 */
#ifndef VIEW_WORDS_WORDS_H
#define VIEW_WORDS_WORDS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"

enum sentence {
	/* The state of all systems: in the banner, titles and badges. */
	SAY_NO_SYSTEMS,
	SAY_NO_DATA_YET,
	SAY_NO_DATA_NOW, /* the systems were observed before */
	SAY_ALL_OPERATIONAL,
	SAY_KNOWN_OPERATIONAL,
	SAY_ALL_MAINTAINED, /* the first of four, in the order of enum system_state */
	SAY_ALL_DEGRADED,
	SAY_ALL_PARTLY_DOWN,
	SAY_ALL_DOWN,
	SAY_ARE_MAINTAINED, /* the first of four with {systems}; plural by the number of systems */
	SAY_ARE_DEGRADED,
	SAY_ARE_PARTLY_DOWN,
	SAY_ARE_DOWN,
	SAY_TWO_SYSTEMS,      /* {first}, {second}: fills {systems} if there are two systems */
	SAY_SYSTEM_AND_MORE,  /* {first}, {count}; plural by {count} */
	SAY_MAINTENANCE_NOW,  /* {title} */
	SAY_MAINTENANCE_SOON, /* {title}, {times}: a window that begins within a day */
	SAY_SYSTEMS_AFFECTED, /* {count}, {total}; plural by {count} */
	/* {count}, {total}; plural by {count}. {count}: see page_count_unobserved(). */
	SAY_SYSTEMS_WITHOUT_DATA,
	/* A system and its bars. */
	SAY_SYSTEMS,
	SAY_NO_DATA, /* the first of six, in the order of enum system_state */
	SAY_OPERATIONAL,
	SAY_UNDER_MAINTENANCE,
	SAY_DEGRADED,
	SAY_PARTLY_DOWN,
	SAY_DOWN,
	SAY_COUNT_OPERATIONAL, /* {count}, {total}: systems of a group */
	SAY_ONLY_PROBLEMS,     /* the first of three for the search on a page with many systems */
	SAY_FIND_SYSTEM,
	SAY_NO_SUCH_SYSTEM,
	SAY_UPTIME_IN_DAYS, /* {percent}, {days}; plural by {days} */
	SAY_UPTIME_SINCE,   /* {percent}, {date} */
	SAY_PERCENT,	    /* {percent} */
	SAY_PERCENT_UPTIME, /* {percent} */
	SAY_LOWEST_UPTIME,  /* {percent}: the lowest in a group */
	SAY_LOWEST_SINCE,   /* {percent}, {date} */
	SAY_UPTIME,	    /* the label of a badge */
	SAY_DAYS_AGO,	    /* {days}; plural by {days} */
	SAY_TODAY,
	SAY_BARS_MEAN, /* {zone}: a bar is a day in this time zone */
	SAY_ONLY_OUTAGES_COUNT,
	SAY_BAR_UP, /* the first of six for the legend */
	SAY_BAR_SOME_DOWN,
	SAY_BAR_DOWN,
	SAY_BAR_EXCLUDED,
	SAY_BAR_DEGRADED,
	SAY_BAR_MAINTENANCE,
	SAY_DAY_IS,	 /* {date}, {what} */
	SAY_DAY_NO_DATA, /* from here to SAY_DAY_GAP_NOW: what happened on a day */
	SAY_DAY_UP,
	SAY_DAY_MAINTENANCE,
	SAY_DAY_DEGRADED, /* {duration}, as in SAY_DAY_PARTLY_DOWN */
	SAY_DAY_PARTLY_DOWN,
	SAY_DAY_DEGRADED_NOW, /* {time} of the start, as in the next two sentences */
	SAY_DAY_PARTLY_DOWN_NOW,
	SAY_DAY_DOWN_NOW,
	SAY_DAY_DOWN, /* {duration} */
	SAY_DAY_EXCLUDED_NOW,
	SAY_DAY_EXCLUDED,   /* {duration} */
	SAY_DAY_INCIDENTS,  /* {count}; plural by {count} */
	SAY_AND_MORE,	    /* {first}: an incident; {count}: more incidents */
	SAY_DAY_GAP,	    /* {duration} without data */
	SAY_DAY_GAP_NOW,    /* {time}: the start of the gap, which has not ended */
	SAY_DOWNTIME_TABLE, /* opens the table of the bars */
	SAY_DAYS_HEADING,   /* {zone} */
	SAY_DOWNTIME,
	SAY_RESPONSE_TIME, /* {milliseconds} */
	SAY_MILLISECONDS,  /* {milliseconds} */
	SAY_RESPONSE_TABLE,
	SAY_HOURS_HEADING, /* {zone} */
	SAY_AVERAGE,
	SAY_SLOWEST,
	/* An incident. */
	SAY_WERE_DEGRADED, /* the first of three with {systems}; plural by the number of systems */
	SAY_WERE_PARTLY_DOWN,
	SAY_WERE_DOWN,
	SAY_MONITOR_AND_TITLE, /* {monitor}, {title} */
	SAY_IMPACT_NONE,       /* for other impacts, the words for states of systems are used */
	SAY_INVESTIGATING,     /* the first of nine, in the order of enum update_phase */
	SAY_IDENTIFIED,
	SAY_MONITORING,
	SAY_PHASE_RESOLVED,
	SAY_SCHEDULED,
	SAY_IN_PROGRESS,
	SAY_VERIFYING,
	SAY_COMPLETED,
	SAY_CANCELLED,
	SAY_RESOLVED,	     /* {duration}, {times} */
	SAY_NOT_RESOLVED,    /* {start} */
	SAY_BEING_WORKED_ON, /* {time} */
	SAY_SO_FAR,	     /* {duration}: "for more than 15 min" */
	SAY_NEXT_UPDATE,     /* {time} */
	SAY_UPDATE_OVERDUE,  /* {time} */
	SAY_EDITED,	     /* {time} */
	SAY_UPDATES,
	SAY_EARLIER_UPDATES, /* {count}; plural by {count} */
	SAY_ALL_UPDATES,     /* {count}; plural by {count} */
	SAY_NEWEST_UPDATES,  /* {count}, {total} */
	SAY_AFFECTED_SYSTEMS,
	SAY_FROM_MONITORING,
	SAY_POSTMORTEM,
	SAY_STARTED,
	SAY_ENDED,
	SAY_DURATION,
	SAY_IMPACT,
	SAY_NOT_IN_UPTIME,
	SAY_SHOW_ALL,
	SAY_SHOW_LESS,
	SAY_TITLE_AND_STATUS, /* {title}, {status} */
	SAY_OPEN_INCIDENTS,
	SAY_INCIDENTS,
	SAY_LAST_DAYS, /* {days}, {zone}; plural by {days} */
	SAY_NO_INCIDENTS,
	SAY_NO_INCIDENTS_ON, /* {dates} */
	SAY_IS_OPEN,	     /* {date} of the start, as in the next two sentences */
	SAY_ENDED_THIS_DAY,  /* {date} */
	SAY_WENT_ON,	     /* {date} */
	SAY_MORE,	     /* {count} */
	/* Maintenance. */
	SAY_MAINTENANCE,
	SAY_UPCOMING_MAINTENANCE,
	SAY_WINDOW,	 /* {times}, {duration} */
	SAY_LATER_DATES, /* {count}; plural by {count} */
	/* The history. */
	SAY_MONTH_BY_MONTH,
	SAY_OTHER_MONTHS,
	SAY_CURRENT_STATE,
	SAY_LATER_MONTH,     /* {month} */
	SAY_EARLIER_MONTH,   /* {month} */
	SAY_OLDER_INCIDENTS, /* {count} */
	SAY_MONTH_IS_UTC,    /* a note below a month, if the page's time zone is not UTC */
	SAY_SEARCH_HISTORY,
	SAY_SEARCH,
	SAY_WORDS_OF_TITLE,
	SAY_NOTHING_FOUND,
	SAY_NEWEST_FOUND, /* {count}: the shown titles; there may be more */
	/* The report of a month. */
	SAY_REPORT,
	SAY_REPORT_OF,	    /* {month} */
	SAY_REPORT_UNTIL,   /* {time} */
	SAY_OUTAGES,	    /* the heading of numbers */
	SAY_EXCLUDED,	    /* the heading of times */
	SAY_IN_MAINTENANCE, /* {duration} */
	SAY_KNOWN_SINCE,    /* {time} */
	SAY_NO_MAINTENANCE,
	SAY_REPORT_RULES,
	SAY_REPORT_CSV,
	/* Around the content. */
	SAY_STATUS,	     /* the word that a page's name may end in; also the label of a badge */
	SAY_NAME_AND_STATUS, /* {name} */
	SAY_PART_OF_TITLE,   /* {part}, {page} */
	SAY_LAST_CHANGE,     /* {time} */
	SAY_REFRESH,
	SAY_PAUSE_REFRESH,
	SAY_OWN_TIME, /* {zone} of the visitor */
	SAY_SKIP_TO_CONTENT,
	SAY_LINKS,
	SAY_WEBSITE,
	SAY_CONTACT,
	SAY_SUBSCRIBE,
	SAY_FEED,
	SAY_FEED_TEXT,
	SAY_CALENDAR,
	SAY_CALENDAR_TEXT,
	SAY_JSON,
	/* Messages to subscribers, and their subscriptions. */
	SAY_MAIL_SUBJECT, /* {page}, {title} */
	SAY_SEVERAL_NEWS, /* {count}; plural by {count} */
	SAY_BEGINS_SOON,
	SAY_MAINTENANCE_CHANGED,
	SAY_OPEN_STATUS_PAGE,
	SAY_MAIL_WHY, /* {page} */
	SAY_MANAGE,
	SAY_CONFIRM_SUBJECT, /* {page} */
	SAY_CONFIRM_TEXT,
	SAY_CONFIRM_IGNORE,
	SAY_ALREADY_SUBSCRIBED, /* {page} */
	SAY_SUBSCRIBE_ADDRESS,
	SAY_ONLY_SYSTEMS,
	SAY_SLACK_TEXT,
	SAY_COPY,
	SAY_COPIED,
	SAY_ASKED,
	SAY_ASKED_TEXT,
	SAY_ADDRESS_WRONG,
	SAY_CONFIRM,
	SAY_SUBSCRIPTION,
	SAY_SAVE,
	SAY_SAVED,
	SAY_UNSUBSCRIBE,
	SAY_UNSUBSCRIBED,
	SAY_UNSUBSCRIBED_TEXT,
	SAY_LINK_NOT_VALID,
	SAY_SUBSCRIBE_LATER,
	/* Times. */
	SAY_TIME,		  /* {day}, {month} (short), {year}, {hour}, {minute}, {zone} */
	SAY_TIME_SHORT,		  /* SAY_TIME without {zone}, for the first of two times */
	SAY_TIME_OF_DAY,	  /* {hour}, {minute}, {zone} */
	SAY_TIME_OF_DAY_SHORT,	  /* {hour}, {minute} */
	SAY_DATE,		  /* {day}, {month} (short), {year} */
	SAY_DAYS_OF_MONTH,	  /* {from} and {to}: numbers of days; {month} (short), {year} */
	SAY_DAYS_OF_YEAR,	  /* {from}, {from_month}, {to}, {to_month} (short), {year} */
	SAY_FROM_TO,		  /* {from} and {to}: dates or times */
	SAY_MONTH,		  /* {month} (long), {year} */
	SAY_DURATION_DAYS,	  /* {days}, {hours}; plural by {days} */
	SAY_DURATION_WHOLE_DAYS,  /* {days}; plural by {days} */
	SAY_DURATION_HOURS,	  /* {hours}, {minutes} */
	SAY_DURATION_WHOLE_HOURS, /* {hours} */
	SAY_DURATION_MINUTES,	  /* {minutes} */
	SAY_DURATION_SECONDS,	  /* {seconds} */
	/* The service's own pages. */
	SAY_PASSWORD,
	SAY_HAS_PASSWORD,
	SAY_SHOW_PAGE,
	SAY_WRONG_PASSWORD,
	SAY_TOO_MANY_TRIES,
	SAY_TOO_MANY_VISITORS,
	SAY_NOT_FOUND,
	SAY_NO_SUCH_PAGE,
	SAY_PAGE_MAY_HAVE_MOVED,
	SAY_NO_PAGE_HERE,
	SAY_OWN_ADDRESSES,
	SAY_STATUS_PAGES,
	SAY_NO_PAGES_YET,
	SAY_REQUEST_IN_LOG, /* {id} */
	/* A heading and a text for each HTTP status of a failure. */
	SAY_400,
	SAY_400_TEXT,
	SAY_405,
	SAY_405_TEXT,
	SAY_408,
	SAY_408_TEXT,
	SAY_413,
	SAY_413_TEXT,
	SAY_415,
	SAY_415_TEXT,
	SAY_422,
	SAY_422_TEXT,
	SAY_429,
	SAY_429_TEXT,
	SAY_500,
	SAY_500_TEXT,
	SAY_503,
	SAY_503_TEXT,
	SENTENCES
};

/* The plural categories of CLDR; every language has PLURAL_OTHER. */
enum plural { PLURAL_OTHER, PLURAL_ZERO, PLURAL_ONE, PLURAL_TWO, PLURAL_FEW, PLURAL_MANY, PLURALS };

/* The word in this language for an abbreviation from the time zone database. */
struct zone_word {
	const char *abbreviation;
	const char *word;
};

struct words {
	const char *language;  /* BCP 47, for the lang attribute: "en", "pt-BR" */
	const char *direction; /* for the dir attribute: "ltr", "rtl" */
	enum plural (*plural_of)(size_t count);
	const char *months[12];
	const char *short_months[12];
	const char *weekdays[7]; /* one to three letters each, Monday first */
	const char *decimal_point;
	/* Words for time zones; the last row has only NULL. NULL: the language uses the
	 * abbreviations of the time zone database. */
	const struct zone_word *zones;
	/* The forms of each sentence. A sentence that does not count has only PLURAL_OTHER. */
	const char *const (*sentences)[PLURALS];
};

/* All languages, in the order of status_page_languages. */
extern const struct words *const words_tables[];
extern const size_t words_table_count;

/* Sets words_tables[at] to `words`, which is borrowed; NULL: restores the built-in table. Only for
 * words_file.c. */
void words_replace(size_t at, const struct words *words);

/* Returns the table of the first language, which the service's own pages use. */
const struct words *words_of_service(void);
/* Returns the table of a language such as "de"; if there is none, that of the first language. */
const struct words *words_of_language(const char *language);

/* A value for a name in braces. */
struct word_value {
	const char *name;
	const char *text;
};
#define WORD_VALUES(...) ((const struct word_value[]){ __VA_ARGS__, { NULL, NULL } })

/* Returns the text of a sentence that does not count and has no values. */
const char *words_say(const struct words *words, enum sentence sentence);

/*
 * Fill in the values of a sentence, in the plural form for `count`. words_text() returns plain
 * text, owned by the arena. words_html() appends HTML: it escapes the words, but the values must be
 * HTML.
 */
const char *words_text(const struct words *words, enum sentence sentence, size_t count,
		       const struct word_value *values, struct arena *arena);
void words_html(struct buf *out, const struct words *words, enum sentence sentence, size_t count,
		const struct word_value *values);
/* Appends a sentence without values as HTML. */
void words_put(struct buf *out, const struct words *words, enum sentence sentence);
/* Appends a sentence without values in an element without attributes, and ends the line. */
void words_put_element(struct buf *out, const struct words *words, const char *element,
		       enum sentence sentence);

#endif
