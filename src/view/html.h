/* Appends texts to HTML and XML, and escapes them. */
#ifndef VIEW_HTML_H
#define VIEW_HTML_H

#include "base/buf.h"
#include "base/clock.h"
#include "view/words/locale.h"

/* Appends a text, escaped for use between tags. */
void html_text(struct buf *out, const char *text);
/* Appends HTML or text from a library, without escaping it. Replaces bytes that are invalid UTF-8
 * (FE and FF), and characters that XML forbids. */
void html_clean(struct buf *out, const char *html);
/* Appends a text, escaped for use inside a double-quoted attribute. */
void html_attr(struct buf *out, const char *text);
/* Returns whether the scheme is http, https or mailto. */
bool html_is_safe_url(const char *url);
/* Appends the address of a link, or "#" if html_is_safe_url() is false. */
void html_url(struct buf *out, const char *url);

/* Times in the words and the zone of a page, as HTML. The arena owns the result. */
/* <time datetime="…">20 Nov 2026, 19:58 UTC</time>, which the script may change to the visitor's
 * zone. */
const char *html_time(const struct locale *locale, struct instant at, struct arena *arena);
/* "20 Nov 2026, 19:58 to 21:03 UTC". The second time has a date only if the dates differ. */
const char *html_times(const struct locale *locale, struct instant from, struct instant to,
		       struct arena *arena);
/* "19:58 to 21:03 UTC", for use below a heading with the date. Both times have dates if the dates
 * differ. */
const char *html_times_of_day(const struct locale *locale, struct instant from, struct instant to,
			      struct arena *arena);
/* "20 Nov 2026" */
const char *html_date(const struct locale *locale, struct instant at, struct arena *arena);
/* "12 to 17 Nov 2026", "28 Oct to 3 Nov 2026", "20 Nov 2026" */
const char *html_dates(const struct locale *locale, struct instant from, struct instant to,
		       struct arena *arena);
/* "1 h 5 min", "45 s", "3 days 2 h", "2 h" */
const char *html_duration(const struct locale *locale, int64_t seconds, struct arena *arena);

#endif
