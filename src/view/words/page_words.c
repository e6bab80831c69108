#include "view/words/page_words.h"

#include "base/bidi.h"
#include "base/str.h"
#include "view/page/page_texts.h"

/* The systems in one state: the names of the first two, and the number of all. */
struct named {
	const char *first, *second;
	size_t count;
};

static struct named systems_in(const struct page_snapshot *snapshot, enum system_state state)
{
	struct named named = { 0 };
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		if (page_monitor_state(&snapshot->monitors[i]) != state)
			continue;
		named.count++;
		if (named.count == 1)
			named.first = snapshot->monitors[i].name;
		else if (named.count == 2)
			named.second = snapshot->monitors[i].name;
	}
	return named;
}

static const char *names_of(const struct named *named, const struct words *words,
			    struct arena *arena)
{
	const char *first = bidi_isolated(named->first, arena);
	if (named->count == 1)
		return first;
	if (named->count == 2)
		return words_text(words, SAY_TWO_SYSTEMS, 0,
				  WORD_VALUES({ "first", first },
					      { "second", bidi_isolated(named->second, arena) }),
				  arena);
	return words_text(words, SAY_SYSTEM_AND_MORE, named->count - 1,
			  WORD_VALUES({ "first", first },
				      { "count", arena_printf(arena, "%zu", named->count - 1) }),
			  arena);
}

/* Returns the banner's sentence about the systems with the worst state of the page. */
static const char *say_affected(const struct page_snapshot *snapshot, const struct words *words,
				enum system_state state, struct arena *arena)
{
	enum sentence at = (enum sentence)(state - SYSTEM_UNDER_MAINTENANCE);
	struct named named = systems_in(snapshot, state);
	if (named.count == snapshot->monitor_count && named.count > 1)
		return words_say(words, SAY_ALL_MAINTAINED + at);
	return words_text(words, SAY_ARE_MAINTAINED + at, named.count,
			  WORD_VALUES({ "systems", names_of(&named, words, arena) }), arena);
}

static const struct page_maintenance *only_maintenance(const struct page_snapshot *snapshot)
{
	const struct page_maintenance *found = NULL;
	for (size_t i = 0; i < snapshot->maintenance_count; i++) {
		if (!page_maintenance_is_on(&snapshot->maintenances[i]))
			continue;
		if (found)
			return NULL;
		found = &snapshot->maintenances[i];
	}
	return found;
}

enum system_state page_worst_state(const struct page_snapshot *snapshot)
{
	enum system_state worst = SYSTEM_NO_DATA;
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		enum system_state state = page_monitor_state(&snapshot->monitors[i]);
		if (state > worst)
			worst = state;
	}
	return worst;
}

size_t page_count_unobserved(const struct page_snapshot *snapshot)
{
	size_t count = 0;
	for (size_t i = 0; i < snapshot->monitor_count; i++)
		count += snapshot->monitors[i].unobserved_since.s > 0 &&
			 snapshot->monitors[i].known_since.s > 0 &&
			 page_monitor_state(&snapshot->monitors[i]) == SYSTEM_NO_DATA;
	return count;
}

bool page_maintenance_is_on(const struct page_maintenance *maintenance)
{
	return maintenance->status == PHASE_IN_PROGRESS || maintenance->status == PHASE_VERIFYING;
}

const struct incident *page_notice(const struct page_snapshot *snapshot)
{
	const struct incident *worst = NULL;
	for (size_t i = 0; i < snapshot->incident_count; i++) {
		const struct incident *incident = &snapshot->incidents[i].row;
		/* Skips a notice without a system, so that the banner still says that all systems
		 * work. */
		bool is_apart = incident->monitor_count == 0 && snapshot->monitor_count > 0;
		if (incident->kind == INCIDENT_REPORTED && incident->ended_at.s == 0 && !is_apart &&
		    (!worst || incident->impact > worst->impact))
			worst = incident;
	}
	return worst;
}

const char *page_summary(const struct page_snapshot *snapshot, struct arena *arena)
{
	const struct words *words = locale_of_page(&snapshot->page).words;
	enum system_state worst = page_worst_state(snapshot);
	const struct page_maintenance *maintenance = only_maintenance(snapshot);
	const struct incident *notice = page_notice(snapshot);
	if (worst > SYSTEM_UNDER_MAINTENANCE)
		return say_affected(snapshot, words, worst, arena);
	if (notice && notice->title)
		return notice->title;
	if (maintenance)
		return words_text(
			words, SAY_MAINTENANCE_NOW, 0,
			WORD_VALUES({ "title", bidi_isolated(maintenance->title, arena) }), arena);
	if (worst == SYSTEM_UNDER_MAINTENANCE)
		return say_affected(snapshot, words, worst, arena);
	if (snapshot->monitor_count == 0)
		return words_say(words, SAY_NO_SYSTEMS);
	if (worst == SYSTEM_NO_DATA)
		return words_say(words, page_count_unobserved(snapshot) > 0 ? SAY_NO_DATA_NOW
									    : SAY_NO_DATA_YET);
	return words_say(words, systems_in(snapshot, SYSTEM_NO_DATA).count > 0
					? SAY_KNOWN_OPERATIONAL
					: SAY_ALL_OPERATIONAL);
}

