#include "base/zone_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"

enum { HEADER_BYTES = 44, HOUR_S = 3600, DAY_HOURS = 24, RULE_HOURS_MAX = 167 };

/* The counts of a header, in the order of the file. */
struct counts {
	size_t utc_marks, standard_marks, leaps, times, types, chars;
};

static bool take_part(struct str *bytes, size_t len, const unsigned char **part)
{
	if (bytes->len < len)
		return false;
	*part = (const unsigned char *)bytes->data;
	*bytes = str_skip(*bytes, len);
	return true;
}

static uint32_t read_uint32(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t read_int64(const unsigned char *at)
{
	return (int64_t)((uint64_t)read_uint32(at) << 32 | read_uint32(at + 4));
}

static bool take_header(struct str *bytes, struct counts *counts)
{
	const unsigned char *head;
	size_t *const fields[] = { &counts->utc_marks, &counts->standard_marks, &counts->leaps,
				   &counts->times,     &counts->types,		&counts->chars };
	if (!take_part(bytes, HEADER_BYTES, &head) || memcmp(head, "TZif", 4) != 0 || head[4] < '2')
		return false;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		*fields[i] = read_uint32(head + 20 + 4 * i);
		if (*fields[i] > ZONE_FILE_MAX_BYTES)
			return false;
	}
	return true;
}

/* Skips the data of version 1, which has times of 32 bits. */
static bool skip_old_data(struct str *bytes)
{
	const unsigned char *part;
	struct counts counts;
	return take_header(bytes, &counts) &&
	       take_part(bytes,
			 counts.times * 5 + counts.types * 6 + counts.chars + counts.leaps * 8 +
				 counts.standard_marks + counts.utc_marks,
			 &part);
}

/* Sets an abbreviation such as "CET" or "+0545". Accepts only letters, digits and signs, so that a
 * page can print every abbreviation. */
static bool set_abbreviation(struct zone_type *type, const char *text, size_t len)
{
	if (len == 0 || len >= sizeof(type->abbreviation))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isascii(text[i]) || !(isalnum(text[i]) || text[i] == '+' || text[i] == '-'))
			return false;
	memcpy(type->abbreviation, text, len);
	type->abbreviation[len] = '\0';
	return true;
}

static bool is_offset(int64_t east_s)
{
	return east_s > -(DAY_HOURS + 2) * HOUR_S && east_s < (DAY_HOURS + 2) * HOUR_S;
}

static bool read_types(struct zone_file *zone, const unsigned char *types,
		       const unsigned char *chars, size_t char_count)
{
	for (size_t i = 0; i < zone->type_count; i++, types += 6) {
		const char *name = (const char *)chars + types[5];
		size_t room = types[5] < char_count ? char_count - types[5] : 0;
		size_t len = room > 0 ? strnlen(name, room) : 0;
		zone->types[i].east_s = (int32_t)read_uint32(types);
		if (!is_offset(zone->types[i].east_s) || len == room ||
		    !set_abbreviation(&zone->types[i], name, len))
			return false;
	}
	return true;
}

static bool read_times(struct zone_file *zone, const unsigned char *times,
		       const unsigned char *type_of)
{
	for (size_t i = 0; i < zone->time_count; i++) {
		zone->times[i] = read_int64(times + 8 * i);
		zone->type_of[i] = type_of[i];
		if (type_of[i] >= zone->type_count ||
		    (i > 0 && zone->times[i] <= zone->times[i - 1]))
			return false;
	}
	return true;
}

static bool take_char(struct str *text, char c)
{
	if (text->len == 0 || text->data[0] != c)
		return false;
	*text = str_skip(*text, 1);
	return true;
}

static bool take_number(struct str *text, int least, int most, int *number)
{
	int sum = 0, digits = 0;
	for (; text->len > 0 && isdigit((unsigned char)text->data[0]) && digits < 4; digits++) {
		sum = sum * 10 + (text->data[0] - '0');
		*text = str_skip(*text, 1);
	}
	*number = sum;
	return digits > 0 && sum >= least && sum <= most;
}

/* Reads a time "[+-]hh[:mm[:ss]]", in seconds. */
static bool take_clock(struct str *text, int most_hours, int32_t *s)
{
	int hours, minutes = 0, seconds = 0;
	bool is_negative = take_char(text, '-');
	if (!is_negative)
		(void)take_char(text, '+');
	if (!take_number(text, 0, most_hours, &hours))
		return false;
	if (take_char(text, ':')) {
		if (!take_number(text, 0, 59, &minutes))
			return false;
		if (take_char(text, ':') && !take_number(text, 0, 59, &seconds))
			return false;
	}
	*s = (is_negative ? -1 : 1) * (hours * HOUR_S + minutes * 60 + seconds);
	return true;
}

