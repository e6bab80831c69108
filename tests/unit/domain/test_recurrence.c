#include "unit/lib/unit.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "domain/maintenance/recurrence_summary.h"

/* From 2026-11-22T00:00:00Z on, for 400 days. */
#define FROM INT64_C(1795305600)
static const struct recurrence_range range = { { FROM }, { FROM + 400 * 86400 }, 500 };

static struct recurrence_times times;
static const char *why;

static enum result expand(const char *rule, const char *start, const char *zone)
{
	struct recurrence recurrence = { .rule = rule, .zone = zone_find(zone) };
	assert_non_null(recurrence.zone);
	assert_true(local_time_parse(start, &recurrence.start));
	return recurrence_expand(&recurrence, &range, &arena, &times, &why);
}

static void assert_times(const char *wanted)
{
	const char *found = "";
	char text[INSTANT_TEXT_SIZE];
	for (size_t i = 0; i < times.count && i < 4; i++)
		found = arena_printf(&arena, "%s%s%s", found, i > 0 ? " " : "",
				     instant_format(times.starts[i], text));
	assert_string_equal(found, wanted);
}

static void local_times_have_no_offset(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool is_valid;
	} rows[] = {
		{ "2026-11-21T22:00:00", true },
		{ "2026-11-21 22:00:00", true },
		{ "2026-11-21T22:00", true },
		{ "2028-02-29T00:00:00", true },
		{ "2026-11-21T22:00:00Z", false },
		{ "2026-11-21T22:00:00+01:00", false },
		{ "2026-11-21T22:00+0100", false },
		{ "2026-02-29T00:00:00", false },
		{ "2026-11-21T24:00:00", false },
		{ "2026-11-21", false },
		{ "", false },
		{ "1969-12-31T23:00:00", false },
		{ "2026-11-21T22:00:0x", false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct local_time local = { 0 };
		if (local_time_parse(rows[i].text, &local) != rows[i].is_valid)
			fail_msg("%s", rows[i].text);
	}
	struct local_time local;
	assert_true(local_time_parse("2026-11-21T22:03:04", &local));
	assert_int_equal(local.year * 10000 + local.month * 100 + local.day, 20261121);
	assert_int_equal(local.hour * 10000 + local.minute * 100 + local.second, 220304);
}

