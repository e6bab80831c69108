#include "base/zone.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/attr.h"
#include "base/fd.h"
#include "base/zone_file.h"

enum { DAY_S = 86400, WEEK_DAYS = 7, THURSDAY = 4, MONTHS = 12 };

/* More than any offset from UTC. So a local time and the same time in UTC are less than FAR_S
 * apart. */
enum { FAR_S = 27 * 3600 };

struct zone {
	struct zone *next;
	char name[ZONE_NAME_SIZE];
	struct zone_file *file;
};

/*
 * A period in which the offset does not change: from the second `from` to the second before
 * `until`.
 */
struct span {
	int64_t from, until;
	const struct zone_type *type;
};

static int64_t days_before(int year, int month, int day)
{
	return instant_of(&(struct instant_parts){ .year = year, .month = month, .day = day }).s /
	       DAY_S;
}

static bool is_leap_year(int year)
{
	return days_before(year + 1, 1, 1) - days_before(year, 1, 1) > 365;
}

/* Returns the day of the change in the given year, in days since 1970. */
static int64_t change_day(const struct zone_change *change, int year)
{
	int64_t new_year = days_before(year, 1, 1);
	if (change->kind == CHANGE_BY_DAY)
		return new_year + change->day;
	if (change->kind == CHANGE_BY_DAY_BUT_LEAP_DAY)
		return new_year + change->day - 1 + (change->day > 59 && is_leap_year(year));
	int64_t first = days_before(year, change->month, 1);
	int64_t next = change->month == MONTHS ? days_before(year + 1, 1, 1)
					       : days_before(year, change->month + 1, 1);
	int64_t weekday = (first + THURSDAY) % WEEK_DAYS;
	int64_t day = first + (change->weekday - weekday + WEEK_DAYS) % WEEK_DAYS +
		      (int64_t)(change->week - 1) * WEEK_DAYS;
	return day < next ? day : day - WEEK_DAYS;
}

/* Returns the span that contains `s`, by the rule of the file's footer. The rule applies from
 * `since` on. */
static struct span span_by_rule(const struct zone_file *file, int64_t s, int64_t since)
{
	struct span span = { since, INT64_MAX, &file->standard };
	const struct {
		const struct zone_change *change;
		const struct zone_type *before, *after;
	} changes[] = {
		{ &file->daylight_end, &file->daylight, &file->standard },
		{ &file->daylight_start, &file->standard, &file->daylight },
	};
	int year = instant_split((struct instant){ s }).year;
	int64_t newest = INT64_MIN;
	for (int y = year - 1; file->has_daylight && y <= year + 1; y++)
		for (int i = 0; i < 2; i++) {
			int64_t at = change_day(changes[i].change, y) * DAY_S +
				     changes[i].change->local_s - changes[i].before->east_s;
			/* If a zone has summer time all year, summer time ends and starts again at
			 * the same moment. Then use the start. */
			if (at <= s && (at > newest || (at == newest && i == 1))) {
				newest = at;
				span.type = changes[i].after;
			}
			if (at > s && at < span.until)
				span.until = at;
		}
	if (newest > span.from)
		span.from = newest;
	return span;
}

static struct span span_at(const struct zone_file *file, int64_t s)
{
	size_t from = 0, to = file->time_count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (file->times[middle] <= s)
			from = middle + 1;
		else
			to = middle;
	}
	int64_t since = from > 0 ? file->times[from - 1] : INT64_MIN;
	if (from == file->time_count && file->has_rule)
		return span_by_rule(file, s, since);
	return (struct span){
		.from = since,
		.until = from < file->time_count ? file->times[from] : INT64_MAX,
		.type = &file->types[from > 0 ? file->type_of[from - 1] : 0],
	};
}

/* Returns the first moment at which clocks show the local time `local_s` (in seconds, as if it were
 * UTC). If clocks skip that time, uses the offset before the skip, and sets *gap_s to the moment of
 * the skip. Otherwise sets *gap_s to INT64_MIN. */
static int64_t first_moment(const struct zone_file *file, int64_t local_s, int64_t *gap_s)
{
	struct span span = span_at(file, local_s - FAR_S);
	int64_t moment = local_s - span.type->east_s;
	*gap_s = INT64_MIN;
	while (moment >= span.until) {
		span = span_at(file, span.until);
		int64_t later = local_s - span.type->east_s;
		if (later < span.from) {
			*gap_s = span.from;
			return moment;
		}
		moment = later;
	}
	return moment;
}

/* Returns the local time in seconds since 1970, as if it were UTC. */
static int64_t seconds_of(const struct local_time *local)
{
	int64_t months = (int64_t)local->month - 1;
	int64_t years = local->year + (months >= 0 ? months : months - (MONTHS - 1)) / MONTHS;
	int month = (int)(months - (years - local->year) * MONTHS);
	int64_t days = days_before((int)years, month + 1, 1) + local->day - 1;
	return days * DAY_S + (int64_t)local->hour * 3600 + (int64_t)local->minute * 60 +
	       local->second;
}

