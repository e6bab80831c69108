#include "view/html.h"

#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "domain/page/uptime.h"
#include "view/words/time_text_cache.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/*
 * Returns the replacement for the character at `text`, and sets *len to the character's length in
 * bytes. NULL: the character stays. The text ends in a NUL.
 *
 * XML 1.0 (2.2) forbids control characters, U+FFFE (EF BF BE in UTF-8) and U+FFFF (EF BF BF), but
 * allows the last two characters of the other planes. cmark writes the references &#xfffe; and
 * &#xffff; as the bytes FE and FF, which are invalid in UTF-8.
 */
static const char *reference_of(const char *text, size_t *len)
{
	*len = 1;
	switch (text[0]) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\xfe':
	case '\xff':
		return REPLACEMENT;
	case '\xef':
		if (text[1] != '\xbf' || (text[2] != '\xbe' && text[2] != '\xbf'))
			return NULL;
		*len = 3;
		return REPLACEMENT;
	default:
		return (unsigned char)text[0] < ' ' && text[0] != '\t' && text[0] != '\n' ? " "
											  : NULL;
	}
}

/* Appends the text. Replaces each character for which reference_of() has a replacement, but not
 * those in `kept`. */
static void put_replaced(struct buf *out, const char *text, const char *kept)
{
	const char *from = text;
	while (*text) {
		size_t len;
		const char *reference = reference_of(text, &len);
		if (reference && !strchr(kept, *text)) {
			buf_add(out, from, (size_t)(text - from));
			buf_puts(out, reference);
			from = text + len;
		}
		text += len;
	}
	buf_add(out, from, (size_t)(text - from));
}

void html_text(struct buf *out, const char *text)
{
	put_replaced(out, text, "");
}

void html_clean(struct buf *out, const char *html)
{
	put_replaced(out, html, "&<>\"");
}

void html_attr(struct buf *out, const char *text)
{
	html_text(out, text);
}

bool html_is_safe_url(const char *url)
{
	return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0 ||
	       strncasecmp(url, "mailto:", 7) == 0;
}

void html_url(struct buf *out, const char *url)
{
	html_text(out, html_is_safe_url(url) ? url : "#");
}

static const char *say(const struct locale *locale, enum sentence sentence, size_t count,
		       const struct word_value *values, struct arena *arena)
{
	enum { SENTENCE_MAX_BYTES = 1024 };
	struct buf html CLEANUP(buf_done) = BUF_INIT(SENTENCE_MAX_BYTES);
	words_html(&html, locale->words, sentence, count, values);
	if (!buf_ok(&html))
		die("html: a time of more than %d bytes", SENTENCE_MAX_BYTES);
	return arena_strndup(arena, html.data, html.len);
}

/* Returns the number in decimal, with leading zeros up to min_digits. printf() would be slower. */
static const char *digits(struct arena *arena, int64_t number, size_t min_digits)
{
	char text[24], *at = text + sizeof(text) - 1;
	/* A number below 0 becomes 0. */
	if (number < 0)
		number = 0;
	*at = '\0';
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0 || (size_t)(text + sizeof(text) - 1 - at) < min_digits);
	return arena_strdup(arena, at);
}

enum time_form { TIME_WHOLE, TIME_WITHOUT_ZONE, TIME_OF_DAY, TIME_OF_DAY_WITHOUT_ZONE };

static const char *time_in(const struct locale *locale, struct instant at, enum time_form form,
			   struct arena *arena)
{
	static const enum sentence sentences[] = { SAY_TIME, SAY_TIME_SHORT, SAY_TIME_OF_DAY,
						   SAY_TIME_OF_DAY_SHORT };
	/* The class "hm" tells the script to show the day only if it differs from the day of the
	 * previous time. */
	bool is_of_day = form >= TIME_OF_DAY;
	struct local_time t = locale_time(locale, at);
	char text[INSTANT_TEXT_SIZE];
	const char *shown = say(locale, sentences[form], 0,
				WORD_VALUES({ "day", digits(arena, t.day, 1) },
					    { "month", locale->words->short_months[t.month - 1] },
					    { "year", digits(arena, t.year, 4) },
					    { "hour", digits(arena, t.hour, 2) },
					    { "minute", digits(arena, t.minute, 2) },
					    { "zone", locale_zone_name(locale, at) }),
				arena);
	return arena_printf(arena, "<time%s datetime=\"%s\">%s</time>",
			    is_of_day ? " class=\"hm\"" : "", instant_format(at, text), shown);
}

const char *html_time(const struct locale *locale, struct instant at, struct arena *arena)
{
	const struct time_text said = { *locale, TIME_TEXT_TIME, at.s, 0 };
	const char *text = time_text_find(&said, arena);
	return text ? text : time_text_keep(&said, time_in(locale, at, TIME_WHOLE, arena));
}

static const char *from_to(const struct locale *locale, const char *from, const char *to,
			   struct arena *arena)
{
	return say(locale, SAY_FROM_TO, 0, WORD_VALUES({ "from", from }, { "to", to }), arena);
}

