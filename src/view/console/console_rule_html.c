/* Appends the recurrence and the next times of maintenance windows. */
#include "domain/maintenance/recurrence_summary.h"
#include "view/console/console_value_html.h"
#include "view/html.h"

enum { WEEK_DAYS = 7 };

static const char *say(const struct console_view *view, enum console_sentence sentence,
		       const struct word_value *values)
{
	struct buf text CLEANUP(buf_done) = BUF_INIT(4096);
	console_say_html(&text, view->words, sentence, values);
	return arena_strdup(view->arena, text.data);
}

/* Returns the weekdays: "Monday, Thursday". */
static const char *weekdays_text(const struct console_view *view, unsigned weekdays)
{
	const char *text = "";
	for (int i = 1; i <= WEEK_DAYS; i++)
		if (weekdays >> i % WEEK_DAYS & 1)
			text = arena_printf(view->arena, "%s%s%s", text, text[0] ? ", " : "",
					    console_text(view, CONSOLE_SUNDAY + i % WEEK_DAYS));
	return text;
}

/* Returns the days of the recurrence in words, such as "the last day of the month"; "": no days. */
static const char *days_text(const struct console_view *view,
			     const struct recurrence_summary *summary)
{
	const char *weekdays = weekdays_text(view, summary->weekdays);
	if (summary->month_day == RECURRENCE_LAST)
		return console_text(view, CONSOLE_LAST_OF_MONTH);
	if (summary->month_day > 0)
		return say(view, CONSOLE_DAY_OF_MONTH,
			   WORD_VALUES(
				   { "day", arena_printf(view->arena, "%d", summary->month_day) }));
	if (summary->nth == 0)
		return weekdays;
	return say(view,
		   summary->nth == RECURRENCE_LAST ? CONSOLE_LAST_WEEKDAY
						   : CONSOLE_FIRST_WEEKDAY + summary->nth - 1,
		   WORD_VALUES({ "weekday", weekdays }));
}

void console_put_rule(struct buf *out, const struct console_view *view,
		      const struct recurrence *recurrence)
{
	const struct locale locale = { view->locale.words, recurrence->zone };
	struct recurrence_summary summary;
	if (!recurrence_summarize(recurrence, view->arena, &summary)) {
		html_text(out, recurrence->rule);
		return;
	}
	const char *text = console_text(view, CONSOLE_EVERY_DAY + summary.every);
	const char *days = days_text(view, &summary);
	if (days[0])
		text = say(view, CONSOLE_EVERY_ON,
			   WORD_VALUES({ "every", text }, { "days", days }));
	if (summary.count > 0)
		text = say(view, CONSOLE_RULE_COUNT,
			   WORD_VALUES({ "rule", text },
				       { "count", arena_printf(view->arena, "%lld",
							       (long long)summary.count) }));
	if (summary.until.s != 0)
		text = say(view, CONSOLE_RULE_UNTIL,
			   WORD_VALUES({ "rule", text },
				       { "date", html_date(&locale, summary.until, view->arena) }));
	buf_puts(out, text);
}

void console_put_next_times(struct buf *out, const struct console_view *view,
			    const struct maintenance_shown *shown)
{
	enum { SHOWN_MAX = 5 };
	const struct maintenance *window = &shown->maintenance;
	const struct zone *zone = window->rrule ? maintenance_recurrence(window).zone
						: view->locale.zone;
	const struct locale locale = { view->locale.words, zone };
	if (shown->occurrence_count == 0)
		return;
	buf_puts(out, "<h2>");
	console_say(out, view->words, CONSOLE_NEXT_TIMES, WORD_VALUES({ "zone", zone_name(zone) }));
	buf_puts(out, "</h2>\n<ul>\n");
	for (size_t i = 0; i < shown->occurrence_count && i < SHOWN_MAX; i++) {
		const struct maintenance_occurrence *at = &shown->occurrences[i];
		const char *word = maintenance_status_words[at->status];
		buf_printf(out, "<li>%s",
			   html_times(&locale, at->starts_at, at->ends_at, view->arena));
		if (at->status != MAINTENANCE_SCHEDULED)
			buf_printf(out, " (%s)", console_word_text(view, word));
		buf_puts(out, "</li>\n");
	}
	buf_puts(out, "</ul>\n");
}
