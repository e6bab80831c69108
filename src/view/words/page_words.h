/* Sentences about a page that occur in several of its files: plain text, owned by the arena. */
#ifndef VIEW_WORDS_PAGE_WORDS_H
#define VIEW_WORDS_PAGE_WORDS_H

#include "domain/page/page_snapshot.h"
#include "view/words/locale.h"

/* Returns the worst state of the page's systems. */
enum system_state page_worst_state(const struct page_snapshot *snapshot);
/* Returns the number of systems that were observed before, but are not observed now. */
size_t page_count_unobserved(const struct page_snapshot *snapshot);
bool page_maintenance_is_on(const struct page_maintenance *maintenance);
/* Returns the open reported incident with the worst impact; NULL: none. Skips incidents without a
 * system, except if the page has no systems. */
const struct incident *page_notice(const struct page_snapshot *snapshot);

/* Returns the sentence of the banner: "All systems operational", "Checkout and 2 more are down". */
const char *page_summary(const struct page_snapshot *snapshot, struct arena *arena);

/*
 * Returns the name of an incident on the page:
 * - of a reported incident: its title;
 * - of a detected incident with a title: the name of the monitor, and the title;
 * - of a detected incident without a title, if the page shows causes: the monitor, and the cause;
 * - of any other incident: a sentence such as "Checkout is down".
 */
const char *page_incident_name(const struct page_snapshot *snapshot,
			       const struct incident *incident, struct arena *arena);
/* Returns for example "Checkout is down (Monitoring)". `phase` is an enum update_phase. */
const char *page_incident_name_and_phase(const struct page_snapshot *snapshot,
					 const struct incident *incident, int phase,
					 struct arena *arena);

/* Returns the page's meta_title. Without a meta_title, returns the page's name. Appends "status" if
 * the name does not end in this word: "Example status". */
const char *page_title(const struct page_snapshot *snapshot, struct arena *arena);
/* Returns "99.95 %" for a result of uptime_permyriad(), or "no data". */
const char *page_percent_text(const struct words *words, int64_t permyriad, struct arena *arena);
/* Returns "99.95", without the sign. */
const char *page_percent(const struct words *words, int64_t permyriad, struct arena *arena);
/* Returns "November 2026" for the month in UTC that begins at `start`: see DECISIONS.md. */
const char *page_month_name(const struct locale *locale, struct instant start, struct arena *arena);

#endif
