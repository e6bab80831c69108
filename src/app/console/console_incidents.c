/* /console/incidents/new and /console/incidents/{id} */
#include "app/console/console.h"
#include "app/console/console_screens.h"
#include "app/input.h"
#include "app/operation.h"
#include "domain/incident/incident_report.h"
#include "domain/incident/incident_template.h"
#include "service/attention.h"
#include "service/incident/incident_reports.h"
#include "service/incident/incident_templates.h"
#include "service/incident/incidents.h"
#include "service/resource/resource.h"
#include "view/console/console_incident_html.h"

struct report_query {
	const char *search;
	int64_t template_id;
};
static const struct field report_query_rows[] = {
	FIELD(struct report_query, search, .max_chars = 255),
	FIELD(struct report_query, template_id, .flags = FIELD_ZERO_IS_NULL, .max = INT64_MAX),
};
const struct fields console_report_fields = { report_query_rows, ARRAY_LEN(report_query_rows) };

/* The values of the parameter `notice`. The redirect after a form has the parameter, and the next
 * screen shows its sentence. */
static const char *const notice_words[] = { "reported", "posted",    "saved",
					    "pending",	"withdrawn", NULL };
static const enum console_sentence notices[] = { CONSOLE_REPORTED, CONSOLE_POSTED, CONSOLE_SAVED,
						 CONSOLE_POSTED_PENDING, CONSOLE_WITHDRAWN };
struct notice_query {
	int notice;
	int64_t update; /* the update that was posted */
	int64_t until;	/* Unix time when the update's messages are sent */
};
static const struct field notice_rows[] = {
	FIELD(struct notice_query, notice, .choices = notice_words),
	FIELD(struct notice_query, update, .max = INT64_MAX),
	FIELD(struct notice_query, until, .max = INT64_MAX),
};
const struct fields console_incident_fields = { notice_rows, ARRAY_LEN(notice_rows) };

/* Reads the templates that a person can choose for a report. */
static enum result read_templates(struct exchange *exchange, struct console_report *report)
{
	enum { TEMPLATES_MAX = 100 };
	struct list_query query =
		*(const struct list_query *)resource_incident_templates.query_defaults;
	struct resource_rows found;
	query.page = 1;
	query.limit = TEMPLATES_MAX;
	query.sort_by = INCIDENT_TEMPLATE_BY_NAME;
	query.is_ascending = true;
	enum result result =
		resource_list(&exchange->service, &resource_incident_templates, 0, &query, &found);
	if (result != OK)
		return result;
	const struct incident_template *rows = found.rows;
	struct console_option *options =
		ARENA_ARRAY(&exchange->arena, found.count, struct console_option);
	for (size_t i = 0; i < found.count; i++)
		options[i] = (struct console_option){ rows[i].id, rows[i].name };
	report->templates = options;
	report->template_count = found.count;
	return OK;
}

static enum result show_report(struct exchange *exchange, int status, const char *search,
			       struct console_report *report)
{
	const struct console_view view = console_view(exchange);
	enum result result = service_read_audience(&exchange->service, NULL, &report->audience);
	if (result != OK)
		return result;
	report->search = search ? search : "";
	report->inputs.fields = incident_report_fields;
	report->inputs.violations = &exchange->violations;
	report->form_key = console_form_key(exchange);
	exchange->console->has_preview = true;
	console_report_html(&exchange->response.body, &view, report);
	console_respond(exchange, status);
	return OK;
}

static enum result read_systems(struct exchange *exchange, const char *search,
				struct console_report *report)
{
	return console_read_options(exchange, "monitor_ids", search, &report->inputs,
				    &report->has_more);
}

/* Fills in the form of a report from the template, with its placeholders replaced. */
static enum result draft_report(struct exchange *exchange, const struct report_query *query,
				struct console_report *screen)
{
	const struct resource_place place = { .id = query->template_id };
	struct incident_report *draft = ARENA_NEW(&exchange->arena, struct incident_report);
	struct incident_template row;
	const char *cause;
	*draft = (struct incident_report){ 0 };
	enum result result =
		resource_find(&exchange->service, &resource_incident_templates, &place, &row);
	if (result != OK)
		return result;
	incident_template_apply(&row, draft, FIELD_SET_NONE);
	screen->inputs.chosen = draft->monitor_ids;
	id_list_settle(&screen->inputs.chosen);
	result = read_systems(exchange, query->search, screen);
	if (result == OK)
		result = service_template_cause(&exchange->service, &screen->inputs.chosen, &cause);
	if (result != OK)
		return result;
	struct incident incident = { .started_at = exchange->now };
	const struct console_inputs *inputs = &screen->inputs;
	incident.monitors =
		ARENA_ARRAY(&exchange->arena, inputs->option_count, struct incident_monitor);
	for (size_t i = 0; i < inputs->option_count; i++)
		if (id_list_has(&inputs->chosen, inputs->options[i].id))
			incident.monitors[incident.monitor_count++].name = inputs->options[i].name;
	incident_template_fill(draft, FIELD_SET_NONE, &incident, cause, &exchange->arena);
	screen->inputs.object = draft;
	return OK;
}

enum result console_report_show(struct exchange *exchange)
{
	struct report_query query = { 0 };
	struct console_report report = { 0 };
	enum result result = exchange_query(exchange, &query);
	if (result == OK && query.template_id > 0)
		result = draft_report(exchange, &query, &report);
	else if (result == OK)
		result = read_systems(exchange, query.search, &report);
	report.template_id = query.template_id;
	if (result == OK && query.template_id == 0)
		result = read_templates(exchange, &report);
	return result == OK ? show_report(exchange, 200, query.search, &report) : result;
}