/* Returns a sentence that depends on the impact, such as "Checkout is down". */
static const char *say_detected(const struct incident *incident, const struct words *words,
				struct arena *arena)
{
	static const struct {
		enum sentence is, was;
	} sentences[] = {
		[INCIDENT_IMPACT_NONE] = { SAY_ARE_DOWN, SAY_WERE_DOWN },
		[INCIDENT_DEGRADED_PERFORMANCE] = { SAY_ARE_DEGRADED, SAY_WERE_DEGRADED },
		[INCIDENT_PARTIAL_OUTAGE] = { SAY_ARE_PARTLY_DOWN, SAY_WERE_PARTLY_DOWN },
		[INCIDENT_MAJOR_OUTAGE] = { SAY_ARE_DOWN, SAY_WERE_DOWN },
	};
	bool has_ended = incident->ended_at.s > 0;
	return words_text(
		words, has_ended ? sentences[incident->impact].was : sentences[incident->impact].is,
		1, WORD_VALUES({ "systems", bidi_isolated(incident->monitor_name, arena) }), arena);
}

const char *page_incident_name(const struct page_snapshot *snapshot,
			       const struct incident *incident, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	const char *title = incident->title		 ? incident->title
			    : snapshot->page.show_causes ? incident->cause
							 : "";
	if (incident->kind == INCIDENT_REPORTED && incident->title)
		return incident->title;
	if (title[0] == '\0')
		return say_detected(incident, locale.words, arena);
	return words_text(locale.words, SAY_MONITOR_AND_TITLE, 0,
			  WORD_VALUES({ "monitor", bidi_isolated(incident->monitor_name, arena) },
				      { "title", bidi_isolated(title, arena) }),
			  arena);
}

const char *page_incident_name_and_phase(const struct page_snapshot *snapshot,
					 const struct incident *incident, int phase,
					 struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	return words_text(
		locale.words, SAY_TITLE_AND_STATUS, 0,
		WORD_VALUES({ "title",
			      bidi_isolated(page_incident_name(snapshot, incident, arena), arena) },
			    { "status", words_say(locale.words, page_phase(phase)) }),
		arena);
}

static bool ends_in(const char *text, const char *word)
{
	struct str whole = str_from(text), end = str_from(word);
	return whole.len >= end.len && str_eq_nocase(str_skip(whole, whole.len - end.len), end);
}

const char *page_title(const struct page_snapshot *snapshot, struct arena *arena)
{
	struct locale locale = locale_of_page(&snapshot->page);
	const struct status_page *page = &snapshot->page;
	if (page->meta_title)
		return bidi_closed(page->meta_title, arena);
	/* The name may end in "status" in English, even if the page has another language. */
	if (ends_in(page->name, words_say(locale.words, SAY_STATUS)) ||
	    ends_in(page->name, words_say(words_of_service(), SAY_STATUS)))
		return bidi_closed(page->name, arena);
	return words_text(locale.words, SAY_NAME_AND_STATUS, 0,
			  WORD_VALUES({ "name", bidi_isolated(page->name, arena) }), arena);
}

const char *page_month_name(const struct locale *locale, struct instant start, struct arena *arena)
{
	struct instant_parts parts = instant_split(start);
	return words_text(locale->words, SAY_MONTH, 0,
			  WORD_VALUES({ "month", locale->words->months[parts.month - 1] },
				      { "year", arena_printf(arena, "%d", parts.year) }),
			  arena);
}

const char *page_percent(const struct words *words, int64_t permyriad, struct arena *arena)
{
	return arena_printf(arena, "%lld%s%02lld", (long long)permyriad / 100, words->decimal_point,
			    (long long)permyriad % 100);
}

const char *page_percent_text(const struct words *words, int64_t permyriad, struct arena *arena)
{
	if (permyriad < 0)
		return words_say(words, SAY_DAY_NO_DATA);
	return words_text(words, SAY_PERCENT, 0,
			  WORD_VALUES({ "percent", page_percent(words, permyriad, arena) }), arena);
}
