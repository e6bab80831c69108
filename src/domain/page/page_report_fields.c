/* The fields of a month's report for programs. */
#include "domain/page/page_report.h"

#define FIGURE(member, ...) FIELD(struct page_report_figures, member, __VA_ARGS__)
#define SECONDS(member, its_text, ...) \
	FIGURE(member, .flags = FIELD_SECONDS, .max = INT64_MAX, .text = its_text, ##__VA_ARGS__)
#define FIGURES \
	FIGURE(uptime, .text = "Percent of the observed time, rounded down; null: no record. Of " \
			       "a group the lowest of its systems."), \
		SECONDS(known_s, "The observed time."), \
		SECONDS(down_s, "The time that counts against uptime.", .label = "Down"), \
		SECONDS(degraded_s, "The time with a lesser impact."), \
		FIGURE(outage_count, .max = INT64_MAX, .text = "The separate outages of down_s.", \
		       .label = "Outages"), \
		SECONDS(maintenance_s, \
			"The time of detected outages that does not count, since they began " \
			"in maintenance."), \
		SECONDS(excluded_s, "The time down that does not count, since its incident has " \
				    "exclude_from_uptime."), \
		SECONDS(unobserved_s, "The time in which nobody observed the system.")
static const struct field group_rows[] = {
	FIGURE(name, .flags = FIELD_NOT_EMPTY, .text = "The name of the group."), FIGURES
};
static const struct fields group_fields = { group_rows, ARRAY_LEN(group_rows) };
static const struct field system_rows[] = {
	FIGURE(id, .min = 1, .max = INT64_MAX, .text = "The id of the monitor."),
	FIGURE(name, .flags = FIELD_NOT_EMPTY, .text = "The name of the system."),
	FIGURE(group, .text = "The name of the group; null: none."),
	FIGURE(known_since, .text = "The start of the record, if it is in the month."),
	FIGURES,
};
const struct fields page_report_system_fields = { system_rows, ARRAY_LEN(system_rows) };

#define MONITOR(member, ...) FIELD(struct incident_monitor, member, __VA_ARGS__)
static const struct field monitor_rows[] = {
	MONITOR(id, .min = 1, .max = INT64_MAX, .text = "The id of the monitor."),
	MONITOR(name, .flags = FIELD_NOT_EMPTY, .text = "The name of the system.")
};
static const struct fields monitor_fields = { monitor_rows, ARRAY_LEN(monitor_rows) };

#define INCIDENT(member, ...) FIELD_NAMED(struct page_incident, row.member, #member, __VA_ARGS__)
static const struct field incident_rows[] = {
	INCIDENT(id, .min = 1, .max = INT64_MAX, .text = "The id of the incident."),
	INCIDENT(title, .text = "Null: pages name the state."),
	INCIDENT(kind, .flags = FIELD_AS_WORD, .choices = incident_kind_words,
		 .text = "As of an incident."),
	INCIDENT(impact, .flags = FIELD_AS_WORD, .choices = incident_impact_words,
		 .text = "The worst on a system of the page in the month."),
	INCIDENT(exclude_from_uptime, .text = "Whether the incident does not count."),
	INCIDENT(started_at, .flags = FIELD_NOT_EMPTY, .text = "When it began to count."),
	INCIDENT(ended_at, .text = "Null: the incident is open."),
	FIELD_ARRAY(struct page_incident, row.monitors, row.monitor_count, "monitors",
		    &monitor_fields, .label = "Systems",
		    .text = "The systems of the page that it affected."),
};
static const struct fields incident_fields = { incident_rows, ARRAY_LEN(incident_rows) };

#define WINDOW(member, ...) FIELD(struct page_maintenance, member, __VA_ARGS__)
static const struct field window_rows[] = {
	FIELD_NAMED(struct page_maintenance, window_id, "maintenance_id", .min = 1,
		    .max = INT64_MAX, .text = "The id of the window."),
	WINDOW(title, .flags = FIELD_NOT_EMPTY, .text = "The title on pages."),
	WINDOW(starts_at, .flags = FIELD_NOT_EMPTY, .text = "When the occurrence began."),
	WINDOW(ends_at, .flags = FIELD_NOT_EMPTY, .text = "When it ended, or the planned end."),
	FIELD_ARRAY(struct page_maintenance, monitors, monitor_count, "monitors", &monitor_fields,
		    .label = "Systems", .text = "The systems of the page in the window."),
};
static const struct fields window_fields = { window_rows, ARRAY_LEN(window_rows) };

#define REPORT(member, its_name, ...) FIELD_NAMED(struct page_report, member, its_name, __VA_ARGS__)
#define LIST(member, counter, ...) \
	FIELD_ARRAY(struct page_report, member, counter, #member, __VA_ARGS__)
static const struct field report_rows[] = {
	REPORT(month.name, "month", .flags = FIELD_NOT_EMPTY, .text = "Such as 2026-10."),
	REPORT(time_zone, "time_zone", .flags = FIELD_NOT_EMPTY,
	       .text = "The zone of the page, in which the month begins and ends."),
	REPORT(month.from, "starts_at", .flags = FIELD_NOT_EMPTY,
	       .text = "The first midnight of the month."),
	REPORT(until, "ends_at", .flags = FIELD_NOT_EMPTY,
	       .text = "The end of the month; of the present month now."),
	REPORT(is_complete, "is_complete", .text = "Whether the month is over."),
	LIST(systems, system_count, &page_report_system_fields,
	     .text = "In the order of the page."),
	LIST(groups, group_count, &group_fields, .text = "The sums of their systems."),
	LIST(incidents, incident_count, &incident_fields, .text = "Newest first."),
	LIST(maintenances, maintenance_count, &window_fields, .text = "Newest first.",
	     .label = "Maintenance"),
};
const struct fields page_report_fields = { report_rows, ARRAY_LEN(report_rows) };