static bool is_same_day(const struct locale *locale, struct instant a, struct instant b)
{
	return locale_day_start(locale, a, 0).s == locale_day_start(locale, b, 0).s;
}

static const char *times_in(const struct locale *locale, struct instant from, struct instant to,
			    bool has_day, struct arena *arena)
{
	bool is_one_day = is_same_day(locale, from, to);
	bool is_one_zone = strcmp(locale_zone_name(locale, from), locale_zone_name(locale, to)) ==
			   0;
	enum time_form first = is_one_day && has_day ? TIME_OF_DAY : TIME_WHOLE;
	enum time_form second = is_one_day ? TIME_OF_DAY : TIME_WHOLE;
	if (is_one_zone)
		first++;
	return from_to(locale, time_in(locale, from, first, arena),
		       time_in(locale, to, second, arena), arena);
}

const char *html_times(const struct locale *locale, struct instant from, struct instant to,
		       struct arena *arena)
{
	const struct time_text said = { *locale, TIME_TEXT_TIMES, from.s, to.s };
	const char *text = time_text_find(&said, arena);
	return text ? text : time_text_keep(&said, times_in(locale, from, to, false, arena));
}

const char *html_times_of_day(const struct locale *locale, struct instant from, struct instant to,
			      struct arena *arena)
{
	const struct time_text said = { *locale, TIME_TEXT_TIMES_OF_DAY, from.s, to.s };
	const char *text = time_text_find(&said, arena);
	return text ? text : time_text_keep(&said, times_in(locale, from, to, true, arena));
}

static const char *date_of(const struct locale *locale, struct instant at, struct arena *arena)
{
	struct local_time t = locale_time(locale, at);
	return say(locale, SAY_DATE, 0,
		   WORD_VALUES({ "day", digits(arena, t.day, 1) },
			       { "month", locale->words->short_months[t.month - 1] },
			       { "year", digits(arena, t.year, 4) }),
		   arena);
}

const char *html_date(const struct locale *locale, struct instant at, struct arena *arena)
{
	const struct time_text said = { *locale, TIME_TEXT_DATE, at.s, 0 };
	const char *text = time_text_find(&said, arena);
	return text ? text : time_text_keep(&said, date_of(locale, at, arena));
}

static const char *dates_of(const struct locale *locale, struct instant from, struct instant to,
			    struct arena *arena)
{
	struct local_time a = locale_time(locale, from), b = locale_time(locale, to);
	const char *const *months = locale->words->short_months;
	const char *year = digits(arena, b.year, 4), *first = digits(arena, a.day, 1),
		   *last = digits(arena, b.day, 1);
	if (a.year != b.year)
		return from_to(locale, html_date(locale, from, arena), html_date(locale, to, arena),
			       arena);
	if (a.month != b.month)
		return say(locale, SAY_DAYS_OF_YEAR, 0,
			   WORD_VALUES({ "from", first }, { "from_month", months[a.month - 1] },
				       { "to", last }, { "to_month", months[b.month - 1] },
				       { "year", year }),
			   arena);
	if (a.day == b.day)
		return html_date(locale, from, arena);
	return say(locale, SAY_DAYS_OF_MONTH, 0,
		   WORD_VALUES({ "from", first }, { "to", last }, { "month", months[b.month - 1] },
			       { "year", year }),
		   arena);
}

const char *html_dates(const struct locale *locale, struct instant from, struct instant to,
		       struct arena *arena)
{
	const struct time_text said = { *locale, TIME_TEXT_DATES, from.s, to.s };
	const char *text = time_text_find(&said, arena);
	return text ? text : time_text_keep(&said, dates_of(locale, from, to, arena));
}

static const char *duration_of(const struct locale *locale, int64_t seconds, struct arena *arena)
{
	int64_t days = seconds / DAY_S, hours = seconds / 3600 % 24, minutes = seconds / 60 % 60;
	enum sentence sentence = days > 0 && hours > 0	    ? SAY_DURATION_DAYS
				 : days > 0		    ? SAY_DURATION_WHOLE_DAYS
				 : hours > 0 && minutes > 0 ? SAY_DURATION_HOURS
				 : hours > 0		    ? SAY_DURATION_WHOLE_HOURS
				 : minutes > 0		    ? SAY_DURATION_MINUTES
							    : SAY_DURATION_SECONDS;
	return say(locale, sentence, (size_t)days,
		   WORD_VALUES({ "days", digits(arena, days, 1) },
			       { "hours", digits(arena, hours, 1) },
			       { "minutes", digits(arena, minutes, 1) },
			       { "seconds", digits(arena, seconds, 1) }),
		   arena);
}

const char *html_duration(const struct locale *locale, int64_t seconds, struct arena *arena)
{
	const struct time_text said = { *locale, TIME_TEXT_DURATION, seconds, 0 };
	const char *text = time_text_find(&said, arena);
	return text ? text : time_text_keep(&said, duration_of(locale, seconds, arena));
}
