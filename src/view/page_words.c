#include "view/page_words.h"

#include "base/str.h"

static const char *number(size_t count, struct arena *arena)
{
	return arena_printf(arena, "%zu", count);
}

static enum sentence summary_without_outage(const struct page_snapshot *snapshot)
{
	if (snapshot->no_data_count == 0)
		return SAY_ALL_OPERATIONAL;
	if (snapshot->no_data_count < snapshot->monitor_count)
		return SAY_KNOWN_OPERATIONAL;
	return SAY_NO_DATA_YET;
}

const char *page_summary(const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	size_t down = snapshot->down_count, total = snapshot->monitor_count;
	if (total == 0)
		return words_say(locale.words, SAY_NO_SYSTEMS);
	if (down == 0)
		return words_say(locale.words, summary_without_outage(snapshot));
	if (down == total)
		return words_text(locale.words, SAY_ALL_DOWN, down, NULL, arena);
	return words_text(
		locale.words, SAY_SOME_DOWN, down,
		WORD_VALUES({ "down", number(down, arena) }, { "total", number(total, arena) }),
		arena);
}

const char *page_incident_name(const struct page_snapshot *snapshot,
			       const struct incident *incident, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	const char *title = incident->title		 ? incident->title
			    : snapshot->page.show_causes ? incident->cause
							 : "";
	if (title[0] == '\0')
		return words_text(locale.words,
				  incident->ended_at.s > 0 ? SAY_MONITOR_WAS_DOWN
							   : SAY_MONITOR_IS_DOWN,
				  0, WORD_VALUES({ "monitor", incident->monitor_name }), arena);
	return words_text(locale.words, SAY_MONITOR_AND_TITLE, 0,
			  WORD_VALUES({ "monitor", incident->monitor_name }, { "title", title }),
			  arena);
}

const char *page_incident_name_and_status(const struct page_snapshot *snapshot,
					  const struct incident *incident, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	enum sentence status = SAY_STATUS_UNRESOLVED + (enum sentence)incident_status(incident);
	return words_text(locale.words, SAY_TITLE_AND_STATUS, 0,
			  WORD_VALUES({ "title", page_incident_name(snapshot, incident, arena) },
				      { "status", words_say(locale.words, status) }),
			  arena);
}

const char *page_title(const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	const struct status_page *page = &snapshot->page;
	struct str name = str_from(page->name),
		   status = str_from(words_say(locale.words, SAY_STATUS));
	if (page->meta_title)
		return page->meta_title;
	if (name.len >= status.len && str_eq_nocase(str_skip(name, name.len - status.len), status))
		return page->name;
	return words_text(locale.words, SAY_NAME_AND_STATUS, 0, WORD_VALUES({ "name", page->name }),
			  arena);
}

const char *page_month_name(const struct page_snapshot *snapshot, const struct page_month *month,
			    struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	struct local_time start = locale_time(&locale, month->start);
	return words_text(locale.words, SAY_MONTH, 0,
			  WORD_VALUES({ "month", locale.words->months[start.month - 1] },
				      { "year", arena_printf(arena, "%d", start.year) }),
			  arena);
}