static void occurrences_keep_their_local_time(void **state)
{
	(void)state;
	static const struct {
		const char *rule, *start, *zone, *times;
		size_t count;
		bool is_last;
	} rows[] = {
		/* The clock goes forward on 2027-03-28: 02:30 is read as 03:30 of summer time. */
		{ "FREQ=DAILY;COUNT=4", "2027-03-26T02:30:00", "Europe/Berlin",
		  "2027-03-26T01:30:00Z 2027-03-27T01:30:00Z 2027-03-28T01:30:00Z "
		  "2027-03-29T00:30:00Z",
		  4, true },
		/* And back on 2027-10-31: of the two the first. */
		{ "FREQ=DAILY;COUNT=3", "2027-10-30T02:30:00", "Europe/Berlin",
		  "2027-10-30T00:30:00Z 2027-10-31T00:30:00Z 2027-11-01T01:30:00Z", 3, true },
		/* By half an hour. */
		{ "FREQ=WEEKLY;COUNT=2", "2027-04-01T12:00:00", "Australia/Lord_Howe",
		  "2027-04-01T01:00:00Z 2027-04-08T01:30:00Z", 2, true },
		{ "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "2026-12-31T23:00:00", "UTC",
		  "2026-12-31T23:00:00Z 2027-01-31T23:00:00Z 2027-02-28T23:00:00Z", 3, true },
		{ "FREQ=MONTHLY;BYDAY=2SA;COUNT=2", "2026-12-12T22:00:00", "America/New_York",
		  "2026-12-13T03:00:00Z 2027-01-10T03:00:00Z", 2, true },
		{ "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=SU", "2026-11-30T08:00:00",
		  "Asia/Kathmandu",
		  "2026-11-30T02:15:00Z 2026-12-03T02:15:00Z 2026-12-14T02:15:00Z "
		  "2026-12-17T02:15:00Z",
		  56, false },
		{ "FREQ=YEARLY;BYWEEKNO=49", "2026-11-30T08:00:00", "UTC",
		  "2026-11-30T08:00:00Z 2027-12-06T08:00:00Z", 2, false },
		{ "FREQ=YEARLY;BYWEEKNO=-5,10;BYDAY=WE,MO;COUNT=2", "2026-11-30T08:00:00", "UTC",
		  "2026-11-30T08:00:00Z 2026-12-02T08:00:00Z", 2, true },
		{ "FREQ=YEARLY;BYWEEKNO=48;BYDAY=MO;WKST=SU;COUNT=1", "2026-11-30T08:00:00", "UTC",
		  "2026-11-30T08:00:00Z", 1, true },
		{ "FREQ=YEARLY;BYWEEKNO=53", "2026-12-31T08:00:00", "UTC", "2026-12-31T08:00:00Z",
		  1, false },
		{ "FREQ=YEARLY", "2026-12-24T18:00:00", "UTC",
		  "2026-12-24T18:00:00Z 2027-12-24T18:00:00Z", 2, false },
		/* The end of a rule, in its three forms; a date is the whole local day. */
		{ "FREQ=DAILY;UNTIL=20261202", "2026-12-01T23:30:00", "Europe/Berlin",
		  "2026-12-01T22:30:00Z 2026-12-02T22:30:00Z", 2, true },
		{ "FREQ=DAILY;UNTIL=20261202T233000", "2026-12-01T23:30:00", "Europe/Berlin",
		  "2026-12-01T22:30:00Z 2026-12-02T22:30:00Z", 2, true },
		{ "FREQ=DAILY;UNTIL=20261202T223000Z", "2026-12-01T23:30:00", "Europe/Berlin",
		  "2026-12-01T22:30:00Z 2026-12-02T22:30:00Z", 2, true },
		{ "FREQ=DAILY;UNTIL=20261202T222959Z", "2026-12-01T23:30:00", "Europe/Berlin",
		  "2026-12-01T22:30:00Z", 1, true },
		/* What began earlier counts, but is not returned. */
		{ "FREQ=DAILY;COUNT=10", "2026-11-14T12:00:00", "UTC",
		  "2026-11-22T12:00:00Z 2026-11-23T12:00:00Z", 2, true },
		{ "FREQ=DAILY", "2026-01-01T12:00:00", "UTC",
		  "2026-11-22T12:00:00Z 2026-11-23T12:00:00Z 2026-11-24T12:00:00Z "
		  "2026-11-25T12:00:00Z",
		  400, false },
		{ "FREQ=DAILY;COUNT=2", "2026-01-01T12:00:00", "UTC", "", 0, true },
		{ "FREQ=YEARLY", "2028-06-01T12:00:00", "UTC", "", 0, false },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (expand(rows[i].rule, rows[i].start, rows[i].zone) != OK)
			fail_msg("%s from %s %s", rows[i].rule, rows[i].start, why);
		assert_times(rows[i].times);
		assert_int_equal(times.count, rows[i].count);
		if (times.is_last != rows[i].is_last)
			fail_msg("%s", rows[i].rule);
	}
}

