#include "view/words.h"

static enum plural plural_of(size_t count)
{
	return count == 1 ? PLURAL_ONE : PLURAL_OTHER;
}

#define COUNTED(one, other) \
	{ \
		[PLURAL_ONE] = (one), [PLURAL_OTHER] = (other) \
	}

static const struct words english = {
	.language = "en",
	.plural_of = plural_of,
	.months = { "January", "February", "March", "April", "May", "June", "July", "August",
		    "September", "October", "November", "December" },
	.short_months = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
			  "Nov", "Dec" },
	.sentences = {
		[SAY_NO_SYSTEMS] = { "No systems are shown yet" },
		[SAY_NO_DATA_YET] = { "No data yet" },
		[SAY_ALL_OPERATIONAL] = { "All systems operational" },
		[SAY_KNOWN_OPERATIONAL] = { "All systems with data operational" },
		[SAY_ALL_DOWN] = COUNTED("The system is down", "All systems are down"),
		[SAY_SOME_DOWN] = COUNTED("{down} of {total} systems is down",
					  "{down} of {total} systems are down"),

		[SAY_SYSTEMS] = { "Systems" },
		[SAY_OPERATIONAL] = { "Operational" },
		[SAY_DOWN] = { "Down" },
		[SAY_NO_DATA] = { "No data" },
		[SAY_UPTIME_IN_DAYS] = COUNTED("{percent} % uptime in {days} day",
					       "{percent} % uptime in {days} days"),
		[SAY_UPTIME_SINCE] = { "{percent} % uptime since {date}" },
		[SAY_UPTIME_UNKNOWN] = { "no data" },
		[SAY_DAYS_AGO] = COUNTED("{days} day ago", "{days} days ago"),
		[SAY_TODAY] = { "Today" },
		[SAY_DAY_BY_DAY] = { "Day by day" },
		[SAY_DAYS_HEADING] = { "Days (UTC)" },
		[SAY_DOWN_HEADING] = { "Down for" },
		[SAY_DOWN_FOR_NOTHING] = { "nothing" },
		[SAY_DOWN_UNKNOWN] = { "no data" },
		[SAY_FROM_TO] = { "{from} to {to}" },

		[SAY_MONITOR_IS_DOWN] = { "{monitor} is down" },
		[SAY_MONITOR_WAS_DOWN] = { "{monitor} was down" },
		[SAY_MONITOR_AND_TITLE] = { "{monitor}: {title}" },
		[SAY_RESOLVED] = { "Resolved. {start} to {end} ({duration})" },
		[SAY_NOT_RESOLVED] = { "Not resolved, since {start}" },
		[SAY_BEING_WORKED_ON] = { "Not resolved, since {start}. Being worked on, since "
					  "{acknowledged}" },
		[SAY_TITLE_AND_STATUS] = { "{title} ({status})" },
		[SAY_STATUS_UNRESOLVED] = { "unresolved" },
		[SAY_STATUS_ACKNOWLEDGED] = { "acknowledged" },
		[SAY_STATUS_RESOLVED] = { "resolved" },
		[SAY_PHASE_INVESTIGATING] = { "Investigating" },
		[SAY_PHASE_IDENTIFIED] = { "Identified" },
		[SAY_PHASE_MONITORING] = { "Monitoring" },
		[SAY_PHASE_RESOLVED] = { "Resolved" },
		[SAY_PHASE_SCHEDULED] = { "Scheduled" },
		[SAY_PHASE_IN_PROGRESS] = { "In progress" },
		[SAY_PHASE_VERIFYING] = { "Verifying" },
		[SAY_PHASE_COMPLETED] = { "Completed" },
		[SAY_PHASE_CANCELLED] = { "Cancelled" },
		[SAY_POSTMORTEM] = { "Post-mortem" },
		[SAY_OPEN_INCIDENTS] = { "Open incidents" },
		[SAY_INCIDENTS] = { "Incidents" },
		[SAY_LAST_DAYS] = COUNTED("The last {days} day (UTC)",
					  "The last {days} days (UTC)"),
		[SAY_NO_INCIDENTS] = { "No incidents." },
		[SAY_IS_OPEN] = { "is open." },
		[SAY_ENDED_THIS_DAY] = { "ended on this day." },
		[SAY_WENT_ON] = { "went on." },
		[SAY_MORE] = { "{count} more" },

		[SAY_MONTH_BY_MONTH] = { "Month by month" },
		[SAY_OTHER_MONTHS] = { "Other months" },
		[SAY_CURRENT_STATE] = { "Current state" },
		[SAY_LATER_MONTH] = { "Later: {month}" },
		[SAY_EARLIER_MONTH] = { "Earlier: {month}" },
		[SAY_OLDER_INCIDENTS] = { "And {count} before these." },

		[SAY_STATUS] = { "status" },
		[SAY_NAME_AND_STATUS] = { "{name} status" },
		[SAY_PART_OF_TITLE] = { "{part}, {page}" },
		[SAY_AS_OF] = { "As of {time}." },
		[SAY_SKIP_TO_CONTENT] = { "Skip to the content" },
		[SAY_LINKS] = { "Links" },
		[SAY_WEBSITE] = { "Website" },
		[SAY_CONTACT] = { "Contact" },
		[SAY_FEED] = { "Feed" },
		[SAY_JSON] = { "JSON" },

		[SAY_TIME] = { "{day} {month} {year}, {hour}:{minute} {zone}" },
		[SAY_DATE] = { "{day} {month} {year}" },
		[SAY_MONTH] = { "{month} {year}" },
		[SAY_DURATION_DAYS] = COUNTED("{days} day {hours} h", "{days} days {hours} h"),
		[SAY_DURATION_HOURS] = { "{hours} h {minutes} min" },
		[SAY_DURATION_MINUTES] = { "{minutes} min" },
		[SAY_DURATION_SECONDS] = { "{seconds} s" },

		[SAY_PASSWORD] = { "Password" },
		[SAY_HAS_PASSWORD] = { "This page has a password" },
		[SAY_SHOW_PAGE] = { "Show the page" },
		[SAY_WRONG_PASSWORD] = { "That is not the password." },
		[SAY_TOO_MANY_TRIES] = { "Too many attempts. Please wait a minute." },
		[SAY_TOO_MANY_VISITORS] = { "Too many visitors are entering passwords at the "
					    "moment. Please try again." },
		[SAY_NOT_FOUND] = { "Not found" },
		[SAY_NO_SUCH_PAGE] = { "There is no such page" },
		[SAY_PAGE_MAY_HAVE_MOVED] = { "The address may be mistyped, or the page may have "
					      "moved." },
		[SAY_NO_PAGE_HERE] = { "There is no page here" },
		[SAY_OWN_ADDRESSES] = { "Each page has an address of its own." },
		[SAY_STATUS_PAGES] = { "Status pages" },
		[SAY_NO_PAGES_YET] = { "There is none yet." },
		[SAY_REQUEST_IN_LOG] = { "The service's log has this request as {id}." },

		[SAY_400] = { "This request cannot be read" },
		[SAY_400_TEXT] = { "The address may be mistyped." },
		[SAY_405] = { "This cannot be done here" },
		[SAY_405_TEXT] = { "This address can be read, and not changed." },
		[SAY_408] = { "The request took too long" },
		[SAY_408_TEXT] = { "Nothing was changed. Please try again." },
		[SAY_413] = { "This is too large" },
		[SAY_413_TEXT] = { "Nothing was changed." },
		[SAY_415] = { "This cannot be read here" },
		[SAY_415_TEXT] = { "Its type is not supported." },
		[SAY_422] = { "This cannot be used" },
		[SAY_422_TEXT] = { "Please go back, and look at what was sent." },
		[SAY_429] = { "Too many requests" },
		[SAY_429_TEXT] = { "Please wait a moment, and try again." },
		[SAY_500] = { "Something went wrong here" },
		[SAY_500_TEXT] = { "Please try again later." },
		[SAY_503] = { "Away for a moment" },
		[SAY_503_TEXT] = { "Please try again in a moment." },
	},
};

const struct words *const words_tables[] = { &english };
const size_t words_table_count = ARRAY_LEN(words_tables);
