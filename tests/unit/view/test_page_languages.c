/* All sample pages, in all languages and in zones far from UTC. */
#include "unit/lib/unit.h"

#include <ctype.h>

#include "unit/view/samples.h"
#include "view/page.h"
#include "view/words/words.h"

static struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);

/* All files with words: a value that a sentence lacks ends the program. */
static void print_all(const struct page_snapshot *snapshot)
{
	struct buf rss CLEANUP(buf_done) = BUF_INIT(PAGE_FILE_MAX_BYTES);
	buf_clear(&out);
	page_html(&out, snapshot, &arena);
	page_feeds(&(struct page_feeds){ &out, &rss }, snapshot, &arena);
	assert_true(buf_ok(&rss));
	page_badge(&out, snapshot, &arena);
	page_calendar(&out, snapshot, &arena);
	for (size_t i = 0; i < snapshot->month_count; i++)
		page_history(&out, snapshot, i, &arena);
	for (size_t i = 0; i < snapshot->incident_count; i++)
		page_incident(&out, snapshot, &snapshot->incidents[i], &arena);
	assert_true(buf_ok(&out));
}

/* "{name}" is a place of a value that nothing has filled. */
static bool has_open_place(const char *text)
{
	for (const char *at = text; (at = strchr(at, '{')); at++) {
		const char *end = at + 1;
		while (islower((unsigned char)*end) || *end == '_')
			end++;
		if (end > at + 1 && *end == '}')
			return true;
	}
	return false;
}

/* An English sentence of several words and without values, which no person writes by chance. */
static bool is_telling(const char *sentence)
{
	size_t blanks = 0;
	for (const char *c = sentence; *c; c++)
		blanks += *c == ' ';
	return blanks >= 2 && !strchr(sentence, '{') && !strchr(sentence, '\'');
}

static void check_language(const struct words *words, const char *sample)
{
	if (has_open_place(out.data))
		fail_msg("%s in %s: a place without its value", sample, words->language);
	assert_non_null(strstr(out.data, arena_printf(&arena, "<html lang=\"%s\" dir=\"%s\"",
						      words->language, words->direction)));
	for (size_t i = 0; words != words_of_service() && i < SENTENCES; i++) {
		const char *english = words_say(words_of_service(), (enum sentence)i);
		if (is_telling(english) && strstr(out.data, english))
			fail_msg("%s in %s: '%s'", sample, words->language, english);
	}
}

static void every_sample_speaks_every_language(void **state)
{
	static const char *const zones[] = { "UTC", "Europe/Berlin", "Pacific/Kiritimati",
					     "Etc/GMT+12" };
	(void)state;
	for (size_t i = 0; i < sample_count; i++)
		for (size_t j = 0; j < words_table_count; j++) {
			struct page_snapshot snapshot = samples[i].make(&arena);
			snapshot.page.language = words_tables[j]->language;
			snapshot.page.time_zone = zones[j % ARRAY_LEN(zones)];
			page_snapshot_set_calendar(&snapshot);
			print_all(&snapshot);
			check_language(words_tables[j], samples[i].name);
			arena_reset(&arena);
		}
}

static const char *html_in(const char *name, const char *language, const char *zone)
{
	for (size_t i = 0; i < sample_count; i++) {
		if (strcmp(samples[i].name, name) != 0)
			continue;
		struct page_snapshot snapshot = samples[i].make(&arena);
		snapshot.page.language = language;
		snapshot.page.time_zone = zone;
		page_snapshot_set_calendar(&snapshot);
		buf_clear(&out);
		page_html(&out, &snapshot, &arena);
		return out.data;
	}
	fail_msg("no sample %s", name);
	return NULL;
}

static void a_page_is_written_as_its_language_is(void **state)
{
	static const struct {
		const char *sample, *language, *zone, *text;
	} rows[] = {
		{ "one-well", "de", "Europe/Berlin",
		  "<h2 id=\"state\">Alle Systeme betriebsbereit<" },
		{ "one-well", "de", "Europe/Berlin", ">20. Nov. 2026, 13:00 MEZ</time>" },
		{ "one-well", "fr", "Europe/Paris", ">20 nov. 2026, 13:00 CET</time>" },
		{ "one-well", "es", "America/Bogota", ">20 nov 2026, 07:00 -05</time>" },
		{ "one-well", "fr", "UTC", "Tous les systèmes sont opérationnels" },
		{ "outage", "de", "UTC", "Checkout und 3 weitere Systeme sind ausgefallen" },
		{ "outage", "fr", "UTC", "Checkout et 3 autres systèmes sont en panne" },
		{ "outage", "es", "UTC", "Checkout y 3 sistemas más están fuera de servicio" },
		{ "outage", "de", "UTC", "3 frühere Meldungen" },
		{ "five-degraded", "de", "UTC", "Payments ist beeinträchtigt" },
		{ "twenty-ten", "de", "UTC",
		  "11. Okt. 2026</a></th><td>3 h ausgefallen, 1 Störung<" },
		{ "twenty-ten", "fr", "UTC",
		  "11 oct. 2026</a></th><td>en panne pendant 3 h, 1 incident<" },
		{ "outage", "fr", "UTC", "data-day=\"$d $m $y\u00a0: $w\"" },
		{ "outage", "de", "UTC", "data-times=\"$d. $m $y, $h:$i $z|$d. $m $y, $h:$i|" },
		{ "one-well", "it", "Europe/Rome", ">20 nov 2026, 13:00 CET</time>" },
		{ "one-well", "nl", "Europe/Amsterdam", ">20 nov 2026, 13:00 CET</time>" },
		{ "one-well", "pt-BR", "America/Sao_Paulo", ">20 de nov. de 2026, 09:00 GMT-3<" },
		{ "one-well", "pl", "Europe/Warsaw", ">20 lis 2026, 13:00 CET</time>" },
		{ "one-well", "ja", "Asia/Tokyo", ">2026年11月20日 21:00 JST</time>" },
		{ "one-well", "ja", "UTC", "すべてのシステムが正常に稼働しています" },
		{ "outage", "it", "UTC", "Checkout e altri 3 sistemi sono fuori servizio" },
		{ "outage", "nl", "UTC", "Checkout en 3 andere systemen zijn uitgevallen" },
		{ "outage", "pt-BR", "UTC", "Checkout e mais 3 sistemas estão fora do ar" },
		{ "outage", "pl", "UTC", "Awaria: Checkout i 3 inne systemy" },
		{ "outage", "ja", "UTC", "Checkoutほか3件のシステムが停止しています" },
		{ "outage", "pl", "UTC", "3 wcześniejsze aktualizacje" },
		{ "outage", "es", "UTC", "data-own=\"Su hora ($z)\"" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strstr(html_in(rows[i].sample, rows[i].language, rows[i].zone), rows[i].text))
			fail_msg("%s in %s: no '%s'", rows[i].sample, rows[i].language,
				 rows[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sample_speaks_every_language),
		cmocka_unit_test(a_page_is_written_as_its_language_is),
	};
	return RUN_WITH_ARENA(tests);
}
