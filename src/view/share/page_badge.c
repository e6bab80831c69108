/* Writes badges: a label and a value. */
#include <string.h>

#include "base/bidi.h"
#include "view/page/page_parts.h"

/* LETTER is the width of a letter in tenths of an SVG unit; MARGIN and HEIGHT are in units. A wide
 * letter (East Asian, emoji) counts as two letters. */
enum { LETTER = 66, MARGIN = 6, HEIGHT = 20 };

static int width_of(const char *text)
{
	int letters = 0;
	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		if ((*at & 0xc0) != 0x80)
			letters += *at >= 0xe3 ? 2 : 1;
	return letters * LETTER / 10;
}

static void put_words(struct buf *out, const char *words, int left, int width, const char *fill)
{
	buf_printf(out, "<text x=\"%d\" y=\"14\" textLength=\"%d\"%s%s%s>", left + MARGIN, width,
		   fill ? " fill=\"" : "", fill ? fill : "", fill ? "\"" : "");
	html_text(out, words);
	buf_puts(out, "</text>");
}

struct badge {
	const char *label, *value;
	const char *title; /* NULL: "label: value" */
	const char *colour;
	const char *accent; /* the background of the label, such as #1f6feb; NULL: grey */
};

static void put_title(struct buf *out, const struct badge *badge, struct arena *arena)
{
	if (badge->title) {
		html_text(out, badge->title);
		return;
	}
	html_text(out, bidi_isolated(badge->label, arena));
	buf_puts(out, ": ");
	html_text(out, badge->value);
}

static void put_badge(struct buf *out, const struct badge *badge, struct arena *arena)
{
	int label = width_of(badge->label), value = width_of(badge->value);
	int split = label + 2 * MARGIN, width = split + value + 2 * MARGIN;
	buf_printf(out,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		   "role=\"img\" aria-label=\"",
		   width, HEIGHT);
	put_title(out, badge, arena);
	buf_puts(out, "\"><title>");
	put_title(out, badge, arena);
	buf_printf(out,
		   "</title><rect width=\"%d\" height=\"%d\" rx=\"3\" fill=\"#%s\"/><path "
		   "fill=\"%s\" d=\"M3 0h%dv%dH3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z\"/><g "
		   "fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">",
		   width, HEIGHT, badge->colour, badge->accent ? badge->accent : "#3b4350",
		   split - 3, HEIGHT);
	put_words(out, bidi_closed(badge->label, arena), 0, label,
		  badge->accent ? brand_text_on(badge->accent) : NULL);
	put_words(out, badge->value, split, value, NULL);
	buf_puts(out, "</g></svg>\n");
}

static const char *word_of(const struct words *words, enum system_state state)
{
	return words_say(words, SAY_NO_DATA + (enum sentence)state);
}

void page_badge(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	const struct locale locale = locale_of_page(&snapshot->page);
	enum system_state worst = page_worst_state(snapshot);
	put_badge(out,
		  &(struct badge){ .label = words_say(locale.words, SAY_STATUS),
				   .value = word_of(locale.words, worst),
				   .title = page_summary(snapshot, arena),
				   .colour = page_tone_colour(page_tone_of_state(worst)),
				   .accent = snapshot->page.accent_color },
		  arena);
}

/* The columns of the file PAGE_BADGES_FILE, separated by tabs. The file has a line for each system.
 * The first line is a header: the word for uptime, and the page's accent colour if it has one. */
enum badge_cell {
	CELL_ID,
	CELL_NAME,
	CELL_COLOUR,
	CELL_STATE,
	CELL_UPTIME_COLOUR,
	CELL_UPTIME,
	CELLS
};

static enum tone tone_of_uptime(int64_t permyriad)
{
	if (permyriad < 0)
		return TONE_NONE;
	return permyriad >= 9990 ? TONE_UP : permyriad >= 9900 ? TONE_DEGRADED : TONE_DOWN;
}

/* Appends the text and `end`. Replaces each control character in the text by a space. */
static void put_cell(struct buf *out, const char *text, char end)
{
	for (; *text; text++)
		buf_putc(out, (unsigned char)*text < ' ' ? ' ' : *text);
	buf_putc(out, end);
}

void page_badges(struct buf *out, const struct page_snapshot *snapshot, struct arena *arena)
{
	const struct locale locale = locale_of_page(&snapshot->page);
	const struct words *words = locale.words;
	const char *accent = snapshot->page.accent_color;
	put_cell(out, words_say(words, SAY_UPTIME), accent ? '\t' : '\n');
	if (accent)
		put_cell(out, accent, '\n');
	for (size_t i = 0; i < snapshot->monitor_count; i++) {
		const struct page_monitor *monitor = &snapshot->monitors[i];
		enum system_state state = page_monitor_state(monitor);
		int64_t permyriad = uptime_permyriad(monitor->days, UPTIME_DAYS);
		buf_printf(out, "%lld\t", (long long)monitor->id);
		put_cell(out, monitor->name, '\t');
		put_cell(out, page_tone_colour(page_tone_of_state(state)), '\t');
		put_cell(out, word_of(words, state), '\t');
		put_cell(out, page_tone_colour(tone_of_uptime(permyriad)), '\t');
		put_cell(out, page_percent_text(words, permyriad, arena), '\n');
	}
}

/* Returns "7" for the name "badge-7.svg" or "uptime-7.svg"; "" for other names. */
static struct str id_in(const char *name, bool *is_uptime)
{
	struct str rest = str_from(name);
	*is_uptime = str_starts(rest, STR("uptime-"));
	if (!*is_uptime && !str_starts(rest, STR("badge-")))
		return (struct str){ "", 0 };
	rest = str_skip(rest, *is_uptime ? strlen("uptime-") : strlen("badge-"));
	size_t len = strspn(rest.data, "0123456789");
	return strcmp(rest.data + len, ".svg") == 0 ? (struct str){ rest.data, len }
						    : (struct str){ "", 0 };
}

bool page_badge_is_of_system(const char *name)
{
	bool is_uptime;
	return id_in(name, &is_uptime).len > 0;
}

bool page_badge_of_system(struct buf *out, struct str badges, const char *name, struct arena *arena)
{
	bool is_uptime;
	struct str id = id_in(name, &is_uptime), line, first, label, accent;
	if (id.len == 0 || !str_split(&badges, '\n', &first))
		return false;
	str_split(&first, '\t', &label);
	bool has_accent = str_split(&first, '\t', &accent);
	while (str_split(&badges, '\n', &line)) {
		const char *cells[CELLS] = { 0 };
		struct str cell;
		if (!str_starts(line, id) || line.len == id.len || line.data[id.len] != '\t')
			continue;
		for (size_t i = 0; i < CELLS && str_split(&line, '\t', &cell); i++)
			cells[i] = arena_strndup(arena, cell.data, cell.len);
		if (!cells[CELLS - 1])
			return false;
		put_badge(out,
			  &(struct badge){
				  .label = is_uptime ? arena_strndup(arena, label.data, label.len)
						     : cells[CELL_NAME],
				  .value = cells[is_uptime ? CELL_UPTIME : CELL_STATE],
				  .title = is_uptime ? arena_printf(arena, "%s: %s",
								    bidi_isolated(cells[CELL_NAME],
										  arena),
								    cells[CELL_UPTIME])
						     : NULL,
				  .colour = cells[is_uptime ? CELL_UPTIME_COLOUR : CELL_COLOUR],
				  .accent = has_accent
						    ? arena_strndup(arena, accent.data, accent.len)
						    : NULL },
			  arena);
		return true;
	}
	return false;
}