static void go_to(struct exchange *exchange, int64_t id, const char *notice)
{
	console_redirect(exchange, arena_printf(&exchange->arena, "incidents/%lld?notice=%s",
						(long long)id, notice));
}

static void render_reported(struct exchange *exchange, const void *outcome)
{
	const struct incident_resource *incident = outcome;
	go_to(exchange, incident->row.id, "reported");
}

enum result console_report(struct exchange *exchange)
{
	struct incident_report input = { 0 };
	struct incident_resource incident;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &input, &sent);
	if (result != OK)
		return result;
	result = service_report_incident(exchange_service(exchange, NULL, render_reported), &input,
					 sent, &incident);
	if (result != E_INVALID || exchange->violations.count == 0 || exchange->console->preview)
		return result;
	id_list_settle(&input.monitor_ids);
	struct console_report report = { .inputs = { .typed = console_typed(exchange, false),
						     .chosen = input.monitor_ids } };
	result = read_systems(exchange, NULL, &report);
	return result == OK ? show_report(exchange, 422, NULL, &report) : result;
}

/* Reads the incident, and responds with its screen and forms. */
static enum result show_incident(struct exchange *exchange, int status,
				 struct console_incident *screen)
{
	const struct console_view view = console_view(exchange);
	const struct resource_place place = { .id = exchange->match.id };
	const struct resource *resource = &resource_incidents;
	struct incident_resource found;
	enum result result = resource_find(&exchange->service, resource, &place, &found);
	if (result == OK)
		result = resource_complete(&exchange->service, resource, &found);
	if (result == OK)
		result = service_read_audience(&exchange->service, &found.row, &screen->audience);
	if (result == OK && screen->audience.pending > 0)
		result = console_read_pending(exchange, found.row.id, &screen->pending);
	if (result != OK)
		return result;
	const struct incident_input input = { .title = found.row.title,
					      .postmortem = found.row.postmortem };
	const struct incident_post post = { .phase = found.row.phase,
					    .impact = -1,
					    .next_update_at = found.row.next_update_at };
	screen->incident = resource_present(&exchange->service, resource, &found);
	screen->buttons = &console_incidents_screen;
	screen->principal = &exchange->service.principal;
	screen->may_respond = principal_may(screen->principal, PERMISSION_RESPOND);
	screen->form_key = console_form_key(exchange);
	exchange->console->has_preview = screen->may_respond;
	screen->reply.fields = incident_post_fields;
	screen->reply.object = &post;
	screen->edit.fields = incident_update_fields;
	screen->edit.object = &input;
	console_incident_html(&exchange->response.body, &view, screen);
	console_respond(exchange, status);
	return OK;
}

enum result console_incident_show(struct exchange *exchange)
{
	struct notice_query query = { .notice = -1 };
	struct console_incident screen = { 0 };
	enum result result = exchange_query(exchange, &query);
	if (result != OK)
		return result;
	screen.notice = query.notice >= 0 ? &notices[query.notice] : NULL;
	screen.waiting_id = query.update;
	screen.wait_s = query.until - exchange->now.s;
	return show_incident(exchange, 200, &screen);
}

/* Redirects to the incident. The update's messages are sent SUBSCRIBER_GROUP_S seconds later.
 * Before they are sent, the person can withdraw the update. */
static void render_posted(struct exchange *exchange, const void *outcome)
{
	const struct incident_posting *posting = outcome;
	go_to(exchange, posting->incident.id,
	      arena_printf(&exchange->arena, "posted&update=%lld&until=%lld",
			   (long long)posting->update.id,
			   (long long)(exchange->now.s + SUBSCRIBER_GROUP_S)));
}

enum result console_incident_reply(struct exchange *exchange)
{
	struct incident_post post = { .phase = -1 };
	struct incident_posting posting;
	struct field_set sent = FIELD_SET_NONE;
	enum result result = exchange_body(exchange, &post, &sent);
	if (result != OK)
		return result;
	/* Drop the time of the next update: an update that ends the incident may not have one. */
	if (post.phase == PHASE_RESOLVED)
		post.next_update_at = (struct instant){ 0 };
	result = service_post_update(exchange_service(exchange, NULL, render_posted),
				     exchange->match.id, &post, sent, &posting);
	if (result != E_INVALID || exchange->violations.count == 0 || exchange->console->preview)
		return result;
	struct console_incident screen = { .reply = { .typed = console_typed(exchange, false),
						      .violations = &exchange->violations } };
	return show_incident(exchange, 422, &screen);
}

/* Rejects the form if another person has changed the incident since the form was made. */
static enum result admit_edit(struct exchange *exchange, const void *current)
{
	const struct incident *incident = current;
	if (exchange->console->preview)
		return OK;
	return exchange->console->version == incident->revision ? OK : E_PRECONDITION_FAILED;
}

static void render_saved(struct exchange *exchange, const void *outcome)
{
	(void)outcome;
	go_to(exchange, exchange->match.id, "saved");
}

enum result console_incident_edit(struct exchange *exchange)
{
	static const enum console_sentence changed = CONSOLE_CHANGED_MEANWHILE;
	struct incident_update update = { 0 };
	struct incident_resource outcome;
	enum result result = exchange_body(exchange, &update.input, &update.sent);
	if (result != OK)
		return result;
	result = service_update_incident(exchange_service(exchange, admit_edit, render_saved),
					 exchange->match.id, &update, &outcome);
	bool is_stale = result == E_PRECONDITION_FAILED;
	bool is_refused = is_stale || (result == E_INVALID && exchange->violations.count > 0);
	if (!is_refused || exchange->console->preview)
		return result;
	struct console_incident screen = {
		.edit = { .typed = console_typed(exchange, false),
			  .violations = &exchange->violations },
		.problem = is_stale ? &changed : NULL,
	};
	return show_incident(exchange, is_stale ? 409 : 422, &screen);
}