/* Reads an abbreviation: "CET" or "<+0545>". */
static bool take_name(struct str *text, struct zone_type *type)
{
	size_t len = 0;
	bool is_quoted = take_char(text, '<');
	while (len < text->len &&
	       (is_quoted ? text->data[len] != '>' : isalpha((unsigned char)text->data[len])))
		len++;
	const char *name = text->data;
	*text = str_skip(*text, len);
	return (!is_quoted || take_char(text, '>')) && set_abbreviation(type, name, len);
}

/* Reads the day and the time of a change: ",M10.5.0/3", ",J60" or ",59/0". The time is 02:00 if the
 * text has none. */
static bool take_change(struct str *text, struct zone_change *change)
{
	*change = (struct zone_change){ .local_s = 2 * HOUR_S };
	if (!take_char(text, ','))
		return false;
	bool is_read;
	if (take_char(text, 'M')) {
		change->kind = CHANGE_BY_WEEK;
		is_read = take_number(text, 1, 12, &change->month) && take_char(text, '.') &&
			  take_number(text, 1, 5, &change->week) && take_char(text, '.') &&
			  take_number(text, 0, 6, &change->weekday);
	} else if (take_char(text, 'J')) {
		change->kind = CHANGE_BY_DAY_BUT_LEAP_DAY;
		is_read = take_number(text, 1, 365, &change->day);
	} else {
		change->kind = CHANGE_BY_DAY;
		is_read = take_number(text, 0, 365, &change->day);
	}
	return is_read &&
	       (!take_char(text, '/') || take_clock(text, RULE_HOURS_MAX, &change->local_s));
}

/*
 * Reads the rule of the footer, in the form of the POSIX variable TZ: "CET-1CEST,M3.5.0,M10.5.0/3".
 * In this form, a positive offset is west of UTC. So CET-1 is one hour east of UTC.
 */
static bool read_rule(struct zone_file *zone, struct str text)
{
	int32_t west_s;
	if (!take_name(&text, &zone->standard) || !take_clock(&text, DAY_HOURS, &west_s))
		return false;
	zone->has_rule = true;
	zone->standard.east_s = -west_s;
	if (text.len == 0)
		return true;
	zone->has_daylight = true;
	if (!take_name(&text, &zone->daylight))
		return false;
	zone->daylight.east_s = zone->standard.east_s + HOUR_S;
	if (text.len > 0 && text.data[0] != ',') {
		if (!take_clock(&text, DAY_HOURS, &west_s))
			return false;
		zone->daylight.east_s = -west_s;
	}
	return take_change(&text, &zone->daylight_start) &&
	       take_change(&text, &zone->daylight_end) && text.len == 0;
}

/* Reads the last line, which is empty if the zone has no rule. */
static bool read_footer(struct zone_file *zone, struct str bytes)
{
	struct str line;
	if (!take_char(&bytes, '\n') || bytes.len == 0)
		return false;
	const char *end = memchr(bytes.data, '\n', bytes.len);
	if (!end)
		return false;
	line = (struct str){ bytes.data, (size_t)(end - bytes.data) };
	return line.len == 0 || read_rule(zone, line);
}

/* Allocates the struct, and its arrays behind it, as one block of memory. */
static struct zone_file *allocate(const struct counts *counts)
{
	size_t types_at = sizeof(struct zone_file) + counts->times * sizeof(int64_t);
	size_t bytes = types_at + counts->types * sizeof(struct zone_type) + counts->times;
	struct zone_file *zone = calloc(1, bytes);
	if (!zone)
		return NULL;
	zone->time_count = counts->times;
	zone->type_count = counts->types;
	zone->times = (int64_t *)(zone + 1);
	zone->types = (struct zone_type *)(zone->times + counts->times);
	zone->type_of = (uint8_t *)(zone->types + counts->types);
	return zone;
}
_Static_assert(sizeof(struct zone_file) % _Alignof(int64_t) == 0, "times follow the struct");
_Static_assert(_Alignof(struct zone_type) <= _Alignof(int64_t), "types follow times");

struct zone_file *zone_file_parse(struct str bytes)
{
	const unsigned char *times, *type_of, *types, *chars, *marks;
	struct counts counts;
	if (bytes.len > ZONE_FILE_MAX_BYTES || !skip_old_data(&bytes) ||
	    !take_header(&bytes, &counts) || counts.leaps > 0 || counts.types == 0 ||
	    !take_part(&bytes, counts.times * 8, &times) ||
	    !take_part(&bytes, counts.times, &type_of) ||
	    !take_part(&bytes, counts.types * 6, &types) ||
	    !take_part(&bytes, counts.chars, &chars) ||
	    !take_part(&bytes, counts.standard_marks + counts.utc_marks, &marks))
		return NULL;
	struct zone_file *zone = allocate(&counts);
	if (zone && read_types(zone, types, chars, counts.chars) &&
	    read_times(zone, times, type_of) && read_footer(zone, bytes))
		return zone;
	free(zone);
	return NULL;
}