struct local_time zone_local(const struct zone *zone, struct instant at)
{
	struct instant shown = { at.s + span_at(zone->file, at.s).type->east_s };
	struct instant_parts parts = instant_split(shown);
	return (struct local_time){ parts.year, parts.month,  parts.day,
				    parts.hour, parts.minute, parts.second };
}

struct instant zone_instant(const struct zone *zone, const struct local_time *local)
{
	int64_t gap_s;
	return (struct instant){ first_moment(zone->file, seconds_of(local), &gap_s) };
}

const char *zone_abbreviation(const struct zone *zone, struct instant at)
{
	return span_at(zone->file, at.s).type->abbreviation;
}

/* Returns the moment when the local day `day` (in days since 1970) begins. */
static int64_t day_start(const struct zone *zone, int64_t day)
{
	int64_t gap_s, moment = first_moment(zone->file, day * DAY_S, &gap_s);
	/* If clocks skip midnight, the day begins at the change. */
	return gap_s > INT64_MIN ? gap_s : moment;
}

struct instant zone_day_start(const struct zone *zone, struct instant at, int days)
{
	int64_t day = (at.s + span_at(zone->file, at.s).type->east_s) / DAY_S;
	/* If clocks are put back over midnight, they show the end of the former day again. The
	 * repeated time belongs to the new day. */
	if (day_start(zone, day + 1) <= at.s)
		day++;
	return (struct instant){ day_start(zone, day + days) };
}

static struct zone_file utc_file = { .has_rule = true, .standard = { 0, "UTC" } };
static struct zone utc = { .name = "UTC", .file = &utc_file };

const struct zone *zone_utc(void)
{
	return &utc;
}

const char *zone_name(const struct zone *zone)
{
	return zone->name;
}

/*
 * Whether `name` may be the name of a time zone: parts with "/" between them. A part begins with a
 * capital letter, and has letters, digits, "_", "-" and "+". So a name cannot lead out of the
 * folder of the zones, or to other files there (posix/, right/, tzdata.zi, localtime).
 */
static bool is_name(const char *name)
{
	bool is_start = true;
	if (strlen(name) >= ZONE_NAME_SIZE || strcmp(name, "Factory") == 0)
		return false;
	for (; *name; name++) {
		if (is_start ? *name < 'A' || *name > 'Z'
			     : !isascii(*name) || (!isalnum(*name) && !strchr("_-+/", *name)))
			return false;
		is_start = *name == '/';
	}
	return !is_start;
}

/* A spare descriptor, protected by found_lock. If the process has no free descriptor, open_file()
 * closes this one to read a zone. Otherwise the zone would seem to be unknown. */
static int kept_fd = -1;
static bool keeps_fd;

static void keep_fd(void)
{
	if (keeps_fd && kept_fd < 0)
		kept_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Opens the file of a zone in the C library's folder for time zones. */
static int open_file(const char *name)
{
	const char *folder = getenv("TZDIR");
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", folder ? folder : "/usr/share/zoneinfo", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 || kept_fd < 0 || (errno != EMFILE && errno != ENFILE))
		return fd;
	close_fd(&kept_fd);
	kept_fd = -1;
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static struct zone_file *read_file(const char *name)
{
	int fd CLEANUP(close_fd) = open_file(name);
	struct stat status;
	char bytes[ZONE_FILE_MAX_BYTES];
	if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		return NULL;
	ssize_t len = read(fd, bytes, sizeof(bytes));
	return len > 0 ? zone_file_parse((struct str){ bytes, (size_t)len }) : NULL;
}

static struct zone *load_zone(const char *name)
{
	struct zone_file *file = read_file(name);
	struct zone *zone = file ? calloc(1, sizeof(*zone)) : NULL;
	if (!zone) {
		free(file);
		return NULL;
	}
	memcpy(zone->name, name, strlen(name) + 1);
	zone->file = file;
	return zone;
}

/* The zones that zone_find() has loaded. They are never freed: their number is limited by the time
 * zone files on the machine. */
static struct zone *found_zones;
static pthread_mutex_t found_lock = PTHREAD_MUTEX_INITIALIZER;

const struct zone *zone_find(const char *name)
{
	if (strcmp(name, utc.name) == 0)
		return &utc;
	if (!is_name(name))
		return NULL;
	pthread_mutex_lock(&found_lock);
	struct zone *zone = found_zones;
	while (zone && strcmp(zone->name, name) != 0)
		zone = zone->next;
	if (!zone && (zone = load_zone(name))) {
		zone->next = found_zones;
		found_zones = zone;
	}
	keep_fd();
	pthread_mutex_unlock(&found_lock);
	return zone;
}

void zone_keep_descriptor(void)
{
	pthread_mutex_lock(&found_lock);
	keeps_fd = true;
	keep_fd();
	pthread_mutex_unlock(&found_lock);
}