static void rules_that_never_or_too_often_occur_are_refused(void **state)
{
	(void)state;
	static const char *const rules[] = {
		"",
		"DAILY",
		"FREQ",
		"FREQ=",
		"FREQ=HOURLY",
		"FREQ=MINUTELY",
		"FREQ=SECONDLY",
		"FREQ=daily",
		"FREQ=DAILY;",
		"FREQ=DAILY;;COUNT=2",
		"FREQ=DAILY;FREQ=DAILY",
		"COUNT=2",
		"FREQ=DAILY;COUNT=0",
		"FREQ=DAILY;COUNT=10001",
		"FREQ=DAILY;COUNT=x",
		"FREQ=DAILY;INTERVAL=0",
		"FREQ=DAILY;INTERVAL=1001",
		"FREQ=DAILY;INTERVAL=-1",
		"FREQ=DAILY;UNTIL=",
		"FREQ=DAILY;UNTIL=20261301",
		"FREQ=DAILY;UNTIL=2026-12-01",
		"FREQ=DAILY;UNTIL=20261201T100000X",
		"FREQ=DAILY;COUNT=2;UNTIL=20271201",
		"FREQ=DAILY;BYHOUR=1,2,3",
		"FREQ=DAILY;BYMINUTE=1",
		"FREQ=DAILY;BYSECOND=1",
		"FREQ=DAILY;RSCALE=CHINESE",
		"FREQ=DAILY;X-FOO=1",
		"FREQ=WEEKLY;BYDAY",
		"FREQ=WEEKLY;BYDAY=",
		"FREQ=DAILY;BYSETPOS",
		"FREQ=WEEKLY;BYDAY=2MO",
		"FREQ=WEEKLY;BYDAY=XX",
		"FREQ=WEEKLY;BYDAY=MO,",
		/* The first start is a Monday, 30 November. */
		"FREQ=WEEKLY;BYDAY=TU",
		"FREQ=MONTHLY;BYMONTHDAY=1",
		"FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
		"FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO",
		/* They would never occur. */
		"FREQ=YEARLY;BYMONTH=2,11;BYMONTHDAY=30,22;BYDAY=2MO",
		"FREQ=YEARLY;BYSETPOS=9",
		"FREQ=YEARLY;BYWEEKNO=60",
		"FREQ=YEARLY;BYWEEKNO=48,50,-1,-4,-6",
		"FREQ=YEARLY;BYWEEKNO=49;BYDAY=TU",
		"FREQ=YEARLY;BYWEEKNO=49;BYDAY=MO;WKST=SU",
		"FREQ=YEARLY;BYWEEKNO=49;WKST=XX",
		"FREQ=DAILY;INTERVAL=7;BYDAY=TU;COUNT=3",
		"FREQ=DAILY;BYSETPOS=2",
		/* A number outside of the list's limits, beside one that is within them. */
		"FREQ=YEARLY;BYMONTH=11,13",
		"FREQ=YEARLY;BYMONTH=11,-2",
		"FREQ=MONTHLY;BYMONTHDAY=30,32",
		"FREQ=MONTHLY;BYMONTHDAY=30,0",
		"FREQ=MONTHLY;BYDAY=-1MO,54TU",
		"FREQ=YEARLY;BYYEARDAY=334,-367",
		"FREQ=MONTHLY;BYYEARDAY=334",
		"FREQ=DAILY;BYYEARDAY=334",
		"FREQ=WEEKLY;BYMONTHDAY=30",
		"FREQ=DAILY;BYSETPOS=1",
		"FREQ=MONTHLY;BYSETPOS=1",
		"FREQ=YEARLY;BYWEEKNO=49,54",
		"FREQ=MONTHLY;BYSETPOS=1,367",
		"FREQ=MONTHLY;BYMONTHDAY=30,+-1",
		"FREQ=YEARLY;BYWEEKNO=1;BYMONTH=6",
		/* Only a year has numbered weeks. */
		"FREQ=WEEKLY;BYWEEKNO=1",
		"FREQ=DAILY;BYWEEKNO=-1",
		"FREQ=MONTHLY;BYWEEKNO=5",
		"FREQ=MONTHLY;BYDAY=6MO",
	};
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		enum result result = expand(rules[i], "2026-11-30T08:00:00", "UTC");
		if (result != E_INVALID || !why)
			fail_msg("%s: %d", rules[i], result);
	}
	/* Too long for a rule that is stored. */
	char *rule = arena_alloc(&arena, 400);
	memset(rule, '0', 399);
	memcpy(rule, "FREQ=DAILY;COUNT=", 17);
	assert_int_equal(expand(rule, "2026-11-30T08:00:00", "UTC"), E_INVALID);
	assert_string_equal(why, "is too long");
}

