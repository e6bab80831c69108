#include "view/words/translations.h"

#include <string.h>

#define TRANSLATED(language) \
	.plural_of = words_plural_##language, .sentences = words_sentences_##language

static const struct words english = {
	.language = "en",
	.direction = "ltr",
	TRANSLATED(en),
	.months = { "January", "February", "March", "April", "May", "June", "July", "August",
		    "September", "October", "November", "December" },
	.short_months = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
			  "Nov", "Dec" },
	.weekdays = { "Mo", "Tu", "We", "Th", "Fr", "Sa", "Su" },
	.decimal_point = ".",
};

/* German abbreviations of time zones, in place of those in the time zone database. */
static const struct zone_word german_zones[] = {
	{ "WET", "WEZ" }, { "WEST", "WESZ" }, { "CET", "MEZ" }, { "CEST", "MESZ" },
	{ "EET", "OEZ" }, { "EEST", "OESZ" }, { NULL, NULL },
};

static const struct words german = {
	.language = "de",
	.direction = "ltr",
	TRANSLATED(de),
	.months = { "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August",
		    "September", "Oktober", "November", "Dezember" },
	.short_months = { "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.",
			  "Okt.", "Nov.", "Dez." },
	.weekdays = { "Mo", "Di", "Mi", "Do", "Fr", "Sa", "So" },
	.decimal_point = ",",
	.zones = german_zones,
};

static const struct words french = {
	.language = "fr",
	.direction = "ltr",
	TRANSLATED(fr),
	.months = { "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août",
		    "septembre", "octobre", "novembre", "décembre" },
	.short_months = { "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.",
			  "oct.", "nov.", "déc." },
	.weekdays = { "lu", "ma", "me", "je", "ve", "sa", "di" },
	.decimal_point = ",",
};

static const struct words spanish = {
	.language = "es",
	.direction = "ltr",
	TRANSLATED(es),
	.months = { "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto",
		    "septiembre", "octubre", "noviembre", "diciembre" },
	.short_months = { "ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct",
			  "nov", "dic" },
	.weekdays = { "lu", "ma", "mi", "ju", "vi", "sá", "do" },
	.decimal_point = ",",
};

static const struct words italian = {
	.language = "it",
	.direction = "ltr",
	TRANSLATED(it),
	.months = { "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio",
		    "agosto", "settembre", "ottobre", "novembre", "dicembre" },
	.short_months = { "gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott",
			  "nov", "dic" },
	.weekdays = { "lu", "ma", "me", "gi", "ve", "sa", "do" },
	.decimal_point = ",",
};

static const struct words dutch = {
	.language = "nl",
	.direction = "ltr",
	TRANSLATED(nl),
	.months = { "januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus",
		    "september", "oktober", "november", "december" },
	.short_months = { "jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt",
			  "nov", "dec" },
	.weekdays = { "ma", "di", "wo", "do", "vr", "za", "zo" },
	.decimal_point = ",",
};

/* For the time zones of Brazil, the time zone database has numbers in place of abbreviations. */
static const struct zone_word portuguese_zones[] = {
	{ "-02", "GMT-2" }, { "-03", "GMT-3" }, { "-04", "GMT-4" },
	{ "-05", "GMT-5" }, { NULL, NULL },
};

static const struct words portuguese = {
	.language = "pt-BR",
	.direction = "ltr",
	TRANSLATED(pt_BR),
	.months = { "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto",
		    "setembro", "outubro", "novembro", "dezembro" },
	.short_months = { "jan.", "fev.", "mar.", "abr.", "mai.", "jun.", "jul.", "ago.", "set.",
			  "out.", "nov.", "dez." },
	/* Three letters, because segunda and sexta begin with the same two letters. */
	.weekdays = { "seg", "ter", "qua", "qui", "sex", "sáb", "dom" },
	.decimal_point = ",",
	.zones = portuguese_zones,
};

static const struct words polish = {
	.language = "pl",
	.direction = "ltr",
	TRANSLATED(pl),
	.months = { "styczeń", "luty", "marzec", "kwiecień", "maj", "czerwiec", "lipiec",
		    "sierpień", "wrzesień", "październik", "listopad", "grudzień" },
	.short_months = { "sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "paź",
			  "lis", "gru" },
	.weekdays = { "pn", "wt", "śr", "cz", "pt", "so", "nd" },
	.decimal_point = ",",
};

static const struct words japanese = {
	.language = "ja",
	.direction = "ltr",
	TRANSLATED(ja),
	.months = { "1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月",
		    "12月" },
	.short_months = { "1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月",
			  "11月", "12月" },
	.weekdays = { "月", "火", "水", "木", "金", "土", "日" },
	.decimal_point = ".",
};

const struct words *const words_tables[] = {
	&english, &german, &french, &spanish, &italian, &dutch, &portuguese, &polish, &japanese,
};
const size_t words_table_count = ARRAY_LEN(words_tables);

static const struct words *replacements[ARRAY_LEN(words_tables)];

void words_replace(size_t at, const struct words *words)
{
	replacements[at] = words;
}

static const struct words *table_at(size_t at)
{
	return replacements[at] ? replacements[at] : words_tables[at];
}

const struct words *words_of_service(void)
{
	return table_at(0);
}

const struct words *words_of_language(const char *language)
{
	for (size_t i = 0; language && i < words_table_count; i++)
		if (strcmp(words_tables[i]->language, language) == 0)
			return table_at(i);
	return words_of_service();
}