/* The occurrences are those that python3-dateutil computes, except that dateutil cannot combine
 * "MO" with "5TU". */
static void each_part_selects_its_days(void **state)
{
	(void)state;
	static const struct {
		const char *rule, *start, *times;
	} rows[] = {
		{ "FREQ=DAILY;BYMONTHDAY=30,-12,-1", "2026-11-30",
		  "2026-11-30 2026-12-20 2026-12-30 2026-12-31" },
		{ "FREQ=DAILY;INTERVAL=4;BYDAY=MO;BYMONTH=11,1", "2026-11-30",
		  "2026-11-30 2027-01-25 2027-11-01 2027-11-29" },
		/* The week begins on Wednesday, so that Sunday and Monday are in one week. */
		{ "FREQ=WEEKLY;INTERVAL=4;BYDAY=SU,MO;WKST=WE", "2026-11-30",
		  "2026-11-30 2026-12-27 2026-12-28 2027-01-24" },
		{ "FREQ=WEEKLY;BYDAY=MO,TH,SU;BYSETPOS=1,-1", "2026-11-30",
		  "2026-11-30 2026-12-06 2026-12-07 2026-12-13" },
		{ "FREQ=WEEKLY;BYMONTH=11,2", "2026-11-30",
		  "2026-11-30 2027-02-01 2027-02-08 2027-02-15" },
		{ "FREQ=MONTHLY;BYDAY=MO,5TU,-1WE", "2026-11-30",
		  "2026-11-30 2026-12-07 2026-12-14 2026-12-21" },
		{ "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "2026-11-13", "2027-08-13" },
		{ "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-11-30",
		  "2026-11-30 2026-12-31 2027-01-29 2027-02-26" },
		{ "FREQ=MONTHLY;INTERVAL=3", "2026-11-30",
		  "2026-11-30 2027-05-30 2027-08-30 2027-11-30" },
		{ "FREQ=YEARLY;BYMONTHDAY=-1", "2026-11-30",
		  "2026-11-30 2026-12-31 2027-01-31 2027-02-28" },
		{ "FREQ=YEARLY;BYYEARDAY=334,-1,-365", "2026-11-30",
		  "2026-11-30 2026-12-31 2027-01-01 2027-11-30" },
		{ "FREQ=YEARLY;BYYEARDAY=334;BYMONTHDAY=30;BYDAY=MO", "2026-11-30", "2026-11-30" },
		{ "FREQ=YEARLY;BYDAY=48MO,-1TH", "2026-11-30", "2026-11-30 2026-12-31 2027-11-29" },
		{ "FREQ=YEARLY;BYMONTH=11,1;BYDAY=-1MO", "2026-11-30",
		  "2026-11-30 2027-01-25 2027-11-29" },
		{ "FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=SU,TH", "2026-12-31",
		  "2026-12-31 2027-01-03 2027-01-07 2027-01-10" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *found = "", *begin = arena_printf(&arena, "%sT08:00:00", rows[i].start);
		char text[INSTANT_TEXT_SIZE];
		if (expand(rows[i].rule, begin, "UTC") != OK)
			fail_msg("%s %s", rows[i].rule, why);
		for (size_t j = 0; j < times.count && j < 4; j++)
			found = arena_printf(&arena, "%s%s%.10s", found, j > 0 ? " " : "",
					     instant_format(times.starts[j], text));
		if (strcmp(found, rows[i].times) != 0)
			fail_msg("%s: %s", rows[i].rule, found);
	}
}

/* The longest search that a rule can cause ends with the range: in the first year, or far behind
 * it. */
static void rare_rules_end_with_their_range(void **state)
{
	(void)state;
	static const struct {
		const char *rule, *start;
		size_t count;
	} rows[] = {
		{ "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TU;INTERVAL=7", "2028-02-29T08:00:00",
		  0 },
		{ "FREQ=DAILY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29;BYDAY=TU",
		  "2028-02-29T08:00:00", 0 },
		{ "FREQ=DAILY;BYMONTH=1;BYMONTHDAY=1;BYDAY=TH", "1970-01-01T00:00:01", 0 },
		{ "FREQ=WEEKLY;BYDAY=TH;BYSETPOS=1", "1970-01-01T00:00:01", 57 },
		{ "FREQ=YEARLY;BYWEEKNO=1", "1970-01-01T00:00:01", 1 },
		{ "FREQ=YEARLY;BYWEEKNO=-1;INTERVAL=1000", "9999-12-31T23:59:59", 0 },
		{ "FREQ=MONTHLY;INTERVAL=1000", "9999-12-31T23:59:59", 0 },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (expand(rows[i].rule, rows[i].start, "UTC") != OK)
			fail_msg("%s %s", rows[i].rule, why);
		assert_int_equal(times.count, rows[i].count);
	}
}

static void monthly_rules_select_their_start(void **state)
{
	(void)state;
	static const struct {
		const char *rule;
		bool is_valid;
	} rows[] = {
		{ "FREQ=MONTHLY", true },
		{ "FREQ=MONTHLY;BYDAY=-1MO", true },
		{ "FREQ=MONTHLY;BYDAY=SU,+5MO", true },
		{ "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=5", true },
		{ "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", true },
		{ "FREQ=MONTHLY;BYMONTHDAY=28,29,-1;BYSETPOS=3", true },
		{ "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", false },
		{ "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-6", false },
		{ "FREQ=MONTHLY;BYMONTHDAY=30;BYDAY=13MO", false },
		{ "FREQ=MONTHLY;BYMONTHDAY=30;BYDAY=1MO;COUNT=10000", false },
		{ "FREQ=MONTHLY;BYDAY=-50MO", false },
	};
	/* A Monday, the last day of its month. */
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		enum result result = expand(rows[i].rule, "2026-11-30T08:00:00", "UTC");
		if (result != (rows[i].is_valid ? OK : E_INVALID))
			fail_msg("%s: %d %s", rows[i].rule, result, why ? why : "");
		if (!rows[i].is_valid)
			assert_string_equal(why, "must have its first occurrence at starts_at");
	}
}

static long page_size;
static char *second_page; /* of a recurrence: its zone */
static int stopped[2], go_on[2];

/* A thread that reads the zone waits in the middle of its expansion. */
static void wait_on_the_zone(int signal)
{
	char byte = 0;
	(void)signal;
	if (write(stopped[1], &byte, 1) != 1 || read(go_on[0], &byte, 1) != 1 ||
	    mprotect(second_page, (size_t)page_size, PROT_READ) != 0)
		_exit(1);
}

static void *expand_slowly(void *context)
{
	struct arena own CLEANUP(arena_done);
	struct recurrence_times found;
	const char *reason;
	arena_init(&own, 4096);
	*(enum result *)context =
		recurrence_expand((const void *)(second_page - offsetof(struct recurrence, zone)),
				  &range, &own, &found, &reason);
	return NULL;
}

static void an_expansion_waits_for_no_other(void **state)
{
	(void)state;
	const struct recurrence recurrence = { "FREQ=DAILY",
					       { 2026, 11, 30, 8, 0, 0 },
					       zone_utc() };
	struct sigaction action = { .sa_handler = wait_on_the_zone }, before;
	pthread_t thread;
	enum result result = E_FAILED;
	char byte = 0;
	page_size = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * (size_t)page_size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(pages, MAP_FAILED);
	second_page = pages + page_size;
	memcpy(second_page - offsetof(struct recurrence, zone), &recurrence, sizeof(recurrence));
	assert_int_equal(mprotect(second_page, (size_t)page_size, PROT_NONE), 0);
	assert_int_equal(pipe(stopped), 0);
	assert_int_equal(pipe(go_on), 0);
	assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
	assert_int_equal(pthread_create(&thread, NULL, expand_slowly, &result), 0);
	assert_int_equal(read(stopped[0], &byte, 1), 1);
	/* Where this expansion waited for the other one, both would wait until the alarm. */
	alarm(20);
	enum result other = expand("FREQ=WEEKLY;BYDAY=MO", "2026-11-30T08:00:00", "Europe/Berlin");
	alarm(0);
	assert_int_equal(write(go_on[1], &byte, 1), 1);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
	assert_int_equal(other, OK);
	assert_int_equal(result, OK);
	munmap(pages, 2 * (size_t)page_size);
}

static void more_occurrences_than_asked_for_are_refused(void **state)
{
	(void)state;
	struct recurrence recurrence = { .rule = "FREQ=DAILY", .zone = zone_utc() };
	struct recurrence_range few = { { FROM }, { FROM + 10 * 86400 - 1 }, 10 };
	assert_true(local_time_parse("2026-11-01T08:00:00", &recurrence.start));
	assert_int_equal(recurrence_expand(&recurrence, &few, &arena, &times, &why), OK);
	assert_int_equal(times.count, 10);
	few.most = 9;
	assert_int_equal(recurrence_expand(&recurrence, &few, &arena, &times, &why), E_INVALID);
	assert_string_equal(why, "has too many occurrences");
}

static void rules_are_summarized(void **state)
{
	(void)state;
	enum { SUN = 1, MON = 2, SAT = 64 };
	static const struct {
		const char *rule; /* of a start on Saturday 2026-12-12 */
		bool is_said;
		struct recurrence_summary summary;
	} rows[] = {
		{ "FREQ=DAILY", true, { .every = RECURRENCE_EVERY_DAY } },
		{ "FREQ=DAILY;INTERVAL=2", true, { .every = RECURRENCE_EVERY_2_DAYS } },
		{ "FREQ=DAILY;INTERVAL=3", false, { 0 } },
		{ "FREQ=DAILY;BYDAY=SA,MO",
		  true,
		  { RECURRENCE_EVERY_WEEK, SAT | MON, 0, 0, 0, { 0 } } },
		{ "FREQ=DAILY;INTERVAL=2;BYDAY=SA", false, { 0 } },
		{ "FREQ=WEEKLY", true, { RECURRENCE_EVERY_WEEK, SAT, 0, 0, 0, { 0 } } },
		{ "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=7",
		  true,
		  { RECURRENCE_EVERY_2_WEEKS, SAT | SUN, 0, 0, 7, { 0 } } },
		{ "FREQ=MONTHLY", true, { RECURRENCE_EVERY_MONTH, 0, 0, 12, 0, { 0 } } },
		{ "FREQ=MONTHLY;BYMONTHDAY=12;INTERVAL=3",
		  true,
		  { RECURRENCE_EVERY_3_MONTHS, 0, 0, 12, 0, { 0 } } },
		{ "FREQ=MONTHLY;INTERVAL=4", false, { 0 } },
		{ "FREQ=MONTHLY;BYMONTHDAY=-1",
		  true,
		  { RECURRENCE_EVERY_MONTH, 0, 0, RECURRENCE_LAST, 0, { 0 } } },
		{ "FREQ=MONTHLY;BYMONTHDAY=-2", false, { 0 } },
		{ "FREQ=MONTHLY;BYMONTHDAY=12,13", false, { 0 } },
		{ "FREQ=MONTHLY;BYMONTHDAY=12,-1", false, { 0 } },
		{ "FREQ=MONTHLY;BYDAY=2SA", true, { RECURRENCE_EVERY_MONTH, SAT, 2, 0, 0, { 0 } } },
		{ "FREQ=MONTHLY;BYDAY=-1SA;INTERVAL=2",
		  true,
		  { RECURRENCE_EVERY_2_MONTHS, SAT, RECURRENCE_LAST, 0, 0, { 0 } } },
		{ "FREQ=MONTHLY;BYDAY=5SA", false, { 0 } },
		{ "FREQ=MONTHLY;BYDAY=1SA,2SA", false, { 0 } },
		{ "FREQ=MONTHLY;BYDAY=2SA,2SU", false, { 0 } },
		{ "FREQ=MONTHLY;BYDAY=SA", false, { 0 } },
		{ "FREQ=MONTHLY;BYDAY=SA,2SU", false, { 0 } },
		{ "FREQ=MONTHLY;BYDAY=2SA;BYMONTHDAY=12", false, { 0 } },
		{ "FREQ=MONTHLY;BYDAY=SA;BYSETPOS=2", false, { 0 } },
		{ "FREQ=YEARLY", true, { .every = RECURRENCE_EVERY_YEAR } },
		{ "FREQ=YEARLY;BYDAY=SA", false, { 0 } },
		{ "FREQ=YEARLY;BYMONTH=12", false, { 0 } },
		{ "FREQ=HOURLY", false, { 0 } },
		/* The end of the day in Berlin, and a moment. */
		{ "FREQ=DAILY;UNTIL=20261231",
		  true,
		  { .every = RECURRENCE_EVERY_DAY, .until = { INT64_C(1798757999) } } },
		{ "FREQ=DAILY;UNTIL=20261231T225959Z",
		  true,
		  { .every = RECURRENCE_EVERY_DAY, .until = { INT64_C(1798757999) } } },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct recurrence recurrence = { .rule = rows[i].rule,
						 .zone = zone_find("Europe/Berlin") };
		struct recurrence_summary found;
		const struct recurrence_summary *wanted = &rows[i].summary;
		assert_true(local_time_parse("2026-12-12T22:00", &recurrence.start));
		bool is_said = recurrence_summarize(&recurrence, &arena, &found);
		if (is_said != rows[i].is_said ||
		    (is_said &&
		     (found.every != wanted->every || found.weekdays != wanted->weekdays ||
		      found.nth != wanted->nth || found.month_day != wanted->month_day ||
		      found.count != wanted->count || found.until.s != wanted->until.s)))
			fail_msg("%s", rows[i].rule);
	}
}

static void the_weekday_of_the_start_has_its_place_in_the_month(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "2026-12-01T22:00", "FREQ=MONTHLY;BYDAY=1TU" },
		{ "2026-12-13T22:00", "FREQ=MONTHLY;BYDAY=2SU" },
		{ "2026-12-28T22:00", "FREQ=MONTHLY;BYDAY=4MO" },
		{ "2026-12-29T22:00", "FREQ=MONTHLY;BYDAY=-1TU" },
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct local_time start;
		assert_true(local_time_parse(rows[i][0], &start));
		const char *rule = recurrence_nth_rule(&start, &arena);
		assert_string_equal(rule, rows[i][1]);
		assert_int_equal(expand(rule, rows[i][0], "Europe/Berlin"), OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_times_have_no_offset),
		cmocka_unit_test(occurrences_keep_their_local_time),
		cmocka_unit_test(rules_that_never_or_too_often_occur_are_refused),
		cmocka_unit_test(each_part_selects_its_days),
		cmocka_unit_test(rare_rules_end_with_their_range),
		cmocka_unit_test(monthly_rules_select_their_start),
		cmocka_unit_test(an_expansion_waits_for_no_other),
		cmocka_unit_test(more_occurrences_than_asked_for_are_refused),
		cmocka_unit_test(rules_are_summarized),
		cmocka_unit_test(the_weekday_of_the_start_has_its_place_in_the_month),
	};
	return RUN_WITH_ARENA(tests);
}
